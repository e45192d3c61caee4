package bookings

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/flighttest"
	"gangway/internal/book/flight/sim"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"

	"pgregory.net/rapid"
)

// A purse is a desk, its supplier's till, and one booking to which everything possible happens.
type purse struct {
	*book.Desk
	in      store.Scoped
	till    *till
	line    *flighttest.Faulty
	network *sim.Network
	at      time.Time
	by      gangway.User
	id      string
}

func (p *purse) now() time.Time { return p.at }

func (p *purse) booking(t *rapid.T) gangway.Booking {
	b, err := p.in.Booking(context.Background(), p.id)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// wait lets time pass and the desk do its automatic work.
func (p *purse) wait(t *rapid.T, d time.Duration) {
	p.at = p.at.Add(d)
	if err := p.Tick(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// did handles the error of an action of the desk: a refusal changes nothing, and an action without an
// answer is followed up.
func (p *purse) did(t *rapid.T, err error) {
	switch gangway.KindOf(err) {
	case gangway.Conflict, gangway.Invalid:
	case gangway.Unavailable:
		p.wait(t, 20*time.Second)
	default:
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestMoneyAddsUp takes bookings through random sequences of what people, airlines, time and bad
// connections do. What the supplier charged and refunded, the booking, its record, its history and
// every sum on its pages agree to the cent.
func TestMoneyAddsUp(t *testing.T) {
	db := storetest.New(t)
	p := &purse{by: gangway.User{Email: "ana@example.com", Role: gangway.Approver}}
	network, err := sim.New(sim.Config{Now: p.now})
	if err != nil {
		t.Fatal(err)
	}
	p.network = network
	p.Desk = book.New(book.Config{
		DB: db, Now: p.now, Log: slog.New(slog.DiscardHandler),
		Suppliers: func(context.Context, store.Scoped, string) (flight.Supplier, error) { return p.line, nil },
	})
	offers := p.offers(t)
	rapid.Check(t, func(r *rapid.T) {
		p.open(t, r, db)
		p.book(r, offers)
		p.agree(r)
		for range rapid.IntRange(3, 14).Draw(r, "steps") {
			if !p.step(r) {
				break
			}
			p.agree(r)
		}
	})
}

var fliesOut = []gangway.Leg{{Origin: "MNL", Destination: "AMS", Date: "2026-12-01"}}

// offers returns an offer of each brand, from the cheapest to the dearest.
func (p *purse) offers(t *testing.T) []flight.Offer {
	t.Helper()
	p.at = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	legs, err := flight.LegsOf(fliesOut)
	if err != nil {
		t.Fatal(err)
	}
	var all []flight.Offer
	err = p.network.For(nil, 0).Search(t.Context(), flight.Ask{Legs: legs, Vessel: "Nordlys", Flag: "NO", MaxStops: -1},
		func(found []flight.Offer) {
			for _, o := range found {
				if !slices.ContainsFunc(all, func(x flight.Offer) bool { return x.Terms.Brand == o.Terms.Brand }) {
					all = append(all, o)
				}
			}
		})
	if err != nil || len(all) < 3 {
		t.Fatalf("Search = %d brands, %v", len(all), err)
	}
	return all
}

// open starts again with another account and an empty till.
func (p *purse) open(t *testing.T, r *rapid.T, db *store.DB) {
	p.at = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	p.in = db.In(storetest.Account(t, db).Scope())
	p.till = &till{Supplier: p.network.For(p.in.Ledger(), 0), now: p.now}
	switch rapid.SampledFrom([]string{"at once", "a day later", "with the money", "less than promised"}).Draw(r,
		"the refund is told") {
	case "a day later":
		p.till.late = 24 * time.Hour
	case "with the money":
		p.till.late = 72 * time.Hour
	case "less than promised":
		p.till.short = 1234
	}
	p.line = flighttest.NewFaulty(p.till)
}

func (p *purse) book(t *rapid.T, offers []flight.Offer) {
	ctx, o := context.Background(), rapid.SampledFrom(offers).Draw(t, "offer")
	who := gangway.Traveller{LastName: "Santos", FirstName: "Maria", DOB: "1990-04-30", Nationality: "PH", Gender: "F"}
	s := gangway.Search{
		ID: book.NewID(), By: p.by.Email, CreatedAt: p.at, Vessel: "Nordlys", Flag: "NO",
		Members: []gangway.SearchMember{{Traveller: who, Legs: fliesOut,
			Metadata: map[string]string{"refund_total": "not ours"}}},
	}
	if err := p.in.SaveSearch(ctx, s); err != nil {
		t.Fatal(err)
	}
	b, err := p.Book(ctx, p.in, p.by, book.BookAsk{ID: book.NewID(), Search: s.ID, Offer: o.ID, Price: o.Price.Total})
	if err != nil {
		t.Fatal(err)
	}
	p.id = b.ID
}

// step does one thing that the booking's state allows. It returns false if there is none.
func (p *purse) step(t *rapid.T) bool {
	ctx, b := context.Background(), p.booking(t)
	can := []string{"wait"}
	switch {
	case b.State == gangway.Confirmed:
		can = append(can, "issue", "issue", "issue", "issue", "change", "change", "cancel")
	case b.State == gangway.Issued:
		can = append(can, "change", "change", "change", "cancel", "disturb")
	case b.State == gangway.ChangePending:
		can = append(can, "confirm", "confirm", "give up")
	case b.State != gangway.RefundPending:
		return false
	}
	if rapid.IntRange(0, 3).Draw(t, "bad line") == 0 {
		call := rapid.SampledFrom([]string{"issue", "change", "cancel", "accept"}).Draw(t, "call")
		p.line.Fail(call, rapid.SampledFrom([]flighttest.Fault{flighttest.LostBefore, flighttest.LostAfter}).Draw(t,
			"fault"))
	}
	switch rapid.SampledFrom(can).Draw(t, "step") {
	case "wait":
		p.wait(t, rapid.SampledFrom([]time.Duration{time.Hour, 6 * time.Hour, 25 * time.Hour, 73 * time.Hour}).Draw(t,
			"time"))
	case "issue":
		price, err := p.PriceToIssue(ctx, p.in, b)
		if err == nil {
			wantSum(t, flights.PriceSum(price, "To pay"), price.Total)
			_, err = p.Issue(ctx, p.in, p.by, b.ID, price.Total)
		}
		p.did(t, err)
	case "change":
		p.change(t, b)
	case "confirm":
		_, err := p.ConfirmChange(ctx, p.in, p.by, b.ID, b.Change.Offer)
		p.did(t, err)
	case "give up":
		_, err := p.GiveUpChange(ctx, p.in, p.by, b.ID)
		p.did(t, err)
	case "cancel":
		p.cancel(t, b)
	case "disturb":
		p.disturb(t, b)
	}
	return true
}

// change chooses other flights, dearer or cheaper.
func (p *purse) change(t *rapid.T, b gangway.Booking) {
	ctx, leg := context.Background(), fliesOut[0]
	leg.Date = leg.Date.AddDays(rapid.IntRange(1, 6).Draw(t, "days later"))
	offers, err := p.FindChanges(ctx, p.in, b.ID, []gangway.Leg{leg})
	if p.did(t, err); len(offers) == 0 {
		return
	}
	slices.SortStableFunc(offers, func(a, b flight.ChangeOffer) int {
		return int(a.Price.Total.Minor - b.Price.Total.Minor)
	})
	// the cheapest first
	for i, q := range changeQuotes(b, offers, bookingPlan{}, flights.Forms{Keys: shell.FormKeys{[]byte("any key")}}) {
		o := offers[i]
		if b.Ticketed() {
			wantSum(t, q.Sum, o.Price.Total.Sub(b.Price.Total))
		} else {
			wantSum(t, q.Sum, o.Price.Total)
		}
		if q.Due.Minor != q.Sum[len(q.Sum)-1].Amount.Minor && b.Ticketed() || !b.Ticketed() && !q.Due.IsZero() {
			t.Fatalf("%s due where the page says %+v", q.Due, q.Sum)
		}
	}
	o := offers[rapid.SampledFrom([]int{0, len(offers) / 2, len(offers) - 1}).Draw(t, "offer")]
	_, err = p.AskChange(ctx, p.in, p.by, b.ID, o.ID)
	p.did(t, err)
}

func (p *purse) cancel(t *rapid.T, b gangway.Booking) {
	q, err := p.QuoteCancel(context.Background(), p.in, b.ID)
	if p.did(t, err); err != nil {
		return
	}
	if b.Ticketed() {
		lines := cancelSum(b, q)
		if lines[0].Amount != p.till.paid {
			t.Fatalf("the page says that %s were paid, and not %s", lines[0].Amount, p.till.paid)
		}
		if !q.Unknown {
			if last := lines[len(lines)-1]; len(lines) != 3 || lines[1].Amount != q.Kept || lines[1].Amount.Minor < 0 ||
				last.Amount != q.Refund {
				t.Fatalf("%+v; want what was paid, the %s kept of it and the %s that come back", lines, q.Kept,
					q.Refund)
			}
			if q.Refund.Add(q.Kept) != p.till.paid {
				t.Fatalf("%s back and %s kept of %s", q.Refund, q.Kept, p.till.paid)
			}
		}
	} else if !q.Refund.IsZero() || !q.Kept.IsZero() {
		t.Fatalf("%s back and %s kept of nothing", q.Refund, q.Kept)
	}
	_, err = p.Cancel(context.Background(), p.in, p.by, b.ID, q.ID)
	p.did(t, err)
}

// disturb has the airline change the flights.
func (p *purse) disturb(t *rapid.T, b gangway.Booking) {
	first := rapid.Int64Range(1, 400).Draw(t, "seed")
	for seed := first; seed < first+300; seed++ {
		other := p.network.For(p.in.Ledger(), seed)
		order, err := other.Order(context.Background(), b.Order)
		if err != nil {
			t.Fatal(err)
		}
		if order.Notice != nil {
			p.till.Supplier = other
			break
		}
	}
	p.wait(t, 6*time.Hour)
}

// wantSum fails unless the lines of a sum add up to its total, and the total is the one wanted.
func wantSum(t *rapid.T, lines []flights.QuoteLine, want gangway.Money) {
	t.Helper()
	sum, total := gangway.Money{Currency: want.Currency}, lines[len(lines)-1]
	for _, l := range lines[:len(lines)-1] {
		sum = sum.Add(l.Amount)
	}
	if !total.Total || sum.Minor != total.Amount.Minor || total.Amount.Minor != want.Minor || total.Amount.Currency !=
		want.Currency {
		t.Fatalf("%+v: the lines make %s; want %s", lines, sum, want)
	}
}

// TestBookingMoney holds what the page says if amounts cannot be added or are unknown.
func TestBookingMoney(t *testing.T) {
	usd := func(n int64) gangway.Money { return gangway.Money{Minor: n, Currency: "USD"} }
	on := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name   string
		state  gangway.State
		refund *gangway.Refund
		words  string
		back   int // lines
	}{
		{"not paid yet", gangway.Confirmed, nil, "Nothing is paid yet.", 0},
		{"never paid", gangway.Declined, nil, "Nothing was paid.", 0},
		{"nobody knows", gangway.RefundPending, &gangway.Refund{Unknown: true, AskedAt: on},
			"It is not known yet what comes back.", 0},
		{"promised", gangway.RefundPending, &gangway.Refund{Amount: usd(300), AskedAt: on},
			"USD 3.00 is on its way back, asked for on 2 Nov 09:00 UTC.", 2},
		{"less than promised", gangway.Cancelled, &gangway.Refund{Amount: usd(300), Promised: usd(400), AskedAt: on,
			SettledAt: on}, "USD 3.00 came back on 2 Nov 09:00 UTC. USD 4.00 was promised.", 2},
		{"as promised", gangway.Cancelled, &gangway.Refund{Amount: usd(300), Promised: usd(300), AskedAt: on,
			SettledAt: on}, "USD 3.00 came back on 2 Nov 09:00 UTC.", 2},
		{"nothing", gangway.Cancelled, &gangway.Refund{Amount: usd(0), AskedAt: on, SettledAt: on},
			"Nothing comes back.", 1},
		{"void", gangway.Cancelled, &gangway.Refund{Amount: usd(1000), Void: true, AskedAt: on, SettledAt: on},
			"The tickets were void: in the end nothing was charged.", 2},
		{
			"in another currency", gangway.Cancelled,
			&gangway.Refund{Amount: gangway.Money{Minor: 250, Currency: "EUR"}, AskedAt: on, SettledAt: on},
			"EUR 2.50 of what was paid comes back; how much the airline keeps is not known here. EUR 2.50 came " +
				"back on 2 Nov 09:00 UTC.", 0,
		},
	} {
		b := gangway.Booking{State: tt.state}
		if tt.refund != nil {
			b.State = gangway.Issued
		}
		b.SetPrice(gangway.PriceOf(usd(800), usd(200), gangway.Money{}), on)
		if b.State = tt.state; tt.refund != nil {
			b.SetRefund(tt.refund, on)
		}
		m := newBookingMoney(b)
		if got := strings.Join(m.Words, " "); got != tt.words || len(m.Back) != tt.back {
			t.Errorf("%s: %q and %+v; want %q", tt.name, got, m.Back, tt.words)
		}
	}
}
