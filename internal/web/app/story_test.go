package app_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/flighttest"
	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/access"
	"gangway/internal/web/api"
	"gangway/internal/web/app/apptest"
)

var story1 = flag.Uint64("story", 0, "the seed of the one story to tell, as a failure printed it")

// TestStories tells stories of a crew change whose ship moves: uploads, holds, tickets, cancellations, changes by
// airlines, runs from the board, processes that die in the middle of a pair, two replicas on one database, in any
// order. After each step every page and the call crew-changes/impact say of each person what judgetest says for the
// plan, the bookings and the time; nobody who had a seat for today's plan is without one because of us; and of two
// bookings of which one replaces the other one stands in the end, or both are listed.
func TestStories(t *testing.T) {
	stories, did := uint64(1), sync.Map{}
	if need.InTrial() {
		stories = uint64(need.Count("STORIES", 40))
	}
	for seed := uint64(1); seed <= stories && !t.Failed(); seed++ {
		if *story1 != 0 {
			seed, stories = *story1, 0
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, db *store.DB) {
				l := newStory(t, db, seed)
				l.tell()
				for what := range l.did {
					did.Store(what, true)
				}
			})
		})
	}
	for _, what := range []string{"anew done", "change done", "hold done", "release done", "cancel done", "died"} {
		if _, ever := did.Load(what); !ever && stories >= 10 && !t.Failed() {
			t.Errorf("no run ever %s: these stories prove little", what)
		}
	}
}

// A soul is a person of the crew change.
type soul struct {
	gangway.Traveller
	side  gangway.Side
	own   int  // days from the ship's
	on    bool // they are in the crew change
	was   bool // and were before its last upload that changed anything
	known bool // they have been in it
}

// A story is about one crew change.
type story struct {
	t      *testing.T
	r      *rand.Rand
	sites  []*apptest.Site
	calls  []*httptest.Server // the interface of each
	apiKey string
	in     store.Scoped
	booker gangway.User

	id     string // the customer's identifier; empty: it is named by vessel and date
	key    string
	port   gangway.Airport
	day    gangway.Date
	hours  gangway.CrewRules // of the crew change
	people []*soul
	search gangway.Search // the latest for it

	did   map[string]int             // how often runs did what, and died
	ended map[string]bool            // the bookings that people gave up
	seats map[string]gangway.Booking // by person: a booking that served the plan after the last step
	log   []string

	over    bool     // what was sent last is another crew change
	differs []string // what pages and calls said otherwise after the last step
}

func newStory(t *testing.T, db *store.DB, seed uint64) *story {
	first := apptest.NewClockedSiteOn(t, db)
	l := &story{t: t, r: rand.New(rand.NewPCG(seed, 31)), sites: []*apptest.Site{first, first.Replica(t)},
		in: apptest.Production(first), ended: map[string]bool{}, did: map[string]int{}, id: "CC-1", port: "BRU",
		day: "2036-12-05", booker: gangway.User{ID: "u_booker", Email: "booker@example.com", Name: "Ingrid Holm",
			Role: gangway.Booker, Customer: first.Production.Customer.ID}}
	plain, hash, shown := access.NewKey(gangway.Production)
	if err := l.in.CreateCredential(t.Context(), storetest.Operator, store.Credential{Kind: store.APIKey,
		ID: "key_" + plain[8:16], Shown: shown, CreatedAt: apptest.Today}, hash); err != nil {
		t.Fatal(err)
	}
	l.apiKey = plain
	for _, s := range l.sites {
		calls := httptest.NewServer(api.New(api.Config{DB: db, Now: s.Now, Log: slog.New(slog.DiscardHandler)}))
		t.Cleanup(calls.Close)
		l.calls = append(l.calls, calls)
	}
	for i, name := range []string{"Ana", "Bea", "Carl", "Dora", "Emil", "Fay", "Gus", "Hana"} {
		who := apptest.Maria
		who.ID, who.FirstName, who.LastName = "C-"+fmt.Sprint(i), name, "Sailor"+string(rune('a'+i))
		who.DocNumber = fmt.Sprintf("P%07d", i)
		who.HomeAirport = []gangway.Airport{"MNL", "CEB", "GDN", "BOM"}[i%4]
		side := gangway.OnSigner
		if i > 4 {
			side = gangway.OffSigner
		}
		l.people = append(l.people, &soul{Traveller: who, side: side, on: i != 3 && i != 6})
	}
	return l
}

// tell tells the story to its end.
func (l *story) tell() {
	defer func() {
		if l.t.Failed() || *story1 != 0 {
			l.t.Logf("it went:\n%s", strings.Join(l.log, "\n"))
		}
	}()
	if l.r.IntN(4) == 0 {
		l.id = ""
	}
	if l.r.IntN(3) == 0 {
		settings := l.sites[0].Production.Settings
		settings.Approval.Mode = gangway.ApproveAlways
		storetest.Settings(l.t, l.in, settings)
	}
	l.upload()
	steps := 12
	if need.InTrial() {
		steps = 45
	}
	for _, p := range l.people[:5] {
		if l.do("hold "+p.FirstName, func() error { return l.hold(p) }); l.t.Failed() {
			return
		}
	}
	l.day = l.day.AddDays(3)
	l.do("three days late", l.upload)
	l.do("a run whose process dies", func() error { return l.run(true) })
	for range steps {
		if l.step(); l.t.Failed() || l.over {
			return
		}
	}
	for _, d := range []time.Duration{time.Hour, 24 * time.Hour, 72 * time.Hour, 480 * time.Hour} {
		l.do("time goes by", func() error { return l.time(d) })
		l.do("work", l.work)
	}
	l.pairs(true)
}

// step lets one thing happen.
func (l *story) step() {
	type event struct {
		often int
		name  string
		do    func() error
	}
	events := []event{
		{6, "upload", func() error { return l.change() }},
		{4, "hold", func() error { return l.hold(l.somebody()) }},
		{2, "hold for another trip", func() error { return l.elsewhere(l.somebody()) }},
		{3, "issue", l.issue}, {2, "cancel", l.cancel}, {2, "approve", l.approve}, {2, "ask for a change", l.askChange},
		{2, "confirm", l.confirm}, {2, "airlines change flights", l.disturb}, {1, "a desk cancels", l.cancelAtDesk},
		{3, "time goes by", func() error {
			return l.time(pick(l.r, time.Minute, 3*time.Hour, 20*time.Hour, 60*time.Hour, 200*time.Hour))
		}},
		{4, "work", l.work}, {7, "a run", func() error { return l.run(false) }},
		{4, "a run whose process dies", func() error { return l.run(true) }},
		{1, "a desk dies at work", l.dieAtWork}, {1, "hours are set", l.setHours},
		{1, "no-show", func() error {
			return second(l.desk().SetNoShow(l.t.Context(), l.in, l.booker, l.one().ID, l.r.IntN(3) > 0))
		}},
	}
	all := 0
	for _, e := range events {
		all += e.often
	}
	n := l.r.IntN(all)
	for _, e := range events {
		if n -= e.often; n < 0 {
			l.do(e.name, e.do)
			return
		}
	}
}

// do lets one thing happen, and looks at everything afterwards.
func (l *story) do(name string, what func() error) {
	l.t.Helper()
	err := what()
	l.log = append(l.log, fmt.Sprintf("%s %s: %v", l.now().Format("2 Jan 15:04"), name, err))
	if gangway.KindOf(err) == gangway.Internal {
		l.t.Errorf("%s: %v", name, err)
	}
	if !l.over {
		l.check(l.byHTTP())
	}
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func second[T any](_ T, err error) error { return err }

func (l *story) now() time.Time      { return l.in.Now(l.sites[0].Now()) }
func (l *story) site() *apptest.Site { return pick(l.r, l.sites...) }
func (l *story) desk() *book.Desk    { return l.site().Desk }
func (l *story) somebody() *soul     { return pick(l.r, l.people...) }
func (l *story) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}
func (l *story) all(q store.BookingQuery) []gangway.Booking {
	list, _, err := l.in.Bookings(l.t.Context(), q)
	l.must(err)
	return list
}

// one is a live booking, if there is any.
func (l *story) one() gangway.Booking {
	if list := l.all(store.BookingQuery{Live: true}); len(list) > 0 {
		return pick(l.r, list...)
	}
	return gangway.Booking{}
}

// change has the ship move, or people come, go and change, and uploads it.
func (l *story) change() error {
	for range 1 + l.r.IntN(3) {
		p := l.somebody()
		switch l.r.IntN(7) {
		case 0, 1, 2:
			l.day = l.day.AddDays(pick(l.r, -1, 1, 2, 3))
		case 3:
			l.port = pick(l.r, gangway.Airport("AMS"), "BRU", "HAM")
		case 4:
			p.LastName = "Sailor" + string(p.ID[2]-'0'+'a') + pick(l.r, "", "s", " Cruz")
			if l.r.IntN(3) == 0 {
				p.LastName = "Cruz" + string(p.FirstName[0])
			}
		case 5:
			p.own = pick(l.r, 0, 0, 1, 2)
			if p.side == gangway.OnSigner {
				p.own = -p.own
			}
		default:
			p.on = !p.on
		}
	}
	return l.upload()
}

// upload sends the crew change as it is now.
func (l *story) upload() error {
	c := gangway.CrewChange{Vessel: "GENOA STAR", Flag: "PA", TravelRequestID: l.id, ChangeDate: l.day}
	for _, p := range l.people {
		m := gangway.CrewMember{Traveller: p.Traveller}
		call := gangway.PortCall{Airport: l.port, Date: l.day.AddDays(p.own)}
		switch {
		case !p.on:
		case p.side == gangway.OnSigner:
			m.Arrive = call
			c.OnSigners = append(c.OnSigners, m)
		default:
			m.Depart = call
			c.OffSigners = append(c.OffSigners, m)
		}
	}
	if c.Size() == 0 {
		l.people[0].on = true
		return l.upload()
	}
	before, first := gangway.CrewChange{}, l.key == ""
	if !first {
		var err error
		before, err = l.in.CrewChange(l.t.Context(), l.key)
		l.must(err)
	}
	if _, err := l.in.UpsertCrewChanges(l.t.Context(), []gangway.CrewChange{c}, l.now()); err != nil {
		return err
	}
	if first {
		l.key = c.Name()
	}
	asked, err := l.in.ChangeQuestions(l.t.Context(), l.key)
	l.must(err)
	for _, q := range asked {
		l.must(l.in.AnswerQuestion(l.t.Context(), storetest.Operator, q.Older.Key(), q.Newer.Key(), true, l.now()))
		l.log = append(l.log, "a person said that it moved")
	}
	stored, err := l.in.CrewChange(l.t.Context(), l.key)
	l.must(err)
	if _, day := stored.Where(); day != l.day { // as where somebody has flown for the one before
		l.over = true
		return nil
	}
	place, date := before.Where()
	moved := place != gangway.Place(l.port) || date != l.day
	for _, p := range l.people {
		moved = moved || p.on != p.known
	}
	for _, p := range l.people {
		if moved {
			p.was = p.known
		}
		if first {
			p.was = p.on
		}
		p.known = p.on
	}
	return nil
}

// setHours has a coordinator set the ship's hours.
func (l *story) setHours() error {
	l.hours = gangway.CrewRules{BoardBy: pick(l.r, "", "06:00", "20:00"), LeaveFrom: pick(l.r, "", "08:00")}
	return l.in.SetCrewRules(l.t.Context(), storetest.Operator, l.key, l.now(),
		func(gangway.CrewChange) (gangway.CrewRules, error) { return l.hours, nil })
}

// anew is a search for the crew change as it is now.
func (l *story) anew() error {
	c, err := l.in.CrewChange(l.t.Context(), l.key)
	if err != nil {
		return err
	}
	l.search = book.SearchForCrewChange(c, "", l.booker.Email, l.now())
	l.search.Uploaded = true
	return l.in.SaveSearch(l.t.Context(), l.search)
}

// hold holds any seat by today's plan for somebody.
func (l *story) hold(p *soul) error {
	if err := l.anew(); err != nil {
		return err
	}
	for i, m := range l.search.Members {
		if m.Traveller.ID == p.ID {
			return l.book(l.search, i)
		}
	}
	return nil
}

// elsewhere holds a seat for another trip around these days.
func (l *story) elsewhere(p *soul) error {
	s := gangway.Search{ID: book.NewID(), By: l.booker.Email, CreatedAt: l.now(), Members: []gangway.SearchMember{{
		Traveller: p.Traveller, Legs: []gangway.Leg{{Origin: "MNL", Destination: "SIN",
			Date: l.day.AddDays(pick(l.r, -4, -3, 0, 3, 4))}}}}}
	l.must(l.in.SaveSearch(l.t.Context(), s))
	return l.book(s, 0)
}

func (l *story) book(s gangway.Search, member int) error {
	one, desk := s, l.desk()
	one.Members = slices.Clone(s.Members)
	for i := range one.Members {
		if i != member {
			one.Members[i].Legs = nil
		}
	}
	var offers []flight.Offer
	err := desk.Search(l.t.Context(), l.in, one, func(f book.FoundOffers) { offers = append(offers, f.Offers...) })
	if err != nil || len(offers) == 0 {
		return err
	}
	slices.SortFunc(offers, func(a, b flight.Offer) int { return strings.Compare(a.ID, b.ID) })
	o := pick(l.r, offers...)
	ask := book.BookAsk{ID: book.NewID(), Search: s.ID, Member: member, Offer: o.ID, Price: o.Price.Total,
		AutoIssue: l.r.IntN(2) == 0}
	_, err = desk.Book(l.t.Context(), l.in, l.booker, ask)
	if twice, is := err.(*book.TwiceError); is {
		for _, b := range twice.Bookings {
			ask.Others = append(ask.Others, b.ID)
		}
		_, err = desk.Book(l.t.Context(), l.in, l.booker, ask)
	}
	return err
}

func (l *story) approver() gangway.User {
	return gangway.User{ID: "u_approver", Email: "approver@example.com", Role: gangway.Approver,
		Customer: l.booker.Customer}
}

func (l *story) issue() error {
	b, desk := l.one(), l.desk()
	price, err := desk.PriceToIssue(l.t.Context(), l.in, b)
	if err != nil {
		return err
	}
	return second(desk.Issue(l.t.Context(), l.in, l.approver(), b.ID, price.Total))
}

func (l *story) cancel() error {
	b, desk := l.one(), l.desk()
	quote, err := desk.QuoteCancel(l.t.Context(), l.in, b.ID)
	if err != nil {
		return err
	}
	l.ended[b.ID] = true
	return second(desk.Cancel(l.t.Context(), l.in, l.booker, b.ID, quote.ID))
}

func (l *story) approve() error {
	for _, b := range l.all(store.BookingQuery{State: gangway.ApprovalRequired}) {
		if err := second(l.desk().Approve(l.t.Context(), l.in, l.approver(), b.ID)); err != nil {
			return err
		}
	}
	return nil
}

func (l *story) askChange() error {
	b, desk := l.one(), l.desk()
	if len(b.Itinerary.Segments) == 0 {
		return nil
	}
	route := b.Itinerary.Route()
	offers, err := desk.FindChanges(l.t.Context(), l.in, b.ID, []gangway.Leg{{Origin: gangway.Place(route[0]),
		Destination: gangway.Place(route[len(route)-1]),
		Date:        gangway.DateOf(b.Itinerary.Departure()).AddDays(1 + l.r.IntN(2))}})
	if err != nil || len(offers) == 0 {
		return err
	}
	l.ended[b.ID] = true // a person wants them on another day
	return second(desk.AskChange(l.t.Context(), l.in, l.booker, b.ID, pick(l.r, offers...).ID))
}

func (l *story) confirm() error {
	for _, b := range l.all(store.BookingQuery{State: gangway.ChangePending}) {
		if err := second(l.desk().ConfirmChange(l.t.Context(), l.in, l.approver(), b.ID, b.Change.Offer)); err != nil {
			return err
		}
	}
	return nil
}

// disturb has airlines change flights, and the desk see it.
func (l *story) disturb() error {
	l.sites[0].Disturb(int64(l.r.IntN(3000)))
	for _, b := range l.all(store.BookingQuery{Live: true}) {
		if err := l.desk().LookAtOrder(l.t.Context(), l.in, b.Supplier, b.Order); err != nil {
			return err
		}
	}
	return l.work()
}

// cancelAtDesk has the supplier's desk cancel a booking, and ours see it.
func (l *story) cancelAtDesk() error {
	if b := l.one(); b.ID != "" {
		l.ended[b.ID] = true
		l.sites[0].Client(l.t).Lost(b.ID)
	}
	return nil
}

func (l *story) time(d time.Duration) error {
	l.sites[0].Passed.Add(int64(d))
	return nil
}

func (l *story) work() error { return l.desk().Tick(l.t.Context()) }

// dying is a process that dies at a call for the n-th time that it makes any of these: the airline has done it or not,
// and nobody hears of it.
func (l *story) dying(n int) (s *apptest.Site, dead chan struct{}) {
	s, dead = l.sites[0].Replica(l.t), make(chan struct{}, 100)
	ends, after := make(chan struct{}), l.r.IntN(2) == 0
	l.t.Cleanup(func() { close(ends) })
	calls := make(chan struct{}, n)
	s.Line = func(sold flight.Supplier) flight.Supplier {
		line := flighttest.NewFaulty(sold)
		line.Through = func(name, _ string, call func() (flight.Order, error)) (flight.Order, error) {
			if name == "order" || name == "find" {
				return call()
			}
			select {
			case calls <- struct{}{}:
				return call()
			default:
			}
			if after {
				call()
			}
			dead <- struct{}{}
			<-ends
			return flight.Order{}, gangway.Errorf(gangway.Unavailable, "nobody listens any more")
		}
		return line
	}
	s.Stop() // what it still renews has ended for the others
	return s, dead
}

// dieAtWork has a desk die at its scheduled work.
func (l *story) dieAtWork() error {
	s, dead := l.dying(l.r.IntN(2))
	worked := make(chan error, 1)
	go func() { worked <- s.Desk.Tick(context.WithoutCancel(l.t.Context())) }()
	select {
	case err := <-worked:
		return err
	case <-dead:
	}
	l.log = append(l.log, "it died")
	return l.settle()
}

// settle waits until nothing belongs to the dead any more, and goes on.
func (l *story) settle() error {
	for range 3 {
		l.time(4 * time.Minute)
		if err := l.work(); err != nil {
			return err
		}
	}
	return nil
}

// run does what the board proposes for some people, in one run.
func (l *story) run(dies bool) error {
	if l.r.IntN(3) > 0 {
		if l.do("the ship moves", l.change); l.over {
			return nil
		}
	}
	s, dead := l.site(), make(chan struct{})
	if dies {
		s, dead = l.dying(1 + l.r.IntN(4))
	}
	c := s.SignedIn(l.t, gangway.Booker)
	aim := pick(l.r, "cheapest", "plan", "wait")
	board := "/crew-changes/board?" + url.Values{"aim": {aim}, "key": {l.key}}.Encode()
	form := c.Get(board + "&wait=1").Sent(board)
	form["tick"] = slices.DeleteFunc(form["tick"], func(string) bool { return l.r.IntN(4) == 0 })
	for _, id := range form["tick"] {
		l.log = append(l.log, "  "+id+" "+form.Get("do."+id))
	}
	done := c.Post(board, form)
	id, is := strings.CutPrefix(done.Path, "/runs/")
	if !is {
		return gangway.Errorf(gangway.Conflict, "nothing was begun: %d", done.Status)
	}
	id, _, _ = strings.Cut(id, "?")
	for _, other := range []*apptest.Site{s, pick(l.r, l.sites...)} {
		ctx, stop := context.WithTimeout(l.t.Context(), apptest.Patience)
		news := other.Batches.Watch(ctx, id)
		for open := true; open; {
			b, err := other.Batches.Batch(ctx, l.in, id)
			l.must(err)
			if open = b.Settled() < len(b.Items); !open {
				continue
			}
			select {
			case <-news:
			case <-dead:
				open = false
				l.did["died"]++
				l.log = append(l.log, "the process of the run died")
				l.time(20 * time.Second)
				l.must(pickOther(l.sites, s).Batches.TakeUp(ctx))
			}
		}
		stop()
		dead = nil
	}
	b, err := l.sites[0].Batches.Batch(l.t.Context(), l.in, id)
	l.must(err)
	for _, item := range b.Items {
		l.log = append(l.log, fmt.Sprintf("  %s %s %s %s", item.Way, item.State, item.Booking, item.Why))
		l.did[string(item.Way)+" "+string(item.State)]++
		if item.Way == book.WayRelease || item.Way == book.WayCancel {
			l.ended[item.Booking] = true
		}
	}
	return l.settle()
}

func pickOther(of []*apptest.Site, not *apptest.Site) *apptest.Site {
	if of[0] == not {
		return of[1]
	}
	return of[0]
}

func (l *story) board() string {
	return "/crew-changes/board?key=" + strings.ReplaceAll(url.QueryEscape(l.key), "+", "%20")
}

// ask calls the interface.
func (l *story) ask(path string, into any) {
	l.t.Helper()
	req, err := http.NewRequestWithContext(l.t.Context(), http.MethodGet, pick(l.r, l.calls...).URL+path, nil)
	l.must(err)
	req.Header.Set("X-Api-Key", l.apiKey)
	res, err := http.DefaultClient.Do(req)
	l.must(err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	l.must(err)
	if res.StatusCode != http.StatusOK {
		l.t.Fatalf("%s is answered with %d: %s", path, res.StatusCode, body)
	}
	l.must(json.Unmarshal(body, into))
}
