package orders

import (
	"math"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/gangway"
)

// Airlines disrupt flights as often, by as much and with as much notice as the model says.
func TestDisruptions(t *testing.T) {
	n := open(t)
	s := New(n.Finder, nil, 7, n.now)
	count := map[string]int{}
	const flights = 40_000
	departure := simtest.Today.AddDate(0, 2, 0)
	for i := range flights {
		p := tariff.Seat{Flight: n.FlightNumber(uint32(i % len(n.Lines))), Day: 20_000 + i%97}
		d, ok := s.disruption(p, departure)
		if again, okAgain := s.disruption(p, departure); again != d || ok != okAgain {
			t.Fatalf("%s: %+v, and then %+v", p, d, again)
		}
		if !ok {
			continue
		}
		count[d.kind]++
		ahead := departure.Sub(d.known)
		between := func(what string, got, least, most time.Duration) {
			t.Helper()
			if got < least || got > most {
				t.Fatalf("%s is %s: %s is %s; want %s to %s", p, d.kind, what, got, least, most)
			}
		}
		const day = 24 * time.Hour
		switch d.kind {
		case cancelled:
			between("notice", ahead, 6*time.Hour, 15*day)
			between("move", d.moves, 0, 0)
		case retimed:
			between("notice", ahead, 3*day, 40*day)
			between("move", d.moves.Abs(), 20*time.Minute, 180*time.Minute)
		case delayed:
			between("notice", ahead, time.Hour, 6*time.Hour)
			between("move", d.moves, 30*time.Minute, 240*time.Minute)
		}
	}
	for kind, percent := range map[string]float64{cancelled: 1.5, retimed: 3, delayed: 8} {
		if got := 100 * float64(count[kind]) / flights; math.Abs(got-percent) > percent/8 {
			t.Errorf("%.2f %% are %s; want %.1f", got, kind, percent)
		}
	}
	if _, ok := New(n.Finder, nil, 0, n.now).disruption(tariff.Seat{Flight: "LH400", Day: 20_000}, departure); ok {
		t.Error("a flight is disrupted without a seed")
	}
}

// No flight is offered for which a disruption is known, or will be while the offer lives.
func TestSearchKnowsDisruptions(t *testing.T) {
	n := open(t)
	s := New(n.Finder, nil, 7, n.now)
	left, all := 0, 0
	for day := range 30 {
		ask := simtest.Fly("MNL", "AMS", gangway.DateOf(simtest.Today).AddDays(day+1))
		all += len(find(t, n, ask))
		err := s.Search(t.Context(), ask, func(offers []flight.Offer) {
			left += len(offers)
			for _, o := range offers {
				q, err := n.QuoteOf(o.ID)
				if err != nil || s.disrupted(record{}, q.Journey, o.Expires) {
					t.Errorf("%s is offered, %v, and will be disrupted before %s", o.ID, err, o.Expires)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if left >= all || left < all*8/10 {
		t.Errorf("%d of %d offers are left; want somewhat fewer", left, all)
	}
}
