package flights

import (
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// StripOf lays out the flights of a booking with the road between their airports and
// the places that were asked for.
func StripOf(it gangway.Itinerary, places []gangway.Between) []StripLeg {
	legs := strip(it)
	for i := range min(len(legs), len(places)) {
		l, p := &legs[i], places[i]
		if p.FromRoad > 0 {
			d := time.Duration(p.FromRoad) * time.Minute
			l.Road = Road{d, shell.Duration(d) + roadWords(p.From) + " from " + PlaceIn(p.From) + " to " +
				string(l.From) + ", setting out " + l.Departure.Add(-d).Format("Mon 2 Jan 15:04")}
		}
		if p.ToRoad > 0 {
			d := time.Duration(p.ToRoad) * time.Minute
			l.ToRoad = Road{d, shell.Duration(d) + roadWords(p.To) + " from " + string(l.To) + " to " + PlaceIn(p.To) +
				", there " + l.Arrival.Add(d).Format("Mon 2 Jan 15:04")}
		}
	}
	return legs
}

// SegmentsOf lists every flight of a booking, with the road before and after each leg.
func SegmentsOf(it gangway.Itinerary, places []gangway.Between) []SegmentRow {
	rows := segments(it)
	byRoad(rows, StripOf(it, places))
	return rows
}

// byRoad notes the road before the first flight of each leg and after its last.
func byRoad(rows []SegmentRow, legs []StripLeg) {
	at := 0
	for _, l := range legs {
		last := at + len(l.Flights) - 1
		rows[at].Road, rows[last].ToRoad = l.Road.Words, l.ToRoad.Words
		at = last + 1
	}
}

// ElseFlown returns the ways by road of a booking were it flown as it is, as
// after a change.
func ElseFlown(b gangway.Booking, it gangway.Itinerary) []gangway.Between {
	return book.OnGround(b.Purpose.Between, it)
}
