package search

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// The join finds the same earliest arrivals as a plain search that follows every flight, for
// journeys of up to one stop, with and without airlines under sanctions.
func TestJoinFindsTheEarliest(t *testing.T) {
	n := open(t)
	rapid.Check(t, func(rt *rapid.T) {
		from := placeOf(n, rapid.SampledFrom(simtest.Busy).Draw(rt, "from"))
		to := placeOf(n, rapid.SampledFrom(simtest.Busy).Draw(rt, "to"))
		if from == to {
			return
		}
		day, _ := timetable.DayOf(gangway.DateOf(simtest.Today).AddDays(rapid.IntRange(3, 300).Draw(rt, "days")))
		j := n.newJoin(t.Context(), &want{
			from: []end{{place: from, first: n.Midnight(from, day), last: n.Midnight(from, day+1) - 1}},
			to:   []end{{place: to, first: math.MinInt, last: math.MaxInt}}, wish: -1,
		})
		sanctioned := rapid.Bool().Draw(rt, "sanctioned")
		found, err := j.find(rules{wait: 10 * 60, stops: 1, detour: usual, admitted: sanctioned}, nil)
		if err != nil {
			rt.Fatal(err)
		}
		got := 0
		for i := range found {
			if arr := found[i].Arr(); got == 0 || arr < got {
				got = arr
			}
		}
		if want := earliest(n, from, to, day, sanctioned); got != want {
			rt.Fatalf("%s-%s on %s: earliest arrival %s; want %s",
				n.Places[from].IATA, n.Places[to].IATA,
				gangway.DateOf(timetable.TimeOf(day*timetable.MinutesADay, time.UTC)),
				timetable.TimeOf(got, time.UTC), timetable.TimeOf(want, time.UTC))
		}
	})
}

// earliest follows every flight that leaves, and every one from where that lands; airlines under
// sanctions only if they are admitted.
func earliest(n *network, from, to, day int, sanctioned bool) int {
	best := 0
	land := func(arr int) {
		if best == 0 || arr < best {
			best = arr
		}
	}
	depart := func(l *timetable.Line, day int) int {
		y, m, d := time.Unix(int64(day)*86400, 0).UTC().Date()
		return timetable.MinuteOf(time.Date(y, m, d, 0, int(l.Dep), 0, 0, n.Places[l.From].Loc))
	}
	for _, e := range n.From(from) {
		for i := e.First; i < e.After; i++ {
			l := &n.Lines[i]
			if !l.On(day) || n.Sanctioned(l.Carrier) && !sanctioned {
				continue
			}
			arr := depart(l, day) + int(l.Block)
			if int(l.To) == to {
				land(arr)
				continue
			}
			next, ok := n.Between(int(l.To), to)
			if !ok || int(l.Km)+int(next.Km) > usual.limit(n.Km(from, to)) {
				continue
			}
			for k := next.First; k < next.After; k++ {
				l2 := &n.Lines[k]
				if n.Sanctioned(l2.Carrier) && !sanctioned {
					continue
				}
				for d := day - 1; d <= day+2; d++ {
					dep := depart(l2, d)
					wait := dep - arr
					if l2.On(d) && n.Together(l.Carrier, l2.Carrier) &&
						wait >= n.MinConnection(from, int(l.To), to) && wait <= 10*60 {
						land(dep + int(l2.Block))
					}
				}
			}
		}
	}
	return best
}
