package store_test

import (
	"fmt"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestRecheck holds that a booking that is to be issued automatically is due as
// soon as its plan changes, in whichever way, and that no other booking is.
func TestRecheck(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		later := storetest.Began.Add(48 * time.Hour)
		n := 0
		held := func(p gangway.Purpose, auto bool, state gangway.State) string {
			t.Helper()
			b := createBooking(t, in, fmt.Sprintf("%c-booking", 'A'+n), func(b *gangway.Booking) {
				b.Purpose, b.AutoIssue, b.CheckAt = p, auto, later
			})
			n++
			must(t, did(in.UpdateBooking(t.Context(), b.ID, "", func(b *gangway.Booking) (gangway.Action, error) {
				b.State = state
				return gangway.Action{}, nil
			})))
			return b.ID
		}
		crew, manual := gangway.Purpose{Change: "id:CC-1", Search: "s1"}, gangway.Purpose{Change: "id:hand",
			Search: "s2"}
		request := gangway.Purpose{RequestID: "R-1", SubRequestID: "2"}
		ids := map[string]string{
			"crew": held(crew, true, gangway.Confirmed), "approval": held(crew, true, gangway.ApprovalRequired),
			"search":  held(manual, true, gangway.Confirmed),
			"request": held(request, true, gangway.Confirmed),
			"let go":  held(crew, false, gangway.Confirmed), "issued": held(crew, true, gangway.Issued),
			"none": held(gangway.Purpose{}, true, gangway.Confirmed),
		}
		change := func(vessel string) {
			t.Helper()
			c := gangway.CrewChange{Vessel: vessel, TravelRequestID: "CC-1", ChangeDate: "2026-12-01"}
			must(t, did(in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{c}, storetest.Began)))
		}
		travel := func(sub string) {
			t.Helper()
			list := []gangway.TravelRequest{{RequestID: "R-9"}, {RequestID: "R-1", SubRequestID: sub},
				{RequestID: "A-1"}}
			must(t, did(in.UpsertTravelRequests(t.Context(), list)))
		}
		must(t, in.SaveSearch(t.Context(), gangway.Search{ID: "s2", CreatedAt: storetest.Began}))
		done := func(_ int, err error) error { return err }
		steps := []struct {
			name string
			do   func() error
			due  []string
		}{
			{"a crew change is sent", func() error { change("Nordlys"); return nil }, []string{"crew", "approval"}},
			{"it is sent again as it was", func() error { change("Nordlys"); return nil }, nil},
			{"its vessel changes", func() error { change("Polaris"); return nil }, []string{"crew", "approval"}},
			{"it is moved by a booker", func() error {
				return in.MoveCrewChange(t.Context(), "id:CC-1", gangway.ShipMove{})
			}, []string{"crew", "approval"}},
			{"it is taken back", func() error {
				return done(in.DeleteCrewChange(t.Context(), "id:CC-1"))
			}, []string{"crew", "approval"}},
			{"and taken back again", func() error { return done(in.DeleteCrewChange(t.Context(), "id:CC-1")) }, nil},
			{"a travel request is sent", func() error { travel("2"); return nil }, []string{"request"}},
			{"it is sent again as it was", func() error { travel("2"); return nil }, nil},
			{"it is taken back", func() error {
				return done(in.DeleteTravelRequests(t.Context(), "R-1", nil))
			}, []string{"request"}},
			{"a search is changed", func() error {
				_, err := in.UpdateSearch(t.Context(), "s2", func(s *gangway.Search) error {
					s.Date = "2026-12-09"
					return nil
				})
				return err
			}, []string{"search"}},
		}
		for _, step := range steps {
			t.Run(step.name, func(t *testing.T) {
				must(t, step.do())
				due := map[string]bool{}
				for _, name := range step.due {
					due[name] = true
				}
				for name, id := range ids {
					b := sure(in.Booking(t.Context(), id))(t)
					if got := !b.CheckAt.After(storetest.Began); got != due[name] {
						t.Errorf("%s is looked at at %s; due: %v, want %v", name, b.CheckAt, got, due[name])
					}
					must(t, in.LookAgain(t.Context(), b, later))
				}
			})
		}
	})
}
