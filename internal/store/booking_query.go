package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gangway"
)

// A BookingQuery selects bookings; what is empty selects nothing away.
type BookingQuery struct {
	Find     string // locator, identifier, or the start of a surname, vessel or ticket number, or of words of a traveller's name
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
	MoreNames     bool   // more travellers have words that start as what is looked for than were looked at
}

// BookingPage returns a page of the bookings that q selects, in the order of
// the index that serves it: by ticket, surname and vessel where something is
// looked for, by vessel, by who booked, by departure, and otherwise the newest
// first. However many bookings there are, it looks at no more than looksAt.
func (s Scoped) BookingPage(ctx context.Context, q BookingQuery) (BookingPage, error) {
	if q.Limit <= 0 {
		q.Limit = 1000
	}
	exact, err := s.exactly(ctx, q.Find)
	if err != nil {
		return BookingPage{}, err
	}
	names, more, err := s.namesByWord(ctx, q.Find)
	if err != nil {
		return BookingPage{}, err
	}
	found, err := s.walk(ctx, append(q.stretches(exact), q.named(names, exact)...), q.At, q.Limit)
	if err != nil {
		return BookingPage{}, err
	}
	page := BookingPage{Before: found.before, After: found.after, Cut: found.cut, MoreNames: more}
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
	fromTraces = `booking_trace m
		JOIN booking b ON b.account = m.account AND b.id = m.id`
)

// stretches returns the list that q selects: the ranges of the indexes that
// serve it, and what of q is still to be looked at in each row. exact are the
// bookings that Find names in full.
func (q BookingQuery) stretches(exact map[string]bool) []stretch {
	if find := strings.TrimSpace(q.Find); find != "" {
		return q.finds(find, exact)
	}
	in := func(keys []key, where string, args ...any) []stretch {
		return []stretch{{from: fromBookings, where: `b.account = $1` + where, args: args, keys: keys, fits: q.rest(), reads: q.reads()}}
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
// ours, of a travel request or of a traveller; a ticket; a surname; a vessel.
func (q BookingQuery) finds(find string, exact map[string]bool) []stretch {
	q.Find = ""
	folded, name, upper := gangway.Fold(find), gangway.TypedName(find), strings.ToUpper(find)
	rest, reads := q.rest(), q.reads()
	exactly := func(f found) bool { return exact[f.id] }
	named := func(f found) bool { return name != "" && strings.HasPrefix(f.passenger, name) }
	but := func(not func(found) bool) func(found) bool {
		if rest == nil && not == nil {
			return nil
		}
		return func(f found) bool { return (not == nil || !not(f)) && (rest == nil || rest(f)) }
	}
	byID := []key{{"b.id", false}}
	list := []stretch{
		{where: hasLocator, args: []any{upper}, keys: byID},
		{where: hasID, args: []any{find}, keys: byID},
		{where: hasRequest, args: []any{find}, keys: []key{{"b.sub_request", false}, {"b.id", false}}},
		{from: fromTraces, where: hasTraveller, args: []any{travellerMark(find)}, keys: []key{{"m.id", false}}},
	}
	for i := range list {
		list[i].fits, list[i].reads, list[i].none = rest, reads, len(exact) == 0
		if list[i].from == "" {
			list[i].from = fromBookings
		}
	}
	traveller := &list[len(list)-1]
	traveller.reads = append(slices.Clone(reads), "b.request")
	traveller.fits = but(func(f found) bool { return f.request == find }) // a customer may count both in one way
	number := ticketDigits(find)
	ticketed := func(f found) bool { return number != "" && firstTicket(f, number) != "" }
	if number != "" {
		list = append(list, stretch{
			from: fromTickets, where: `t.account = $1 AND t.number >= $2 AND t.number < $3`, args: []any{number, number + ":"}, keys: byTicket,
			reads: append(reads, "b.tickets"),
			fits:  but(func(f found) bool { return exactly(f) || firstTicket(f, number) != f.place[0] }),
		})
	}
	if folded == "" || name == "" {
		return list
	}
	before := func(f found) bool { return exactly(f) || ticketed(f) }
	if number != "" {
		reads = append(reads, "b.tickets")
	} else if len(exact) == 0 {
		before = nil // this is the first that has any
	}
	return append(list,
		stretch{
			from: fromBookings, where: `b.account = $1 AND b.passenger >= $2 AND b.passenger < $3`, args: []any{name, name + "\U0010FFFF"}, keys: byName,
			reads: reads,
			fits:  but(before),
		},
		stretch{
			from: fromBookings, where: `b.account = $1 AND b.vessel >= $2 AND b.vessel < $3`, args: []any{folded, folded + "\U0010FFFF"}, keys: byVessel,
			reads: append(slices.Clone(reads), "b.passenger"),
			fits:  but(func(f found) bool { return exactly(f) || ticketed(f) || named(f) }),
		})
}

// How a booking is named in full.
const (
	hasLocator = `b.account = $1 AND b.locator = $2`
	hasID      = `b.account = $1 AND b.id = $2`
	hasRequest = `b.account = $1 AND b.request = $2`

	hasTraveller = `m.account = $1 AND m.mark = $2`
)

// travellerMark is what the traces have of an identifier of the customer's; they
// are written within seconds after a booking.
func travellerMark(id string) int64 { return mark(gangway.Likeness{ID: id}.Marks()[0]) }

// mostNamed bounds how many bookings one text names in full: a travel request
// has a few sub-requests.
const mostNamed = 500

var findExactly = fmt.Sprintf(`
		SELECT b.id FROM booking b WHERE %s
		UNION ALL
		SELECT b.id FROM booking b WHERE %s
		UNION ALL
		SELECT id FROM (SELECT b.id FROM booking b WHERE %s ORDER BY b.sub_request, b.id LIMIT %d) AS listed
		UNION ALL
		SELECT id FROM (SELECT m.id FROM booking_trace m WHERE %[5]s ORDER BY m.id LIMIT %[4]d) AS listed`,
	hasLocator, strings.Replace(hasID, "$2", "$3", 1), strings.Replace(hasRequest, "$2", "$3", 1), mostNamed, strings.Replace(hasTraveller, "$2", "$4", 1))

// exactly returns the bookings that find names in full. They come first
// wherever they would stand otherwise, and most texts name none.
func (s Scoped) exactly(ctx context.Context, find string) (map[string]bool, error) {
	if find = strings.TrimSpace(find); find == "" {
		return nil, nil
	}
	rows, err := s.db.reader.QueryContext(ctx, findExactly, s.account, strings.ToUpper(find), find, travellerMark(find))
	if err != nil {
		return nil, fmt.Errorf("find bookings: %w", err)
	}
	defer rows.Close()
	named := map[string]bool{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("find bookings: %w", err)
		}
		named[id] = true
	}
	return named, rows.Err()
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
			(!q.Live || gangway.Booking{State: f.state}.Live())
	}
}

// reads returns the columns that rest looks at.
func (q BookingQuery) reads() (columns []string) {
	for _, c := range []struct {
		column string
		asked  bool
	}{
		{"b.state", q.State != "" || q.Live},
		{"b.vessel", gangway.Fold(q.Vessel) != ""},
		{"b.departs", q.From != "" || q.To != ""},
		{"b.created_by", q.By != ""},
	} {
		if c.asked {
			columns = append(columns, c.column)
		}
	}
	return columns
}

// CountSelected returns how many bookings q selects, but no more than
// MostCounted; not known where an index alone cannot tell.
func (s Scoped) CountSelected(ctx context.Context, q BookingQuery) (n int, known bool, err error) {
	list := q.stretches(nil)
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
