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

// LatestDeliveries returns the deliveries of the account that were made last, to whichever outlet, newest first.
func (s Scoped) LatestDeliveries(ctx context.Context, most int) ([]LatestDelivery, error) {
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
		FROM (
			SELECT id, outlet, booking, seq, state, made_at, attempts, done_at
			FROM delivery
			WHERE account = $1
			ORDER BY made_at DESC, booking DESC, seq DESC, outlet DESC
			LIMIT $2) d
		JOIN outlet o ON o.account = $1 AND o.id = d.outlet
		JOIN booking b ON b.account = $1 AND b.id = d.booking
		JOIN action a ON a.account = $1 AND a.booking = d.booking AND a.seq = d.seq
		LEFT JOIN attempt t ON t.account = $1 AND t.outlet = d.outlet AND t.booking = d.booking AND t.seq = d.seq
			AND t.at = (
				SELECT max(at)
				FROM attempt
				WHERE account = $1 AND outlet = d.outlet AND booking = d.booking AND seq = d.seq)
		ORDER BY d.made_at DESC, d.booking DESC, d.seq DESC, d.outlet DESC`,
		s.account, most)
	if err != nil {
		return nil, fmt.Errorf("read the latest deliveries: %w", err)
	}
	return list, nil
}
