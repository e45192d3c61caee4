package store_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// crewEndpoint is a feed whose secret settings are a password.
var crewEndpoint = gangway.Feed{
	Name: "crew", Flow: gangway.TravellersFlow,
	Transport: gangway.Transport{Kind: "endpoint", Settings: json.RawMessage(`{"url":"https://hr.example/crew"}`),
		Secrets: gangway.SecretSettings(`{"password":"tide tables"}`)},
	Format:  gangway.DocumentFormat{Kind: gangway.CSVFormat, Delimiter: ";"},
	Mapping: ".[]", Every: 2 * time.Hour,
}

// setFeed writes a feed that is due at once.
func setFeed(t *testing.T, in store.Scoped, f gangway.Feed) {
	t.Helper()
	must(t, did(in.SetFeed(t.Context(), storetest.Operator, f.Name, func(store.StoredFeed) (gangway.Feed, error) {
		return f, nil
	}, storetest.Began, storetest.Began)))
}

// takeFeed takes the account's feed, which is due, for a minute.
func takeFeed(t *testing.T, db *store.DB, now time.Time) store.FeedLease {
	t.Helper()
	taken, err := db.TakeFeeds(t.Context(), now, now.Add(time.Minute), 10, 2)
	if err != nil || len(taken) != 1 {
		t.Fatalf("taken: %v, %v; want one feed", taken, err)
	}
	return taken[0]
}

func TestFeedIsStored(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		other := db.In(storetest.Account(t, db).Scope())
		setFeed(t, in, crewEndpoint)

		got := sure(in.Feed(t.Context(), "crew"))(t)
		if diff := cmp.Diff(crewEndpoint, got.Feed); diff != "" {
			t.Errorf("the feed (-set +kept)\n%s", diff)
		}
		if got.Version != 1 || !got.Due.Equal(storetest.Began) {
			t.Errorf("version %d, due %s; want 1, at once", got.Version, got.Due)
		}
		list, err := in.Feeds(t.Context())
		if err != nil || len(list) != 1 || len(list[0].Transport.Secrets) > 0 {
			t.Errorf("feeds: %v, %v; want one, without secrets", list, err)
		}
		for _, column := range []string{"doc", "secrets"} {
			var text string
			err := db.Reader().QueryRowContext(t.Context(), `SELECT `+column+` FROM feed`).Scan(&text)
			if err != nil || strings.Contains(text, "tide") {
				t.Errorf("%s has the password in clear: %s, %v", column, text, err)
			}
		}
		wantKind(t, gangway.NotFound, did(other.Feed(t.Context(), "crew")))

		// A change gets the present feed, with its secrets.
		created, err := in.SetFeed(t.Context(), storetest.Operator, "crew",
			func(old store.StoredFeed) (gangway.Feed, error) {
				changed := old.Feed
				changed.Mapping = "map(.)"
				return changed, nil
			}, storetest.Began, storetest.Began)
		if err != nil || created {
			t.Fatalf("SetFeed: created %v, %v; want the feed changed", created, err)
		}
		got, err = in.Feed(t.Context(), "crew")
		if err != nil || got.Mapping != "map(.)" || string(got.Transport.Secrets) != `{"password":"tide tables"}` {
			t.Errorf("after a change: %+v, %v", got, err)
		}
		versions, err := in.FeedVersions(t.Context(), "crew")
		if err != nil || len(versions) != 2 || versions[1].Feed.Mapping != ".[]" ||
			versions[0].By.ID != storetest.Operator.ID {
			t.Errorf("versions: %+v, %v; want both, the newest first", versions, err)
		}
		first, err := in.FeedVersion(t.Context(), "crew", 1)
		if diff := cmp.Diff(versions[1], first); err != nil || diff != "" {
			t.Errorf("the first version: %v\n%s", err, diff)
		}
		wantKind(t, gangway.NotFound, did(in.FeedVersion(t.Context(), "crew", 3)))

		must(t, in.DeleteFeed(t.Context(), storetest.Operator, "crew", storetest.Began))
		wantKind(t, gangway.NotFound, in.DeleteFeed(t.Context(), storetest.Operator, "crew", storetest.Began))
	})
}

// TestOneProcessWorksOnAFeed holds that one process at a time works on a feed, and that one
// that was silent for too long writes nothing more.
func TestOneProcessWorksOnAFeed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		setFeed(t, in, crewEndpoint)
		now := storetest.Began.Add(time.Second)
		first := takeFeed(t, db, now)
		if taken, err := db.TakeFeeds(t.Context(), now, now.Add(time.Minute), 10, 2); err != nil || len(taken) > 0 {
			t.Fatalf("taken by two: %v, %v", taken, err)
		}
		for name, want := range map[string]gangway.Kind{"crew": gangway.Conflict, "hr": gangway.NotFound} {
			if _, err := in.TakeFeed(t.Context(), name, now, now.Add(time.Minute)); gangway.KindOf(err) != want {
				t.Errorf("feed %s is taken by hand: %v; want %v", name, err, want)
			}
		}

		later := now.Add(2 * time.Minute)
		second := takeFeed(t, db, later)
		if second.Run != first.Run {
			t.Errorf("run %d was interrupted, and %d follows; want it continued", first.Run, second.Run)
		}
		rows := sure(store.TravellerRows([]gangway.Traveller{{ID: "C1", LastName: "Reyes", FirstName: "Ana"}}))(t)
		from := gangway.Origin{Source: gangway.FeedSource("crew"), Generation: first.Run, SeenAt: now}
		_, err := in.During(first).UpsertTravellerRows(t.Context(), rows, from)
		if !errors.Is(err, store.ErrFeedLost) {
			t.Errorf("a process that has lost the feed writes: %v; want ErrFeedLost", err)
		}
		_, err = in.EndFeedRun(t.Context(), first, gangway.FeedRun{}, store.FeedRunEnd{}, later)
		if !errors.Is(err, store.ErrFeedLost) {
			t.Errorf("a process that has lost the feed ends its run: %v; want ErrFeedLost", err)
		}
		if err := in.HoldFeed(t.Context(), first, later.Add(time.Minute)); err != store.ErrFeedLost {
			t.Errorf("a process that has lost the feed holds it: %v; want ErrFeedLost", err)
		}
		if err := in.HoldFeed(t.Context(), second, later.Add(time.Hour)); err != nil {
			t.Errorf("the process that has the feed holds it: %v; want no error", err)
		}
	})
}

// TestFeedRunCountsOnce holds that a run also counts what it wrote before it was
// interrupted, and nothing twice.
func TestFeedRunCountsOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		setFeed(t, in, crewEndpoint)
		write := func(l store.FeedLease, ids ...string) {
			t.Helper()
			var list []gangway.Traveller
			for _, id := range ids {
				list = append(list, gangway.Traveller{ID: id, LastName: "Reyes", FirstName: "Ana"})
			}
			rows := sure(store.TravellerRows(list))(t)
			from := gangway.Origin{Source: gangway.FeedSource("crew"), Generation: l.Run, SeenAt: storetest.Began}
			must(t, did(in.During(l).UpsertTravellerRows(t.Context(), rows, from)))
		}
		now := storetest.Began.Add(time.Second)
		first := takeFeed(t, db, now)
		write(first, "C1", "C2") // and then it is killed
		now = now.Add(2 * time.Minute)
		second := takeFeed(t, db, now)
		write(second, "C1", "C2", "C3")
		next := now.Add(time.Hour)
		run, err := in.EndFeedRun(t.Context(), second, gangway.FeedRun{Received: 4, Refused: 1, Took: time.Second,
			Refusals: []gangway.FeedRemark{{Record: 3, At: "line 5", Field: "LastName", Message: "missing"}}},
			store.FeedRunEnd{Next: next, Have: `{"etag":"x"}`, Whole: true,
				Arrivals: []store.FeedArrival{{Key: "a.csv", Report: "line 5"}}}, now)
		if err != nil || run.Created != 3 || run.Unchanged != 0 {
			t.Fatalf("the run: %+v, %v; want 3 created", run, err)
		}
		got, err := in.FeedRun(t.Context(), "crew", run.ID)
		if diff := cmp.Diff(run, got); err != nil || diff != "" {
			t.Errorf("the run as it is stored (-ended +read), %v\n%s", err, diff)
		}
		list, err := in.FeedRuns(t.Context(), "crew", 0, 10)
		if err != nil || len(list) != 1 || list[0].Created != 3 || len(list[0].Refusals) > 0 {
			t.Errorf("history: %+v, %v; want one run, without remarks", list, err)
		}
		f, err := in.Feed(t.Context(), "crew")
		if err != nil || f.Size != 3 || !f.GoodAt.Equal(now) || !f.Failing.IsZero() || !f.Due.Equal(next) {
			t.Errorf("the feed after the run: %+v, %v", f, err)
		}
		if have, err := in.FeedHave(t.Context(), "crew"); err != nil || have != `{"etag":"x"}` {
			t.Errorf("had already: %q, %v", have, err)
		}
		waiting, err := in.FeedArrivals(t.Context(), "crew", 10)
		if diff := cmp.Diff([]store.FeedArrival{{Key: "a.csv", Report: "line 5"}}, waiting); err != nil || diff != "" {
			t.Errorf("to be put away: %v\n%s", err, diff)
		}
		must(t, in.FeedPutAway(t.Context(), "crew", "a.csv"))
		if read, err := in.FeedArrivalRead(t.Context(), "crew", "a.csv"); read || err != nil {
			t.Errorf("put away, but still known: %v, %v", read, err)
		}

		// A failed run is stored, and so is since when runs have failed.
		for i := range 2 {
			l := takeFeed(t, db, next.Add(time.Duration(i)*time.Hour))
			_, err := in.EndFeedRun(t.Context(), l, gangway.FeedRun{Error: "no answer in time"},
				store.FeedRunEnd{Next: next.Add(time.Duration(i+1) * time.Hour)}, next.Add(time.Duration(i)*time.Hour))
			must(t, err)
		}
		if f, err := in.Feed(t.Context(), "crew"); err != nil || !f.Failing.Equal(next) || f.Size != 3 ||
			!f.GoodAt.Equal(now) {
			t.Errorf("after two failed runs: %+v, %v; want it failing since the first", f, err)
		}
	})
}

// TestFeedDocuments holds that documents are read back unchanged, and that nothing of them
// stays once a person was erased, or after some days.
func TestFeedDocuments(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		setFeed(t, in, crewEndpoint)
		docs := map[int][]byte{0: nil, 1: []byte("id;name\n1;Reyes\n"),
			2: bytes.Repeat([]byte("0123456789abcdef"), 40_000)}
		keep := func(at time.Time) gangway.FeedRun {
			t.Helper()
			l := takeFeed(t, db, at)
			for place, doc := range docs {
				d := store.FeedDocument{Place: place, Name: fmt.Sprint(place, ".csv"), ContentType: "text/csv"}
				for range 2 { // an interrupted attempt stored it before
					must(t, in.KeepFeedDocument(t.Context(), l, d, bytes.NewReader(doc)))
				}
			}
			run, err := in.EndFeedRun(t.Context(), l, gangway.FeedRun{Documents: len(docs),
				Warnings: []gangway.FeedRemark{{Value: "Reyes", Message: "what is that?"}}},
				store.FeedRunEnd{Next: at.Add(time.Hour),
					Arrivals: []store.FeedArrival{{Key: "a", Report: "Reyes"}}}, at)
			must(t, err)
			return run
		}
		run := keep(storetest.Began)
		list, err := in.FeedDocuments(t.Context(), "crew", run.ID)
		if err != nil || len(list) != len(docs) {
			t.Fatalf("documents: %v, %v; want %d", list, err, len(docs))
		}
		for i, d := range list {
			var got bytes.Buffer
			err := in.WriteFeedDocument(t.Context(), "crew", d, &got)
			if err != nil || !bytes.Equal(got.Bytes(), docs[i]) || d.Size != int64(len(docs[i])) {
				t.Errorf("document %d has %d bytes, and %d it says, %v; want the %d that came", i, got.Len(), d.Size,
					err, len(docs[i]))
			}
			if one, err := in.FeedDocument(t.Context(), "crew", run.ID, i); err != nil || one != d {
				t.Errorf("document %d alone: %+v, %v; want %+v", i, one, err, d)
			}
		}

		for i := range 60 {
			keep(storetest.Began.Add(time.Duration(i+1) * time.Hour))
		}
		must(t, did(db.Expire(t.Context(), storetest.Began.Add(7*24*time.Hour))))
		if list, err := in.FeedDocuments(t.Context(), "crew", run.ID); err != nil || len(list) != len(docs) {
			t.Errorf("after 60 more runs and a week: %v, %v; want the documents", list, err)
		}
		must(t, did(db.Expire(t.Context(), storetest.Began.Add(8*24*time.Hour))))
		wantNoFeedDocuments(t, in, run)

		run = keep(storetest.Began.Add(100 * time.Hour))
		must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{{ID: "C1", LastName: "Reyes",
			FirstName: "Ana"}})))
		must(t, did(in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: "C1"}, storetest.Began,
			nil)))
		wantNoFeedDocuments(t, in, run)
		if waiting, err := in.FeedArrivals(t.Context(), "crew", 10); err != nil || len(waiting) != 1 ||
			waiting[0].Report != "" {
			t.Errorf("to be put away: %+v, %v; want it without its report", waiting, err)
		}
	})
}

func wantNoFeedDocuments(t *testing.T, in store.Scoped, run gangway.FeedRun) {
	t.Helper()
	wantKind(t, gangway.NotFound, did(in.FeedDocument(t.Context(), "crew", run.ID, 0)))
	if list, err := in.FeedDocuments(t.Context(), "crew", run.ID); err != nil || len(list) > 0 {
		t.Errorf("documents: %v, %v; want none", list, err)
	}
	if got, err := in.FeedRun(t.Context(), "crew", run.ID); err != nil || len(got.Warnings) > 0 {
		t.Errorf("the run: %+v, %v; want it without remarks", got, err)
	}
}
