package shell

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// A Day is what a field for a date holds, for the template "day".
type Day struct {
	gangway.Date        // empty: none was typed, or it cannot be read
	Typed        string // what was typed, where it cannot be read
	Wrong        string // a sentence: why not
}

// ReadDay reads the field of a name by the clock of the visitor's account.
func (sh *Shell) ReadDay(r *http.Request, name string, near gangway.Near) Day {
	return DayOf(r.FormValue(name), sh.Date(r), near)
}

// Date is the present date by the clock of the visitor's account.
func (sh *Shell) Date(r *http.Request) gangway.Date {
	return gangway.DateOf(sh.Clock(r.Context()).UTC())
}

// DayOf reads what was typed into a field for a date.
func DayOf(typed string, today gangway.Date, near gangway.Near) Day {
	d, err := gangway.ReadDate(typed, today, near)
	if err != nil {
		return Day{Typed: strings.TrimSpace(typed), Wrong: SentenceOf(err)}
	}
	return Day{Date: d}
}

// typedDay is the text of a field for a date: the date as it was understood, or else as typed.
func typedDay(v any) string {
	if d, ok := v.(Day); ok {
		if d.Typed != "" {
			return d.Typed
		}
		v = d.Date
	}
	return DateInWords(gangway.Date(fmt.Sprint(v)))
}

// refusedDay says why what a field for a date holds cannot be read.
func refusedDay(v any) string {
	d, _ := v.(Day)
	return d.Wrong
}

// MomentTyped is the text of a field for a date and a time of day.
const MomentTyped = "Mon 2 Jan 2006 15:04"

// SuggestDates answers with the date that the typed text means, as options for the combobox: with
// each that it can mean, where there are slashes.
func (sh *Shell) SuggestDates(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	typed, near := r.FormValue("q"), gangway.Near(r.FormValue("near"))
	var list []string
	if r.FormValue("time") != "" {
		if at, err := gangway.ReadMoment(typed, sh.Date(r), near, time.UTC); err == nil {
			list = []string{at.Format(MomentTyped)}
		}
	} else {
		days := gangway.SlashedDates(typed, sh.Date(r), near)
		if d, err := gangway.ReadDate(typed, sh.Date(r), near); err == nil && d != "" {
			days = []gangway.Date{d}
		}
		for _, d := range days {
			list = append(list, DateInWords(d))
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	return sh.Part(w, "error", "date-options", list)
}
