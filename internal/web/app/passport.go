package app

import "gangway"

// A passport that ends before the last flight, or soon after it, keeps nobody
// from holding seats: a new one may be on its way. It is asked about once before
// the hold, beside the box of agreedField, and stands on the booking's page.

// agreedField names that box. What it sends is the end of the passport that it
// was asked about: another one is asked about anew.
const agreedField = "passport"

// passport says what is to be said about a passport that ends before travel or
// soon after it, as a sentence.
func passport(t gangway.Traveller, travel gangway.Date) string {
	words := t.PassportEnds(travel, "")
	if words == "" {
		return ""
	}
	return "The passport, valid to " + string(t.DocExpire) + ", " + words + "."
}

// Passport is that sentence about the passport in the form.
func (f passengerForm) Passport() string { return passport(f.traveller(), f.Travel) }

// Unagreed reports whether nobody has said yet that the traveller is to be held
// with this passport.
func (f passengerForm) Unagreed() bool { return f.Passport() != "" && f.Agreed != f.DocExpire }

func anyUnagreed(forms map[int]passengerForm) bool {
	for _, form := range forms {
		if form.Unagreed() {
			return true
		}
	}
	return false
}

// bookedPassport is that sentence about the passenger of a booking that stands.
func bookedPassport(b gangway.Booking) string {
	if !b.Live() || len(b.Itinerary.Segments) == 0 {
		return ""
	}
	return passport(b.Passenger, gangway.DateOf(b.Itinerary.Arrival()))
}
