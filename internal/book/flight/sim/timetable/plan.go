package timetable

import (
	"slices"

	"gangway/internal/book/flight/sim/chance"
)

// A plan places the flights of a route in the day and the week.
type plan struct {
	route
	seed   uint64
	shift  int  // minutes by which the other end's clock is ahead of the hub's
	banked bool // flights arrive and leave in banks at the hub
}

// Banks are the local minutes of the day around which the flights of a hub connect: those that bring passengers
// land before, those that take them on leave after.
var (
	banks       = []int{450, 630, 810, 990, 1170, 1335} // 07:30, 10:30, 13:30, 16:30, 19:30, 22:15
	nightBanks  = []int{150, 510, 870, 1230}            // 02:30, 08:30, 14:30, 20:30
	nightOwls   = []string{"DXB", "DOH", "AUH", "IST", "ADD", "SIN", "HKG", "CAI", "BAH", "MCT", "KWI", "JED"}
	firstFlight = 330 // 05:30
)

// slots returns how many flight numbers the route has each way.
func (p plan) slots() int { return (p.weekly + 6) / 7 }

// days returns the days of the week on which a slot is flown: all days, except for the last slot, whose days are
// spread over the week.
func (p plan) days(slot int) uint8 {
	count := min(p.weekly-7*slot, 7)
	first := int(chance.Mix(p.seed, 1) % 7)
	var days uint8
	for i := range count {
		days |= 1 << ((first + i*7/count) % 7)
	}
	return days
}

// times returns when a slot leaves the hub, and when it leaves the other end, in local minutes of the day.
func (p plan) times(slot int) (out, back int) {
	h := chance.Mix(p.seed, 2, uint64(slot))
	if !p.banked {
		// Spread evenly over the day, and straight back.
		n := p.slots()
		out = 360 + (2*slot+1)*960/(2*n) + int(h%9)*5 - 20
		back = movedToMorning(out+p.out+p.shift+35+int(h>>8%7)*5, 360, 1350, h)
		return onFiveMinutes(out), onFiveMinutes(back)
	}
	at := banks
	if slices.Contains(nightOwls, p.hub) {
		at = nightBanks
	}
	bank := func(which uint64) int {
		first := int(chance.Mix(p.seed, which) % uint64(len(at)))
		if n := p.slots(); n < len(at) {
			return at[(first+slot*len(at)/n)%len(at)]
		}
		return at[(first+slot)%len(at)]
	}
	out = bank(3) + int(h%11)*5
	back = bank(4) - 40 - int(h>>8%11)*5 - p.back + p.shift
	if p.back < 300 {
		back = movedToMorning(back, firstFlight, 1410, h)
	}
	return onFiveMinutes(out), onFiveMinutes(back)
}

// movedToMorning moves a time at night to the next morning.
func movedToMorning(minute, first, last int, h uint64) int {
	minute = onFiveMinutes(minute)
	if minute < first || minute > last {
		return first + int(h>>16%7)*5
	}
	return minute
}

// onFiveMinutes wraps a minute into the day and rounds it to five minutes, as in timetables.
func onFiveMinutes(minute int) int { return ((minute%1440+1440)%1440 + 2) / 5 * 5 % 1440 }
