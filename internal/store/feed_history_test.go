package store_test

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestLatestFeedRuns holds that one question tells how the history of each feed ends: its last run,
// and the last one that went well.
func TestLatestFeedRuns(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in, other := db.In(storetest.Account(t, db).Scope()), db.In(storetest.Account(t, db).Scope())
		ran := func(in store.Scoped, feed string, run gangway.FeedRun) gangway.FeedRun {
			t.Helper()
			l := sure(in.TakeFeed(t.Context(), feed, storetest.Began, storetest.Began.Add(time.Minute)))(t)
			run = sure(in.EndFeedRun(t.Context(), l, run, store.FeedRunEnd{}, storetest.Began))(t)
			return run
		}
		want := map[string]store.LatestFeedRuns{}
		for _, name := range []string{"fine", "failing", "never-fine", "new"} {
			f := crewEndpoint
			f.Name = name
			setFeed(t, in, f)
		}
		setFeed(t, other, crewEndpoint)
		ran(other, "crew", gangway.FeedRun{Received: 9})
		ran(in, "fine", gangway.FeedRun{Received: 1})
		ran(in, "fine", gangway.FeedRun{Error: "no answer"})
		good := ran(in, "fine", gangway.FeedRun{Received: 3, Refused: 1})
		want["fine"] = store.LatestFeedRuns{Last: good, Good: good}
		good = ran(in, "failing", gangway.FeedRun{Received: 7})
		ran(in, "failing", gangway.FeedRun{Error: "no answer"})
		last := ran(in, "failing", gangway.FeedRun{Error: "status 502"})
		want["failing"] = store.LatestFeedRuns{Good: good, Last: last}
		want["never-fine"] = store.LatestFeedRuns{Last: ran(in, "never-fine", gangway.FeedRun{Error: "no answer"})}
		// A run that has not ended is not history yet.
		must(t, did(in.TakeFeed(t.Context(), "fine", storetest.Began, storetest.Began.Add(time.Minute))))

		got, err := in.LatestFeedRuns(t.Context())
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("the latest runs: %v (-want +got)\n%s", err, diff)
		}
	})
}

// TestShorterListIsAcceptedOnce holds that a run which somebody asks for so accepts a shorter list, also one that
// goes on after a crash, after a document that somebody gave and though the feed was changed; and that no other does.
func TestShorterListIsAcceptedOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		setFeed(t, in, crewEndpoint)
		now := storetest.Began.Add(time.Minute)
		accepts := func(want bool) store.FeedLease {
			t.Helper()
			l := takeFeed(t, db, now)
			if l.Shrunk != want {
				t.Fatalf("the run accepts a shorter list: %v; want %v", l.Shrunk, want)
			}
			return l
		}
		end := func(l store.FeedLease) {
			t.Helper()
			must(t, did(in.EndFeedRun(t.Context(), l, gangway.FeedRun{Shorter: gangway.ShorterList{Now: 1, Before: 9},
				Error: "too short"}, store.FeedRunEnd{Next: now.Add(time.Hour)}, now)))
		}
		fetch := func() {
			t.Helper()
			must(t, in.FetchFeed(t.Context(), storetest.Operator, "crew", true, now))
		}
		first := accepts(false)
		if err := in.HoldFeed(t.Context(), first, time.Time{}); err != nil { // its process dies
			t.Fatal(err)
		}
		fetch()
		l := accepts(true)
		if l.Run != first.Run {
			t.Errorf("run %d; want %d, which was interrupted", l.Run, first.Run)
		}
		end(l)
		if run, err := in.FeedRun(t.Context(), "crew", l.Run); err != nil || !run.Shrank() || run.Shorter.Before != 9 {
			t.Errorf("the run: %+v, %v; want what was too short", run, err)
		}
		must(t, did(in.GiveFeedDocument(t.Context(), "crew", store.GivenDocument{By: storetest.Operator},
			strings.NewReader("[]"), func() time.Time { return now })))
		fetch()
		l = accepts(false)
		if l.Given == nil {
			t.Fatal("what was given is not read first")
		}
		end(l)
		setFeed(t, in, crewEndpoint)
		end(accepts(true))
		if f, err := in.Feed(t.Context(), "crew"); err != nil || !f.Due.Equal(now.Add(time.Hour)) {
			t.Errorf("due %s, %v; want it in an hour", f.Due, err)
		}
		now = now.Add(time.Hour)
		end(accepts(false))
		entries, err := db.Audit(t.Context(), store.AuditQuery{What: gangway.FeedFetched}, 10)
		if err != nil || len(entries) != 2 || entries[0].After["accept_shrink"] != true {
			t.Errorf("the log has %+v, %v; want who accepts what", entries, err)
		}
	})
}

// TestFeedIsFetchedAtOnce holds that a feed that somebody wants at once is due, unless it is being
// fetched, and that the log says who wanted it.
func TestFeedIsFetchedAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		setFeed(t, in, crewEndpoint)
		now := storetest.Began.Add(time.Minute)
		l := takeFeed(t, db, now)
		wantKind(t, gangway.Conflict, in.FetchFeed(t.Context(), storetest.Operator, "crew", false, now))
		if f, err := in.Feed(t.Context(), "crew"); err != nil || !f.Busy(now) || f.Busy(now.Add(time.Minute)) {
			t.Errorf("while it is fetched: %+v, %v; want it busy for a minute", f, err)
		}
		if run, err := in.FeedRunUnderWay(t.Context(), "crew"); err != nil || run.ID != l.Run || !run.At.Equal(now) {
			t.Errorf("under way: %+v, %v; want the run of the lease", run, err)
		}
		must(t, did(in.EndFeedRun(t.Context(), l, gangway.FeedRun{}, store.FeedRunEnd{Next: now.Add(time.Hour)},
			now)))
		if run, err := in.FeedRunUnderWay(t.Context(), "crew"); err != nil || run.ID != 0 {
			t.Errorf("under way: %+v, %v; want nothing", run, err)
		}
		wake, stop := db.Await(store.Feeds)
		defer stop()
		must(t, in.FetchFeed(t.Context(), storetest.Operator, "crew", false, now))
		<-wake
		takeFeed(t, db, now)
		entries, err := db.Audit(t.Context(), store.AuditQuery{What: gangway.FeedFetched}, 10)
		if err != nil || len(entries) != 1 || entries[0].After["feed"] != "crew" ||
			entries[0].By != storetest.Operator {
			t.Errorf("the log has %+v, %v; want who wanted it", entries, err)
		}
		wantKind(t, gangway.NotFound, in.FetchFeed(t.Context(), storetest.Operator, "none", false, now))
	})
}

// TestChangeDuringAFeedsRun holds that a run that began before its feed was changed neither says when
// the changed feed is fetched, nor that we have already what that would ask for.
func TestChangeDuringAFeedsRun(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		at := storetest.Began.Add(time.Minute)
		set := func(off bool, next time.Time) {
			t.Helper()
			_, err := in.SetFeed(t.Context(), storetest.Operator, "crew", func(store.StoredFeed) (gangway.Feed, error) {
				f := crewEndpoint
				f.Off = off
				return f, nil
			}, next, at)
			must(t, err)
		}
		for _, end := range []func(store.FeedLease, time.Time) error{
			func(l store.FeedLease, next time.Time) error {
				_, err := in.EndFeedRun(t.Context(), l, gangway.FeedRun{Received: 1},
					store.FeedRunEnd{Next: next, Have: `{"etag":"x"}`}, at)
				return err
			},
			func(l store.FeedLease, next time.Time) error { return in.DropFeedRun(t.Context(), l, next, at) },
		} {
			set(false, at)
			l := takeFeed(t, db, at)
			set(true, time.Time{})
			must(t, end(l, at.Add(time.Hour)))
			f, err := in.Feed(t.Context(), "crew")
			if err != nil || !f.Due.Equal(at) { // whoever takes it ends what is left of the run, and it rests
				t.Errorf("switched off during a run, it is due at %s, %v; want once more", f.Due, err)
			}
			if have, err := in.FeedHave(t.Context(), "crew"); err != nil || have != "" {
				t.Errorf("changed during a run, it has %q already, %v; want nothing", have, err)
			}
			l = sure(in.TakeFeed(t.Context(), "crew", at, at.Add(time.Minute)))(t)
			set(false, at)
			must(t, end(l, time.Time{}))
			if f, err := in.Feed(t.Context(), "crew"); err != nil || !f.Due.Equal(at) {
				t.Errorf("switched on during a run, it is due at %s, %v; want at once", f.Due, err)
			}
		}
	})
}

// TestWhatOnlyAFeedHasBrought holds that what another source has too is not counted as what goes with
// a feed, nor what was uploaded.
func TestWhatOnlyAFeedHasBrought(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		fed := func(feed string, ids ...string) {
			t.Helper()
			var list []gangway.Traveller
			for _, id := range ids {
				list = append(list, gangway.Traveller{ID: id, LastName: "Reyes", FirstName: "Ana"})
			}
			rows := sure(store.TravellerRows(list))(t)
			from := gangway.Origin{Source: gangway.FeedSource(feed), Generation: db.Generation(),
				SeenAt: storetest.Began}
			must(t, did(in.UpsertTravellerRows(t.Context(), rows, from)))
		}
		fed("crew", "C1", "C2", "C3", "C4")
		fed("office", "C4", "C5") // crew was first, and what it has of C4 is office's once crew is gone
		must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{{ID: "C3", LastName: "Reyes",
			FirstName: "Ana"}})))
		got, err := in.BroughtOnlyBy(t.Context(), "crew", 100)
		if err != nil || got != (store.Brought{Travellers: 2}) {
			t.Errorf("brought only by crew: %+v, %v; want C1 and C2", got, err)
		}
		if got, err := in.BroughtOnlyBy(t.Context(), "crew", 1); err != nil || got.Travellers != 1 {
			t.Errorf("counted up to 1: %+v, %v", got, err)
		}
	})
}
