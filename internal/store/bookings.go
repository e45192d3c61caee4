package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// ErrLocatorTaken says that another booking has the locator; the caller may try another one.
var ErrLocatorTaken = errors.New("locator is taken")

// live is the condition that gangway.Booking.Live is true.
const live = `state NOT IN ('cancelled', 'declined', 'refund_pending')`

// CreateBooking writes a new booking with its first action and its deliveries, and closes the
// intent that led to it. A booking that exists already is returned unchanged: the intent was
// carried out before.
func (s Scoped) CreateBooking(ctx context.Context, intent string, b gangway.Booking,
	action gangway.Action) (gangway.Booking, error) {
	err := s.write(ctx, func(tx *sql.Tx) error {
		if err := s.lockIntent(ctx, tx, intent); err != nil {
			return err
		}
		there, err := s.booking(ctx, tx, b.ID)
		if err == nil {
			b = there
			return nil
		}
		if gangway.KindOf(err) != gangway.NotFound {
			return err
		}
		if err := s.insertBooking(ctx, tx, b, action.At); err != nil {
			return err
		}
		if err := errors.Join(s.saveTickets(ctx, tx, b, nil), s.saveReferences(ctx, tx, b, nil),
			s.saveVessel(ctx, tx, b)); err != nil {
			return err
		}
		if err := errors.Join(s.recordAction(ctx, tx, b, action), s.saveReport(ctx, tx, b, nil)); err != nil {
			return err
		}
		return s.closeIntent(ctx, tx, intent, Done)
	}, Deliveries, Work, s.newsTopic(b))
	if err != nil {
		return gangway.Booking{}, err
	}
	return b, nil
}

// newsTopic is the topic of the search that a booking belongs to.
func (s Scoped) newsTopic(b gangway.Booking) Topic {
	return NewsTopic(s.account, b.Purpose.Change, b.Purpose.Search)
}

// UpdateBooking applies change to a booking and records what was done: the booking, the action with
// its snapshot and the deliveries are written together or not at all. An action without a name
// records nothing: the booking changed, but nothing happened to it.
//
// intent is the intent that led to the change, and is closed with it; empty if there is none.
// Conflict: another intent is open for the booking.
//
// change runs inside the transaction, so it must not wait for anyone: no
// supplier call, no customer call.
func (s Scoped) UpdateBooking(ctx context.Context, id, intent string,
	change func(*gangway.Booking) (gangway.Action, error)) (gangway.Booking, error) {
	var b gangway.Booking
	err := s.write(ctx, func(tx *sql.Tx) error {
		var err error
		if b, err = s.lockBooking(ctx, tx, id); err != nil {
			return err
		}
		if err := s.refuseIfOpen(ctx, tx, b, intent); err != nil {
			return err
		}
		tickets, before := slices.Clone(b.Tickets), references(b)
		told, err := s.told(ctx, tx, b)
		if err != nil {
			return err
		}
		action, err := change(&b)
		if err != nil {
			return err
		}
		if err := s.saveBooking(ctx, tx, b, action); err != nil {
			return err
		}
		if err := errors.Join(s.saveTickets(ctx, tx, b, tickets), s.saveReferences(ctx, tx, b, before)); err != nil {
			return err
		}
		if action.Name != gangway.None {
			if err := errors.Join(s.recordAction(ctx, tx, b, action), s.noteEnding(ctx, tx, b, action)); err != nil {
				return err
			}
		}
		if err := cmp.Or(s.saveReport(ctx, tx, b, told), s.lookAtReplacing(ctx, tx, b, action)); err != nil {
			return err
		}
		if err := s.db.notify(ctx, tx, s.newsTopic(b)); err != nil {
			return err
		}
		if intent == "" {
			return nil
		}
		return s.closeIntent(ctx, tx, intent, Done)
	}, Deliveries, Work)
	if err != nil {
		return gangway.Booking{}, err
	}
	s.db.wakes.wake(s.newsTopic(b))
	return b, nil
}

// lookAtReplacing makes the booking that takes b's place due, when something happens to b: it may settle
// both.
func (s Scoped) lookAtReplacing(ctx context.Context, tx *sql.Tx, b gangway.Booking, action gangway.Action) error {
	if b.ReplacedBy == "" || action.Name == gangway.None {
		return nil
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE booking
		SET check_at = $3
		WHERE account = $1 AND id = $2`,
		s.account, b.ReplacedBy, millis(action.At))
	return wrapf(err, "mark what takes the place of booking %s to be looked at", b.ID)
}

// lockBooking reads a booking and locks it until the transaction ends.
func (s Scoped) lockBooking(ctx context.Context, tx *sql.Tx, id string) (gangway.Booking, error) {
	row := tx.QueryRowContext(ctx, `
		UPDATE booking
		SET version = version
		WHERE account = $1 AND id = $2
		RETURNING doc, check_at`,
		s.account, id)
	return scanBooking(row)
}

func (s Scoped) booking(ctx context.Context, q querier, id string) (gangway.Booking, error) {
	row := q.QueryRowContext(ctx, `
		SELECT doc, check_at
		FROM booking
		WHERE account = $1 AND id = $2`,
		s.account, id)
	return scanBooking(row)
}

func (s Scoped) insertBooking(ctx context.Context, tx *sql.Tx, b gangway.Booking, at time.Time) error {
	row, err := s.bookingRow(b, at)
	if err != nil {
		return err
	}
	n, err := changed(tx.ExecContext(ctx, `
		INSERT INTO booking (`+strings.Join(bookingColumns, ", ")+`)
		VALUES (`+placeholders(1, len(bookingColumns))+`)
		ON CONFLICT (locator) DO NOTHING`,
		row...))
	if err == nil && n == 0 {
		return ErrLocatorTaken
	}
	return wrapf(err, "insert booking %s", b.ID)
}

// bookingColumns are the columns that a new booking is written with.
var bookingColumns = []string{"account", "id", "locator", "state", "version", "passenger", "vessel", "change_key",
	"search", "departs", "tickets", "created_at", "created_by", "acted_at", "ticket_by", "hold_until", "check_at",
	"doc", "request", "sub_request", "supplier_order", "supplier", "attention", "deadline", "needs",
	"issues_at", "compare", "change_to_approve"}

// bookingRow returns the values of bookingColumns for a booking whose latest action was at an instant.
func (s Scoped) bookingRow(b gangway.Booking, at time.Time) ([]any, error) {
	doc, err := json.Marshal(b)
	if err != nil {
		return nil, fmt.Errorf("write booking %s: %w", b.ID, err)
	}
	return []any{s.account, b.ID, b.Locator, string(b.State), b.Version, b.Passenger.FoldedName(),
		gangway.Fold(b.Purpose.Vessel), b.Purpose.Change, b.Purpose.Search, departs(b),
		strings.Join(b.Tickets, " "), millis(b.CreatedAt), b.CreatedBy, millis(at), millis(b.TicketBy),
		millis(b.HoldUntil), millis(b.CheckAt), string(doc), b.Purpose.RequestID, b.Purpose.SubRequestID,
		b.Supplier + " " + b.Order, b.Supplier, needsPerson(b), millis(b.Deadline()), string(b.Needs()),
		issuesItself(b), s.toCompare(b), changeToApprove(b)}, nil
}

// saveBooking writes b, whose row is locked.
func (s Scoped) saveBooking(ctx context.Context, tx *sql.Tx, b gangway.Booking, action gangway.Action) error {
	doc, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("write booking %s: %w", b.ID, err)
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE booking
		SET state = $3, version = $4, departs = $5, tickets = $6, ticket_by = $7, hold_until = $8, check_at = $9, doc = $10,
			acted_at = CASE WHEN $11 > acted_at THEN $11 ELSE acted_at END, attention = $12, deadline = $13, needs = $14,
			issues_at = $15, compare = $16, change_to_approve = $17,
			misfit = CASE WHEN CAST($16 AS BIGINT) > 0 THEN misfit ELSE 0 END
		WHERE account = $1 AND id = $2`,
		s.account, b.ID, b.State, b.Version, departs(b), strings.Join(b.Tickets, " "), millis(b.TicketBy),
		millis(b.HoldUntil),
		millis(b.CheckAt), string(doc), millis(action.At), needsPerson(b), millis(b.Deadline()), string(b.Needs()),
		issuesItself(b), s.toCompare(b), changeToApprove(b))
	return wrapf(err, "save booking %s", b.ID)
}

// needsPerson returns since when b has needed a person, in milliseconds; 0 if it does not need one.
func needsPerson(b gangway.Booking) int64 {
	if !b.Attention.Open() || b.Sample() {
		return 0
	}
	return millis(b.Attention.At)
}

// changeToApprove returns 1 if the change that b waits for waits for an approver.
func changeToApprove(b gangway.Booking) int {
	if b.Change == nil || b.Change.Approval == "" {
		return 0
	}
	return 1
}

// issuesItself returns when the automated user issues b, in milliseconds; 0 if it does not.
func issuesItself(b gangway.Booking) int64 {
	if b.State != gangway.Confirmed {
		return 0
	}
	return millis(b.IssuesAt())
}

func departs(b gangway.Booking) string {
	if len(b.Itinerary.Segments) == 0 {
		return ""
	}
	return string(gangway.DateOf(b.Itinerary.Departure()))
}

// Booking returns one booking. NotFound: the account has no such booking.
func (s Scoped) Booking(ctx context.Context, id string) (gangway.Booking, error) {
	return s.booking(ctx, s.db.reader, id)
}

// BookingByLocator returns the booking with a locator, whether upper or lower case.
func (s Scoped) BookingByLocator(ctx context.Context, locator string) (gangway.Booking, error) {
	row := s.db.reader.QueryRowContext(ctx, `
		SELECT doc, check_at
		FROM booking
		WHERE account = $1 AND locator = $2`,
		s.account, strings.ToUpper(strings.TrimSpace(locator)))
	return scanBooking(row)
}

// BookingsOfRequests returns the bookings made from the travel requests with
// the given request_ids, whatever their sub-requests, in the order they were made.
func (s Scoped) BookingsOfRequests(ctx context.Context, ids []string) ([]gangway.Booking, error) {
	var list []gangway.Booking
	err := s.among(ctx, `doc, check_at FROM booking`, `request`, slices.Compact(slices.Sorted(slices.Values(ids))),
		func(row scanner) error {
			b, err := scanBooking(row)
			list = append(list, b)
			return err
		})
	slices.SortFunc(list, func(a, b gangway.Booking) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return list, err
}

// BookingsWithoutRequest returns live bookings that leave between two dates, both included, and
// whose travel request no longer exists: at most limit of them, and how many there are in all.
// Bookings made elsewhere are left out: they name requests that were never sent to us.
func (s Scoped) BookingsWithoutRequest(ctx context.Context, from, to gangway.Date,
	limit int) (list []gangway.Booking, total int, err error) {
	const which = `
		FROM booking b
		WHERE b.account = $1 AND b.departs >= $2 AND b.departs <= $3 AND b.request <> '' AND b.supplier_order NOT LIKE 'manual %'
			AND b.` + live + `
			AND NOT EXISTS (SELECT 1 FROM travel_request r WHERE r.account = b.account AND r.request_id = b.request AND r.sub_request_id = b.sub_request)`
	if err := s.db.reader.QueryRowContext(ctx, `SELECT count(*)`+which, s.account, from, to).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("count bookings without a travel request: %w", err)
	}
	list, err = selectAll(ctx, s.db.reader, scanBooking, `SELECT b.doc, b.check_at`+which+`
		ORDER BY b.departs, b.id
		LIMIT $4`,
		s.account, from, to, limit)
	return list, total, wrapf(err, "list bookings without a travel request")
}

// BookingsOf returns the live bookings of travellers with the same name that leave between two
// dates, by departure.
func (s Scoped) BookingsOf(ctx context.Context, t gangway.Traveller, from, to gangway.Date) ([]gangway.Booking, error) {
	return s.bookingsOf(ctx, s.db.reader, t, from, to)
}

func (s Scoped) bookingsOf(ctx context.Context, q querier, t gangway.Traveller, from,
	to gangway.Date) ([]gangway.Booking, error) {
	list, err := selectAll(ctx, q, scanBooking, `
		SELECT doc, check_at
		FROM booking
		WHERE account = $1 AND passenger = $2 AND departs >= $3 AND departs <= $4
		ORDER BY departs, id`,
		s.account, t.FoldedName(), from, to)
	return slices.DeleteFunc(list, func(b gangway.Booking) bool { return !b.Live() || b.Sample() }),
		wrapf(err, "find bookings of a traveller")
}

// BookingsAround returns the live bookings that leave between two dates, by the folded names of their travellers.
func (s Scoped) BookingsAround(ctx context.Context, names []string, from,
	to gangway.Date) (map[string][]gangway.Booking, error) {
	found := map[string][]gangway.Booking{}
	for some := range slices.Chunk(names, amongAtMost) {
		list, err := selectAll(ctx, s.db.reader, scanBooking, `
			SELECT doc, check_at
			FROM booking
			WHERE account = $1 AND departs >= $2 AND departs <= $3 AND passenger IN (`+placeholders(4, len(some))+`)
			ORDER BY passenger, departs, id`,
			append([]any{s.account, from, to}, anys(some)...)...)
		if err != nil {
			return nil, fmt.Errorf("find bookings of travellers: %w", err)
		}
		for _, b := range list {
			if name := b.Passenger.FoldedName(); b.Live() && !b.Sample() {
				found[name] = append(found[name], b)
			}
		}
	}
	return found, nil
}

// BookingsOfChanges returns the live bookings of crew changes by the keys of the crew changes,
// newest first, up to limit for each. Only what is judged is read: ID,
// Locator, State, Supplier, Passenger, Itinerary, Purpose, Change, NoShow and Replaces.
func (s Scoped) BookingsOfChanges(ctx context.Context, keys []string, limit int) (map[string][]gangway.Booking, error) {
	found := map[string][]gangway.Booking{}
	if len(keys) == 0 {
		return found, nil
	}
	args, parts := []any{s.account}, make([]string, len(keys))
	for i, k := range keys {
		args = append(args, k)
		parts[i] = fmt.Sprintf(`
			SELECT doc
			FROM (
				SELECT b.doc
				FROM booking b
				WHERE b.account = $1 AND b.change_key = $%d AND b.%s
				ORDER BY b.created_at DESC, b.id DESC
				LIMIT %d) AS newest`, len(args), live, limit)
	}
	bookings, err := selectAll(ctx, s.db.reader, scanJourney, strings.Join(parts, `
			UNION ALL`), args...)
	if err != nil {
		return nil, fmt.Errorf("list bookings of crew changes: %w", err)
	}
	for _, b := range bookings {
		found[b.Purpose.Change] = append(found[b.Purpose.Change], b)
	}
	return found, nil
}
