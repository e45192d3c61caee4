package store

import (
	"context"
	"fmt"

	"gangway"

	"github.com/go-json-experiment/json"
)

// UpsertCrewChanges writes crew changes, all or none. No two of them may have the same key.
func (s Scoped) UpsertCrewChanges(ctx context.Context, list []gangway.CrewChange) (Counts, error) {
	docs, err := docs(list)
	if err != nil {
		return Counts{}, err
	}
	rows := make([][]any, len(list))
	for i, c := range list {
		rows[i] = []any{c.Key(), gangway.Fold(c.Vessel), string(c.ChangeDate), docs[i]}
	}
	return s.upsert(ctx, bulk{table: "crew_change", key: []string{"key"}, columns: []string{"key", "vessel", "change_date", "doc"}, rows: rows})
}

// CrewChanges returns the crew changes between two dates, both included, of
// the vessels whose folded name starts with vessel, by date and vessel.
func (s Scoped) CrewChanges(ctx context.Context, vessel string, from, to gangway.Date) ([]gangway.CrewChange, error) {
	rows, err := s.db.reader.QueryContext(ctx, `
		SELECT doc
		FROM crew_change
		WHERE account = $1 AND change_date >= $2 AND change_date <= $3 AND vessel >= $4 AND vessel < $5
		ORDER BY change_date, vessel, key`,
		s.account, from, to, vessel, vessel+"\U0010FFFF")
	if err != nil {
		return nil, fmt.Errorf("list crew changes: %w", err)
	}
	defer rows.Close()
	var list []gangway.CrewChange
	for rows.Next() {
		c, err := scanCrewChange(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, rows.Err()
}

// CrewChange returns the crew change with the given key. NotFound: the account has none.
func (s Scoped) CrewChange(ctx context.Context, key string) (gangway.CrewChange, error) {
	return scanCrewChange(s.db.reader.QueryRowContext(ctx, `
		SELECT doc
		FROM crew_change
		WHERE account = $1 AND key = $2`,
		s.account, key))
}

func scanCrewChange(row scanner) (c gangway.CrewChange, err error) {
	var doc string
	if err := row.Scan(&doc); err != nil {
		return c, one(err, "there is no such crew change")
	}
	if err := json.Unmarshal([]byte(doc), &c); err != nil {
		return c, fmt.Errorf("read crew change: %w", err)
	}
	return c, nil
}
