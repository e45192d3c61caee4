package duffel_test

import (
	"context"
	"errors"
	"maps"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/duffel"
	"gangway/internal/book/flight/duffel/duffeltest"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// The special routes of Duffel's test mode lead to what they are for.
func TestSpecialRoutes(t *testing.T) {
	b := newBuyer(t)
	all := func(offers []flight.Offer, holds func(flight.Offer) bool) bool {
		for _, o := range offers {
			if !holds(o) {
				return false
			}
		}
		return len(offers) > 0
	}
	t.Run("no flights are not an error", func(t *testing.T) {
		if offers := b.find(t, b.ask("PVD", "RAI", 30)); len(offers) != 0 {
			t.Errorf("%d offers; want none", len(offers))
		}
	})
	t.Run("an offer that can be held says until when", func(t *testing.T) {
		if !all(b.find(t, b.ask("JFK", "EWR", 30)), func(o flight.Offer) bool {
			return o.TicketBy.After(b.time()) && o.PriceUntil.After(b.time()) && o.PriceUntil.Before(o.TicketBy)
		}) {
			t.Error("an offer of JFK–EWR cannot be held")
		}
	})
	t.Run("connecting flights are one leg", func(t *testing.T) {
		if !all(b.find(t, b.ask("LHR", "DXB", 30)), func(o flight.Offer) bool {
			return len(o.Itinerary.Segments) > 1 && len(o.Itinerary.Legs()) == 1 && o.Itinerary.Connecting(0)
		}) {
			t.Error("an offer of LHR–DXB does not connect")
		}
	})
	t.Run("a stop without a change of flights is one flight", func(t *testing.T) {
		if !all(b.find(t, b.ask("DXB", "AMS", 30)), func(o flight.Offer) bool {
			return len(o.Itinerary.Segments) == 1
		}) {
			t.Error("a flight of DXB–AMS with a stop became several")
		}
	})
	t.Run("unknown baggage is left out", func(t *testing.T) {
		if !all(b.find(t, b.ask("BTS", "MRU", 30)), func(o flight.Offer) bool { return len(o.Baggage) == 0 }) {
			t.Error("an offer of BTS–MRU states the included baggage")
		}
		if !all(b.find(t, b.ask("LHR", "AMS", 30)), func(o flight.Offer) bool {
			return len(o.Baggage) == 1 && o.Baggage[0].WeightKg == 0
		}) {
			t.Error("an offer of LHR–AMS does not state the included baggage, or states its weight")
		}
	})
	t.Run("airlines that do not answer are unavailable", func(t *testing.T) {
		err := b.Search(t.Context(), b.ask("STN", "LHR", 30), func([]flight.Offer) {})
		wantKind(t, "Search", err, gangway.Unavailable)
	})
	t.Run("an airport that Duffel does not know is invalid", func(t *testing.T) {
		err := b.Search(t.Context(), b.ask("QQQ", "LHR", 30), func([]flight.Offer) {})
		wantKind(t, "Search", err, gangway.Invalid)
	})
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
		if n := b.duffel.Calls(duffeltest.Search); n != 2 {
			t.Errorf("%d searches; want 2", n)
		}
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
		if n := b.duffel.Calls(duffeltest.Search); n != 1 {
			t.Errorf("%d searches; want 1", n)
		}
	})
	t.Run("a failed search does not hide the offers of the others", func(t *testing.T) {
		b := newBuyer(t)
		b.duffel.Fail(duffeltest.Search, duffeltest.NoTime)
		ask := b.ask("MNL", "AMS", 30)
		ask.Legs[0].From = ends("MNL", "CEB")
		n := 0
		err := b.Search(t.Context(), ask, func(o []flight.Offer) { n += len(o) })
		if wantKind(t, "Search", err, gangway.Unavailable); n == 0 {
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
	ask := b.ask("AMS", "ATH", 30)
	day := ask.Legs[0].Date
	ask.Legs[0] = flight.Leg{From: []flight.End{{Airport: "AMS"}},
		To: []flight.End{{Airport: "ATH", Ground: 90 * time.Minute}}, ArriveOn: day, ArriveBy: "17:00"}
	offers := b.find(t, ask)
	if len(offers) == 0 {
		t.Fatal("nothing arrives in time")
	}
	athens, _ := world.AirportOf("ATH")
	latest := time.Date(2026, 12, 2, 15, 30, 0, 0, athens.Location())
	for _, o := range offers {
		if a := o.Itinerary.Arrival(); a.After(latest) || a.Before(latest.AddDate(0, 0, -2)) {
			t.Errorf("an offer lands %s; want it an hour and a half before 17:00", a)
		}
	}

	ask = b.ask("AMS", "ATH", 30)
	ask.Legs[0].From[0].Ground, ask.Legs[0].LeaveAfter = 2*time.Hour, "12:00"
	if offers := b.find(t, ask); len(offers) == 0 {
		t.Error("nothing leaves in the afternoon")
	} else {
		for _, o := range offers {
			if d := o.Itinerary.Departure(); d.Format("15:04") < "14:00" {
				t.Errorf("an offer leaves %s; want at least two hours after setting out at 12:00", d)
			}
		}
	}

	ask = b.ask("MNL", "AMS", 30)
	ask.MaxStops = 0
	if offers := b.find(t, ask); len(offers) != 0 {
		t.Errorf("%d offers from MNL to AMS without a stop", len(offers))
	}
	ask.MaxStops, ask.MaxLayover = -1, time.Hour
	if offers := b.find(t, ask); len(offers) != 0 {
		t.Errorf("%d offers have layovers of less than an hour", len(offers))
	}
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
	if n := b.duffel.Calls(duffeltest.Search); n != 1 {
		t.Fatalf("%d searches for the same question; want 1", n)
	}
	b.forward(6 * time.Minute)
	b.find(t, ask)
	if n := b.duffel.Calls(duffeltest.Search); n != 2 {
		t.Fatalf("%d searches after a while; want 2", n)
	}
	ask.FareType = gangway.Public
	b.find(t, ask)
	b.open(t) // another process continues the count
	err := b.Search(t.Context(), b.ask("AMS", "ATH", 30), func([]flight.Offer) {})
	wantKind(t, "Search beyond the daily limit", err, gangway.Unavailable)
	b.forward(15 * time.Hour)
	b.find(t, b.ask("AMS", "ATH", 30))
}

// The same question asked by a whole crew at once is one search.
func TestSameQuestionAtOnce(t *testing.T) {
	const crew = 6
	t.Run("six at once are one search, and all get its offers", func(t *testing.T) {
		b := newBuyer(t)
		release := make(chan struct{})
		b.duffel.Before(duffeltest.Search, func() { <-release })
		found, waiting := make(chan int, crew), make(chan struct{}, crew)
		for range crew {
			go func() {
				n := 0
				err := b.Search(waiter{t.Context(), waiting}, b.ask("MNL", "AMS", 30), func(o []flight.Offer) {
					n += len(o)
				})
				if err != nil {
					t.Errorf("Search: %v", err)
				}
				found <- n
			}()
		}
		wait(waiting, crew)
		close(release)
		for range crew {
			if n := <-found; n == 0 {
				t.Error("one of the six got no offers")
			}
		}
		if n := b.duffel.Calls(duffeltest.Search); n != 1 {
			t.Errorf("%d searches at Duffel for one question; want 1", n)
		}
	})
	t.Run("all get the error, and the next caller searches again", func(t *testing.T) {
		b := newBuyer(t)
		release := make(chan struct{})
		b.duffel.Before(duffeltest.Search, func() { <-release })
		b.duffel.Fail(duffeltest.Search, duffeltest.NoTime)
		errs, waiting := make(chan error, crew), make(chan struct{}, crew)
		for range crew {
			go func() {
				errs <- b.Search(waiter{t.Context(), waiting}, b.ask("MNL", "AMS", 30), func([]flight.Offer) {})
			}()
		}
		wait(waiting, crew)
		close(release)
		for range crew {
			wantKind(t, "Search", <-errs, gangway.Unavailable)
		}
		if n := b.duffel.Calls(duffeltest.Search); n != 1 {
			t.Errorf("%d searches at Duffel; want 1", n)
		}
		if offers := b.find(t, b.ask("MNL", "AMS", 30)); len(offers) == 0 {
			t.Error("nothing is found afterwards")
		}
	})
	t.Run("a caller that stops waiting leaves the search to the others", func(t *testing.T) {
		b := newBuyer(t)
		release, begun := make(chan struct{}), make(chan struct{})
		b.duffel.Before(duffeltest.Search, func() { close(begun); <-release })
		impatient, goAway := context.WithCancel(t.Context())
		gone, found, waiting := make(chan error, 1), make(chan int, 1), make(chan struct{}, 1)
		go func() { gone <- b.Search(impatient, b.ask("MNL", "AMS", 30), func([]flight.Offer) {}) }()
		<-begun
		go func() {
			n := 0
			if err := b.Search(waiter{t.Context(), waiting}, b.ask("MNL", "AMS", 30), func(o []flight.Offer) {
				n += len(o)
			}); err != nil {
				t.Errorf("Search: %v", err)
			}
			found <- n
		}()
		wait(waiting, 1)
		goAway()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("Search = %v; want it to end at once", err)
		}
		close(release)
		if n := <-found; n == 0 || b.duffel.Calls(duffeltest.Search) != 1 {
			t.Errorf("the other caller got %d offers after %d searches; want some after 1", n,
				b.duffel.Calls(duffeltest.Search))
		}
	})
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

func wait(waiting <-chan struct{}, times int) {
	for range times {
		<-waiting
	}
}

// Concurrent searches together do not exceed the daily limit.
func TestConcurrentSearchesKeepTheLimit(t *testing.T) {
	b := newBuyer(t, func(c *duffel.Config) { c.Daily, c.Searches = 5, 20 })
	ask := b.ask("MNL", "AMS", 30)
	ask.Legs[0].From = nil
	for _, a := range []gangway.Airport{"MNL", "CEB", "CRK", "DVO", "ILO", "BCD", "KLO", "TAG"} {
		ask.Legs[0].From = append(ask.Legs[0].From, flight.End{Airport: a})
	}
	err := b.Search(t.Context(), ask, func([]flight.Offer) {})
	if wantKind(t, "Search", err, gangway.Unavailable); b.duffel.Calls(duffeltest.Search) != 5 {
		t.Errorf("%d searches; want 5", b.duffel.Calls(duffeltest.Search))
	}
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
	for i := range 3 {
		err := b.Search(t.Context(), b.ask("MNL", "AMS", 32), func([]flight.Offer) {})
		if wantKind(t, "Search", err, gangway.Unavailable); b.duffel.Calls(duffeltest.Search) != 3 {
			t.Fatalf("try %d: %d calls; want the third refused and none after it", i, b.duffel.Calls(duffeltest.Search))
		}
	}
	b.forward(time.Minute)
	b.find(t, b.ask("MNL", "AMS", 32))
}
