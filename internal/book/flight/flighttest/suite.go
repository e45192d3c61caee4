// Package flighttest says what every supplier of flights must do. A new
// supplier is finished when the suite passes; a fault found in one becomes a
// case for all.
package flighttest

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway"
	"gangway/internal/book/flight"
)

// A Stage is a supplier to be examined and what the examination needs of it.
type Stage struct {
	Supplier flight.Supplier
	Now      func() time.Time
	Forward  func(time.Duration)       // moves the supplier's clock
	Ask      func(days int) flight.Ask // a search that has offers, marine ones too, leaving in so many days

	// Disturb makes the airline change flights of an order by itself and offer
	// others instead. Nil where the supplier cannot be made to: notices are then
	// not examined.
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
	t.Run("search", func(t *testing.T) { searching(t, stage(t)) })
	t.Run("offers", func(t *testing.T) { pricing(t, stage(t)) })
	t.Run("hold", func(t *testing.T) { holding(t, stage(t)) })
	t.Run("names", func(t *testing.T) { naming(t, stage(t)) })
	t.Run("lapse", func(t *testing.T) { lapsing(t, stage(t)) })
	t.Run("guarantee", func(t *testing.T) { guaranteeing(t, stage(t)) })
	t.Run("issue", func(t *testing.T) { issuing(t, stage(t)) })
	t.Run("cancel", func(t *testing.T) { cancelling(t, stage(t)) })
	t.Run("refund", func(t *testing.T) { refunding(t, stage(t)) })
	t.Run("change", func(t *testing.T) { changing(t, stage(t)) })
	t.Run("money", func(t *testing.T) { addingUp(t, stage(t)) })
	t.Run("notices", func(t *testing.T) { noticing(t, stage(t)) })
}

// offers returns what is offered 30 days from now.
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

// offer returns an offer that can be held and ticketed later, refunded and changed.
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

// wantRefusal fails unless err says that nothing was done, without giving away
// who the passenger is.
func wantRefusal(t *testing.T, what string, err error, kinds ...gangway.Kind) {
	t.Helper()
	if !slices.Contains(kinds, gangway.KindOf(err)) {
		t.Errorf("%s = %v; want a refusal", what, err)
	}
	if err != nil && strings.Contains(err.Error(), passenger.DocNumber) {
		t.Errorf("%s: the error carries a passport number", what)
	}
}

// among reports whether an airport is one of those that will do.
func among(ends []flight.End, a gangway.Airport) bool {
	return slices.ContainsFunc(ends, func(e flight.End) bool { return e.Airport == a })
}

func searching(t *testing.T, s Stage) {
	ask := s.Ask(30)
	for _, o := range s.offers(t) {
		leg, segments := ask.Legs[0], o.Itinerary.Segments
		if o.ID == "" || len(segments) == 0 {
			t.Fatalf("offer %q has %d segments", o.ID, len(segments))
		}
		if !among(leg.From, segments[0].Origin) || !among(ask.Legs[len(ask.Legs)-1].To,
			segments[len(segments)-1].Destination) {
			t.Errorf("an offer flies %v; want %v to %v", o.Itinerary.Route(), leg.From, leg.To)
		}
		if leg.Date != "" && gangway.DateOf(segments[0].Departure) != leg.Date {
			t.Errorf("an offer leaves %s local time; want %s", segments[0].Departure, leg.Date)
		}
		if leg.ArriveOn != "" && leg.ArriveBy == "" && gangway.DateOf(o.Itinerary.Arrival()) != leg.ArriveOn {
			t.Errorf("an offer arrives %s local time; want %s", o.Itinerary.Arrival(), leg.ArriveOn)
		}
		for i, seg := range segments {
			if !seg.Arrival.After(seg.Departure) || seg.Carrier == "" || !strings.HasPrefix(seg.FlightNumber,
				seg.Carrier) {
				t.Errorf("segment %s %s–%s makes no sense", seg.FlightNumber, seg.Departure, seg.Arrival)
			}
			if i > 0 && seg.Departure.Before(segments[i-1].Arrival) {
				t.Errorf("segment %s leaves before %s lands", seg.FlightNumber, segments[i-1].FlightNumber)
			}
		}
		if o.Price.Fare.Add(o.Price.Taxes) != o.Price.Total || o.Price.Total.Minor <= 0 ||
			len(o.Price.Total.Currency) != 3 {
			t.Errorf("price %s is not fare %s and taxes %s", o.Price.Total, o.Price.Fare, o.Price.Taxes)
		}
		if !o.Expires.After(s.Now()) {
			t.Errorf("an offer has expired at %s", o.Expires)
		}
		if o.Terms.FareType != gangway.Marine && o.Terms.FareType != gangway.Public {
			t.Errorf("fare type %q", o.Terms.FareType)
		}
	}
	t.Run("marine fares need a vessel and its flag", func(t *testing.T) {
		ask := s.Ask(30)
		ask.Vessel, ask.Flag = "", ""
		err := s.Supplier.Search(t.Context(), ask, func(offers []flight.Offer) {
			for _, o := range offers {
				if o.Terms.FareType == gangway.Marine {
					t.Errorf("offer %s is marine", o.ID)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	t.Run("a fare type asked for is the only one that comes", func(t *testing.T) {
		for _, want := range []gangway.FareType{gangway.Marine, gangway.Public} {
			ask, n := s.Ask(30), 0
			ask.FareType = want
			err := s.Supplier.Search(t.Context(), ask, func(offers []flight.Offer) {
				for _, o := range offers {
					n++
					if o.Terms.FareType != want {
						t.Errorf("offer %s is %s; want %s", o.ID, o.Terms.FareType, want)
					}
				}
			})
			if err != nil || n == 0 {
				t.Errorf("%s: %d offers, %v; want some", want, n, err)
			}
		}
	})
}

func pricing(t *testing.T, s Stage) {
	o := s.offer(t)
	again, err := s.Supplier.Price(t.Context(), o.ID)
	if err != nil || again.Price != o.Price || again.Terms != o.Terms || again.Itinerary.Route()[0] !=
		o.Itinerary.Route()[0] {
		t.Fatalf("Price = %s %+v, %v; want %s as offered", again.Price.Total, again.Terms, err, o.Price.Total)
	}
	_, err = s.Supplier.Price(t.Context(), "no-such-offer")
	wantRefusal(t, "Price of nonsense", err, gangway.Invalid, gangway.NotFound, gangway.Conflict)
	s.Forward(o.Expires.Sub(s.Now()) + time.Second)
	_, err = s.Supplier.Price(t.Context(), o.ID)
	wantRefusal(t, "Price of an expired offer", err, gangway.Conflict)
	_, err = s.Supplier.Hold(t.Context(), s.holdAsk(o, "late"))
	wantRefusal(t, "Hold of an expired offer", err, gangway.Conflict)
	_, err = s.Supplier.Find(t.Context(), "late")
	wantRefusal(t, "Find of what was refused", err, gangway.NotFound)
}

func holding(t *testing.T, s Stage) {
	o := s.offer(t)
	t.Run("a held order has a locator, deadlines and no tickets", func(t *testing.T) {
		order, err := s.Supplier.Hold(t.Context(), s.holdAsk(o, "r1"))
		if err != nil || order.Status != flight.Held || len(order.PNRs) == 0 || order.Reference != "r1" ||
			len(order.Tickets) != 0 {
			t.Fatalf("Hold = %+v, %v; want it held", order, err)
		}
		if !order.TicketBy.After(s.Now()) || order.TicketBy.After(order.HoldUntil) || order.Price.Total !=
			o.Price.Total {
			t.Fatalf("ticket by %s, hold until %s, price %s; want both to come, in that order, and %s", order.TicketBy,
				order.HoldUntil, order.Price.Total, o.Price.Total)
		}
	})
	t.Run("the same reference holds once, however many ask at once", func(t *testing.T) {
		ids := make([]string, 6)
		var wait sync.WaitGroup
		for i := range ids {
			wait.Go(func() {
				order, err := s.Supplier.Hold(t.Context(), s.holdAsk(o, "r2"))
				if err != nil {
					t.Errorf("Hold: %v", err)
				}
				ids[i] = order.ID
			})
		}
		wait.Wait()
		slices.Sort(ids)
		if n := len(slices.Compact(ids)); n != 1 {
			t.Fatalf("%d orders under one reference", n)
		}
	})
	t.Run("it is found again by its reference", func(t *testing.T) {
		order, err := s.Supplier.Find(t.Context(), "r1")
		if err != nil || order.Status != flight.Held || order.Reference != "r1" {
			t.Fatalf("Find = %+v, %v", order, err)
		}
		_, err = s.Supplier.Find(t.Context(), "never-used")
		wantRefusal(t, "Find of an unknown reference", err, gangway.NotFound)
		_, err = s.Supplier.Order(t.Context(), "no-such-order")
		wantRefusal(t, "Order of nonsense", err, gangway.NotFound)
	})
	t.Run("another price than the offer's holds nothing", func(t *testing.T) {
		ask := s.holdAsk(o, "r3")
		ask.Price.Minor--
		_, err := s.Supplier.Hold(t.Context(), ask)
		wantRefusal(t, "Hold at another price", err, gangway.Conflict)
		_, err = s.Supplier.Find(t.Context(), "r3")
		wantRefusal(t, "Find of what was refused", err, gangway.NotFound)
	})
}

func lapsing(t *testing.T, s Stage) {
	order := s.hold(t, "r1")
	s.Forward(order.HoldUntil.Sub(s.Now()) + time.Second)
	s.wantStatus(t, order.ID, flight.Lapsed)
	_, err := s.Supplier.Issue(t.Context(), order.ID, order.Price.Total)
	wantRefusal(t, "Issue after the hold", err, gangway.Conflict)
	s.wantStatus(t, order.ID, flight.Lapsed)
}

func guaranteeing(t *testing.T, s Stage) {
	order := s.hold(t, "r1")
	if order.PriceUntil.IsZero() {
		t.Skip("prices are guaranteed for as long as seats are held")
	}
	if order.PriceUntil.After(order.TicketBy) {
		t.Fatalf("the price is guaranteed until %s, after the ticketing deadline, %s", order.PriceUntil, order.TicketBy)
	}
	s.Forward(order.PriceUntil.Sub(s.Now()) - time.Second)
	if o := s.wantStatus(t, order.ID, flight.Held); o.Price != order.Price {
		t.Fatalf("the price became %s while %s was guaranteed", o.Price.Total, order.Price.Total)
	}
	s.Forward(2 * time.Second)
	if !s.Now().Before(order.TicketBy) {
		return
	}
	later := s.wantStatus(t, order.ID, flight.Held)
	if p := later.Price; p.Fare.Add(p.Taxes) != p.Total || p.Total.Currency != order.Price.Total.Currency {
		t.Errorf("price %s is not fare %s and taxes %s, or in another currency than %s", p.Total, p.Fare, p.Taxes,
			order.Price.Total)
	}
	if later.Price.Total != order.Price.Total {
		_, err := s.Supplier.Issue(t.Context(), order.ID, order.Price.Total)
		wantRefusal(t, "Issue at the price before", err, gangway.Conflict)
	}
	issued, err := s.Supplier.Issue(t.Context(), order.ID, later.Price.Total)
	if err != nil || issued.Status != flight.Ticketed || issued.Price.Total != later.Price.Total {
		t.Fatalf("Issue = %s for %s, %v; want it ticketed for %s", issued.Status, issued.Price.Total, err,
			later.Price.Total)
	}
}

var thirteenDigits = regexp.MustCompile(`^\d{13}$`)

func issuing(t *testing.T, s Stage) {
	order := s.hold(t, "r1")
	less := order.Price.Total
	less.Minor--
	_, err := s.Supplier.Issue(t.Context(), order.ID, less)
	wantRefusal(t, "Issue for too little", err, gangway.Conflict)
	s.wantStatus(t, order.ID, flight.Held)

	issued, err := s.Supplier.Issue(t.Context(), order.ID, order.Price.Total)
	if err != nil || issued.Status != flight.Ticketed || !issued.VoidUntil.After(s.Now()) {
		t.Fatalf("Issue = %s, void until %s, %v; want it ticketed and voidable for a while", issued.Status,
			issued.VoidUntil, err)
	}
	for _, ticket := range issued.Tickets {
		if !thirteenDigits.MatchString(ticket) {
			t.Errorf("ticket %q; want 13 digits", ticket)
		}
	}
	_, err = s.Supplier.Issue(t.Context(), order.ID, order.Price.Total)
	wantRefusal(t, "Issue a second time", err, gangway.Conflict)
	again := s.wantStatus(t, order.ID, flight.Ticketed)
	if !slices.Equal(again.Tickets, issued.Tickets) {
		t.Errorf("tickets %q became %q", issued.Tickets, again.Tickets)
	}
	other := s.ticket(t, "r2")
	for _, ticket := range other.Tickets {
		if slices.Contains(issued.Tickets, ticket) {
			t.Errorf("ticket %s was issued twice", ticket)
		}
	}
}

func cancelling(t *testing.T, s Stage) {
	t.Run("a hold is given back for nothing", func(t *testing.T) {
		order := s.hold(t, "r1")
		quote, err := s.Supplier.QuoteCancel(t.Context(), order.ID)
		if err != nil || !quote.Refund.IsZero() || !quote.Kept.IsZero() || quote.Rule == "" {
			t.Fatalf("QuoteCancel = %+v, %v; want nothing back of nothing paid, and the rule in words", quote, err)
		}
		gone, err := s.Supplier.Cancel(t.Context(), order.ID, quote.ID)
		if err != nil || gone.Status != flight.Withdrawn || gone.Refund != nil {
			t.Fatalf("Cancel = %s, refund %+v, %v; want it withdrawn", gone.Status, gone.Refund, err)
		}
		_, err = s.Supplier.Cancel(t.Context(), order.ID, quote.ID)
		wantRefusal(t, "Cancel a second time", err, gangway.Conflict)
		_, err = s.Supplier.Issue(t.Context(), order.ID, order.Price.Total)
		wantRefusal(t, "Issue after cancelling", err, gangway.Conflict)
	})
	t.Run("tickets are void for a while", func(t *testing.T) {
		order := s.ticket(t, "r2")
		quote, err := s.Supplier.QuoteCancel(t.Context(), order.ID)
		if err != nil || !quote.Void || quote.Kept.Minor != 0 || quote.Refund != order.Price.Total {
			t.Fatalf("QuoteCancel = %+v, %v; want a void that keeps nothing", quote, err)
		}
		gone, err := s.Supplier.Cancel(t.Context(), order.ID, quote.ID)
		if r := gone.Refund; err != nil || gone.Status != flight.Withdrawn || r == nil || !r.Void ||
			r.Amount != order.Price.Total || r.Awaited() {
			t.Fatalf("Cancel = %s, refund %+v, %v; want it withdrawn, all given back and nothing outstanding",
				gone.Status, gone.Refund, err)
		}
		if o := s.wantStatus(t, order.ID, flight.Withdrawn); o.Refund == nil || o.Refund.Awaited() ||
			o.Price != order.Price {
			t.Errorf("refund %+v of %s; want it settled, of %s", o.Refund, o.Price.Total, order.Price.Total)
		}
	})
	t.Run("a quote from before the tickets is overtaken", func(t *testing.T) {
		order := s.hold(t, "r3")
		quote, err := s.Supplier.QuoteCancel(t.Context(), order.ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Supplier.Issue(t.Context(), order.ID, order.Price.Total); err != nil {
			t.Fatal(err)
		}
		_, err = s.Supplier.Cancel(t.Context(), order.ID, quote.ID)
		wantRefusal(t, "Cancel on an overtaken quote", err, gangway.Conflict)
		s.wantStatus(t, order.ID, flight.Ticketed)
	})
}

func refunding(t *testing.T, s Stage) {
	order := s.ticket(t, "r1")
	s.Forward(order.VoidUntil.Sub(s.Now()) + time.Minute)
	quote, err := s.Supplier.QuoteCancel(t.Context(), order.ID)
	if err != nil || quote.Void || quote.Refund.Minor <= 0 || quote.Refund.Add(quote.Kept) != order.Price.Total {
		t.Fatalf("QuoteCancel = %+v, %v; want refund and what is kept to make %s", quote, err, order.Price.Total)
	}
	gone, err := s.Supplier.Cancel(t.Context(), order.ID, quote.ID)
	if err != nil || gone.Refund == nil || gone.Refund.Amount != quote.Refund || !gone.Refund.SettledAt.IsZero() {
		t.Fatalf("Cancel = %s, refund %+v, %v; want %s on its way", gone.Status, gone.Refund, err, quote.Refund)
	}
	for range 60 * 24 {
		if o := s.wantStatus(t, order.ID, flight.Withdrawn); !o.Refund.SettledAt.IsZero() {
			return
		}
		s.Forward(time.Hour)
	}
	t.Fatal("the refund has not come in 60 days")
}

func changing(t *testing.T, s Stage) {
	order := s.ticket(t, "r1")
	find := func() flight.ChangeOffer {
		t.Helper()
		offers, err := s.Supplier.FindChanges(t.Context(), order.ID, s.Ask(33).Legs)
		if err != nil || len(offers) == 0 {
			t.Fatalf("FindChanges = %d offers, %v; want some", len(offers), err)
		}
		return offers[0]
	}
	o := find()
	priced, err := s.Supplier.PriceChange(t.Context(), order.ID, o.ID)
	if err != nil || priced.Due != o.Due || priced.Price != o.Price {
		t.Fatalf("PriceChange = %s due, %v; want %s", priced.Due, err, o.Due)
	}
	s.Forward(o.Expires.Sub(s.Now()) + time.Second)
	_, err = s.Supplier.Change(t.Context(), order.ID, o.ID)
	wantRefusal(t, "Change on an expired offer", err, gangway.Conflict)
	o = find()
	changed, err := s.Supplier.Change(t.Context(), order.ID, o.ID)
	if err != nil || changed.Status != flight.Ticketed || !slices.Contains(changed.Changes, o.ID) {
		t.Fatalf("Change = %s, changes %q, %v; want it ticketed and the change listed", changed.Status, changed.Changes,
			err)
	}
	if !changed.Itinerary.Departure().Equal(o.Itinerary.Departure()) || changed.Price.Total != o.Price.Total {
		t.Fatalf("Change leaves %s for %s; want %s for %s", changed.Itinerary.Departure(), changed.Price.Total,
			o.Itinerary.Departure(), o.Price.Total)
	}
	_, err = s.Supplier.FindChanges(t.Context(), "no-such-order", s.Ask(33).Legs)
	wantRefusal(t, "FindChanges of nonsense", err, gangway.NotFound)
}

func noticing(t *testing.T, s Stage) {
	if s.Disturb == nil {
		t.Skip("the supplier cannot be made to change flights by itself")
	}
	disturbed := func(reference string) flight.Order {
		t.Helper()
		order := s.ticket(t, reference)
		s.Disturb(t, order.ID)
		order = s.wantStatus(t, order.ID, flight.Ticketed)
		n := order.Notice
		if n == nil || n.ID == "" || n.Why == "" || n.At.IsZero() || n.At.After(s.Now()) || len(n.Itinerary.Segments) ==
			0 {
			t.Fatalf("notice %+v; want what happened, when, and other flights", n)
		}
		return order
	}
	t.Run("what the airline offers instead is taken for nothing", func(t *testing.T) {
		order := disturbed("r1")
		_, err := s.Supplier.Accept(t.Context(), order.ID, "no-such-notice")
		wantRefusal(t, "Accept of nonsense", err, gangway.Conflict, gangway.NotFound, gangway.Invalid)
		moved, err := s.Supplier.Accept(t.Context(), order.ID, order.Notice.ID)
		if err != nil || moved.Status != flight.Ticketed || moved.Notice != nil || !slices.Contains(moved.Changes,
			order.Notice.ID) {
			t.Fatalf("Accept = %s, changes %q, notice %+v, %v; want it ticketed and the notice among the changes",
				moved.Status, moved.Changes, moved.Notice, err)
		}
		if moved.Price.Total != order.Price.Total || !slices.EqualFunc(moved.Itinerary.Segments,
			order.Notice.Itinerary.Segments, sameTimes) {
			t.Errorf("Accept flies %v for %s; want %v for %s", moved.Itinerary.Segments, moved.Price.Total,
				order.Notice.Itinerary.Segments, order.Price.Total)
		}
		if again := s.wantStatus(t, order.ID, flight.Ticketed); again.Notice != nil {
			t.Errorf("the notice stands still: %+v", again.Notice)
		}
	})
	t.Run("who does not accept can still give the order up", func(t *testing.T) {
		order := disturbed("r2")
		quote, err := s.Supplier.QuoteCancel(t.Context(), order.ID)
		if err != nil || quote.Rule == "" {
			t.Fatalf("QuoteCancel = %+v, %v", quote, err)
		}
		if gone, err := s.Supplier.Cancel(t.Context(), order.ID, quote.ID); err != nil || gone.Status !=
			flight.Withdrawn {
			t.Fatalf("Cancel = %s, %v; want it withdrawn", gone.Status, err)
		}
		_, err = s.Supplier.Accept(t.Context(), order.ID, order.Notice.ID)
		wantRefusal(t, "Accept after cancelling", err, gangway.Conflict)
	})
}

func sameTimes(a, b gangway.Segment) bool {
	return a.FlightNumber == b.FlightNumber && a.Departure.Equal(b.Departure) && a.Arrival.Equal(b.Arrival)
}
