package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/program"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"
)

// A yardstick is plain work on the same kind of database, timed beside each measurement: 10,000 travellers are decoded,
// encoded and written in bulk, into a table of its own, so that a change of Gangway's schema is none of the yardstick.
type yardstick struct {
	db   *sql.DB
	body []byte
}

func newYardstick(ctx context.Context, p *place) (*yardstick, error) {
	g, err := p.program(ctx)
	if err != nil {
		return nil, err
	}
	y := &yardstick{}
	if y.body, err = json.Marshal(program.Crew(0, uploaded)); err != nil {
		return nil, err
	}
	driver, source := "pgx", g.Database
	if file, ok := strings.CutPrefix(g.Database, "sqlite:"); ok {
		driver, source = "sqlite", "file:"+file+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)"
	}
	if y.db, err = sql.Open(driver, source); err != nil {
		return nil, err
	}
	p.later(y.db.Close)
	return y, nil
}

// lay does the work once, in an empty table.
func (y *yardstick) lay(ctx context.Context, _ int) (time.Duration, error) {
	for _, text := range []string{"DROP TABLE IF EXISTS traveller",
		"CREATE TABLE traveller (key TEXT PRIMARY KEY, surname TEXT, given TEXT, doc TEXT)"} {
		if _, err := y.db.ExecContext(ctx, text); err != nil {
			return 0, err
		}
	}
	began := time.Now()
	var list []program.Traveller
	dec := json.NewDecoder(bytes.NewReader(y.body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&list); err != nil {
		return 0, err
	}
	tx, err := y.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	for some := range slices.Chunk(list, 250) {
		var values []string
		var args []any
		for i, t := range some {
			doc, err := json.Marshal(t)
			if err != nil {
				return 0, err
			}
			n := 4 * i
			values = append(values, fmt.Sprintf("($%d, $%d, $%d, $%d)", n+1, n+2, n+3, n+4))
			args = append(args, t.ID, strings.ToLower(t.LastName), strings.ToLower(t.FirstName), string(doc))
		}
		text := "INSERT INTO traveller (key, surname, given, doc) VALUES " + strings.Join(values, ", ")
		if _, err := tx.ExecContext(ctx, text, args...); err != nil {
			return 0, err
		}
	}
	err = tx.Commit()
	return time.Since(began), err
}
