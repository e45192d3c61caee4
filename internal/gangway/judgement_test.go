package gangway

import (
	"slices"
	"testing"
	"time"
)

// TestJudge has a row for each standing, and for each rule of time at the ship.
func TestJudge(t *testing.T) {
	roads := map[Place]map[Airport]time.Duration{"NLRTM": {"AMS": time.Hour}}
	zones := map[Place]*time.Location{"NLRTM": time.UTC}
	joins := Plan{Side: OnSigner, ShipDay: "2026-12-08", Who: ana, Roads: roads, Zones: zones,
		Legs: []Leg{{Destination: "NLRTM", ArriveOn: "2026-12-08"}}}
	leaves := Plan{Side: OffSigner, ShipDay: "2026-12-08", Who: ana, Roads: roads, Zones: zones,
		Legs: []Leg{{Origin: "NLRTM", Date: "2026-12-08"}}}
	with := func(p Plan, change func(*Plan)) Plan {
		p.Legs = slices.Clone(p.Legs)
		change(&p)
		return p
	}
	sailsAt := func(hour string) func(*Plan) { return func(p *Plan) { p.Hour = hour } }
	own := func(d Date) func(*Plan) {
		return func(p *Plan) {
			if p.Side == OnSigner {
				p.Legs[0].ArriveOn = d
			} else {
				p.Legs[0].Date = d
			}
			p.Own = true
		}
	}
	held := func(from, to Airport, leaves, lands string) Booking {
		b := Booking{ID: leaves, State: Confirmed, Passenger: ana}
		b.Itinerary = flown(from, to, leaves, lands)
		return b
	}
	ticketed := func(b Booking) Booking {
		b.State = Issued
		return b
	}
	in := func(lands string) Booking { return held("MNL", "AMS", "2026-12-01 00:00", lands) }
	out := func(leaves string) Booking { return held("AMS", "MNL", leaves, "2026-12-20 05:00") }
	now := time.Date(2026, 11, 28, 2, 0, 0, 0, time.UTC)
	later := func(day, hour int) time.Time { return time.Date(2026, 12, day, hour, 0, 0, 0, time.UTC) }
	fits := in("2026-12-08 09:00")
	tests := []struct {
		name string
		plan Plan
		live []Booking
		now  time.Time
		want []Standing // the first, and what is beside it
	}{
		{"in time", joins, []Booking{fits}, now, []Standing{Fits}},
		{"the road is counted", joins, []Booking{in("2026-12-08 23:30")}, now, []Standing{TooLate}},
		{"twelve hours are enough", joins, []Booking{in("2026-12-08 11:00")}, now, []Standing{Fits}},
		{"less is short", joins, []Booking{in("2026-12-08 11:01")}, now, []Standing{JustInTime}},
		{"a night before", joins, []Booking{in("2026-12-07 00:30")}, now, []Standing{Fits}},
		{"two nights before", joins, []Booking{in("2026-12-06 23:00")}, now, []Standing{TooEarly}},
		{"two nights, of which one is planned", with(joins, own("2026-12-07")), []Booking{in("2026-12-06 10:00")}, now,
			[]Standing{Fits}},
		{"after the day of one's own", with(joins, own("2026-12-07")), []Booking{in("2026-12-08 09:00")}, now,
			[]Standing{TooLate}},
		{"the ship sails at six", with(joins, sailsAt("06:00")), []Booking{fits}, now, []Standing{TooLate}},
		{"to another port", joins, []Booking{held("MNL", "SIN", "2026-12-05 00:00", "2026-12-05 09:00")}, now,
			[]Standing{WrongPlace, TooEarly}},
		{"off the ship at noon", leaves, []Booking{out("2026-12-08 13:00")}, now, []Standing{Fits}},
		{"off in the morning", leaves, []Booking{out("2026-12-08 12:59")}, now, []Standing{LeavesBeforeShip}},
		{"off at the hour that was set", with(leaves, sailsAt("06:00")), []Booking{out("2026-12-08 07:00")}, now,
			[]Standing{Fits}},
		{"a day of one's own after the ship", with(leaves, own("2026-12-09")), []Booking{out("2026-12-09 01:00")}, now,
			[]Standing{Fits}},
		{"a night", leaves, []Booking{out("2026-12-09 20:00")}, now, []Standing{Fits}},
		{"two nights", leaves, []Booking{out("2026-12-10 20:00")}, now, []Standing{WaitsTooLong}},
		{"nobody is booked", joins, nil, now, []Standing{NotBooked}},
		{"nobody, and new", with(joins, func(p *Plan) { p.New = true }), nil, now, []Standing{NotBooked, NewInPlan}},
		{"removed", Plan{Side: OnSigner, Unneeded: LeftOut}, []Booking{fits}, now, []Standing{NoLongerTravelling}},
		{"booked twice", joins, []Booking{in("2026-12-03 09:00"), fits}, now, []Standing{Fits, BookedTwice}},
		{"under way with a ticket", joins, []Booking{ticketed(held("MNL", "AMS", "2026-12-07 20:00",
			"2026-12-08 09:00"))}, later(7, 17), []Standing{UnderWay}},
		{"not before three hours", joins, []Booking{ticketed(held("MNL", "AMS", "2026-12-07 20:01",
			"2026-12-08 09:00"))}, later(7, 17), []Standing{Fits}},
		{"a hold does not travel", joins, []Booking{held("MNL", "AMS", "2026-12-07 20:00", "2026-12-08 09:00")},
			later(7, 21), []Standing{Fits}},
		{"under way to the old plan", joins, []Booking{ticketed(held("MNL", "SIN", "2026-12-07 20:00",
			"2026-12-08 09:00"))}, later(7, 21), []Standing{UnderWay, WrongPlace}},
		{"landed", joins, []Booking{ticketed(held("MNL", "AMS", "2026-12-07 20:00", "2026-12-08 09:00"))}, later(8, 9),
			[]Standing{Arrived}},
		{"a no-show is not under way", joins, []Booking{func() Booking {
			b := ticketed(held("MNL", "AMS", "2026-12-07 20:00", "2026-12-08 09:00"))
			b.NoShow = &NoShow{Missed: true}
			return b
		}()}, later(8, 10), []Standing{Fits}},
		{"the airline asks", joins, []Booking{func() Booking {
			b := fits
			b.State, b.Change = ChangePending, &PendingChange{ByAirline: true}
			return b
		}()}, now, []Standing{AirlineChanged}},
		{"we have asked", joins, []Booking{func() Booking {
			b := in("2026-12-04 09:00")
			b.State, b.Change = ChangePending, &PendingChange{}
			return b
		}()}, now, []Standing{Changing, TooEarly}},
		{"another name", joins, []Booking{func() Booking {
			b := fits
			b.Passenger.LastName = "Souza"
			return b
		}()}, now, []Standing{NameChanged}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := tt.plan.Judge(tt.live, false, tt.now)
			if got := append([]Standing{j.Standing}, j.Also...); !slices.Equal(got, tt.want) {
				t.Fatalf("Judge = %v; want %v (at the ship %v, due %v, nights %d)", got, tt.want, j.At, j.Due, j.Nights)
			}
			if j.Good() && !j.Fit.OK() {
				t.Errorf("everything is as planned, but the flights are not: %+v", j.Fit)
			}
		})
	}
}
