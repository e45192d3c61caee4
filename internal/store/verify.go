package store

import (
	"context"
	"database/sql"
	_ "embed" // verify.sql
	"fmt"
	"strings"

	"gangway/internal/gangway"
)

// Checked says how an invariant was found.
type Checked struct {
	Check    string   `json:"check"`
	Rows     int      `json:"rows"` // that were looked at
	Breaches int      `json:"breaches"`
	Do       string   `json:"do,omitzero"`    // about the breaches
	First    []string `json:"first,omitzero"` // breaches, at most 20: the rows by their identifiers, and why
}

// An invariant is true of the store after every transaction. A new one is a part of verify.sql or an entry of
// invariants, and one of the test that breaks each. It is checked of the database, of each account, or of each booking.
type invariant struct {
	name, do string
	whole    func(*DB, context.Context, *finding) error
	account  func(Scoped, context.Context, *finding) error
	booking  func(*bookingPage, *keptBooking) string // why it is broken; empty: it is not
}

// remedies are what operators do about breaches.
var remedies = map[string]string{
	"restore":  "restore a backup from before, and report it: no fault is known that leads to this",
	"report":   "report it with these lines: something may not be found, or be listed wrongly",
	"replay":   "replay the booking's actions (gangway outlet replay), and report it",
	"supplier": "compare the booking with its order and invoice at the supplier, and report it",
	"rebuild":  "gangway report rebuild",
	"records":  "upload the record again, before anybody in it is erased",
	"key":      "give the key that sealed it, or set the secret again",
	"audit":    "find out who can write to the database: entries were changed, removed or added",
}

var invariants = append([]invariant{
	{name: "database", do: "restore", whole: (*DB).checkDatabase},
	{name: "secrets", do: "key", whole: (*DB).checkSecrets},
	{name: "audit-chain", do: "audit", whole: (*DB).checkAudit},
	{name: "booking-columns", do: "restore", booking: (*bookingPage).checkColumns},
	{name: "snapshots", do: "restore", booking: (*bookingPage).checkSnapshot},
	{name: "money", do: "supplier", booking: func(_ *bookingPage, b *keptBooking) string { return b.MoneyBreach() }},
	{name: "report", do: "rebuild", booking: func(p *bookingPage, b *keptBooking) string { return p.differs[b.ID] }},
	{name: "found-by", do: "report", booking: (*bookingPage).checkNamed},
	{name: "names", do: "records", account: Scoped.checkWords},
	{name: "traces", do: "records", account: Scoped.checkTraces},
}, rowChecks()...)

//go:embed verify.sql
var verifySQL string

// rowChecks are the invariants of verify.sql.
func rowChecks() (list []invariant) {
	for _, part := range strings.Split(strings.TrimSpace(verifySQL), "\n\n")[1:] {
		head, rest, _ := strings.Cut(strings.TrimPrefix(part, "-- "), "\n-- ")
		why, bad, _ := strings.Cut(rest, "\n")
		of := strings.Split(head, " | ")
		list = append(list, invariant{name: of[0], do: of[1], account: func(s Scoped, ctx context.Context,
			f *finding) error {
			bad := strings.NewReplacer("{now}", s.db.dialect.clock(), "{live}", live, "{ofBooking}",
				"FROM booking b WHERE b.account = x.account AND b.id = x.booking").Replace(bad)
			return s.eachPage(ctx, of[2], of[3], "CASE WHEN "+bad+" THEN 1 ELSE 0 END", "true",
				func(key []any, row scanner) error {
					broken, err := column[int](row)
					f.look(broken == 1, why, append([]any{of[2]}, key...)...)
					return err
				})
		}})
	}
	return list
}

// A finding is what was found so far of an invariant, in an account or a customer's log.
type finding struct {
	*Checked
	in string
}

// look counts a row that was looked at, and notes it if it breaks the invariant.
func (f *finding) look(broken bool, why string, row ...any) {
	if f.Rows++; !broken {
		return
	}
	if f.Breaches++; len(f.First) < 20 {
		f.First = append(f.First, strings.TrimSpace(f.in+" "+strings.TrimSpace(fmt.Sprintln(row...)))+": "+why)
	}
}

// verifiedAtOnce is how many rows, and how many bookings with what belongs to them, are read at one moment.
const verifiedAtOnce = 500

// Verify looks whether the database breaks an invariant. It may run beside servers: what belongs together is read at
// one moment. Customers who are being removed are left out. It says nothing of people.
func (db *DB) Verify(ctx context.Context) ([]Checked, error) {
	ctx = withLongWork(ctx)
	accounts, err := selectAll(ctx, db.reader, column[string], `SELECT id FROM account WHERE removing = 0 ORDER BY id`)
	all := make([]Checked, len(invariants))
	for i, v := range invariants {
		all[i].Check = v.name
		if v.whole != nil && err == nil {
			err = v.whole(db, ctx, &finding{&all[i], ""})
		}
		for _, id := range accounts {
			if v.account != nil && err == nil {
				err = v.account(db.In(gangway.Scope{Account: id}), ctx, &finding{&all[i], id})
			}
		}
		if err != nil {
			return nil, fmt.Errorf("verify %s: %w", v.name, err)
		}
	}
	for _, id := range accounts {
		if err == nil {
			err = db.In(gangway.Scope{Account: id}).checkBookings(ctx, all)
		}
	}
	for i := range all {
		if all[i].Breaches > 0 {
			all[i].Do = remedies[invariants[i].do]
		}
	}
	return all, wrapf(err, "verify bookings")
}

// firstKeys are before all values of the keys that are numbers.
var firstKeys = map[string]any{"seq": int64(0), "mark": int64(-1 << 63)}

// eachPage calls read for each row x of a table of the account, in the order of its keys and a page at a time, with the
// keys and, to be scanned, more columns.
func (s Scoped) eachPage(ctx context.Context, table, keys, more, which string,
	read func([]any, scanner) error) (err error) {
	names := strings.Fields(keys)
	last, into := make([]any, len(names)), make([]any, len(names))
	for i, name := range names {
		if last[i], into[i] = firstKeys[name], &last[i]; last[i] == nil {
			last[i] = ""
		}
	}
	query := fmt.Sprintf(`SELECT %s, %s FROM %s x WHERE x.account = $1 AND (%[1]s) > (%[4]s) AND (%[5]s) ORDER BY %[1]s LIMIT %[6]d`,
		"x."+strings.Join(names, ", x."), more, table, placeholders(2, len(names)), which, verifiedAtOnce)
	for n := verifiedAtOnce; n == verifiedAtOnce && err == nil; {
		n = 0
		err = eachRow(ctx, s.db.reader, query, append([]any{s.account}, last...), func(row scanner) error {
			n++
			return read(last, prefixedRow{row, into})
		})
	}
	return err
}

// checkDatabase has SQLite examine its file. On PostgreSQL an index may be invalid after an interrupted migration.
func (db *DB) checkDatabase(ctx context.Context, f *finding) error {
	query := `SELECT integrity_check FROM pragma_integrity_check
		UNION ALL SELECT "table" || ' ' || coalesce(rowid, '') FROM pragma_foreign_key_check`
	if db.dialect == postgres {
		query = `SELECT CAST(CAST(indexrelid AS regclass) AS TEXT) FROM pg_index WHERE NOT indisvalid`
	}
	return eachRow(ctx, db.reader, query, nil, func(row scanner) error {
		what, err := column[string](row)
		f.look(what != "ok", "the database is damaged", what)
		return err
	})
}

func (db *DB) checkSecrets(ctx context.Context, f *finding) error {
	return db.eachSecret(ctx, func(c sealedColumn, v sealedValue) {
		_, err := db.In(gangway.Scope{Account: v.account}).open(c, v.id, v.text)
		f.look(v.key != "" && err != nil, "the keys that were given do not open it", v.account, c.table, v.id)
	})
}

// snapshot has do read everything as it is at one moment.
func (db *DB) snapshot(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := db.reader.BeginTx(ctx, &sql.TxOptions{Isolation: db.dialect.snapshot(), ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return do(tx)
}
