package plan_test

import (
	"reflect"
	"testing"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
)

func usd(minor int64) gangway.Money { return gangway.Money{Minor: minor, Currency: "USD"} }
func eur(minor int64) gangway.Money { return gangway.Money{Minor: minor, Currency: "EUR"} }

func stays(nights int) plan.Option { return plan.Option{Meeting: gangway.Meeting{Nights: nights}} }

func does(way book.Way, pay, back gangway.Money, nights int) plan.Option {
	return plan.Option{Way: way, Pay: pay, Back: back, Meeting: gangway.Meeting{Nights: nights}}
}

func person(s gangway.Standing, night gangway.Money, options ...plan.Option) plan.Moved {
	m := plan.Moved{Night: night, Options: options}
	m.Standing, m.Booking = s, &gangway.Booking{}
	return m
}

func TestTotals(t *testing.T) {
	change, anew, none := book.WayChange, book.WayAnew, gangway.Money{}
	// Waiting for three nights costs 180, the change 91 and a night.
	waiter := person(gangway.TooEarly, usd(6000), stays(3), does(change, usd(9100), none, 1))
	// Waiting for three nights costs 180, and the change 450.
	patient := person(gangway.TooEarly, usd(6000), stays(3), does(change, usd(45000), none, 0))
	// The new booking costs 300 and the old one brings back 240.50; the change costs 75.
	lost := person(gangway.WrongPlace, usd(6000), does(change, usd(7500), none, 0),
		does(anew, usd(30000), usd(24050), 0))
	removed := person(gangway.NoLongerTravelling, none, does(book.WayCancel, none, usd(24050), 0))
	fits := person(gangway.JustInTime, usd(6000), stays(0), does(change, usd(-100), none, 0))
	foreign := person(gangway.WrongPlace, none, does(change, eur(100), none, 0), does(anew, usd(1), none, 0))
	hurried := does(change, usd(100), none, 0)
	hurried.Meeting.Critical = true
	unknown := does(book.WayCancel, none, none, 0)
	unknown.Unknown = true
	picked := does(anew, usd(30000), none, 0)
	picked.ChosenBy = "mara@example.com"
	chosen := person(gangway.TooEarly, usd(100), stays(3), does(change, usd(100), none, 0), picked)
	declined := does(change, usd(100), none, 0)
	declined.Declined = "Somebody declined the change: too dear."
	soldOut := person(gangway.WrongPlace, none, does(change, usd(7500), none, 0))
	soldOut.Lost = "mara@example.com"
	half := func(m gangway.Money) (gangway.Money, bool) {
		if m.Currency == "EUR" {
			return usd(m.Minor * 2), true
		}
		return m, m.Currency == "USD"
	}
	people := func(list ...plan.Moved) []plan.Moved { return list }
	tests := []struct {
		name   string
		aim    plan.Aim
		people []plan.Moved
		rates  plan.Rates
		picks  []int
		sum    []gangway.Money
	}{
		{"the cheapest for each counts fees, what comes back and nights", plan.AimCheapest,
			people(waiter, patient, lost, removed), nil, []int{1, 0, 1, 0},
			[]gangway.Money{usd(15100 + 18000 + 5950 - 24050)}},
		{"everybody to the new plan", plan.AimPlan, people(waiter, patient, lost), nil, []int{1, 1, 1},
			[]gangway.Money{usd(15100 + 45000 + 5950)}},
		{"who can wait waits, the others do not", plan.AimWait, people(waiter, patient, lost), nil, []int{0, 0, 1},
			[]gangway.Money{usd(18000 + 18000 + 5950)}},
		{"who is booked for today's plan stays, also where something else is cheaper", plan.AimPlan, people(fits), nil,
			[]int{0}, []gangway.Money{usd(0)}},
		{"what a person chose comes before the cheapest, and is not replaced by other flights", plan.AimWait,
			people(chosen, soldOut), nil, []int{2, -1}, []gangway.Money{usd(30000)}},
		{"what an approver declined is proposed to nobody", plan.AimCheapest,
			people(person(gangway.WrongPlace, none, declined),
				person(gangway.WrongPlace, none, declined, does(anew, usd(9000), none, 0))), nil, []int{-1, 1},
			[]gangway.Money{usd(9000)}},
		{"waiting is not cheaper while a night has no price", plan.AimCheapest,
			people(person(gangway.TooEarly, none, stays(3), does(change, usd(45000), none, 0))), nil, []int{1},
			[]gangway.Money{usd(45000)}},
		{"nights without a price are no money", plan.AimWait, people(person(gangway.TooEarly, none, stays(3))), nil,
			[]int{0}, nil},
		{"somebody who is still quoted is not left to wait", plan.AimCheapest,
			people(plan.Moved{Open: true, Person: waiter.Person, Night: usd(1), Options: waiter.Options[:1]}), nil,
			[]int{-1}, nil},
		{"one late flight that costs the ship is no bargain", plan.AimCheapest,
			people(person(gangway.WrongPlace, none, hurried, does(anew, usd(9000), none, 0))), nil, []int{1},
			[]gangway.Money{usd(9000)}},
		{"two currencies without a rate are two sums, and are not compared", plan.AimCheapest,
			people(lost, foreign), nil, []int{1, 0}, []gangway.Money{usd(5950), eur(100)}},
		{"with a rate they are one", plan.AimCheapest,
			people(lost, foreign), half, []int{1, 1}, []gangway.Money{usd(5951)}},
		{"a refund that nobody knows is none", plan.AimCheapest,
			people(person(gangway.NoLongerTravelling, none, unknown)), nil, []int{0}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := plan.TotalOf(tt.aim, tt.people, tt.rates)
			if !reflect.DeepEqual(got.Picks, tt.picks) || !reflect.DeepEqual(got.Sum, tt.sum) {
				t.Errorf("%v for %v; want %v for %v", got.Picks, got.Sum, tt.picks, tt.sum)
			}
			if again := plan.TotalOf(tt.aim, tt.people, tt.rates); !reflect.DeepEqual(again, got) {
				t.Errorf("%+v the second time", again)
			}
		})
	}
	t.Run("what is not counted is said", func(t *testing.T) {
		got := plan.TotalOf(plan.AimWait, people(person(gangway.TooEarly, none, stays(3)),
			person(gangway.NoLongerTravelling, none, unknown), person(gangway.NotBooked, none), waiter), nil)
		want := [...]int{got.Nights, got.Unpriced, got.Unknown, got.Without, got.Ways[book.WayCancel]}
		if want != [...]int{6, 3, 1, 1, 1} {
			t.Errorf("%v", want)
		}
	})
	t.Run("what the button says is due is what its rows say", func(t *testing.T) {
		got := plan.Add([]int{1, -1, 1, 0}, people(waiter, patient, lost, removed))
		if !reflect.DeepEqual(got.Due, []gangway.Money{usd(39100 - 48100)}) {
			t.Errorf("%+v", got)
		}
	})
}
