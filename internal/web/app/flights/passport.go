package flights

import (
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// A passport that ends before the last flight, or soon after it, does not prevent a
// hold, because a new one may be on its way. The page asks about it once before the
// hold, beside the box of agreedField, and the booking's page shows it.

// agreedField names that box. It sends the expiry date that the question was about, so
// that another passport is asked about again.
const agreedField = "passport"

// Passport is the sentence about a passport that ends before travel or soon after it.
func Passport(t gangway.Traveller, travel gangway.Date) string {
	return passportSentence(t, t.PassportEnds(travel, ""))
}

func passportSentence(t gangway.Traveller, words string) string {
	if words == "" {
		return ""
	}
	return "The passport, valid to " + shell.BirthInWords(t.DocExpire) + ", " + words + "."
}

// A passportNote is that sentence for travel from a day on. The Book page gives all of
// a traveller's notes to its script, because the day is typed there.
type passportNote struct {
	From     gangway.Date `json:"from"`
	Sentence string       `json:"sentence"`
}

func passportNotes(t gangway.Traveller, today gangway.Date) (notes []passportNote) {
	for _, n := range t.PassportNotes(today) {
		notes = append(notes, passportNote{n.From, passportSentence(t, n.Words)})
	}
	return notes
}

// noteOf is the sentence for a last day of travel; the script finds it in the same way.
func noteOf(notes []passportNote, travel gangway.Date) (sentence string) {
	for _, n := range notes {
		if n.From <= travel {
			sentence = n.Sentence
		}
	}
	return sentence
}

// Passport is that sentence about the passport in the form.
func (f PassengerForm) Passport() string { return Passport(f.Traveller(), f.Travel) }

// Unagreed reports whether nobody has agreed yet to hold with this passport.
func (f PassengerForm) Unagreed() bool { return f.Passport() != "" && f.Agreed != f.DocExpire }
