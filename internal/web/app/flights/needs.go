package flights

import (
	"cmp"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
	"gangway/internal/world"
)

// endingWords say how a booking ended without a person.
var endingWords = map[gangway.Ending]string{
	gangway.SeatsReleased: "released",
	gangway.NotIssued:     "not issued in time",
	gangway.SeatsLost:     "cancelled by airline",
	gangway.IssuedItself:  "issued itself",
}

// EndingWords says how a booking ended without a person.
func EndingWords(e gangway.Ending) string { return endingWords[e] }

// EndedWords says how a booking ended, and by whom.
func EndedWords(e gangway.EndedBooking) string {
	switch {
	case e.Ending != gangway.EndedByPerson:
		return EndingWords(e.Ending)
	case e.State == gangway.Declined && e.Approval != nil:
		return "declined by " + cmp.Or(e.Approval.DecidedByName, e.Approval.DecidedBy)
	case e.Released():
		return "released by " + cmp.Or(e.CancelledByName, e.CancelledBy)
	}
	return "cancelled by " + cmp.Or(e.CancelledByName, e.CancelledBy)
}

// ChangeWords says what an airline has changed about b, one part for each flight that differs.
func ChangeWords(b gangway.Booking) (words []string) {
	for _, c := range b.Itinerary.Compared(b.Change.Itinerary) {
		switch {
		case c.Was == nil:
			words = append(words, FlightName(*c.Is)+" instead")
		case c.Is == nil && saysCancelled(b.Change.Why, *c.Was):
			words = append(words, FlightName(*c.Was)+" cancelled")
		case c.Is == nil && c.Missed:
			words = append(words, "misses "+FlightName(*c.Was))
		case c.Is == nil:
			words = append(words, "without "+FlightName(*c.Was))
		default:
			if d := c.Is.Departure.Sub(c.Was.Departure); d != 0 {
				words = append(words, FlightName(*c.Was)+" leaves "+movedWords(d))
			} else if d := c.Is.Arrival.Sub(c.Was.Arrival); d != 0 {
				words = append(words, FlightName(*c.Was)+" lands "+movedWords(d))
			}
		}
	}
	return words
}

// saysCancelled reports whether one of an airline's sentences says that it has cancelled a flight, which cannot be told
// from the flights that it offers instead.
func saysCancelled(why string, s gangway.Segment) bool {
	for sentence := range strings.SplitSeq(why, ". ") {
		if strings.HasPrefix(sentence, s.FlightNumber+" from ") && strings.Contains(sentence, " was cancelled") {
			return true
		}
	}
	return false
}

func movedWords(d time.Duration) string {
	if d < 0 {
		return shell.Duration(-d) + " earlier"
	}
	return shell.Duration(d) + " later"
}

// AirlineChange says in a row what the airline has changed about b.
func AirlineChange(b gangway.Booking) string {
	if b.Change == nil || len(b.Change.Itinerary.Segments) == 0 {
		return "no flights any more"
	}
	words := ChangeWords(b)
	if len(words) > 2 {
		words = words[:2]
	}
	return strings.Join(words, " · ")
}

// CityName is what people call a place by its code.
func CityName(code gangway.Place) string {
	p, ok := world.PlaceOf(string(code))
	if !ok {
		return string(code)
	}
	return PlaceName(p)
}

// A VesselDay is what holds are grouped by: a vessel, where it is met, and the day.
type VesselDay struct {
	Key, Vessel, Place string
	Date               gangway.Date
}

// VesselDayOf returns the group of b.
func VesselDayOf(b gangway.Booking) VesselDay {
	d := VesselDay{Vessel: b.Purpose.Vessel, Date: b.Purpose.Date}
	at := b.Purpose.Port
	if at == "" {
		at = gangway.Place(b.Purpose.Airport)
	}
	if at != "" {
		d.Place = CityName(at)
	}
	d.Key = strings.Join([]string{gangway.Fold(d.Vessel), d.Place, string(d.Date)}, "\x00")
	return d
}

// DutyWords says until when what ends needs somebody now: the time of day, and the day where it is not today's.
func DutyWords(v shell.Visitor, now, until time.Time) string {
	if v.Account.Settings.Duty.IsZero() {
		return until.UTC().Format("Mon 15:04 UTC")
	}
	if y, m, d := now.In(until.Location()).Date(); until.Day() == d && until.Month() == m && until.Year() == y {
		return until.Format("15:04 MST")
	}
	return until.Format("Mon 2 Jan 15:04 MST")
}

// A Note is the note for the next shift, as pages show it and take it.
type Note struct {
	store.ShiftNote
	Seen int64  // which one the form replaces
	Back string // the page that it is on
}

// NoteFor returns the account's note for the page at back.
func NoteFor(n store.ShiftNote, back string) Note {
	note := Note{ShiftNote: n, Back: back}
	if !n.At.IsZero() {
		note.Seen = n.At.UnixMilli()
	}
	return note
}
