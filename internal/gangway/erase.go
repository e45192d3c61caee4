package gangway

import "time"

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
