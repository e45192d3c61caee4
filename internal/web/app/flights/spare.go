package flights

import (
	"time"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// A SpareWords is the buffer between an arrival and when the traveller is due, as pages show it.
type SpareWords struct {
	plan.Spare
	Class string // "good", "watch" or "act"
	Sign  string
	Short string // "14 h 00", below a head that says what it is
	Words string // "14 h 00 buffer", or in what it does not fit the plan
	Title string
}

// spareSigns maps grades to how they are shown.
var spareSigns = map[plan.Grade]struct{ class, sign string }{
	plan.Ample:    {"good", "✓"},
	plan.Short:    {"watch", "△"},
	plan.Critical: {"act", "!"},
	plan.Late:     {"act", "✕"},
	plan.Misfit:   {"act", "!"},
}

// SpareOf puts the buffer before a ship into words; f is how the flights fit the plan.
func SpareOf(s plan.Spare, f gangway.Fit) SpareWords { return spareWords(s, f, book.AShip) }

// SpareBeside puts into words how flights fit the plan, and how much time to spare they
// leave.
func SpareBeside(it gangway.Itinerary, p gangway.Plan) SpareWords {
	m := p.Meet(it)
	return spareWords(plan.SpareBy(p, m, it, p.Legs), m.Fit, book.Against(p))
}

func spareWords(s plan.Spare, f gangway.Fit, against string) SpareWords {
	shown := spareSigns[s.Grade]
	w := SpareWords{Spare: s, Class: shown.class, Sign: shown.sign}
	switch s.Grade {
	case plan.NotWanted:
	case plan.Misfit:
		w.Short, w.Words = "off plan", book.Misfit(f, against)
	case plan.Late:
		w.Words = shell.Duration(-s.Left) + " late"
		w.Short = w.Words
	default:
		w.Short = shell.Duration(s.Left)
		w.Words = w.Short + " buffer"
	}
	if !s.Until.IsZero() {
		w.Title = "due " + dueWords(s.Until)
		if s.Ground > 0 {
			w.Title += ", " + shell.Duration(s.Ground) + roadWords(s.Port) + " included"
		}
	}
	return w
}

// dueWords says by when somebody is due, by the local time there: "by the end of Mon 7 Dec".
func dueWords(t time.Time) string {
	if t.Hour() == 0 && t.Minute() == 0 {
		return "by the end of " + t.AddDate(0, 0, -1).Format("Mon 2 Jan")
	}
	return "by " + t.Format("15:04 on Mon 2 Jan") + " local time"
}

// Misfit reports whether it does not fit the plan at all; Words then say how.
func (w SpareWords) Misfit() bool { return w.Grade == plan.Misfit }
