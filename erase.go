package gangway

import (
	"maps"
	"slices"
	"time"
)

// What is personal is erased when somebody asks for it, or when an account
// keeps it no longer. Figures stay: what was booked, when, where to and for how
// much, of a traveller whom nobody knows any more.
//
// Decided: docs/choices.md, "Erasure".

// ErasedTraveller stands where somebody was whose data were erased. Nobody is
// the same person, whoever is sent later.
var ErasedTraveller = Traveller{LastName: "ERASED", FirstName: "TRAVELLER"}

// Erased reports whether t stands for somebody whose data were erased.
func (t Traveller) Erased() bool {
	return t.LastName == ErasedTraveller.LastName && t.FirstName == ErasedTraveller.FirstName && t.ID == "" &&
		t.DOB == "" && t.DocNumber == ""
}

// Recorded returns what of t the customer's systems are told with a booking:
// the name, how it is spelt on the ticket, and the identifier. No passport, no
// birth date, no contact: what a snapshot does not need is not in it.
func (t Traveller) Recorded() Traveller {
	return Traveller{ID: t.ID, LastName: t.LastName, FirstName: t.FirstName, Nationality: t.Nationality,
		OnTicket: t.OnTicket}
}

// Over reports whether nothing is to come of b any more but perhaps its refund:
// it does not stand, or its last flight has landed.
func (b Booking) Over(now time.Time) bool {
	if !b.Live() {
		return true
	}
	if b.State != Issued && b.State != ChangePending {
		return false
	}
	last := b.Itinerary.Arrival()
	if b.Change != nil && b.Change.Itinerary.Arrival().After(last) {
		last = b.Change.Itinerary.Arrival()
	}
	return last.Before(now)
}

// Erase takes from b who travelled, and every sentence that somebody typed or
// that the customer's records brought, since they may tell. What was booked
// stays: state, flights, price, tickets, dates, vessel, and who of the company
// did what. Where figures and names of other things were typed that stay, the
// person's own values are taken out of them, as far as they are b's or in known.
func (b *Booking) Erase(at time.Time, known OwnValues) {
	known = known.With(b.Passenger)
	b.Passenger = ErasedTraveller
	b.Purpose = b.Purpose.without(known)
	b.Agency = known.Without(b.Agency)
	b.PNRs = known.withoutEach(b.PNRs)
	b.Invoices = slices.Clone(b.Invoices)
	for i := range b.Invoices {
		b.Invoices[i].Number = known.Without(b.Invoices[i].Number)
	}
	b.Approval = changedCopy(b.Approval, func(a *Approval) { a.Why, a.Reason = known.Without(a.Why), "" })
	b.Change = changedCopy(b.Change, func(c *PendingChange) { c.Why = "" })
	b.Notice = changedCopy(b.Notice, func(n *Notice) { n.Why = "" })
	b.Attention = changedCopy(b.Attention, func(a *Attention) { a.Why = "" })
	b.ErasedAt = at
}

// without returns p as it stays once known was erased: the ship and the
// journeys' identifiers, which are taken for somebody's only where that is sure.
func (p Purpose) without(known OwnValues) Purpose {
	p.Metadata, p.CustomFields = nil, nil
	for _, text := range []*string{&p.Vessel, &p.Change, &p.RequestID, &p.SubRequestID, &p.TravelRequestID} {
		*text = known.WithoutSure(*text)
	}
	p.FlightIDs = maps.Clone(p.FlightIDs)
	for leg, id := range p.FlightIDs {
		p.FlightIDs[leg] = known.WithoutSure(id)
	}
	return p
}

// changedCopy returns a changed copy of what others may still read; nil where there is nothing.
func changedCopy[T any](old *T, change func(*T)) *T {
	if old == nil {
		return nil
	}
	v := *old
	change(&v)
	return &v
}

// Erase takes the member at position i from s: the place stays, for bookings
// are counted by it. The sentences about the whole go too: they may name
// somebody. What is known of the member is taken out of what stays.
func (s *Search) Erase(i int, known OwnValues) {
	m := &s.Members[i]
	*m = SearchMember{Traveller: ErasedTraveller, Side: m.Side, Legs: m.Legs, FareType: m.FareType, Chosen: m.Chosen}
	s.Notes = nil
	s.Vessel, s.Change, s.ChangeID = known.WithoutSure(s.Vessel), known.WithoutSure(s.Change),
		known.WithoutSure(s.ChangeID)
	for i := range s.Members {
		m := &s.Members[i]
		m.Metadata, m.CustomFields = known.withoutSureIn(m.Metadata), known.withoutSureIn(m.CustomFields)
		m.Wishes = known.withoutSureIn(m.Wishes)
	}
}

// Erase takes from c those members, dropped ones too, of whom who says so, and
// what is known of them out of what came with the others. Its own identifier
// and ship stay: the customer sends it again by them.
func (c *CrewChange) Erase(who func(Traveller) bool, known OwnValues) {
	member := func(m CrewMember) bool { return who(m.Traveller) }
	c.OnSigners = slices.DeleteFunc(c.OnSigners, member)
	c.OffSigners = slices.DeleteFunc(c.OffSigners, member)
	c.Dropped = slices.DeleteFunc(c.Dropped, func(d DroppedMember) bool { return who(d.Traveller) })
	for _, side := range [][]CrewMember{c.OnSigners, c.OffSigners} {
		for i := range side {
			side[i].Metadata, side[i].CustomFields = known.withoutSureIn(side[i].Metadata),
				known.withoutSureIn(side[i].CustomFields)
		}
	}
}
