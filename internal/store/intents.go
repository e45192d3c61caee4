package store

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// BookedAlready begins the message that refuses a second booking for the same
// member of a search; the locator of the first follows.
const BookedAlready = "this traveller is booked already: "

// Done is the outcome of an intent that was carried out. Any other outcome of a closed intent says
// in words why it was not carried out.
const Done = "done"

// An Intent is something that a supplier is about to be asked. It is written
// before and closed when the outcome is known, so that after a crash in between
// somebody can follow it up.
type Intent struct {
	ID        string
	Booking   string
	Supplier  string // who is asked
	Kind      string // "book", "issue", "cancel" or "change"
	By        string // e-mail, or gangway.System
	Doc       []byte // what book needs to follow it up
	Open      bool
	Outcome   string
	CreatedAt time.Time
	Lease     time.Time // until when the process that works on it has it
	Spend     *Spend    // what it spends when it begins; nil: nothing of a limit
	Request   string    // that caused it, as the context said when it began; empty: none
}

// bookingSlot and searchSlot identify what at most one open intent works on.
func bookingSlot(booking string) string { return "booking " + booking }

func searchSlot(search string, member int) string {
	return "search " + search + " " + strconv.Itoa(member)
}

// A Hold is what is about to be booked: a member of a search, and that traveller's journey.
type Hold struct {
	Search    string
	Member    int
	Traveller gangway.Traveller
	From, To  gangway.Date // of departure, of other journeys that may be the same one

	// Check refuses the hold because of what is booked for those days already: bookings of
	// travellers with the same name, and the documents of open intents to book them. Nil: nothing
	// is checked.
	Check func(booked []gangway.Booking, underWay [][]byte) error

	Replaces string // the booking that it takes the place of; empty: none
}

// ErrUnderWay refuses to book for a member of a search for whom somebody else is booking.
var ErrUnderWay = gangway.Errorf(gangway.Conflict, "this traveller is being booked right now")

// BeginBooking writes the intent to book for a member of a search. Conflict: somebody is already
// booking for that member, or there is a live booking for that member, or something else takes the place of the same
// booking. ErrOverLimit: it spends too much. Holds of one account begin
// one after another, so that Check sees everything there is.
func (s Scoped) BeginBooking(ctx context.Context, i Intent, h Hold) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		if err := s.lockAccount(ctx, tx); err != nil {
			return err
		}
		fresh, err := s.insertIntent(ctx, tx, i, searchSlot(h.Search, h.Member), h.Traveller.FoldedName())
		if err != nil {
			return err
		}
		if !fresh {
			return ErrUnderWay
		}
		if err := s.refuseIfBooked(ctx, tx, h); err != nil {
			return err
		}
		if h.Replaces != "" {
			if err := s.claim(ctx, tx, h.Replaces, i.ID); err != nil {
				return err
			}
		}
		if err := s.spend(ctx, tx, i); err != nil {
			return err
		}
		if h.Check == nil {
			return nil
		}
		// Intents first: a hold that ends between the two queries is then a booking.
		underWay, err := s.beingBooked(ctx, tx, i.ID, h.Traveller)
		if err != nil {
			return err
		}
		booked, err := s.bookingsOf(ctx, tx, h.Traveller, h.From, h.To)
		if err != nil {
			return err
		}
		return h.Check(booked, underWay)
	})
}

// refuseIfBooked refuses a hold for a member of a search who has a booking.
func (s Scoped) refuseIfBooked(ctx context.Context, tx *sql.Tx, h Hold) error {
	rows, err := tx.QueryContext(ctx, `
		SELECT doc, check_at
		FROM booking
		WHERE account = $1 AND search = $2`,
		s.account, h.Search)
	if err != nil {
		return fmt.Errorf("look for bookings of search %s: %w", h.Search, err)
	}
	list, err := scanBookings(rows)
	if err != nil {
		return err
	}
	for _, b := range list {
		if b.Purpose.Member == h.Member && b.Live() && b.ID != h.Replaces {
			return gangway.Errorf(gangway.Conflict, BookedAlready+"%s", b.Locator)
		}
	}
	return nil
}

// beingBooked returns the documents of the open intents to book a traveller, except one.
func (s Scoped) beingBooked(ctx context.Context, tx *sql.Tx, but string, t gangway.Traveller) ([][]byte, error) {
	docs, err := selectAll(ctx, tx, column[[]byte], `
		SELECT doc
		FROM intent
		WHERE account = $1 AND open = 1 AND passenger = $2 AND id <> $3`,
		s.account, t.FoldedName(), but)
	return docs, wrapf(err, "look for who is being booked")
}

// BeginIntent writes an intent on an existing booking, if check allows it for the booking's present
// state. Conflict: somebody else is working on the booking. ErrOverLimit: it spends too much.
func (s Scoped) BeginIntent(ctx context.Context, i Intent, check func(gangway.Booking) error) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		if i.Spend != nil { // before the booking, as where bookings are made
			if err := s.lockAccount(ctx, tx); err != nil {
				return err
			}
		}
		b, err := s.lockBooking(ctx, tx, i.Booking)
		if err != nil {
			return err
		}
		if err := check(b); err != nil {
			return err
		}
		fresh, err := s.insertIntent(ctx, tx, i, bookingSlot(i.Booking), "")
		if err == nil && !fresh {
			err = underWayConflict(b)
		}
		if err != nil {
			return err
		}
		return s.spend(ctx, tx, i)
	})
}

func underWayConflict(b gangway.Booking) error {
	state := strings.ReplaceAll(string(b.State), "_", " ") // as people read it
	return gangway.Errorf(gangway.Conflict, "booking %s is %s and somebody is working on it right now", b.Locator,
		state)
}

func (s Scoped) insertIntent(ctx context.Context, tx *sql.Tx, i Intent, slot,
	passenger string) (fresh bool, err error) {
	n, err := changed(tx.ExecContext(ctx, `
		INSERT INTO intent (account, id, booking, slot, supplier, kind, by_whom, doc, open, outcome, created_at, lease, passenger,
			request)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, '', $9, $10, $11, $12)
		ON CONFLICT DO NOTHING`,
		s.account, i.ID, i.Booking, slot, i.Supplier, i.Kind, i.By, string(i.Doc), millis(i.CreatedAt), millis(i.Lease),
		passenger, RequestOf(ctx)))
	return n == 1, wrapf(err, "begin to %s", i.Kind)
}

// refuseIfOpen returns a Conflict if an intent other than the given one is open
// for b, whose row is locked.
func (s Scoped) refuseIfOpen(ctx context.Context, tx *sql.Tx, b gangway.Booking, intent string) error {
	n, err := column[int](tx.QueryRowContext(ctx, `
		SELECT count(*)
		FROM intent
		WHERE account = $1 AND slot = $2 AND open = 1 AND id <> $3`,
		s.account, bookingSlot(b.ID), intent))
	if err != nil {
		return fmt.Errorf("look for intents of booking %s: %w", b.ID, err)
	}
	if n > 0 {
		return underWayConflict(b)
	}
	return nil
}

// lockIntent locks an intent until the transaction ends, so that nobody else closes it.
func (s Scoped) lockIntent(ctx context.Context, tx *sql.Tx, id string) error {
	n, err := changed(tx.ExecContext(ctx, `
		UPDATE intent
		SET lease = lease
		WHERE account = $1 AND id = $2 AND (open = 1 OR outcome = $3)`,
		s.account, id, Done))
	if err == nil && n != 1 {
		return gangway.Errorf(gangway.Conflict, "this was given up before it was answered")
	}
	return wrapf(err, "lock intent %s", id)
}

func (s Scoped) closeIntent(ctx context.Context, tx *sql.Tx, id, outcome string) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE intent
		SET open = 0, outcome = $3
		WHERE account = $1 AND id = $2 AND outcome <> $4`,
		s.account, id, outcome, Done)
	return wrapf(err, "close intent %s", id)
}

// CloseIntent closes an intent that was not carried out; why says the reason in words. An intent
// that was carried out stays done.
func (s Scoped) CloseIntent(ctx context.Context, id, why string) error {
	return s.write(ctx, func(tx *sql.Tx) error { return s.closeIntent(ctx, tx, id, why) })
}

// HoldIntent extends the lease of an open intent to until.
func (s Scoped) HoldIntent(ctx context.Context, id string, until time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := intentLeases.Renew(ctx, tx, s.account, id, "", millis(until))
		return err
	})
}

const intentColumns = `account, id, booking, supplier, kind, by_whom, doc, open, outcome, created_at, lease, request`

func scanIntent(row scanner) (i Intent, account string, err error) {
	var doc string
	err = row.Scan(&account, &i.ID, &i.Booking, &i.Supplier, &i.Kind, &i.By, &doc, &i.Open, &i.Outcome,
		when(&i.CreatedAt), when(&i.Lease), &i.Request)
	i.Doc = []byte(doc)
	return i, account, notFoundOr(err, "nothing was begun under this identifier")
}

// Intent returns an intent. A booking that is being made has an intent with the booking's own identifier.
func (s Scoped) Intent(ctx context.Context, id string) (Intent, error) {
	i, _, err := scanIntent(s.db.reader.QueryRowContext(ctx, `
		SELECT `+intentColumns+`
		FROM intent
		WHERE account = $1 AND id = $2`,
		s.account, id))
	return i, err
}

// UnderWay reports whether a member of a search is being booked.
func (s Scoped) UnderWay(ctx context.Context, search string, member int) (bool, error) {
	n, err := column[int](s.db.reader.QueryRowContext(ctx, `
		SELECT count(*)
		FROM intent
		WHERE account = $1 AND slot = $2 AND open = 1`,
		s.account, searchSlot(search, member)))
	return n > 0, wrapf(err, "look for intents of search %s", search)
}

// OpenIntent returns the open intent on a booking, if there is one.
func (s Scoped) OpenIntent(ctx context.Context, booking string) (i Intent, open bool, err error) {
	i, _, err = scanIntent(s.db.reader.QueryRowContext(ctx, `
		SELECT `+intentColumns+`
		FROM intent
		WHERE account = $1 AND slot = $2 AND open = 1`,
		s.account, bookingSlot(booking)))
	if gangway.KindOf(err) == gangway.NotFound {
		return Intent{}, false, nil
	}
	return i, err == nil, err
}
