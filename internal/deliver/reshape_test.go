package deliver_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"gangway/internal/accept/mapping"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// change changes the pipeline's outlet.
func (r *pipeline) change(t *testing.T, edit func(*gangway.Outlet)) {
	t.Helper()
	_, err := r.in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
		func(old store.StoredOutlet) (gangway.Outlet, error) {
			edit(&old.Outlet)
			return old.Outlet, nil
		}, nil, r.clock.Now())
	calltest.Done(t, err)
}

func mapBy(program string) func(*gangway.Outlet) {
	return func(o *gangway.Outlet) { o.Mapping = program }
}

func TestMapping(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("what the mapping makes is the body, the same on every try, whatever the mapping is by then",
			func(t *testing.T) {
				c := newCustomer(t)
				c.answers(func(n int, _ received) (int, map[string]string) {
					if n == 1 {
						return http.StatusServiceUnavailable, nil
					}
					return http.StatusOK, nil
				})
				r := newPipeline(t, db, c.URL)
				r.change(t, mapBy(`[{ref: .locator, was: .state, total: .price.total}]`))
				r.book(t, "M00001")
				r.run(t, loopback)
				r.attempts(t, "M00001", 1)
				r.change(t, mapBy(`{now: .locator}`)) // and all is due at once
				r.move(t, "M00001", gangway.Issue)
				got := c.wait(t, 3)
				if want := `[{"ref":"M00001","total":482.00,"was":"confirmed"}]`; string(got[0].Body) != want {
					t.Errorf("it got %s; want %s", got[0].Body, want)
				}
				if !bytes.Equal(got[0].Body, got[1].Body) || got[0].ID != got[1].ID {
					t.Errorf("the second try is %s %s; want the same again", got[1].ID, got[1].Body)
				}
				if string(got[2].Body) != `{"now":"M00001"}` {
					t.Errorf("the next action is %s; want it by the mapping as it is then", got[2].Body)
				}
			})
		t.Run("a record that the mapping leaves out is not sent, and the next one is", func(t *testing.T) {
			c := newCustomer(t)
			r := newPipeline(t, db, c.URL)
			r.change(t, mapBy(`select(.state != "confirmed") | {id, state}`))
			r.book(t, "M00002")
			r.move(t, "M00002", gangway.Issue)
			r.run(t, loopback)
			list := r.wantStatuses(t, "M00002", "done", "done")
			got := c.wait(t, 1)
			if len(got) != 1 || got[0].State != "issued" || list[0].Attempts != 0 || !list[0].DoneAt.IsZero() ||
				list[1].Attempts != 1 {
				t.Errorf("%d came, %+v; want the second action alone, and the first neither tried nor delivered",
					len(got), list)
			}
		})
		t.Run("one on which it fails is parked with the reason, later ones go on, and a replay has a new id",
			func(t *testing.T) {
				c := newCustomer(t)
				r := newPipeline(t, db, c.URL)
				r.change(t, mapBy(`if .state == "confirmed" then error("no cost centre") else {id, state} end`))
				r.book(t, "M00003")
				r.move(t, "M00003", gangway.Issue)
				r.run(t, loopback)
				list := r.wantStatuses(t, "M00003", "parked", "done")
				if !strings.Contains(list[0].Last.Answer, "The mapping fails on this record: ") ||
					!strings.Contains(list[0].Last.Answer, "no cost centre") {
					t.Errorf("it says %q; want what the program says", list[0].Last.Answer)
				}
				r.change(t, mapBy(`{id, state, again: true}`))
				if n, err := r.in.ReplayAll(t.Context(), storetest.Operator, r.outlet.ID, r.clock.Now()); n != 1 ||
					err != nil {
					t.Fatalf("ReplayAll = %d, %v", n, err)
				}
				c.wait(t, 2)
				err := r.in.Replay(t.Context(), storetest.Operator, r.outlet.ID, "M00003", 2, "", r.clock.Now())
				calltest.Done(t, err)
				got := c.wait(t, 3)
				if got[2].ID == got[0].ID || !strings.HasPrefix(got[2].ID, "msg_") ||
					strings.Contains(got[2].ID, ".") || string(got[2].Body) != `{"again":true,"id":"M00003","state":"issued"}` {
					t.Errorf("replayed: %s %s; want it mapped anew, under another id than %s", got[2].ID, got[2].Body,
						got[0].ID)
				}
			})
		t.Run("one that uses up what it may again and again rests, until it is resumed, or for good once it is changed",
			func(t *testing.T) {
				c := newCustomer(t)
				r := newPipeline(t, db, c.URL)
				r.workers = mapping.NewWorkers()
				r.workers.Limits.Record = 200 * time.Millisecond
				r.change(t, mapBy(`def f: f; f`))
				ids := []string{"M10", "M11", "M12", "M13"}
				for _, id := range ids {
					r.book(t, id)
				}
				r.run(t, loopback)
				count := func(state string) (n int) {
					for _, d := range r.statuses(t, r.outlet, ids...) {
						if d.State == state {
							n++
						}
					}
					return n
				}
				tries := func() (n int) {
					for _, d := range r.statuses(t, r.outlet, ids...) {
						n += d.Attempts
					}
					return n
				}
				for n := range 3 {
					until(t, "it is tried again", func() bool { return tries() > n })
					r.clock.forward(time.Minute)
				}
				held := func() time.Time {
					o := calltest.Must(r.in.Outlets(t.Context()))(t)
					return o[0].HeldUntil
				}
				until(t, "the mapping rests", func() bool { return !held().IsZero() })
				before := held()
				calltest.Done(t, r.in.ResumeOutlet(t.Context(), storetest.Operator, r.outlet.Name, r.clock.Now()))
				until(t, "it is tried once more, and rests again", func() bool { return held().After(before) })
				r.change(t, mapBy(`{id, state}`))
				until(t, "all are delivered", func() bool {
					r.clock.forward(time.Minute)
					return count("done") == len(ids)
				})
			})
		t.Run("an outlet gets the states that it is for, others are not even waiting", func(t *testing.T) {
			c := newCustomer(t)
			r := newPipeline(t, db, c.URL)
			r.change(t, func(o *gangway.Outlet) { o.States = []gangway.State{gangway.Issued, gangway.Cancelled} })
			r.book(t, "M00004")
			r.move(t, "M00004", gangway.Issue)
			r.run(t, loopback)
			list := r.wantStatuses(t, "M00004", "done")
			if got := c.wait(t, 1); len(got) != 1 || got[0].State != "issued" || list[0].Seq != 2 {
				t.Errorf("it got %d, the first of %s with %d; want the second action alone", len(got), got[0].State,
					list[0].Seq)
			}
		})
	})
}

// TestNothingLeaves: an outlet fails since the first of however many records in a row of which nothing can be made, and
// delivering these again to no avail hides nothing of that.
func TestNothingLeaves(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		const records = 110 // more than are judged at first
		for _, again := range []bool{false, true} {
			c := newCustomer(t)
			r := newPipeline(t, db, c.URL)
			r.change(t, mapBy(`if .id | startswith("FINE") then {id} else error("no vessel") end`))
			settle := func(parked int) {
				t.Helper()
				r.clock.forward(time.Second)
				stop := r.run(t, loopback)
				defer stop()
				until(t, fmt.Sprintf("%d are parked, and nothing waits", parked), func() bool {
					b, err := r.in.OutletBacklog(t.Context(), r.outlet.ID)
					return err == nil && b.Waiting == 0 && b.Parked == parked
				})
			}
			r.book(t, fmt.Sprint("FINE", again))
			settle(0)
			r.book(t, fmt.Sprint("FIRST", again))
			settle(1)
			began := r.clock.Now()
			for n := range records {
				r.book(t, fmt.Sprint("N", n, again))
			}
			settle(1 + records)
			if again {
				n, err := r.in.ReplayAll(t.Context(), storetest.Operator, r.outlet.ID, r.clock.Now())
				if n != 1+records || err != nil {
					t.Fatalf("ReplayAll = %d, %v", n, err)
				}
				settle(1 + records)
			}
			o := calltest.Must(r.in.Outlet(t.Context(), r.outlet.Name))(t)
			since, err := r.in.NoteUnmade(t.Context(), o, r.clock.Now().Add(gangway.TriesKnown))
			if err != nil || !since.Equal(began) {
				t.Errorf("delivered again: %v; failing since %s, %v; want %s", again, since, err, began)
			}
		}
	})
}
