package app

import (
	"time"

	"gangway"
	"gangway/internal/book"
	"gangway/internal/web/app/shell"
)

// stripOf lays out flights of a booking with the ways by road between their
// airports and the places that were asked for.
func stripOf(it gangway.Itinerary, places []gangway.Between) []stripLeg {
	legs := strip(it)
	for i := range min(len(legs), len(places)) {
		l, p := &legs[i], places[i]
		if p.FromRoad > 0 {
			d := time.Duration(p.FromRoad) * time.Minute
			l.Road = road{d, shell.Duration(d) + by(p.From) + " from " + placeIn(p.From) + " to " + string(l.From) + ", setting out " + l.Departure.Add(-d).Format("Mon 2 Jan 15:04")}
		}
		if p.ToRoad > 0 {
			d := time.Duration(p.ToRoad) * time.Minute
			l.ToRoad = road{d, shell.Duration(d) + by(p.To) + " from " + string(l.To) + " to " + placeIn(p.To) + ", there " + l.Arrival.Add(d).Format("Mon 2 Jan 15:04")}
		}
	}
	return legs
}

// segmentsOf lists every flight of a booking, with the ways by road before and
// after each leg.
func segmentsOf(it gangway.Itinerary, places []gangway.Between) []segmentRow {
	rows, legs := segments(it), stripOf(it, places)
	at := 0
	for _, l := range legs {
		last := at + len(l.Flights) - 1
		rows[at].Road, rows[last].ToRoad = l.Road.Words, l.ToRoad.Words
		at = last + 1
	}
	return rows
}

// elseFlown returns the ways by road of a booking were it flown as it is, as
// after a change.
func elseFlown(b gangway.Booking, it gangway.Itinerary) []gangway.Between {
	return book.OnGround(b.Purpose.Between, it)
}

// asked returns what is looked for in place of a leg of a booking: to and from
// any airport of the places that it was booked for.
func (l changeLeg) asked(b gangway.Booking, i int) gangway.Leg {
	leg := gangway.Leg{Origin: gangway.Place(l.From), Destination: gangway.Place(l.To), Date: l.Date}
	if places := b.Purpose.Between; i < len(places) {
		leg.Origin, leg.Destination = places[i].From, places[i].To
	}
	return leg
}

// between names the ends of a leg of a booking, as the field for its day says them.
func (l changeLeg) between(b gangway.Booking, i int) string {
	leg := l.asked(b, i)
	return book.ShortPlace(leg.Origin) + " to " + book.ShortPlace(leg.Destination)
}
