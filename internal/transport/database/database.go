// Package database reads rows from customers' databases with a SELECT of the
// customer's own.
//
// It changes nothing there: the session is read-only where the system knows such a
// thing, and every transaction is rolled back. Rows become one document, an array of
// objects; what they mean is none of its business.
package database

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/guard"

	"github.com/jackc/pgx/v5/pgconn"
	mssql "github.com/microsoft/go-mssqldb"
)

// Kind is a database.
//
// Spec: Integration options 1.1, 1.2, 2.1, 3.1; decided: docs/choices.md, "Feeds".
var Kind = transport.Kind{
	Name: "database",
	About: "Rows of a database, read with your own SELECT: PostgreSQL, MySQL, MariaDB, SQL Server, Oracle, or a file " +
		"of SQLite.",
	Settings: table,
	Live:     true,
	Example: `{"url": "postgres://gangway@crew.example/crew", "password": "p", ` +
		`"query": "SELECT * FROM crew WHERE last_name LIKE :surname || '%'"}`,
	Open: func(doc json.RawMessage, o transport.Options) (transport.Puller, error) { return open(doc, o) },
	Connects: func(doc json.RawMessage) (string, error) {
		var s settings
		if err := json.Unmarshal(doc, &s); err != nil {
			return "", err
		}
		a, err := readAddress(s)
		if err != nil {
			return "", err
		}
		return a.connects(), nil
	},
	Lacks: func(doc json.RawMessage) error {
		var s settings
		if err := json.Unmarshal(doc, &s); err != nil {
			return nil
		}
		a, err := readAddress(s)
		if err != nil {
			return nil
		}
		return a.lacks()
	},
	Local: func(doc json.RawMessage) bool {
		var s struct{ URL string }
		return json.Unmarshal(doc, &s) != nil || strings.HasPrefix(strings.ToLower(s.URL), "sqlite:")
	},
}

var table = []transport.Setting{
	{Name: "url", Type: transport.Text, Required: true, System: true, Secret: transport.InURL,
		About: "postgres://, mysql://, mariadb://, sqlserver:// or oracle://user@host:port/database (of Oracle: the " +
			"service, in a program built with make build-oracle), or sqlite:///path of a file",
		Example: `"postgres://gangway@crew.example:5432/crew"`},
	{Name: "user", Type: transport.Text, System: true, About: "in place of the one in the url", Example: `"gangway"`},
	{Name: "password", Type: transport.Text, Secret: transport.Whole, About: "in place of the one in the url",
		Example: `"tide-tables"`},
	{Name: "query", Type: transport.Lines, Required: true,
		About:   "one SELECT; :surname, :from, :to and :date in it are what is asked for, NULL where nothing is",
		Example: `"SELECT id, last_name, first_name FROM crew WHERE active = 1"`},
	{Name: "tls", Type: transport.YesNo, System: true,
		About:   "left out: yes, but in networks that the operator allows; without it nothing else is connected to",
		Example: `true`},
	{Name: "ca", Type: transport.Lines, System: true, Example: `"-----BEGIN CERTIFICATE-----\n…"`,
		About: "the certificates, in PEM, of the authorities that the server's certificate must come from, in " +
			"place of the usual ones"},
	{Name: "time_limit", Type: transport.Number, About: "seconds for everything, 1 to 600; left out: 60",
		Example: `120`},
	{Name: "row_limit", Type: transport.Number, Example: `50000`,
		About: "rows that a query may give, 1 to 10000000; left out: 1000000; more are an error"},
}

// The limits, where the settings do not say them, and how far they may be said.
const (
	usualTime, longestTime = 60, 600
	usualRows, mostRows    = 1_000_000, 10_000_000
)

// settings are those of Kind, as they are read.
type settings struct {
	URL, User, Password, Query, CA string
	TLS                            *bool
	TimeLimit                      *int `json:"time_limit"`
	RowLimit                       *int `json:"row_limit"`
}

func open(doc json.RawMessage, o transport.Options) (*puller, error) {
	var s settings
	if err := (transport.Kind{Settings: table}).Read(doc, &s); err != nil {
		return nil, err
	}
	a, err := readAddress(s)
	if err != nil {
		return nil, err
	}
	p := &puller{address: a, guard: newGuard(o.Allow)}
	if p.time, err = within("time_limit", s.TimeLimit, usualTime, longestTime); err != nil {
		return nil, err
	}
	if p.rows, err = within("row_limit", s.RowLimit, usualRows, mostRows); err != nil {
		return nil, err
	}
	if p.query, err = readQuery(s.Query, a.system); err != nil {
		return nil, err
	}
	if a.host != "" {
		if err := p.guard.CheckHost(a.host); err != nil {
			return nil, gangway.Errorf(gangway.Invalid, "url: %v", err)
		}
	}
	if err := a.lacks(); err != nil {
		return nil, err
	}
	return p, nil
}

func within(name string, given *int, usual, most int) (int, error) {
	if given == nil {
		return usual, nil
	}
	if *given < 1 || *given > most {
		return 0, gangway.Errorf(gangway.Invalid, "%s must be from 1 to %d", name, most)
	}
	return *given, nil
}

// A puller reads rows with one query.
type puller struct {
	address address
	guard   *guard.Guard
	query   query
	time    int // seconds
	rows    int
}

// Pull implements transport.Puller.
func (p *puller) Pull(ctx context.Context, q transport.Query) iter.Seq2[*transport.Arrival, error] {
	return func(yield func(*transport.Arrival, error) bool) {
		ctx, cancel := context.WithTimeout(ctx, time.Duration(p.time)*time.Second)
		defer cancel()
		if err := p.pull(ctx, q, yield); err != nil {
			yield(nil, p.sentence(ctx, err))
		}
	}
}

// pull connects, asks, and yields the rows.
func (p *puller) pull(ctx context.Context, q transport.Query, yield func(*transport.Arrival, error) bool) error {
	most := cmp.Or(q.Most, transport.MostBytes)
	connector, err := p.connector(ctx, most)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	tx, err := p.address.system.begin(ctx, conn, time.Duration(p.time)*time.Second)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, p.query.text, p.query.values(q.Ask, p.address.system)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	doc, err := newDocument(rows, p.rows)
	if err != nil {
		return err
	}
	yield(&transport.Arrival{Key: "1", ContentType: "application/json; records=rows", Time: time.Now(),
		Body: transport.Explained(transport.AtMost(doc, most), func(err error) error {
			return p.sentence(ctx, err)
		})}, nil)
	return nil
}

// sentence makes an error one for the customer's admins.
func (p *puller) sentence(ctx context.Context, err error) error {
	var postgres *pgconn.PgError
	var microsoft mssql.Error
	switch {
	case errors.As(err, new(*gangway.Error)):
		return err
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return gangway.Errorf(gangway.Unavailable, "the database did not answer in time")
	case errors.Is(err, errPlain):
		return gangway.Errorf(gangway.Unavailable, "%v", errPlain)
	case errors.Is(err, errElsewhere):
		return gangway.Errorf(gangway.Unavailable, "%v", errElsewhere)
	case errors.As(err, &postgres):
		err = errors.New("the database says: " + p.saidByPostgres(postgres))
	case errors.As(err, &microsoft) && microsoft.LineNo > 0:
		err = fmt.Errorf("the database says: %s, at line %d of the query", microsoft.Message, microsoft.LineNo)
	default:
		err = guard.Explain(err, "the database says")
	}
	text := err.Error()
	if p.address.password != "" {
		text = strings.ReplaceAll(text, p.address.password, "…")
	}
	return gangway.Errorf(gangway.Unavailable, "%s", strings.ToValidUTF8(gangway.Shortened(text, 500), "…"))
}

// saidByPostgres is what PostgreSQL says, where in the query, and what it suggests.
func (p *puller) saidByPostgres(e *pgconn.PgError) string {
	text := e.Message
	if e.Position > 0 {
		text += ", at " + p.query.place(int(e.Position))
	}
	if e.Hint != "" {
		text += ". " + e.Hint
	}
	return text
}
