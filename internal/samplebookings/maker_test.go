package samplebookings_test

import (
	"flag"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/samplebookings"
	"gangway/internal/store"
)

const until = gangway.Date("2026-11-20")

var end = until.In(time.UTC)

// nothing is there yet.
func nothing([]string) (map[string]bool, error) { return nil, nil }

// made returns all bookings of a plan.
func made(t testing.TB, p samplebookings.Plan) (list []store.SampleBooking) {
	t.Helper()
	m := calltest.Must(samplebookings.New(p))(t)
	for b, err := range m.Batches(t.Context(), 50, nothing) {
		calltest.Done(t, err)
		list = append(list, b.New...)
	}
	if len(list) != p.Count {
		t.Fatalf("%d bookings were made up; want %d", len(list), p.Count)
	}
	return list
}

// The same plan makes the same bookings, and each other plan makes others.
func TestSamePlan(t *testing.T) {
	plan := samplebookings.Plan{Account: gangway.Account{ID: "acc_1"}, Seed: 7, Count: 120, Until: until}
	first := made(t, plan)
	if again := made(t, plan); !reflect.DeepEqual(first, again) {
		t.Error("the same plan makes up other bookings")
	}
	ids := map[string]bool{}
	for _, b := range first {
		ids[b.ID] = true
	}
	if len(ids) != len(first) {
		t.Errorf("%d bookings have %d identifiers", len(first), len(ids))
	}
	for what, change := range map[string]func(*samplebookings.Plan){
		"seed":    func(p *samplebookings.Plan) { p.Seed = 8 },
		"count":   func(p *samplebookings.Plan) { p.Count = 121 },
		"day":     func(p *samplebookings.Plan) { p.Until = "2026-11-19" },
		"account": func(p *samplebookings.Plan) { p.Account.ID = "acc_2" },
	} {
		other := plan
		change(&other)
		if slices.ContainsFunc(made(t, other), func(b store.SampleBooking) bool { return ids[b.ID] }) {
			t.Errorf("another %s makes up the same booking", what)
		}
	}
}

// What is there already is not made up again, and the rest is the same as without it.
func TestTheRest(t *testing.T) {
	plan := samplebookings.Plan{Seed: 3, Count: 100, Until: until}
	whole := made(t, plan)
	m := calltest.Must(samplebookings.New(plan))(t)
	var rest []store.SampleBooking
	there := 0
	for b, err := range m.Batches(t.Context(), 10, func(ids []string) (map[string]bool, error) {
		known := map[string]bool{}
		for _, b := range whole[:35] {
			known[b.ID] = true
		}
		return known, nil
	}) {
		calltest.Done(t, err)
		rest, there = append(rest, b.New...), there+b.There
	}
	if there != 35 || !reflect.DeepEqual(rest, whole[35:]) {
		t.Errorf("%d of 35 were known, and the other %d are not the same", there, len(rest))
	}
}

// Even a few hundred bookings are in every state, and what happened to each is what can happen, one thing after the
// other, before the plan ends.
func TestLives(t *testing.T) {
	states := map[gangway.State]int{}
	for _, b := range made(t, samplebookings.Plan{Seed: 1, Count: 300, Until: until}) {
		states[b.State]++
		last := b.Actions[len(b.Actions)-1]
		if !b.Sample() || b.Version != len(b.Actions) || b.State != last.Name {
			t.Errorf("booking %s is %s, version %d, after %d actions, the last %s", b.ID, b.State, b.Version,
				len(b.Actions), last.Name)
		}
		before, from := b.CreatedAt, gangway.None
		for i, a := range b.Actions {
			if a.Seq != i+1 || a.At.Before(before) || !a.At.Before(end) || a.After.State != a.Name ||
				a.After.Version != a.Seq || a.After.Previous != from || !a.After.Sample() {
				t.Errorf("booking %s: action %d is %+v, after %s at %s", b.ID, i+1, a.Action, from, before)
			}
			before, from = a.At, a.Name
		}
		if first := end.AddDate(-samplebookings.Years, 0, 0); b.CreatedAt.Before(first) || !b.CreatedAt.Before(end) {
			t.Errorf("booking %s was made at %s", b.ID, b.CreatedAt)
		}
		if b.Attention.Open() {
			t.Errorf("booking %s needs a person: %s", b.ID, b.Attention.Why)
		}
		if paid := b.PaidSoFar(); b.Ticketed() && paid != b.Price.Total {
			t.Errorf("booking %s costs %s, and %s was paid", b.ID, b.Price.Total, paid)
		}
	}
	for _, state := range gangway.States {
		if states[state] == 0 {
			t.Errorf("no booking is %s: %v", state, states)
		}
	}
}

var many = flag.Int("sample-count", 2000, "how many bookings are made up to see what they are like")

// A report of them has something to tell: many itineraries, vessels, currencies and kinds of fares; approvals,
// refunds, changes, no-shows and invoices; and who books late pays more.
func TestSomethingToTell(t *testing.T) {
	itineraries, vessels, currencies, fares := map[string]bool{}, map[string]int{}, map[string]int{}, map[string]int{}
	counts, perVessel := map[string]int{}, map[string]string{} // what a vessel has → the vessel
	count := func(what string, is bool) {
		if is {
			counts[what]++
		}
	}
	var early, late, earlyKm, lateKm float64 // of Classic fares in dollars
	for _, b := range made(t, samplebookings.Plan{Seed: 5, Count: *many, Until: until}) {
		var flights []string
		for _, s := range b.Itinerary.Segments {
			flights = append(flights, s.Carrier+s.FlightNumber+s.Departure.String())
		}
		itineraries[strings.Join(flights, " ")] = true
		currencies[b.Price.Total.Currency]++
		fares[b.Terms.Brand]++
		count("approved", b.Approval != nil && b.State != gangway.Declined && b.Approval.DecidedBy != "")
		count("refunded", b.Refund != nil && !b.Refund.Amount.IsZero() && !b.Refund.SettledAt.IsZero())
		count("changed", slices.ContainsFunc(b.Actions, func(a store.SampleAction) bool {
			return a.Name == gangway.ChangePending
		}))
		count("changed by the airline", b.Notice != nil)
		count("no-show", b.NoShow != nil && b.NoShow.Missed)
		count("invoiced", len(b.InvoiceNumbers()) > 0)
		count("issued automatically", slices.ContainsFunc(b.Actions, func(a store.SampleAction) bool {
			return a.Name == gangway.Issued && a.By == gangway.System
		}))
		count("frequent flyer", b.Passenger.FrequentFlyer.Number != "")
		count("custom fields", len(b.Purpose.CustomFields) > 1)
		count("with a flag", b.Purpose.Flag != "")
		name := b.Passenger.FirstName + b.Passenger.LastName
		count("beyond ASCII", strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }))
		count("with an apostrophe", strings.Contains(name, "'"))
		of := b.Purpose.Vessel
		perVessel[of+" pays in "+b.Price.Total.Currency] = of
		perVessel[of+" flies "+string(b.Itinerary.Segments[0].Cabin)] = of
		if b.Terms.Brand != "Classic" || b.Price.Total.Currency != "USD" {
			continue
		}
		cost, km := float64(b.Price.Total.Minor), float64(b.Itinerary.DistanceKm())
		switch ahead := b.Itinerary.Departure().Sub(b.CreatedAt).Hours() / 24; {
		case ahead < 7:
			late, lateKm = late+cost, lateKm+km
		case ahead > 30:
			early, earlyKm = early+cost, earlyKm+km
		}
	}
	for _, of := range perVessel {
		vessels[of]++
	}
	if want := min(*many*6/10, 20_000); len(itineraries) < want {
		t.Errorf("%d bookings have %d different itineraries; want %d", *many, len(itineraries), want)
	}
	if len(vessels) < 6 || len(currencies) < 4 || len(fares) < 4 {
		t.Errorf("there are %d vessels, the currencies %v and the fares %v", len(vessels), currencies, fares)
	}
	for what, least := range map[string]int{"approved": 100, "refunded": 100, "changed": 100, "no-show": 9,
		"changed by the airline": 50, "invoiced": 1000, "issued automatically": 500, "frequent flyer": 200,
		"custom fields": *many, "with a flag": *many, "beyond ASCII": 100, "with an apostrophe": 5} {
		if counts[what] < least {
			t.Errorf("%d of %d bookings are %s; want %d or more", counts[what], *many, what, least)
		}
	}
	for of, n := range vessels {
		if n < 3 {
			t.Errorf("%s has %d currencies and cabins; want 3 at least", of, n)
		}
	}
	if late/lateKm < 1.15*early/earlyKm {
		t.Errorf("a kilometre costs %.2f cents if booked late, and %.2f if booked early", late/lateKm, early/earlyKm)
	}
	t.Logf("%d itineraries, %d vessels, %v %v %v", len(itineraries), len(vessels), currencies, fares, counts)
}
