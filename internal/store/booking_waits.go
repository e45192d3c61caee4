package store

import (
	"context"
	"fmt"
	"strconv"
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
	forApprover = `b.account = $1 AND (b.state = 'approval_required' OR b.state = 'change_pending' AND b.change_to_approve > 0) AND b.deadline > 0`
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
	Ended    int // ended by themselves, and nobody has seen it
	Answer   int // for the answer to a change by the airline
	Deciding int // end before a given instant unless somebody decides
	Person   int // for somebody to see to what happened to them
	OldPlans int // crew changes and other bookings that are not as planned
}

// Today is how many of them need somebody now.
func (w Waits) Today() int { return w.Ended + w.Answer + w.Deciding + w.Person + w.OldPlans }

// Due is how many of them need somebody now because something ends.
func (w Waits) Due() int { return w.Answer + w.Deciding }

// Waits counts what waits for somebody, for every page: until is when a hold has to end to need somebody now, by the
// account's clock as now is.
func (s Scoped) Waits(ctx context.Context, now, until time.Time) (w Waits, err error) {
	err = s.db.reader.QueryRowContext(ctx, countWaits, s.account, millis(now), millis(until),
		string(gangway.DateOf(now.UTC()).AddDays(-1))).Scan(&w.Approver, &w.Deadline, &w.Ended, &w.Answer, &w.Deciding,
		&w.Person, &w.OldPlans)
	return w, wrapf(err, "count what waits")
}

var countWaits = `SELECT (` + countUpTo(forApprover, mostUrgent) + `), (` + countUpTo(waiting, mostUrgent) + `), (` +
	fmt.Sprintf(`SELECT count(*) FROM (SELECT 1 FROM booking_ending e WHERE e.account = $1 AND e.seen_at = 0 AND e.ending <> 'person' ORDER BY e.at, e.booking LIMIT %d) AS counted`, MostCounted) +
	`), (` + countUpTo(forAnswer, byNeed) + `), (` + countUpTo(undecided, byNeed) + `), (` +
	countUpTo(forPersonOnly, longest) + `), (SELECT count(*) FROM (SELECT DISTINCT counted.what FROM (` +
	fmt.Sprintf(`SELECT CASE WHEN b.change_key = '' THEN b.id ELSE b.change_key END AS what FROM booking b WHERE %s ORDER BY %s LIMIT %d`,
		strings.Replace(oldPlan, "$2", "$4", 1), indexRange{keys: byMisfit}.order(false), MostCounted) +
	`) AS counted) AS listed)`

// What needs somebody now. A booking is in one of these lists at most: its ending comes first, then the airline's
// change, then what happened to it, and then that it ends. A hold that is not as planned is in the list of old plans.
var (
	seenEnding    = `coalesce((SELECT CASE WHEN e.ending = 'person' THEN 1 ELSE e.seen_at END FROM booking_ending e WHERE e.account = b.account AND e.booking = b.id), 1) > 0`
	forAnswer     = `b.account = $1 AND b.needs = 'answer' AND b.deadline > 0`
	undecided     = `b.account = $1 AND b.needs = 'decision' AND b.attention = 0 AND (b.misfit = 0 OR b.state = 'change_pending') AND ` + endsUnissued
	endsUnissued  = `b.deadline > 0 AND b.deadline < $3 AND (b.issues_at = 0 OR b.issues_at + ` + strconv.FormatInt(gangway.IssueLate.Milliseconds(), 10) + ` < $2) AND (b.deadline >= $2 OR b.hold_until < $3 OR b.state = 'change_pending')`
	forPersonOnly = forPerson + ` AND b.needs <> 'answer' AND ` + seenEnding
	oldPlan       = `b.account = $1 AND b.misfit > 0 AND b.departs >= $2`
)

var (
	byNeed   = []key{{"b.deadline", false}, {"b.id", false}}
	byMisfit = []key{{"b.misfit", false}, {"b.id", false}}
)

// BookingsByDeadline returns up to limit bookings that wait for tickets, an approver or the answer
// to a change, by deadline.
func (s Scoped) BookingsByDeadline(ctx context.Context, limit int) ([]gangway.Booking, error) {
	return s.first(ctx, waiting, mostUrgent, limit)
}

// BookingsToApprove returns up to limit bookings that wait for an approver, or whose change does, by deadline.
func (s Scoped) BookingsToApprove(ctx context.Context, limit int) ([]gangway.Booking, error) {
	return s.first(ctx, forApprover, mostUrgent, limit)
}

// BookingsForPerson returns up to limit bookings that need a person, longest waiting first, besides those that ended by
// themselves or that wait for the answer to a change.
func (s Scoped) BookingsForPerson(ctx context.Context, limit int) ([]gangway.Booking, error) {
	return s.first(ctx, forPersonOnly, longest, limit)
}

// BookingsToAnswer returns up to limit bookings whose flights the airline has changed, by when the answer is due.
func (s Scoped) BookingsToAnswer(ctx context.Context, limit int) ([]gangway.Booking, error) {
	return s.first(ctx, forAnswer, byNeed, limit)
}

// BookingsUndecided returns up to limit bookings of which gangway.Booking.EndsUndecided is true, by deadline: not the
// holds that BookingsForOldPlans returns.
func (s Scoped) BookingsUndecided(ctx context.Context, now, until time.Time, limit int) ([]gangway.Booking, error) {
	list, err := selectAll(ctx, s.db.reader, scanBooking, strings.Replace(firstStatement(undecided, byNeed), "LIMIT $2",
		"LIMIT $4", 1), s.account, millis(now), millis(until), limit)
	return list, wrapf(err, "list bookings that end")
}

// BookingsForOldPlans returns up to limit bookings that are known not to fit their plan and leave on a day or later,
// the longest known first.
func (s Scoped) BookingsForOldPlans(ctx context.Context, from gangway.Date, limit int) ([]gangway.Booking, error) {
	list, err := selectAll(ctx, s.db.reader, scanBooking, strings.Replace(firstStatement(oldPlan, byMisfit), "LIMIT $2",
		"LIMIT $3", 1), s.account, from, limit)
	return list, wrapf(err, "list bookings for old plans")
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
