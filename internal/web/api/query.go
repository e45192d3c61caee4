package api

import (
	"cmp"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// mostBookings is how many bookings one answer has at most, whoever asks.
const mostBookings = 10_000

// mostDays is how far back ?days= reaches.
const mostDays = 90

// A query is the parameters of a request. Problems with them are collected by
// parameter.
type query struct {
	values   url.Values
	problems gangway.Problems
}

// queryOf reads the parameters of a request. An unknown one is refused and not
// ignored: the caller expects it to have an effect, and a pull cannot be undone.
func queryOf(r *http.Request, known ...string) *query {
	q := &query{}
	var err error
	if q.values, err = url.ParseQuery(r.URL.RawQuery); err != nil {
		q.wrong("", "The query cannot be read: parameters are joined by &, and a semicolon is written %%3B.")
	}
	for name, given := range q.values {
		switch {
		case !slices.Contains(known, name):
			q.wrong(name, "There is no parameter %s here; there are %s.", parameterName(name),
				cmp.Or(strings.Join(known, ", "), "none"))
		case len(given) > 1:
			q.wrong(name, "The %s parameter was given more than once.", parameterName(name))
		}
	}
	return q
}

// wrong notes a problem of a parameter, under its name as it was sent: only fields
// of records have names in problems that differ from the wire.
func (q *query) wrong(name, format string, args ...any) {
	q.problems.Add(parameterName(name), format, args...)
}

// parameterName returns the name of a parameter as errors have it: "query" for an
// empty one, which is a problem of the whole query.
func parameterName(name string) string {
	if cut := []rune(name); len(cut) > 100 {
		return string(cut[:100])
	}
	return cmp.Or(name, "query")
}

func (q *query) has(name string) bool { return q.values.Has(name) }

// alone notes a problem for each of others that is given together with name.
func (q *query) alone(name string, others ...string) {
	for _, other := range others {
		if q.has(name) && q.has(other) {
			q.wrong(other, "The parameter %s cannot be given beside %s.", other, name)
		}
	}
}

// number reads a number from 1 to most; fallback if it is not given.
func (q *query) number(name string, most, fallback int) int {
	if !q.has(name) {
		return fallback
	}
	text := q.values.Get(name)
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most || text != strconv.Itoa(n) {
		q.wrong(name, "The %s parameter is a number from 1 to %d.", name, most)
		return fallback
	}
	return n
}

var pullName = regexp.MustCompile(`^[A-Za-z0-9._~-]{1,64}$`)

// pull reads the name of a pull; empty if none is given.
func (q *query) pull() string {
	name := q.values.Get("pull")
	if q.has("pull") && !pullName.MatchString(name) {
		q.wrong("pull", "The pull parameter is a name of 1 to 64 letters, digits and . _ ~ - characters.")
	}
	return name
}

// forms are the accepted formats of an instant. Without a zone it is UTC.
var forms = []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05.999999999", "2006-01-02T15:04"}

// lostPlus finds an offset whose plus sign was not percent-encoded: it arrives as a blank.
var lostPlus = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT[0-9:.]+) (\d\d:\d\d)$`)

// instant reads a date or an instant. Of a date it returns the beginning, or the end
// if the list includes that date.
func (q *query) instant(name string, endOfDate bool) time.Time {
	text := strings.ToUpper(q.values.Get(name))
	at := q.readInstant(name, text, endOfDate)
	if at.After(lastInstant) { // as the end of the year 9999 is, or an offset puts it
		return lastInstant
	}
	return at
}

// lastInstant is the last one that can be written as a parameter of the next page.
var lastInstant = time.Date(9999, 12, 31, 23, 59, 59, 999_000_000, time.UTC)

func (q *query) readInstant(name, text string, endOfDate bool) time.Time {
	if !q.has(name) {
		q.wrong(name, "The %s parameter is required: a date as in 2026-12-01 or an instant as in 2026-12-01T08:00:00Z.",
			name)
		return time.Time{}
	}
	if date := gangway.Date(text); date.Valid() {
		if endOfDate {
			return date.In(time.UTC).AddDate(0, 0, 1)
		}
		return date.In(time.UTC)
	}
	text = lostPlus.ReplaceAllString(text, "$1+$2")
	for _, form := range forms {
		if at, err := time.Parse(form, text); err == nil {
			return at
		}
	}
	q.wrong(name, "The %s parameter is a date as in 2026-12-01 or an instant as in 2026-12-01T08:00:00Z or "+
		"2026-12-01T10:00:00%%2B02:00; without a zone it is UTC. %.40q is neither.", name, q.values.Get(name))
	return time.Time{}
}

// after reads where a list continues, as nextPage writes it.
func (q *query) after() store.Position {
	if !q.has("after") {
		return store.Position{}
	}
	millis, booking, ok := strings.Cut(q.values.Get("after"), ".")
	n, err := strconv.ParseInt(millis, 10, 64)
	if !ok || err != nil || n < 0 || booking == "" {
		q.wrong("after", "The after parameter comes from the Link header of an answer and is given as it is there.")
	}
	return store.Position{Millis: n, Booking: booking}
}

// nextPage returns the Link header (RFC 8288) for the rest of a list after a
// position. Its address is relative to that of the request, which we do not know
// because there may be a proxy in between.
func nextPage(p store.Position, parameters ...string) string {
	link := "?"
	for i := 0; i < len(parameters); i += 2 {
		link += parameters[i] + "=" + url.QueryEscape(parameters[i+1]) + "&"
	}
	return "<" + link + "after=" + strconv.FormatInt(p.Millis, 10) + "." + url.QueryEscape(p.Booking) + `>; rel="next"`
}
