package tariff

import (
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// OfferLife is how long an offer can be booked at its price.
const OfferLife = 30 * time.Minute

// Offer turns a quote into an offer.
func (t *Tariff) Offer(q Quote) flight.Offer {
	o := flight.Offer{ID: t.ID(q), Expires: q.At.Add(OfferLife), SeatsLeft: t.SeatsLeft(q.Journey, q.Cabin, q.Own)}
	b := t.Bill(q)
	o.Price = b.Price(q.Currency)
	var hops []timetable.Hop
	for leg := range q.Journey {
		p := &q.Journey[leg]
		for _, h := range p.Flights() {
			o.Itinerary.Segments = append(o.Itinerary.Segments, t.Segment(leg, h, q.Cabin))
		}
		hops = append(hops, p.Flights()...)
		o.Baggage = append(o.Baggage, t.allowance(p, q.Brand, q.Cabin))
	}
	o.Plating = t.Carriers[t.plating(hops)].Code
	o.Terms = q.Brand.terms(o.Plating, q.Currency, len(b))
	o.Emissions = t.Estimate(&o.Itinerary)
	o.Itinerary.Connections = t.Connections(q.Journey)
	departure := o.Itinerary.Departure()
	if !q.Brand.atOnce {
		o.TicketBy = q.Brand.TicketBy(q.At, departure)
		o.PriceUntil = q.Brand.PriceUntil(q.At, o.TicketBy, departure.Location())
	}
	if last := departure.Add(-SaleEnds * time.Minute).UTC(); o.Expires.After(last) {
		o.Expires = last
	}
	return o
}

func (t *Tariff) allowance(p *timetable.Trip, b *Brand, cabin gangway.Cabin) gangway.Allowance {
	hops := p.Flights()
	from, to := t.Lines[hops[0].Line].From, t.Lines[hops[len(hops)-1].Line].To
	america := inAmerica(&t.Places[from]) || inAmerica(&t.Places[to])
	a := b.allowance(t.Carriers[t.plating(hops)].Code, cabin, t.Km(int(from), int(to)), america)
	a.Origin, a.Destination = gangway.Airport(t.Places[from].IATA), gangway.Airport(t.Places[to].IATA)
	return a
}

// Offers turns the quotes into offers in each brand that is asked for.
func (t *Tariff) Offers(ask flight.Ask, quotes []Quote) []flight.Offer {
	var offers []flight.Offer
	for _, q := range quotes {
		for _, b := range brands {
			if asksFor(ask, b) && t.Sells(b, q.Journey, ask.Cabin) {
				q.Brand = b
				offers = append(offers, t.Offer(q))
			}
		}
	}
	return offers
}
