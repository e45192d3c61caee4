package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
)

// travelSince returns the indexes of those travellers among rows who are kept by
// the latest booking of their name: it is their own and departs after before.
// That is true of nearly everybody, and one statement answers it for all of
// them; lastTrip looks at the others.
func (s Scoped) travelSince(ctx context.Context, rows []agedRow, before time.Time) (map[int]bool, error) {
	places, args := map[string][]int{}, []any{s.account}
	ids := make([]string, len(rows))
	for i, r := range rows {
		t, err := readTraveller(r.columns[0])
		if err != nil {
			return nil, err
		}
		name := t.FoldedName()
		if places[name] == nil {
			args = append(args, name)
		}
		places[name], ids[i] = append(places[name], i), t.ID
	}
	if len(rows) == 0 {
		return nil, nil
	}
	// A day of departure is local to the airport: wherever that is, the flight is
	// not over two days earlier.
	since, kept := gangway.DateOf(before.AddDate(0, 0, 2)), map[int]bool{}
	err := eachRow(ctx, s.db.reader, latestTrips(len(args)-1), args, func(row scanner) error {
		var name, departs, doc string
		var b bookedTraveller
		if err := row.Scan(&name, &departs, &doc); err != nil || departs <= string(since) {
			return err
		}
		if err := json.Unmarshal([]byte(doc), &b); err != nil {
			return err
		}
		for _, i := range places[name] {
			if ids[i] == "" || b.Passenger.ID == "" || ids[i] == b.Passenger.ID {
				kept[i] = true
			}
		}
		return nil
	})
	return kept, err
}

// latestTrips reads the latest booking for each of n names.
func latestTrips(n int) string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("($%d)", i+2))
	}
	return `
		SELECT b.passenger, b.departs, b.doc
		FROM (
			SELECT (
				SELECT id
				FROM booking
				WHERE account = $1 AND passenger = name.column1
				ORDER BY departs DESC, id DESC
				LIMIT 1) AS id
			FROM (VALUES ` + strings.Join(names, ", ") + `) AS name) AS latest
		JOIN booking b ON b.account = $1 AND b.id = latest.id`
}
