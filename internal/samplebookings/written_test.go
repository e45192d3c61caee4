package samplebookings_test

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/report"
	"gangway/internal/report/odata"
	"gangway/internal/report/query"
	"gangway/internal/samplebookings"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// long after the plan has ended, everything that waits is due.
var later = end.AddDate(1, 0, 0)

// Made-up bookings are written with their rows of the report, and nobody acts on them: nothing is pushed or pulled,
// nothing falls due, nothing is erased, and another account has nothing of them.
func TestWritten(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		prod, dev := storetest.Accounts(t, db)
		in := db.In(dev.Scope())
		storetest.Settings(t, in, gangway.Settings{PaymentMethod: "credit card", Keep: 1})
		outlet, err := in.SetOutlet(ctx, storetest.Operator, gangway.DefaultOutlet,
			storetest.PushTo("https://crew.example/"),
			[]string{"whsec_" + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}, storetest.Began)
		calltest.Done(t, err)
		dev = calltest.Must(in.Account(ctx))(t)
		list := made(t, samplebookings.Plan{Account: dev, Seed: 2, Count: 150, Until: until})
		if err := db.In(prod.Scope()).AddSamples(ctx, list); gangway.KindOf(err) != gangway.Invalid {
			t.Errorf("production takes them: %v", err)
		}
		for part := range slices.Chunk(list, 60) {
			calltest.Done(t, in.AddSamples(ctx, part))
		}
		calltest.Done(t, db.RefreshStatistics(ctx))

		t.Run("as they were made", func(t *testing.T) { checkWritten(t, in, dev, list) })

		t.Run("nothing is delivered", func(t *testing.T) {
			if waits, err := in.PullWaits(ctx, later); waits || err != nil {
				t.Errorf("something waits to be pulled: %v %v", waits, err)
			}
			found, err := in.BeginPull(ctx, store.PullAsk{ID: "first", Named: true, Limit: 1000, Now: later})
			if found || err != nil {
				t.Errorf("something was pulled: %v %v", found, err)
			}
			long := end.AddDate(-9, 0, 0)
			at, err := in.Modified(ctx, long, store.Position{}, 10)
			if len(at) > 0 || err != nil {
				t.Errorf("something was modified: %v %v", at, err)
			}
			if at, err = in.Created(ctx, long, later, store.Position{}, 10); len(at) > 0 || err != nil {
				t.Errorf("something was created: %v %v", at, err)
			}
			queues, err := db.TakeQueues(ctx, later, 10, 10, nil)
			if len(queues) > 0 || err != nil {
				t.Errorf("something is pushed to %s: %v %v", outlet.Address(), queues, err)
			}
			for _, b := range list {
				if d, err := in.DeliveryStatuses(ctx, b.ID); len(d) > 0 || err != nil {
					t.Fatalf("booking %s has deliveries: %v %v", b.ID, d, err)
				}
			}
		})

		t.Run("nobody is waited for", func(t *testing.T) {
			due, err := db.TakeDue(ctx, later, later.Add(time.Minute), store.WorkCapacity{All: 10, Each: 10})
			if len(due) > 0 || err != nil {
				t.Errorf("something is due: %v %v", due, err)
			}
			if w, err := in.Waits(ctx, later, later); w != (store.Waits{}) || err != nil {
				t.Errorf("somebody is waited for: %+v %v", w, err)
			}
			if some, err := in.BookingsToApprove(ctx, 10); len(some) > 0 || err != nil {
				t.Errorf("%d wait for an approver: %v", len(some), err)
			}
			traveller := list[0].Passenger
			some, err := in.BookingsOf(ctx, traveller, "2000-01-01", "2100-01-01")
			if len(some) > 0 || err != nil {
				t.Errorf("a namesake is booked already: %v", err)
			}
		})

		t.Run("nothing is erased", func(t *testing.T) {
			erased, err := in.EraseOld(ctx, later, later, nil)
			if erased.Rows() > 0 || err != nil {
				t.Errorf("something was erased: %+v %v", erased, err)
			}
			if traced, err := db.Trace(ctx); traced || err != nil {
				t.Errorf("travellers were taken down to be erased: %v", err)
			}
		})

		t.Run("another account has nothing of them", func(t *testing.T) {
			if some, _, err := db.In(prod.Scope()).Bookings(ctx, store.BookingQuery{}); len(some) > 0 || err != nil {
				t.Errorf("production has %d bookings: %v", len(some), err)
			}
			if rows := reported(t, db.In(prod.Scope())); len(rows) > 0 {
				t.Errorf("production's report has %d rows", len(rows))
			}
		})

		t.Run("they are removed", func(t *testing.T) { checkRemoved(t, db, in, list) })
	})
}

// checkWritten holds what is stored against what was made up.
func checkWritten(t *testing.T, in store.Scoped, dev gangway.Account, list []store.SampleBooking) {
	rows, locators := reported(t, in), map[string]bool{}
	if len(rows) != len(list) {
		t.Errorf("the report has %d rows; want %d", len(rows), len(list))
	}
	for _, b := range list {
		stored := calltest.Must(in.Booking(t.Context(), b.ID))(t)
		if locators[stored.Locator] = true; len(stored.Locator) != gangway.LocatorLength || stored.State != b.State ||
			stored.Price != b.Price || stored.PaymentMethod != "credit card" {
			t.Errorf("booking %s is stored as %+v", b.ID, stored)
		}
		row := report.FlightBookings.AppendMembers(nil, report.RowOf(stored, dev.Customer.ID))
		if rows[b.ID] != string(row) {
			t.Errorf("booking %s is\n%s\nin the report; want\n%s", b.ID, rows[b.ID], row)
		}
		if by := b.Actions[0]; by.By != gangway.System && by.ByName != stored.CreatedByName {
			t.Errorf("booking %s was made by %q, and its action by %q", b.ID, stored.CreatedByName, by.ByName)
		}
		history, err := in.History(t.Context(), b.ID)
		if err != nil || len(history) != len(b.Actions) {
			t.Errorf("booking %s has %d actions: %v", b.ID, len(history), err)
		}
		for i, a := range history {
			if a != b.Actions[i].Action {
				t.Errorf("booking %s: action %d is %+v; want %+v", b.ID, i+1, a, b.Actions[i].Action)
			}
		}
		if found, err := in.BookingByLocator(t.Context(), stored.Locator); err != nil || found.ID != b.ID {
			t.Errorf("locator %s finds %s: %v", stored.Locator, found.ID, err)
		}
	}
	if len(locators) != len(list) {
		t.Errorf("%d bookings have %d locators", len(list), len(locators))
	}
	ids := []string{list[0].ID, "another", list[9].ID}
	there, err := in.BookingsThere(t.Context(), ids)
	if want := map[string]bool{list[0].ID: true, list[9].ID: true}; !maps.Equal(there, want) || err != nil {
		t.Errorf("of %v, %v are there: %v", ids, there, err)
	}
}

// Whoever is interrupted has whole batches, and the next run makes the others.
func TestInterrupted(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		_, dev := storetest.Accounts(t, db)
		in, plan := db.In(dev.Scope()), samplebookings.Plan{Account: dev, Seed: 4, Count: 90, Until: until}
		ctx, cancel := context.WithCancel(t.Context())
		written := add(t, ctx, in, plan, func(batch int) {
			if batch == 2 {
				cancel()
			}
		})
		rows := reported(t, in)
		if len(rows) != written || written == 0 || written == plan.Count {
			t.Errorf("%d bookings were written before it was interrupted; the report has %d", written, len(rows))
		}
		if rest := add(t, t.Context(), in, plan, func(int) {}); written+rest != plan.Count {
			t.Errorf("the next run wrote %d more; want %d", rest, plan.Count-written)
		}
		if rows = reported(t, in); len(rows) != plan.Count {
			t.Errorf("the report has %d rows; want %d", len(rows), plan.Count)
		}
	})
}

// add writes the bookings of a plan that are not there, until ctx ends, and returns how many that were. before is
// called before each batch is written.
func add(t *testing.T, ctx context.Context, in store.Scoped, plan samplebookings.Plan, before func(batch int)) (n int) {
	t.Helper()
	m := calltest.Must(samplebookings.New(plan))(t)
	there := func(ids []string) (map[string]bool, error) { return in.BookingsThere(ctx, ids) }
	batch := 0
	for b, err := range m.Batches(ctx, 15, there) {
		if err == nil {
			before(batch)
			err = in.AddSamples(ctx, b.New)
		}
		if ctx.Err() != nil {
			return n
		}
		calltest.Done(t, err)
		n, batch = n+len(b.New), batch+1
	}
	return n
}

// checkRemoved removes what was made up; another plan's bookings can be written then.
func checkRemoved(t *testing.T, db *store.DB, in store.Scoped, list []store.SampleBooking) {
	for calltest.Must(db.SumReports(t.Context()))(t) { // and what the report's page adds up of them goes too
	}
	summed := func() (n int) {
		calltest.Done(t, in.ReportLines(t.Context(), 0, 1<<62, false, func(store.ReportLine) { n++ }))
		return n
	}
	if n := summed(); n != len(list) {
		t.Errorf("%d of %d bookings are added up", n, len(list))
	}
	n := 0
	if err := in.RemoveSamples(t.Context(), func(some int) { n += some }); err != nil || n != len(list) {
		t.Errorf("%d of %d bookings were removed: %v", n, len(list), err)
	}
	if some, _, err := in.Bookings(t.Context(), store.BookingQuery{}); len(some) > 0 || err != nil {
		t.Errorf("%d bookings are left: %v", len(some), err)
	}
	if rows := reported(t, in); len(rows) > 0 || summed() > 0 {
		t.Errorf("the report has %d rows, and adds up %d", len(rows), summed())
	}
	if err := in.AddSamples(t.Context(), list[:10]); err != nil {
		t.Errorf("they cannot be made up again: %v", err)
	}
	if rows := reported(t, in); len(rows) != 10 {
		t.Errorf("the report has %d rows; want 10", len(rows))
	}
}

// reported returns the rows of the report as they are read, by BookingId.
func reported(t *testing.T, in store.Scoped) map[string]string {
	t.Helper()
	req := calltest.Must(odata.Parse(query.Schema, report.FlightBookings.Name, "", odata.Options{Now: later}))(t)
	rows := map[string]string{}
	err := in.Report(t.Context(), query.Request{Query: req.Query}, store.ReportAnswer{Row: func(r query.Row) error {
		members := r.AppendMembers(nil)
		_, id, _ := bytes.Cut(members, []byte(`"BookingId":"`))
		id, _, _ = bytes.Cut(id, []byte(`"`))
		rows[string(id)] = string(members)
		return nil
	}})
	calltest.Done(t, err)
	return rows
}
