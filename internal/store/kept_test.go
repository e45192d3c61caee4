package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// yearLong keeps everything for a year.
var yearLong = store.Keep{Actions: gangway.Kept{Months: 12}, Deliveries: gangway.Kept{Months: 12},
	Audit: gangway.Kept{Months: 12}, Requests: gangway.Kept{Months: 12}, Searches: gangway.Kept{Months: 12},
	FeedDocuments: gangway.Kept{Days: 80}}

// forgets expires at an instant, and fails unless as many rows go as Kept has announced. It returns how many of
// actions, deliveries and audit entries those are.
func forgets(t *testing.T, db *store.DB, now time.Time) [3]int {
	t.Helper()
	kinds := sure(db.Kept(t.Context(), db.Keeps(), now))(t)
	e := sure(db.Expire(t.Context(), now))(t)
	went := [3]int{e.Actions, e.Deliveries, e.Audit}
	for i, n := range went {
		if int(kinds[i].Removes) != n {
			t.Errorf("%d %s went; %d were announced", n, kinds[i].Kind, kinds[i].Removes)
		}
	}
	return went
}

// TestOldActions holds what goes of a booking's actions, when they are old: nothing that is to be delivered or pulled,
// and nothing that a customer, the history or an erasure reads later.
func TestOldActions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		keep := store.UsualKeep
		keep.Actions = yearLong.Actions
		db.KeepFor(keep)
		outlet, err := in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
			storetest.PushTo("https://crew.example.com/"), nil, noon)
		must(t, err)
		createBooking(t, in, "b1", nil)
		must(t, did(in.UpdateBooking(t.Context(), "b1", "", issue)))
		accepted, later := noon.Add(time.Hour), noon.AddDate(1, 2, 0) // a year and a month after the flight
		want := func(words string, n [3]int) {
			t.Helper()
			if got := forgets(t, db, later); got != n {
				t.Errorf("%s: %v went; want %v", words, got, n)
			}
		}
		want("deliveries wait", [3]int{})
		deliver := func(state string, f *store.DeliveryFailure) {
			t.Helper()
			l, d := storetest.TakeDelivery(t, db, later)
			must(t, storetest.SettleTry(t, db, l, d, state, store.Attempt{At: accepted, Status: 200}, f))
		}
		deliver("done", nil)
		deliver("parked", &store.DeliveryFailure{Park: true, Probe: later})
		want("a delivery is parked", [3]int{})
		must(t, did(in.ReplayAll(t.Context(), storetest.Operator, outlet.ID, later)))
		deliver("done", nil)
		createBooking(t, in, "b2", nil)
		deliver("done", nil)
		pull := store.PullAsk{ID: "p1", Named: true, Limit: 1, Now: later, Lease: later}
		must(t, did(in.BeginPull(t.Context(), pull)))
		createBooking(t, in, "b3", nil)
		must(t, did(in.UpdateBooking(t.Context(), "b3", "", issue)))
		deliver("done", nil)
		deliver("done", nil)
		want("the customer pulls, and b3 was not pulled", [3]int{1, 0, 0})

		history, err := in.History(t.Context(), "b1")
		if err != nil || len(history) != 2 {
			t.Errorf("History = %v, %v; want both actions", history, err)
		}
		pulled, err := in.PullPart(t.Context(), "p1", 0, 10)
		if err != nil || len(pulled) != 1 || len(pulled[0].Actions) != 2 || pulled[0].Then.State != gangway.Issued {
			t.Errorf("PullPart = %+v, %v; want both actions and the booking after them", pulled, err)
		}
		all, err := in.ActionsAfter(t.Context(), []store.Position{{Booking: "b1"}}, time.Time{})
		if err != nil || len(all) != 1 || all[0].Then.State != gangway.Issued {
			t.Errorf("ActionsAfter = %+v, %v; want the booking as it is", all, err)
		}
		n, err := in.ReplaySpan(t.Context(), storetest.Operator, outlet.ID, noon, later, later)
		if err != nil || n != 4 {
			t.Errorf("ReplaySpan = %d, %v; want the latest action of b1 and what is kept of the others", n, err)
		}
		if e, err := in.EraseOld(t.Context(), later, later, nil); err != nil || e.Bookings != 2 {
			t.Errorf("EraseOld = %+v, %v; want the two that were issued erased", e, err)
		}
		want("all is delivered again first", [3]int{})
	})
}

// TestOldRowsGoInPortions holds that deliveries and entries of the audit log go by their age alone, however many there
// are, and that a queue that went comes back with the next action.
func TestOldRowsGoInPortions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		must(t, did(in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
			storetest.PushTo("https://crew.example.com/"), nil, noon)))
		const many = 210 // more than are deleted at once
		later := noon.AddDate(1, 2, 0)
		for i := range many {
			createBooking(t, in, fmt.Sprintf("b%03d", i), func(b *gangway.Booking) {
				if i == many-1 { // it has not flown
					b.Itinerary.Segments[0].Departure = later.AddDate(0, 1, 0)
				}
			})
			must(t, in.Record(t.Context(), storetest.Operator, gangway.SystemChecked, nil, noon))
		}
		queues := sure(db.TakeQueues(t.Context(), noon, many, many, nil))(t)
		next := sure(db.NextDeliveries(t.Context(), queues))(t)
		for i, n := range next {
			if queues[i].Booking != "b000" { // that one waits
				must(t, storetest.SettleTry(t, db, queues[i], *n.Delivery, "done",
					store.Attempt{At: noon, Status: 200}, nil))
			}
		}
		if went := forgets(t, db, later); went != [3]int{} {
			t.Errorf("%v went without a setting", went)
		}
		db.KeepFor(yearLong)
		must(t, in.Record(t.Context(), storetest.Operator, gangway.SystemChecked, nil, later))
		for sure(db.ChainAudit(t.Context()))(t) { // only what has its place in the chain goes
		}
		if went := forgets(t, db, later); went[1] != many-2 || went[2] < many {
			t.Errorf("%v went; want the %d deliveries that are done and have flown, and all old entries", went, many-2)
		}
		entries, err := db.Audit(t.Context(), store.AuditQuery{}, 10)
		if err != nil || len(entries) != 1 || !entries[0].At.Equal(later) {
			t.Errorf("entries left: %+v, %v; want the new one", entries, err)
		}
		const b = "b001"
		must(t, did(in.UpdateBooking(t.Context(), b, "", issue)))
		again, err := db.TakeQueues(t.Context(), later, many, many, nil)
		if err != nil || !slices.ContainsFunc(again, func(q store.DeliveryQueue) bool { return q.Booking == b }) {
			t.Errorf("TakeQueues = %v, %v; want the queue of %s again", again, err, b)
		}
	})
}
