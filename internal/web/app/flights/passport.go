package flights

import "gangway"

// A passport that ends before the last flight, or soon after it, keeps nobody
// from holding seats: a new one may be on its way. It is asked about once before
// the hold, beside the box of agreedField, and stands on the booking's page.

// agreedField names that box. What it sends is the end of the passport that it
// was asked about: another one is asked about anew.
const agreedField = "passport"

// Passport says what is to be said about a passport that ends before travel or
// soon after it, as a sentence.
func Passport(t gangway.Traveller, travel gangway.Date) string {
	return passportSentence(t, t.PassportEnds(travel, ""))
}

func passportSentence(t gangway.Traveller, words string) string {
	if words == "" {
		return ""
	}
	return "The passport, valid to " + string(t.DocExpire) + ", " + words + "."
}

// A passportNote is that sentence for those who travel from a day on. The Book
// page has all of a traveller's for its script: the day is typed there.
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

// noteOf is the sentence for a last day of travel, as the script finds it too.
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

// Unagreed reports whether nobody has said yet that the traveller is to be held
// with this passport.
func (f PassengerForm) Unagreed() bool { return f.Passport() != "" && f.Agreed != f.DocExpire }
