package bookings

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A togetherPage quotes an act on all bookings that were ticked, before it is done to them.
type togetherPage struct {
	Act   book.Act
	Words actWords
	Run   string // identifies the run that the form begins, as the form carries it
	Rules []togetherRule
	N     int           // how many bookings these have
	Out   []togetherRow // left out
	Sum   []gangway.Money
	Known int       // how many bring back an amount that is known
	Until time.Time // the first time at which a quote ends
	Wrong string
	Back  string // the page where they were ticked
}

// A togetherRule is the bookings for which the same holds.
type togetherRule struct {
	Rule string // a sentence; empty: nothing needs to be said
	Rows []togetherRow
}

// A togetherRow is one of these bookings.
type togetherRow struct {
	bookingRow
	book.ActTerms
	Moved bool   // it costs something else than when it was booked
	Ask   string // what is asked for, as the form carries it
	Why   string // why it is left out, a sentence
}

// actWords are the words for an act.
type actWords struct {
	Verb, Doing, Done string // "Issue", "Issuing", "issued"
	One, Many         string // what it is done to, in a button
	Head              string // what holds for all, a sentence
	Amount            string // heads the column of amounts; empty: nothing is paid, and nothing comes back
	Priced            bool   // the amounts are prices
	event             gangway.Event
}

var acts = map[book.Act]actWords{
	book.ActIssue: {"Issue", "Issuing", "issued", "ticket", "tickets", "", "Price now", true, gangway.Issue},
	book.ActRelease: {"Release", "Releasing", "released", "", "",
		"Nothing was paid for these. You can hold the same seats again if the airline still has them.", "",
		false, gangway.Cancel},
	book.ActCancel: {"Cancel", "Cancelling", "cancelled", "", "", "", "Comes back", false, gangway.Cancel},
	plan.Moves:     {"Change", "Changing", "done", "", "", "", "Amount", false, ""},
	book.ActAgain: {"Hold again", "Holding again", "held again", "", "",
		"Each becomes a new booking with a new locator. Nothing is paid or issued automatically.", "Price now",
		true, ""},
}

// Of is an act on n bookings, as in "Issue 12 tickets".
func (w actWords) Of(n int) string {
	words := w.Verb + " " + shell.Number(n)
	if things := cmp.Or(map[bool]string{true: w.One}[n == 1], w.Many); things != "" {
		words += " " + things
	}
	return words
}

// mostTogether is how many bookings are quoted at once.
const mostTogether = 200

// quotePatience is how long a page waits for quotes. Bookings without one by then are left out.
const quotePatience = 40 * time.Second

// runPlace is the place in a form of the run that does an act.
func runPlace(act book.Act) string { return "run " + string(act) }

// Together quotes an act on the bookings that were ticked on another page.
func (room *Room) Together(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	q := r.URL.Query()
	return room.showTogether(w, r, in, book.Act(q.Get("do")), q["booking"], "", http.StatusOK)
}

// cameFrom is the page that a query or form names as the one where bookings were ticked; empty: none.
func cameFrom(r *http.Request) string {
	if back := r.FormValue("back"); back != "" {
		return shell.Local(back)
	}
	return ""
}

func (room *Room) showTogether(w http.ResponseWriter, r *http.Request, in store.Scoped, act book.Act, ids []string,
	wrong string, status int) error {
	words, known := acts[act]
	switch {
	case !known:
		return gangway.Errorf(gangway.Invalid, "choose what to do with the bookings")
	case len(ids) > mostTogether:
		return gangway.Errorf(gangway.Invalid, "tick at most %d bookings; these are %d", mostTogether, len(ids))
	}
	f := room.flights.Forms(r.Context(), in, gangway.Search{})
	p := togetherPage{Act: act, Words: words, Run: f.Fresh(runPlace(act)), Wrong: wrong,
		Back: cmp.Or(cameFrom(r), room.Back(r), "/bookings")}
	var list []gangway.Booking
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			continue
		}
		b, err := in.Booking(r.Context(), id)
		if err != nil {
			return err
		}
		list = append(list, b)
	}
	if err := room.quoteTogether(r, in, f, list, &p); err != nil {
		return err
	}
	return room.Show(w, r, shell.Page{Template: "together", Section: "bookings", Title: p.title(), Answer: p.answer(),
		Status: status, Data: p})
}

// quoteTogether asks what the act costs or brings back for each booking.
func (room *Room) quoteTogether(r *http.Request, in store.Scoped, f flights.Forms, list []gangway.Booking,
	p *togetherPage) error {
	v, _ := shell.VisitorOf(r.Context())
	rows, rules := make([]togetherRow, len(list)), make([]string, len(list))
	var failed error
	ctx, cancel := context.WithTimeout(r.Context(), quotePatience)
	defer cancel()
	err := room.desk.QuoteActs(ctx, in, v.User, p.Act, list, func(i int, q book.ActQuote, err error) {
		row := &rows[i]
		row.bookingRow, row.ActTerms = newBookingRow(list[i]), q.ActTerms
		if err != nil {
			if row.Why, err = room.whyNotNow(r.Context(), in, list[i], err); err != nil {
				failed = err
			}
			return
		}
		row.Moved = p.Words.Priced && q.Amount != list[i].Price.Total
		rules[i] = p.ruleOf(q)
		if !q.Until.IsZero() && (p.Until.IsZero() || q.Until.Before(p.Until)) {
			p.Until = q.Until
		}
		row.Ask, err = carriedAsk(f, p.Act, book.ActAsk{Booking: list[i].ID, Terms: q.ActTerms})
		failed = cmp.Or(failed, err)
	})
	if err = cmp.Or(err, failed); err != nil {
		return err
	}
	for i, row := range rows {
		if row.Why != "" {
			p.Out = append(p.Out, row)
			continue
		}
		p.add(row, rules[i])
	}
	return nil
}

// ruleOf is the rule of a quote in words.
func (p *togetherPage) ruleOf(q book.ActQuote) string {
	switch {
	case p.Words.Priced:
		return afterIssue(q.Fare)
	case p.Words.Amount != "":
		return q.Rule
	}
	return ""
}

// add adds a booking to those with the same rule.
func (p *togetherPage) add(row togetherRow, rule string) {
	p.N++
	if !row.Unknown {
		p.Sum = gangway.AddMoney(p.Sum, row.Amount)
		p.Known++
	}
	i := slices.IndexFunc(p.Rules, func(r togetherRule) bool { return r.Rule == rule })
	if i < 0 {
		i, p.Rules = len(p.Rules), append(p.Rules, togetherRule{Rule: rule})
	}
	p.Rules[i].Rows = append(p.Rules[i].Rows, row)
}

// carriedAsk is what is asked for as a form carries it, so that nobody can ask for terms that were not shown.
func carriedAsk(f flights.Forms, act book.Act, ask book.ActAsk) (string, error) {
	doc, err := json.Marshal(ask)
	return f.Quoted(string(act), string(doc)), err
}

// Button says what is done to how many, and the sum.
func (p togetherPage) Button() string {
	words := p.Words.Of(p.N)
	if p.Words.Amount == "" {
		return words
	}
	sums := sumWords(p.Sum)
	switch {
	case sums != "" && p.Words.Priced:
		words += " · " + sums
	case sums != "":
		words += " · " + sums + " back"
	}
	if n := p.N - p.Known; n > 0 {
		words += " · " + shell.Plural(n, "refund", "refunds") + " not known yet"
	}
	return words
}

// sumWords lists sums that are not zero, as in "USD 6,410.00 + EUR 96.00".
func sumWords(sums []gangway.Money) (words string) {
	for _, m := range sums {
		if m.IsZero() {
			continue
		}
		if words != "" {
			words += " + "
		}
		words += shell.Amount(m)
	}
	return words
}

func (p togetherPage) title() string {
	if p.N == 0 {
		return p.Words.Verb + " ticked bookings"
	}
	return p.Words.Of(p.N)
}

func (p togetherPage) answer() string {
	if p.N+len(p.Out) == 0 {
		return "Nothing is ticked"
	}
	answer := "Quoted just now"
	if p.N == 0 {
		answer = "Not possible for any of them"
	}
	if sums := sumWords(p.Sum); sums != "" {
		answer += " · " + sums
	}
	if n := len(p.Out); n > 0 && p.N > 0 {
		answer += " · " + shell.Number(n) + " left out"
	}
	return answer
}

// ActTogether begins the run that does what was quoted, and goes to the page that shows the outcomes.
func (room *Room) ActTogether(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	r.ParseForm() // a form that cannot be read asks for nothing
	act, f := book.Act(r.PostForm.Get("do")), room.flights.Forms(r.Context(), in, gangway.Search{})
	id, old := f.Identifier(runPlace(act), r.PostForm.Get("run"))
	to := "/runs/" + url.PathEscape(id) + "?" + url.Values{"back": {cmp.Or(cameFrom(r), "/bookings")}}.Encode()
	if begun, err := room.batches.Begun(r.Context(), in, id); err != nil {
		return err
	} else if begun {
		return room.Redirect(w, r, to)
	}
	var asks []book.ActAsk
	for _, carried := range r.PostForm["ask"] {
		var ask book.ActAsk
		if doc := f.FoundQuote(string(act), carried); json.Unmarshal([]byte(doc), &ask) == nil {
			asks = append(asks, ask)
		}
	}
	if id == "" || old || len(asks) == 0 || len(asks) < len(r.PostForm["ask"]) {
		return room.showTogether(w, r, in, act, r.PostForm["booking"], flights.StaleForm, http.StatusConflict)
	}
	if err := room.batches.Act(r.Context(), in, v.User, id, act, asks); err != nil {
		return err
	}
	return room.Redirect(w, r, to)
}
