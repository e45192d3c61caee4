package gangway_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/gangway/judgetest"
	"gangway/internal/need"
)

var judged1 = flag.Uint64("judged", 0, "the seed of the one judgement to compare, as a failure printed it")

// TestJudgeAgrees judges people with random plans and bookings, twice: by the code, and by another one that was written
// from what it should say. The clocks of the port change in between.
func TestJudgeAgrees(t *testing.T) {
	n, differ, seen := uint64(need.Count("QUERIES", 200)*100), 0, map[gangway.Standing]int{}
	for seed := uint64(1); seed <= n; seed++ {
		if *judged1 != 0 {
			seed, n = *judged1, 0
		}
		c := someone{rand.New(rand.NewPCG(seed, 11))}
		p, elsewhere := c.plan(), c.one(4)
		live := make([]gangway.Booking, c.IntN(4))
		for i := range live {
			live[i] = c.booking(p, i)
		}
		if len(live) > 1 && c.one(4) {
			live[0].Replaces = &gangway.Replacing{Booking: live[1].ID}
			if c.one(4) {
				live[0].Replaces.Person = "somebody decides"
			}
		}
		now := day0.Add(time.Duration(c.IntN(24*16)) * time.Hour)
		if len(live) > 0 && c.one(2) {
			at := live[0].Itinerary
			now = pick(c, at.Departure().Add(-3*time.Hour), at.Arrival(), at.Departure()).
				Add(time.Duration(c.IntN(3)-1) * time.Minute)
		}
		got, want := p.Judge(live, elsewhere, now), judgetest.Judge(p, live, elsewhere, now)
		said := append([]gangway.Standing{got.Standing}, got.Also...)
		for _, s := range said {
			seen[s]++
		}
		good := len(said) == 1 && said[0] == gangway.Fits
		if !slices.Equal(said, want.Values) || got.Nights != want.Nights || p.Side != "" && !got.At.Equal(want.At) ||
			got.Critical != want.Red || got.Good() != good ||
			got.MayIssue() != (good || len(said) == 1 && said[0] == gangway.JustInTime) {
			t.Errorf("go test ./internal/gangway -run TestJudgeAgrees -judged %d\n%v %d %s %v; want %v %d %s %v\n%s",
				seed, said, got.Nights, got.At, got.Critical, want.Values, want.Nights, want.At, want.Red,
				described(p, live, now))
			if differ++; differ == 5 {
				return
			}
		}
	}
	for _, s := range append(slices.Clone(gangway.Standings), gangway.BookedTwice, gangway.NewInPlan) {
		if seen[s] == 0 && *judged1 == 0 {
			t.Errorf("nobody is %s", s)
		}
	}
}

// day0 is some days before the ship, and before the clocks of its port change.
var day0 = time.Date(2026, 10, 18, 0, 0, 0, 0, time.UTC)

func described(p gangway.Plan, live []gangway.Booking, now time.Time) string {
	rules := ""
	for _, n := range []*int{p.Rules.Nights, p.Rules.Short, p.Rules.Critical} {
		if n != nil {
			rules += fmt.Sprint(" ", *n)
		} else {
			rules += " -"
		}
	}
	text := fmt.Sprintf("%s %+v ship %s own %v hour %q rules %q %q%s of %s at %s\n", p.Side, p.Legs, p.ShipDay, p.Own,
		p.Hour, p.Rules.BoardBy, p.Rules.LeaveFrom, rules, p.Who.LastName, now)
	for _, b := range live {
		text += fmt.Sprintf("%s %s %q %v %v of %s:", b.ID, b.State, b.Supplier, b.Change, b.Replaces,
			b.Passenger.LastName)
		for _, s := range b.Itinerary.Segments {
			text += fmt.Sprintf(" %d %s-%s %s-%s", s.Leg, s.Origin, s.Destination, s.Departure, s.Arrival)
		}
		text += "\n"
	}
	return text
}

func pick[T any](r someone, of ...T) T { return of[r.IntN(len(of))] }

// someone makes up people.
type someone struct{ *rand.Rand }

// one is true one time in n.
func (r someone) one(n int) bool { return r.IntN(n) == 0 }

var zones = map[gangway.Place]*time.Location{"AMS": zone("Europe/Amsterdam"), "NLRTM": zone("Europe/Amsterdam"),
	"SIN": zone("Asia/Singapore"), "MNL": zone("Asia/Manila"), "BRU": zone("Europe/Brussels"),
	"JFK": zone("America/New_York")}

func zone(name string) *time.Location {
	loc, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return loc
}

func (r someone) plan() gangway.Plan {
	p := gangway.Plan{Side: pick(r, gangway.OnSigner, gangway.OnSigner, gangway.OffSigner, gangway.OffSigner, ""),
		Who: gangway.Traveller{LastName: pick(r, "", "Santos", "Santos"), FirstName: pick(r, "Ana", "Ana Maria")},
		New: r.one(3), Zones: zones,
		Roads: map[gangway.Place]map[gangway.Airport]time.Duration{"AMS": {"AMS": 0}, "SIN": {"SIN": 0},
			"NLRTM": {"AMS": time.Hour, "BRU": 150 * time.Minute}}}
	if r.one(8) {
		p.Unneeded = pick(r, gangway.LeftOut, gangway.NotListed, gangway.TakenBack)
		return p
	}
	if !r.one(10) {
		p.ShipDay = r.day(6)
	}
	if r.one(4) {
		p.Hour = pick(r, "06:00", "18:30", "24:00")
	}
	number := func(most int) *int {
		if !r.one(4) {
			return nil
		}
		return new(r.IntN(most + 1))
	}
	p.Rules = gangway.CrewRules{BoardBy: pick(r, "", "", "06:00", "20:00"),
		LeaveFrom: pick(r, "", "", "00:00", "08:00"),
		Nights:    number(3), Short: number(96), Critical: number(24)}
	day := p.ShipDay
	if day == "" || r.one(3) {
		day, p.Own = r.day(6), p.ShipDay != ""
	}
	switch port := pick(r, gangway.Place("AMS"), "NLRTM", "SIN", "BRU", ""); p.Side {
	case gangway.OnSigner:
		p.Legs = []gangway.Leg{{Destination: port, ArriveOn: day}}
	case gangway.OffSigner:
		p.Legs = []gangway.Leg{{Origin: port, Date: day}}
	default:
		p = gangway.Plan{Who: p.Who, Roads: p.Roads, Zones: zones}
		for i := range 1 + r.IntN(2) {
			leg := gangway.Leg{Origin: pick(r, gangway.Place("MNL"), "JFK"), Destination: port, Date: r.day(4 + i)}
			if i == 1 {
				leg.Origin, leg.Destination = leg.Destination, leg.Origin
			}
			if r.one(3) {
				leg.Date, leg.ArriveOn = "", leg.Date
			}
			p.Legs = append(p.Legs, leg)
		}
	}
	return p
}

// day is some days from the first, more or less.
func (r someone) day(near int) gangway.Date {
	return gangway.DateOf(day0.AddDate(0, 0, near+r.IntN(5)-2))
}

func (r someone) booking(p gangway.Plan, i int) gangway.Booking {
	b := gangway.Booking{ID: fmt.Sprint("b", i), Supplier: pick(r, "simulated", "simulated", "manual"),
		State: pick(r, gangway.Confirmed, gangway.Issued, gangway.Issued, gangway.ApprovalRequired,
			gangway.ChangePending),
		Passenger: gangway.Traveller{LastName: pick(r, "SANTOS", "Santos", "Sant", "Cruz"),
			FirstName: pick(r, "ANA", "Bea")}}
	if b.State == gangway.ChangePending && !r.one(9) {
		b.Change = &gangway.PendingChange{Was: pick(r, gangway.Issued, gangway.Confirmed), ByAirline: r.one(2)}
	}
	if r.one(6) {
		b.NoShow = &gangway.NoShow{Missed: !r.one(3)}
	}
	port, home := pick(r, gangway.Airport("AMS"), "AMS", "BRU", "SIN"), pick(r, gangway.Airport("MNL"), "JFK")
	from, to := home, port
	if p.Side == gangway.OffSigner {
		from, to = port, home
	}
	// It lands, or leaves, near what is planned, often to the minute.
	at, _ := time.ParseInLocation("2006-01-02", string(r.day(6)), zones[gangway.Place(port)])
	at = at.Add(time.Duration(r.IntN(48))*30*time.Minute + time.Duration(r.IntN(3)-1)*time.Minute)
	fly := time.Duration(1+r.IntN(12)) * time.Hour
	seg := func(leg int, from, to gangway.Airport, leaves time.Time) gangway.Segment {
		return gangway.Segment{Leg: leg, Origin: from, Destination: to,
			Departure: leaves.In(zones[gangway.Place(from)]), Arrival: leaves.Add(fly).In(zones[gangway.Place(to)])}
	}
	switch {
	case p.Side == gangway.OffSigner:
		b.Itinerary.Segments = []gangway.Segment{seg(0, from, to, at)}
		if r.one(3) {
			b.Itinerary.Segments = append(b.Itinerary.Segments, seg(r.IntN(2), to, from, at.Add(20*time.Hour)))
		}
	default:
		if r.one(3) {
			b.Itinerary.Segments = []gangway.Segment{seg(0, to, from, at.Add(-30*time.Hour))}
		}
		leg := len(b.Itinerary.Segments) * r.IntN(2)
		b.Itinerary.Segments = append(b.Itinerary.Segments, seg(leg, from, to, at.Add(-fly)))
	}
	return b
}
