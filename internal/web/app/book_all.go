package app

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"gangway"
	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
	"gangway/internal/world"
)

// A bookAllPage is everybody of a crew change who is not booked yet, each
// with the flight chosen and what it costs now, before all are held at once.
type bookAllPage struct {
	Search    string
	Vessel    string
	Batch     string // names what the form begins: the same form sent twice begins it once
	Rows      []bookAllRow
	Out       []bookAllRow // left out by the booker
	Again     []bookAllRow // left out because the same person stands further up
	Unnamed   []bookAllRow // left out because no ticket can carry the name as it is
	Sum       []gangway.Money
	AutoIssue bool
	Moved     int // prices that are others than those seen
	Wrong     bool
	Stale     bool       // the form sent was not made for this, or long ago
	Unseen    bool       // somebody has other bookings around the same days that were not acknowledged
	Unagreed  bool       // somebody's passport ends before travel, or soon after it, and nobody said to hold anyway
	Ship      string     // where and when the ship is to be met
	For       string     // the plan that the page is made for
	Under     *batchNews // what is being booked together right now
	Overtaken string     // who has chosen other flights since the page was made, a sentence
	Query     url.Values
	Countries []world.Country
}

// A bookAllRow is one person of it.
type bookAllRow struct {
	crewRow
	Booking   string // the identifier that the booking will have, as forms carry it
	Seen      string // which flights were chosen when the page was made
	Was       gangway.Money
	Moved     bool
	Gone      string // why the flight cannot be booked any more, a sentence
	Passenger passengerForm
	Twice     []twiceRow // what is booked around the same days
	Toggle    url.Values // the query that leaves the person out, or takes the person in again
}

// reviewAll prices everything anew and shows it.
func (a *App) reviewAll(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	return a.showReview(w, r, in, s, r.URL.Query(), nil, review{batch: book.NewID(), status: http.StatusOK})
}

// A review is why the page is shown: at first, or once more with something to complete.
type review struct {
	batch         string
	status        int
	stale, unseen bool
	unagreed      bool
	overtaken     string
}

// showReview shows the page; typed are passenger forms that came back with something missing.
func (a *App) showReview(w http.ResponseWriter, r *http.Request, in store.Scoped, s gangway.Search, q url.Values, typed map[int]passengerForm, as review) error {
	f := a.forms(r.Context(), in, s)
	ss := a.searches.Of(in, s, false)
	ss.Wait(r.Context(), allPatience)
	booked, err := memberBookings(r.Context(), in, s)
	if err != nil {
		return err
	}
	p := bookAllPage{
		Search: s.ID, Vessel: s.Vessel, Batch: f.carry(batchPlace, as.batch), Query: shell.CloneQuery(q),
		Wrong: anyWrong(typed) && !as.stale, Unseen: as.unseen, Unagreed: as.unagreed, Overtaken: as.overtaken,
		Stale: as.stale, Countries: world.Countries(), AutoIssue: shell.Settings(r.Context()).AutoIssue,
	}
	p.Ship, p.For = whereWhen(booked.planned.Place, booked.planned.Date), shipName(booked.planned)
	if s.Change == "" && s.Airport == "" && s.Date == "" {
		p.Ship = ""
	}
	if booked.batch != nil && booked.batch.Pending > 0 {
		p.Under = batchNewsOf(*booked.batch)
	}
	p.Query.Del("without")
	p.Query.Del("member")
	v := a.view(r.Context(), in, ss, s, q, booked)
	longest := a.desk.LongestName(r.Context(), in)
	for i, m := range s.Members {
		person, _ := v.row(i)
		row := bookAllRow{crewRow: person, Booking: f.fresh(memberPlace(i)), Seen: m.Chosen, Passenger: passengerOf(m.Traveller, longest)}
		if row.State != rowOffer {
			continue
		}
		if form, ok := typed[i]; ok {
			row.Passenger = form
		}
		row.Passenger.Travel = lastDate(m.Legs)
		if row.Again != "" {
			p.Again = append(p.Again, row)
			continue
		}
		if row.Unnamed != "" {
			p.Unnamed = append(p.Unnamed, row)
			continue
		}
		row.Was = row.Price
		row.Toggle = toggled(q, "without", strconv.Itoa(i))
		if slices.Contains(q["without"], strconv.Itoa(i)) {
			p.Out = append(p.Out, row)
			continue
		}
		if row.Twice, err = a.twice(r, in, m.Traveller, m.Legs); err != nil {
			return err
		}
		p.Rows = append(p.Rows, row)
	}
	a.quote(r, in, s, f, &p)
	return a.Show(w, r, shell.Page{Template: "book_all", Section: "crew-changes", Title: p.title(), Answer: p.answer(), Status: as.status, Data: p})
}

// quote asks what everybody's flight costs now.
func (a *App) quote(r *http.Request, in store.Scoped, s gangway.Search, f forms, p *bookAllPage) {
	offers := make([]string, len(p.Rows))
	for i, row := range p.Rows {
		offers[i] = row.Offer.ID
	}
	a.desk.PriceAll(r.Context(), in, offers, func(i int, o flight.Offer, err error) {
		row := &p.Rows[i]
		if err != nil {
			row.Gone = "This flight cannot be booked just now; choose another one."
			if gangway.KindOf(err) != gangway.Internal {
				row.Gone = shell.SentenceOf(err)
			}
			return
		}
		row.Offer = newOfferRow(o, s.Members[row.Member])
		row.Offer.Ref = f.offer(row.Member, offers[i])
		row.Price = o.Price.Total
		row.Moved = row.Price != row.Was
	})
	for _, row := range p.Rows {
		if row.Gone != "" {
			continue
		}
		p.Sum = addMoney(p.Sum, row.Price)
		if row.Moved {
			p.Moved++
		}
	}
}

// toggled returns q with the value taken into the list of that name, or out of it.
func toggled(q url.Values, name, value string) url.Values {
	out := shell.CloneQuery(q)
	if i := slices.Index(out[name], value); i >= 0 {
		out[name] = slices.Delete(out[name], i, i+1)
	} else {
		out.Add(name, value)
	}
	return out
}

func (p bookAllPage) title() string {
	title := "Book all: "
	if p.Vessel != "" {
		title += p.Vessel
	} else {
		title += shell.Plural(len(p.Rows)+len(p.Out), "traveller", "travellers")
	}
	if p.Ship != "" {
		title += " " + p.Ship
	}
	return title
}

// Ready is how many people can be held.
func (p bookAllPage) Ready() int {
	n := 0
	for _, row := range p.Rows {
		if row.Gone == "" {
			n++
		}
	}
	return n
}

// Kept is how many of them have seats that are kept for a known time. The
// others cannot be issued automatically.
func (p bookAllPage) Kept() int {
	n := 0
	for _, row := range p.Rows {
		if row.Gone == "" && !row.Offer.TicketBy.IsZero() {
			n++
		}
	}
	return n
}

func (p bookAllPage) answer() string {
	if len(p.Rows) == 0 && len(p.Unnamed) > 0 {
		return shell.Plural(len(p.Unnamed), "name", "names") + " to complete before anybody can be held"
	}
	if len(p.Rows) == 0 {
		return "There is nobody left to book"
	}
	line := shell.Plural(p.Ready(), "traveller", "travellers") + ", priced just now"
	for _, sum := range p.Sum {
		line += " · " + shell.Amount(sum)
	}
	if p.Moved > 0 {
		line += " · " + shell.Plural(p.Moved, "price has", "prices have") + " moved"
	}
	if n := len(p.Unnamed); n > 0 {
		line += " · " + shell.Plural(n, "name", "names") + " to complete"
	}
	return line
}

// bookAll starts to book everybody on the form and goes to the page that
// shows what comes of it.
func (a *App) bookAll(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	f := a.forms(r.Context(), in, s)
	id, old := f.identifier(batchPlace, r.PostFormValue("batch"))
	to := "/searches/" + url.PathEscape(s.ID) + "/batches/" + url.PathEscape(id)
	if begun, err := a.batches.Begun(r.Context(), in, id); err != nil {
		return err
	} else if begun {
		return a.Redirect(w, r, to)
	}
	asks, typed, err := a.readAsks(r, in, f)
	if err != nil {
		return err
	}
	if len(asks) == 0 {
		return gangway.Errorf(gangway.Invalid, "there is nobody left to book")
	}
	q, err := url.ParseQuery(r.PostFormValue("query"))
	if err != nil {
		q = url.Values{}
	}
	if shown := r.PostFormValue(madeForField); shown != "" {
		planned, err := book.PlannedFor(r.Context(), in, s)
		if err != nil {
			return err
		}
		if shown != shipName(planned) {
			return a.showReview(w, r, in, s, q, typed, review{batch: book.NewID(), status: http.StatusConflict, overtaken: a.movedWords(r.Context(), in, s, planned)})
		}
	}
	if id == "" || old || slices.ContainsFunc(asks, func(ask book.BookAsk) bool { return ask.ID == "" || ask.Offer == "" }) {
		return a.showReview(w, r, in, s, q, typed, review{batch: book.NewID(), status: http.StatusConflict, stale: true})
	}
	if others := overtaken(r, s, asks); len(others) > 0 {
		return a.showReview(w, r, in, s, q, typed, review{batch: id, status: http.StatusConflict, overtaken: a.whoChose(r.Context(), others)})
	}
	if anyWrong(typed) {
		return a.showReview(w, r, in, s, q, typed, review{batch: id, status: http.StatusUnprocessableEntity})
	}
	if anyUnagreed(typed) {
		return a.showReview(w, r, in, s, q, typed, review{batch: id, status: http.StatusConflict, unagreed: true})
	}
	for _, ask := range asks {
		err := a.desk.Unseen(r.Context(), in, s, ask)
		told := new(book.TwiceError)
		if errors.As(err, &told) {
			begun, err := a.batches.Begun(r.Context(), in, id)
			if err != nil {
				return err
			}
			if begun { // the same form came in between: what it books is no other journey
				return a.Redirect(w, r, to)
			}
			return a.showReview(w, r, in, s, q, typed, review{batch: id, status: http.StatusConflict, unseen: true})
		}
		if err != nil {
			return err
		}
	}
	for i, ask := range asks {
		asks[i].Cheapest = a.searches.CheapestAlike(in, s, ask.Member, ask.Offer, ask.Price)
	}
	if err := a.batches.Book(r.Context(), in, v.User, id, s, asks); err != nil {
		return err
	}
	return a.Redirect(w, r, to)
}

// overtaken returns those for whom others have chosen another flight since the
// page was made on which everybody is to be booked.
func overtaken(r *http.Request, s gangway.Search, asks []book.BookAsk) []gangway.SearchMember {
	var others []gangway.SearchMember
	for _, ask := range asks {
		m, field := s.Members[ask.Member], "m"+strconv.Itoa(ask.Member)+"."
		if chosenSince(m, r.PostForm.Get(field+seenField), r.PostForm.Get(field+"key")) {
			others = append(others, m)
		}
	}
	return others
}

func anyWrong(forms map[int]passengerForm) bool {
	for _, form := range forms {
		if len(form.Wrong) > 0 {
			return true
		}
	}
	return false
}

// readAsks reads who is to be booked on what, and everybody's form as it was
// filled in. An ask without an identifier or an offer is of a form that was not made for it.
func (a *App) readAsks(r *http.Request, in store.Scoped, f forms) (asks []book.BookAsk, typed map[int]passengerForm, err error) {
	s, longest := f.search, a.desk.LongestName(r.Context(), in)
	r.ParseForm() // a form that cannot be read has nobody to book
	typed = map[int]passengerForm{}
	for _, text := range r.PostForm["member"] {
		i, err := memberOf(s, text)
		if err != nil {
			return nil, nil, err
		}
		field := func(name string) string { return r.PostForm.Get("m" + text + "." + name) }
		ask := book.BookAsk{Search: s.ID, Member: i, Offer: f.foundOffer(i, field("offer"))}
		if ask.ID, err = a.bookingID(r.Context(), in, f, memberPlace(i), field("id")); err != nil {
			return nil, nil, err
		}
		if ask.Price, err = gangway.ParseMoney(field("price")); err != nil {
			return nil, nil, err
		}
		if ask.AutoIssue, err = autoIssue(r); err != nil {
			return nil, nil, err
		}
		ask.Others = others(r, "m"+text+".other")
		form := readPassenger(r, s.Members[i].Traveller, "m"+text+".", longest, a.Today())
		form.Travel = lastDate(s.Members[i].Legs)
		typed[i] = form
		ask.Passenger = form.hand.traveller()
		asks = append(asks, ask)
	}
	return asks, typed, nil
}
