package duffel_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/duffel"
	"gangway/internal/book/flight/duffel/duffeltest"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/world"
)

// Nothing is held at a price that nobody agreed to.
func TestPriceCheck(t *testing.T) {
	b := newBuyer(t)
	o := b.offer(t, "LHR", "STN", "Flex")
	refused(t, gangway.Conflict)(b.Hold(t.Context(), holdAsk(o, "r1")))
	now := must(b.Price(t.Context(), o.ID))(t)
	if now.Price.Total.Minor <= o.Price.Total.Minor {
		t.Fatalf("Price = %s; want more than %s", now.Price.Total, o.Price.Total)
	}
	refused(t, gangway.Conflict, o.Price.Total.String(), now.Price.Total.String())(
		b.Hold(t.Context(), holdAsk(o, "r2")))
	if order := b.hold(t, now, "r3"); order.Price.Total != now.Price.Total {
		t.Fatalf("held at %s; want the new price", order.Price.Total)
	}
	b.wantCalls(t, duffeltest.CreateOrder, 1)
}

// Several offers of one search can be booked, though Duffel sells only one of each search.
func TestSoldOffers(t *testing.T) {
	b := newBuyer(t)
	flex, marine := b.offer(t, "MNL", "AMS", "Flex"), b.offer(t, "MNL", "AMS", "Marine")
	first, same := b.hold(t, flex, "r1"), b.hold(t, flex, "r2")
	if same.PNRs[0] == first.PNRs[0] || same.Price.Total != first.Price.Total ||
		same.Itinerary.Departure() != first.Itinerary.Departure() {
		t.Fatalf("Hold of the same offer = %v for %s", same.PNRs, same.Price.Total)
	}
	if other := b.hold(t, marine, "r3"); other.Terms.FareType != gangway.Marine {
		t.Fatalf("Hold of another offer of the same search = %+v", other.Terms)
	}
	if again := b.offer(t, "MNL", "AMS", "Flex"); again.ID == flex.ID {
		t.Error("a search shows offers of a search that was booked")
	}
	b.duffel.RaisePrices(1000)
	refused(t, gangway.Conflict, flex.Price.Total.String())(b.Hold(t.Context(), holdAsk(flex, "r4")))
	refused(t, gangway.NotFound)(b.Find(t.Context(), "r4"))
}

// Processes that know nothing of each other hold a reference once, and give an offer to one
// booking.
func TestReplicas(t *testing.T) {
	b := newBuyer(t)
	o := b.offer(t, "MNL", "AMS", "Flex")
	var wait sync.WaitGroup
	for i := range 6 {
		d := must(duffel.New(b.config))(t)
		wait.Go(func() {
			_, err := d.For(b.ledger).Hold(t.Context(), holdAsk(o, []string{"r1", "r2"}[i%2]))
			// another process is holding it: the caller finds out with Find
			if err != nil && gangway.KindOf(err) != gangway.Unavailable {
				t.Errorf("Hold: %v", err)
			}
		})
	}
	wait.Wait()
	first, second := must(b.Find(t.Context(), "r1"))(t), must(b.Find(t.Context(), "r2"))(t)
	if first.Status != flight.Held || second.Status != flight.Held || second.PNRs[0] == first.PNRs[0] {
		t.Fatalf("Find = %s and %s", first.Status, second.Status)
	}
	if n := b.duffel.Orders(); n != 2 {
		t.Errorf("Duffel has %d orders; want 2", n)
	}
}

// What an airline is told: our reference, a sailor's vessel and flag, and a passport only if it takes one, which is
// required only if it says so.
func TestToldToAirlines(t *testing.T) {
	b := newBuyer(t)
	b.held(t, "r1", "Marine")
	if b.duffel.OrderWith("vessel", "Nordlys") == "" || b.duffel.OrderWith("flag", "NO") == "" ||
		b.duffel.OrderWith("reference", "r1") == "" {
		t.Error("a marine order does not carry its vessel, flag and reference")
	}
	ask := holdAsk(b.offer(t, "MNL", "AMS", "Marine"), "r2")
	ask.Vessel = ""
	refused(t, gangway.Invalid)(b.Hold(t.Context(), ask))
	o := b.offer(t, "MNL", "AMS", "Flex")
	b.duffel.RequireDocuments(o.ID)
	ask = holdAsk(o, "r3")
	ask.Passenger.DocNumber = ""
	refused(t, gangway.Invalid)(b.Hold(t.Context(), ask))
	b.hold(t, o, "r4")
}

// An offer that must be paid at once is only bought when it is paid.
func TestPaidAtOnce(t *testing.T) {
	tests := []struct {
		name     string
		from, to gangway.Airport
		between  func(*buyer, flight.Offer) // the hold and the payment
		refuses  string                     // what the airline's refusal says
		lapses   bool                       // it is gone afterwards, and not held
		dearer   int64                      // what it costs more afterwards
	}{
		{"its offer expires", "MNL", "AMS", func(b *buyer, o flight.Offer) {
			b.forward(o.Expires.Sub(b.time()))
		}, "", true, 0},
		{"at a price that was not agreed to", "MNL", "AMS", func(b *buyer, o flight.Offer) {
			b.duffel.RaiseOffer(o.ID, 700)
		}, "", false, 700},
		{"the airline no longer sells it", "LHR", "STN", nil, "", true, 0},
		{"without money on the account", "LGW", "STN", nil, "money", false, 0},
	}
	for _, tt := range tests {
		t.Run("it is not bought: "+tt.name, func(t *testing.T) {
			b := newBuyer(t)
			o := must(b.Price(t.Context(), b.offer(t, tt.from, tt.to, "Basic").ID))(t)
			order := b.hold(t, o, "r1")
			if tt.between != nil {
				tt.between(b, o)
			}
			calls := b.duffel.Calls(duffeltest.CreateOrder)
			refused(t, gangway.Conflict, tt.refuses)(b.Issue(t.Context(), order.ID, order.Price.Total))
			if tt.lapses {
				b.wantStatus(t, order.ID, flight.Lapsed)
				return
			}
			now := b.wantStatus(t, order.ID, flight.Held)
			if now.Price.Total.Minor != order.Price.Total.Minor+tt.dearer {
				t.Errorf("it costs %s; want %d more than %s", now.Price.Total, tt.dearer, order.Price.Total)
			}
			if tt.dearer > 0 {
				b.wantCalls(t, duffeltest.CreateOrder, calls)
				b.pay(t, now)
			}
		})
	}
	t.Run("it is kept here until it is paid", func(t *testing.T) {
		b := newBuyer(t)
		order := b.held(t, "r1", "Basic")
		if order.Status != flight.Held || len(order.PNRs) != 0 || !order.TicketBy.Equal(order.HoldUntil) ||
			order.TicketBy.Sub(b.time()) > time.Hour {
			t.Fatalf("Hold = %+v; want it held here until its offer expires", order)
		}
		b.wantCalls(t, duffeltest.CreateOrder, 0)
		issued := b.pay(t, order)
		if len(issued.Tickets) != 1 || len(issued.PNRs) != 1 || issued.ID != order.ID ||
			issued.Terms.FareType != gangway.Public {
			t.Fatalf("Issue = %+v", issued)
		}
	})
	t.Run("another offer of its search was bought: it is, too, unless the price has risen", func(t *testing.T) {
		for _, markup := range []int64{0, 1000} {
			b := newBuyer(t)
			basic, flex := b.offer(t, "MNL", "AMS", "Basic"), b.offer(t, "MNL", "AMS", "Flex")
			order := b.hold(t, basic, "r1")
			b.hold(t, flex, "r2")
			b.duffel.RaisePrices(markup)
			if markup > 0 {
				refused(t, gangway.Conflict)(b.Issue(t.Context(), order.ID, order.Price.Total))
				b.wantStatus(t, order.ID, flight.Lapsed)
			} else if at := b.pay(t, order).Itinerary.Departure(); !at.Equal(order.Itinerary.Departure()) {
				t.Fatalf("it leaves %s; want %s", at, order.Itinerary.Departure())
			}
		}
	})
	t.Run("cancelling it costs nothing", func(t *testing.T) {
		b := newBuyer(t)
		order := b.held(t, "r1", "Basic")
		if quote, _ := b.cancel(t, order); !quote.Refund.IsZero() || !quote.Kept.IsZero() {
			t.Fatalf("QuoteCancel = %+v", quote)
		}
		b.open(t)
		b.wantStatus(t, order.ID, flight.Withdrawn)
		refused(t, gangway.Conflict)(b.Issue(t.Context(), order.ID, order.Price.Total))
	})
}

// A hold that has ended is not taken for paid, and can be cancelled.
func TestLapsedHold(t *testing.T) {
	b := newBuyer(t)
	order := b.held(t, "r1", "Flex")
	b.forward(order.HoldUntil.Sub(b.time()))
	lapsed := b.wantStatus(t, order.ID, flight.Lapsed)
	if !lapsed.HoldUntil.Equal(order.HoldUntil) {
		t.Errorf("it was held until %s; want %s", lapsed.HoldUntil, order.HoldUntil)
	}
	if _, gone := b.cancel(t, order); gone.Refund != nil {
		t.Fatalf("the refund is %+v", gone.Refund)
	}
}

// cancel cancels an order on a quote.
func (b *buyer) cancel(t *testing.T, order flight.Order) (flight.CancelQuote, flight.Order) {
	t.Helper()
	quote := must(b.QuoteCancel(t.Context(), order.ID))(t)
	gone := must(b.Cancel(t.Context(), order.ID, quote.ID))(t)
	if quote.Rule == "" || gone.Status != flight.Withdrawn {
		t.Fatalf("cancelled on %+v; it is %s", quote, gone.Status)
	}
	return quote, b.wantStatus(t, order.ID, flight.Withdrawn)
}

// Refunds are what the airline says.
func TestRefunds(t *testing.T) {
	const settled, unknown = "settled", "unknown"
	tests := []struct {
		name, brand string
		from, to    gangway.Airport
		keeps       string // all, or an amount
		refund      string // none, settled or unknown
	}{
		{"a fee is kept, and the rest is refunded", "Flex", "MNL", "AMS", "GBP 45.00", settled},
		{"a non-refundable fare refunds nothing", "Basic", "MNL", "AMS", "all", ""},
		{"the refund is unknown if the airline does not say", "Saver", "MNL", "AMS", "GBP 0.00", unknown},
		{"a credit is not a refund", "Flex", "LTN", "SYD", "all", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBuyer(t)
			order := b.pay(t, b.hold(t, b.offer(t, tt.from, tt.to, tt.brand), "r1"))
			b.forward(25 * time.Hour) // the tickets can no longer be voided
			quote, gone := b.cancel(t, order)
			paid := order.Price.Total
			kept := strings.ReplaceAll(tt.keeps, "all", paid.String())
			if quote.Kept.String() != kept || quote.Unknown != (tt.refund == unknown) ||
				!quote.Unknown && quote.Refund.Add(quote.Kept) != paid {
				t.Errorf("quote %+v for %s; want %s kept", quote, paid, kept)
			}
			if tt.from == "LTN" && !strings.Contains(quote.Rule, "credit of "+paid.String()) {
				t.Errorf("the rule is %q; want the credit in it", quote.Rule)
			}
			switch r := gone.Refund; {
			case (r != nil) != (tt.refund != ""):
				t.Errorf("refund %+v; want %s", r, tt.refund)
			case r == nil:
			case r.Unknown != quote.Unknown || r.SettledAt.IsZero() != r.Unknown || r.Amount != quote.Refund:
				t.Errorf("refund %+v of %+v", r, quote)
			}
		})
	}
	t.Run("a quote expires, and is replaced by a newer one", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Flex")
		first := must(b.QuoteCancel(t.Context(), order.ID))(t)
		b.forward(first.Expires.Sub(b.time()))
		refused(t, gangway.Conflict)(b.Cancel(t.Context(), order.ID, first.ID))
		second := must(b.QuoteCancel(t.Context(), order.ID))(t)
		must(b.QuoteCancel(t.Context(), order.ID))(t)
		refused(t, gangway.Conflict)(b.Cancel(t.Context(), order.ID, second.ID))
		refused(t, gangway.Conflict)(b.Cancel(t.Context(), order.ID, "nothing"))
		b.wantCalls(t, duffeltest.ConfirmCancellation, 0)
		b.wantStatus(t, order.ID, flight.Ticketed)
	})
}

// Orders are changed if the airline allows it, and cost what was paid.
func TestChanges(t *testing.T) {
	t.Run("what has no tickets, or may not be changed, is not changed", func(t *testing.T) {
		b := newBuyer(t)
		order := b.held(t, "r1", "Flex")
		refused(t, gangway.Conflict)(b.FindChanges(t.Context(), order.ID, b.ask("MNL", "AMS", 33).Legs))
		order = b.ticketed(t, "r2", "Flex")
		for _, id := range []string{"no-such-offer", "oco_0000NoSuchOffer"} {
			refused(t, gangway.NotFound)(b.PriceChange(t.Context(), order.ID, id))
		}
		b.duffel.Forbid(b.at(t, order))
		refused(t, gangway.Conflict)(b.FindChanges(t.Context(), order.ID, b.ask("MNL", "AMS", 33).Legs))
	})
	t.Run("the same change again does nothing, and offers from before are gone", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Flex")
		offers := b.changes(t, order, b.ask("MNL", "AMS", 33).Legs)
		changed := must(b.Change(t.Context(), order.ID, offers[0].ID))(t)
		again := must(b.Change(t.Context(), order.ID, offers[0].ID))(t)
		if slices.Equal(changed.Tickets, order.Tickets) || !slices.Equal(again.Tickets, changed.Tickets) {
			t.Fatalf("tickets %q, %q and again %q; want new ones once", order.Tickets, changed.Tickets, again.Tickets)
		}
		refused(t, gangway.Conflict)(b.PriceChange(t.Context(), order.ID, offers[1].ID))
	})
	for name, how := range map[string]duffeltest.Charging{
		"the difference and the penalty":        {},
		"the penalty is not stated":             {Silent: true},
		"the penalty is in another currency":    {PenaltyIn: "EUR"},
		"cheaper flights return nothing":        {KeepsFare: true},
		"penalties are in the total afterwards": {InTotal: true},
		"they are in the total and not stated":  {InTotal: true, Silent: true},
	} {
		t.Run("however the airline charges, the price is what was paid: "+name, func(t *testing.T) {
			b := newBuyer(t)
			b.duffel.Charge(how)
			order := b.ticketed(t, "r1", "Flex")
			paid, fees := order.Price.Total, gangway.Money{Currency: "GBP"}
			for i, markup := range []int64{7000, -20000} { // dearer flights, and then cheaper ones
				b.duffel.RaisePrices(markup)
				o := b.changes(t, order, b.ask("MNL", "AMS", 33+3*i).Legs)[0]
				if o.Penalty.String() != "GBP 30.00" || o.Due != o.Price.Total.Sub(paid) {
					t.Errorf("due %s with a fee of %s for %+v instead of %s; want GBP 30.00", o.Due, o.Penalty, o.Price,
						paid)
				}
				paid, fees = paid.Add(o.Due), fees.Add(o.Penalty)
				changed := must(b.Change(t.Context(), order.ID, o.ID))(t)
				if changed.Price.Total != paid || changed.Price.Fees != fees {
					t.Fatalf("Change = %+v; want %s with fees of %s", changed.Price, paid, fees)
				}
				if again := b.wantStatus(t, order.ID, flight.Ticketed); again.Price != changed.Price {
					t.Errorf("the price is %+v a moment later; it was %+v", again.Price, changed.Price)
				}
			}
			b.forward(48 * time.Hour) // the tickets can no longer be voided
			if quote, gone := b.cancel(t, order); quote.Refund.Add(quote.Kept) != paid || gone.Price.Total != paid ||
				gone.Refund.Amount != quote.Refund {
				t.Errorf("%s refunded and %s kept of %s; refund %+v", quote.Refund, quote.Kept, paid, gone.Refund)
			}
		})
	}
	t.Run("a change to be paid in another currency is not offered", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Flex")
		b.duffel.Charge(duffeltest.Charging{DueIn: "EUR"})
		refused(t, gangway.Conflict, "EUR", "GBP")(
			b.FindChanges(t.Context(), order.ID, b.ask("MNL", "AMS", 36).Legs))
	})
	t.Run("a change whose answer was lost costs what was agreed", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Flex")
		offer := b.changes(t, order, b.ask("MNL", "AMS", 33).Legs)[0]
		b.duffel.Fail(duffeltest.ConfirmChange, duffeltest.LostAfter)
		refused(t, gangway.Unavailable)(b.Change(t.Context(), order.ID, offer.ID))
		if changed := b.wantStatus(t, order.ID, flight.Ticketed); changed.Price != offer.Price {
			t.Errorf("the price is %+v; want %+v", changed.Price, offer.Price)
		}
	})
	t.Run("one of two directions can stay as it is", func(t *testing.T) {
		b := newBuyer(t)
		ask := b.ask("AMS", "ATH", 30)
		ask.Legs = append(ask.Legs, b.ask("ATH", "AMS", 40).Legs...)
		offers := b.find(t, ask)
		i := slices.IndexFunc(offers, func(o flight.Offer) bool { return o.Terms.Brand == "Flex" })
		order := b.pay(t, b.hold(t, offers[i], "r1"))
		ask.Legs[1] = b.ask("ATH", "AMS", 44).Legs[0]
		offer := b.changes(t, order, ask.Legs)[0]
		changed := must(b.Change(t.Context(), order.ID, offer.ID))(t)
		if !slices.EqualFunc(changed.Itinerary.Segments, offer.Itinerary.Segments, func(a, b gangway.Segment) bool {
			return a.Departure.Equal(b.Departure) && a.Leg == b.Leg
		}) {
			t.Fatalf("Change flies %+v", changed.Itinerary.Segments)
		}
		if legs := changed.Itinerary.Legs(); !legs[0][0].Departure.Equal(order.Itinerary.Departure()) ||
			gangway.DateOf(legs[1][0].Departure) != ask.Legs[1].Date {
			t.Errorf("it leaves %s and %s", legs[0][0].Departure, legs[1][0].Departure)
		}
		refused(t, gangway.Invalid)(b.FindChanges(t.Context(), order.ID, ask.Legs)) // it is booked
	})
}

// Airlines' own changes are minor, or need a decision.
func TestNotices(t *testing.T) {
	t.Run("a small move is minor, and one by hours supersedes it and needs a decision", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Flex")
		b.disrupt(t, order.ID, 20*time.Minute)
		first := b.wantStatus(t, order.ID, flight.Ticketed).Notice
		b.forward(time.Hour)
		b.disrupt(t, order.ID, 5*time.Hour)
		n := b.wantStatus(t, order.ID, flight.Ticketed).Notice
		if first == nil || !first.Minor || n == nil || n.Minor || n.ID == first.ID ||
			!strings.Contains(n.Why, order.Itinerary.Segments[0].FlightNumber) {
			t.Fatalf("notices %+v and %+v; want a minor one, and another with the flight named", first, n)
		}
		refused(t, gangway.Conflict)(b.Accept(t.Context(), order.ID, first.ID))
	})
	t.Run("an order whose flights moved cannot be paid before that is answered", func(t *testing.T) {
		b := newBuyer(t)
		order := b.held(t, "r1", "Flex")
		b.disrupt(t, order.ID, 5*time.Hour)
		refused(t, gangway.Conflict)(b.Issue(t.Context(), order.ID, order.Price.Total))
		b.wantCalls(t, duffeltest.Pay, 0)
	})
	t.Run("emissions of the flights instead are estimated with the operator's factors", func(t *testing.T) {
		factors := must(world.ReadFactors(strings.NewReader(
			"set,haul,cabin,kgco2e_pkm_with_rf,kgco2e_pkm_without_rf,wtt_pkm\n" + "own-1,long,average,2,1,1\n" +
				"own-1,short,average,2,1,1\nown-1,domestic,average,2,1,1\nown-1,intl,average,2,1,1\n")))(t)
		b := newBuyer(t, func(c *duffel.Config) { c.Factors = factors })
		order := b.ticketed(t, "own-factors", "Flex")
		b.disrupt(t, order.ID, 5*time.Hour)
		for _, s := range b.wantStatus(t, order.ID, flight.Ticketed).Notice.Itinerary.Segments {
			if s.CO2eKg < float64(s.DistanceKm) || s.CO2eRFKg < 1.9*s.CO2eKg {
				t.Errorf("%s, %d km, counts %.1f kg, %.1f with radiative forcing; want one and two for each kilometre",
					s.FlightNumber, s.DistanceKm, s.CO2eKg, s.CO2eRFKg)
			}
		}
	})
}

// After a restore from an older copy, orders made since are listed if the ledger has nothing of them. One that it has
// as not made yet, because its airline wants to be paid at once, is noted: it is never paid for again.
func TestOrdersSinceACopy(t *testing.T) {
	b := newBuyer(t)
	known := b.held(t, "r1", "Flex")
	instant := b.held(t, "r2", "Basic")
	copied := ledgerCopy(t, b, known, instant)
	b.forward(time.Minute)
	since := b.time()
	b.forward(time.Minute)
	b.pay(t, instant)
	b.ticketed(t, "r3", "Flex")
	b.ledger = copied
	b.open(t)
	unknown := must(b.OrdersSince(t.Context(), since))(t)
	if len(unknown) != 1 || unknown[0].PNR == "" || unknown[0].Airline == "" || unknown[0].People != 1 ||
		unknown[0].Total.IsZero() || unknown[0].Made.Before(since) {
		t.Fatalf("OrdersSince = %+v; want the order of r3", unknown)
	}
	b.wantStatus(t, known.ID, flight.Held)
	paid := b.wantStatus(t, instant.ID, flight.Ticketed)
	refused(t, gangway.Conflict)(b.Issue(t.Context(), instant.ID, paid.Price.Total))
	if n := b.duffel.Orders(); n != 3 {
		t.Errorf("Duffel has %d orders; want 3", n)
	}
}

// ledgerCopy returns another account's ledger with the documents that b has of orders.
func ledgerCopy(t *testing.T, b *buyer, orders ...flight.Order) flight.Ledger {
	t.Helper()
	db := storetest.New(t)
	to := db.In(storetest.Account(t, db).Scope()).Ledger()
	for _, o := range orders {
		doc, _, err := b.ledger.Load(t.Context(), o.ID)
		done(t, err)
		done(t, to.Save(t.Context(), gangway.Document{ID: o.ID, Reference: o.Reference, Doc: doc, Version: 1}))
	}
	return to
}
