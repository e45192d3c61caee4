package sim

import "gangway"

// A part is what stands under one locator and on one ticket: the whole journey
// as a rule, and where it is split, what one airline sells of it. Amounts are in
// minor units of the order's currency.
type part struct {
	Flights   int     `json:"flights"`
	Plating   string  `json:"plating"`
	Fare      int64   `json:"fare"`
	Surcharge int64   `json:"surcharge,omitzero"` // the airline's, but shown among the taxes
	Taxes     []int64 `json:"taxes"`              // of the departure of each flight
}

// A bill is the price of a journey, part by part.
type bill []part

// bill prices a quote.
func (t *timetable) bill(q quote) bill {
	var b bill
	for _, hops := range t.reservations(q.journey) {
		b = append(b, part{Flights: len(hops), Plating: t.carriers[t.plating(hops)].Code, Taxes: make([]int64, 0, len(hops))})
	}
	n, of := 0, 0 // flights priced so far, and whose they are
	for leg := range q.journey {
		p := &q.journey[leg]
		today, _ := t.localDay(int(t.lines[p.hops[0].line].from), minuteOf(q.at))
		for _, hops := range t.tickets(p.flights()) {
			if len(b[of].Taxes) == b[of].Flights {
				of++
			}
			f := t.ticketFare(hops, q.brand, q.cabin, hops[0].day-today, q.own[min(n, len(q.own)):])
			b[of].Fare += int64(f.base)
			b[of].Surcharge += int64(f.surcharge)
			for _, h := range hops {
				b[of].Taxes = append(b[of].Taxes, int64(taxOf(t.places[t.lines[h.line].from].Country)))
			}
			n += len(hops)
		}
	}
	if q.currency != filed {
		b.scale(money(int(b.total()), q.currency).Minor)
	}
	return b
}

// amounts returns every amount of a bill, to be read or set.
func (b bill) amounts() []*int64 {
	var all []*int64
	for i := range b {
		all = append(all, &b[i].Fare, &b[i].Surcharge)
		for k := range b[i].Taxes {
			all = append(all, &b[i].Taxes[k])
		}
	}
	return all
}

func (b bill) total() int64 {
	var sum int64
	for _, n := range b.amounts() {
		sum += *n
	}
	return sum
}

// scale changes every amount in proportion, so that all together make a total.
func (b bill) scale(total int64) {
	all := b.amounts()
	shares := make([]int64, len(all))
	for i, n := range all {
		shares[i] = *n
	}
	for i, n := range apportion(total, shares) {
		*all[i] = n
	}
}

// scaleTo changes a bill so that it makes a price, fare by fare and tax by tax.
func (b bill) scaleTo(p gangway.Price) {
	fares, taxes := b.clone(), b.clone()
	for i := range b {
		fares[i].Surcharge, taxes[i].Fare = 0, 0
		clear(fares[i].Taxes)
	}
	fares.scale(p.Fare.Minor)
	taxes.scale(p.Taxes.Minor)
	for i := range b {
		b[i].Fare, b[i].Surcharge, b[i].Taxes = fares[i].Fare, taxes[i].Surcharge, taxes[i].Taxes
	}
}

func (b bill) clone() bill {
	c := append(bill(nil), b...)
	for i := range c {
		c[i].Taxes = append([]int64(nil), c[i].Taxes...)
	}
	return c
}

// fares is the airlines' share: fares and surcharges.
func (b bill) fares() int64 {
	var sum int64
	for _, p := range b {
		sum += p.Fare + p.Surcharge
	}
	return sum
}

// price adds a bill up.
func (b bill) price(currency string) gangway.Price {
	var fare int64
	for _, p := range b {
		fare += p.Fare
	}
	p := gangway.Price{Total: gangway.Money{Minor: b.total(), Currency: currency}, Fare: gangway.Money{Minor: fare, Currency: currency}}
	p.Taxes = p.Total.Sub(p.Fare)
	return p
}

// billOf returns what an order was billed. Orders from before bills were kept
// were one part, in dollars.
func (s *seller) billOf(r record) bill {
	if len(r.Bill) > 0 {
		return r.Bill
	}
	p := part{Flights: len(r.Itinerary.Segments), Plating: r.Plating, Fare: r.Price.Fare.Minor}
	for _, seg := range r.Itinerary.Segments {
		p.Taxes = append(p.Taxes, int64(taxOf(s.places[s.byCode[string(seg.Origin)]].Country)))
	}
	return bill{p}
}
