package flights

import (
	"strings"
	"time"

	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// hurriedLast is how much time beyond the minimum makes a connection safe when the
// next flight is the last of the day, so that missing it costs a day.
const hurriedLast = 2 * time.Hour

// laterWords says what a traveller takes after a missed connection: when it leaves, in a row's few words, and the whole
// plan. c is the choice with the connection to missed.
func laterWords(c *plan.Choice, missed gangway.Segment, later []gangway.Segment) (next, words string) {
	if later == nil {
		if c.Spare.Until.IsZero() {
			return noLater, "if missed: " + noLater + " in this list"
		}
		return noLater, "if missed: " + noLater + " in time in this list"
	}
	at := func(t, than time.Time) string {
		if gangway.DateOf(t) == gangway.DateOf(than) {
			return t.Format("15:04")
		}
		return t.Format("Mon 15:04")
	}
	first, last := later[0], later[len(later)-1]
	names := gangway.Each(later, FlightName)
	words = "if missed: " + strings.Join(names, ", ") + " at " + at(first.Departure, missed.Departure) + ", in " +
		string(last.Destination) + " " + at(last.Arrival, first.Departure)
	if missed.Leg == c.Offer.Itinerary.Segments[len(c.Offer.Itinerary.Segments)-1].Leg && !c.Spare.Until.IsZero() {
		switch left := c.Spare.After(last.Arrival, last.Destination); {
		case left < 0:
			words += ", " + shell.Duration(-left) + " late"
		default:
			words += ", " + shell.Duration(left) + " buffer"
		}
	}
	return "next " + at(first.Departure, missed.Departure), words
}

// leastConnection is the least time that a connection takes.
func leastConnection(c gangway.Connection) time.Duration { return time.Duration(c.Least) * time.Minute }

const noLater = "no later flight"

// A risk is what may go wrong with a connection: in a row's few words, and with the minimum connecting time. Both are
// empty when there is time enough.
type risk struct{ Short, Long string }

// connectionRisk says what may go wrong with a connection.
func connectionRisk(wait time.Duration, c gangway.Connection) risk {
	var short, long []string
	if plan.Tight(wait, c) {
		short, long = append(short, "tight"), append(long, "tight (min. "+shell.Duration(leastConnection(c))+")")
	}
	if c.Last && wait < leastConnection(c)+hurriedLast {
		short, long = append(short, noLater), append(long, noLater)
	}
	return risk{strings.Join(short, " · "), strings.Join(long, " · ")}
}
