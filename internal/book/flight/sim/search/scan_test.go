package search

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/need"
)

// anyAirport returns a random airport: in proportion to its passengers, or each with the same
// probability.
func anyAirport(n *network, r *rand.Rand, weighted bool) int {
	if !weighted {
		return r.IntN(len(n.Places))
	}
	sum := 0
	for _, p := range n.Places {
		sum += p.Passengers
	}
	left := r.IntN(sum)
	i := slices.IndexFunc(n.Places, func(p timetable.Place) bool { left -= p.Passengers; return left < 0 })
	return i
}

// Join and scan agree on the earliest arrival and on the latest departure. They share the connecting
// times, and nothing of how they find trips. The join is not limited to short ways here, and both
// allow any wait.
func TestJoinAndScanAgree(t *testing.T) { joinAndScanAgree(t, 100) }

// TestTrialJoinAndScanAgree compares them for more pairs.
func TestTrialJoinAndScanAgree(t *testing.T) {
	need.Trial(t)
	joinAndScanAgree(t, 500)
}

func joinAndScanAgree(t *testing.T, pairs int) {
	n := open(t)
	r := rand.New(rand.NewPCG(7, 11))
	patient := rules{wait: longestTrip, stops: 2, detour: detour{percent: 1 << 20, plus: 1 << 20}}
	for i, agreed := 0, 0; agreed < pairs; i++ {
		from, to := anyAirport(n, r, i%4 != 0), anyAirport(n, r, i%4 != 0)
		date := simtest.ClockChanges[r.IntN(6)] // few dates, so that their sheets are cached
		leg := flight.Leg{From: ends(n, from), To: ends(n, to), Date: date}
		if i%2 == 1 {
			leg.Date, leg.ArriveOn, leg.ArriveBy = "", date, "18:00"
		}
		w, err := n.wanted(leg, timetable.MinuteOf(simtest.Today))
		if err != nil || w == nil {
			continue // no flights, or the same airport twice
		}
		best := func(trips []timetable.Trip) int {
			best := math.MaxInt
			for _, p := range trips {
				if w.arriving {
					best = min(best, -p.Dep())
				} else {
					best = min(best, p.Arr())
				}
			}
			return best
		}
		joined := best(unbounded(t, n, w, patient))
		scanned := calltest.Must(n.scanFor(t.Context(), w, patient, false))(t)
		until := w.scanned(patient) // a scan does not look beyond it
		if !w.arriving && joined > until || w.arriving && -joined < until {
			continue
		}
		if got := best(scanned); got != joined {
			t.Errorf("%s-%s %v: the scan has %d, the join %d", n.Places[from].IATA, n.Places[to].IATA, leg, got, joined)
		}
		agreed++
	}
}

func ends(n *network, place int) []flight.End {
	return []flight.End{{Airport: gangway.Airport(n.Places[place].IATA)}}
}

// unbounded joins the flights of all ways of up to two stops, however long they are.
func unbounded(t *testing.T, n *network, w *want, r rules) []timetable.Trip {
	j := n.newJoin(context.Background(), w)
	j.widest, j.enough = math.MaxInt, math.MaxInt
	found := calltest.Must(j.find(r, func([]timetable.Trip) error { return nil }))(t)
	return found
}
