package search

import "math"

// A want is one leg as it is searched: where and when it may begin and end.
type want struct {
	from, to []end
	arriving bool // the landing is asked for, not the departure
	wish     int  // preferred local minute of the day to leave; negative: none
}

// An end is an airport where a leg may begin or end, with the UTC minutes, both included, between which
// a flight may leave or land there.
type end struct {
	place       int
	ground      int // minutes by road
	first, last int
}

// spanOf returns the first and the last minute of all ends.
func spanOf(ends []end) (first, last int) {
	first, last = math.MaxInt, math.MinInt
	for _, e := range ends {
		first, last = min(first, e.first), max(last, e.last)
	}
	return first, last
}

// scanned returns the minute of departure up to which a scan by rules can find what is wanted.
func (w *want) scanned(r rules) (until int) {
	first, last := spanOf(w.from)
	if !w.arriving {
		return last + r.longest()
	}
	landing, _ := spanOf(w.to)
	return max(first, landing-r.longest())
}
