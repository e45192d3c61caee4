package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/internal/gate"

	"github.com/jackc/pgx/v5"
)

// Counts says what an upload did.
type Counts struct {
	Received, Created, Updated, Unchanged int
}

// A bulk is rows to be written to one table, all or none. A row replaces the one
// that has its key. If the doc is the same, nothing is written, except once a day
// that the record was seen. An upload takes the row over from a feed, whose version
// is kept as a claim; a feed replaces only its own row. The table also has the
// columns of gangway.Origin, account and version.
type bulk struct {
	records
	rows []Row // no two with the same key
	from gangway.Origin

	known   map[string]bool // of crew changes: the keys that are stored, and whether what is stored differs
	decided *decisions      // about crew changes
}

// upsert writes b.
func (s Scoped) upsert(ctx context.Context, b bulk) (Counts, error) {
	ctx = withLongWork(ctx)
	counts := Counts{Received: len(b.rows)}
	if len(b.rows) == 0 {
		return counts, nil
	}
	if b.from.Generation == 0 {
		b.from.Generation = s.db.Generation()
	}
	// Everybody locks rows in the same order, so that two uploads never deadlock.
	slices.SortFunc(b.rows, func(x, y Row) int {
		for i := range b.key {
			if c := strings.Compare(x[i].(string), y[i].(string)); c != 0 {
				return c
			}
		}
		return 0
	})
	b.known, b.decided = map[string]bool{}, new(decisions)
	var err error
	if s.db.dialect == postgres {
		err = s.copyUpsert(ctx, b, &counts)
	} else {
		err = s.writeUnseen(ctx, func(tx *sql.Tx) error {
			if err := s.inherit(within(ctx, tx), b); err != nil {
				return err
			}
			if err := s.valuesUpsert(ctx, tx, b, &counts); err != nil {
				return err
			}
			return s.afterwards(b, &counts, within(ctx, tx))
		})
	}
	if err != nil {
		return Counts{}, fmt.Errorf("write %d rows to %s: %w", len(b.rows), b.table, err)
	}
	s.db.tell(s.account)
	for _, t := range b.decided.told {
		if s.sending.Told != nil {
			s.sending.Told(t[0], t[1])
		}
	}
	counts.Unchanged = counts.Received - counts.Created - counts.Updated
	return counts, nil
}

// Generation returns a number for a run of a source that is larger than all before.
// It comes from the clock, so that replicas need not coordinate.
func (db *DB) Generation() int64 {
	for {
		last := db.generation.Load()
		if next := max(last+1, time.Now().UnixMicro()); db.generation.CompareAndSwap(last, next) {
			return next
		}
	}
}

// afterwards does what remains to be done in a bulk's transaction once its rows are written.
func (s Scoped) afterwards(b bulk, counts *Counts, tx statements) error {
	if err := s.saveClaims(b, counts, tx); err != nil {
		return err
	}
	if err := errors.Join(s.queueWords(b, *counts, tx.exec), s.ask(tx, b.decided.asks)); err != nil {
		return err
	}
	return s.countInRun(tx, counts.Created, counts.Updated, 0)
}

// onConflict says how a row replaces the one that has its key, or notes that the
// record was seen if that was last noted on an earlier day. Afterwards the
// generation tells which of the two it was.
func (b bulk) onConflict() string {
	set := gangway.Each(b.columns[len(b.key):], func(c string) string { return c + " = excluded." + c })
	t := b.table
	changed, mine := fmt.Sprintf(`(%[1]s.doc IS DISTINCT FROM excluded.doc OR %[1]s.source <> excluded.source)`, t), ""
	if b.table == changeRecords.table {
		changed, set = strings.TrimSuffix(changed, ")")+" OR "+t+".gone > 0)", append(set, "gone = 0")
	}
	if b.from.Source != gangway.Uploaded {
		mine = fmt.Sprintf(` AND %s.source = excluded.source`, t)
	} else {
		set = append(set, fmt.Sprintf(
			`outranked = CASE WHEN %[1]s.source = excluded.source THEN %[1]s.outranked ELSE %[2]s END`, t, claimOf(t)))
	}
	return fmt.Sprintf(`ON CONFLICT (account, %[2]s) DO UPDATE SET %[3]s,
		source = excluded.source, last_seen = excluded.last_seen,
		generation = CASE WHEN %[4]s THEN excluded.generation ELSE %[1]s.generation END,
		version = %[1]s.version + CASE WHEN %[4]s THEN 1 ELSE 0 END
		WHERE (%[4]s OR %[1]s.last_seen < excluded.last_seen - excluded.last_seen %% 86400000)%[5]s`,
		t, strings.Join(b.key, ", "), strings.Join(set, ", "), changed, mine)
}

// rowsAtOnce is how many rows go into one statement on SQLite. Beyond this it
// does not get faster.
const rowsAtOnce = 250

// bytesAtOnce is how many bytes of documents go into one statement, unless one document alone has more.
const bytesAtOnce = 1 << 20

// valuesUpsert is upsert on SQLite: many rows in one statement. Two things differ
// from other code, because each would cost a tenth of an upload's time. Placeholders
// are "?", because the driver looks up "$n" in a list for each parameter. And
// created rows are counted by row number, which grows by one with each new row and
// stays with it, because RETURNING collects rows even if it returns none.
func (s Scoped) valuesUpsert(ctx context.Context, tx *sql.Tx, b bulk, counts *Counts) error {
	before, err := lastRow(ctx, tx, b.table)
	if err != nil {
		return err
	}
	written := 0
	args := make([]any, 0, rowsAtOnce*len(b.columns)+4)
	for rows := range b.portions() {
		args = append(args[:0], s.account, b.from.Source, millis(b.from.SeenAt), b.from.Generation)
		for _, row := range rows {
			args = append(args, row...)
		}
		n, err := changed(tx.ExecContext(ctx, b.valuesStatement(len(rows)), args...))
		if err != nil {
			return err
		}
		written += n
		runtime.Gosched() // let readers run: SQLite works on this process's own time
	}
	after, err := lastRow(ctx, tx, b.table)
	counts.Created, counts.Updated = int(after-before), 0
	if err != nil || written == counts.Created {
		return err
	}
	return b.countUpdated(ctx, tx, s.account, counts)
}

// countUpdated counts the rows that were changed, as opposed to those for which it
// was only noted that they were seen.
func (b bulk) countUpdated(ctx context.Context, tx *sql.Tx, account string, counts *Counts) error {
	for rows := range b.portions() {
		n, err := column[int](tx.QueryRowContext(ctx, `
			SELECT count(*)
			FROM `+b.table+`
			WHERE account = $1 AND generation = $2 AND version > 1 AND `+b.among(3, len(rows)),
			slices.Concat([]any{account, b.from.Generation}, b.keysOf(rows))...))
		if err != nil {
			return err
		}
		counts.Updated += n
	}
	return nil
}

// valuesStatement is the statement that upserts the given number of rows. Its
// parameters are the account, the origin and then the rows' columns.
func (b bulk) valuesStatement(rows int) string {
	var selected []string
	for i := range b.columns {
		selected = append(selected, fmt.Sprintf("column%d", i+1))
	}
	row := "(" + strings.Repeat("?, ", len(b.columns)-1) + "?)"
	return fmt.Sprintf(`
		INSERT INTO %s (account, version, source, last_seen, generation, %s)
		SELECT ?, 1, ?, ?, ?, %s FROM (VALUES %s)
		WHERE true %s`,
		b.table, strings.Join(b.columns, ", "), strings.Join(selected, ", "),
		strings.Repeat(row+", ", rows-1)+row, b.onConflict())
}

// portions yields the rows rowsAtOnce at a time, or fewer if they are long, because
// the driver copies everything that goes into one statement.
func (b bulk) portions() iter.Seq[[]Row] {
	return func(yield func([]Row) bool) {
		from, bytes := 0, 0
		for i, row := range b.rows {
			size := len(row.doc())
			if i > from && (i-from == rowsAtOnce || bytes+size > bytesAtOnce) {
				if !yield(b.rows[from:i]) {
					return
				}
				from, bytes = i, 0
			}
			bytes += size
		}
		yield(b.rows[from:])
	}
}

func lastRow(ctx context.Context, tx *sql.Tx, table string) (n int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT coalesce(max(rowid), 0) FROM `+table).Scan(&n)
	return n, err
}

// copyUpsert is upsert on PostgreSQL: COPY into a temporary table of the connection,
// and from there one statement. That is nearly twice as fast as anything else.
func (s Scoped) copyUpsert(ctx context.Context, b bulk, counts *Counts) (err error) {
	if err := s.db.mayWrite(ctx); err != nil {
		return err
	}
	call, end := s.db.guard.Call(ctx)
	defer end()
	defer func() { err = call.Judge(err) }()
	conn, err := s.db.writer.Conn(call)
	if err != nil {
		return err
	}
	defer conn.Close()
	for try := 0; ; try++ {
		err = gate.OnPostgres(conn, func(conn *pgx.Conn) error {
			return pgx.BeginFunc(call, conn, func(tx pgx.Tx) error {
				return s.copyRows(call, tx, b, counts)
			})
		})
		if err == nil || !s.db.dialect.retryable(err) {
			return err
		}
		if try == retries {
			return away(err)
		}
	}
}

func (s Scoped) copyRows(ctx context.Context, tx pgx.Tx, b bulk, counts *Counts) error {
	incoming, columns := "incoming_"+b.table, strings.Join(b.columns, ", ")
	if err := s.holdAccount(tx.QueryRow(ctx, s.db.dialect.holdAccount(), s.account, s.key)); err != nil {
		return err
	}
	if err := s.inherit(withinPostgres(ctx, tx), b); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, fmt.Sprintf(
		`CREATE TEMPORARY TABLE IF NOT EXISTS %s ON COMMIT DELETE ROWS AS SELECT %s FROM %s WITH NO DATA`, incoming,
		columns, b.table))
	if err != nil {
		return err
	}
	rows := pgx.CopyFromSlice(len(b.rows), func(i int) ([]any, error) { return b.rows[i], nil })
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{incoming}, b.columns, rows); err != nil {
		return err
	}
	err = tx.QueryRow(ctx, fmt.Sprintf(`
		WITH written AS (
			INSERT INTO %s (account, version, source, last_seen, generation, %s)
			SELECT $1, 1, $2, CAST($3 AS BIGINT), CAST($4 AS BIGINT), %s FROM %s %s
			RETURNING version, generation)
		SELECT count(*) FILTER (WHERE version = 1 AND generation = $4),
			count(*) FILTER (WHERE version > 1 AND generation = $4)
		FROM written`,
		b.table, columns, columns, incoming, b.onConflict()),
		s.account, string(b.from.Source), millis(b.from.SeenAt), b.from.Generation).
		Scan(&counts.Created, &counts.Updated)
	if err != nil {
		return err
	}
	return s.afterwards(b, counts, withinPostgres(ctx, tx))
}

// A Row is a record as it is stored, ready to be written: its columns, all of
// them texts, its key first and the record itself, as JSON, last.
type Row []any

func (r Row) doc() string { return r[len(r)-1].(string) }

// docSize is how many bytes most records take, so that their buffer is allocated once.
const docSize = 300

// rowsOf returns records as they are stored: row makes one record's row from the record and its
// JSON. The same record always becomes the same text. The standard library writes JSON faster than
// the other package that we use.
func rowsOf[T any](list []T, row func(record *T, doc string) Row) ([]Row, error) {
	rows := make([]Row, 0, len(list))
	var ends [rowsAtOnce]int
	for some := range slices.Chunk(list, rowsAtOnce) { // a text of all would be copied again and again as it grows
		var all strings.Builder
		all.Grow(len(some) * docSize)
		enc := json.NewEncoder(&all)
		enc.SetEscapeHTML(false)
		for i := range some {
			if err := enc.Encode(&some[i]); err != nil {
				return nil, fmt.Errorf("write record %d: %w", len(rows)+i, err)
			}
			ends[i] = all.Len()
		}
		text, from := all.String(), 0
		for i, end := range ends[:len(some)] {
			rows = append(rows, row(&some[i], text[from:end-1])) // without the line break
			from = end
		}
		runtime.Gosched()
	}
	return rows, nil
}
