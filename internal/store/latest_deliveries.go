package store

import (
	"context"
	"fmt"
	"time"
)

// A LatestDelivery is a delivery in a list of those to all of an account's outlets.
type LatestDelivery struct {
	DeliveryStatus
	OutletName string
	Locator    string // of the booking
	Action     string
	MadeAt     time.Time
}

// DeliveriesSearched is among how many deliveries, the latest, those of a DeliveryQuery are looked for.
const DeliveriesSearched = 10_000

// A DeliveryQuery chooses deliveries. What is empty chooses all.
type DeliveryQuery struct {
	ID      string // the webhook-id
	Booking string // identifier
	Outlet  string // identifier
	State   string // "due", "done" or "parked"
	LeftOut bool   // of those that are done, the ones that a mapping left out, and otherwise no others
}

// where is the query as conditions with its values, which are counted from $n on.
func (q DeliveryQuery) where(n int) (conditions string, args []any) {
	for _, is := range []struct{ column, value string }{{"id", q.ID}, {"outlet", q.Outlet}, {"state", q.State}} {
		if is.value != "" {
			conditions += fmt.Sprintf(" AND %s = $%d", is.column, n+len(args))
			args = append(args, is.value)
		}
	}
	switch {
	case q.State == "done" && q.LeftOut:
		conditions += " AND done_at = 0"
	case q.State == "done":
		conditions += " AND done_at > 0"
	}
	return conditions, args
}

// LatestDeliveries returns the deliveries of the account that were made last, newest first: those that q chooses of a
// booking's, of all that an outlet has not accepted if these are asked for, or of the latest DeliveriesSearched of the
// account.
func (s Scoped) LatestDeliveries(ctx context.Context, q DeliveryQuery, most int) ([]LatestDelivery, error) {
	const order = ` ORDER BY made_at DESC, booking DESC, seq DESC, outlet DESC`
	const columns = `SELECT id, account, outlet, booking, seq, state, made_at, attempts, done_at `
	from, args := columns+`FROM delivery WHERE account = $1`+order, []any{s.account, most}
	switch { // a booking has few, and what an outlet has not accepted is in an index
	case q.Booking != "":
		from, args = columns+`FROM delivery WHERE account = $1 AND booking = $3`, append(args, q.Booking)
	case q.Outlet != "" && q.State == "due":
		from, args = columns+`FROM delivery WHERE account = $1 AND outlet = $3 AND state = 'due'`+order,
			append(args, q.Outlet)
	case q.Outlet != "" && q.State == "parked":
		from, args = columns+`FROM delivery WHERE account = $1 AND outlet = $3 AND state = 'parked'`+order,
			append(args, q.Outlet)
	}
	if which, values := q.where(len(args) + 1); q != (DeliveryQuery{}) {
		args = append(args, values...)
		from = columns + fmt.Sprintf(`FROM (%s LIMIT %d) f WHERE account = $1%s`, from, DeliveriesSearched, which) +
			order
	}
	list, err := selectAll(ctx, s.db.reader, func(row scanner) (d LatestDelivery, err error) {
		var made int64
		d.DeliveryStatus, err = scanDeliveryStatus(prefixedRow{row, []any{&d.OutletName, &d.Locator, &d.Action, &made}})
		d.MadeAt = instant(made)
		return d, err
	}, `
		SELECT o.name, b.locator, a.name, d.made_at, `+statusColumns+`
		FROM (`+from+` LIMIT $2) d
		JOIN outlet o ON o.account = $1 AND o.id = d.outlet
		JOIN booking b ON b.account = $1 AND b.id = d.booking
		JOIN action a ON a.account = $1 AND a.booking = d.booking AND a.seq = d.seq
		LEFT JOIN attempt t ON t.account = $1 AND t.outlet = d.outlet AND t.booking = d.booking AND t.seq = d.seq
			AND t.at = (
				SELECT max(at)
				FROM attempt
				WHERE account = $1 AND outlet = d.outlet AND booking = d.booking AND seq = d.seq)
		ORDER BY d.made_at DESC, d.booking DESC, d.seq DESC, d.outlet DESC`,
		args...)
	return list, wrapf(err, "read the latest deliveries")
}

// Replayed returns the booking of the delivery that was tried with a webhook-id and replayed since, and the webhook-id
// that it has now. NotFound: there is no such try, or it is not kept any more.
func (s Scoped) Replayed(ctx context.Context, was string) (booking, id string, err error) {
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT d.booking, d.id
		FROM attempt t
		JOIN delivery d ON d.account = $1 AND d.outlet = t.outlet AND d.booking = t.booking AND d.seq = t.seq
		WHERE t.account = $1 AND t.webhook_id = $2 AND t.webhook_id <> ''
		LIMIT 1`,
		s.account, was).Scan(&booking, &id)
	if err != nil {
		return "", "", notFoundOr(err, "nothing that was replayed had this webhook-id")
	}
	return booking, id, nil
}
