package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// A StoredTravelRequest is a travel request, with its origin and with what was done about its
// hotel.
type StoredTravelRequest struct {
	gangway.TravelRequest
	Origin  gangway.Origin
	Handled Handled
}

// Handled says who dealt with a hotel requirement, when, and any note about it. It is zero until
// somebody has.
type Handled struct {
	At   time.Time
	By   string
	Note string
}

// UpsertTravelRequests writes travel requests that were uploaded, all or none. No two of them may
// have the same identifiers. Notes about hotels stay.
func (s Scoped) UpsertTravelRequests(ctx context.Context, list []gangway.TravelRequest) (Counts, error) {
	rows, err := TravelRequestRows(list)
	if err != nil {
		return Counts{}, err
	}
	return s.UpsertTravelRequestRows(ctx, rows, gangway.Origin{Source: gangway.Uploaded})
}

// TravelRequestRows returns travel requests as they are stored.
func TravelRequestRows(list []gangway.TravelRequest) ([]Row, error) {
	return rowsOf(list, func(r *gangway.TravelRequest, doc string) Row {
		starts, hotel := r.Starts()
		vessel := ""
		if r.Vehicle != nil {
			vessel = gangway.Fold(r.Vehicle.Name)
		}
		return Row{r.RequestID, r.SubRequestID, string(starts), string(hotel), vessel, undatedParts(*r), doc}
	})
}

// UpsertTravelRequestRows is UpsertTravelRequests for what TravelRequestRows returned, from any source. It sorts rows.
func (s Scoped) UpsertTravelRequestRows(ctx context.Context, rows []Row, from gangway.Origin) (Counts, error) {
	counts, err := s.upsert(ctx, bulk{records: requestRecords, rows: rows, from: from})
	if err == nil && counts.Created+counts.Updated > 0 {
		// The bulk has sorted the rows, by request_id first.
		err = s.recheckRequests(ctx, func(id string) bool {
			_, sent := slices.BinarySearchFunc(rows, id, func(row Row, id string) int {
				return strings.Compare(row[0].(string), id)
			})
			return sent
		})
	}
	return counts, err
}

// DeleteTravelRequests deletes one record of a request, or all of them if
// subRequestID is nil, and returns how many there were.
func (s Scoped) DeleteTravelRequests(ctx context.Context, requestID string, subRequestID *string) (int, error) {
	return s.deleteTravelRequests(ctx, nil, requestID, subRequestID)
}

func (s Scoped) deleteTravelRequests(ctx context.Context, entry *gangway.AuditEntry, requestID string,
	subRequestID *string) (int, error) {
	which, args := `request_id = $2`, []any{requestID}
	if subRequestID != nil {
		which, args = which+` AND sub_request_id = $3`, append(args, *subRequestID)
	}
	n, err := s.takeBackRecords(ctx, requestRecords, entry, which, args...)
	if n > 0 {
		err = errors.Join(err, s.recheckRequests(ctx, func(id string) bool { return id == requestID }))
	}
	return n, err
}

const travelRequestColumns = originColumns + `, doc, handled_at, handled_by, handled_note`

// TravelRequests returns up to limit travel requests that start between two
// dates, both included, in that order, of vessels with a word in their folded
// name that starts with vessel.
func (s Scoped) TravelRequests(ctx context.Context, vessel string, from, to gangway.Date,
	limit int) ([]StoredTravelRequest, error) {
	named, args := ofVessel(vessel, s.account, from, to, limit)
	return s.travelRequests(ctx, `
		SELECT `+travelRequestColumns+`
		FROM travel_request
		WHERE account = $1 AND starts >= $2 AND starts <= $3`+named+`
		ORDER BY starts, request_id, sub_request_id
		LIMIT $4`,
		args...)
}

// RequestsWithoutBooking returns up to limit travel requests with a flight that start between two dates, both included,
// in that order, and for which nothing is booked, and whether there may be more.
func (s Scoped) RequestsWithoutBooking(ctx context.Context, from, to gangway.Date,
	limit int) (list []StoredTravelRequest, more bool, err error) {
	rows, err := s.db.reader.QueryContext(ctx, requestsWithoutBooking, s.account, from, to, 3*limit)
	if err != nil {
		return nil, false, wrapf(err, "list travel requests")
	}
	defer rows.Close()
	list, n := make([]StoredTravelRequest, 0, limit), 0
	for ; rows.Next(); n++ { // no more documents are read than are listed
		r, err := scanTravelRequest(rows)
		switch {
		case err != nil:
			return nil, false, wrapf(err, "list travel requests")
		case r.Flight == nil:
		case len(list) == limit:
			return list, true, nil
		default:
			list = append(list, r)
		}
	}
	return list, n == 3*limit, wrapf(rows.Err(), "list travel requests")
}

// Of travel requests that start soon, most are booked: of no more than 500 it is looked whether they are.
const requestsWithoutBooking = `
		SELECT ` + travelRequestColumns + `
		FROM (
			SELECT request_id, sub_request_id
			FROM (
				SELECT starts, request_id, sub_request_id
				FROM travel_request
				WHERE account = $1 AND starts >= $2 AND starts <= $3
				ORDER BY starts, request_id, sub_request_id
				LIMIT 500) AS soon
			WHERE NOT EXISTS (
				SELECT 1
				FROM booking b
				WHERE b.account = $1 AND b.request = soon.request_id AND b.sub_request = soon.sub_request_id AND b.` + live + `)
			ORDER BY starts, request_id, sub_request_id
			LIMIT $4) AS unbooked
		JOIN travel_request USING (request_id, sub_request_id)
		WHERE account = $1
		ORDER BY starts, request_id, sub_request_id`

// ofVessel returns the condition that a word of a travel request's vessel begins with vessel, and
// args with its value; no condition if vessel is empty. It is left out then because SQLite plans a
// statement with LIKE again each time it runs.
func ofVessel(vessel string, args ...any) (condition string, with []any) {
	if vessel == "" {
		return "", args
	}
	args = append(args, "% "+likeLiterally.Replace(vessel)+"%")
	return fmt.Sprintf(` AND ' ' || vessel LIKE $%d ESCAPE '\'`, len(args)), args
}

// HotelRequests returns up to limit travel requests whose hotel stay begins
// between two dates, both included, in that order.
func (s Scoped) HotelRequests(ctx context.Context, from, to gangway.Date, limit int) ([]StoredTravelRequest, error) {
	return s.travelRequests(ctx, `
		SELECT `+travelRequestColumns+`
		FROM travel_request
		WHERE account = $1 AND hotel_from >= $2 AND hotel_from <= $3 AND hotel_from <> ''
		ORDER BY hotel_from, request_id, sub_request_id
		LIMIT $4`,
		s.account, from, to, limit)
}

func (s Scoped) travelRequests(ctx context.Context, query string, args ...any) ([]StoredTravelRequest, error) {
	list, err := selectAll(ctx, s.db.reader, scanTravelRequest, query, args...)
	return list, wrapf(err, "list travel requests")
}

// TravelRequest returns one travel request. NotFound: the account has none under these identifiers.
func (s Scoped) TravelRequest(ctx context.Context, requestID, subRequestID string) (StoredTravelRequest, error) {
	return scanTravelRequest(s.db.reader.QueryRowContext(ctx, `
		SELECT `+travelRequestColumns+`
		FROM travel_request
		WHERE account = $1 AND request_id = $2 AND sub_request_id = $3`,
		s.account, requestID, subRequestID))
}

func scanTravelRequest(row scanner) (r StoredTravelRequest, err error) {
	if err := scanOrigin(row, &r.Origin, docColumn{&r.TravelRequest}, when(&r.Handled.At), &r.Handled.By,
		&r.Handled.Note); err != nil {
		return r, notFoundOr(err, "there is no such travel request")
	}
	if r.Handled.At.IsZero() {
		r.Handled = Handled{}
	}
	return r, nil
}

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
