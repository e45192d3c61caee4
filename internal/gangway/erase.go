package gangway

import (
	"maps"
	"slices"
	"time"
)

// Personal data is erased when somebody asks for it, or when the account's retention period ends.
// Figures stay: what was booked, when, where to and for how much, without the traveller.
//
// Decided: docs/choices.md, "Erasure".

// ErasedTraveller takes the place of a traveller whose data were erased. It never counts as the
// same person as anybody who is sent later.
var ErasedTraveller = Traveller{LastName: "ERASED", FirstName: "TRAVELLER"}

// Erased reports whether t stands for somebody whose data were erased.
func (t Traveller) Erased() bool {
	return t.LastName == ErasedTraveller.LastName && t.FirstName == ErasedTraveller.FirstName && t.ID == "" &&
		t.DOB == "" && t.DocNumber == ""
}

// Recorded returns the part of t that customers' systems get with a booking: the name, its spelling
// on the ticket, and the identifier. A snapshot needs no passport, date of birth or contact, so it
// has none.
func (t Traveller) Recorded() Traveller {
	return Traveller{ID: t.ID, LastName: t.LastName, FirstName: t.FirstName, Nationality: t.Nationality,
		OnTicket: t.OnTicket}
}

// Over reports whether b is finished, except perhaps for its refund: it was cancelled or declined,
// or its last flight has landed.
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

// Erase removes the traveller from b, and every sentence that somebody typed or that came with the
// customer's records, since it may name them. The booking itself stays: state, flights, price,
// tickets, dates, vessel, whether a frequent flyer number was given, and which colleague did what.
// From typed texts that stay, such as invoice numbers, it removes the traveller's own values, as
// found in b or in known.
func (b *Booking) Erase(at time.Time, known OwnValues) {
	known = known.With(b.Passenger)
	b.FrequentFlyerErased = b.FrequentFlyerUsed()
	b.Passenger = ErasedTraveller
	b.Purpose = b.Purpose.without(known)
	b.Agency, b.PaymentMethod = known.Without(b.Agency), known.Without(b.PaymentMethod)
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

// without returns p without the values in known. Names of ships and identifiers
// of journeys are changed only if they are surely the traveller's.
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

// changedCopy returns a changed copy of old, because other goroutines may still read old; nil for nil.
func changedCopy[T any](old *T, change func(*T)) *T {
	if old == nil {
		return nil
	}
	v := *old
	change(&v)
	return &v
}

// Erase removes the member at position i from s. The position stays, because bookings refer to it.
// The notes about the whole search go too, as they may name the member, and the member's own values
// are removed from what stays.
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

// Erase removes the members that who selects from c, dropped ones included, and their own values
// from the records of the others. The identifier and the ship of c stay, because the customer's next
// upload repeats them.
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
