// Package erasure decides what is forgotten of a traveller: which records are theirs, and what is left of each.
// It knows no database: package store finds the records and writes what is left.
//
// Personal data is erased when somebody asks for it, or when the account's retention period ends. Figures stay: what
// was booked, when, where to and for how much, without the traveller.
//
// Decided: docs/choices.md, "Erasure".
package erasure

import (
	"maps"
	"slices"
	"time"

	"gangway/internal/gangway"
)

// EraseBooking removes the traveller from b, and every sentence that somebody typed or that came with the
// customer's records, since it may name them. The booking itself stays: state, flights, price,
// tickets, dates, vessel, whether a frequent flyer number was given, and which colleague did what.
// From typed texts that stay, such as invoice numbers, it removes the traveller's own values, as
// found in b or in known.
func EraseBooking(b *gangway.Booking, at time.Time, known OwnValues) {
	known = known.With(b.Passenger)
	b.FrequentFlyerErased = b.FrequentFlyerUsed()
	b.Passenger = gangway.ErasedTraveller
	b.Purpose = eraseFromPurpose(b.Purpose, known)
	b.Agency, b.PaymentMethod = known.Without(b.Agency), known.Without(b.PaymentMethod)
	b.PNRs = known.withoutEach(b.PNRs)
	b.Invoices = slices.Clone(b.Invoices)
	for i := range b.Invoices {
		b.Invoices[i].Number = known.Without(b.Invoices[i].Number)
	}
	b.Approval = changedCopy(b.Approval, func(a *gangway.Approval) { a.Why, a.Reason = known.Without(a.Why), "" })
	b.Change = changedCopy(b.Change, func(c *gangway.PendingChange) {
		c.Why, c.Approval, c.Refused, c.RefusedBy = "", known.Without(c.Approval), "", ""
	})
	b.Declined = nil
	b.Notice = changedCopy(b.Notice, func(n *gangway.Notice) { n.Why = "" })
	b.Replaces = changedCopy(b.Replaces, func(r *gangway.Replacing) {
		r.Terms, r.Person, r.Settled = gangway.ActTerms{}, "", ""
	})
	b.Attention = changedCopy(b.Attention, func(a *gangway.Attention) { a.Why = "" })
	b.ErasedAt = at
}

// eraseFromPurpose returns p without the values in known. Names of ships and identifiers
// of journeys are changed only if they are surely the traveller's.
func eraseFromPurpose(p gangway.Purpose, known OwnValues) gangway.Purpose {
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

// EraseMember removes the member at position i from s. The position stays, because bookings refer to it.
// The notes about the whole search go too, as they may name the member, and the member's own values
// are removed from what stays.
func EraseMember(s *gangway.Search, i int, known OwnValues) {
	m := &s.Members[i]
	*m = gangway.SearchMember{Traveller: gangway.ErasedTraveller, Side: m.Side, Legs: m.Legs,
		FareType: m.FareType, Chosen: m.Chosen}
	s.Notes = nil
	s.Vessel, s.Change, s.ChangeID = known.WithoutSure(s.Vessel), known.WithoutSure(s.Change),
		known.WithoutSure(s.ChangeID)
	for i := range s.Members {
		m := &s.Members[i]
		m.Metadata, m.CustomFields = known.withoutSureIn(m.Metadata), known.withoutSureIn(m.CustomFields)
		m.Wishes = known.withoutSureIn(m.Wishes)
	}
}

// EraseMembers removes the members that who selects from c, dropped ones included, and their own values
// from the records of the others. The identifier and the ship of c stay, because the customer's next
// upload repeats them.
func EraseMembers(c *gangway.CrewChange, who func(gangway.Traveller) bool, known OwnValues) {
	gone := map[string]bool{}
	member := func(m gangway.CrewMember) bool {
		gone[m.RecordKey()] = who(m.Traveller)
		return gone[m.RecordKey()]
	}
	c.OnSigners = slices.DeleteFunc(c.OnSigners, member)
	c.OffSigners = slices.DeleteFunc(c.OffSigners, member)
	c.Dropped = slices.DeleteFunc(c.Dropped, func(d gangway.DroppedMember) bool { return who(d.Traveller) })
	c.News = changedCopy(c.News, func(n *gangway.UploadNews) {
		n.Came = slices.DeleteFunc(slices.Clone(n.Came), func(m gangway.NewMember) bool { return gone[m.Who] })
	})
	for _, side := range [][]gangway.CrewMember{c.OnSigners, c.OffSigners} {
		for i := range side {
			side[i].Metadata, side[i].CustomFields = known.withoutSureIn(side[i].Metadata),
				known.withoutSureIn(side[i].CustomFields)
		}
	}
}
