package crew

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A bookAllPage is everybody of a crew change who is not booked yet, each with the
// chosen flight and its price now, before all are held at once.
type bookAllPage struct {
	Search    string
	Vessel    string
	Batch     string // identifies the batch that the form begins, so that a form sent twice begins one
	Rows      []bookAllRow
	Out       []bookAllRow // left out by the booker
	Again     []bookAllRow // left out because the same person is listed further up
	Unnamed   []bookAllRow // left out because the name cannot stand on a ticket as it is
	Sum       []gangway.Money
	Ccy       string    // the currency of all prices; empty: they differ
	Ends      time.Time // when the first fare ends, or the seats with it
	Issues    time.Time // when the first would be issued automatically; zero: none
	Instant   int       // how many have to be ticketed at once
	AutoIssue bool
	Moved     int // prices that have changed since they were shown
	Wrong     bool
	Refused   refusal    // why nobody was booked; empty: nobody has pressed the button
	Ship      string     // where and when the ship is to be met
	For       string     // the plan that the page is made for
	Under     *batchNews // the batch that is under way
	Overtaken string     // who has chosen other flights since the page was made, a sentence
	Query     url.Values
	Doubts    []store.ChangeQuestion // whether the crew change is another one, moved: nobody is held before the answer
	now       time.Time
}

// A bookAllRow is one person on that page.
type bookAllRow struct {
	crewRow
	Booking   string // the identifier that the booking will have, as forms carry it
	Seen      string // the flights that were chosen when the page was made
	Was       gangway.Money
	Moved     bool
	Gone      string // why the flight cannot be booked any more, a sentence
	Passenger flights.PassengerForm
	Twice     []flights.TwiceRow // other bookings around the same days
	Toggle    url.Values         // the query that leaves the person out, or takes the person in again
}

// Asks reports whether something has to be answered or filled in before the person is held.
func (row bookAllRow) Asks() bool {
	return len(row.Twice) > 0 || row.Passenger.Passport() != "" || len(row.Passenger.Asked()) > 0
}

// FareUntil is when the price ends, if the flight is held now; zero: it has to be ticketed at once.
func (row bookAllRow) FareUntil() time.Time {
	if row.Offer.PriceUntil.IsZero() {
		return row.Offer.TicketBy
	}
	return row.Offer.PriceUntil
}

// A reviewGroup is rows that need the same.
type reviewGroup struct {
	Name string
	Rows []bookAllRow
}

// Groups are the rows, first those that somebody has to do something about.
func (p bookAllPage) Groups() []reviewGroup {
	all := []reviewGroup{{Name: "Cannot be booked"}, {Name: "To answer first"}, {Name: "Ready"}}
	for _, row := range p.Rows {
		g := &all[2]
		switch {
		case row.Gone != "":
			g = &all[0]
		case row.Asks():
			g = &all[1]
		}
		g.Rows = append(g.Rows, row)
	}
	return slices.DeleteFunc(all, func(g reviewGroup) bool { return len(g.Rows) == 0 })
}

// ReviewAll asks for all prices now and shows them.
func (room *Room) ReviewAll(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	return room.showReview(w, r, in, s, r.URL.Query(), nil, reviewReason{batch: book.NewID(), status: http.StatusOK})
}

// A reviewReason says why the page is shown: for the first time, or again with something to complete.
type reviewReason struct {
	batch     string
	status    int
	refused   refusal
	overtaken string
}

// A refusal is why a form holds nobody.
type refusal string

const (
	stale    refusal = "stale"    // the form is too old, or was made for something else
	unseen   refusal = "unseen"   // somebody has other bookings around the same days that were not acknowledged
	unagreed refusal = "unagreed" // a passport ends before travel or soon after it, and "Hold anyway" is not ticked
)

// showReview shows the page; typed are passenger forms that came back incomplete.
func (room *Room) showReview(w http.ResponseWriter, r *http.Request, in store.Scoped, s gangway.Search, q url.Values,
	typed map[int]flights.PassengerForm, as reviewReason) error {
	f := room.flights.Forms(r.Context(), in, s)
	ss := room.searches.Of(in, s, false)
	ss.Wait(r.Context(), flights.AllPatience)
	booked, err := flights.ReadMemberBookings(r.Context(), in, s, room.Now())
	if err != nil {
		return err
	}
	p := bookAllPage{
		Search: s.ID, Vessel: s.Vessel, Batch: f.Carry(flights.BatchPlace, as.batch), Query: shell.CloneQuery(q),
		Wrong: anyForm(typed, flights.PassengerForm.Refused) && as.refused != stale, Refused: as.refused,
		Overtaken: as.overtaken, AutoIssue: shell.Settings(r.Context()).AutoIssue,
	}
	p.Ship, p.For = whereWhen(booked.Planned.Place, booked.Planned.Date), flights.ShipName(booked.Planned)
	if s.Change == "" && s.Airport == "" && s.Date == "" {
		p.Ship = ""
	}
	if booked.Batch != nil && booked.Batch.Pending > 0 {
		p.Under = batchNewsOf(*booked.Batch)
	}
	if p.Doubts, err = in.ChangeQuestions(r.Context(), s.Change); err != nil {
		return err
	}
	p.now = in.Now(room.Now())
	p.Query.Del("without")
	p.Query.Del("member")
	v := room.flights.View(r.Context(), in, ss, s, q, booked)
	longest := room.desk.LongestName(r.Context(), in)
	for i, m := range s.Members {
		person, _ := newCrewRow(v, i)
		row := bookAllRow{crewRow: *person, Booking: f.Fresh(flights.MemberPlace(i)), Seen: m.Chosen,
			Passenger: flights.PassengerOf(m.Traveller, longest)}
		if row.State != rowOffer {
			continue
		}
		if form, ok := typed[i]; ok {
			row.Passenger = form
		}
		row.Passenger.Travel = flights.LastDate(m.Legs)
		if row.Again != "" {
			p.Again = append(p.Again, row)
			continue
		}
		if row.Unnamed != "" {
			p.Unnamed = append(p.Unnamed, row)
			continue
		}
		row.Was, row.Gone = row.Price, flights.BarWords(row.Offer.Bar)
		row.Toggle = toggleValue(q, "without", strconv.Itoa(i))
		if slices.Contains(q["without"], strconv.Itoa(i)) {
			p.Out = append(p.Out, row)
			continue
		}
		if row.Twice, err = room.flights.Twice(r, in, m.Traveller, m.Legs); err != nil {
			return err
		}
		p.Rows = append(p.Rows, row)
	}
	room.quote(r, in, s, f, &p)
	return room.Show(w, r, shell.Page{Template: "book_all", Section: "crew-changes", Title: p.title(),
		Answer: p.answer(), Status: as.status, Data: p})
}

// quote asks what everybody's flight costs now.
func (room *Room) quote(r *http.Request, in store.Scoped, s gangway.Search, f flights.Forms, p *bookAllPage) {
	offers := make([]string, len(p.Rows))
	for i, row := range p.Rows {
		offers[i] = row.Offer.ID
	}
	room.desk.PriceAll(r.Context(), in, offers, func(i int, o flight.Offer, err error) {
		row := &p.Rows[i]
		if row.Gone != "" {
			return
		}
		if err != nil {
			row.Gone = "This flight cannot be booked just now; choose another one."
			if gangway.KindOf(err) != gangway.Internal {
				row.Gone = shell.SentenceOf(err)
			}
			return
		}
		row.Offer = flights.NewOfferRow(o, s.Members[row.Member])
		row.Offer.Ref = f.Offer(row.Member, offers[i])
		row.Price = o.Price.Total
		row.Moved = row.Price != row.Was
	})
	for _, row := range p.Rows {
		if row.Gone != "" {
			continue
		}
		p.Sum = gangway.AddMoney(p.Sum, row.Price)
		p.Issues = earlier(p.Issues, flights.IssuesAt(p.now, row.Offer.TicketBy, row.Offer.PriceUntil))
		p.Ends = earlier(p.Ends, row.FareUntil())
		if row.FareUntil().IsZero() {
			p.Instant++
		}
		if row.Moved {
			p.Moved++
		}
	}
	if len(p.Sum) == 1 {
		p.Ccy = p.Sum[0].Currency
	}
}

// toggleValue returns q with the value added to the list of that name, or removed from it.
func toggleValue(q url.Values, name, value string) url.Values {
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

// count is how many people whose flights can be booked are as is says.
func (p bookAllPage) count(is func(bookAllRow) bool) (n int) {
	for _, row := range p.Rows {
		if row.Gone == "" && is(row) {
			n++
		}
	}
	return n
}

// Ready is how many people can be held now.
func (p bookAllPage) Ready() int { return p.count(func(bookAllRow) bool { return len(p.Doubts) == 0 }) }

// unagreed is how many of them have a passport that ends before travel or soon
// after it, for which nobody has ticked "Hold anyway" yet.
func (p bookAllPage) unagreed() int {
	return p.count(func(row bookAllRow) bool { return row.Passenger.Unagreed() })
}

// Kept is how many of them have seats that are kept until a known time. The others
// cannot be issued automatically.
func (p bookAllPage) Kept() int {
	return p.count(func(row bookAllRow) bool { return !row.Offer.TicketBy.IsZero() })
}

func (p bookAllPage) answer() string {
	if len(p.Rows) == 0 && len(p.Unnamed) > 0 {
		return shell.Plural(len(p.Unnamed), "name", "names") + " to complete before anybody can be held"
	}
	if len(p.Rows) == 0 {
		return "There is nobody left to book"
	}
	if len(p.Doubts) > 0 {
		return "Nobody is held before the answer"
	}
	line := shell.Plural(p.Ready(), "traveller", "travellers") + ", priced just now"
	if words := firstEnd(p.now, gangway.Deadline{Kind: gangway.PriceEnds, At: p.Ends}); words != "" {
		line += " · " + words
	}
	if p.Instant > 0 {
		line += " · " + shell.Number(p.Instant) + " to ticket at once"
	}
	for _, sum := range p.Sum {
		line += " · " + shell.Amount(sum)
	}
	if p.Moved > 0 {
		line += " · " + shell.Plural(p.Moved, "price has", "prices have") + " moved"
	}
	if n := p.unagreed(); n > 0 {
		line += " · " + shell.Plural(n, "passport needs", "passports need") + " “Hold anyway”"
	}
	if n := len(p.Unnamed); n > 0 {
		line += " · " + shell.Plural(n, "name", "names") + " to complete"
	}
	return line
}

// BookAll starts to book everybody on the form and goes to the page that shows the
// outcomes.
func (room *Room) BookAll(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	f := room.flights.Forms(r.Context(), in, s)
	id, old := f.Identifier(flights.BatchPlace, r.PostFormValue("batch"))
	to := "/searches/" + url.PathEscape(s.ID) + "/batches/" + url.PathEscape(id)
	if begun, err := room.batches.Begun(r.Context(), in, id); err != nil {
		return err
	} else if begun {
		return room.Redirect(w, r, to)
	}
	asks, typed, err := room.readAsks(r, in, f)
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
	again := func(as reviewReason) error { return room.showReview(w, r, in, s, q, typed, as) }
	if shown := r.PostFormValue(madeForField); shown != "" {
		planned, err := book.PlannedFor(r.Context(), in, s)
		if err != nil {
			return err
		}
		if shown != flights.ShipName(planned) {
			return again(reviewReason{batch: book.NewID(), status: http.StatusConflict,
				overtaken: room.movedWords(r.Context(), in, s, planned)})
		}
	}
	if id == "" || old || slices.ContainsFunc(asks, func(ask book.BookAsk) bool {
		return ask.ID == "" || ask.Offer == ""
	}) {
		return again(reviewReason{batch: book.NewID(), status: http.StatusConflict, refused: stale})
	}
	if others := overtaken(r, s, asks); len(others) > 0 {
		return again(reviewReason{batch: id, status: http.StatusConflict,
			overtaken: room.whoChose(r.Context(), others)})
	}
	if anyForm(typed, flights.PassengerForm.Refused) {
		return again(reviewReason{batch: id, status: http.StatusUnprocessableEntity})
	}
	if anyForm(typed, flights.PassengerForm.Unagreed) {
		return again(reviewReason{batch: id, status: http.StatusConflict, refused: unagreed})
	}
	for _, ask := range asks {
		err := room.desk.Unseen(r.Context(), in, s, ask)
		twice := new(book.TwiceError)
		if errors.As(err, &twice) {
			begun, err := room.batches.Begun(r.Context(), in, id)
			if err != nil {
				return err
			}
			if begun { // the same form arrived meanwhile, and its booking is this journey
				return room.Redirect(w, r, to)
			}
			return again(reviewReason{batch: id, status: http.StatusConflict, refused: unseen})
		}
		if gangway.KindOf(err) == gangway.Conflict {
			return again(reviewReason{batch: id, status: http.StatusConflict})
		}
		if err != nil {
			return err
		}
	}
	for i, ask := range asks {
		asks[i].Cheapest = room.searches.CheapestAlike(in, v.Account.Settings, s, ask.Member, ask.Offer, ask.Price)
	}
	if err := room.batches.Book(r.Context(), in, v.User, id, s, asks); err != nil {
		return err
	}
	return room.Redirect(w, r, to)
}

// overtaken returns the members for whom somebody has chosen another flight since the
// page was made.
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

func anyForm(forms map[int]flights.PassengerForm, is func(flights.PassengerForm) bool) bool {
	for _, form := range forms {
		if is(form) {
			return true
		}
	}
	return false
}

// readAsks reads whom to book on which offer, and everybody's form as it was filled in.
// An ask without an identifier or an offer comes from a form that was not made for it.
func (room *Room) readAsks(r *http.Request, in store.Scoped,
	f flights.Forms) (asks []book.BookAsk, typed map[int]flights.PassengerForm, err error) {
	s, longest := f.Search, room.desk.LongestName(r.Context(), in)
	r.ParseForm() // a form that cannot be read books nobody
	typed = map[int]flights.PassengerForm{}
	for _, text := range r.PostForm["member"] {
		i, err := flights.MemberOf(s, text)
		if err != nil {
			return nil, nil, err
		}
		field := func(name string) string { return r.PostForm.Get("m" + text + "." + name) }
		ask := book.BookAsk{Search: s.ID, Member: i, Offer: f.FoundOffer(i, field("offer"))}
		if ask.ID, err = room.flights.BookingID(r.Context(), in, f, flights.MemberPlace(i), field("id")); err != nil {
			return nil, nil, err
		}
		if ask.Price, err = gangway.ParseMoney(field("price")); err != nil {
			return nil, nil, err
		}
		if ask.AutoIssue, err = flights.ReadAutoIssue(r); err != nil {
			return nil, nil, err
		}
		ask.AutoIssue = ask.AutoIssue && field("byhand") == "" // as the page said
		ask.Others = flights.ReadOthers(r, "m"+text+".other")
		form := flights.ReadPassenger(r, s.Members[i].Traveller, "m"+text+".", longest, room.Today(r.Context()))
		form.Travel = flights.LastDate(s.Members[i].Legs)
		typed[i] = form
		ask.Passenger = form.TypedDetails.Traveller()
		asks = append(asks, ask)
	}
	return asks, typed, nil
}
