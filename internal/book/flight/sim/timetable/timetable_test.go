package timetable

import (
	"fmt"
	"hash/fnv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gangway/internal/gangway"
	"gangway/internal/world"
)

func table(t testing.TB) *Timetable {
	t.Helper()
	all, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTimetable(t *testing.T) {
	n := table(t)
	t.Run("it is the same on every machine", func(t *testing.T) {
		// If this fails without a change to the routes or the plan, the timetable depends on something
		// that it must not depend on. After such a change, enter the new sum: all flight numbers and
		// times may have changed.
		const want = "1149afe6"
		h := fnv.New32a()
		for _, l := range n.Lines {
			fmt.Fprintln(h, l)
		}
		if got := fmt.Sprintf("%08x", h.Sum32()); got != want {
			t.Errorf("sum %s; want %s", got, want)
		}
	})
	t.Run("there are as many departures as in the world, on a Wednesday and any other day", func(t *testing.T) {
		for day := range 7 {
			departures := 0
			for i := range n.Lines {
				if n.Lines[i].On(day) {
					departures++
				}
			}
			if departures < 95_000 || departures > 105_000 {
				t.Errorf("%d departures on a %s; want 95,000 to 105,000",
					departures, dateOf(day).In(time.UTC).Weekday())
			}
			t.Logf("%d departures on a %s", departures, dateOf(day).In(time.UTC).Weekday())
		}
	})
	t.Run("nobody flies to or from a country whose sky is closed", func(t *testing.T) {
		airports := 0
		for i, p := range n.Places {
			if p.Country != "UA" {
				continue
			}
			airports++
			if len(n.From(i)) > 0 || len(n.in[i]) > 0 {
				t.Errorf("%s has flights from %d airports, and to %d", p.IATA, len(n.in[i]), len(n.From(i)))
			}
		}
		if airports < 10 {
			t.Errorf("%d airports in Ukraine; want all of them", airports)
		}
	})
	t.Run("a flight number is one line", func(t *testing.T) {
		for i := range n.Lines {
			l := &n.Lines[i]
			if got, ok := n.LineOf(n.FlightNumber(uint32(i))); !ok || got != uint32(i) || l.Number > 9999 {
				t.Fatalf("line %d is %s, which is line %d, %v", i, n.FlightNumber(uint32(i)), got, ok)
			}
		}
		for _, nothing := range []string{"KL0", "KL-1", "KL65000", "XX1", "KL", ""} {
			if i, ok := n.LineOf(nothing); ok {
				t.Errorf("LineOf(%s) = %d", nothing, i)
			}
		}
	})
	t.Run("flights take as long as real ones", func(t *testing.T) {
		// Scheduled minutes, typed from timetables of about 2024.
		blocks := map[string]int{
			"SIN-LHR": 855, "LHR-SIN": 785, "AMS-ATH": 200, "MNL-DXB": 550, "LHR-JFK": 485, "JFK-LHR": 415,
			"IAH-AMS": 575,
			"FRA-SIN": 735, "CDG-JFK": 500, "AMS-DXB": 395, "SIN-SYD": 475, "MNL-HKG": 145,
		}
		for pair, want := range blocks {
			e, ok := n.Between(n.byCode[pair[:3]], n.byCode[pair[4:]])
			if !ok {
				t.Errorf("%s is not flown", pair)
				continue
			}
			if got := int(n.Lines[e.First].Block); got < want-35 || got > want+35 {
				t.Errorf("%s takes %d minutes; want %d, give or take 35", pair, got, want)
			}
		}
	})
	t.Run("nobody has to leave a small airport at night", func(t *testing.T) {
		for i := range n.Lines {
			if l := &n.Lines[i]; l.Block < 300 && l.Dep < 330 && n.Carriers[l.Carrier].Type != world.Network {
				t.Errorf("%s leaves %s at %02d:%02d",
					n.FlightNumber(uint32(i)), n.Places[l.From].IATA, l.Dep/60, l.Dep%60)
			}
		}
	})
}

func TestDays(t *testing.T) {
	tests := []struct {
		weekly int
		want   []int // days flown by each slot
	}{{1, []int{1}}, {2, []int{2}}, {7, []int{7}}, {10, []int{7, 3}}, {84, []int{7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7}}}
	for _, tt := range tests {
		p := plan{route: route{weekly: tt.weekly}, seed: 42}
		if p.slots() != len(tt.want) {
			t.Errorf("%d flights a week have %d slots; want %d", tt.weekly, p.slots(), len(tt.want))
			continue
		}
		for slot, want := range tt.want {
			if got := strings.Count(fmt.Sprintf("%b", p.days(slot)), "1"); got != want {
				t.Errorf("%d flights a week: slot %d flies on %d days; want %d", tt.weekly, slot, got, want)
			}
		}
	}
}

// A flight keeps its local departure time and its duration when clocks change at either end.
func TestLocalTimes(t *testing.T) {
	n := table(t)
	changes := []struct {
		from, to string
		date     gangway.Date // clocks change at one end, or both
	}{
		{"AMS", "LHR", "2027-03-28"}, {"AMS", "LHR", "2027-10-31"}, {"AMS", "JFK", "2027-03-14"},
		{"JFK", "LHR", "2027-11-07"},
		{"SIN", "SYD", "2027-10-03"}, {"SYD", "SIN", "2027-04-04"}, {"DEL", "LHR", "2027-03-28"},
		{"ADL", "PER", "2027-04-04"}, {"KTM", "DOH", "2027-10-31"},
	}
	for _, c := range changes {
		e, ok := n.Between(n.byCode[c.from], n.byCode[c.to])
		if !ok {
			t.Errorf("%s-%s is not flown", c.from, c.to)
			continue
		}
		middle, _ := DayOf(c.date)
		for day := middle - 1; day <= middle+1; day++ {
			for i := e.First; i < e.After; i++ {
				l := &n.Lines[i]
				if !l.On(day) {
					continue
				}
				dep := n.UTC(int(l.From), day, int(l.Dep))
				s := n.Segment(0, Hop{Line: i, Day: day, Dep: dep, Arr: dep + int(l.Block)}, gangway.Economy)
				if gangway.DateOf(s.Departure) != dateOf(day) ||
					s.Departure.Hour()*60+s.Departure.Minute() != int(l.Dep) {
					t.Errorf("%s leaves %s on %s; want %02d:%02d local",
						s.FlightNumber, c.from, s.Departure, l.Dep/60, l.Dep%60)
				}
				if s.Duration() != time.Duration(l.Block)*time.Minute {
					t.Errorf("%s takes %s; want %d minutes", s.FlightNumber, s.Duration(), l.Block)
				}
			}
		}
	}
}

// The timetable's clock agrees with the standard library's.
func TestClock(t *testing.T) {
	n := table(t)
	rapid.Check(t, func(t *rapid.T) {
		place := rapid.IntRange(0, len(n.Places)-1).Draw(t, "place")
		day := rapid.IntRange(20_700, 21_900).Draw(t, "day")
		utc := day*MinutesADay + rapid.IntRange(-1440, 3*1440).Draw(t, "minute")
		want := TimeOf(utc, n.Places[place].Loc)
		gotDay, gotMinute := n.Local(place, utc)
		if dateOf(gotDay) != gangway.DateOf(want) || gotMinute != want.Hour()*60+want.Minute() {
			t.Fatalf("local(%s, %s) = %s %d; want %s",
				n.Places[place].IATA, TimeOf(utc, time.UTC), dateOf(gotDay), gotMinute, want)
		}
		first := n.Midnight(place, day)
		onDay, _ := n.Local(place, first)
		if before, _ := n.Local(place, first-1); onDay != day || before != day-1 {
			t.Fatalf("%s at %s begins at %s", dateOf(day), n.Places[place].IATA, TimeOf(first, n.Places[place].Loc))
		}
		minute := rapid.IntRange(0, 1439).Draw(t, "local minute")
		y, m, d := time.Unix(int64(day)*86400, 0).UTC().Date()
		if got, want := n.UTC(place, day, minute),
			MinuteOf(time.Date(y, m, d, 0, minute, 0, 0, n.Places[place].Loc)); got != want {
			t.Fatalf("utc(%s, %s, %d) = %d; want %d", n.Places[place].IATA, dateOf(day), minute, got, want)
		}
	})
}

// dateOf returns the date of a day.
func dateOf(day int) gangway.Date {
	return gangway.DateOf(time.Unix(int64(day)*86400, 0).UTC())
}
