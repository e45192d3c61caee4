package store

import (
	"context"
	"fmt"
	"strings"

	"gangway"
)

// A BookingQuery selects bookings; what is empty selects nothing away.
type BookingQuery struct {
	Find     string // locator, identifier, or the start of a surname, vessel or ticket number
	State    gangway.State
	Vessel   string       // start of its name
	From, To gangway.Date // local date of departure, both included
	By       string       // e-mail of who booked
	Change   string       // key of the crew change
	Search   string
	Live     bool   // they still stand
	At       string // position of a page, from the one before
	Limit    int
}

// A BookingPage is a page of the bookings that a query selects.
type BookingPage struct {
	List          []gangway.Booking
	Before, After string // positions of the pages around it; empty where there is none
	Cut           bool   // it ends early, since few of those looked at fit: there may be more after it
}

// BookingPage returns a page of the bookings that q selects, in the order of
// the index that serves it: by ticket, surname and vessel where something is
// looked for, by vessel, by who booked, by departure, and otherwise the newest
// first. However many bookings there are, it looks at no more than looksAt.
func (s Scoped) BookingPage(ctx context.Context, q BookingQuery) (BookingPage, error) {
	if q.Limit <= 0 {
		q.Limit = 1000
	}
	found, err := s.walk(ctx, q.stretches(), q.At, q.Limit)
	if err != nil {
		return BookingPage{}, err
	}
	page := BookingPage{Before: found.before, After: found.after, Cut: found.cut}
	page.List, err = s.bookingsInOrder(ctx, found.ids)
	return page, err
}

// Bookings returns the first bookings that q selects, and whether there are more.
func (s Scoped) Bookings(ctx context.Context, q BookingQuery) (list []gangway.Booking, more bool, err error) {
	page, err := s.BookingPage(ctx, q)
	return page.List, page.After != "", err
}

var (
	newestFirst = []key{{"b.created_at", true}, {"b.id", true}}
	byVessel    = []key{{"b.vessel", false}, {"b.created_at", true}, {"b.id", true}}
	byName      = []key{{"b.passenger", false}, {"b.departs", true}, {"b.id", true}}
	byTicket    = []key{{"t.number", false}, {"t.booking", false}}
	byDeparture = []key{{"b.departs", false}, {"b.id", false}}
	latestFirst = []key{{"b.departs", true}, {"b.id", true}}
)

const (
	fromBookings = `booking b`
	fromTickets  = `booking_ticket t
		JOIN booking b ON b.account = t.account AND b.id = t.booking`
)

// stretches returns the list that q selects: the ranges of the indexes that
// serve it, and what of q is still to be looked at in each row.
func (q BookingQuery) stretches() []stretch {
	if find := strings.TrimSpace(q.Find); find != "" {
		return q.finds(find)
	}
	in := func(keys []key, where string, args ...any) []stretch {
		return []stretch{{from: fromBookings, where: `b.account = $1` + where, args: args, keys: keys, fits: q.rest()}}
	}
	rest := &q
	switch vessel := gangway.Fold(q.Vessel); {
	case q.Change != "":
		change := q.Change
		rest.Change = ""
		return in(newestFirst, ` AND b.change_key = $2`, change)
	case q.Search != "":
		search := q.Search
		rest.Search = ""
		return in(newestFirst, ` AND b.search = $2`, search)
	case vessel != "":
		rest.Vessel = ""
		return in(byVessel, ` AND b.vessel >= $2 AND b.vessel < $3`, vessel, vessel+"\U0010FFFF")
	case q.By != "":
		by := q.By
		rest.By = ""
		return in(newestFirst, ` AND b.created_by = $2`, by)
	case q.From != "":
		from, to := q.From, q.To
		if to == "" {
			to = "9999-12-31"
		}
		rest.From, rest.To = "", ""
		return in(byDeparture, ` AND b.departs >= $2 AND b.departs <= $3`, string(from), string(to))
	case q.To != "":
		to := q.To
		rest.To = ""
		return in(latestFirst, ` AND b.departs <= $2`, string(to))
	case q.State != "":
		state := q.State
		rest.State = ""
		return in(newestFirst, ` AND b.state = $2`, string(state))
	}
	return in(newestFirst, ``)
}

// finds returns what find may name, in this order: a locator, an identifier of
// ours or of a travel request; a ticket; a surname; a vessel.
func (q BookingQuery) finds(find string) []stretch {
	q.Find = ""
	folded, upper := gangway.Fold(find), strings.ToUpper(find)
	rest := q.rest()
	exactly := func(f found) bool { return f.locator == upper || f.id == find || f.request == find }
	named := func(f found) bool { return folded != "" && strings.HasPrefix(f.passenger, folded) }
	but := func(not func(found) bool) func(found) bool {
		return func(f found) bool { return !not(f) && (rest == nil || rest(f)) }
	}
	byID := []key{{"b.id", false}}
	list := []stretch{
		{from: fromBookings, where: `b.account = $1 AND b.locator = $2`, args: []any{upper}, keys: byID, fits: rest},
		{from: fromBookings, where: `b.account = $1 AND b.id = $2`, args: []any{find}, keys: byID, fits: rest},
		{from: fromBookings, where: `b.account = $1 AND b.request = $2`, args: []any{find}, keys: []key{{"b.sub_request", false}, {"b.id", false}}, fits: rest},
	}
	number := ticketDigits(find)
	ticketed := func(f found) bool { return number != "" && firstTicket(f, number) != "" }
	if number != "" {
		list = append(list, stretch{
			from: fromTickets, where: `t.account = $1 AND t.number >= $2 AND t.number < $3`, args: []any{number, number + ":"}, keys: byTicket,
			fits: but(func(f found) bool { return exactly(f) || firstTicket(f, number) != f.place[0] }),
		})
	}
	if folded == "" {
		return list
	}
	return append(list,
		stretch{
			from: fromBookings, where: `b.account = $1 AND b.passenger >= $2 AND b.passenger < $3`, args: []any{folded, folded + "\U0010FFFF"}, keys: byName,
			fits: but(func(f found) bool { return exactly(f) || ticketed(f) }),
		},
		stretch{
			from: fromBookings, where: `b.account = $1 AND b.vessel >= $2 AND b.vessel < $3`, args: []any{folded, folded + "\U0010FFFF"}, keys: byVessel,
			fits: but(func(f found) bool { return exactly(f) || ticketed(f) || named(f) }),
		})
}

// firstTicket returns the first ticket number of a booking that begins with digits.
func firstTicket(f found, digits string) string {
	first := ""
	for number := range strings.FieldsSeq(f.tickets) {
		if strings.HasPrefix(number, digits) && (first == "" || number < first) {
			first = number
		}
	}
	return first
}

// ticketDigits returns the digits of what is the start of a ticket number, as
// in "618-2412"; empty for anything else.
func ticketDigits(find string) string {
	digits := strings.NewReplacer("-", "", " ", "").Replace(find)
	if len(digits) < 3 || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return digits
}

// rest returns whether a row is what q selects; nil where it selects nothing.
func (q BookingQuery) rest() func(found) bool {
	q.At, q.Limit = "", 0
	if q == (BookingQuery{}) {
		return nil
	}
	vessel := gangway.Fold(q.Vessel)
	return func(f found) bool {
		return (q.State == "" || f.state == q.State) &&
			(vessel == "" || strings.HasPrefix(f.vessel, vessel)) &&
			(q.From == "" || f.departs >= string(q.From)) &&
			(q.To == "" || f.departs <= string(q.To)) &&
			(q.By == "" || f.by == q.By) &&
			(!q.Live || f.state != gangway.Cancelled && f.state != gangway.Declined && f.state != gangway.RefundPending)
	}
}

// CountSelected returns how many bookings q selects, but no more than
// MostCounted; not known where an index alone cannot tell.
func (s Scoped) CountSelected(ctx context.Context, q BookingQuery) (n int, known bool, err error) {
	list := q.stretches()
	if len(list) != 1 || list[0].fits != nil {
		return 0, false, nil
	}
	t := list[0]
	err = s.db.reader.QueryRowContext(ctx, countUpTo(t.where, t.keys), append([]any{s.account}, t.args...)...).Scan(&n)
	if err != nil {
		return 0, false, fmt.Errorf("count bookings: %w", err)
	}
	return n, true, nil
}

// BookingsOfChanges returns the live bookings of crew changes by their keys,
// the newest first, up to limit of each.
func (s Scoped) BookingsOfChanges(ctx context.Context, keys []string, limit int) (map[string][]gangway.Booking, error) {
	found := map[string][]gangway.Booking{}
	if len(keys) == 0 {
		return found, nil
	}
	args, parts := []any{s.account}, make([]string, len(keys))
	for i, k := range keys {
		args = append(args, k)
		parts[i] = fmt.Sprintf(`
			SELECT doc, check_at
			FROM (
				SELECT b.doc, b.check_at
				FROM booking b
				WHERE b.account = $1 AND b.change_key = $%d AND b.%s
				ORDER BY b.created_at DESC, b.id DESC
				LIMIT %d) AS newest`, len(args), live, limit)
	}
	rows, err := s.db.reader.QueryContext(ctx, strings.Join(parts, `
			UNION ALL`), args...)
	if err != nil {
		return nil, fmt.Errorf("list bookings of crew changes: %w", err)
	}
	list, err := scanBookings(rows)
	for _, b := range list {
		found[b.Purpose.Change] = append(found[b.Purpose.Change], b)
	}
	return found, err
}
