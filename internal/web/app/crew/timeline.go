package crew

import (
	"html/template"
	"strconv"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/flights"
	"gangway/internal/world"
)

// A timeline shows everybody's flights in the time of the port: a lane for each person,
// nights shaded, and a line when they are wanted. Heights are in pixels and widths in
// percent, so that text has the same size at any width.
type timeline struct {
	Height int
	Lanes  []timelineRow
	Nights []timelineSpan
	Days   []timelineDay
	Wanted percent // 0: nobody is wanted by a certain time
	Zone   string
}

// A timelineRow is one person.
type timelineRow struct {
	Y       int // of the lane's middle
	Name    string
	Flights []timelineSpan
	Waits   []timelineSpan
	Roads   []timelineSpan
	Class   string // the grade of the time to spare
}

// A timelineSpan is a stretch of time.
type timelineSpan struct {
	X, Width percent
	Title    string
}

// Across writes the position of the stretch in a lane with its middle at y. A crew has a
// thousand of them, and a template takes three times as long for each.
func (s timelineSpan) Across(y int) template.HTMLAttr {
	text := make([]byte, 0, 48)
	text = append(text, `x="`...)
	text = s.X.append(text)
	text = append(text, `" y="`...)
	text = strconv.AppendInt(text, int64(y), 10)
	text = append(text, `" width="`...)
	text = s.Width.append(text)
	return template.HTMLAttr(append(text, '"'))
}

// A timelineDay is a midnight of the port and the day that it begins.
type timelineDay struct {
	X      percent
	Day    string
	Label  bool // the day is written beside it; where days are close together, not all are
	Before bool // it is written before the midnight, because there is no room after it
}

// percent is a part of the timeline's width.
type percent float64

func (p percent) String() string { return string(p.append(nil)) }

func (p percent) append(to []byte) []byte {
	return append(strconv.AppendFloat(to, float64(p), 'f', 2, 64), '%')
}

// The measures of the timeline: heights in pixels, and the width of a day's label where
// the timeline is narrowest.
const (
	timelineTop  = 16
	timelineFoot = 4
	laneHeight   = 14
	labelWidth   = 16
	dayStarts    = 6 // o'clock; night is from nightStarts until then
	nightStarts  = 20
)

// newTimeline lays out the flights of the rows that have any, or returns nil when none has.
func newTimeline(at gangway.Place, sides []crewSide) *timeline {
	port, _ := world.PlaceOf(string(at))
	loc := port.Location()
	var from, to, wanted time.Time
	for _, side := range sides {
		for _, row := range side.Rows {
			if len(row.flights) == 0 {
				continue
			}
			first, last := row.begins(), row.ends()
			from, to = earlier(from, first), later(to, last)
			if at := row.Spare.Until; !at.IsZero() && !row.Unneeded {
				wanted = earlier(wanted, at)
				to = later(to, wanted)
			}
		}
	}
	if from.IsZero() {
		return nil
	}
	t := &timeline{Height: timelineTop, Zone: flights.PlaceName(port)}
	from, to = from.Add(-time.Hour).In(loc), to.Add(time.Hour).In(loc)
	x := func(at time.Time) percent { return percent(100 * float64(at.Sub(from)) / float64(to.Sub(from))) }
	span := func(a, b time.Time, title string) timelineSpan {
		a, b = later(a, from), earlier(b, to)
		return timelineSpan{x(a), max(0.2, x(b)-x(a)), title}
	}
	for day := gangway.DateOf(from).In(loc); day.Before(to); day = dayAfter(day) {
		if day.After(from) {
			t.Days = append(t.Days, timelineDay{X: x(day), Day: day.Format("Mon 2 Jan")})
		}
		for _, night := range [][2]time.Time{{day, clockOn(day, dayStarts)}, {clockOn(day, nightStarts),
			dayAfter(day)}} {
			if night[0].Before(to) && night[1].After(from) {
				t.Nights = append(t.Nights, span(night[0], night[1], ""))
			}
		}
	}
	t.Days = daysNamed(t.Days)
	for _, side := range sides {
		for _, row := range side.Rows {
			if len(row.flights) > 0 {
				t.add(row, loc, span)
			}
		}
	}
	t.Height += timelineFoot
	if !wanted.IsZero() {
		t.Wanted = x(wanted)
	}
	return t
}

// daysNamed labels the days whose label neither overlaps the one before nor leaves the picture.
func daysNamed(days []timelineDay) []timelineDay {
	var free percent // free from here on
	for i := range days {
		d := &days[i]
		d.Before = d.X > 100-labelWidth
		begins := d.X
		if d.Before {
			begins -= labelWidth
		}
		if d.Label = begins >= free; d.Label {
			free = begins + labelWidth
		}
	}
	return days
}

// add puts one person into the next lane.
func (t *timeline) add(row *crewRow, loc *time.Location, span func(a, b time.Time, title string) timelineSpan) {
	lane := timelineRow{Y: t.Height + laneHeight/2, Name: row.Name, Class: row.Class()}
	for i, s := range row.flights {
		title := flights.FlightName(s) + " " + string(s.Origin) + "–" + string(s.Destination) + ", " +
			s.Departure.In(loc).Format("Mon 15:04") + " to " + s.Arrival.In(loc).Format("Mon 15:04") + " port time"
		lane.Flights = append(lane.Flights, span(s.Departure, s.Arrival, title))
		if i > 0 {
			lane.Waits = append(lane.Waits, span(row.flights[i-1].Arrival, s.Departure, ""))
		}
	}
	if n := len(row.Strip); n > 0 {
		for _, r := range []struct {
			road     flights.Road
			from, to time.Time
		}{{row.Strip[0].Road, row.begins(), row.flights[0].Departure},
			{row.Strip[n-1].ToRoad, row.flights[len(row.flights)-1].Arrival, row.ends()}} {
			if r.road.Takes > 0 {
				lane.Roads = append(lane.Roads, span(r.from, r.to, r.road.Words))
			}
		}
	}
	t.Lanes = append(t.Lanes, lane)
	t.Height += laneHeight
}

// begins returns when the traveller leaves the port or, without a port, when the first flight leaves.
func (row *crewRow) begins() time.Time {
	at := row.flights[0].Departure
	if len(row.Strip) > 0 {
		at = at.Add(-row.Strip[0].Road.Takes)
	}
	return at
}

// ends returns when the traveller reaches the port or, without a port, when the last flight arrives.
func (row *crewRow) ends() time.Time {
	at := row.flights[len(row.flights)-1].Arrival
	if n := len(row.Strip); n > 0 {
		at = at.Add(row.Strip[n-1].ToRoad.Takes)
	}
	return at
}

// dayAfter returns when the next day begins, in local time.
func dayAfter(day time.Time) time.Time {
	return gangway.DateOf(day).AddDays(1).In(day.Location())
}

// clockOn returns an hour of a day, in local time.
func clockOn(day time.Time, hour int) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), hour, 0, 0, 0, day.Location())
}

// earlier returns the earlier of two instants; the zero time is none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// later returns the later of two instants; the zero time is none.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
