package tariff

import (
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// A Part has its own locator and ticket. Usually it is the whole journey; of a split journey, it is what
// one airline sells. Amounts are in minor units of the order's currency.
type Part struct {
	Flights   int     `json:"flights"`
	Plating   string  `json:"plating"`
	Fare      int64   `json:"fare"`
	Surcharge int64   `json:"surcharge,omitzero"` // the airline's, but shown among the taxes
	Taxes     []int64 `json:"taxes"`              // for the departure of each flight
}

// A Bill is the price of a journey, part by part.
type Bill []Part

// Bill prices a quote.
func (t *Tariff) Bill(q Quote) Bill {
	var b Bill
	for _, hops := range t.Reservations(q.Journey) {
		plating := t.Carriers[t.plating(hops)].Code
		b = append(b, Part{Flights: len(hops), Plating: plating, Taxes: make([]int64, 0, len(hops))})
	}
	n, of := 0, 0 // flights priced so far, and the part that they are in
	for leg := range q.Journey {
		p := &q.Journey[leg]
		today, _ := t.LocalDay(int(t.Lines[p.Hops[0].Line].From), timetable.MinuteOf(q.At))
		for _, hops := range t.Tickets(p.Flights()) {
			if len(b[of].Taxes) == b[of].Flights {
				of++
			}
			f := t.ticketFare(hops, q.Brand, q.Cabin, hops[0].Day-today, q.Own[min(n, len(q.Own)):])
			b[of].Fare += int64(f.base)
			b[of].Surcharge += int64(f.surcharge)
			for _, h := range hops {
				b[of].Taxes = append(b[of].Taxes, int64(TaxOf(t.Places[t.Lines[h.Line].From].Country)))
			}
			n += len(hops)
		}
	}
	if q.Currency != filed {
		b.scale(InCurrency(int(b.Total()), q.Currency).Minor)
	}
	return b
}

// amounts returns every amount of a bill, to be read or set.
func (b Bill) amounts() []*int64 {
	var all []*int64
	for i := range b {
		all = append(all, &b[i].Fare, &b[i].Surcharge)
		for k := range b[i].Taxes {
			all = append(all, &b[i].Taxes[k])
		}
	}
	return all
}

// Total returns the sum of all amounts of a bill.
func (b Bill) Total() int64 {
	var sum int64
	for _, n := range b.amounts() {
		sum += *n
	}
	return sum
}

// scale changes all amounts in proportion, so that they add up to total.
func (b Bill) scale(total int64) {
	all := b.amounts()
	shares := gangway.Each(all, func(n *int64) int64 { return *n })
	for i, n := range apportion(total, shares) {
		*all[i] = n
	}
}

// ScaleTo changes a bill so that its fares and taxes add up to those of a price.
func (b Bill) ScaleTo(p gangway.Price) {
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

func (b Bill) clone() Bill {
	c := append(Bill(nil), b...)
	for i := range c {
		c[i].Taxes = append([]int64(nil), c[i].Taxes...)
	}
	return c
}

// Fares is the airlines' share: fares and surcharges.
func (b Bill) Fares() int64 {
	var sum int64
	for _, p := range b {
		sum += p.Fare + p.Surcharge
	}
	return sum
}

// Price returns the sum of a bill as a price.
func (b Bill) Price(currency string) gangway.Price {
	var fare int64
	for _, p := range b {
		fare += p.Fare
	}
	p := gangway.Price{
		Total: gangway.Money{Minor: b.Total(), Currency: currency},
		Fare:  gangway.Money{Minor: fare, Currency: currency},
	}
	p.Taxes = p.Total.Sub(p.Fare)
	return p
}

// Raised returns a copy of b whose fares are dearer by so many percent of the whole.
func (b Bill) Raised(percent int64) Bill {
	dearer := b.clone()
	dearer[0].Fare += max(1, b.Total()*percent/100)
	return dearer
}
