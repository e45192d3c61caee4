package deliver_test

import (
	"net/http"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

func TestHealth(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := newCustomer(t)
		r := newPipeline(t, db, c.URL)
		type figures struct {
			store.OutletBacklog
			store.OutletTimes
		}
		health := func() figures {
			t.Helper()
			waits := calltest.Must(r.in.OutletBacklog(t.Context(), r.outlet.ID))(t)
			times := calltest.Must(r.in.OutletTimes(t.Context(), r.outlet.ID))(t)
			return figures{waits, times}
		}
		began := r.clock.Now()
		t.Run("what waits is counted from the oldest on", func(t *testing.T) {
			r.book(t, "HEALT1")
			r.clock.forward(time.Minute)
			r.book(t, "HEALT2")
			if h := health(); h.Waiting != 2 || !h.Oldest.Equal(began.Truncate(time.Millisecond)) || h.Timed != 0 {
				t.Errorf("health = %+v; want two waiting since %s, and no times", h, began)
			}
		})
		t.Run("times are from the action to the answer, and a replay does not change them", func(t *testing.T) {
			r.clock.forward(time.Minute)
			stop := r.run(t, loopback)
			r.wantStatuses(t, "HEALT1", "done")
			r.wantStatuses(t, "HEALT2", "done")
			want := health()
			if want.Timed != 2 || want.Median != time.Minute || want.Tail != 2*time.Minute || want.Waiting != 0 {
				t.Errorf("health = %+v; want a minute and two, of two deliveries", want)
			}
			r.clock.forward(48 * time.Hour)
			calltest.Done(t, r.in.Replay(t.Context(), storetest.Operator, r.outlet.ID, "HEALT1", 1, "", r.clock.Now()))
			r.wantStatuses(t, "HEALT1", "done")
			stop()
			if h := health(); h != want {
				t.Errorf("after a replay health = %+v; want %+v", h, want)
			}
		})
		t.Run("what was tried is read page by page, the newest first, each once, with the webhook-id it had",
			func(t *testing.T) {
				var place store.AttemptPlace
				var seen []string
				var tried []store.TriedDelivery
				for range 4 {
					page := calltest.Must(r.in.Attempts(t.Context(), r.outlet.ID, place, 1))(t)
					for _, a := range page {
						seen, tried, place = append(seen, a.Booking+" "+a.State), append(tried, a), a.Place()
					}
				}
				if len(seen) != 3 || seen[0] != "HEALT1 done" {
					t.Fatalf("tries = %q; want three, the replay first", seen)
				}
				pushed := map[string]bool{}
				for _, p := range c.wait(t, 3) {
					pushed[p.ID] = true
				}
				for _, a := range tried {
					delete(pushed, a.WebhookID)
				}
				one, err := r.in.DeliveryAttempts(t.Context(), r.outlet.ID, "HEALT1", 1, 3)
				if err != nil || len(pushed) != 0 || len(one) != 2 || one[0] != tried[0].Attempt {
					t.Errorf("the tries do not name %v; of HEALT1 they are %+v, %v; want each that was pushed", pushed,
						one, err)
				}
				booking, id, err := r.in.Replayed(t.Context(), one[1].WebhookID)
				if booking != "HEALT1" || id != one[0].WebhookID || err != nil {
					t.Errorf("%s is found as %s of %s, %v; want HEALT1, as it is called now", one[1].WebhookID, id,
						booking, err)
				}
				if _, _, err := r.in.Replayed(t.Context(), id); gangway.KindOf(err) != gangway.NotFound {
					t.Errorf("%s, which is no earlier one, is found: %v", id, err)
				}
				err = r.in.Replay(t.Context(), storetest.Operator, r.outlet.ID, "HEALT1", 1, one[1].WebhookID,
					r.clock.Now())
				if gangway.KindOf(err) != gangway.NotFound {
					t.Errorf("who saw it before the replay replays it as well: %v", err)
				}
			})
		t.Run("a span of time is delivered again, and nothing else", func(t *testing.T) {
			from, to := began.Add(-time.Second), began.Add(30*time.Second)
			span, err := r.in.DeliveriesIn(t.Context(), r.outlet.ID, from, to)
			if err != nil || span != 1 {
				t.Fatalf("there are %d deliveries, %v; want one", span, err)
			}
			n, err := r.in.ReplaySpan(t.Context(), storetest.Operator, r.outlet.ID, from, to, r.clock.Now())
			if err != nil || n != 1 || health().Waiting != 1 {
				t.Fatalf("%d delivered again, %v, %d waiting; want one", n, err, health().Waiting)
			}
			again := r.statuses(t, r.outlet, "HEALT1")[0]
			if again.Last != (store.Attempt{}) || again.Place.Tries != 0 || !again.Before.Accepted() ||
				again.Before.WebhookID == again.ID {
				t.Errorf("it is %+v; want no try with its webhook-id, and the one before", again)
			}
			r.run(t, loopback)
			r.wantStatuses(t, "HEALT1", "done")
			r.wantStatuses(t, "HEALT2", "done")
			if again = r.statuses(t, r.outlet, "HEALT1")[0]; again.Place.Tries != 1 || again.Attempts != 3 {
				t.Errorf("it is %+v; want one try of three with its webhook-id", again)
			}
		})
		t.Run("a paused outlet gets what waits when it goes on", func(t *testing.T) {
			pause := func(paused bool) {
				t.Helper()
				steer := r.in.ResumeOutlet
				if paused {
					steer = r.in.PauseOutlet
				}
				calltest.Done(t, steer(t.Context(), storetest.Operator, gangway.DefaultOutlet, r.clock.Now()))
			}
			r.run(t, loopback)
			pause(true)
			r.book(t, "HEALT3")
			if n := len(c.wait(t, 4)); n != 4 {
				t.Errorf("%d pushes; want no more than the four before", n)
			}
			pause(false)
			r.wantStatuses(t, "HEALT3", "done")
		})
		t.Run("the last failure is known until a delivery is taken", func(t *testing.T) {
			c.answers(func(int, received) (int, map[string]string) { return http.StatusBadGateway, nil })
			r.run(t, loopback)
			r.book(t, "HEALT4")
			r.attempts(t, "HEALT4", 1)
			last, err := r.in.LastFailure(t.Context(), r.outlet.ID)
			if err != nil || last.Status != http.StatusBadGateway {
				t.Errorf("last failure = %+v, %v; want 502", last, err)
			}
			c.answers(nil)
			r.clock.forward(time.Hour)
			r.wantStatuses(t, "HEALT4", "done")
			until(t, "there is no failure to tell of", func() bool {
				last, err := r.in.LastFailure(t.Context(), r.outlet.ID)
				return err == nil && last.At.IsZero()
			})
		})
	})
}
