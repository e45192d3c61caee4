package shell

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// functions are the template functions of every room. Those that return HTML
// escape their arguments. Besides, pages have those of timed.
func (sh *Shell) functions() template.FuncMap {
	return template.FuncMap{
		"href":       sh.href,                       // href "/bookings/" .ID: an address of ours
		"asset":      sh.assetPath,                  // asset "app.css"
		"stressed":   stressed,                      // stressed .Answer: what is between ** is bold
		"icon":       Icon,                          // icon "plane"
		"clock":      clock,                         // clock .Departure: "08:45", local, with UTC on its title
		"arrival":    arrival,                       // arrival .Departure .Arrival: "06:10 +1"
		"day":        day,                           // day .Departure: "Tue 12 Dec"
		"moment":     instant(LongUTC),              // moment .At: "Tue 12 Dec 08:00 UTC"
		"second":     instant("2 Jan 15:04:05 UTC"), // second .At: "12 Dec 08:00:05 UTC", of retries
		"date":       DateInWords,                   // date .CheckIn: "Tue 12 Dec 2026" of a gangway.Date
		"dayshort":   DayInWords,
		"typedday":   typedDay,         // typedday .From: the text of a field for a date
		"refusedday": refusedDay,       // refusedday .From: why it cannot be read
		"shortdate":  shortDate,        // shortdate .CheckIn: "Tue 12 Dec", with the year on its title
		"when":       instant(LongUTC), // when .HoldUntil: "Tue 24 Nov 18:59 UTC"
		"full":       instant(FullUTC), // full .Clock: "Tue 24 Nov 2026 18:59 UTC"
		"duration":   Duration,         // duration .Duration: "11 h 05"
		"unbroken":   unbroken,         // unbroken .Risk: durations within words stay on one line
		"money":      money,            // money .Price.Total
		"amount":     Amount,           // amount .Price.Total: "USD 1,228.00", for a button
		"number":     Number,           // number 12345: "12,345"
		"counted":    Counted,          // counted 1000: "999+"
		"plural":     Plural,           // plural 3 "traveller" "travellers": "3 travellers"
		"json":       asJSON,           // for data-fill
		"capital":    Capital,
		"took":       TookWords, // took .Median: "1.4 s"
		"size":       SizeWords, // size .Read: "1.2 MiB"
		"plain":      Plain[gangway.State],
		"upper":      strings.ToUpper,
		"join":       strings.Join,
		"fields":     fields,  // fields "A" 1 "B" 2: several values for one template
		"options":    options, // options "public" "Public" "marine" "Marine": the lines of a select
		"add":        func(a, b int) int { return a + b },
	}
}

// timed are the template functions that compare an instant with the present, by the clock now.
func timed(now func() time.Time) template.FuncMap {
	return template.FuncMap{
		// remains .Expires: "3 h 10 min left", counting down; "ended"
		"remains": func(t time.Time) template.HTML { return Countdown(now(), t, "", " left", "ended") },
		// ended .PriceUntil: whether it has passed
		"ended": func(t time.Time) bool { return !t.IsZero() && !now().Before(t) },
		// left .HoldUntil: "3 h 10 min", counting down
		"left": func(t time.Time) template.HTML { return Countdown(now(), t, "", "", "ended") },
		// ago .CreatedAt: "2 h ago"
		"ago": func(t time.Time) template.HTML { return ago(now(), t) },
	}
}

// href writes an address of ours. Text and values alternate, and values are
// escaped, as in href "/bookings/" .ID "/cancel". A value that is a query follows
// after a question mark, unless it is empty.
func (sh *Shell) href(path string, parts ...any) string {
	var b strings.Builder
	b.WriteString(sh.prefix)
	b.WriteString(path)
	for i, p := range parts {
		if q, ok := p.(url.Values); ok {
			if len(q) > 0 {
				b.WriteString("?" + q.Encode())
			}
			continue
		}
		s := fmt.Sprint(p)
		if i%2 == 0 {
			s = strings.ReplaceAll(url.QueryEscape(s), "+", "%20")
		}
		b.WriteString(s)
	}
	return b.String()
}

// timeTag writes a <time>. The script adds the reader's own time to its title.
func timeTag(t time.Time, class, words string) template.HTML {
	return template.HTML(`<time class="` + class + `" datetime="` + t.UTC().Format(time.RFC3339) + `" title="` +
		t.UTC().Format(FullUTC) + `">` + words + `</time>`)
}

// clock writes an airport's local time, which is t's own wall clock.
func clock(t time.Time) template.HTML { return timeTag(t, "at", t.Format("15:04")) }

// arrival writes the local time of arrival and how many days after departure that is.
func arrival(departure, arrival time.Time) template.HTML {
	words := arrival.Format("15:04")
	if n := daysBetween(departure, arrival); n != 0 {
		words += fmt.Sprintf(`<sup class="plus">%+d</sup>`, n)
	}
	return timeTag(arrival, "at", words)
}

// daysBetween counts midnights from one wall clock to another; a flight east
// over the date line can land the day before.
func daysBetween(from, to time.Time) int {
	f := time.Date(from.Year(), from.Month(), from.Day(), 0, 0, 0, 0, time.UTC)
	t := time.Date(to.Year(), to.Month(), to.Day(), 0, 0, 0, 0, time.UTC)
	return int(t.Sub(f).Hours() / 24)
}

func day(t time.Time) template.HTML { return timeTag(t, "day", t.Format("Mon 2 Jan")) }

// instant writes an instant that belongs to no airport, in UTC and saying so.
func instant(layout string) func(time.Time) template.HTML {
	return func(t time.Time) template.HTML {
		if t.IsZero() {
			return ""
		}
		return timeTag(t, "nowrap", t.UTC().Format(layout))
	}
}

// DateInWords writes a date with its year: "Tue 12 Dec 2026".
func DateInWords(d gangway.Date) string {
	if !d.Valid() {
		return string(d)
	}
	return d.In(time.UTC).Format("Mon 2 Jan 2006")
}

func shortDate(d gangway.Date) template.HTML {
	if !d.Valid() {
		return template.HTML(template.HTMLEscapeString(string(d)))
	}
	return template.HTML(`<time datetime="` + string(d) + `" data-known title="` + DateInWords(d) + `">` +
		d.In(time.UTC).Format("Mon 2 Jan") + `</time>`)
}

// Countdown writes how much time is left until a deadline between the words before
// and after, or the word past once the deadline has come; nothing without a
// deadline. clocks.js keeps it up to date.
func Countdown(now, t time.Time, before, after, past string) template.HTML {
	if t.IsZero() {
		return ""
	}
	words, class := TimeLeft(t.Sub(now))
	if words = before + words + after; !now.Before(t) {
		words = past
	}
	return template.HTML(`<time data-left data-before="` + before + `" data-after="` + after + `" data-then="` + past +
		`" class="left ` + class +
		`" datetime="` + t.UTC().Format(time.RFC3339) + `" title="` +
		t.UTC().Format(FullUTC) + `">` + words + `</time>`)
}

func ago(now, t time.Time) template.HTML {
	words, _ := TimeLeft(now.Sub(t))
	if words == "past" || words == "0 min" {
		return timeTag(t, "nowrap", "just now")
	}
	return timeTag(t, "nowrap", words+" ago")
}

// Duration writes how long something takes: "11 h 05".
func Duration(d time.Duration) string { return gangway.DurationWords(d) }

var durations = regexp.MustCompile(`(\d+) (?:h \d\d|min)\b`)

// unbroken keeps each duration in a sentence on one line.
func unbroken(words string) string {
	return durations.ReplaceAllStringFunc(words, func(d string) string { return strings.ReplaceAll(d, " ", "\u00a0") })
}

func money(m gangway.Money) template.HTML {
	whole, decimals, found := strings.Cut(m.Decimal(), ".")
	if found {
		decimals = "." + decimals
	}
	return template.HTML(`<span class="money"><span class="ccy">` + template.HTMLEscapeString(m.Currency) + `</span> ` +
		gangway.Thousands(whole) + decimals + `</span>`)
}

// Amount writes money in the middle of a sentence: "USD 1,228.00".
func Amount(m gangway.Money) string { return m.Words() }

// Number writes a count: "12,345".
func Number(n int) string { return gangway.Thousands(strconv.Itoa(n)) }

// Counted writes a count that stops at store.MostCounted.
func Counted(n int) string {
	if n >= store.MostCounted {
		return Number(store.MostCounted-1) + "+"
	}
	return Number(n)
}

// CountedPlural is plural for such a count.
func CountedPlural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Counted(n) + " " + many
}

// Plural writes a count with what is counted: "3 travellers".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + many
}

// stressed makes what is between ** bold.
func stressed(words string) (html template.HTML) {
	for i, part := range strings.Split(words, "**") {
		part = template.HTMLEscapeString(part)
		if i%2 == 1 {
			part = "<strong>" + part + "</strong>"
		}
		html += template.HTML(part)
	}
	return html
}

// Tally counts what is in each state, the most first: "299 delivered, 2 waiting". states has one for each.
func Tally(states []string) string {
	var words []string
	n := map[string]int{}
	for _, state := range states {
		if n[state]++; n[state] == 1 {
			words = append(words, state)
		}
	}
	slices.SortStableFunc(words, func(a, b string) int { return n[b] - n[a] })
	for i, state := range words {
		words[i] = Number(n[state]) + " " + state
	}
	return strings.Join(words, ", ")
}

func asJSON(v any) (string, error) {
	doc, err := json.Marshal(v)
	return string(doc), err
}

// fields makes one value of several names and values, for a template that needs them all.
func fields(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, fmt.Errorf("fields: names and values must alternate")
	}
	m := make(map[string]any, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("fields: %v is not a field's name", pairs[i])
		}
		m[name] = pairs[i+1]
	}
	return m, nil
}

// An Option is a line of a select, or one of several radio buttons.
type Option struct{ Value, Words string }

// options makes the lines of a select from values and words, which alternate.
func options(pairs ...string) []Option {
	list := make([]Option, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		list = append(list, Option{pairs[i], pairs[i+1]})
	}
	return list
}

// LongUTC is how an instant is written in a sentence.
const LongUTC = "Mon 2 Jan 15:04 UTC"

// FullUTC is LongUTC with the year, for titles, and for an account's clock, which may be years ahead.
const FullUTC = "Mon 2 Jan 2006 15:04 UTC"

// BirthInWords writes a date of a document, of which nobody wants the day of the week: "12 Mar 1985".
func BirthInWords(d gangway.Date) string {
	if !d.Valid() {
		return string(d)
	}
	return d.In(time.UTC).Format("2 Jan 2006")
}

// DayInWords writes a date whose year the reader knows: "Tue 12 Dec".
func DayInWords(d gangway.Date) string { return d.In(time.UTC).Format("Mon 2 Jan") }

// Clock returns the time by the clock of the account that the visitor works in.
func (sh *Shell) Clock(ctx context.Context) time.Time {
	v, _ := VisitorOf(ctx)
	return v.Account.Scope().Now(sh.Now())
}

// Today is the present date by that clock.
func (sh *Shell) Today(ctx context.Context) gangway.Today { return gangway.TodayAt(sh.Clock(ctx)) }
