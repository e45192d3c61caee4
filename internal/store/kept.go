package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"gangway/internal/gangway"
)

// Keep is how long records that pile up are kept, in all accounts.
//
// Decided: docs/choices.md, "Erasure".
type Keep struct {
	Actions       gangway.Kept // a booking as it was after an action that is not its latest
	Deliveries    gangway.Kept // what outlets have accepted
	Audit         gangway.Kept
	Requests      gangway.Kept
	Searches      gangway.Kept
	FeedDocuments gangway.Kept
}

// UsualKeep is what is kept unless KeepFor says otherwise.
var UsualKeep = Keep{Requests: gangway.Kept{Days: 30}, Searches: gangway.Kept{Days: 60},
	FeedDocuments: gangway.Kept{Days: 7}}

// KeepFor sets how long records are kept. It is called before anything is done with db.
func (db *DB) KeepFor(k Keep) { db.keep = k }

// Keeps returns how long records are kept.
func (db *DB) Keeps() Keep { return db.keep }

// A KeptKind is a kind of records and what the database has of it.
type KeptKind struct {
	Kind    string       `json:"kind"`
	Kept    gangway.Kept `json:"kept"`
	Rows    int64        `json:"rows"`
	Bytes   int64        `json:"bytes"` // of their tables on disk, with indexes
	Oldest  time.Time    `json:"oldest,omitzero"`
	Removes int64        `json:"removes"` // rows that are older, and that nobody needs any more
}

// The rows that go, older than $1 in milliseconds and, in a booking's own days, $2.
const (
	// Who did what stays, and the booking after its latest action: pulls, and lists of bookings that were changed, read
	// no other.
	earlierActions = ` a.at < $1 AND a.snapshot <> ''
		AND EXISTS (
			SELECT 1 FROM action n WHERE n.account = a.account AND n.booking = a.booking AND n.seq > a.seq)`

	// A booking that flew, was acted on or was delivered since then keeps all, as does one with something to be
	// delivered, or to be pulled by a customer that pulls.
	idleBooking = ` EXISTS (
			SELECT 1 FROM booking b
			WHERE b.account = a.account AND b.id = a.booking AND b.acted_at < $1 AND b.departs < $2)
		AND NOT EXISTS (
			SELECT 1 FROM delivery d
			WHERE d.account = a.account AND d.booking = a.booking AND (d.state <> 'done' OR d.done_at >= $1))
		AND NOT EXISTS (
			SELECT 1 FROM waiting w JOIN pull p ON p.account = w.account
			WHERE w.account = a.account AND w.booking = a.booking)`

	oldDeliveries = `account o CROSS JOIN delivery d
		WHERE d.account = o.id AND d.made_at < $1 AND d.done_at < $1 AND d.state = 'done' AND NOT EXISTS (
			SELECT 1 FROM booking b WHERE b.account = d.account AND b.id = d.booking AND b.departs >= $2)`

	oldAudit = `audit e WHERE e.at < $1`

	oldDocuments = documentsAndRuns + ` WHERE r.began <= $1`

	// A search stays as long as a booking that came of it flies, and as long after that as other searches stay.
	oldSearches = `search s WHERE s.created_at < $1 AND NOT EXISTS (` + bookedFrom + `)`
	bookedFrom  = `SELECT 1 FROM booking b
		WHERE b.account = s.account AND b.search = s.id AND b.erased_at = 0 AND b.departs >= $2`
)

const documentsAndRuns = `feed_document d JOIN feed_run r ON r.account = d.account AND r.feed = d.feed AND r.id = d.run`

// keptKinds says where each kind is: its tables, its rows and how old they are, and which of them go.
var keptKinds = []struct {
	name         string
	tables       []string
	kept         func(Keep) gangway.Kept
	at, all, old string
}{
	{"actions", []string{"action"}, func(k Keep) gangway.Kept { return k.Actions }, `at`, `action`,
		`account o CROSS JOIN action a WHERE a.account = o.id AND` + earlierActions + ` AND` + idleBooking},
	{"deliveries", []string{"delivery", "attempt", "lane"}, func(k Keep) gangway.Kept { return k.Deliveries },
		`made_at`, `delivery`, oldDeliveries},
	{"audit", []string{"audit"}, func(k Keep) gangway.Kept { return k.Audit }, `at`, `audit`, oldAudit},
	{"requests", []string{"logged_request", "request_body"}, func(k Keep) gangway.Kept { return k.Requests },
		`at`, `logged_request`, `logged_request WHERE at < $1`},
	{"searches", []string{"search", "search_trace"}, func(k Keep) gangway.Kept { return k.Searches },
		`created_at`, `search`, oldSearches},
	{"feed-documents", []string{"feed_document"}, func(k Keep) gangway.Kept { return k.FeedDocuments },
		`r.began`, documentsAndRuns, oldDocuments},
}

// cutOff returns the values of a statement above.
func cutOff(statement string, k gangway.Kept, now time.Time) []any {
	before := k.Until(now)
	args := []any{millis(before), string(gangway.DateOf(before))}
	return args[:1+min(1, strings.Count(statement, "$2"))]
}

// SearchesFrom returns the first day whose flights keep the searches that they were booked from.
func (s Scoped) SearchesFrom(now time.Time) gangway.Date {
	return gangway.DateOf(s.db.keep.Searches.Until(now))
}

// Kept returns what there is of each kind, and what would go now if it were kept like that. It counts all rows.
func (db *DB) Kept(ctx context.Context, keep Keep, now time.Time) (list []KeptKind, err error) {
	ctx = withLongWork(ctx)
	sizes, err := db.TableSizes(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := db.reader.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("count what is kept: %w", err)
	}
	defer conn.Close()
	if db.dialect == postgres { // counting takes as long as it takes
		if _, err := conn.ExecContext(ctx, `SET statement_timeout = 0`); err != nil {
			return nil, fmt.Errorf("count what is kept: %w", err)
		}
		defer conn.ExecContext(context.WithoutCancel(ctx), `RESET statement_timeout`)
	}
	for _, kind := range keptKinds {
		k := KeptKind{Kind: kind.name, Kept: kind.kept(keep)}
		for _, table := range kind.tables {
			k.Bytes += sizes[table]
		}
		err := conn.QueryRowContext(ctx, `SELECT count(*), coalesce(min(`+kind.at+`), 0) FROM `+
			kind.all).Scan(&k.Rows, when(&k.Oldest))
		if err == nil && k.Kept != (gangway.Kept{}) {
			err = conn.QueryRowContext(ctx, `SELECT count(*) FROM `+kind.old,
				cutOff(kind.old, k.Kept, now)...).Scan(&k.Removes)
		}
		if err != nil {
			return nil, fmt.Errorf("count %s: %w", kind.name, err)
		}
		list = append(list, k)
	}
	return list, nil
}

// forgetAudit removes the beginnings of the audit log's chains that were written before a time, and returns how many
// entries. Nothing else deletes entries of a customer that is still there.
func (db *DB) forgetAudit(ctx context.Context, before time.Time) (all int, err error) {
	customers, err := selectAll(ctx, db.reader, column[string], `SELECT customer FROM audit_chain ORDER BY customer`)
	for _, customer := range customers {
		for n := oldAtOnce; err == nil && n == oldAtOnce; all += n {
			n, err = db.ForgetAudit(ctx, customer, before, oldAtOnce)
		}
	}
	return all, wrapf(err, "delete old entries of the audit log")
}

// laneLife is how long an idle queue stays. One that is needed again is made again.
const laneLife = 30 * 24 * time.Hour

// dropLanes deletes the queues of bookings in which nothing was delivered since a time, and returns how many.
func (db *DB) dropLanes(ctx context.Context, before time.Time) (all int, err error) {
	last := queueKey{}
	statement := `
		DELETE FROM lane
		WHERE ` + db.dialect.picked(fmt.Sprintf(`
			SELECT %s
			FROM lane
			WHERE (account, outlet, booking) > ($1, $2, $3) AND pending = 0 AND holder = '' AND booking <> '' AND due < $4
			ORDER BY account, outlet, booking
			LIMIT %d`, db.dialect.rowName(), oldAtOnce)) + `
		RETURNING account, outlet, booking`
	for n := oldAtOnce; n == oldAtOnce; all += n {
		err := db.write(ctx, func(tx *sql.Tx) error {
			gone, err := selectAll(ctx, tx, func(row scanner) (k queueKey, err error) {
				return k, row.Scan(&k.Account, &k.Outlet, &k.Booking)
			}, statement, last.Account, last.Outlet, last.Booking, millis(before))
			if n = len(gone); n > 0 {
				last = slices.MaxFunc(gone, queueKey.compare)
			}
			return err
		})
		if err != nil {
			return all, fmt.Errorf("delete idle queues: %w", err)
		}
	}
	return all, nil
}

// actionsSeen is from when on this process looks for old actions of an account: all that were made before and are not
// the latest of their booking are empty. A new process looks at all once.
type actionsSeen struct{ sync.Map }

// forgetActions empties the account's old snapshots, deletes what outlets have accepted of them, and returns how many
// actions that is.
func (s Scoped) forgetActions(ctx context.Context, kept gangway.Kept, now time.Time) (all int, err error) {
	type place struct {
		at      int64
		booking string
		seq     int
		idle    bool
	}
	cut := cutOff(idleBooking, kept, now)
	last, seen := place{}, cut[0].(int64)
	if at, ok := s.db.actions.Load(s.account); ok {
		last.at = at.(int64)
	}
	for n := oldAtOnce; n == oldAtOnce; {
		old, err := selectAll(ctx, s.db.reader, func(row scanner) (p place, err error) {
			return p, row.Scan(&p.at, &p.booking, &p.seq, &p.idle)
		}, fmt.Sprintf(`
			SELECT a.at, a.booking, a.seq,%s
			FROM action a
			WHERE a.account = $3 AND (a.at, a.booking, a.seq) > ($4, $5, $6) AND%s
			ORDER BY a.at, a.booking, a.seq
			LIMIT %d`, idleBooking, earlierActions, oldAtOnce),
			append(slices.Clone(cut), s.account, last.at, last.booking, last.seq)...)
		if err != nil {
			return all, fmt.Errorf("look for old actions: %w", err)
		}
		if n = len(old); n > 0 {
			last = old[n-1]
		}
		old = slices.DeleteFunc(old, func(p place) bool {
			if !p.idle {
				seen = min(seen, p.at)
			}
			return !p.idle
		})
		if len(old) == 0 {
			continue
		}
		err = s.write(ctx, func(tx *sql.Tx) error {
			for _, p := range old {
				for _, statement := range s.db.dialect.emptyAction() {
					if _, err := tx.ExecContext(ctx, statement, s.account, p.booking, p.seq); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return all, fmt.Errorf("empty old actions: %w", err)
		}
		all += len(old)
	}
	s.db.actions.Store(s.account, seen)
	return all, nil
}

// emptyAction are the statements that empty the action $3 of a booking. A delivery that somebody replays meanwhile is
// locked, and due afterwards: its action stays. In SQLite new rows never go between old ones, so only rows that are
// moved to the end leave pages free; the booking's latest action moves with the last of the others.
func (d dialect) emptyAction() []string {
	const which, end = ` WHERE account = $1 AND booking = $2 AND seq = $3`, `rowid = (SELECT max(rowid) + 1 FROM action)`
	deliveries, empty := `DELETE FROM delivery`+which+` AND state = 'done'`, `UPDATE action SET snapshot = ''`
	unless := which + ` AND NOT EXISTS (SELECT 1 FROM delivery` + which + `)`
	if d == postgres {
		return []string{deliveries, empty + unless}
	}
	return []string{deliveries, empty + `, ` + end + unless, `
		UPDATE action
		SET ` + end + which + ` + 1 AND NOT EXISTS (SELECT 1 FROM action` + which + ` + 2)`}
}

// forget deletes what is kept for a shorter time than there is.
func (db *DB) forget(ctx context.Context, e *Expired, now time.Time) (err error) {
	if e.Lanes, err = db.dropLanes(ctx, now.Add(-laneLife)); err != nil {
		return err
	}
	if k := db.keep.Actions; k != (gangway.Kept{}) {
		accounts, err := selectAll(ctx, db.reader, column[string], `SELECT id FROM account WHERE removing = 0 ORDER BY id`)
		if err != nil {
			return fmt.Errorf("list accounts: %w", err)
		}
		for _, account := range accounts {
			n, err := db.In(gangway.Scope{Account: account}).forgetActions(ctx, k, now)
			if e.Actions += n; err != nil {
				return err
			}
		}
	}
	if k := db.keep.Deliveries; k != (gangway.Kept{}) {
		e.Deliveries, err = db.inPortions(ctx, oldAtOnce, `
			DELETE FROM delivery
			WHERE %[1]s IN (SELECT d.%[1]s FROM `+oldDeliveries+` LIMIT %[2]d) AND state = 'done'`,
			cutOff(oldDeliveries, k, now)...)
		if err != nil {
			return fmt.Errorf("delete old deliveries: %w", err)
		}
	}
	if k := db.keep.Audit; k != (gangway.Kept{}) {
		e.Audit, err = db.forgetAudit(ctx, k.Until(now))
	}
	return err
}

// TableSizes returns the bytes that each table takes on disk with its indexes. On SQLite it reads the whole file.
func (db *DB) TableSizes(ctx context.Context) (map[string]int64, error) {
	query := `SELECT m.tbl_name, sum(d.pgsize) FROM dbstat d JOIN sqlite_schema m ON m.name = d.name
		WHERE d.aggregate = 1 GROUP BY m.tbl_name`
	if db.dialect == postgres {
		query = `SELECT relname, pg_total_relation_size(oid) FROM pg_class
			WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`
	}
	sizes := map[string]int64{}
	err := eachRow(withLongWork(ctx), db.reader, query, nil, func(row scanner) error {
		var name string
		var bytes int64
		err := row.Scan(&name, &bytes)
		sizes[name] = bytes
		return err
	})
	return sizes, wrapf(err, "read how large the tables are")
}
