package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"syscall"
	"testing/fstest"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/report"
	"gangway/internal/report/query"
	"gangway/internal/store/internal/lease"

	"github.com/jackc/pgx/v5/pgconn"
)

// WithMigrations returns the options of a program that knows more migrations than this one, by their files' names.
func WithMigrations(o Options, more fstest.MapFS) (Options, error) {
	all := maps.Clone(more)
	names, err := fs.Glob(released, "*.sql")
	if err != nil {
		return o, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(released, name)
		if err != nil {
			return o, err
		}
		all[name] = &fstest.MapFile{Data: text}
	}
	o.migrations = all
	return o, nil
}

// AdmitsWith returns what Admits returns of a program with these options.
func AdmitsWith(o Options) (int64, error) { return admits(o.known()) }

// ForgetWords leaves travellers as they were before there were words of their names.
func (db *DB) ForgetWords(ctx context.Context) error {
	for _, statement := range []string{
		`DELETE FROM traveller_word`,
		`INSERT INTO unworded (account, id, keys, after_key) SELECT DISTINCT account, 'all', '', '' FROM traveller`,
	} {
		if _, err := db.writer.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// JudgedColumns are all columns listed in personal.go, as table.column.
func JudgedColumns() (list []string) {
	for _, t := range keptTables {
		for _, column := range strings.Fields(t.personal + " " + t.other) {
			list = append(list, t.table+"."+column)
		}
	}
	return list
}

// PersonalColumns are those that say something about a traveller.
func PersonalColumns() (list []string) {
	for _, t := range keptTables {
		for _, column := range strings.Fields(t.personal) {
			list = append(list, t.table+"."+column)
		}
	}
	return list
}

// TablesOfAccounts are the tables whose rows belong to an account.
func TablesOfAccounts() []string { return tablesOf(ofAccount) }

// BookingStatements returns every statement that lists or counts an account's
// bookings, with arguments, for a page in the middle of each list.
func (s Scoped) BookingStatements() map[string]Statement {
	out := map[string]Statement{
		"count by state":   {countStates(), []any{s.account}},
		"count what waits": {countWaits, []any{s.account, int64(5), int64(9), "2026-11-01"}},
		"deadlines":        {firstStatement(waiting, mostUrgent), []any{s.account, 200}},
		"approvals":        {firstStatement(forApprover, mostUrgent), []any{s.account, 200}},
		"find exactly":     {findExactly, append([]any{s.account}, exactlyArgs("b7")...)},
		"each booker":      {eachBooker, []any{s.account}},
		"find a reference": {findReferred, []any{s.account, "PNR7", after("PNR7"), 4}},
		"find a locator":   {findLocated, []any{s.account, "B07", after("B07"), 4}},
		"find a ticket":    {findTicketed, []any{s.account, "2177", after("2177"), 4}},
		"find by name":     {findNamed, []any{s.account, "san", after("san"), 20}},
		"journeys":         {findJourneys, []any{s.account, "santos maria", 60}},
		"latest aboard":    {findAboard, []any{s.account, "vessel 7"}},
		"needs a person":   {firstStatement(forPersonOnly, longest), []any{s.account, 200}},
		"endings":          {unseenEndings, []any{s.account, 200}},
		"ended by people":  {endedByPeople, []any{s.account, 200}},
	}
	for name, q := range map[string]BookingQuery{
		"newest": {}, "state": {State: "issued"}, "vessel": {Vessel: "nor"}, "who booked": {By: "ana@example.com"},
		"from": {From: "2026-12-01"}, "to": {To: "2026-12-01"},
		"days": {From: "2026-12-01", To: "2026-12-03"}, "change": {Change: "id:7"}, "search": {Search: "s1"},
		"find": {Find: "2179"}, "find a name": {Find: "san"},
		"several": {Vessel: "nor", State: "issued", From: "2026-12-01", By: "ana@example.com"},
	} {
		w := queryMeaning{exact: map[string]bool{"b1": true}, names: []string{"santos maria"},
			vessels: []string{"vessel 7"}, by: []string{"ana@example.com"}}
		for i, t := range q.ranges(w) {
			place := make([]any, len(t.keys))
			for j, k := range t.keys {
				if place[j] = any("m"); k.number() {
					place[j] = int64(1_800_000_000_000)
				}
			}
			for j, p := range append(t.parts(nil, false), t.parts(place, false)...) {
				for _, back := range []bool{false, true} {
					text, args := s.statement(t, p, 51, back)
					out[fmt.Sprintf("%s, range %d, part %d, back %v", name, i, j, back)] = Statement{text, args}
				}
			}
			if t.fits == nil {
				out["count "+name] = Statement{countUpTo(t.where, t.keys), append([]any{s.account}, t.args...)}
			}
		}
	}
	return out
}

// EraseStatements returns every statement that finds a person's records, or records
// to be traced, with arguments.
func (s Scoped) EraseStatements() map[string]Statement {
	out := map[string]Statement{}
	for _, h := range travellerTables {
		last := []any{s.account}
		for range h.key {
			last = append(last, "m")
		}
		out["marked "+h.table] = Statement{h.markedStatement(), []any{s.account, traceMark("id E1")}}
		out["untraced "+h.table] = Statement{h.untracedStatement(false), []any{s.account}}
		out["untraced after "+h.table] = Statement{h.untracedStatement(true), last}
		out["to trace "+h.table] = Statement{h.traceStatement(s.db.dialect), nil}
	}
	const day = "2026-11-01"
	for name, statement := range map[string]Statement{
		"old bookings": {oldBookings, []any{s.account, day, "2026-10-01", "b7"}},
		"first requests": {retentionRule{travellerTable: travellerTableOf("travel_request"), order: byStart,
			columns: []string{"doc"}}.statement(false), []any{s.account, day}},
		"old requests": {retentionRule{travellerTable: travellerTableOf("travel_request"), order: byStart,
			columns: []string{"doc"}}.statement(true), []any{s.account, day, "", "b7", ""}},
		"old crew changes": {retentionRule{travellerTable: travellerTableOf("crew_change"), order: byDay,
			columns: []string{"doc"}}.statement(true), []any{s.account, day, "2026-10-01", "", "b7"}},
		"travellers in turn": {retentionRule{travellerTable: travellerTableOf("traveller"), order: byKey,
			columns: []string{"doc"}}.statement(true), []any{s.account, "id:b7"}},
		"trips of a name":   {tripsOf, []any{s.account, "santos maria"}},
		"answers to a push": {eraseAnswers, []any{s.account, "b7"}},
		"bodies of a push":  {eraseBodies, []any{s.account, "b7"}},
		"items of a trip":   {eraseBatchItem + ` AND booking = $2`, []any{s.account, "b7"}},
		"intents of a trip": {eraseIntent + ` AND booking = $2`, []any{s.account, "b7", Done}},
	} {
		out[name] = statement
	}
	return out
}

// SuggestStatement returns the statement that looks for travellers by words.
func (s Scoped) SuggestStatement(words ...string) Statement {
	args := []any{s.account}
	for i, w := range words {
		if args = append(args, w, w+"\U0010FFFF"); i == 0 {
			args = append(args, 20)
		}
	}
	return Statement{suggestStatement(len(words) - 1), args}
}

// WordsStatement returns the statement that reads n travellers to write their words.
func (s Scoped) WordsStatement(n int) Statement {
	args := []any{s.account}
	for i := range n {
		args = append(args, fmt.Sprintf("id:%d", i))
	}
	return Statement{s.db.dialect.wordsStatement(n), args}
}

// EraseOldMeanwhile erases all rows of a table as old, and calls meanwhile for each
// row between judging its age and deleting it.
func (s Scoped) EraseOldMeanwhile(ctx context.Context, table string, now time.Time, meanwhile func()) (int, error) {
	all := retentionRule{travellerTable: travellerTableOf(table), order: travellerTableOf(table).key,
		columns: []string{"doc"}}
	all.ended = func([]string) (time.Time, bool, error) {
		meanwhile()
		return now, false, nil
	}
	return s.eraseOldRows(ctx, all, now, now)
}

// EachActor is the statement for everybody who has entries in the audit log.
var EachActor = eachActor

// A Statement is a query and its arguments.
type Statement struct {
	Text string
	Args []any
}

// Reader returns the connections that db reads with, with all their settings.
func (db *DB) Reader() *sql.DB { return db.reader.DB }

// Writer is where the database is written.
func (db *DB) Writer() *sql.DB { return db.writer.DB }

// SetPatience sets after how long db gives up waiting for its database.
func (db *DB) SetPatience(d time.Duration) { db.guard.SetPatience(d) }

// Mark returns a match key as traces store it.
func Mark(of string) int64 { return traceMark(of) }

// OldSearches returns the statement that finds searches old enough to be deleted.
func OldSearches() Statement {
	return Statement{nextOldSearches, []any{int64(5), "2026-11-01", int64(1), "a", "b7"}}
}

// NoteFull makes db behave as if a write was just refused for lack of room, and returns its error.
func (db *DB) NoteFull(ctx context.Context) error {
	if db.dialect == sqlite {
		return db.guard.Outage.Note(ctx, fmt.Errorf("write: %w", syscall.ENOSPC))
	}
	return db.guard.Outage.Note(ctx, &pgconn.PgError{Code: "53100"})
}

// IsFull reports whether db believes that its disk is full.
func (db *DB) IsFull() bool { return db.guard.Outage.IsFull() }

// ALittleLater makes what db remembers of its database askAgain older.
func (db *DB) ALittleLater() {
	db.checked = db.checked.Add(-askAgain)
	db.guard.Outage.Refused = db.guard.Outage.Refused.Add(-askAgain)
}

// SaveReportRows writes rows of the report that belong to no bookings.
func (s Scoped) SaveReportRows(ctx context.Context, rows []report.Row) error {
	return s.SaveReportRowsMeanwhile(ctx, rows, func() {})
}

// SaveReportRowsMeanwhile writes rows, and calls a function while the transaction still runs.
func (s Scoped) SaveReportRowsMeanwhile(ctx context.Context, rows []report.Row, meanwhile func()) error {
	return s.db.write(ctx, func(tx *sql.Tx) error {
		for _, row := range rows {
			if err := s.saveReportRowsOf(ctx, tx, report.FlightBookings, row); err != nil {
				return err
			}
		}
		meanwhile()
		return nil
	})
}

// SaveReportRowsOf writes rows of a set that belong to no bookings, where the set has its rows from.
func (s Scoped) SaveReportRowsOf(ctx context.Context, set report.Set, rows []report.Row) error {
	return s.db.write(ctx, func(tx *sql.Tx) error {
		for _, row := range rows {
			if err := s.saveReportRowsOf(ctx, tx, set, row); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s Scoped) saveReportRowsOf(ctx context.Context, tx *sql.Tx, set report.Set, row report.Row) error {
	one := reportRow{Row: row}
	v := map[string]any{}
	for i, c := range set.Columns {
		if v[c.SQL] = row[i]; c.Forced != "" {
			one.forced = row[i]
		}
	}
	exec := func(query string, args ...any) error {
		_, err := tx.ExecContext(ctx, query, append([]any{s.account}, args...)...)
		return err
	}
	switch set.Name {
	case report.Actions.Name:
		return exec(`
			INSERT INTO action (account, booking, seq, name, at, by_whom, by_name, note, snapshot)
			VALUES ($1, $2, $3, $4, $5, $6, $7, '', '{}')`,
			v["booking_id"], v["sequence"], v["action"], v["acted_at"], v["user_email"], v["user_name"])
	case report.Deliveries.Name:
		for i, at := range []any{v["first_tried_at"], v["last_tried_at"]} {
			if at == nil || i == 1 && at == v["first_tried_at"] {
				continue
			}
			status := v["last_status"]
			if status == nil || i == 0 && at != v["last_tried_at"] {
				status = 0
			}
			err := exec(`
				INSERT INTO attempt (account, outlet, booking, seq, at, took_ms, status, answer)
				VALUES ($1, $2, $3, $4, $5, 1, $6, '')`,
				v["outlet_id"], v["booking_id"], v["sequence"], at, status)
			if err != nil {
				return err
			}
		}
		done := v["delivered_at"]
		if done == nil {
			done = 0
		}
		return exec(`
			INSERT INTO delivery (account, outlet, booking, seq, id, state, made_at, done_at, attempts)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			v["outlet_id"], v["booking_id"], v["sequence"], v["delivery_id"], v["progress"], v["made_at"], done,
			v["tries"])
	case report.HotelRequirements.Name:
		day := func(ms any) any {
			if ms == nil {
				return nil
			}
			return time.UnixMilli(ms.(int64)).UTC().Format(time.DateOnly)
		}
		doc, err := json.Marshal(map[string]map[string]any{
			"hotel":     {"location": v["location"], "check_in": day(v["check_in"]), "check_out": day(v["check_out"])},
			"traveller": {"last_name": v["passenger_last_name"], "first_name": v["passenger_first_name"]},
			"vehicle":   {"name": v["vessel_name"], "flag": v["vessel_flag"]},
		})
		if err != nil {
			return err
		}
		at, by := v["handled_at"], v["handled_by_user"]
		if at == nil {
			at = 0
		}
		if by == nil {
			by = ""
		}
		return exec(`
			INSERT INTO travel_request (account, request_id, sub_request_id, starts, hotel_from, vessel, doc, version,
				handled_at, handled_by)
			VALUES ($1, $2, $3, '2026-01-01', '2026-01-01', '', $4, 1, $5, $6)`,
			v["request_id"], v["sub_request_id"], string(doc), at, by)
	}
	return s.saveReportRows(ctx, tx, set, []reportRow{one})
}

// ReportStatements returns the statements for the rows of a request.
func (s Scoped) ReportStatements(ctx context.Context, req query.Request) (all []Statement, err error) {
	d, err := s.db.dialectOfReports(ctx)
	if err != nil {
		return nil, err
	}
	account, err := s.Account(ctx)
	source := s.reportSources(req, account)
	list, _ := d.Rows(source.Sources, req)
	if req.Linked != nil {
		list = []query.Statement{d.Linked(source.Sources, req), d.LinkedCounts(source.Sources, req)}
	}
	for _, statement := range list {
		text, args := source.statement(statement)
		all = append(all, Statement{text, args})
	}
	return all, err
}

// Reports returns the connections that reports are read by.
func (db *DB) Reports() *sql.DB { return db.reports.DB }

// WithoutCollations has reports read as if PostgreSQL had no collation that knows letters.
func (db *DB) WithoutCollations() {
	d := query.PostgreSQL(nil)
	db.reports.translate.Store(&d)
}

// SetLoggedRequestsMost sets how many requests of an account are kept, until the function returned is called.
func SetLoggedRequestsMost(n int) (back func()) {
	before := loggedRequestsMost
	loggedRequestsMost = n
	return func() { loggedRequestsMost = before }
}

// SetChangesSummed sets for how many changes of the report their periods are looked up, until the function returned is
// called.
func SetChangesSummed(n int) (back func()) {
	before := changesSummed
	changesSummed = n
	return func() { changesSummed = before }
}

// DeliveryStatements are those that every delivery costs, on this database. Their arguments fit an account "a".
func (db *DB) DeliveryStatements() map[string]Statement {
	given := func(statement func(table string) string, columns givenColumns, row ...any) Statement {
		table, args := db.dialect.given(columns, [][]any{row})
		return Statement{statement(table), args}
	}
	attempt := &Attempt{Status: 200}
	o := Outcome{Queue: DeliveryQueue{Scope: gangway.Scope{Account: "a"}, Outlet: "o", Booking: "b",
		lease: lease.New("h", time.Now())}, Results: []Result{{State: "done", Attempt: attempt}}}
	outcome := o.row(time.Now(), lookWhatWaits)
	return map[string]Statement{
		"take queues":     {db.dialect.takeQueues(""), []any{int64(2e12), "h", 32, 512}},
		"their outlets":   given(outletsOfQueues, outletKeyColumns, "a", "o"),
		"next deliveries": given(nextDeliveries, queueColumns, int64(0), "a", "o", "b"),
		"held queues":     given(db.dialect.heldQueues, outcomeColumns, outcome...),
		"advance queues":  given(db.dialect.advanceQueues, outcomeColumns, outcome...),
		"change deliveries": given(changeDeliveries, resultColumns, "a", "o", "b", int64(1), "done", int64(2), int64(1),
			"", int64(0)),
		"write attempts": given(writeAttempts, givenAttempts, "a", "o", "b", int64(1), int64(2), int64(3),
			int64(200), ""),
	}
}

// JudgedTables are all tables listed in personal.go.
func JudgedTables() (list []string) {
	for _, t := range keptTables {
		list = append(list, t.table)
	}
	return list
}

// Invariants are the names of all that Verify checks.
func Invariants() (names []string) {
	for _, v := range invariants {
		names = append(names, v.name)
	}
	return names
}
