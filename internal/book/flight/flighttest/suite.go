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
	Supplier flight.Supplier
	Now      func() time.Time
	Forward  func(time.Duration)       // moves the supplier's clock
	Ask      func(days int) flight.Ask // a search for a day that many days ahead, with public and marine offers

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
	t.Run("search", func(t *testing.T) { testSearch(t, stage(t)) })
	t.Run("offers", func(t *testing.T) { testOffers(t, stage(t)) })
	t.Run("hold", func(t *testing.T) { testHold(t, stage(t)) })
	t.Run("names", func(t *testing.T) { testNames(t, stage(t)) })
	t.Run("lapse", func(t *testing.T) { testLapse(t, stage(t)) })
	t.Run("guarantee", func(t *testing.T) { testGuarantee(t, stage(t)) })
	t.Run("issue", func(t *testing.T) { testIssue(t, stage(t)) })
	t.Run("cancel", func(t *testing.T) { testCancel(t, stage(t)) })
	t.Run("refund", func(t *testing.T) { testRefund(t, stage(t)) })
	t.Run("change", func(t *testing.T) { testChange(t, stage(t)) })
	t.Run("money", func(t *testing.T) { testMoney(t, stage(t)) })
	t.Run("notices", func(t *testing.T) { testNotices(t, stage(t)) })
}

// offers returns the offers for flights in 30 days.
func (s Stage) offers(t *testing.T) []flight.Offer {
	t.Helper()
	var offers []flight.Offer
	if err := s.Supplier.Search(t.Context(), s.Ask(30), func(o []flight.Offer) {
		offers = append(offers, o...)
	}); err != nil {
		t.Fatalf("Search: %v", err)
	}
	if len(offers) == 0 {
		t.Fatal("Search found nothing")
	}
	return offers
}

// offer returns a refundable, changeable offer that can be held and ticketed later.
func (s Stage) offer(t *testing.T) flight.Offer {
	t.Helper()
	offers := s.offers(t)
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
	o := s.offer(t)
	order, err := s.Supplier.Hold(t.Context(), s.holdAsk(o, reference))
	if err != nil {
		t.Fatalf("Hold: %v", err)
	}
	return order
}

func (s Stage) holdAsk(o flight.Offer, reference string) flight.HoldAsk {
	ask := s.Ask(30)
	return flight.HoldAsk{Reference: reference, Offer: o.ID, Price: o.Price.Total, Passenger: passenger,
		Contact: "desk@example.com", Vessel: ask.Vessel, Flag: ask.Flag}
}

func (s Stage) ticket(t *testing.T, reference string) flight.Order {
	t.Helper()
	order := s.hold(t, reference)
	order, err := s.Supplier.Issue(t.Context(), order.ID, order.Price.Total)
	if err != nil {
		t.Fatalf("Issue: %v", err)
	}
	return order
}

func (s Stage) wantStatus(t *testing.T, order string, want flight.Status) flight.Order {
	t.Helper()
	o, err := s.Supplier.Order(t.Context(), order)
	if err != nil || o.Status != want {
		t.Fatalf("Order = %s, %v; want %s", o.Status, err, want)
	}
	return o
}

// wantRefusal fails unless err says that nothing was done, and does not reveal who the
// passenger is.
func wantRefusal(t *testing.T, what string, err error, kinds ...gangway.Kind) {
	t.Helper()
	if !slices.Contains(kinds, gangway.KindOf(err)) {
		t.Errorf("%s = %v; want a refusal", what, err)
	}
	if err != nil && strings.Contains(err.Error(), passenger.DocNumber) {
		t.Errorf("%s: the error contains a passport number", what)
	}
}
