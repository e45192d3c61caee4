// Package flighttest tests what every supplier of flights must do. A new
// supplier is finished when the suite passes; a bug found in one becomes a
// case for all.
package flighttest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// A Stage is a supplier under test and what the suite needs to test it.
type Stage struct {
	flight.Supplier
	Now     func() time.Time
	Forward func(time.Duration)       // moves the supplier's clock
	Ask     func(days int) flight.Ask // a search for a day that many days ahead, with public and marine offers

	// Disturb makes the airline change flights of an order by itself and offer
	// others instead. It is nil if the supplier has no way to do that; notices are
	// then not tested.
	Disturb func(t *testing.T, order string)
}

// passenger is invented.
var passenger = gangway.Traveller{
	LastName: "Santos", FirstName: "Maria", DOB: "1990-04-30", Nationality: "PH", Gender: "F",
	DocCountry: "PH", DocNumber: "P7654321B", DocExpire: "2032-01-01", Email: "maria@example.com",
}

// Supplier runs the suite. stage is called for each part of it and brings a
// supplier that has no orders yet.
func Supplier(t *testing.T, stage func(t *testing.T) Stage) {
	for name, test := range map[string]func(*testing.T, Stage){
		"search": testSearch, "offers": testOffers, "hold": testHold, "names": testNames, "lapse": testLapse,
		"guarantee": testGuarantee, "issue": testIssue, "cancel": testCancel, "refund": testRefund,
		"change": testChange, "money": testMoney, "notices": testNotices,
	} {
		t.Run(name, func(t *testing.T) { test(t, stage(t)) })
	}
}

// find returns the offers of a search, which are some.
func (s Stage) find(t *testing.T, ask flight.Ask) []flight.Offer {
	t.Helper()
	var offers []flight.Offer
	err := s.Search(t.Context(), ask, func(o []flight.Offer) { offers = append(offers, o...) })
	if err != nil || len(offers) == 0 {
		t.Fatalf("Search found %d offers, %v; want some", len(offers), err)
	}
	return offers
}

// offer returns a refundable, changeable offer that can be held and ticketed later.
func (s Stage) offer(t *testing.T) flight.Offer {
	t.Helper()
	offers := s.find(t, s.Ask(30))
	i := slices.IndexFunc(offers, func(o flight.Offer) bool {
		return o.Terms.Cancellations != gangway.NonRefundable && o.Terms.Changes != gangway.NoChange &&
			o.TicketBy.Sub(s.Now()) > time.Hour
	})
	if i < 0 {
		t.Fatal("no offer can be held, refunded and changed")
	}
	return offers[i]
}

func (s Stage) hold(t *testing.T, reference string) flight.Order {
	t.Helper()
	return must(s.Hold(t.Context(), s.holdAsk(s.offer(t), reference)))(t)
}

func (s Stage) holdAsk(o flight.Offer, reference string) flight.HoldAsk {
	ask := s.Ask(30)
	return flight.HoldAsk{Reference: reference, Offer: o.ID, Price: o.Price.Total, Passenger: passenger,
		Contact: "desk@example.com", Vessel: ask.Vessel, Flag: ask.Flag}
}

func (s Stage) issue(t *testing.T, order flight.Order) flight.Order {
	t.Helper()
	issued := must(s.Issue(t.Context(), order.ID, order.Price.Total))(t)
	if issued.Status != flight.Ticketed || issued.Price.Total != order.Price.Total || !issued.VoidUntil.After(s.Now()) {
		t.Fatalf("Issue = %s for %s, void until %s; want it ticketed for %s, and voidable for a while", issued.Status,
			issued.Price.Total, issued.VoidUntil, order.Price.Total)
	}
	return issued
}

func (s Stage) ticket(t *testing.T, reference string) flight.Order {
	t.Helper()
	return s.issue(t, s.hold(t, reference))
}

// cancel cancels an order on a quote, whose rule is in words.
func (s Stage) cancel(t *testing.T, order flight.Order) (flight.CancelQuote, flight.Order) {
	t.Helper()
	quote := must(s.QuoteCancel(t.Context(), order.ID))(t)
	gone := must(s.Cancel(t.Context(), order.ID, quote.ID))(t)
	if quote.Rule == "" || gone.Status != flight.Withdrawn || (gone.Refund == nil) != quote.Refund.IsZero() ||
		gone.Refund != nil && gone.Refund.Amount != quote.Refund || gone.Price != order.Price {
		t.Fatalf("cancelled on %+v: %s, and the refund %+v of %s", quote, gone.Status, gone.Refund, gone.Price.Total)
	}
	return quote, gone
}

func (s Stage) wantStatus(t *testing.T, order string, want flight.Status) flight.Order {
	t.Helper()
	o := must(s.Order(t.Context(), order))(t)
	if o.Status != want {
		t.Fatalf("Order = %s; want %s", o.Status, want)
	}
	return o
}

// must returns the result of a call that has to succeed.
func must[T any](result T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
}

// refused returns a check that a call was refused with one of the kinds of error, which does not reveal who the
// passenger is.
func refused(t *testing.T, kinds ...gangway.Kind) func(any, error) {
	return func(_ any, err error) {
		t.Helper()
		if !slices.Contains(kinds, gangway.KindOf(err)) {
			t.Errorf("error %v; want a refusal", err)
		}
		if err != nil && strings.Contains(err.Error(), passenger.DocNumber) {
			t.Error("the error contains a passport number")
		}
	}
}
