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
	"gangway/internal/world"
)

// Nothing is held at a price that nobody agreed to.
func TestPriceCheck(t *testing.T) {
	b := newBuyer(t)
	o := b.offer(t, "LHR", "STN", "Flex")
	_, err := b.Hold(t.Context(), holdAsk(o, "r1"))
	wantKind(t, "Hold", err, gangway.Conflict)
	now, err := b.Price(t.Context(), o.ID)
	if err != nil || now.Price.Total.Minor <= o.Price.Total.Minor {
		t.Fatalf("Price = %s, %v; want more than %s", now.Price.Total, err, o.Price.Total)
	}
	_, err = b.Hold(t.Context(), holdAsk(o, "r2"))
	if wantKind(t, "Hold", err, gangway.Conflict); !strings.Contains(err.Error(), o.Price.Total.String()) ||
		!strings.Contains(err.Error(), now.Price.Total.String()) {
		t.Errorf("Hold = %v; want both prices", err)
	}
	if order, err := b.Hold(t.Context(), holdAsk(now, "r3")); err != nil || order.Price.Total != now.Price.Total {
		t.Fatalf("Hold at the new price = %s, %v", order.Price.Total, err)
	}
	if n := b.duffel.Calls(duffeltest.CreateOrder); n != 1 {
		t.Errorf("Duffel was asked for %d orders; want 1", n)
	}
}

// Several offers of one search can be booked, though Duffel sells only one of each search.
func TestSoldOffers(t *testing.T) {
	b := newBuyer(t)
	flex, marine := b.offer(t, "MNL", "AMS", "Flex"), b.offer(t, "MNL", "AMS", "Marine")
	first, err := b.Hold(t.Context(), holdAsk(flex, "r1"))
	if err != nil {
		t.Fatal(err)
	}
	same, err := b.Hold(t.Context(), holdAsk(flex, "r2"))
	if err != nil || same.PNRs[0] == first.PNRs[0] || same.Price.Total != first.Price.Total ||
		same.Itinerary.Departure() != first.Itinerary.Departure() {
		t.Fatalf("Hold of the same offer = %v for %s, %v", same.PNRs, same.Price.Total, err)
	}
	other, err := b.Hold(t.Context(), holdAsk(marine, "r3"))
	if err != nil || other.Terms.FareType != gangway.Marine {
		t.Fatalf("Hold of another offer of the same search = %+v, %v", other.Terms, err)
	}
	if again := b.offer(t, "MNL", "AMS", "Flex"); again.ID == flex.ID {
		t.Error("a search shows offers of a search that was booked")
	}
	b.duffel.RaisePrices(1000)
	_, err = b.Hold(t.Context(), holdAsk(flex, "r4"))
	if wantKind(t, "Hold once it costs more", err, gangway.Conflict); !strings.Contains(err.Error(),
		flex.Price.Total.String()) {
		t.Errorf("Hold = %v; want both prices", err)
	}
	_, err = b.Find(t.Context(), "r4")
	wantKind(t, "Find after a refused hold", err, gangway.NotFound)
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
	first, err := b.Find(t.Context(), "r1")
	if err != nil || first.Status != flight.Held {
		t.Fatalf("Find = %s, %v", first.Status, err)
	}
	second, err := b.Find(t.Context(), "r2")
	if err != nil || second.Status != flight.Held || second.PNRs[0] == first.PNRs[0] {
		t.Fatalf("Find = %s, %v", second.Status, err)
	}
	if n := b.duffel.Orders(); n != 2 {
		t.Errorf("Duffel has %d orders; want 2", n)
	}
}

// An order has our reference, and a marine one its vessel and flag, at Duffel.
func TestMetadata(t *testing.T) {
	b := newBuyer(t)
	b.held(t, "r1", "Marine")
	if b.duffel.OrderWith("vessel", "Nordlys") == "" || b.duffel.OrderWith("flag", "NO") == "" ||
		b.duffel.OrderWith("reference", "r1") == "" {
		t.Error("a marine order does not carry its vessel, flag and reference")
	}
	b.held(t, "r2", "Flex")
	ask := holdAsk(b.offer(t, "MNL", "AMS", "Marine"), "r3")
	ask.Vessel = ""
	_, err := b.Hold(t.Context(), ask)
	wantKind(t, "Hold of a marine fare without a vessel", err, gangway.Invalid)
}

// An airline gets the passport only if it accepts one, and requires it only if it says so.
func TestPassports(t *testing.T) {
	b := newBuyer(t)
	o := b.offer(t, "MNL", "AMS", "Flex")
	b.duffel.RequireDocuments(o.ID)
	ask := holdAsk(o, "r1")
	ask.Passenger.DocNumber = ""
	_, err := b.Hold(t.Context(), ask)
	wantKind(t, "Hold without the passport that is needed", err, gangway.Invalid)
	must(b.Hold(t.Context(), holdAsk(o, "r2")))(t)
}

// An offer that must be paid at once is only bought when it is paid.
func TestPaidAtOnce(t *testing.T) {
	t.Run("it is kept here until it is paid", func(t *testing.T) {
		b := newBuyer(t)
		order := b.held(t, "r1", "Basic")
		if order.Status != flight.Held || len(order.PNRs) != 0 || !order.TicketBy.Equal(order.HoldUntil) ||
			order.TicketBy.Sub(b.time()) > time.Hour || b.duffel.Calls(duffeltest.CreateOrder) != 0 {
			t.Fatalf("Hold = %+v; want it held here until its offer expires", order)
		}
		issued, err := b.Issue(t.Context(), order.ID, order.Price.Total)
		if err != nil || issued.Status != flight.Ticketed || len(issued.Tickets) != 1 || len(issued.PNRs) != 1 ||
			issued.ID != order.ID || issued.Terms.FareType != gangway.Public {
			t.Fatalf("Issue = %+v, %v", issued, err)
		}
	})
	t.Run("it lapses with its offer", func(t *testing.T) {
		b := newBuyer(t)
		order := b.held(t, "r1", "Basic")
		b.forward(order.HoldUntil.Sub(b.time()))
		b.wantStatus(t, order.ID, flight.Lapsed)
		_, err := b.Issue(t.Context(), order.ID, order.Price.Total)
		wantKind(t, "Issue", err, gangway.Conflict)
	})
	t.Run("it is not bought at a price that was not agreed to", func(t *testing.T) {
		b := newBuyer(t)
		o := b.offer(t, "MNL", "AMS", "Basic")
		order, err := b.Hold(t.Context(), holdAsk(o, "r1"))
		if err != nil {
			t.Fatal(err)
		}
		b.duffel.RaiseOffer(o.ID, 700)
		_, err = b.Issue(t.Context(), order.ID, order.Price.Total)
		if wantKind(t, "Issue", err, gangway.Conflict); b.duffel.Calls(duffeltest.CreateOrder) != 0 {
			t.Error("it was bought")
		}
		now := b.wantStatus(t, order.ID, flight.Held)
		if now.Price.Total.Minor != order.Price.Total.Minor+700 {
			t.Errorf("it costs %s; want 7.00 more than %s", now.Price.Total, order.Price.Total)
		}
		if issued, err := b.Issue(t.Context(), order.ID, now.Price.Total); err != nil || issued.Status !=
			flight.Ticketed {
			t.Fatalf("Issue for the new price = %s, %v", issued.Status, err)
		}
	})
	t.Run("it is bought even if another offer of its search was", func(t *testing.T) {
		b := newBuyer(t)
		o, other := b.offer(t, "MNL", "AMS", "Basic"), b.offer(t, "MNL", "AMS", "Flex")
		order, err := b.Hold(t.Context(), holdAsk(o, "r1"))
		if err != nil {
			t.Fatal(err)
		}
		must(b.Hold(t.Context(), holdAsk(other, "r2")))(t)
		issued, err := b.Issue(t.Context(), order.ID, order.Price.Total)
		if err != nil || issued.Status != flight.Ticketed ||
			!issued.Itinerary.Departure().Equal(order.Itinerary.Departure()) {
			t.Fatalf("Issue = %s, %v", issued.Status, err)
		}
	})
	t.Run("it lapses if another offer of its search was bought and the price has risen", func(t *testing.T) {
		b := newBuyer(t)
		o, other := b.offer(t, "MNL", "AMS", "Basic"), b.offer(t, "MNL", "AMS", "Flex")
		order, err := b.Hold(t.Context(), holdAsk(o, "r1"))
		if err != nil {
			t.Fatal(err)
		}
		must(b.Hold(t.Context(), holdAsk(other, "r2")))(t)
		b.duffel.RaisePrices(1000)
		_, err = b.Issue(t.Context(), order.ID, order.Price.Total)
		wantKind(t, "Issue", err, gangway.Conflict)
		b.wantStatus(t, order.ID, flight.Lapsed)
	})
	t.Run("cancelling it costs nothing", func(t *testing.T) {
		b := newBuyer(t)
		order := b.held(t, "r1", "Basic")
		quote, err := b.QuoteCancel(t.Context(), order.ID)
		if err != nil || !quote.Refund.IsZero() || !quote.Kept.IsZero() || quote.Rule == "" {
			t.Fatalf("QuoteCancel = %+v, %v", quote, err)
		}
		if gone, err := b.Cancel(t.Context(), order.ID, quote.ID); err != nil || gone.Status != flight.Withdrawn {
			t.Fatalf("Cancel = %s, %v", gone.Status, err)
		}
		b.open(t)
		b.wantStatus(t, order.ID, flight.Withdrawn)
		_, err = b.Issue(t.Context(), order.ID, order.Price.Total)
		wantKind(t, "Issue after it was cancelled", err, gangway.Conflict)
	})
	t.Run("it lapses once the airline no longer sells it", func(t *testing.T) {
		b := newBuyer(t)
		o := b.offer(t, "LHR", "STN", "Basic")
		now, err := b.Price(t.Context(), o.ID)
		if err != nil {
			t.Fatal(err)
		}
		order := must(b.Hold(t.Context(), holdAsk(now, "r1")))(t)
		_, err = b.Issue(t.Context(), order.ID, order.Price.Total)
		wantKind(t, "Issue", err, gangway.Conflict)
		b.wantStatus(t, order.ID, flight.Lapsed)
	})
	t.Run("without money on the account nothing is bought", func(t *testing.T) {
		b := newBuyer(t)
		order, err := b.Hold(t.Context(), holdAsk(b.offer(t, "LGW", "STN", "Basic"), "r1"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = b.Issue(t.Context(), order.ID, order.Price.Total)
		if wantKind(t, "Issue", err, gangway.Conflict); !strings.Contains(err.Error(), "money") {
			t.Errorf("Issue = %v", err)
		}
		b.wantStatus(t, order.ID, flight.Held)
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
	quote := must(b.QuoteCancel(t.Context(), order.ID))(t)
	if gone, err := b.Cancel(t.Context(), order.ID, quote.ID); err != nil || gone.Status != flight.Withdrawn ||
		gone.Refund != nil {
		t.Fatalf("Cancel = %s, %v", gone.Status, err)
	}
	b.wantStatus(t, order.ID, flight.Withdrawn)
}

// Refunds are what the airline says.
func TestRefunds(t *testing.T) {
	quoted := func(t *testing.T, b *buyer, order flight.Order) flight.CancelQuote {
		t.Helper()
		b.forward(25 * time.Hour) // the tickets can no longer be voided
		quote, err := b.QuoteCancel(t.Context(), order.ID)
		if err != nil || quote.Rule == "" {
			t.Fatalf("QuoteCancel = %+v, %v", quote, err)
		}
		return quote
	}
	t.Run("a fee is kept, and the rest is refunded", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Flex")
		quote := quoted(t, b, order)
		if quote.Kept.String() != "GBP 45.00" || quote.Refund.Add(quote.Kept) != order.Price.Total {
			t.Fatalf("quote %+v", quote)
		}
		if gone, err := b.Cancel(t.Context(), order.ID, quote.ID); err != nil || gone.Refund == nil ||
			gone.Refund.Amount != quote.Refund {
			t.Fatalf("Cancel = %+v, %v", gone.Refund, err)
		}
		if now := b.wantStatus(t, order.ID, flight.Withdrawn); now.Refund.SettledAt.IsZero() {
			t.Error("money refunded to the account is not settled")
		}
	})
	t.Run("a non-refundable fare refunds nothing", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Basic")
		quote := quoted(t, b, order)
		if !quote.Refund.IsZero() || quote.Kept != order.Price.Total || quote.Unknown {
			t.Fatalf("quote %+v", quote)
		}
		if gone, err := b.Cancel(t.Context(), order.ID, quote.ID); err != nil || gone.Refund != nil {
			t.Fatalf("Cancel = %+v, %v; want no refund", gone.Refund, err)
		}
	})
	t.Run("the refund is unknown if the airline does not say", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Saver")
		quote := quoted(t, b, order)
		if !quote.Unknown || !quote.Refund.IsZero() || !quote.Kept.IsZero() {
			t.Fatalf("quote %+v; want it unknown", quote)
		}
		gone, err := b.Cancel(t.Context(), order.ID, quote.ID)
		if err != nil || gone.Refund == nil || !gone.Refund.Unknown || !gone.Refund.SettledAt.IsZero() {
			t.Fatalf("Cancel = %+v, %v; want an unknown refund", gone.Refund, err)
		}
	})
	t.Run("a credit is not a refund", func(t *testing.T) {
		b := newBuyer(t)
		order, err := b.Hold(t.Context(), holdAsk(b.offer(t, "LTN", "SYD", "Flex"), "r1"))
		if err != nil {
			t.Fatal(err)
		}
		if order, err = b.Issue(t.Context(), order.ID, order.Price.Total); err != nil {
			t.Fatal(err)
		}
		quote := quoted(t, b, order)
		if !quote.Refund.IsZero() || quote.Kept != order.Price.Total || !strings.Contains(quote.Rule, "credit of "+
			order.Price.Total.String()) {
			t.Fatalf("quote %+v", quote)
		}
		if gone, err := b.Cancel(t.Context(), order.ID, quote.ID); err != nil || gone.Refund != nil {
			t.Fatalf("Cancel = %+v, %v; want no refund", gone.Refund, err)
		}
	})
	t.Run("a quote expires, and is replaced by a newer one", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Flex")
		first := quoted(t, b, order)
		b.forward(first.Expires.Sub(b.time()))
		_, err := b.Cancel(t.Context(), order.ID, first.ID)
		wantKind(t, "Cancel on an expired quote", err, gangway.Conflict)
		second := must(b.QuoteCancel(t.Context(), order.ID))(t)
		must(b.QuoteCancel(t.Context(), order.ID))(t)
		_, err = b.Cancel(t.Context(), order.ID, second.ID)
		wantKind(t, "Cancel on a replaced quote", err, gangway.Conflict)
		_, err = b.Cancel(t.Context(), order.ID, "nothing")
		wantKind(t, "Cancel on a quote for nothing", err, gangway.Conflict)
		if n := b.duffel.Calls(duffeltest.ConfirmCancellation); n != 0 {
			t.Errorf("Duffel was asked to cancel %d times", n)
		}
		b.wantStatus(t, order.ID, flight.Ticketed)
	})
}

// Orders are changed if the airline allows it, and cost what was paid.
func TestChanges(t *testing.T) {
	t.Run("an order without tickets is not changed", func(t *testing.T) {
		b := newBuyer(t)
		order := b.held(t, "r1", "Flex")
		_, err := b.FindChanges(t.Context(), order.ID, b.ask("MNL", "AMS", 33).Legs)
		wantKind(t, "FindChanges", err, gangway.Conflict)
	})
	t.Run("an order that the airline does not allow to change is not changed", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Flex")
		b.duffel.Forbid(b.at(t, order))
		_, err := b.FindChanges(t.Context(), order.ID, b.ask("MNL", "AMS", 33).Legs)
		wantKind(t, "FindChanges", err, gangway.Conflict)
	})
	t.Run("the same change again does nothing, and offers from before are gone", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Flex")
		offers := b.changes(t, order)
		changed := must(b.Change(t.Context(), order.ID, offers[0].ID))(t)
		again := must(b.Change(t.Context(), order.ID, offers[0].ID))(t)
		if slices.Equal(changed.Tickets, order.Tickets) || !slices.Equal(again.Tickets, changed.Tickets) {
			t.Fatalf("tickets %q, %q and again %q; want new ones once", order.Tickets, changed.Tickets, again.Tickets)
		}
		_, err := b.PriceChange(t.Context(), order.ID, offers[1].ID)
		wantKind(t, "PriceChange of an offer from before", err, gangway.Conflict)
	})
	t.Run("however the airline charges, the price is what was paid", func(t *testing.T) {
		for name, how := range map[string]duffeltest.Charging{
			"the difference and the penalty":        {},
			"the penalty is not stated":             {Silent: true},
			"the penalty is in another currency":    {PenaltyIn: "EUR"},
			"cheaper flights return nothing":        {KeepsFare: true},
			"penalties are in the total afterwards": {InTotal: true},
			"they are in the total and not stated":  {InTotal: true, Silent: true},
		} {
			b := newBuyer(t)
			b.duffel.Charge(how)
			order := b.ticketed(t, "r1", "Flex")
			paid, fees := order.Price.Total, gangway.Money{Currency: "GBP"}
			for i, markup := range []int64{7000, -20000} { // dearer flights, and then cheaper ones
				b.duffel.RaisePrices(markup)
				offers, err := b.FindChanges(t.Context(), order.ID, b.ask("MNL", "AMS", 33+3*i).Legs)
				if err != nil || len(offers) == 0 {
					t.Fatalf("%s: FindChanges = %d offers, %v", name, len(offers), err)
				}
				o := offers[0]
				if o.Penalty.String() != "GBP 30.00" || o.Due != o.Price.Total.Sub(paid) {
					t.Errorf("%s: due %s with a fee of %s for %+v instead of %s; want GBP 30.00", name, o.Due,
						o.Penalty, o.Price, paid)
				}
				paid, fees = paid.Add(o.Due), fees.Add(o.Penalty)
				changed, err := b.Change(t.Context(), order.ID, o.ID)
				if err != nil || changed.Price.Total != paid || changed.Price.Fees != fees {
					t.Fatalf("%s: Change = %+v, %v; want %s with fees of %s", name, changed.Price, err, paid, fees)
				}
				if again := b.wantStatus(t, order.ID, flight.Ticketed); again.Price != changed.Price {
					t.Errorf("%s: the price is %+v a moment later; it was %+v", name, again.Price, changed.Price)
				}
			}
			b.forward(48 * time.Hour) // the tickets can no longer be voided
			quote, err := b.QuoteCancel(t.Context(), order.ID)
			if err != nil {
				t.Fatal(err)
			}
			gone, err := b.Cancel(t.Context(), order.ID, quote.ID)
			if err != nil || quote.Refund.Add(quote.Kept) != paid || gone.Price.Total != paid || gone.Refund.Amount !=
				quote.Refund {
				t.Errorf("%s: %s refunded and %s kept of %s; refund %+v, %v", name, quote.Refund, quote.Kept, paid,
					gone.Refund, err)
			}
		}
	})
	t.Run("a change to be paid in another currency is not offered", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Flex")
		b.changes(t, order)
		b.duffel.Charge(duffeltest.Charging{DueIn: "EUR"})
		none, err := b.FindChanges(t.Context(), order.ID, b.ask("MNL", "AMS", 36).Legs)
		if wantKind(t, "FindChanges in euros", err, gangway.Conflict); len(none) != 0 || !strings.Contains(err.Error(),
			"EUR") {
			t.Errorf("%d offers, %v; want none, and both currencies named", len(none), err)
		}
	})
	t.Run("a change whose answer was lost costs what was agreed", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Flex")
		offers := b.changes(t, order)
		b.duffel.Fail(duffeltest.ConfirmChange, duffeltest.LostAfter)
		if _, err := b.Change(t.Context(), order.ID, offers[0].ID); err == nil {
			t.Fatal("the answer was not lost")
		}
		if changed := b.wantStatus(t, order.ID, flight.Ticketed); changed.Price != offers[0].Price {
			t.Errorf("the price is %+v; want %+v", changed.Price, offers[0].Price)
		}
	})
	t.Run("one of two directions can stay as it is", func(t *testing.T) {
		b := newBuyer(t)
		ask := b.ask("AMS", "ATH", 30)
		ask.Legs = append(ask.Legs, b.ask("ATH", "AMS", 40).Legs...)
		offers := b.find(t, ask)
		i := slices.IndexFunc(offers, func(o flight.Offer) bool { return o.Terms.Brand == "Flex" })
		order, err := b.Hold(t.Context(), holdAsk(offers[i], "r1"))
		if err != nil {
			t.Fatal(err)
		}
		if order, err = b.Issue(t.Context(), order.ID, order.Price.Total); err != nil {
			t.Fatal(err)
		}
		ask.Legs[1] = b.ask("ATH", "AMS", 44).Legs[0]
		changes, err := b.FindChanges(t.Context(), order.ID, ask.Legs)
		if err != nil || len(changes) == 0 {
			t.Fatalf("FindChanges = %d offers, %v", len(changes), err)
		}
		changed, err := b.Change(t.Context(), order.ID, changes[0].ID)
		if err != nil || !slices.EqualFunc(changed.Itinerary.Segments, changes[0].Itinerary.Segments,
			func(a, b gangway.Segment) bool {
				return a.Departure.Equal(b.Departure) && a.Leg == b.Leg
			}) {
			t.Fatalf("Change flies %+v, %v", changed.Itinerary.Segments, err)
		}
		if legs := changed.Itinerary.Legs(); !legs[0][0].Departure.Equal(order.Itinerary.Departure()) ||
			gangway.DateOf(legs[1][0].Departure) != ask.Legs[1].Date {
			t.Errorf("it leaves %s and %s", legs[0][0].Departure, legs[1][0].Departure)
		}
		_, err = b.FindChanges(t.Context(), order.ID, ask.Legs)
		wantKind(t, "FindChanges of what is booked", err, gangway.Invalid)
	})
	t.Run("an unknown change offer is not found", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Flex")
		for _, id := range []string{"no-such-offer", "oco_0000NoSuchOffer"} {
			_, err := b.PriceChange(t.Context(), order.ID, id)
			wantKind(t, "PriceChange of "+id, err, gangway.NotFound)
		}
	})
}

// Emissions of flights that an airline offers in place of others are estimated with the operator's
// factors, too.
func TestNoticesHaveEmissions(t *testing.T) {
	factors, err := world.ReadFactors(
		strings.NewReader("set,haul,cabin,kgco2e_pkm_with_rf,kgco2e_pkm_without_rf,wtt_pkm\n" +
			"own-1,long,average,2,1,1\nown-1,short,average,2,1,1\nown-1,domestic,average,2,1,1\nown-1,intl,average,2,1,1\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := newBuyer(t, func(c *duffel.Config) { c.Factors = factors })
	order := b.ticketed(t, "own-factors", "Flex")
	b.disrupt(t, order.ID, 5*time.Hour)
	o, err := b.Order(t.Context(), order.ID)
	if err != nil || o.Notice == nil {
		t.Fatalf("Order = %+v, %v; want one with a notice", o, err)
	}
	for _, s := range o.Notice.Itinerary.Segments {
		if s.CO2eKg < float64(s.DistanceKm) || s.CO2eRFKg < 1.9*s.CO2eKg {
			t.Errorf("%s, %d km, counts %.1f kg, %.1f with radiative forcing; want a kilogram and two for each "+
				"kilometre", s.FlightNumber, s.DistanceKm, s.CO2eKg, s.CO2eRFKg)
		}
	}
}

// Airlines' own changes are minor, or need a decision.
func TestNotices(t *testing.T) {
	t.Run("a small move is minor", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Flex")
		b.disrupt(t, order.ID, 20*time.Minute)
		if n := b.wantStatus(t, order.ID, flight.Ticketed).Notice; n == nil || !n.Minor {
			t.Errorf("notice %+v; want a minor one", n)
		}
	})
	t.Run("a move by hours needs a decision", func(t *testing.T) {
		b := newBuyer(t)
		order := b.ticketed(t, "r1", "Flex")
		b.disrupt(t, order.ID, 20*time.Minute)
		first := b.wantStatus(t, order.ID, flight.Ticketed).Notice
		b.forward(time.Hour)
		b.disrupt(t, order.ID, 5*time.Hour)
		n := b.wantStatus(t, order.ID, flight.Ticketed).Notice
		if n == nil || n.Minor || n.ID == first.ID ||
			!strings.Contains(n.Why, order.Itinerary.Segments[0].FlightNumber) {
			t.Errorf("notice %+v; want the newer one, with the flight named", n)
		}
		_, err := b.Accept(t.Context(), order.ID, first.ID)
		wantKind(t, "Accept of a superseded notice", err, gangway.Conflict)
	})
	t.Run("an order whose flights moved cannot be paid before that is answered", func(t *testing.T) {
		b := newBuyer(t)
		order := b.held(t, "r1", "Flex")
		b.disrupt(t, order.ID, 5*time.Hour)
		_, err := b.Issue(t.Context(), order.ID, order.Price.Total)
		if wantKind(t, "Issue", err, gangway.Conflict); b.duffel.Calls(duffeltest.Pay) != 0 {
			t.Error("it was paid")
		}
	})
}
