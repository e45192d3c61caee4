package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// A BookingQuery selects bookings; an empty field selects all.
type BookingQuery struct {
	// locator, identifier, or the start of a surname or ticket number, or of words of a traveller's or a vessel's name
	Find     string
	State    gangway.State
	Vessel   string       // start of its name, or of words of it
	From, To gangway.Date // local date of departure, both included
	By       string       // who booked: e-mail, or the start of words of the name
	Change   string       // key of the crew change
	Search   string
	Live     bool   // only bookings for which gangway.Booking.Live is true
	At       string // position of a page, from the one before
	Limit    int
}

// A BookingPage is a page of the bookings that a query selects.
type BookingPage struct {
	List          []gangway.Booking
	Before, After string // positions of the pages around it; empty if there is none
	Cut           bool   // it ends early because few of the bookings looked at fit: there may be more after it
	MoreNames     bool   // more travellers have words that begin like what is looked for than were looked at
	MoreVessels   bool   // the same for vessels
	MoreBookers   bool   // the same for people who booked
}

// BookingPage returns a page of the bookings that q selects, in the order of the index that is
// read: by ticket, surname and vessel for a search, by vessel, by who booked, by departure, and
// otherwise newest first. It reads at most looksAt rows, however many bookings there are.
func (s Scoped) BookingPage(ctx context.Context, q BookingQuery) (BookingPage, error) {
	if q.Limit <= 0 {
		q.Limit = 1000
	}
	w, err := s.meaning(ctx, q)
	if err != nil {
		return BookingPage{}, err
	}
	found, err := s.walk(ctx, q.ranges(w), q.At, q.Limit)
	if err != nil {
		return BookingPage{}, err
	}
	page := BookingPage{
		Before: found.before, After: found.after, Cut: found.cut, MoreNames: w.moreNames, MoreVessels: w.moreVessels,
		MoreBookers: w.moreBookers,
	}
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
	fromReferences = `booking_reference r
		JOIN booking b ON b.account = r.account AND b.id = r.booking`
)

// ranges returns the ranges of the indexes to read for q. Each row in them is still checked with
// rest. w is what the words of q mean.
func (q BookingQuery) ranges(w queryMeaning) []indexRange {
	if find := strings.TrimSpace(q.Find); find != "" {
		return q.finds(find, w)
	}
	in := func(keys []key, where string, args ...any) []indexRange {
		return []indexRange{{from: fromBookings, where: `b.account = $1` + where, args: args, keys: keys,
			fits: q.rest(w), reads: q.reads()}}
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
		list := in(byVessel, ` AND b.vessel >= $2 AND b.vessel < $3`, vessel, vessel+"\U0010FFFF")
		for _, v := range w.vessels {
			list = append(list, in(newestFirst, ` AND b.vessel = $2`, v)...)
		}
		return list
	case q.By != "":
		rest.By = ""
		var list []indexRange
		for _, by := range w.by {
			list = append(list, in(newestFirst, ` AND b.created_by = $2`, by)...)
		}
		return list
	case q.From != "":
		from, to := q.From, q.To
		to = cmp.Or(to, "9999-12-31")
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

// finds returns the index ranges of what find may name, in this order: a locator, an identifier of
// ours, of a travel request or of a traveller, a locator of an airline's or an identifier of a crew
// change; a ticket; a surname; a vessel; a traveller and then a vessel with such a word in the name.
// A booking is listed in the first of them that has it.
func (q BookingQuery) finds(find string, w queryMeaning) []indexRange {
	q.Find = ""
	rest, reads, list := q.rest(w), q.reads(), q.inFull(find, w)
	var earlier []func(listCandidate) bool // whether a range so far has a booking
	if len(w.exact) > 0 {
		earlier = append(earlier, func(f listCandidate) bool { return w.exact[f.id] })
	}
	add := func(t indexRange, column string, has func(listCandidate) bool) {
		before := slices.Clip(earlier)
		if t.reads = slices.Clip(reads); len(before) > 0 || rest != nil {
			t.fits = func(f listCandidate) bool {
				listed := func(has func(listCandidate) bool) bool { return has(f) }
				return !slices.ContainsFunc(before, listed) && (rest == nil || rest(f))
			}
		}
		list, earlier = append(list, t), append(before, has)
		if !slices.Contains(reads, column) {
			reads = append(slices.Clip(reads), column)
		}
	}
	number, folded, name := ticketDigits(find), gangway.Fold(find), gangway.TypedName(find)
	if number != "" {
		add(indexRange{from: fromTickets, where: `t.account = $1 AND t.number >= $2 AND t.number < $3`,
			args: []any{number, number + ":"}, keys: byTicket}, "b.tickets",
			func(f listCandidate) bool { return firstTicket(f, number) != "" })
		t := &list[len(list)-1]
		fits := t.fits
		t.reads, t.fits = reads, func(f listCandidate) bool {
			return firstTicket(f, number) == f.place[0] && (fits == nil || fits(f))
		}
	}
	in := func(where string, keys []key, args ...any) indexRange {
		return indexRange{from: fromBookings, where: `b.account = $1 AND ` + where, args: args, keys: keys}
	}
	if folded != "" && name != "" {
		add(in(`b.passenger >= $2 AND b.passenger < $3`, byName, name, name+"\U0010FFFF"), "b.passenger",
			func(f listCandidate) bool { return strings.HasPrefix(f.passenger, name) })
		add(in(`b.vessel >= $2 AND b.vessel < $3`, byVessel, folded, folded+"\U0010FFFF"), "b.vessel",
			func(f listCandidate) bool { return strings.HasPrefix(f.vessel, folded) })
	}
	if number != "" {
		return list // names have no digits
	}
	for _, of := range w.names {
		if !strings.HasPrefix(of, name) { // else it is found by how it begins
			add(in(`b.passenger = $2`, latestFirst, of), "b.passenger",
				func(f listCandidate) bool { return f.passenger == of })
		}
	}
	for _, vessel := range w.vessels {
		add(in(`b.vessel = $2`, newestFirst, vessel), "b.vessel",
			func(f listCandidate) bool { return f.vessel == vessel })
	}
	return list
}

// firstTicket returns the first ticket number of a booking that begins with digits.
func firstTicket(f listCandidate, digits string) string {
	first := ""
	for number := range strings.FieldsSeq(f.tickets) {
		if strings.HasPrefix(number, digits) && (first == "" || number < first) {
			first = number
		}
	}
	return first
}

// ticketDigits returns the digits of the start of a ticket number, as in "618-2412"; empty if find
// is not one.
func ticketDigits(find string) string {
	digits := strings.NewReplacer("-", "", " ", "").Replace(find)
	if len(digits) < 3 || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return digits
}

// rest returns the check whether q selects a row; nil if the indexes have selected everything.
func (q BookingQuery) rest(w queryMeaning) func(listCandidate) bool {
	q.At, q.Limit = "", 0
	if q == (BookingQuery{}) {
		return nil
	}
	vessel := gangway.Fold(q.Vessel)
	return func(f listCandidate) bool {
		return (q.State == "" || f.state == q.State) &&
			(vessel == "" || strings.HasPrefix(f.vessel, vessel) || gangway.HasWords(f.vessel, vessel)) &&
			(q.From == "" || f.departs >= string(q.From)) &&
			(q.To == "" || f.departs <= string(q.To)) &&
			(q.By == "" || slices.Contains(w.by, f.by)) &&
			(!q.Live || gangway.Booking{State: f.state}.Live())
	}
}

// reads returns the columns that rest reads.
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

// CountSelected returns how many bookings q selects, counted up to MostCounted; known is false if
// an index alone cannot tell.
func (s Scoped) CountSelected(ctx context.Context, q BookingQuery) (n int, known bool, err error) {
	w, err := s.meaning(ctx, q)
	if err != nil {
		return 0, false, err
	}
	for _, t := range q.ranges(w) { // no booking is in two of them unless a range leaves some out
		if t.fits != nil || t.none {
			return 0, false, nil
		}
		more, err := column[int](s.db.reader.QueryRowContext(ctx, countUpTo(t.where, t.keys),
			append([]any{s.account}, t.args...)...))
		if err != nil {
			return 0, false, fmt.Errorf("count bookings: %w", err)
		}
		if n += more; n >= MostCounted {
			return MostCounted, true, nil
		}
	}
	return n, true, nil
}
