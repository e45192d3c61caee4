package store

import (
	"context"
	"fmt"

	"gangway/internal/gangway"
)

// Which parts of a travel request have no date yet.
const (
	undatedFlight = "flight"
	undatedHotel  = "hotel"
	undatedBoth   = "both"
)

// undatedParts says which parts of r have no date yet; empty if all have one.
func undatedParts(r gangway.TravelRequest) string {
	flight := r.Flight != nil && r.Flight.Starts() == ""
	hotel := r.Hotel != nil && r.Hotel.CheckIn == ""
	switch {
	case flight && hotel:
		return undatedBoth
	case flight:
		return undatedFlight
	case hotel:
		return undatedHotel
	}
	return ""
}

// The statements below also say undated <> '', because only then does a database
// see that the index of those few rows serves them.

// UndatedFlights returns up to limit travel requests whose flight has no date
// yet, and how many there are in all. Their vessels have a word in their folded
// name that starts with vessel. Requests that nobody has booked come first.
func (s Scoped) UndatedFlights(ctx context.Context, vessel string,
	limit int) (list []StoredTravelRequest, all int, err error) {
	const which = `
		FROM travel_request
		WHERE account = $1 AND undated <> '' AND undated IN ('flight', 'both')`
	named, args := ofVessel(vessel, s.account)
	if err := s.db.reader.QueryRowContext(ctx, `SELECT count(*)`+which+named, args...).Scan(&all); err != nil {
		return nil, 0, fmt.Errorf("count undated travel requests: %w", err)
	}
	if all == 0 {
		return nil, 0, nil
	}
	named, args = ofVessel(vessel, s.account, limit)
	list, err = s.travelRequests(ctx, `
		SELECT `+travelRequestColumns+which+named+`
		ORDER BY EXISTS (
			SELECT 1
			FROM booking b
			WHERE b.account = $1 AND b.request = travel_request.request_id AND b.sub_request = travel_request.sub_request_id AND b.`+live+`),
			request_id, sub_request_id
		LIMIT $2`,
		args...)
	return list, all, err
}

// UndatedHotels returns up to limit travel requests whose hotel has no check-in
// date yet, and how many there are in all: those that somebody has handled, or
// the others.
func (s Scoped) UndatedHotels(ctx context.Context, handled bool,
	limit int) (list []StoredTravelRequest, all int, err error) {
	const which = `
		FROM travel_request
		WHERE account = $1 AND undated <> '' AND undated IN ('hotel', 'both') AND (handled_at <> 0) = $2`
	if err := s.db.reader.QueryRowContext(ctx, `SELECT count(*)`+which, s.account, handled).Scan(&all); err != nil {
		return nil, 0, fmt.Errorf("count undated hotels: %w", err)
	}
	list, err = s.travelRequests(ctx, `
		SELECT `+travelRequestColumns+which+`
		ORDER BY request_id, sub_request_id
		LIMIT $3`,
		s.account, handled, limit)
	return list, all, err
}
