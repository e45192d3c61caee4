package flights

import (
	"html/template"
	"time"

	"gangway/internal/web/app/shell"

	"gangway/internal/gangway"
)

// endWords name what ends next, before and after it has ended.
var endWords = map[gangway.DeadlineKind]struct{ in, past string }{
	gangway.PriceEnds:  {"fare ends in ", "fare ended"},
	gangway.SeatsEnd:   {"seats end in ", "seats ended"},
	gangway.AnswerEnds: {"answer within ", "answer overdue"},
	gangway.Leaves:     {"leaves in ", "has left"},
}

// ends writes which deadline comes next and how much time is left, coloured and counting down.
func ends(now time.Time, e gangway.Deadline) template.HTML {
	if e.At.IsZero() {
		return ""
	}
	words := endWords[e.Kind]
	return shell.Countdown(now, e.At, words.in, "", words.past)
}

// EndsIn is ends in plain words.
func EndsIn(now time.Time, e gangway.Deadline) string {
	words := endWords[e.Kind]
	if !now.Before(e.At) {
		return words.past
	}
	left, _ := shell.TimeLeft(e.At.Sub(now))
	return words.in + left
}

// NextEnd says which deadline of the bookings on a page comes first, or nothing where
// all have passed. Pages put it at the end of their answer.
func NextEnd(now time.Time, list []gangway.Booking) string {
	next := Next(now, list)
	if next.At.IsZero() {
		return ""
	}
	return " · next: " + EndsIn(now, next)
}

// Next returns the first deadline of bookings that is still to come.
func Next(now time.Time, list []gangway.Booking) (next gangway.Deadline) {
	for _, b := range list {
		if e := b.NextDeadline(now); now.Before(e.At) && (next.At.IsZero() || e.At.Before(next.At)) {
			next = e
		}
	}
	return next
}
