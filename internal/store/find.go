package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
)

// These statements answer people while they type: each reads a few rows of one index.
const (
	findReferred = `
		SELECT booking
		FROM booking_reference
		WHERE account = $1 AND reference >= $2 AND reference < $3
		ORDER BY reference, booking
		LIMIT $4`
	findLocated = `
		SELECT id
		FROM booking
		WHERE account = $1 AND locator >= $2 AND locator < $3
		ORDER BY locator
		LIMIT $4`
	findTicketed = `
		SELECT booking
		FROM booking_ticket
		WHERE account = $1 AND number >= $2 AND number < $3
		ORDER BY number, booking
		LIMIT $4`
	findNamed = `
		SELECT doc, check_at
		FROM booking
		WHERE account = $1 AND passenger >= $2 AND passenger < $3
		ORDER BY passenger, departs DESC, id DESC
		LIMIT $4`
	findJourneys = `
		SELECT doc, check_at
		FROM booking
		WHERE account = $1 AND passenger = $2
		ORDER BY departs DESC, id DESC
		LIMIT $3`
	findAboard = `
		SELECT doc, check_at
		FROM booking
		WHERE account = $1 AND vessel = $2
		ORDER BY created_at DESC, id DESC
		LIMIT 1`
)

// locatorStart is how much of a locator finds it: fewer letters begin too many locators of all accounts, which share an
// index.
const locatorStart = 3

// after is larger than everything that begins like text.
func after(text string) string { return text + "\U0010FFFF" }

// NamedBookings returns up to limit bookings that find names in full, or whose locator, airline's locator, crew
// change's identifier or ticket number begins with it.
func (s Scoped) NamedBookings(ctx context.Context, find string, limit int) ([]gangway.Booking, error) {
	exact, err := s.exactly(ctx, find)
	if err != nil {
		return nil, err
	}
	ids := slices.Sorted(maps.Keys(exact))
	for _, q := range []struct{ query, from string }{
		{findLocated, capitals(strings.TrimSpace(find))}, {findReferred, capitals(strings.TrimSpace(find))},
		{findTicketed, ticketDigits(find)},
	} {
		if q.from == "" || q.query == findLocated && len(q.from) < locatorStart {
			continue
		}
		more, err := selectAll(ctx, s.db.reader, column[string], q.query, s.account, q.from, after(q.from), limit)
		if err != nil {
			return nil, fmt.Errorf("find bookings: %w", err)
		}
		for _, id := range more {
			if !exact[id] && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return s.bookingsInOrder(ctx, ids[:min(len(ids), limit)])
}

// BookingsNamed returns up to limit bookings of passengers whose folded name begins with name, by name, each person's
// latest first.
func (s Scoped) BookingsNamed(ctx context.Context, name string, limit int) ([]gangway.Booking, error) {
	list, err := selectAll(ctx, s.db.reader, scanBooking, findNamed, s.account, name, after(name), limit)
	return list, wrapf(err, "find bookings by name")
}

// JourneysOf returns up to limit bookings of t in every state, the last to depart first.
func (s Scoped) JourneysOf(ctx context.Context, t gangway.Traveller, limit int) ([]gangway.Booking, error) {
	list, err := selectAll(ctx, s.db.reader, scanBooking, findJourneys, s.account, t.FoldedName(), limit)
	is := gangway.Among([]gangway.Traveller{t})
	return slices.DeleteFunc(list, func(b gangway.Booking) bool { return !is(b.Passenger) }),
		wrapf(err, "list bookings of a traveller")
}

// eachVessel lists the vessels of an account's crew changes.
var eachVessel = eachValue("crew_change", "account", "vessel") + fmt.Sprintf(`
	SELECT value
	FROM listed
	WHERE value IS NOT NULL
	LIMIT %d`, mostValues)

// Vessels returns the folded names of up to limit vessels of crew changes or bookings: each word typed begins a word of
// the name.
func (s Scoped) Vessels(ctx context.Context, typed string, limit int) ([]string, error) {
	list, err := selectAll(ctx, s.db.reader, column[string], eachVessel, s.account)
	if err != nil {
		return nil, fmt.Errorf("look for vessels: %w", err)
	}
	booked, err := selectAll(ctx, s.db.reader, column[string], `
		SELECT vessel
		FROM booking_vessel
		WHERE account = $1
		ORDER BY vessel
		LIMIT $2`,
		s.account, mostValues)
	if err != nil {
		return nil, fmt.Errorf("look for vessels: %w", err)
	}
	list = slices.DeleteFunc(append(list, booked...), func(v string) bool { return !gangway.HasWords(v, typed) })
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(len(list), limit)], nil
}

// VesselName returns the name of a vessel as it was last booked or sent, by its folded name. NotFound: the account has
// none.
func (s Scoped) VesselName(ctx context.Context, folded string) (string, error) {
	b, err := scanBooking(s.db.reader.QueryRowContext(ctx, findAboard, s.account, folded))
	if gangway.KindOf(err) != gangway.NotFound {
		return b.Purpose.Vessel, err
	}
	keys, err := s.CrewChangesOf(ctx, folded, "", 1)
	if err != nil {
		return "", err
	}
	if len(keys) == 0 || folded == "" {
		return "", gangway.Errorf(gangway.NotFound, "no booking or crew change has a vessel of this name")
	}
	line, err := s.crewChangeLine(ctx, keys[0], nil)
	return line.Vessel, err
}

// CrewChangesOf returns the keys of up to limit crew changes of a vessel: those from a day on, the next first; without
// a day all of them, the last first.
func (s Scoped) CrewChangesOf(ctx context.Context, folded string, from gangway.Date, limit int) ([]string, error) {
	order := ``
	if from == "" {
		order = ` DESC`
	}
	list, err := selectAll(ctx, s.db.reader, column[string], `
		SELECT key
		FROM crew_change
		WHERE account = $1 AND vessel = $2 AND change_date >= $3 AND gone = 0
		ORDER BY change_date`+order+`, key
		LIMIT $4`,
		s.account, folded, from, limit)
	return list, wrapf(err, "list crew changes of a vessel")
}

// CrewChangesNamed returns the keys of up to limit crew changes whose customer's identifier begins with id.
func (s Scoped) CrewChangesNamed(ctx context.Context, id string, limit int) (list []string, err error) {
	for _, spelt := range spelledOnce(id) {
		key := gangway.CrewChange{TravelRequestID: spelt}.Name()
		more, err := selectAll(ctx, s.db.reader, column[string], `
			SELECT key
			FROM crew_change
			WHERE account = $1 AND key >= $2 AND key < $3 AND gone = 0
			ORDER BY key
			LIMIT $4`,
			s.account, key, after(key), limit-len(list))
		if err != nil {
			return nil, fmt.Errorf("find crew changes: %w", err)
		}
		list = append(list, more...)
	}
	return list, nil
}

// TravelRequestsNamed returns up to limit travel requests whose identifier begins with id.
func (s Scoped) TravelRequestsNamed(ctx context.Context, id string, limit int) (list []StoredTravelRequest, err error) {
	for _, spelt := range spelledOnce(id) {
		more, err := s.travelRequests(ctx, `
			SELECT `+travelRequestColumns+`
			FROM travel_request
			WHERE account = $1 AND request_id >= $2 AND request_id < $3
			ORDER BY request_id, sub_request_id
			LIMIT $4`,
			s.account, spelt, after(spelt), limit-len(list))
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// spelledOnce returns the ways in which a customer's identifier is looked for, each once.
func spelledOnce(id string) []string {
	ways := spellings(id)
	slices.Sort(ways[:])
	return slices.Compact(ways[:])
}

// PlannedFor returns what is planned for t from a day on: up to limit crew changes, by their keys, and travel requests,
// those without a date included. They are found by their traces, so one that was sent just now may be missing.
func (s Scoped) PlannedFor(ctx context.Context, t gangway.Traveller, from gangway.Date,
	limit int) (changes []string, requests []StoredTravelRequest, err error) {
	args := []any{s.account, from, limit}
	for _, key := range erasure.IdentityOf(t).MatchKeys() {
		args = append(args, traceMark(key))
	}
	if len(args) == 3 {
		return nil, nil, nil
	}
	marks := placeholders(4, len(args)-3)
	type dated struct{ date, key string }
	scan := func(row scanner) (d dated, err error) {
		err = row.Scan(&d.date, &d.key)
		return d, err
	}
	found, err := selectAll(ctx, s.db.reader, scan, `
		SELECT DISTINCT c.change_date, c.key
		FROM crew_change_trace x
		JOIN crew_change c ON c.account = x.account AND c.key = x.key
		WHERE x.account = $1 AND x.mark IN (`+marks+`) AND c.change_date >= $2 AND c.gone = 0
		ORDER BY c.change_date, c.key
		LIMIT $3`, args...)
	if err != nil {
		return nil, nil, fmt.Errorf("list crew changes of a traveller: %w", err)
	}
	for _, d := range found {
		changes = append(changes, d.key)
	}
	list, err := s.travelRequests(ctx, `
		SELECT `+travelRequestColumns+`
		FROM travel_request_trace x
		JOIN travel_request r ON r.account = x.account AND r.request_id = x.request_id AND r.sub_request_id = x.sub_request_id
		WHERE x.account = $1 AND x.mark IN (`+marks+`) AND (r.starts >= $2 OR r.starts = '')
		ORDER BY r.starts, r.request_id, r.sub_request_id
		LIMIT $3`, args...)
	is, seen := gangway.Among([]gangway.Traveller{t}), map[[2]string]bool{}
	return changes, slices.DeleteFunc(list, func(r StoredTravelRequest) bool {
		id := [2]string{r.RequestID, r.SubRequestID}
		again := seen[id]
		seen[id] = true
		return again || !is(r.Traveller)
	}), err
}
