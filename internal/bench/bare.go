package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"gangway/internal/program"

	"github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"
)

// bareTables is the database of the floors, with tables of their own: a change of Gangway's schema is no change of a
// floor.
type bareTables struct {
	db   *sql.DB
	conn *pgx.Conn // for COPY, on PostgreSQL
}

func newBareTables(ctx context.Context, p *place) (*bareTables, error) {
	g, err := p.program(ctx)
	if err != nil {
		return nil, err
	}
	b := &bareTables{}
	if file, ok := strings.CutPrefix(g.Database, "sqlite:"); ok {
		b.db, err = sql.Open("sqlite", "file:"+file+"?_txlock=immediate&_pragma=journal_mode(WAL)"+
			"&_pragma=synchronous(FULL)&_pragma=cache_size(-65536)&_pragma=mmap_size(1073741824)"+
			"&_pragma=case_sensitive_like(1)")
	} else if b.db, err = sql.Open("pgx", g.Database); err == nil {
		b.conn, err = pgx.Connect(ctx, g.Database)
	}
	if err != nil {
		return nil, err
	}
	b.db.SetMaxOpenConns(4)
	p.later(func() error {
		if b.conn != nil {
			b.conn.Close(context.WithoutCancel(ctx))
		}
		return b.db.Close()
	})
	return b, b.create(ctx, `traveller (account TEXT, key TEXT, surname TEXT, given TEXT, doc TEXT,
		PRIMARY KEY (account, key))`, `traveller_surname ON traveller (account, surname, given)`)
}

// create makes a table and its indexes, with texts in the order of their bytes.
func (b *bareTables) create(ctx context.Context, table string, indexes ...string) error {
	if b.conn != nil {
		table = strings.ReplaceAll(table, " TEXT", ` TEXT COLLATE "C"`)
	}
	if _, err := b.db.ExecContext(ctx, "CREATE TABLE "+table); err != nil {
		return err
	}
	for _, index := range indexes {
		if _, err := b.db.ExecContext(ctx, "CREATE INDEX "+index); err != nil {
			return err
		}
	}
	return nil
}

// insert adds rows in the fastest way that we know: COPY on PostgreSQL, and statements of many rows on SQLite.
func (b *bareTables) insert(ctx context.Context, table string, columns []string, rows [][]any) error {
	if b.conn != nil {
		_, err := b.conn.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromRows(rows))
		return err
	}
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	row := "(?" + strings.Repeat(", ?", len(columns)-1) + ")"
	text, atOnce := "", 0
	for part := range slices.Chunk(rows, 250) {
		if len(part) != atOnce {
			atOnce = len(part)
			text = fmt.Sprintf("INSERT INTO %s (%s) VALUES %s%s", table, strings.Join(columns, ", "), row,
				strings.Repeat(", "+row, atOnce-1))
		}
		if _, err := tx.ExecContext(ctx, text, slices.Concat(part...)...); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// insertTravellers encodes travellers and writes them in bulk.
func (b *bareTables) insertTravellers(ctx context.Context, account string, list []program.Traveller) error {
	var doc bytes.Buffer
	enc := json.NewEncoder(&doc)
	enc.SetEscapeHTML(false)
	rows := make([][]any, len(list))
	for i := range list {
		t := &list[i]
		doc.Reset()
		if err := enc.Encode(t); err != nil {
			return err
		}
		rows[i] = []any{account, "id:" + t.ID, strings.ToLower(t.LastName), strings.ToLower(t.FirstName), doc.String()}
	}
	return b.insert(ctx, "traveller", strings.Fields("account key surname given doc"), rows)
}

// list runs a query and has each row read.
func (b *bareTables) list(ctx context.Context, read func(*sql.Rows) error, query string, args ...any) error {
	rows, err := b.db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// serveBare serves a floor and returns its address.
func (p *place) serveBare(answer func(http.ResponseWriter, *http.Request) error) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := answer(w, r); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}))
	p.later(func() error { server.Close(); return nil })
	return server.URL
}

// bareClient asks the floors. Answers are not compressed.
var bareClient = &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: workers}}
