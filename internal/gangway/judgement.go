package gangway

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// A Standing is how one person stands, with what is booked for them beside today's plan.
type Standing string

// The standings, as the call crew-changes/impact names them.
const (
	UnderWay           Standing = "under_way" // ticketed or entered by hand: from 3 h before departure until landing
	Arrived            Standing = "arrived"   // the same, landed
	NoLongerTravelling Standing = "no_longer_travelling"
	AirlineChanged     Standing = "airline_changed" // and nobody has answered
	Changing           Standing = "changing"        // our own change is open
	WrongPlace         Standing = "wrong_place"
	TooLate            Standing = "too_late"           // an on-signer misses the ship
	LeavesBeforeShip   Standing = "leaves_before_ship" // a leaver would have to be off before the ship is in
	BookedElsewhere    Standing = "booked_elsewhere"   // not for this plan, but within three days of it
	NotBooked          Standing = "not_booked"
	TooEarly           Standing = "too_early"      // an on-signer waits for more nights than are planned and allowed
	WaitsTooLong       Standing = "waits_too_long" // a leaver does
	NameChanged        Standing = "name_changed"   // the plan names the person otherwise than the ticket
	JustInTime         Standing = "just_in_time"   // the buffer before the ship is short
	Fits               Standing = "fits"

	// These are only ever beside one of the others.

	BookedTwice Standing = "booked_twice" // several live bookings for one plan
	NewInPlan   Standing = "new"          // not booked, and not in the plan before its last upload
)

// Standings are those that a person can have. The first that holds is the person's.
var Standings = []Standing{UnderWay, Arrived, NoLongerTravelling, AirlineChanged, Changing, WrongPlace, TooLate,
	LeavesBeforeShip, BookedElsewhere, NotBooked, TooEarly, WaitsTooLong, NameChanged, JustInTime, Fits}

// SetsOut is how long before departure a traveller has left for the airport.
const SetsOut = 3 * time.Hour

// A Judgement says how a person stands.
type Judgement struct {
	Standing Standing
	Also     []Standing // what else holds
	Booking  *Booking   // the one that was judged: of several, the one that fits best; nil: there is none for the plan
	Meeting             // of that booking with the ship
}

// Good reports whether everything is as planned. Nothing else is ever green.
func (j Judgement) Good() bool { return j.Standing == Fits && len(j.Also) == 0 }

// MayIssue reports whether tickets may be bought for the booking without a person who looks at it.
func (j Judgement) MayIssue() bool {
	return (j.Standing == Fits || j.Standing == JustInTime) && len(j.Also) == 0
}

// Holds reports whether s holds, first or beside another.
func (j Judgement) Holds(s Standing) bool { return j.Standing == s || slices.Contains(j.Also, s) }

// Judge says how a person with the plan p stands. live are the bookings that stand and are for this plan; elsewhere
// says whether there are others within three days. now is by the account's clock.
func (p Plan) Judge(live []Booking, elsewhere bool, now time.Time) Judgement {
	if len(live) == 0 {
		switch {
		case p.Unneeded != "":
			return Judgement{Standing: NoLongerTravelling}
		case elsewhere:
			return Judgement{Standing: BookedElsewhere}
		case p.New:
			return Judgement{Standing: NotBooked, Also: []Standing{NewInPlan}}
		}
		return Judgement{Standing: NotBooked}
	}
	best := p.judge(&live[0], now)
	for i := range live[1:] {
		if j := p.judge(&live[i+1], now); j.better(best) {
			best = j
		}
	}
	if journeys(live) > 1 {
		best.Also = append(best.Also, BookedTwice)
	}
	return best
}

// better reports whether j is what the person will fly rather than other. Who is on the way is on the way.
func (j Judgement) better(other Judgement) bool {
	rank := func(j Judgement) int {
		if j.Standing == UnderWay || j.Standing == Arrived && len(j.Also) == 0 {
			return len(Standings)
		}
		return slices.Index(Standings, j.Standing)
	}
	if a, b := rank(j), rank(other); a != b {
		return a > b
	}
	return len(j.Also) < len(other.Also)
}

// judge judges one booking alone.
func (p Plan) judge(b *Booking, now time.Time) Judgement {
	j := Judgement{Booking: b, Meeting: p.Meet(b.Itinerary)}
	var holds []Standing
	if (b.Ticketed() || b.ByHand()) && (b.NoShow == nil || !b.NoShow.Missed) {
		switch leaves, lands := b.Itinerary.Departure(), b.Itinerary.Arrival(); {
		case leaves.IsZero() || now.Before(leaves.Add(-SetsOut)):
		case now.Before(lands):
			holds = append(holds, UnderWay)
		default:
			holds = append(holds, Arrived)
		}
	}
	if p.Unneeded != "" {
		holds = append(holds, NoLongerTravelling)
	}
	if b.State == ChangePending {
		if b.Change != nil && b.Change.ByAirline {
			holds = append(holds, AirlineChanged)
		} else {
			holds = append(holds, Changing)
		}
	}
	holds = append(holds, j.Meeting.holds...)
	if p.renamed(b.Passenger) {
		holds = append(holds, NameChanged)
	}
	slices.SortStableFunc(holds, func(a, b Standing) int {
		return slices.Index(Standings, a) - slices.Index(Standings, b)
	})
	holds = slices.Compact(holds)
	j.Standing, j.Also = append(holds, Fits)[0], holds[min(1, len(holds)):]
	return j
}

// ByHand reports whether b was made elsewhere and entered by a person.
func (b Booking) ByHand() bool { return b.Supplier == BookedByHand }

// BookedByHand is the supplier of what was made elsewhere.
const BookedByHand = "manual"

// renamed reports whether the plan names the person otherwise than the ticket does. A name that was cut, or that one of
// the two gives in full, is the same.
func (p Plan) renamed(t Traveller) bool {
	if p.Who.LastName == "" || t.LastName == "" {
		return false
	}
	same := func(a, b string) bool {
		a, b = Fold(a), Fold(b)
		return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
	}
	return !same(p.Who.LastName, t.LastName) || !same(p.Who.FirstName, t.FirstName)
}

// A Meeting is how flights meet the ship.
type Meeting struct {
	At       time.Time     // when an on-signer is at the ship, or a leaver leaves it: the way between included
	Due      time.Time     // when an on-signer is due there, or from when a leaver may leave; zero: nobody says
	Buffer   time.Duration // of an on-signer, from At to Due; below zero: the ship is missed
	Critical bool          // one late flight costs the ship
	Nights   int           // that an on-signer waits for the ship, or a leaver after it
	Fit      Fit
	holds    []Standing
}

// Holds reports whether s holds of the flights.
func (m Meeting) Holds(s Standing) bool { return slices.Contains(m.holds, s) }

// Meet compares flights with the plan: place, time at the ship with the way between included, and nights.
func (p Plan) Meet(it Itinerary) Meeting {
	flown := it.Legs()
	switch {
	case p.Unneeded != "":
		return Meeting{Fit: Fit{Unneeded: p.Unneeded}}
	case len(flown) == 0 || len(p.Legs) == 0:
		return Meeting{}
	case p.Side == OnSigner:
		return p.meet(p.Legs[len(p.Legs)-1], flown[len(flown)-1])
	case p.Side == OffSigner:
		return p.meet(p.Legs[0], flown[0])
	case len(flown) != len(p.Legs):
		whole := p.Legs[0]
		whole.Destination = p.Legs[len(p.Legs)-1].Destination
		return p.meet(whole, it.Segments)
	}
	all := Meeting{}
	for i := range flown {
		if m := p.meet(p.Legs[i], flown[i]); len(all.holds) == 0 && len(m.holds) > 0 {
			all = m
		} else {
			all.holds = append(all.holds, m.holds...)
		}
	}
	return all
}

// meet compares one planned leg with the flights for it.
func (p Plan) meet(planned Leg, flown []Segment) (m Meeting) {
	first, last := flown[0], flown[len(flown)-1]
	switch {
	case !p.serves(planned.Destination, last.Destination):
		m.Fit.Airport, m.Fit.Place = last.Destination, planned.Destination
	case !p.serves(planned.Origin, first.Origin):
		m.Fit.Airport, m.Fit.Place, m.Fit.From = first.Origin, planned.Origin, true
	}
	if m.Fit.Place != "" {
		m.holds = append(m.holds, WrongPlace)
	}
	there := last.Arrival.Add(p.Roads[planned.Destination][last.Destination])
	leaves := first.Departure.Add(-p.Roads[planned.Origin][first.Origin])
	var late []Standing
	switch {
	case p.Side == OnSigner && planned.ArriveOn.Valid():
		late = m.board(p, planned, there, last.Arrival)
	case p.Side == OffSigner && planned.Date.Valid():
		late = m.goHome(p, planned, leaves)
	case planned.ArriveOn.Valid():
		late = m.onDay(there, planned.ArriveOn)
	case planned.Date.Valid():
		m.Fit.Leaves = true
		late = m.onDay(leaves, planned.Date)
	}
	if len(late) == 0 {
		m.Fit.Leaves = false
		return m
	}
	m.holds = append(m.holds, late...)
	if late[0] != JustInTime {
		m.Fit.At, m.Fit.Due, m.Fit.Date = m.At, m.Due, DateOf(m.At)
		if m.Fit.Wanted = cmp.Or(planned.ArriveOn, planned.Date); p.Own {
			m.Fit.Own = p.Side
		}
	}
	return m
}

// board judges an arrival at the ship.
func (m *Meeting) board(p Plan, planned Leg, there, landing time.Time) (late []Standing) {
	rules := p.Rules.Or(DefaultCrewRules())
	loc := p.zone(planned.Destination, landing)
	m.At = there.In(loc)
	day, hour := p.DueBy()
	m.Due = atHour(day, hour, loc)
	m.Buffer = m.Due.Sub(m.At)
	m.Nights = max(0, DateOf(landing.In(loc)).DaysTo(max(p.ShipDay, planned.ArriveOn)))
	asked := 0
	if p.ShipDay.Valid() {
		asked = max(0, planned.ArriveOn.DaysTo(p.ShipDay))
	}
	if m.Nights > asked+*rules.Nights {
		late = append(late, TooEarly)
	}
	switch {
	case m.Buffer < 0:
		late = append(late, TooLate)
	case m.Buffer < time.Duration(*rules.Short)*time.Hour:
		m.Critical = m.Buffer < time.Duration(*rules.Critical)*time.Hour
		late = append(late, JustInTime)
	}
	return late
}

// DueBy returns the day and the hour, port time, by which an on-signer is due; empty: nobody says.
func (p Plan) DueBy() (day Date, hour string) {
	if p.Side != OnSigner || len(p.Legs) == 0 {
		return "", ""
	}
	switch planned := p.Legs[len(p.Legs)-1]; {
	case !planned.ArriveOn.Valid():
		return "", ""
	case p.Hour != "":
		return max(p.ShipDay, planned.ArriveOn), p.Hour
	case planned.ArriveBy != "":
		return planned.ArriveOn, planned.ArriveBy
	default:
		return planned.ArriveOn, p.Rules.Or(DefaultCrewRules()).BoardBy
	}
}

// goHome judges a departure from the ship.
func (m *Meeting) goHome(p Plan, planned Leg, leaves time.Time) (early []Standing) {
	rules := p.Rules.Or(DefaultCrewRules())
	loc := p.zone(planned.Origin, leaves)
	m.At, m.Fit.Leaves = leaves.In(loc), true
	switch ship := max(p.ShipDay, planned.Date); {
	case p.Hour != "":
		m.Due = atHour(ship, p.Hour, loc)
	case planned.LeaveAfter != "":
		m.Due = atHour(planned.Date, planned.LeaveAfter, loc)
	case p.ShipDay.Valid() && planned.Date > p.ShipDay:
		m.Due = atHour(planned.Date, "00:00", loc)
	default:
		m.Due = atHour(ship, rules.LeaveFrom, loc)
	}
	m.Nights = max(0, planned.Date.DaysTo(DateOf(m.At)))
	if m.At.Before(m.Due) {
		early = append(early, LeavesBeforeShip)
	}
	if m.Nights > *rules.Nights {
		early = append(early, WaitsTooLong)
	}
	return early
}

// onDay judges to the day, as where nobody waits for a ship.
func (m *Meeting) onDay(at time.Time, day Date) []Standing {
	m.At = at
	switch date := DateOf(at); {
	case date > day:
		return []Standing{TooLate}
	case date < day:
		return []Standing{TooEarly}
	}
	return nil
}

// zone returns where the clocks at a place run.
func (p Plan) zone(place Place, at time.Time) *time.Location {
	if loc := p.Zones[place]; loc != nil {
		return loc
	}
	return at.Location()
}
