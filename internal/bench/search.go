package main

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"gangway/internal/program"
)

// search hands a crew change of n people off, beginning with the number from, and returns the path of its page. The
// travel date is the same in a whole run.
func (s *served) search(ctx context.Context, from, n int) (path string, err error) {
	form := program.Handoff(from, n, "AMS", time.Now().AddDate(0, 2, 0), "")
	form.Set("environment", "production")
	path, err = s.post(ctx, program.HandoffPath, form)
	if err == nil && !strings.HasPrefix(path, "/searches/") {
		err = errors.New("the hand-off has led to " + path)
	}
	return path, err
}

// searchContest searches flights for crews of eight from other homes in each round, from the hand-off until the page
// shows all. The floor searches a timetable in memory.
func searchContest(ctx context.Context, p *place) (contest, error) {
	s := p.served
	const crew = 8
	flights := newTimetable()
	return contest{21, each(1, func(_ context.Context, round int) error {
		for i := range crew {
			if len(flights.journeys((round*crew+i)%airports, airports-1)) == 0 {
				return errors.New("the invented timetable has no journey")
			}
		}
		return nil
	}), each(1, func(ctx context.Context, round int) error {
		path, err := s.search(ctx, round*crew, crew)
		if err == nil {
			_, err = get(ctx, s.Booker, s.URL(path)+"?wait=all")
		}
		return err
	})}, nil
}

// A timetable has the flights of each airport, by departure.
type timetable [airports][]bareFlight

// A bareFlight has its times in minutes from the beginning of the first day.
type bareFlight struct{ to, departs, arrives, price int }

// airports is how many airports the invented timetable has.
const airports = 400

// newTimetable invents 150 flights a day from each airport for two days: the same ones each time.
func newTimetable() *timetable {
	chance, t := rand.New(rand.NewPCG(7, 11)), &timetable{}
	for from := range t {
		for range 300 {
			to, departs, takes := chance.IntN(airports), chance.IntN(2*24*60), 60+chance.IntN(11*60)
			t[from] = append(t[from], bareFlight{to, departs, departs + takes, takes + chance.IntN(300)})
		}
		slices.SortFunc(t[from], func(a, b bareFlight) int { return a.departs - b.departs })
	}
	return t
}

type journey struct {
	flights []bareFlight
	price   int
}

// journeys returns the journeys with up to two changes of planes, cheapest first.
func (t *timetable) journeys(from, to int) (list []journey) {
	var on func(at int, so []bareFlight, price int)
	on = func(at int, so []bareFlight, price int) {
		earliest, latest := 0, 24*60
		if len(so) > 0 {
			earliest, latest = so[len(so)-1].arrives+60, so[len(so)-1].arrives+6*60
		}
		first, _ := slices.BinarySearchFunc(t[at], earliest, func(f bareFlight, least int) int {
			return cmp.Compare(f.departs, least)
		})
		for _, f := range t[at][first:] {
			if f.departs > latest {
				return
			}
			if f.to == to {
				list = append(list, journey{append(slices.Clone(so), f), price + f.price})
			} else if len(so) < 2 {
				on(f.to, append(so[:len(so):len(so)], f), price+f.price)
			}
		}
	}
	on(from, nil, 0)
	slices.SortFunc(list, func(a, b journey) int { return a.price - b.price })
	return list
}
