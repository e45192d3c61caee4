package gangway

import "testing"

// The notes that a page gets for every day must say what PassportEnds says for
// each, so that a change of the rule changes the browser too.
func TestPassportNotesSayWhatTheRuleSays(t *testing.T) {
	const today = Date("2036-11-20")
	for _, expires := range []Date{"", "2036-01-31", "2036-11-19", "2036-11-20", "2037-03-01", "2037-05-31",
		"2037-08-31", "2040-02-29"} {
		who := Traveller{DocExpire: expires}
		notes := who.PassportNotes(today)
		said := func(day Date) (words string) {
			for _, n := range notes {
				if n.From <= day {
					words = n.Words
				}
			}
			return words
		}
		for day := today.AddDays(-40); day < "2040-04-01"; day = day.AddDays(1) {
			if want := who.PassportEnds(day, today); said(day) != want {
				t.Fatalf("a passport to %q and travel on %s: %q; want %q (%v)", expires, day, said(day), want, notes)
			}
		}
		if want := who.PassportEnds("", today); said("") != want {
			t.Errorf("a passport to %q and no day of travel: %q; want %q", expires, said(""), want)
		}
	}
}

func TestAddMonths(t *testing.T) {
	for from, want := range map[Date]Date{
		"2036-05-31": "2036-11-30", "2036-08-29": "2037-02-28", "2035-08-31": "2036-02-29", "2036-07-01": "2037-01-01",
		"2036-12-31": "2037-06-30",
	} {
		if got := from.AddMonths(6); got != want {
			t.Errorf("%s and six months is %s; want %s", from, got, want)
		}
	}
}
