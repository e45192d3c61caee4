package flights

import (
	"html/template"

	"gangway/internal/web/app/shell"

	"gangway"
)

// endWords are how a page names what ends next, and that it has ended. Every
// page that shows one clock of a booking shows this one.
var endWords = map[gangway.End]struct{ in, past string }{
	gangway.PriceEnds:  {"price ends in ", "price has ended"},
	gangway.SeatsEnd:   {"seats end in ", "seats have ended"},
	gangway.AnswerEnds: {"answer within ", "time to answer has ended"},
	gangway.Leaves:     {"leaves in ", "has left"},
}

// ends writes what ends next and in what time, coloured and counting down.
func (room *Room) ends(e gangway.Ending) template.HTML {
	if e.At.IsZero() {
		return ""
	}
	words := endWords[e.What]
	return room.Countdown(e.At, words.in, "", words.past)
}

// EndsIn is ends in plain words.
func (room *Room) EndsIn(e gangway.Ending) string {
	words := endWords[e.What]
	if !room.Now().Before(e.At) {
		return words.past
	}
	left, _ := shell.TimeLeft(e.At.Sub(room.Now()))
	return words.in + left
}

// NextEnd ends the answer of a page that lists what waits: what is the next to
// end. Nothing where all have ended.
func (room *Room) NextEnd(list []gangway.Booking) string {
	var next gangway.Ending
	for _, b := range list {
		if e := b.Ends(room.Now()); room.Now().Before(e.At) && (next.At.IsZero() || e.At.Before(next.At)) {
			next = e
		}
	}
	if next.At.IsZero() {
		return ""
	}
	return " · next: " + room.EndsIn(next)
}
