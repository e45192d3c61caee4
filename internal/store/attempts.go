package store

import (
	"context"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// An Attempt is one try to deliver.
type Attempt struct {
	At        time.Time
	Took      time.Duration
	Status    int    // HTTP status; 0 when there was no answer
	Answer    string // the beginning of it, or why there was none
	WebhookID string // that its delivery had then; empty in one that is not stored yet
}

// How the reason begins of a delivery of which nothing can be sent, and of one that was not because of Gangway itself.
const (
	MappingFails = "The mapping fails on this record: "
	CannotBeSent = "It cannot be sent: "
	NothingSent  = "nothing was sent, since "
)

// Accepted reports whether what was sent was accepted.
func (a Attempt) Accepted() bool { return a.Status >= 200 && a.Status <= 299 }

// Unsent reports whether a was over before anything was sent, because nothing can be made of the record.
func (a Attempt) Unsent() bool {
	return a.Status == 0 && (strings.HasPrefix(a.Answer, MappingFails) || strings.HasPrefix(a.Answer, CannotBeSent))
}

// NeverLeft reports whether a was over before anything was sent, for whatever reason.
func (a Attempt) NeverLeft() bool {
	return a.Unsent() || a.Status == 0 && strings.HasPrefix(a.Answer, NothingSent)
}

// A TriedDelivery is one try to deliver an action to an outlet.
type TriedDelivery struct {
	Attempt
	Booking, Locator string
	Seq              int
	Action           gangway.State
	State            string // of the delivery now: "due", "done" or "parked"
}

// Place is where t is in the list of Attempts.
func (t TriedDelivery) Place() AttemptPlace { return AttemptPlace{t.At, t.Booking, t.Seq} }

// An AttemptPlace is a place in the list of what was tried at an outlet. The zero place is its beginning.
type AttemptPlace struct {
	At      time.Time
	Booking string
	Seq     int
}

// Attempts returns up to n tries to deliver to an outlet, the newest first, those after a place in that list.
func (s Scoped) Attempts(ctx context.Context, outlet string, after AttemptPlace, n int) ([]TriedDelivery, error) {
	place, args := "", []any{s.account, outlet, n}
	if !after.At.IsZero() {
		place = ` AND (at, booking, seq) < (CAST($4 AS BIGINT), CAST($5 AS TEXT), CAST($6 AS INTEGER))`
		args = append(args, millis(after.At), after.Booking, after.Seq)
	}
	list, err := selectAll(ctx, s.db.reader, scanTriedDelivery, `
		SELECT `+triedColumns+`
		FROM (
			SELECT at, took_ms, status, answer, webhook_id, booking, seq
			FROM attempt
			WHERE account = $1 AND outlet = $2`+place+`
			ORDER BY at DESC, booking DESC, seq DESC
			LIMIT $3) t
		JOIN delivery d ON d.account = $1 AND d.outlet = $2 AND d.booking = t.booking AND d.seq = t.seq
		JOIN action a ON a.account = $1 AND a.booking = t.booking AND a.seq = t.seq
		JOIN booking b ON b.account = $1 AND b.id = t.booking
		ORDER BY t.at DESC, t.booking DESC, t.seq DESC`,
		args...)
	return list, wrapf(err, "read what was tried at outlet %s", outlet)
}

// triedColumns are what scanTriedDelivery reads, of a try t with its delivery d, action a and booking b.
const triedColumns = attemptColumns + `, t.booking, b.locator, t.seq, a.name, d.state`

func scanTriedDelivery(row scanner) (t TriedDelivery, err error) {
	err = row.Scan(when(&t.At), howLong(&t.Took), &t.Status, &t.Answer, &t.WebhookID, &t.Booking, &t.Locator, &t.Seq,
		&t.Action, &t.State)
	return t, err
}

// A KeptDelivery is a delivery with how far it has come. Its outlet has no secrets.
type KeptDelivery struct {
	Delivery
	State    string // "due", "done" or "parked"
	MadeAt   time.Time
	DoneAt   time.Time // zero: it is not
	Attempts int       // with every webhook-id that it had
	Place    gangway.DeliveryPlace
}

// Delivery returns the delivery of a booking's action to the outlet of a name. NotFound: there is none.
func (s Scoped) Delivery(ctx context.Context, outlet, booking string, seq int) (d KeptDelivery, err error) {
	if d.Outlet, err = s.Outlet(ctx, outlet); err != nil {
		return d, err
	}
	var snapshot, body string
	var p placed
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT d.id, d.seq, d.body, d.state, d.made_at, d.done_at, d.attempts, a.name, a.at, a.by_whom,
			a.snapshot,`+placeColumns+`
		FROM delivery d
		JOIN action a ON a.account = d.account AND a.booking = d.booking AND a.seq = d.seq
		WHERE d.account = $1 AND d.outlet = $2 AND d.booking = $3 AND d.seq = $4`,
		s.account, d.Outlet.ID, booking, seq).Scan(append([]any{&d.ID, &d.Seq, &body, &d.State, when(&d.MadeAt),
		when(&d.DoneAt), &d.Attempts, &d.Action.Name, when(&d.Action.At), &d.Action.By, &snapshot}, p.columns()...)...)
	if err != nil {
		return d, notFoundOr(err, "there is no such delivery")
	}
	d.Action.Seq = d.Seq
	d.Place = p.of(d.Seq)
	if body != "" {
		d.Body = []byte(body)
	}
	d.Booking, err = readSnapshot(snapshot)
	return d, wrapf(err, "read snapshot of delivery %s", d.ID)
}

// DeliveryAttempts returns up to n tries of one delivery, the newest first.
func (s Scoped) DeliveryAttempts(ctx context.Context, outlet, booking string, seq, n int) ([]Attempt, error) {
	list, err := selectAll(ctx, s.db.reader, scanAttempt, `
		SELECT `+attemptColumns+`
		FROM attempt t
		JOIN delivery d ON d.account = $1 AND d.outlet = $2 AND d.booking = $3 AND d.seq = $4
		WHERE t.account = $1 AND t.outlet = $2 AND t.booking = $3 AND t.seq = $4
		ORDER BY t.at DESC
		LIMIT $5`,
		s.account, outlet, booking, seq, n)
	return list, wrapf(err, "read tries of a delivery")
}

// attemptColumns are what scanAttempt reads, of a try t with its delivery d.
const attemptColumns = `t.at, t.took_ms, t.status, t.answer, ` + webhookID

func scanAttempt(row scanner) (a Attempt, err error) {
	err = row.Scan(when(&a.At), howLong(&a.Took), &a.Status, &a.Answer, &a.WebhookID)
	return a, err
}

// Outlet returns the account's outlet of a name, without its secrets. NotFound: there is none.
func (s Scoped) Outlet(ctx context.Context, name string) (gangway.Outlet, error) {
	o, err := scanOutlet(s.db.reader.QueryRowContext(ctx, `
		SELECT `+outletColumns+`
		FROM outlet
		WHERE account = $1 AND name = $2`,
		s.account, name))
	return o, err
}
