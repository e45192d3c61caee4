package book_test

import (
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/duffel"
	"gangway/internal/book/flight/duffel/duffeltest"
	"gangway/internal/book/flight/flighttest"
	"gangway/internal/book/flight/sim"
	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

var (
	// lives is how many lives TestLives lives on each database.
	lives = need.Count("LIVES", 60)
	life1 = flag.Uint64("life", 0, "the seed of the one life to live, as a failure printed it")
)

// TestLives is the model test of the life cycle. A life is a few bookings of one
// account to which anything happens in any order: whatever people, suppliers,
// webhooks, clocks and crashes can do, over a connection that loses requests and
// answers, with the simulated network and the model of Duffel. Whenever things are
// quiet, booking, order, money, history and deliveries agree.
func TestLives(t *testing.T) {
	const together = 6 // share a database, all of which is verified whenever things are quiet
	first, last := uint64(1), uint64(lives)
	if *life1 != 0 {
		first, last = *life1, *life1
	}
	seen := &moves{seen: map[string]int{}}
	for name, database := range map[string]func(testing.TB) *store.DB{"sqlite": storetest.New,
		"postgres": storetest.Postgres} {
		for from := first; from <= last; from += together {
			t.Run(fmt.Sprint(name, " from ", from), func(t *testing.T) {
				t.Parallel()
				world := newWorld(t, database)
				world.moves = seen
				for seed := from; seed <= min(from+together-1, last) && !t.Failed(); seed++ {
					world.live(t, seed)
				}
			})
		}
	}
	t.Cleanup(func() {
		if *life1 == 0 && lives >= 300 {
			seen.wantAll(t)
		}
	})
}

// A world is what lives share, one after another.
type world struct {
	db      *store.DB
	clock   *clock
	network *sim.Network
	duffel  atomic.Pointer[duffeltest.Duffel] // of the current life
	address string                            // of the model of Duffel
	moves   *moves
}

// began is when each life begins.
var began = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)

func newWorld(t *testing.T, database func(testing.TB) *store.DB) *world {
	t.Helper()
	w := &world{db: database(t), clock: &clock{now: began}}
	w.network = must(sim.New(sim.Config{Now: w.clock.Now}))(t)
	w.duffel.Store(duffeltest.New(w.clock.Now))
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.duffel.Load().ServeHTTP(rw, r)
	}))
	t.Cleanup(server.Close)
	w.address = server.URL
	return w
}

// A life belongs to one account.
type life struct {
	*counter
	t       *testing.T
	r       *rand.Rand
	w       *world
	behind  flight.Supplier // the supplier behind the unreliable connection
	crash   atomic.Value    // "before" or "after" the next call: the process dies there
	search  gangway.Search
	offers  []flight.Offer
	asked   []string // identifiers of the bookings that were requested
	log     []string // what happened, for whoever has to find the cause
	atDuf   bool
	members int
	entered map[string]bookkeeping // by booking, what people have entered
}

// died is the panic value that stands for a process killed in the middle.
type died struct{}

// live lives one life to its end.
func (w *world) live(t *testing.T, seed uint64) {
	w.clock.to(began)
	w.duffel.Store(duffeltest.New(w.clock.Now)) // which forgets nothing
	l := &life{t: t, r: rand.New(rand.NewPCG(seed, 7)), w: w, members: 3, entered: map[string]bookkeeping{}}
	l.atDuf = l.r.IntN(3) == 0
	defer func() {
		if t.Failed() || *life1 != 0 {
			t.Logf("life %d (go test ./internal/book -run TestLives -life %d) went:\n%s", seed, seed,
				strings.Join(l.log, "\n"))
		}
	}()
	l.settle()
	l.do("book", l.book)
	for range 8 + l.r.IntN(12) {
		l.step()
		if l.r.IntN(5) == 0 {
			l.quiet()
		}
		if t.Failed() {
			return
		}
	}
	l.quiet()
	l.end()
}

// settle gives the life its account, people, supplier and search.
func (l *life) settle() {
	account := storetest.Account(l.t, l.w.db)
	for _, u := range []gangway.User{anaLindqvist, borisOkafor} { // who have left the account of the life before
		was, _, err := l.w.db.UserByEmail(l.t.Context(), u.Email)
		if err == nil {
			_, err = l.w.db.RemoveUser(l.t.Context(), storetest.Operator, was.Customer, u.Email, began,
				func(gangway.User, []gangway.User) error { return nil })
		}
		if err != nil && gangway.KindOf(err) != gangway.NotFound {
			l.t.Fatal(err)
		}
		u.Customer = account.Customer.ID
		done(l.t, l.w.db.CreateUser(l.t.Context(), storetest.Operator, u, "", began))
	}
	in := l.w.db.In(account.Scope())
	settings := account.Settings
	settings.Approval.Mode = pick(l.r, gangway.ApproveNone, gangway.ApproveNone, gangway.ApproveAlways)
	storetest.Settings(l.t, in, settings)
	if _, err := in.SetOutlet(l.t.Context(), storetest.Operator,
		gangway.DefaultOutlet,
		storetest.PushTo("https://crew.example.com/sync"), []string{"whsec_x"}, began); err != nil {
		l.t.Fatal(err)
	}
	l.behind = l.w.network.For(in.Ledger(), int64(l.r.IntN(4)))
	if l.atDuf {
		d, err := duffel.New(duffel.Config{
			Token: duffeltest.Token, BaseURL: l.w.address, Now: l.w.clock.Now, Phone: "+31 20 555 0100",
			Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			l.t.Fatal(err)
		}
		l.behind = d.For(in.Ledger())
	}
	line := flighttest.NewFaulty(l.behind)
	line.Through = l.mayDie
	l.counter = &counter{
		db: l.w.db, in: in, clock: l.w.clock, network: l.w.network, supplier: line, line: line,
		booker: anaLindqvist, approver: borisOkafor,
	}
	l.restart()
	l.search = l.counter.search(l.t, l.members)
	l.search.Members[1].Traveller.FrequentFlyer = gangway.FrequentFlyer{Airline: "SQ", Number: "8001234567"}
	l.search.Members[1].CustomFields = map[string]string{flies: "yes", "Cost centre": `7"7`}
	l.search.ID = book.NewID()
	done(l.t, l.in.SaveSearch(l.t.Context(), l.search))
}

var (
	anaLindqvist = gangway.User{ID: "u1", Email: "ana@example.com", Name: "Ana Lindqvist", Role: gangway.Booker}
	borisOkafor  = gangway.User{ID: "u2", Email: "boris@example.com", Name: "Boris Okafor", Role: gangway.Approver}
)

// restart starts the process again: it knows only what is in the database.
func (l *life) restart() {
	l.kill("")
	l.Desk = book.New(book.Config{DB: l.w.db, Suppliers: l.sells, Now: l.clock.tick,
		Log: slog.New(slog.DiscardHandler)})
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// step lets one thing happen.
func (l *life) step() {
	type event struct {
		often int
		name  string
		do    func() error
	}
	ctx, broken := l.t.Context(), []string{"hold", "issue", "cancel", "change", "accept"}
	events := []event{
		{8, "book", l.book}, {8, "issue", l.issue}, {4, "cancel", l.cancel}, {4, "replace", l.replace},
		{3, "approve", func() error { return second(l.Approve(ctx, l.in, l.approver, l.one().ID)) }},
		{1, "decline", func() error { return second(l.Decline(ctx, l.in, l.approver, l.one().ID, "too dear")) }},
		{4, "ask for a change", l.askChange}, {5, "confirm the change", l.confirm},
		{2, "abandon the change", func() error { return second(l.GiveUpChange(ctx, l.in, l.booker, l.one().ID, "")) }},
		{1, "handle what needs a person", func() error { return second(l.Handled(ctx, l.in, l.booker, l.one().ID)) }},
		{2, "issue at the supplier's desk", func() error { return l.issueAtDesk(l.one()) }},
		{2, "cancel at the supplier's desk", func() error { return l.cancelAtDesk(l.one()) }},
		{2, "a desk cancels what it ticketed a day ago", l.ticketedThenCancelled},
		{3, "a desk cancels while a change waits", l.cancelledInChange},
		{2, "the airline changes flights", l.disturb}, {1, "the price rises", l.raise},
		{3, "a webhook comes", l.webhook}, {6, "time goes by", l.time}, {6, "the automated user works", l.work},
		{1, "somebody enters a no-show", l.noShow}, {1, "somebody enters invoices", l.invoices},
		{1, "the account's settings change", l.change}, {1, "the report is written anew", l.rebuild},
		{3, "the connection breaks", func() error {
			l.line.Fail(pick(l.r, broken...), pick(l.r, flighttest.LostBefore, flighttest.LostAfter, flighttest.Slow))
			return nil
		}},
		{2, "the process is about to die", func() error { l.kill(pick(l.r, "before", "after")); return nil }},
	}
	all := 0
	for _, d := range events {
		all += d.often
	}
	n := l.r.IntN(all)
	for _, d := range events {
		if n -= d.often; n < 0 {
			l.do(d.name, d.do)
			return
		}
	}
}

// do lets one thing happen, in a process that may die meanwhile.
func (l *life) do(name string, act func() error) {
	var err error
	dead := false
	func() {
		defer func() {
			if r := recover(); r == (died{}) {
				dead = true
			} else if r != nil {
				panic(r)
			}
		}()
		err = act()
	}()
	line := fmt.Sprintf("%s  %s: %v", l.clock.Now().Format("2 Jan 15:04:05"), name, err)
	if dead {
		line += " and the process died"
		l.restart()
	}
	l.log = append(l.log, line)
	if kind := gangway.KindOf(err); kind == gangway.Internal {
		l.t.Errorf("%s: %v", name, err)
	}
}

// one returns a booking of this life, or the zero booking if there is none.
func (l *life) one() gangway.Booking {
	list := l.all()
	if len(list) == 0 {
		return gangway.Booking{}
	}
	if b := pick(l.r, list...); b.Live() || l.r.IntN(5) == 0 {
		return b
	}
	return list[0] // the newest
}

func (l *life) all() []gangway.Booking {
	list, _, err := l.in.Bookings(l.t.Context(), store.BookingQuery{})
	done(l.t, err)
	return list
}

func (l *life) book() error {
	if len(l.offers) == 0 || l.r.IntN(3) == 0 {
		l.offers = nil
		search := l.search
		search.Members = search.Members[:1]
		err := l.Search(l.t.Context(), l.in, search, func(f book.FoundOffers) {
			l.offers = append(l.offers, f.Offers...)
		})
		if err != nil || len(l.offers) == 0 {
			return err
		}
	}
	o := pick(l.r, l.offers...)
	if back := slices.IndexFunc(l.offers, marine); back >= 0 && l.r.IntN(2) == 0 {
		o = l.offers[back] // money comes back
	}
	ask := l.ask(l.search, o)
	ask.Member, ask.AutoIssue = l.r.IntN(l.members), l.r.IntN(2) == 0
	if len(l.asked) > 0 && l.r.IntN(6) == 0 {
		ask.ID = pick(l.r, l.asked...)    // the same form once more
		l.clock.forward(20 * time.Second) // nobody else works in a life: a lease that a crash left has to run out
	}
	l.asked = append(l.asked, ask.ID)
	return second(l.Book(l.t.Context(), l.in, l.booker, ask))
}

func (l *life) issue() error {
	b := l.one()
	price, err := l.PriceToIssue(l.t.Context(), l.in, b)
	if err != nil {
		return err
	}
	return second(l.Issue(l.t.Context(), l.in, l.approver, b.ID, price.Total))
}

func (l *life) cancel() error { return l.cancelHere(l.one()) }

func (l *life) cancelHere(b gangway.Booking) error {
	quote, err := l.QuoteCancel(l.t.Context(), l.in, b.ID)
	if err != nil {
		return err
	}
	return second(l.Cancel(l.t.Context(), l.in, l.booker, b.ID, quote.ID))
}

// replace books something else in place of a booking.
func (l *life) replace() error {
	old := l.one()
	quote, err := l.QuoteCancel(l.t.Context(), l.in, old.ID)
	if err != nil || len(l.offers) == 0 {
		return err
	}
	anew := l.ask(l.search, pick(l.r, l.offers...))
	anew.Member, anew.AutoIssue = old.Purpose.Member, l.r.IntN(2) == 0
	for _, o := range l.offers {
		if o.ID == anew.Offer {
			anew.OneADay = book.OneADay(old.Itinerary, o.Itinerary)
		}
	}
	l.asked = append(l.asked, anew.ID)
	return second(l.Move(l.t.Context(), l.in, l.booker, book.MoveAsk{ID: anew.ID, Way: book.WayAnew, Booking: old.ID,
		Terms: book.ActTerms{Amount: quote.Refund, Unknown: quote.Unknown, Void: quote.Void, Rule: quote.Rule},
		New:   &anew}))
}

func (l *life) askChange() error {
	if b := l.one(); b.ID != "" {
		return l.askChangeOf(b)
	}
	return nil
}

func (l *life) askChangeOf(b gangway.Booking) error {
	date := gangway.DateOf(b.Itinerary.Departure()).AddDays(1 + l.r.IntN(3))
	route := b.Itinerary.Route()
	leg := gangway.Leg{Origin: gangway.Place(route[0]), Destination: gangway.Place(route[len(route)-1]), Date: date}
	offers, err := l.FindChanges(l.t.Context(), l.in, b.ID, []gangway.Leg{leg})
	if err != nil || len(offers) == 0 {
		return err
	}
	return second(l.AskChange(l.t.Context(), l.in, l.booker, b.ID, pick(l.r, offers...).ID))
}

func (l *life) confirm() error {
	b := l.one()
	offer := ""
	if b.Change != nil {
		offer = b.Change.Offer
	}
	return second(l.ConfirmChange(l.t.Context(), l.in, l.approver, b.ID, offer))
}

func (l *life) issueAtDesk(b gangway.Booking) error {
	order, err := l.behind.Order(l.t.Context(), b.Order)
	if err != nil || order.Status != flight.Held {
		return err
	}
	return second(l.behind.Issue(l.t.Context(), b.Order, order.Price.Total))
}

// ticketedThenCancelled has the supplier's desk ticket a booking and, once the
// void period is over, somebody cancel it, there or here.
func (l *life) ticketedThenCancelled() error {
	b := l.one()
	if err := l.issueAtDesk(b); err != nil {
		return err
	}
	l.clock.forward(30 * time.Hour)
	if l.r.IntN(2) == 0 {
		return l.cancelAtDesk(b)
	}
	return l.cancelHere(b)
}

// cancelledInChange has the supplier's desk cancel a booking with a pending change.
func (l *life) cancelledInChange() error {
	list := l.all()
	i := slices.IndexFunc(list, func(b gangway.Booking) bool { return b.State == gangway.Issued })
	if i < 0 {
		return nil
	}
	l.clock.forward(30 * time.Hour)
	if err := l.askChangeOf(list[i]); err != nil {
		return err
	}
	return l.cancelAtDesk(list[i])
}

func (l *life) cancelAtDesk(b gangway.Booking) error {
	quote, err := l.behind.QuoteCancel(l.t.Context(), b.Order)
	if err != nil {
		return err
	}
	return second(l.behind.Cancel(l.t.Context(), b.Order, quote.ID))
}

// disturb has the airline change flights by itself.
func (l *life) disturb() error {
	if !l.atDuf {
		l.behind = l.w.network.For(l.in.Ledger(), int64(l.r.IntN(3000)))
		l.line.Supplier = l.behind
		return nil
	}
	if id := l.w.duffel.Load().OrderWith("reference", l.one().ID); id != "" {
		l.w.duffel.Load().Disrupt(id, pick(l.r, -3*time.Hour, 10*time.Minute, 5*time.Hour))
	}
	return nil
}

func (l *life) raise() error {
	b := l.one()
	order, err := l.behind.Order(l.t.Context(), b.Order)
	if id := l.w.duffel.Load().OrderWith("reference", b.ID); err == nil && l.atDuf && order.Status == flight.Held &&
		id != "" {
		l.w.duffel.Load().RaiseOrder(id, int64(l.r.IntN(5000))) // the price of a paid booking does not rise
	}
	return err
}

func (l *life) webhook() error {
	b := l.one()
	for range 1 + l.r.IntN(2) {
		if err := l.LookAtOrder(l.t.Context(), l.in, b.Supplier, b.Order); err != nil {
			return err
		}
	}
	return nil
}

func (l *life) time() error {
	l.clock.forward(pick(l.r, time.Second, 20*time.Second, 10*time.Minute, time.Hour, 7*time.Hour, 20*time.Hour,
		30*time.Hour, 60*time.Hour) +
		time.Duration(l.r.IntN(1000))*time.Millisecond)
	return nil
}

func (l *life) work() error { return l.Tick(l.t.Context()) }

func (l *life) noShow() error {
	id, missed := l.one().ID, l.r.IntN(2) == 0
	_, err := l.SetNoShow(l.t.Context(), l.in, l.booker, id, missed)
	if e := l.entered[id]; err == nil && (missed || e.noShow != nil) {
		l.entered[id] = bookkeeping{missed, e.invoices}
	}
	return err
}

func (l *life) invoices() error {
	id := l.one().ID
	e := l.entered[id]
	if len(e.invoices) > 0 && l.r.IntN(3) == 0 {
		_, err := l.RemoveInvoice(l.t.Context(), l.in, l.booker, id, e.invoices[0])
		l.entered[id] = bookkeeping{e.noShow, e.invoices[1:]}
		return err
	}
	number := fmt.Sprint("INV-", l.r.IntN(1e6))
	_, err := l.AddInvoices(l.t.Context(), l.in, l.booker, id, number)
	if err == nil {
		l.entered[id] = bookkeeping{e.noShow, append(slices.Clip(e.invoices), number)}
	}
	return err
}

func (l *life) change() error {
	_, err := l.in.UpdateSettings(l.t.Context(), storetest.Operator, l.clock.Now(), func(s *gangway.Settings) error {
		s.PaymentMethod = pick(l.r, "card", "lodge card", gangway.ByInvoice)
		s.RadiativeForcing = l.r.IntN(2) == 0
		return nil
	})
	return err
}

func (l *life) rebuild() error {
	err := l.in.RebuildReport(l.t.Context())
	for more := true; more && err == nil; {
		more, err = l.in.BuildReport(l.t.Context())
	}
	return err
}

// kill has the process die before or after the next call that changes something;
// with "" it does not die.
func (l *life) kill(when string) { l.crash.Store(when) }

// mayDie makes a call, before or after which the process may die.
func (l *life) mayDie(name, _ string, call func() (flight.Order, error)) (flight.Order, error) {
	changes := name != "order" && name != "find"
	if changes && l.crash.CompareAndSwap("before", "") {
		panic(died{})
	}
	order, err := call()
	if changes && l.crash.CompareAndSwap("after", "") {
		panic(died{})
	}
	return order, err
}
