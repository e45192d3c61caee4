package duffel

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

const (
	// minorMove is how far a flight may move without a decision being needed.
	minorMove = 30 * time.Minute

	// safeLayover is a wait between flights that is long enough at any airport.
	safeLayover = 90 * time.Minute
)

// notice returns the airline's newest change that waits for an answer; nil if there is none.
func (d *Duffel) notice(w wireOrder) (*flight.Notice, error) {
	var newest *wireNotice
	for i, n := range w.Notices {
		if n.Taken == nil && (newest == nil || !n.CreatedAt.Before(newest.CreatedAt)) {
			newest = &w.Notices[i]
		}
	}
	if newest == nil {
		return nil, nil
	}
	was, err := itinerary(w.Slices)
	if err != nil {
		return nil, err
	}
	n := &flight.Notice{ID: newest.ID, At: newest.CreatedAt.UTC(),
		Why: "The airline has cancelled flights of this booking and offers none in their place."}
	if len(newest.Added) == 0 || !slices.Contains(newest.Actions, "accept") {
		if len(newest.Added) > 0 {
			n.Why = "The airline has changed flights of this booking; ask it about other flights."
		}
		return n, nil
	}
	if n.Itinerary, err = itinerary(replaced(w.Slices, *newest)); err != nil {
		return nil, err
	}
	flight.Estimate(d.Factors, &n.Itinerary)
	n.Why, n.Minor = moved(was, n.Itinerary)
	return n, nil
}

// replaced returns an order's directions as the airline offers them instead. Slices may have
// got new ids since; they are then matched by their places.
func replaced(list []wireSlice, n wireNotice) []wireSlice {
	list = slices.Clone(list)
	for i, added := range n.Added {
		at := -1
		if i < len(n.Removed) {
			at = slices.IndexFunc(list, func(s wireSlice) bool { return s.ID == n.Removed[i].ID })
		}
		if at < 0 {
			at = slices.IndexFunc(list, func(s wireSlice) bool {
				return s.Origin.Code == added.Origin.Code && s.Destination.Code == added.Destination.Code
			})
		}
		if at >= 0 {
			list[at] = added
		} else {
			list = append(list, added)
		}
	}
	return list
}

// moved describes what an airline changed. minor reports whether there is nothing to decide:
// the same flights, moved by at most half an hour, and every connection as long as before or
// long enough.
func moved(was, is gangway.Itinerary) (why string, minor bool) {
	if len(was.Segments) != len(is.Segments) {
		return "The airline has replaced the booked flights with others.", false
	}
	minor = true
	for i, a := range was.Segments {
		b := is.Segments[i]
		if a.FlightNumber != b.FlightNumber || a.Origin != b.Origin || a.Destination != b.Destination {
			return fmt.Sprintf("The airline has put %s from %s on %s in place of %s.", b.FlightNumber, b.Origin,
				b.Departure.Format("2 January"), a.FlightNumber), false
		}
		if a.Departure.Equal(b.Departure) && a.Arrival.Equal(b.Arrival) {
			continue
		}
		if why == "" {
			why = fmt.Sprintf("%s from %s now leaves on %s and lands at %s on %s; it was to leave on %s.",
				b.FlightNumber, b.Origin,
				b.Departure.Format("2 January at 15:04"), b.Destination, b.Arrival.Format("2 January at 15:04"),
				a.Departure.Format("2 January at 15:04"))
		}
		minor = minor && b.Departure.Sub(a.Departure).Abs() <= minorMove && b.Arrival.Sub(a.Arrival).Abs() <= minorMove
	}
	for i := 1; i < len(is.Segments) && minor; i++ {
		before := was.Segments[i].Departure.Sub(was.Segments[i-1].Arrival)
		now := is.Segments[i].Departure.Sub(is.Segments[i-1].Arrival)
		minor = now >= min(before, safeLayover)
	}
	why = cmp.Or(why, "The airline has changed the flights of this booking.")
	return why, minor
}

// Accept accepts the flights that the airline offers in place of those it has changed.
func (s *Seller) Accept(ctx context.Context, id, notice string) (flight.Order, error) {
	r, order, end, err := s.lookAt(ctx, id)
	if err != nil {
		return flight.Order{}, err
	}
	defer end()
	switch {
	case slices.Contains(order.Changes, notice):
		return order, nil
	case order.Notice == nil || order.Notice.ID != notice:
		return flight.Order{}, gangway.Errorf(gangway.Conflict,
			"the airline has changed the flights again, or withdrawn the change: look at the booking again")
	case len(order.Notice.Itinerary.Segments) == 0:
		return flight.Order{}, gangway.Errorf(gangway.Conflict,
			"the airline offers no flights that could be accepted: ask the airline, or cancel")
	}
	return s.once(ctx, &r, attempt{Operation: accepting, ID: notice},
		"/air/airline_initiated_changes/"+url.PathEscape(notice)+"/actions/accept", nil)
}
