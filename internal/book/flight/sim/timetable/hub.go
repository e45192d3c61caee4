package timetable

import (
	"slices"

	"gangway/internal/book/flight/sim/chance"
	"gangway/internal/world"
)

// published lists the minimum connecting times, in minutes, of airports whose own are well known.
var published = map[string]uint8{
	"FRA": 45, "MUC": 35, "ZRH": 40, "AMS": 50, "CDG": 90, "VIE": 25, "LHR": 75, "MAD": 60, "CPH": 45, "HEL": 35,
	"WAW": 45,
	"IST": 60, "DXB": 75, "DOH": 45, "AUH": 60, "ADD": 60, "SIN": 60, "HKG": 60, "ICN": 70, "NRT": 75, "BKK": 75,
	"KUL": 60, "TPE": 60,
}

// singleMarket lists the countries between which changing flights is as quick as within one.
var singleMarket = []string{
	"AT", "BE", "BG", "CH", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IS", "IT", "LT", "LU",
	"LV", "MT", "NL", "NO", "PL", "PT", "RO", "SE", "SI", "SK",
}

// A hub is what the minimum connecting time at an airport depends on, in few bytes.
type hub struct {
	country uint16
	europe  bool  // part of the single market
	entry   bool  // everybody has to enter the country, even in transit
	home    uint8 // minutes between flights within a country, or the single market
	abroad  uint8 // minutes between other flights

	onward, feeding bool // some flight from there, or to there, is sold together with others
}

// hubOf returns what the minimum connecting time at an airport depends on.
func hubOf(a world.Airport) hub {
	h := hub{
		country: uint16(chance.Code(a.Country)), europe: slices.Contains(singleMarket, a.Country),
		entry: a.Country == "US", home: 45, abroad: 60,
	}
	if a.Passengers > 40_000 {
		h.home, h.abroad = h.home+15, h.abroad+15
	}
	if own := published[a.IATA]; own > 0 {
		h.home, h.abroad = own, own
	}
	return h
}
