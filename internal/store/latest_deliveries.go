package store

import (
	"context"
	"fmt"
	"time"
)

// A LatestDelivery is a delivery in a list of those to all of an account's outlets.
type LatestDelivery struct {
	DeliveryStatus
	ID         string // the webhook-id
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
// booking's, or of the latest DeliveriesSearched of the account.
func (s Scoped) LatestDeliveries(ctx context.Context, q DeliveryQuery, most int) ([]LatestDelivery, error) {
	const order = ` ORDER BY made_at DESC, booking DESC, seq DESC, outlet DESC`
	const columns = `SELECT id, account, outlet, booking, seq, state, made_at, attempts, done_at `
	from, args := columns+`FROM delivery WHERE account = $1`+order, []any{s.account, most}
	if q.Booking != "" { // which has few, and is not looked for in the order of time
		from, args = columns+`FROM delivery WHERE account = $1 AND booking = $3`, append(args, q.Booking)
	}
	if which, values := q.where(len(args) + 1); q != (DeliveryQuery{}) {
		args = append(args, values...)
		from = columns + fmt.Sprintf(`FROM (%s LIMIT %d) f WHERE account = $1%s`, from, DeliveriesSearched, which) +
			order
	}
	list, err := selectAll(ctx, s.db.reader, func(row scanner) (d LatestDelivery, err error) {
		var made int64
		d.DeliveryStatus, err = scanDeliveryStatus(prefixedRow{row, []any{&d.ID, &d.OutletName, &d.Locator, &d.Action,
			&made}})
		d.MadeAt = instant(made)
		return d, err
	}, `
		SELECT d.id, o.name, b.locator, a.name, d.made_at,
			d.outlet, d.booking, d.seq, d.state, d.attempts, d.done_at,
			coalesce(t.at, 0), coalesce(t.took_ms, 0), coalesce(t.status, 0), coalesce(t.answer, ''),`+placeColumns+`
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
	if err != nil {
		return nil, fmt.Errorf("read the latest deliveries: %w", err)
	}
	return list, nil
}
