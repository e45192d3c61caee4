package report

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A reportPage is the report for the bookings that the filters select. The address holds the filters.
type reportPage struct {
	Filters
	Money        string // the currency that charts are wanted in; empty: that of the most tickets
	Rank         string // what vessels, routes and airlines are ordered by
	Ranks        []rankChoice
	StateChoices []stateChoice
	Periods      []period
	More         bool     // filters are set that a phone shows only when asked
	OnPaper      string   // says on paper whose report it is, who asked for it, and when
	FieldNames   []string // of customers' own fields
	Views        []savedView
	Taken        string // the name of a view that there is, under which somebody wants to save the page
	Kept         url.Values
	Making       bool // not every booking has its row yet
}

// A stateChoice is a state to narrow down to.
type stateChoice struct {
	Value gangway.State
	Words string
	On    bool
}

// A rankChoice is an order to choose.
type rankChoice struct {
	Value, Words string
	On           bool
	At           url.Values // the address of the page in this order
}

// A period is a link to the report for some usual days.
type period struct {
	key   string // in the addresses of saved views
	Words string
	At    url.Values
	On    bool
}

// reportPatience is how long a page waits for all its figures.
const reportPatience = store.ReportTime

// Report shows the report for the bookings that the filters select: the page at once, and each of its parts as soon
// as it is worked out.
func (room *Room) Report(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	today := gangway.DateOf(room.Now().UTC())
	p := newReportPage(r.URL.Query(), today)
	v, _ := shell.VisitorOf(r.Context())
	p.OnPaper = fmt.Sprintf("%s, %s · as of %s · %s", v.Account.Customer.Name, v.Account.Environment,
		room.Now().UTC().Format("2 Jan 2006, 15:04 UTC"), v.User.Name)
	page := shell.Page{Template: "report", Section: "report", Title: "Report", Answer: p.Filters.words(), Data: p}
	if len(p.Wrong) > 0 {
		page.Status, page.Answer = http.StatusUnprocessableEntity, "Nothing is reported until the filters make sense."
		return room.Show(w, r, page)
	}
	ready, err := in.ReportReady(r.Context())
	if err != nil {
		return err
	}
	if !ready {
		p.Making = true
		page.Status, page.Data = http.StatusServiceUnavailable, p
		w.Header().Set("Retry-After", "10")
		w.Header().Set("Refresh", "10") // the browser opens it again by itself
		return room.Show(w, r, page)
	}
	if p.FieldNames, err = in.ReportFields(r.Context()); err != nil {
		return err
	}
	if p.Views, err = room.views(r, in, p); err != nil {
		return err
	}
	p.Taken, p.Kept = r.URL.Query().Get("taken"), p.with(nil)
	page.Data = p
	asked := &asked{room: room, in: in, person: v.User.ID, page: p, today: today}
	return room.ShowInParts(w, r, page, func(show func(string, any) error) error {
		ctx, cancel := context.WithTimeout(r.Context(), reportPatience)
		defer cancel()
		return asked.parts(ctx, show)
	})
}

func newReportPage(q url.Values, today gangway.Date) reportPage {
	p := reportPage{Filters: ReadFilters(q, today), Money: strings.ToUpper(typed(q, "money")),
		Rank: ranks[0].value}
	if i := slices.IndexFunc(ranks, func(r rank) bool { return r.value == q.Get("rank") }); i >= 0 {
		p.Rank = ranks[i].value
	}
	for _, r := range ranks {
		p.Ranks = append(p.Ranks, rankChoice{r.value, r.words, r.value == p.Rank,
			p.with(url.Values{"rank": {r.value}})})
	}
	for _, s := range gangway.States {
		p.StateChoices = append(p.StateChoices, stateChoice{s, stateWords(s), s == p.State})
	}
	p.Periods = p.periods(today)
	p.More = p.State != "" || p.Vessel != "" || p.Airline != "" || p.Origin != "" || p.Destination != "" ||
		p.Currency != "" || p.Fare != "" || p.Field != "" || len(p.Wrong) > 0
	return p
}

// periods are the usual days to choose from.
func (p reportPage) periods(today gangway.Date) []period {
	list := []period{{key: "month", Words: "This month"}, {key: "12-months", Words: "12 months"},
		{key: "year", Words: string(today[:4])}, {key: "last-year", Words: string(today.AddMonths(-12)[:4])},
		{key: "all", Words: "All days"}}
	for i := range list {
		l := &list[i]
		from, to, _ := daysOf(l.key, today)
		l.At = url.Values{"from": {string(from)}, "to": {string(to)}}
		l.On = l.At.Get("from") == string(p.From) && l.At.Get("to") == string(p.To)
		l.At = p.with(l.At)
	}
	return list
}

// daysOf are the days of a period; not known: it is none.
func daysOf(key string, today gangway.Date) (from, to gangway.Date, known bool) {
	year := today[:len("2026")]
	switch key {
	case "month":
		return firstOfMonth(today), lastOfMonth(today), true
	case "12-months":
		return firstOfMonth(today).AddMonths(1 - usualMonths), lastOfMonth(today), true
	case "last-year":
		year = today.AddMonths(-12)[:len("2026")]
		fallthrough
	case "year":
		return year + "-01-01", year + "-12-31", true
	}
	return "", "", key == "all"
}

// with returns the page's address with other values.
func (p reportPage) with(other url.Values) url.Values {
	q := p.Values()
	if p.Rank != ranks[0].value {
		q.Set("rank", p.Rank)
	}
	if p.Money != "" {
		q.Set("money", p.Money)
	}
	maps.Copy(q, other)
	return q
}

// words says which bookings the filters select.
func (f Filters) words() string {
	verb := "Booked"
	if f.By == ByDeparture {
		verb = "Leaving"
	}
	var parts []string
	switch {
	case f.From != "" && f.To != "":
		parts = append(parts, verb+" from "+shell.DateInWords(f.From)+" to "+shell.DateInWords(f.To))
	case f.From != "":
		parts = append(parts, verb+" since "+shell.DateInWords(f.From))
	case f.To != "":
		parts = append(parts, verb+" until "+shell.DateInWords(f.To))
	default:
		parts = append(parts, "All days")
	}
	airline := "a flight with an airline named " // a name is looked for among the flights
	if airlineCode.MatchString(f.Airline) {
		airline = "tickets of airline "
	}
	for _, part := range []struct {
		before, value string
	}{
		{"", strings.ReplaceAll(string(f.State), "_", " ")}, {"vessel ", f.Vessel}, {airline, f.Airline},
		{"from ", string(f.Origin)}, {"to ", string(f.Destination)}, {"priced in ", f.Currency},
		{"", map[gangway.FareType]string{gangway.Marine: "marine fares", gangway.Public: "public fares"}[f.Fare]},
		{f.Field + " ", f.Value},
	} {
		if part.value != "" {
			parts = append(parts, part.before+part.value)
		}
	}
	return strings.Join(parts, " · ")
}

// An asked page is one whose parts are being worked out.
type asked struct {
	room     *Room
	in       store.Scoped
	person   string
	page     reportPage
	today    gangway.Date
	currency string // of all money in charts
	sums     *sums
	before   *sums     // of the year before; nil: there is none
	year     Filters   // of that year
	returned *returned // made of the months
}

// ask returns the answer to a question of the page.
func (a *asked) ask(q question) []row { return a.sums.answer(q, a.currency) }

// address is where other programs get the answer to a question.
func (a *asked) address(q question) string { return q.Address(a.room.root) }

// parts shows the parts of the page in their order. What all others depend on comes first: which bookings there
// are, and in which currencies.
func (a *asked) parts(ctx context.Context, show func(string, any) error) (err error) {
	if err := show("waiting", "The report"); err != nil {
		return err
	}
	if a.sums, err = a.room.sum(ctx, a.in, a.person, a.page.Filters); err != nil {
		return a.failed(ctx, "Totals", err, show)
	}
	if year, known := a.page.yearBefore(a.today); known {
		a.year = year
		if a.before, err = a.room.sum(ctx, a.in, a.person, year); err != nil {
			return a.failed(ctx, "The year before", err, show)
		}
	}
	t := a.totals()
	if err := show("totals", t); err != nil || t.Bookings == 0 {
		return err
	}
	a.currency = t.Currency
	sections := []section{}
	if a.page.Field != "" {
		sections = append(sections, section{"By " + a.page.Field, "ranked", func() any { return a.byField() }})
	}
	return a.inOrder(ctx, show, append(sections, []section{
		{"By month", "months", func() any { return a.byMonth() }},
		{"By vessel", "ranked", func() any { return a.byVessel() }},
		{"By route", "ranked", func() any { return a.byRoute() }},
		{"By airline", "ranked", func() any { return a.byAirline() }},
		{"Flights by airline", "ranked", func() any { return a.flights() }},
		{"Days between booking and departure", "ahead", func() any { return a.byDaysAhead() }},
		{"Tickets given back", "returned", func() any { return *a.returned }},
		{"What late booking cost", "late", func() any { return a.late() }},
	}...))
}

// failed shows that a part could not be worked out, and leaves the others as they are.
func (a *asked) failed(ctx context.Context, title string, err error, show func(string, any) error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err() // whoever asked has left
	}
	if shell.KindOf(err) == gangway.Internal {
		a.room.Log.ErrorContext(ctx, "a part of the report could not be worked out", "part", title, "error", err)
	}
	return show("failed", failedPart{title, sentence(err)})
}

// A failedPart says why a part of the page is missing.
type failedPart struct{ Title, Why string }
