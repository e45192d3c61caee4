package store

import (
	"context"
	"time"

	"gangway/internal/gangway"
)

// A DeliveryStatus says how far the delivery of an action has come.
type DeliveryStatus struct {
	ID       string // the webhook-id
	Outlet   string
	Booking  string
	Seq      int
	State    string // "due", "done" or "parked"
	Attempts int    // with every webhook-id that it had
	DoneAt   time.Time
	Last     Attempt // the latest with its webhook-id, if any
	Before   Attempt // without one: the latest before it was replayed, if it was
	Place    gangway.DeliveryPlace
}

// DeliveriesListed is how many deliveries a list of them has at most. One more says that there are more.
const DeliveriesListed = 1000

// DeliveryStatuses returns how far each action of a booking was delivered, outlet by outlet, in the
// order of the actions: the first DeliveriesListed, and one more if there are more.
func (s Scoped) DeliveryStatuses(ctx context.Context, booking string) ([]DeliveryStatus, error) {
	return s.statuses(ctx, `d.booking = $2`, booking)
}

// Parked returns the deliveries to an outlet that are no longer retried, oldest first, as many as
// DeliveryStatuses.
func (s Scoped) Parked(ctx context.Context, outlet string) ([]DeliveryStatus, error) {
	return s.statuses(ctx, `d.outlet = $2 AND d.state = 'parked'`, outlet)
}

func (s Scoped) statuses(ctx context.Context, which, arg string) ([]DeliveryStatus, error) {
	list, err := selectAll(ctx, s.db.reader, scanDeliveryStatus, `
		SELECT `+statusColumns+`
		FROM delivery d
		LEFT JOIN attempt t ON t.account = d.account AND t.outlet = d.outlet AND t.booking = d.booking AND t.seq = d.seq
			AND t.at = (SELECT max(at) FROM attempt WHERE account = d.account AND outlet = d.outlet AND booking = d.booking AND seq = d.seq)
		WHERE d.account = $1 AND `+which+`
		ORDER BY d.made_at, d.seq, d.outlet
		LIMIT $3`,
		s.account, arg, DeliveriesListed+1)
	return list, wrapf(err, "read deliveries")
}

// statusColumns are what scanDeliveryStatus reads, of a delivery d and its latest try t.
var statusColumns = `d.id, d.outlet, d.booking, d.seq, d.state, d.attempts, d.done_at, coalesce(t.at, 0),
	coalesce(t.took_ms, 0), coalesce(t.status, 0), coalesce(t.answer, ''), ` + webhookID + `,` + placeColumns

// webhookID is the webhook-id that a delivery d had when it was tried with t, and its own without any.
const webhookID = `coalesce(nullif(t.webhook_id, ''), d.id)`

func scanDeliveryStatus(row scanner) (d DeliveryStatus, err error) {
	var last Attempt
	var p placed
	err = row.Scan(append([]any{&d.ID, &d.Outlet, &d.Booking, &d.Seq, &d.State, &d.Attempts, when(&d.DoneAt),
		when(&last.At), howLong(&last.Took), &last.Status, &last.Answer, &last.WebhookID}, p.columns()...)...)
	d.Place = p.of(d.Seq)
	switch {
	case last.At.IsZero():
	case last.WebhookID == d.ID:
		d.Last = last
	default:
		d.Before = last
	}
	return d, err
}
