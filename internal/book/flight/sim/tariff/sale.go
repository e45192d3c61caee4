package tariff

import (
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// SaleEnds is how long before departure the sale of a flight ends, in minutes.
const SaleEnds = 120

// Sells reports whether the brand is sold for a journey. Marine fares are sold by network airlines, in
// economy, on one ticket, and never by an airline under sanctions.
func (t *Tariff) Sells(b *Brand, j timetable.Journey, cabin gangway.Cabin) bool {
	if b != Marine {
		return true
	}
	for i := range j {
		if t.Split(&j[i]) {
			return false
		}
		for _, h := range j[i].Flights() {
			if carrier := t.Lines[h.Line].Carrier; t.Carriers[carrier].Type == world.LowCost || t.Sanctioned(carrier) {
				return false
			}
		}
	}
	return cabin == gangway.Economy
}

// SellsMarine reports whether an ask allows marine fares.
func SellsMarine(ask flight.Ask) bool {
	return ask.FareType != gangway.Public && ask.Vessel != "" && ask.Flag != ""
}

// asksFor reports whether a brand is asked for.
func asksFor(ask flight.Ask, b *Brand) bool {
	if b.FareType == gangway.Marine {
		return SellsMarine(ask)
	}
	return ask.FareType != gangway.Marine
}
