// Package judgetest judges how a person stands with what is booked for them, from what docs/choices.md says and with
// none of the code of gangway.Plan.Judge, so that each checks the other.
package judgetest

import (
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// values are those that a person can have, copied by hand: the first that holds comes first.
var values = []gangway.Standing{"under_way", "arrived", "no_longer_travelling", "airline_changed", "changing",
	"wrong_place", "too_late", "leaves_before_ship", "booked_elsewhere", "not_booked", "too_early", "waits_too_long",
	"name_changed", "just_in_time", "fits"}

// A Verdict says how a person stands.
type Verdict struct {
	Values []gangway.Standing // what holds, the first first, then booked_twice or new
	At     time.Time          // at the ship
	Nights int
	Red    bool // the buffer is less than the least
}

// Words are the values as a row or a call carries them: the first, and the others.
func (v Verdict) Words() (plan string, also []string) {
	for _, s := range v.Values[1:] {
		also = append(also, string(s))
	}
	return string(v.Values[0]), also
}

// Judge judges a person whose plan is p, with the bookings that stand for it, the newest first. elsewhere: there are
// others within three days.
func Judge(p gangway.Plan, live []gangway.Booking, elsewhere bool, now time.Time) Verdict {
	switch {
	case len(live) == 0 && p.Unneeded != "":
		return Verdict{Values: []gangway.Standing{"no_longer_travelling"}}
	case len(live) == 0 && elsewhere:
		return Verdict{Values: []gangway.Standing{"booked_elsewhere"}}
	case len(live) == 0 && p.New:
		return Verdict{Values: []gangway.Standing{"not_booked", "new"}}
	case len(live) == 0:
		return Verdict{Values: []gangway.Standing{"not_booked"}}
	}
	all, stand := make([]Verdict, len(live)), len(live)
	for i, b := range live {
		all[i] = alone(p, b, now)
		if slices.ContainsFunc(live, func(other gangway.Booking) bool { return takesThePlace(other, b) }) {
			stand--
		}
	}
	// Who is on the way flies that, who is where they should be has flown that; else the worst that is wrong decides,
	// and then how much is wrong.
	best := slices.MaxFunc(all, func(a, b Verdict) int {
		if by := a.rank() - b.rank(); by != 0 {
			return by
		}
		return len(b.Values) - len(a.Values)
	})
	if stand > 1 {
		best.Values = append(best.Values, "booked_twice")
	}
	return best
}

// takesThePlace reports whether new ends old by itself, once the traveller's seat is sure.
func takesThePlace(new, old gangway.Booking) bool {
	r := new.Replaces
	return r != nil && r.Booking == old.ID && r.Person == "" && r.SettledAt.IsZero()
}

func (v Verdict) rank() int {
	first := v.Values[0]
	if first == "under_way" || first == "arrived" && len(v.Values) == 1 {
		return 100
	}
	return slices.Index(values, first)
}

// alone judges one booking.
func alone(p gangway.Plan, b gangway.Booking, now time.Time) Verdict {
	v := Verdict{}
	is := map[gangway.Standing]bool{}
	leaves, lands := b.Itinerary.Segments[0].Departure, b.Itinerary.Segments[len(b.Itinerary.Segments)-1].Arrival
	ticket := b.State == "issued" || b.State == "change_pending" && b.Change != nil && b.Change.Was == "issued"
	missed := b.NoShow != nil && b.NoShow.Missed
	if (ticket || b.Supplier == "manual") && !missed && leaves.Sub(now) <= 3*time.Hour {
		is["under_way"], is["arrived"] = now.Before(lands), !now.Before(lands)
	}
	if b.State == "change_pending" {
		theirs := b.Change != nil && b.Change.ByAirline
		is["airline_changed"], is["changing"] = theirs, !theirs
	}
	is["no_longer_travelling"] = p.Unneeded != ""
	is["name_changed"] = otherName(p.Who.LastName, b.Passenger.LastName) ||
		p.Who.LastName != "" && b.Passenger.LastName != "" && otherName(p.Who.FirstName, b.Passenger.FirstName)
	if p.Unneeded == "" && len(p.Legs) > 0 {
		switch p.Side {
		case gangway.OnSigner:
			v.joins(p, is, lastLeg(b.Itinerary.Segments))
		case gangway.OffSigner:
			v.leaves(p, is, firstLeg(b.Itinerary.Segments))
		default:
			v.travels(p, is, b.Itinerary.Segments)
		}
	}
	for _, s := range values {
		if is[s] {
			v.Values = append(v.Values, s)
		}
	}
	if len(v.Values) == 0 {
		v.Values = []gangway.Standing{"fits"}
	}
	return v
}

// joins judges the way to the ship.
func (v *Verdict) joins(p gangway.Plan, is map[gangway.Standing]bool, flown []gangway.Segment) {
	want, last := p.Legs[len(p.Legs)-1], flown[len(flown)-1]
	way, there := road(p, want.Destination, last.Destination)
	_, from := road(p, want.Origin, flown[0].Origin)
	is["wrong_place"] = !there || !from
	if want.ArriveOn == "" {
		return
	}
	port := clock(p, want.Destination, last.Arrival)
	rules := rulesOf(p)
	v.At = last.Arrival.Add(way)
	ship := want.ArriveOn
	if p.ShipDay > ship {
		ship = p.ShipDay
	}
	due := at(want.ArriveOn, rules.BoardBy, port)
	if p.Hour != "" {
		due = at(ship, p.Hour, port)
	} else if want.ArriveBy != "" {
		due = at(want.ArriveOn, want.ArriveBy, port)
	}
	v.Nights = max(0, midnights(last.Arrival.In(port), ship))
	planned := 0
	if p.ShipDay != "" {
		planned = max(0, days(want.ArriveOn, p.ShipDay))
	}
	buffer := due.Sub(v.At)
	is["too_late"] = buffer < 0
	is["too_early"] = v.Nights > planned+*rules.Nights
	is["just_in_time"] = buffer >= 0 && buffer < time.Duration(*rules.Short)*time.Hour
	v.Red = is["just_in_time"] && buffer < time.Duration(*rules.Critical)*time.Hour
}

// leaves judges the way from the ship.
func (v *Verdict) leaves(p gangway.Plan, is map[gangway.Standing]bool, flown []gangway.Segment) {
	want, first, last := p.Legs[0], flown[0], flown[len(flown)-1]
	way, there := road(p, want.Origin, first.Origin)
	_, home := road(p, want.Destination, last.Destination)
	is["wrong_place"] = !there || !home
	if want.Date == "" {
		return
	}
	port := clock(p, want.Origin, first.Departure)
	rules := rulesOf(p)
	v.At = first.Departure.Add(-way)
	ship := want.Date
	if p.ShipDay > ship {
		ship = p.ShipDay
	}
	from := at(ship, rules.LeaveFrom, port)
	switch {
	case p.Hour != "":
		from = at(ship, p.Hour, port)
	case want.LeaveAfter != "":
		from = at(want.Date, want.LeaveAfter, port)
	case p.ShipDay != "" && want.Date > p.ShipDay:
		from = at(want.Date, "00:00", port)
	}
	v.Nights = max(0, days(want.Date, gangway.Date(v.At.In(port).Format("2006-01-02"))))
	is["leaves_before_ship"] = v.At.Before(from)
	is["waits_too_long"] = v.Nights > *rules.Nights
}

// travels judges a journey that is planned as a whole, to the day.
func (v *Verdict) travels(p gangway.Plan, is map[gangway.Standing]bool, flown []gangway.Segment) {
	want, legs := p.Legs, [][]gangway.Segment{}
	for rest := flown; len(rest) > 0; rest = rest[len(legs[len(legs)-1]):] {
		legs = append(legs, firstLeg(rest))
	}
	if len(legs) != len(want) {
		whole := want[0]
		whole.Destination = want[len(want)-1].Destination
		want, legs = []gangway.Leg{whole}, [][]gangway.Segment{flown}
	}
	for i, leg := range legs {
		first, last := leg[0], leg[len(leg)-1]
		before, starts := road(p, want[i].Origin, first.Origin)
		after, ends := road(p, want[i].Destination, last.Destination)
		is["wrong_place"] = is["wrong_place"] || !starts || !ends
		day, on := want[i].ArriveOn, last.Arrival.Add(after).Format("2006-01-02")
		if day == "" {
			day, on = want[i].Date, first.Departure.Add(-before).Format("2006-01-02")
		}
		is["too_late"] = is["too_late"] || day != "" && on > string(day)
		is["too_early"] = is["too_early"] || day != "" && on < string(day)
	}
}

func otherName(planned, ticket string) bool {
	a, b := strings.ToLower(planned), strings.ToLower(ticket)
	return a != "" && b != "" && !strings.HasPrefix(a, b) && !strings.HasPrefix(b, a)
}

func firstLeg(s []gangway.Segment) []gangway.Segment {
	n := 1
	for n < len(s) && s[n].Leg == s[0].Leg {
		n++
	}
	return s[:n]
}

func lastLeg(s []gangway.Segment) []gangway.Segment {
	n := len(s) - 1
	for n > 0 && s[n-1].Leg == s[len(s)-1].Leg {
		n--
	}
	return s[n:]
}

// road returns how long the way between a place and an airport takes, and whether that serves the place.
func road(p gangway.Plan, place gangway.Place, airport gangway.Airport) (way time.Duration, serves bool) {
	if airports, known := p.Roads[place]; known {
		way, serves = airports[airport]
		return way, serves
	}
	return 0, place == "" || string(place) == string(airport)
}

// clock is the port's; that of the airport where nobody knows the port.
func clock(p gangway.Plan, place gangway.Place, there time.Time) *time.Location {
	if loc := p.Zones[place]; loc != nil {
		return loc
	}
	return there.Location()
}

// rulesOf are those of a plan, with what is used where nobody has decided otherwise.
func rulesOf(p gangway.Plan) gangway.CrewRules {
	r := p.Rules
	number := func(of **int, usual int) {
		if *of == nil {
			*of = &usual
		}
	}
	if r.BoardBy == "" {
		r.BoardBy = "24:00"
	}
	if r.LeaveFrom == "" {
		r.LeaveFrom = "12:00"
	}
	number(&r.Nights, 1)
	number(&r.Short, 12)
	number(&r.Critical, 6)
	return r
}

// at is an hour of a day at a port, as its clocks show it.
func at(day gangway.Date, hour string, port *time.Location) time.Time {
	if hour == "24:00" {
		t, _ := time.Parse("2006-01-02", string(day))
		day, hour = gangway.Date(t.AddDate(0, 0, 1).Format("2006-01-02")), "00:00"
	}
	t, err := time.ParseInLocation("2006-01-02 15:04", string(day)+" "+hour, port)
	if err != nil {
		panic(err)
	}
	return t
}

// midnights counts the nights from a landing to a day.
func midnights(landing time.Time, day gangway.Date) int {
	return days(gangway.Date(landing.Format("2006-01-02")), day)
}

func days(from, to gangway.Date) int {
	a, _ := time.Parse("2006-01-02", string(from))
	b, _ := time.Parse("2006-01-02", string(to))
	return int(b.Sub(a).Hours() / 24)
}
