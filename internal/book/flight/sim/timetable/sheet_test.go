package timetable

import (
	"testing"
	"time"

	"gangway/internal/book/flight/sim/simtest"
)

// A sheet has all departures of a UTC day, in order, even when clocks change, and few sheets are cached.
func TestSheets(t *testing.T) {
	n := table(t)
	for _, date := range simtest.ClockChanges {
		day, _ := DayOf(date)
		want := 0
		for i := range n.Lines {
			l := &n.Lines[i]
			for d := day - 2; d <= day+2; d++ {
				y, m, dd := TimeOf(d*MinutesADay, time.UTC).Date()
				if dep := MinuteOf(time.Date(y, m, dd, 0, int(l.Dep), 0, 0, n.Places[l.From].Loc)); l.On(d) &&
					dep >= day*MinutesADay && dep < (day+1)*MinutesADay {
					want++
				}
			}
		}
		list := n.Departures(day)
		if len(list) != want {
			t.Errorf("%s: %d departures; want %d", date, len(list), want)
		}
		for i := range list {
			d := &list[i]
			line, on := d.Flight(day)
			l := &n.Lines[line]
			if i > 0 && d.Minute < list[i-1].Minute || l.From != d.From || l.To != d.To || l.Block != d.Block ||
				!l.On(on) ||
				n.UTC(int(l.From), on, int(l.Dep)) != day*MinutesADay+int(d.Minute) ||
				d.Alone() != n.alone[l.Carrier] || d.Named() != n.named[l.Carrier] {
				t.Fatalf("%s: departure %d is %+v, line %+v on day %d", date, i, *d, *l, on)
			}
		}
	}
	for day := range 3 * keptSheets {
		n.Departures(20_800 + day)
	}
	if got := len(n.sheets.list); got != keptSheets {
		t.Errorf("%d sheets are kept; want %d", got, keptSheets)
	}
}
