package gangway

import "time"

// ActTerms are the money and the rule of an act on a booking, as a person agrees to them.
type ActTerms struct {
	Amount  Money  `json:"amount"`            // the price, or what comes back
	Unknown bool   `json:"unknown,omitempty"` // the airline says only later what comes back
	Void    bool   `json:"void,omitempty"`    // everything comes back
	Rule    string `json:"rule,omitempty"`    // of cancelling, a sentence
	Fare    Terms  `json:"fare,omitzero"`     // of what is issued or held
}

// A Replacing says which booking a booking takes the place of. That one ends once the traveller's seat on this one is
// sure, on the terms that a person was shown. Where they no longer hold, nothing ends until a person settles it.
type Replacing struct {
	Booking  string    `json:"booking"`
	Locator  string    `json:"locator"`
	Ticketed bool      `json:"ticketed,omitempty"` // that one was, when this was asked for
	Terms    ActTerms  `json:"terms"`              // of ending that one
	Back     Money     `json:"back,omitzero"`      // what that one brings back, or is not paid for as it was only held
	By       string    `json:"by"`                 // e-mail of who asked for it
	ByID     string    `json:"by_id,omitempty"`
	ByName   string    `json:"by_name,omitempty"`
	At       time.Time `json:"at"`
	Person   string    `json:"person,omitempty"`  // why a person has to settle it, a sentence; empty: it goes on by itself
	Settled  string    `json:"settled,omitempty"` // what became of it, a sentence
	// when it was settled; zero: it was not
	SettledAt time.Time `json:"settled_at,omitzero"`
}

// Open reports whether it is not settled yet. A nil Replacing is not open.
func (r *Replacing) Open() bool { return r != nil && r.SettledAt.IsZero() }

// GoesOn reports whether it is not settled yet and needs no person.
func (r *Replacing) GoesOn() bool { return r.Open() && r.Person == "" }

// MayBeReplaced returns why no other booking may take the place of b: until the pair of b is settled, nobody else would
// settle it.
func (b Booking) MayBeReplaced() error {
	if !b.Replaces.Open() {
		return nil
	}
	return Errorf(Conflict, "%s replaces %s, which still stands: release it first", b.Locator, b.Replaces.Locator)
}

// Net is what b costs beside the booking that it replaces, if that is one currency.
func (b Booking) Net() Money {
	if r := b.Replaces; r.Open() && r.Back.Currency == b.Price.Total.Currency {
		return b.Price.Total.Sub(r.Back)
	}
	return b.Price.Total
}

// PairMoves reports whether the pair of b goes on, or can be settled, without a person.
func (b Booking) PairMoves() bool { return b.Replaces.GoesOn() || b.Replaces.Open() && !b.Live() }

// WithoutTicket asks for a person, since the booking whose place is taken ended before there was a ticket.
func (r *Replacing) WithoutTicket() string {
	return r.Locator + ", which this booking replaces, has ended, and this one has no ticket yet: issue it."
}

// ReplacesWithoutTicket reports whether b takes the place of another booking, and has no ticket yet.
func (b Booking) ReplacesWithoutTicket() bool { return b.Live() && b.Replaces.Open() && !b.Ticketed() }

// PaysFirst reports whether b is to be paid at once, since tickets end only once there are others.
func (b Booking) PaysFirst() bool { return b.Replaces.GoesOn() && b.Replaces.Ticketed }

// SureBeside reports whether the traveller's seat on b is sure enough to give up old, which b takes the place of: b is
// ticketed; or only held, as old is, and kept at least as long, unless old is of no use any more.
func (b Booking) SureBeside(old Booking, useless bool) bool {
	return b.State == Issued ||
		b.State == Confirmed && !b.Replaces.Ticketed && (useless || !b.HoldUntil.Before(old.HoldUntil))
}

// Serves reports whether the booking that was judged brings the person to the ship, or from it, as is planned today,
// if perhaps just in time.
func (j Judgement) Serves() bool {
	for _, s := range []Standing{NoLongerTravelling, WrongPlace, TooLate, LeavesBeforeShip, TooEarly, WaitsTooLong} {
		if j.Holds(s) {
			return false
		}
	}
	return j.Booking != nil
}

// journeys is how many journeys bookings are: one that ends by itself once another is sure is none.
func journeys(live []Booking) int {
	ends := map[string]bool{}
	for _, b := range live {
		if b.Replaces.GoesOn() {
			ends[b.Replaces.Booking] = true
		}
	}
	n := 0
	for _, b := range live {
		if !ends[b.ID] {
			n++
		}
	}
	return n
}
