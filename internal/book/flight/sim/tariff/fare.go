package tariff

import (
	"time"

	"gangway/internal/book/flight/sim/chance"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// A fare is the price of flights that are sold together, in cents.
type fare struct {
	base      int // the fare as the airline files it
	taxes     int // on top: those of airports and states, and the surcharge
	surcharge int // the airline's own, part of taxes; it is only refunded with the fare
}

// advances says how much dearer a flight is, per mille, the fewer days ahead it is booked.
var advances = []struct{ days, mille int }{
	{60, 820}, {30, 900}, {21, 970}, {14, 1050}, {7, 1220}, {3, 1450}, {-1 << 31, 1700},
}

func advancePercent(days int) int {
	for _, a := range advances {
		if days >= a.days {
			return a.mille
		}
	}
	return 1000
}

// Seasons and days of the week, per mille; together within 12 % of the mean.
var (
	months   = [12]int{960, 940, 980, 1010, 1000, 1060, 1080, 1080, 1000, 980, 940, 1070} // from January
	weekdays = [7]int{1030, 1000, 970, 970, 1000, 1030, 1000}                             // from Sunday
)

// stopsMille says how much cheaper a journey is, per mille, the more stops it has.
var stopsMille = [timetable.MostHops]int{1150, 1000, 920, 900}

// cabinPercent is the price of a cabin in per cent of economy. Business is cheaper on short flights, where
// it only means that the seat beside is empty.
func cabinPercent(c gangway.Cabin, km int) int {
	switch c {
	case gangway.PremiumEconomy:
		return 170
	case gangway.Business:
		if km < 4000 {
			return 220
		}
		return 320
	case gangway.First:
		return 500
	}
	return 100
}

// baseFare is the fare for a distance, in cents, before everything else is applied.
func baseFare(km int) int { return 4500 + 17*min(km, 2000)/2 + 4*max(0, km-2000) }

// TripPrice returns the price of a trip in cents as quoted at a minute, for an account without seats on it.
// A trip on several tickets costs the sum of these.
func (t *Tariff) TripPrice(p *timetable.Trip, b *Brand, cabin gangway.Cabin, quoted int) int {
	total := 0
	from := t.Lines[p.Hops[0].Line].From
	today, _ := t.LocalDay(int(from), quoted)
	for _, hops := range t.Tickets(p.Flights()) {
		f := t.ticketFare(hops, b, cabin, hops[0].Day-today, nil)
		total += f.base + f.taxes
	}
	return total
}

// ticketFare prices flights that are sold together, by the distance between their ends and not by the way
// flown. own counts the account's seats on each.
func (t *Tariff) ticketFare(hops []timetable.Hop, b *Brand, cabin gangway.Cabin, days int, own []int) fare {
	start, end := &t.Lines[hops[0].Line], &t.Lines[hops[len(hops)-1].Line]
	km := int(start.Km)
	if len(hops) > 1 {
		km = t.Km(int(start.From), int(end.To))
	}
	var f fare
	load := 0
	for i, h := range hops {
		load += demands[t.demand(h, cabin, numberAt(own, i))].mille
		f.taxes += TaxOf(t.Places[t.Lines[h.Line].From].Country)
	}
	load /= len(hops)
	date := timetable.TimeOf(hops[0].Day*timetable.MinutesADay, time.UTC)
	seller := t.Carriers[t.plating(hops)]
	level := 880 + int(chance.Mix(chance.Code(seller.Code), uint64(start.From), uint64(end.To))%241)
	f.surcharge = km * 12 / 10
	if seller.Type == world.LowCost {
		level, f.surcharge = 600, 0
	}
	f.taxes += f.surcharge
	cents := baseFare(km) * stopsMille[len(hops)-1] / 1000 * level / 1000
	cents = cents * months[date.Month()-1] / 1000 * weekdays[date.Weekday()] / 1000
	cents = cents * cabinPercent(cabin, km) / 100
	cents = cents * b.mille(advancePercent(days), load) / 1000
	f.base = (cents + b.round) / 100 * 100 // whole dollars, as airlines file them
	return f
}

// plating returns the airline that sells the flights together: that of the longest flight.
func (t *Tariff) plating(hops []timetable.Hop) uint16 {
	longest := &t.Lines[hops[0].Line]
	for _, h := range hops[1:] {
		if l := &t.Lines[h.Line]; l.Km > longest.Km {
			longest = l
		}
	}
	return longest.Carrier
}

// FlownFare returns what so many flights of a quote, beginning with the first of a ticket, would have cost
// alone, in minor units of its currency.
func (t *Tariff) FlownFare(q Quote, first, flown int) int64 {
	cents, n := 0, 0
	for leg := range q.Journey {
		p := &q.Journey[leg]
		today, _ := t.LocalDay(int(t.Lines[p.Hops[0].Line].From), timetable.MinuteOf(q.At))
		for _, hops := range t.Tickets(p.Flights()) {
			if used := min(len(hops), first+flown-n); n >= first && used > 0 {
				f := t.ticketFare(hops[:used], q.Brand, q.Cabin, hops[0].Day-today, q.Own[min(n, len(q.Own)):])
				cents += f.base + f.surcharge
			}
			n += len(hops)
		}
	}
	return InCurrency(cents, q.Currency).Minor
}
