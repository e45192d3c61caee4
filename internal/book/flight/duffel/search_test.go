package duffel_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/duffel"
	"gangway/internal/book/flight/duffel/duffeltest"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// search searches, and returns only what went wrong.
func (b *buyer) search(t *testing.T, ask flight.Ask) (none any, err error) {
	return nil, b.Search(t.Context(), ask, func([]flight.Offer) {})
}

// The special routes of Duffel's test mode lead to what they are for.
func TestSpecialRoutes(t *testing.T) {
	b := newBuyer(t)
	tests := []struct {
		name     string
		from, to gangway.Airport
		holds    func(flight.Offer) bool // for all of its offers; nil: there are none
	}{
		{"no flights are not an error", "PVD", "RAI", nil},
		{"an offer that can be held says until when", "JFK", "EWR", func(o flight.Offer) bool {
			return o.TicketBy.After(b.time()) && o.PriceUntil.After(b.time()) && o.PriceUntil.Before(o.TicketBy)
		}},
		{"connecting flights are one leg", "LHR", "DXB", func(o flight.Offer) bool {
			return len(o.Itinerary.Segments) > 1 && len(o.Itinerary.Legs()) == 1 && o.Itinerary.Connecting(0)
		}},
		{"a stop without a change of flights is one flight", "DXB", "AMS", func(o flight.Offer) bool {
			return len(o.Itinerary.Segments) == 1
		}},
		{"unknown baggage is left out", "BTS", "MRU", func(o flight.Offer) bool { return len(o.Baggage) == 0 }},
		{"included baggage is stated, without a weight", "LHR", "AMS", func(o flight.Offer) bool {
			return len(o.Baggage) == 1 && o.Baggage[0].WeightKg == 0
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			offers := b.find(t, b.ask(tt.from, tt.to, 30))
			if (len(offers) == 0) != (tt.holds == nil) {
				t.Fatalf("%d offers", len(offers))
			}
			for _, o := range offers {
				if !tt.holds(o) {
					t.Errorf("offer %+v", o)
				}
			}
		})
	}
	refused(t, gangway.Unavailable)(b.search(t, b.ask("STN", "LHR", 30))) // airlines that do not answer
	refused(t, gangway.Invalid)(b.search(t, b.ask("QQQ", "LHR", 30)))     // an airport that Duffel does not know
}

// An offer has its times, terminals, terms and deadlines.
func TestOffer(t *testing.T) {
	b := newBuyer(t)
	o := b.offer(t, "MNL", "AMS", "Flex")
	first := o.Itinerary.Segments[0]
	if first.Departure.Location().String() != "Asia/Manila" || first.Departure.Format("15:04") != "07:25" {
		t.Errorf("the first flight leaves %s; want 07:25 local time", first.Departure)
	}
	if last := o.Itinerary.Segments[len(o.Itinerary.Segments)-1]; first.OriginTerminal != "2" ||
		last.DestinationTerminal != "1" {
		t.Errorf("it leaves from terminal %s and lands at %s; want 2 and 1", first.OriginTerminal,
			last.DestinationTerminal)
	}
	if o.Terms.Cancellations != gangway.PaidCancel || o.Terms.CancelFee.String() != "GBP 45.00" || o.Terms.Changes !=
		gangway.PaidChange || o.Terms.ChangeFee.String() != "GBP 30.00" {
		t.Errorf("Flex has the terms %+v", o.Terms)
	}
	if o.Plating != "ZZ" || o.Terms.FareType != gangway.Public || o.Emissions.CO2eKg <= 0 || o.Emissions.Method !=
		"duffel" || first.DistanceKm == 0 || first.CO2eKg == 0 {
		t.Errorf("offer %+v", o)
	}
	m := b.offer(t, "MNL", "AMS", "Marine")
	if m.Terms.FareType != gangway.Marine || m.Terms.Cancellations != gangway.Refundable || m.Terms.Changes !=
		gangway.FreeChange || m.Baggage[0].Pieces != 2 {
		t.Errorf("Marine has the terms %+v and %+v", m.Terms, m.Baggage)
	}
	if basic := b.offer(t, "MNL", "AMS", "Basic"); basic.Terms.Cancellations != gangway.NonRefundable ||
		basic.Terms.Changes != gangway.NoChange || !basic.TicketBy.IsZero() || basic.Baggage[0].Pieces != 0 {
		t.Errorf("Basic has the terms %+v, tickets by %s", basic.Terms, basic.TicketBy)
	}
	if silent := b.offer(t, "MNL", "AMS", "Saver"); silent.Terms.Cancellations != gangway.NonRefundable ||
		silent.Terms.Changes != gangway.NoChange {
		t.Errorf("an airline that states no terms has %+v; want the worst", silent.Terms)
	}
}

// A fare is marine if Duffel lists it as a private fare, and not because a sailor asked: the
// fare type in the request also comes back with public offers.
func TestMarineFaresAreFiledFares(t *testing.T) {
	b := newBuyer(t)
	kinds := map[string]gangway.FareType{}
	for _, o := range b.find(t, b.ask("MNL", "AMS", 30)) {
		kinds[o.Terms.Brand] = o.Terms.FareType
	}
	want := map[string]gangway.FareType{"Basic": gangway.Public, "Flex": gangway.Public, "Saver": gangway.Public,
		"Marine": gangway.Marine}
	if !maps.Equal(kinds, want) {
		t.Errorf("the fares of a sailor's search are %v; want %v", kinds, want)
	}
	ask := b.ask("MNL", "AMS", 30)
	ask.FareType = gangway.Marine
	for _, o := range b.find(t, ask) {
		if o.Terms.Brand != "Marine" {
			t.Errorf("%s is offered in a search for marine fares only", o.Terms.Brand)
		}
	}
}

// Sanctions apply to the operating airline as well as to the selling one.
func TestSanctionedOperator(t *testing.T) {
	b := newBuyer(t)
	b.duffel.Operate("Mahan Air", "W5")
	if offers := b.find(t, b.ask("MNL", "AMS", 30)); len(offers) != 0 {
		t.Errorf("%d offers of flights that Mahan Air operates; want none", len(offers))
	}
	ask := b.ask("MNL", "AMS", 30)
	ask.Sanctioned = true
	offers := b.find(t, ask)
	if len(offers) == 0 {
		t.Fatal("nothing is offered to an account that admits such airlines")
	}
	for _, o := range offers {
		if o.Terms.FareType == gangway.Marine {
			t.Error("a marine fare of such an airline is offered")
		}
		if s := o.Itinerary.Segments[0]; s.Carrier != "ZZ" || s.Operator != "W5" {
			t.Errorf("the flight is %s's, operated by %q; want ZZ and W5", s.Carrier, s.Operator)
		}
	}
}

// A set of airports takes few searches.
func TestAirportSets(t *testing.T) {
	ends := func(codes ...gangway.Airport) (list []flight.End) {
		for i, c := range codes {
			list = append(list, flight.End{Airport: c, Ground: time.Duration(i) * time.Hour})
		}
		return list
	}
	t.Run("every pair is searched if there are few", func(t *testing.T) {
		b := newBuyer(t)
		ask := b.ask("MNL", "AMS", 30)
		ask.Legs[0].From, ask.Legs[0].To = ends("MNL", "CEB"), ends("AMS", "RTM")
		if len(b.find(t, ask)) == 0 || b.duffel.Calls(duffeltest.Search) != 4 {
			t.Errorf("%d searches for two pairs of airports; want 4", b.duffel.Calls(duffeltest.Search))
		}
	})
	t.Run("the nearest come first, up to the limit", func(t *testing.T) {
		b := newBuyer(t, func(c *duffel.Config) { c.Searches = 2 })
		ask := b.ask("MNL", "AMS", 30)
		ask.Legs[0].From, ask.Legs[0].To = ends("MNL", "CEB", "CRK"), ends("AMS", "RTM", "EIN", "BRU")
		for _, o := range b.find(t, ask) {
			if route := o.Itinerary.Route(); route[0] != "MNL" && route[len(route)-1] != "AMS" {
				t.Errorf("the offer flies %v; there were nearer airports", route)
			}
		}
		b.wantCalls(t, duffeltest.Search, 2)
	})
	t.Run("a city is searched for the price of one airport", func(t *testing.T) {
		if p, ok := world.PlaceOf("LON"); !ok || len(p.Airports) < 3 {
			t.Fatalf("London is %+v in the facts about the world; want a city of several airports", p)
		}
		b := newBuyer(t)
		ask := b.ask("LHR", "AMS", 30)
		ask.Legs[0].From = ends("LHR", "LGW")
		for _, o := range b.find(t, ask) {
			if from := o.Itinerary.Segments[0].Origin; from != "LHR" && from != "LGW" {
				t.Errorf("an offer leaves from %s, which was not asked for", from)
			}
		}
		b.wantCalls(t, duffeltest.Search, 1)
	})
	t.Run("a failed search does not hide the offers of the others", func(t *testing.T) {
		b := newBuyer(t)
		b.duffel.Fail(duffeltest.Search, duffeltest.NoTime)
		ask := b.ask("MNL", "AMS", 30)
		ask.Legs[0].From = ends("MNL", "CEB")
		n := 0
		err := b.Search(t.Context(), ask, func(o []flight.Offer) { n += len(o) })
		if refused(t, gangway.Unavailable)(nil, err); n == 0 {
			t.Error("nothing was found")
		}
	})
	t.Run("several legs are one search", func(t *testing.T) {
		b := newBuyer(t)
		ask := b.ask("AMS", "ATH", 30)
		back := b.ask("ATH", "AMS", 40)
		ask.Legs = append(ask.Legs, back.Legs[0])
		offers := b.find(t, ask)
		if len(offers) == 0 || len(offers[0].Itinerary.Legs()) != 2 || b.duffel.Calls(duffeltest.Search) != 1 {
			t.Errorf("%d offers after %d searches", len(offers), b.duffel.Calls(duffeltest.Search))
		}
	})
}

// Offers leave and arrive when that was asked for.
func TestOfferTimes(t *testing.T) {
	b := newBuyer(t)
	each := func(ask flight.Ask, holds func(gangway.Itinerary) bool) {
		t.Helper()
		offers := b.find(t, ask)
		if (len(offers) == 0) != (holds == nil) {
			t.Errorf("%d offers for %+v", len(offers), ask)
		}
		for _, o := range offers {
			if holds != nil && !holds(o.Itinerary) {
				t.Errorf("an offer leaves %s and lands %s", o.Itinerary.Departure(), o.Itinerary.Arrival())
			}
		}
	}
	ask := b.ask("AMS", "ATH", 30)
	ask.Legs[0].ArriveOn, ask.Legs[0].ArriveBy, ask.Legs[0].Date = ask.Legs[0].Date, "17:00", ""
	ask.Legs[0].To[0].Ground = 90 * time.Minute
	athens, _ := world.AirportOf("ATH")
	latest := time.Date(2026, 12, 2, 15, 30, 0, 0, athens.Location())
	each(ask, func(i gangway.Itinerary) bool {
		return !i.Arrival().After(latest) && !i.Arrival().Before(latest.AddDate(0, 0, -2))
	})
	ask = b.ask("AMS", "ATH", 30)
	ask.Legs[0].From[0].Ground, ask.Legs[0].LeaveAfter = 2*time.Hour, "12:00"
	each(ask, func(i gangway.Itinerary) bool { return i.Departure().Format("15:04") >= "14:00" })
	ask = b.ask("MNL", "AMS", 30)
	ask.MaxStops = 0
	each(ask, nil)
	ask.MaxStops, ask.MaxLayover = -1, time.Hour
	each(ask, nil)
}

// Duffel is asked no more often than necessary.
func TestSearchEconomy(t *testing.T) {
	b := newBuyer(t, func(c *duffel.Config) { c.Daily = 3 })
	ask := b.ask("MNL", "AMS", 30)
	for range 3 {
		b.find(t, ask)
	}
	public := ask
	public.MaxStops = 1 // is filtered here
	b.find(t, public)
	b.wantCalls(t, duffeltest.Search, 1)
	b.forward(6 * time.Minute)
	b.find(t, ask)
	b.wantCalls(t, duffeltest.Search, 2)
	ask.FareType = gangway.Public
	b.find(t, ask)
	b.open(t) // another process continues the count
	refused(t, gangway.Unavailable)(b.search(t, b.ask("AMS", "ATH", 30)))
	b.forward(15 * time.Hour)
	b.find(t, b.ask("AMS", "ATH", 30))
}

// asking searches for flights, tells when it begins to wait for an answer, and returns what it got in the end.
func (b *buyer) asking(ctx context.Context, waiting chan<- struct{}) <-chan answer {
	got, ask := make(chan answer, 1), b.ask("MNL", "AMS", 30)
	go func() {
		var a answer
		a.err = b.Search(waiter{ctx, waiting}, ask, func(o []flight.Offer) { a.offers += len(o) })
		got <- a
	}()
	return got
}

type answer struct {
	offers int
	err    error
}

// A waiter reports that a search begins to wait for an answer.
type waiter struct {
	context.Context
	waiting chan<- struct{}
}

func (w waiter) Done() <-chan struct{} {
	w.waiting <- struct{}{}
	return w.Context.Done()
}

// The same question asked by a whole crew at once is one search.
func TestSameQuestionAtOnce(t *testing.T) {
	for _, fails := range []bool{false, true} {
		t.Run(fmt.Sprintf("six at once are one search, which fails: %t", fails), func(t *testing.T) {
			b := newBuyer(t)
			release, waiting := make(chan struct{}), make(chan struct{}, 6)
			b.duffel.Before(duffeltest.Search, func() { <-release })
			if fails {
				b.duffel.Fail(duffeltest.Search, duffeltest.NoTime)
			}
			var asked []<-chan answer
			for range cap(waiting) {
				asked = append(asked, b.asking(t.Context(), waiting))
			}
			for range asked {
				<-waiting
			}
			close(release)
			for _, one := range asked {
				if a := <-one; (a.offers == 0) != fails || (gangway.KindOf(a.err) == gangway.Unavailable) != fails {
					t.Errorf("one of the six got %d offers, %v", a.offers, a.err)
				}
			}
			b.wantCalls(t, duffeltest.Search, 1)
			if offers := b.find(t, b.ask("MNL", "AMS", 30)); len(offers) == 0 {
				t.Error("nothing is found afterwards")
			}
		})
	}
	t.Run("a caller that stops waiting leaves the search to the others", func(t *testing.T) {
		b := newBuyer(t)
		release, begun, waiting := make(chan struct{}), make(chan struct{}), make(chan struct{}, 2)
		b.duffel.Before(duffeltest.Search, func() { close(begun); <-release })
		impatient, goAway := context.WithCancel(t.Context())
		gone := b.asking(impatient, waiting)
		<-begun
		other := b.asking(t.Context(), waiting)
		<-waiting
		<-waiting
		goAway()
		if a := <-gone; !errors.Is(a.err, context.Canceled) {
			t.Errorf("Search = %v; want it to end at once", a.err)
		}
		close(release)
		if a := <-other; a.offers == 0 || a.err != nil {
			t.Errorf("the other caller got %d offers, %v; want some", a.offers, a.err)
		}
		b.wantCalls(t, duffeltest.Search, 1)
	})
}

// Concurrent searches together do not exceed the daily limit.
func TestConcurrentSearchesKeepTheLimit(t *testing.T) {
	b := newBuyer(t, func(c *duffel.Config) { c.Daily, c.Searches = 5, 20 })
	ask := b.ask("MNL", "AMS", 30)
	ask.Legs[0].From = nil
	for _, a := range []gangway.Airport{"MNL", "CEB", "CRK", "DVO", "ILO", "BCD", "KLO", "TAG"} {
		ask.Legs[0].From = append(ask.Legs[0].From, flight.End{Airport: a})
	}
	refused(t, gangway.Unavailable)(b.search(t, ask))
	b.wantCalls(t, duffeltest.Search, 5)
}

// A caller that stops waiting returns at once.
func TestGivenUpSearch(t *testing.T) {
	b := newBuyer(t)
	b.duffel.Fail(duffeltest.Search, duffeltest.Slow)
	ctx, cancel := context.WithCancel(t.Context())
	ask := b.ask("MNL", "AMS", 30)
	ask.Legs[0].From = append(ask.Legs[0].From, flight.End{Airport: "CEB"})
	err := b.Search(ctx, ask, func([]flight.Offer) { cancel() }) // the other search answers first
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("Search = %v; want it to end", err)
	}
}

// After a rate limit Duffel is not called for as long as it asks.
func TestRateLimit(t *testing.T) {
	b := newBuyer(t)
	b.duffel.Limit(2)
	b.find(t, b.ask("MNL", "AMS", 30))
	b.find(t, b.ask("MNL", "AMS", 31))
	for range 3 {
		refused(t, gangway.Unavailable)(b.search(t, b.ask("MNL", "AMS", 32)))
		b.wantCalls(t, duffeltest.Search, 3)
	}
	b.forward(time.Minute)
	b.find(t, b.ask("MNL", "AMS", 32))
}
