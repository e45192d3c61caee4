package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// MostCounted is how far bookings are counted. Counting reads every row, and on a page a thousand
// says as much as a million.
const MostCounted = 1000

// CountBookings returns how many bookings stand in each state, each counted up
// to MostCounted.
func (s Scoped) CountBookings(ctx context.Context) (map[gangway.State]int, error) {
	counts := map[gangway.State]int{}
	err := eachRow(ctx, s.db.reader, countStates(), []any{s.account}, func(row scanner) error {
		var state gangway.State
		var n int
		err := row.Scan(&state, &n)
		counts[state] = n
		return err
	})
	return counts, wrapf(err, "count bookings")
}

func countStates() string {
	parts := make([]string, len(gangway.States))
	for i, state := range gangway.States {
		parts[i] = `SELECT '` + string(state) + `', (` + countUpTo(inState+`'`+string(state)+`'`, newestFirst) + `)`
	}
	return strings.Join(parts, `
		UNION ALL `)
}

// The conditions for bookings that wait for somebody. Each has a partial index.
const (
	inState     = `b.account = $1 AND b.state = `
	waiting     = `b.account = $1 AND b.deadline > 0`
	forApprover = `b.account = $1 AND b.state = 'approval_required' AND b.deadline > 0`
	forPerson   = `b.account = $1 AND b.attention > 0`
)

var (
	mostUrgent = []key{{"b.deadline", false}, {"b.id", false}}
	longest    = []key{{"b.attention", false}, {"b.id", false}}
)

// countUpTo is a query that counts bookings up to MostCounted. They are ordered by their index,
// because PostgreSQL may otherwise read the whole table.
func countUpTo(where string, keys []key) string {
	return fmt.Sprintf(`SELECT count(*) FROM (SELECT 1 FROM booking b WHERE %s ORDER BY %s LIMIT %d) AS counted`,
		where, indexRange{keys: keys}.order(false), MostCounted)
}

// Waits says how many bookings wait for somebody, each counted up to MostCounted.
type Waits struct {
	Approver int // for an approver
	Deadline int // for tickets, an approver or the answer to a change
	Person   int // for somebody to see to what happened to them
}

// Waits counts what waits for somebody, for every page.
func (s Scoped) Waits(ctx context.Context) (w Waits, err error) {
	err = s.db.reader.QueryRowContext(ctx, countWaits, s.account).Scan(&w.Approver, &w.Deadline, &w.Person)
	return w, wrapf(err, "count what waits")
}

var countWaits = `SELECT (` + countUpTo(forApprover, mostUrgent) + `), (` + countUpTo(waiting, mostUrgent) + `), (` +
	countUpTo(forPerson, longest) + `)`

// CountDeadlines returns how many bookings have a deadline before an instant, counted up to
// MostCounted.
func (s Scoped) CountDeadlines(ctx context.Context, before time.Time) (n int, err error) {
	err = s.db.reader.QueryRowContext(ctx, countUpTo(waiting+` AND b.deadline < $2`, mostUrgent), s.account,
		millis(before)).Scan(&n)
	return n, wrapf(err, "count deadlines")
}

// BookingsByDeadline returns up to limit bookings that wait for tickets, an approver or the answer
// to a change, by deadline.
func (s Scoped) BookingsByDeadline(ctx context.Context, limit int) ([]gangway.Booking, error) {
	return s.first(ctx, waiting, mostUrgent, limit)
}

// BookingsToApprove returns up to limit bookings that wait for an approver, by deadline.
func (s Scoped) BookingsToApprove(ctx context.Context, limit int) ([]gangway.Booking, error) {
	return s.first(ctx, forApprover, mostUrgent, limit)
}

// BookingsForPerson returns up to limit bookings that need a person, longest waiting first.
func (s Scoped) BookingsForPerson(ctx context.Context, limit int) ([]gangway.Booking, error) {
	return s.first(ctx, forPerson, longest, limit)
}

func (s Scoped) first(ctx context.Context, where string, keys []key, limit int) ([]gangway.Booking, error) {
	list, err := selectAll(ctx, s.db.reader, scanBooking, firstStatement(where, keys), s.account, limit)
	return list, wrapf(err, "list bookings that wait")
}

func firstStatement(where string, keys []key) string {
	return `
		SELECT b.doc, b.check_at
		FROM booking b
		WHERE ` + where + `
		ORDER BY ` + indexRange{keys: keys}.order(false) + `
		LIMIT $2`
}
