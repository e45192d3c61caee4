package poll_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"gangway/internal/accept/poll"
	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// maya gives documents by hand.
var maya = gangway.Actor{ID: "maya@halcyon.example", Name: "Maya Ortiz", From: "192.0.2.7"}

// byHand makes the account's feed one of kind upload.
func byHand(f *gangway.Feed) {
	f.Transport = gangway.Transport{Kind: gangway.UploadTransport, Settings: []byte("{}")}
}

// gives gives the feed a document and returns its run.
func (d *desk) gives(doc poll.Document) gangway.FeedRun {
	d.t.Helper()
	d.later(time.Second)
	doc.By = maya
	id, err := d.poller.Give(d.t.Context(), d.in, "crew", doc)
	must(d.t, err)
	run, err := d.poller.Finish(d.t.Context(), d.in, "crew", id)
	if err != nil || run.ID != id || run.GivenBy.ID != maya.ID || run.GivenBy.Name != maya.Name {
		d.t.Fatalf("the run: %+v, %v; want run %d by %s", run, err, id, maya.Name)
	}
	return run
}

func text(doc string) poll.Document {
	return poll.Document{Name: "crew.csv", Body: strings.NewReader(doc)}
}

// TestDocumentIsGiven holds that a document given by hand goes the way of one that is fetched: it is
// in the history with who gave it, kept as it came, and noted in the audit log. A feed of kind upload
// is never due by itself, and nothing can be fetched for it.
func TestDocumentIsGiven(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		f := gangway.Feed{Name: "crew", Flow: gangway.TravellersFlow}
		byHand(&f)
		must(t, did(d.poller.Set(t.Context(), d.in, storetest.Operator, f)))
		f.Every = time.Hour
		if _, err := d.poller.Set(t.Context(), d.in, storetest.Operator, f); gangway.KindOf(err) != gangway.Invalid ||
			!strings.Contains(err.Error(), "every") {
			t.Errorf("a feed given by hand with an interval: %v; want every refused", err)
		}
		if _, err := d.poller.Fetch(t.Context(), d.in, "crew", poll.Ask{}); gangway.KindOf(err) != gangway.Invalid ||
			!strings.Contains(err.Error(), "--document") {
			t.Errorf("fetched: %v; want how it gets its documents", err)
		}
		run := d.gives(text(crew("Ana", "Bea") + "C-9;;Cas;F\n"))
		if run.Created != 2 || run.Refused != 1 || run.Refusals[0].SourceField != "Surname" || run.Documents != 1 {
			t.Errorf("the run: %+v; want two created, and the Surname of one refused", run)
		}
		d.there("Ana", "Bea")
		if again := d.gives(text(crew("Ana", "Bea"))); again.Created != 0 || again.Unchanged != 2 {
			t.Errorf("given again: %+v; want nothing changed", again)
		}
		if !d.stored().Due.IsZero() {
			t.Errorf("the feed is due at %s; want never", d.stored().Due)
		}
		if first := d.history(2)[1]; first.GivenBy.Name != maya.Name {
			t.Errorf("the first run: %+v; want it given by %s", first, maya.Name)
		}
		docs, err := d.in.FeedDocuments(t.Context(), "crew", run.ID)
		if err != nil || len(docs) != 1 || docs[0].Name != "crew.csv" {
			t.Fatalf("documents: %v, %v; want what was given", docs, err)
		}
		var raw strings.Builder
		err = d.in.WriteFeedDocument(t.Context(), "crew", docs[0], &raw)
		if err != nil || !strings.HasPrefix(raw.String(), "Crew ID;") {
			t.Errorf("the document: %q, %v", raw.String(), err)
		}
		broken := d.gives(text("<html>Sign in</html>"))
		if !broken.Failed() {
			t.Errorf("a document that is none: %+v; want it given up", broken)
		}
		d.there("Ana", "Bea")
		if f := d.stored(); !f.Failing.IsZero() || f.GoodAt.IsZero() {
			t.Errorf("the feed: %+v; want it good once, and not failing for a file that was wrong", f)
		}
	})
}

// TestGivenToAFeedThatIsFetched holds that a system that is down can be helped out by hand: the guard
// against shrinking, complete and the time of the next fetch are those of the feed, its trouble stays
// known, and the next fetch reads everything.
func TestGivenToAFeedThatIsFetched(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	d.set(gangway.TravellersFlow, c.URL)
	many := make([]string, 12)
	for i := range many {
		many[i] = string(rune('A'+i)) + "na"
	}
	c.says(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		if r.Header.Get("If-None-Match") == `"v1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, crew(many...))
	})
	d.run(12, 12, 0, 0, 0, 0)
	due := d.stored().Due
	if run := d.gives(text(crew("Zoe"))); run.Shorter != (gangway.ShorterList{Now: 1, Before: 12}) ||
		!strings.Contains(run.Error, "12") || strings.Contains(run.Error, "--") {
		t.Errorf("a much shorter list: %+v; want it not believed", run)
	}
	d.there(many...)
	again, err := d.poller.GiveAgain(t.Context(), d.in, maya, "crew", d.history(2)[0].ID)
	must(t, err)
	if run, err := d.poller.Finish(t.Context(), d.in, "crew", again); err != nil || run.Failed() || run.Removed != 11 ||
		run.GivenBy.ID != maya.ID {
		t.Errorf("a much shorter list that is right: %+v, %v; want eleven removed", run, err)
	}
	if _, err := d.poller.GiveAgain(t.Context(), d.in, maya, "crew", 7); gangway.KindOf(err) != gangway.NotFound {
		t.Errorf("a document that is not kept, given again: %v; want NotFound", err)
	}
	d.there("Zoe")
	if !d.stored().Due.Equal(due) {
		t.Errorf("it is fetched next at %s; want %s, as before", d.stored().Due, due)
	}
	d.run(12, 11, 1, 0, 0, 0) // not: nothing has changed
	d.there(many...)

	c.says(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	d.fails("502")
	d.gives(text(crew(many...)))
	if f := d.stored(); f.Failing.IsZero() || !f.GoodAt.Equal(d.now()) {
		t.Errorf("the feed: %+v; want its system still failing, and what it has good as of now", f)
	}
	d.set(gangway.CrewChangesFlow, c.URL)
	if _, err := d.poller.Give(t.Context(), d.in, "crew", text("[]")); gangway.KindOf(err) != gangway.Invalid {
		t.Errorf("given to a feed that is asked: %v; want it refused", err)
	}
}

// TestGivenDocumentSurvives holds that a document is kept from when it was given: a process that ends
// before or during the run loses nothing, and another one makes the run, once. A run that ends the
// process each time is not made for ever.
func TestGivenDocumentSurvives(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		d.set(gangway.TravellersFlow, "", byHand)
		doc := text(crew("Ana", "Bea"))
		doc.By = maya
		id, err := d.poller.Give(t.Context(), d.in, "crew", doc)
		must(t, err)
		if _, err := d.poller.Give(t.Context(), d.in, "crew", text("[]")); gangway.KindOf(err) != gangway.Conflict {
			t.Errorf("given another meanwhile: %v; want Conflict", err)
		}
		d.set(gangway.TravellersFlow, "", byHand, func(f *gangway.Feed) { f.Complete = new(bool) }) // it waits still
		d.later(time.Second)
		lost := takeFeed(t, db, d.now()) // by a process that is killed then
		if _, err := d.in.TakeFeed(t.Context(), "crew", d.now(), d.now().Add(time.Minute)); gangway.KindOf(err) !=
			gangway.Conflict {
			t.Errorf("taken by two: %v; want Conflict", err)
		}
		d.later(2 * time.Minute)
		stopped, stop := context.WithCancel(t.Context())
		ended, forget := db.Await(store.FeedTopic("crew"))
		defer forget()
		running := make(chan struct{})
		go func() {
			defer close(running)
			d.another().Run(stopped)
		}()
		for run := (gangway.FeedRun{}); run.ID == 0; {
			<-ended
			run, err = d.in.FeedRun(t.Context(), "crew", id)
			if err != nil && gangway.KindOf(err) != gangway.NotFound {
				t.Fatal(err)
			}
		}
		stop()
		<-running
		d.there("Ana", "Bea")
		if err := d.in.NoteFeedProgress(t.Context(), lost, store.FeedProgress{}); !errors.Is(err, store.ErrFeedLost) {
			t.Errorf("the process that lost it notes progress: %v; want ErrFeedLost", err)
		}
		if !d.stored().Due.IsZero() {
			t.Errorf("the feed is due at %s; want never", d.stored().Due)
		}
		if run := d.history(1)[0]; run.Created != 2 || run.ID != id {
			t.Errorf("the run: %+v; want one run with two created", run)
		}

		doc = text(crew("Cas"))
		doc.By = maya
		if id, err = d.poller.Give(t.Context(), d.in, "crew", doc); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			d.later(2 * time.Minute)
			l := takeFeed(t, db, d.now())
			l.Given.Tries++
			must(t, d.in.NoteFeedProgress(t.Context(), l, store.FeedProgress{}))
		}
		d.later(2 * time.Minute)
		run, err := d.poller.Finish(t.Context(), d.in, "crew", id)
		if err != nil || !strings.Contains(run.Error, "5 times") {
			t.Errorf("after five tries: %+v, %v; want it given up", run, err)
		}
	})
}

// takeFeed takes the account's feed, which is due, for a minute.
func takeFeed(t *testing.T, db *store.DB, now time.Time) store.FeedLease {
	t.Helper()
	taken, err := db.TakeFeeds(t.Context(), now, now.Add(time.Minute), 10, 2)
	if err != nil || len(taken) != 1 || taken[0].Given == nil {
		t.Fatalf("taken: %+v, %v; want the feed with the document that was given", taken, err)
	}
	return taken[0]
}

// TestHalfGivenDocument holds that a document whose sending breaks off is not run, and that one erased
// before it was read says so.
func TestHalfGivenDocument(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		d.set(gangway.TravellersFlow, "", byHand)
		cut := errors.New("the line broke")
		body := io.MultiReader(strings.NewReader(strings.Repeat(crew("Ana"), 20_000)), brokenReader{cut})
		if _, err := d.poller.Give(t.Context(), d.in, "crew", poll.Document{Body: body}); !errors.Is(err, cut) {
			t.Errorf("given half: %v; want the error of its line", err)
		}
		if taken, err := db.TakeFeeds(t.Context(), d.now(), d.now().Add(time.Minute), 10, 2); err != nil ||
			len(taken) > 0 {
			t.Errorf("due: %v, %v; want nothing", taken, err)
		}
		doc := text(crew("Ana"))
		doc.By = maya
		id, err := d.poller.Give(t.Context(), d.in, "crew", doc)
		must(t, err)
		must(t, did(d.in.UpsertTravellers(t.Context(), []gangway.Traveller{{ID: "C1", LastName: "Cruz",
			FirstName: "Eva"}})))
		must(t, did(d.in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: "C1"}, d.now(),
			nil)))
		run, err := d.poller.Finish(t.Context(), d.in, "crew", id)
		if err != nil || !strings.Contains(run.Error, "give it again") {
			t.Errorf("erased meanwhile: %+v, %v; want it to say so", run, err)
		}
	})
}

type brokenReader struct{ err error }

func (b brokenReader) Read([]byte) (int, error) { return 0, b.err }
