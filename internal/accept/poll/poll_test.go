package poll_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/seal"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
)

// A customer is a customer's system that answers by HTTP.
type customer struct {
	*httptest.Server
	mu     sync.Mutex
	answer http.HandlerFunc
	asked  []string // the queries of all requests
}

func newCustomer(t *testing.T) *customer {
	c := &customer{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		c.asked = append(c.asked, r.URL.RawQuery)
		answer := c.answer
		c.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *customer) says(answer http.HandlerFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer = answer
}

// has answers with a document from now on.
func (c *customer) has(doc string) {
	c.says(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, doc) })
}

func (c *customer) requests() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.asked)
}

// A desk is an account with one feed, which is polled.
type desk struct {
	t      *testing.T
	db     *store.DB
	in     store.Scoped
	poller *poll.Poller
	now    func() time.Time
	later  func(time.Duration)

	patience *atomic.Int64 // of whoever asks: long while systems are well, however busy the machine is
}

// How long whoever asks waits in tests: for a system that answers, and for one that does not.
const (
	patient   = 5 * time.Minute
	impatient = time.Second
)

func newDesk(t *testing.T, db *store.DB) *desk {
	t.Helper()
	sealer, err := seal.New(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	db.SealWith(sealer)
	d := &desk{t: t, db: db, in: db.In(storetest.Account(t, db).Scope()), patience: new(atomic.Int64)}
	d.patience.Store(int64(patient))
	var mu sync.Mutex
	now := storetest.Began
	d.now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	d.later = func(by time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(by)
	}
	d.poller = d.another()
	return d
}

// another returns a poller as another process has it.
func (d *desk) another() *poll.Poller {
	return poll.New(poll.Config{
		DB: d.db, Kinds: kinds.All, Now: d.now, Log: slog.New(slog.DiscardHandler),
		Options:      transport.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
		LivePatience: func() time.Duration { return time.Duration(d.patience.Load()) },
	})
}

// set sets the account's feed: an address of a customer's system.
func (d *desk) set(flow gangway.Flow, url string, change ...func(*gangway.Feed)) {
	d.t.Helper()
	settings, err := json.Marshal(map[string]string{"url": url})
	if err != nil {
		d.t.Fatal(err)
	}
	f := gangway.Feed{Name: "crew", Flow: flow, Transport: gangway.Transport{Kind: "endpoint", Settings: settings}}
	for _, c := range change {
		c(&f)
	}
	next := time.Time{}
	if f.Scheduled(true) {
		next = d.now()
	}
	_, err = d.in.SetFeed(d.t.Context(), storetest.Operator, f.Name, func(store.StoredFeed) (gangway.Feed, error) {
		return f, nil
	}, next, d.now())
	if err != nil {
		d.t.Fatal(err)
	}
}

// run runs the feed and fails the test unless it does so much: received,
// created, updated, unchanged, removed, refused.
func (d *desk) run(want ...int) gangway.FeedRun {
	d.t.Helper()
	d.later(time.Second)
	run, err := d.poller.Fetch(d.t.Context(), d.in, "crew", poll.Ask{})
	got := []int{run.Received, run.Created, run.Updated, run.Unchanged, run.Removed, run.Refused}
	if err != nil || run.Failed() || !slices.Equal(got, want) {
		d.t.Fatalf("the run: %v, %v, %+v; want %v", got, err, run, want)
	}
	return run
}

// fails runs the feed and fails the test unless it is given up for a reason.
func (d *desk) fails(because string) {
	d.t.Helper()
	d.later(time.Second)
	run, err := d.poller.Fetch(d.t.Context(), d.in, "crew", poll.Ask{})
	if err != nil || !strings.Contains(run.Error, because) || run.Created+run.Updated+run.Removed > 0 {
		d.t.Fatalf("the run: %+v, %v; want it given up because %q", run, err, because)
	}
}

// ends waits until the history of a feed has so many runs, the last one first. Word of a feed comes of the progress of
// its runs as well.
func (d *desk) ends(feed string, runs int, word <-chan struct{}) []gangway.FeedRun {
	d.t.Helper()
	for {
		history, err := d.in.FeedRuns(d.t.Context(), feed, 0, runs)
		if err != nil {
			d.t.Fatal(err)
		}
		if len(history) == runs {
			return history
		}
		<-word
	}
}

// there fails the test unless these are suggested: "Ana Reyes".
func (d *desk) there(want ...string) {
	d.t.Helper()
	list, err := d.in.SuggestTravellers(d.t.Context(), "reyes", nil, 100)
	if err != nil {
		d.t.Fatal(err)
	}
	var got []string
	for _, t := range list {
		got = append(got, t.FirstName)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		d.t.Fatalf("suggested: %q; want %q", got, want)
	}
}

func crew(names ...string) string {
	doc := "Crew ID;Surname;Given name;Sex\n"
	for i, n := range names {
		doc += fmt.Sprintf("C-%d;Reyes;%s;F\n", i+1, n)
	}
	return doc
}

// Of a list that seems to have shrunk since its records are refused, that is said first.
func TestRefusedListSaysWhy(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	d.set(gangway.TravellersFlow, c.URL)
	names := strings.Split("Ana Bea Cas Dan Eva Fay Gus Hal Ida Jan Kim", " ")
	c.has(crew(names...))
	d.run(11, 11, 0, 0, 0, 0)
	c.has(crew("Ana") + "C-2;;Bea;F\nC-3;;Cas;F\n")
	d.later(time.Second)
	run, err := d.poller.Fetch(t.Context(), d.in, "crew", poll.Ask{})
	if err != nil || !strings.HasPrefix(run.Error, "2 records were refused: line 3: Surname (LastName): ") ||
		!strings.Contains(run.Error, "it brought 3 of the 11 records that it had: nothing was changed") {
		t.Errorf("%q, %v; want what was refused first", run.Error, err)
	}
	if kept, err := d.in.FeedRun(t.Context(), "crew", run.ID); err != nil || len(kept.Refusals) != 2 {
		t.Errorf("kept with the run: %+v, %v; want both refusals", kept, err)
	}
}

func TestFeedIsFetched(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d, c := newDesk(t, db), newCustomer(t)
		d.set(gangway.TravellersFlow, c.URL)
		c.has(crew("Ana", "Bea", "Cas"))
		d.run(3, 3, 0, 0, 0, 0)
		d.there("Ana", "Bea", "Cas")
		d.run(3, 0, 0, 3, 0, 0)
		c.has(crew("Ana", "Beatriz") + "C-3;;Cas;F\nC-1;Reyes;Ana;F\n")
		run := d.run(4, 0, 1, 1, 0, 2)
		d.there("Ana", "Beatriz", "Cas") // what is refused came, so that it is not gone
		r := run.Refusals[0]
		if r.Record != 2 || r.At != "line 4" || r.Field != "LastName" || r.SourceField != "Surname" || r.Message == "" {
			t.Errorf("refused: %+v; want the third record, line 4, its Surname", r)
		}
		history, err := d.in.FeedRuns(t.Context(), "crew", 0, 10)
		if err != nil || len(history) != 3 {
			t.Fatalf("history: %+v, %v; want three runs", history, err)
		}
		docs, err := d.in.FeedDocuments(t.Context(), "crew", run.ID)
		if err != nil || len(docs) != 1 {
			t.Fatalf("documents: %v, %v; want what came", docs, err)
		}
		var raw strings.Builder
		if err := d.in.WriteFeedDocument(t.Context(), "crew", docs[0], &raw); err != nil ||
			!strings.HasPrefix(raw.String(), "Crew ID;") {
			t.Errorf("the document: %q, %v", raw.String(), err)
		}
		next := d.run(4, 0, 0, 2, 0, 2) // the same document, which is kept once
		same, err := d.in.FeedDocuments(t.Context(), "crew", next.ID)
		if err != nil || len(same) != 1 || same[0] != docs[0] || next.Documents != 1 {
			t.Errorf("documents of the next run: %v, %v; want %v, which is stored already", same, err, docs)
		}
		d.later(24 * time.Hour)
		next = d.run(4, 0, 0, 2, 0, 2)
		same, err = d.in.FeedDocuments(t.Context(), "crew", next.ID)
		if err != nil || len(same) != 1 || same[0].Run != next.ID {
			t.Errorf("documents a day later: %v, %v; want them stored again", same, err)
		}
	})
}

// A run that cannot be believed, or not be read to its end, changes nothing.
func TestFailedRunChangesNothing(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	d.set(gangway.TravellersFlow, c.URL)
	many := make([]string, 12)
	for i := range many {
		many[i] = string(rune('A'+i)) + "na"
	}
	c.has(crew(many...))
	d.run(12, 12, 0, 0, 0, 0)
	says := func(doc string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, doc) }
	}
	for because, answer := range map[string]http.HandlerFunc{
		"brought 2 of the 12 records that it had": says(crew("Zoe", "Yan")),
		"brought 0 of the 12 records that it had": says("[]"),
		"500":      func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"record 1": says(`[{"id":"1","last_name":"Reyes","first_name":"Ana"},{"id"`),
	} {
		c.says(answer)
		d.fails(because)
		d.there(many...)
	}
	c.has(crew("Zoe", "Yan"))
	run, err := d.poller.Fetch(t.Context(), d.in, "crew", poll.Ask{Shrunk: true})
	if err != nil || run.Failed() || run.Removed != 10 {
		t.Fatalf("believed: %+v, %v; want ten removed", run, err)
	}
	d.there("Yan", "Zoe")
}

// What the customer's system says has not changed is not read again.
func TestFeedIsNotModified(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	d.set(gangway.TravellersFlow, c.URL)
	c.says(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		if r.Header.Get("If-None-Match") == `"v1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, crew("Ana"))
	})
	d.run(1, 1, 0, 0, 0, 0)
	if run := d.run(0, 0, 0, 0, 0, 0); !run.NotModified {
		t.Errorf("the run: %+v; want it not modified", run)
	}
	d.there("Ana")
}

// A run that was interrupted is one run in the history, with all that it did.
func TestInterruptedRunGoesOn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d, c := newDesk(t, db), newCustomer(t)
		d.set(gangway.TravellersFlow, c.URL)
		c.has(crew("Ana", "Bea", "Cas"))
		l, err := d.in.TakeFeed(t.Context(), "crew", d.now(), d.now().Add(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		ana := gangway.Traveller{ID: "C-1", LastName: "Reyes", FirstName: "Ana", Gender: "F"}
		rows, err := store.TravellerRows([]gangway.Traveller{ana})
		if err != nil {
			t.Fatal(err)
		}
		from := gangway.Origin{Source: gangway.FeedSource("crew"), Generation: l.Run, SeenAt: d.now()}
		if _, err := d.in.During(l).UpsertTravellerRows(t.Context(), rows, from); err != nil {
			t.Fatal(err)
		} // and then the process is killed
		if _, err := d.poller.Fetch(t.Context(), d.in, "crew", poll.Ask{}); gangway.KindOf(err) != gangway.Conflict {
			t.Fatalf("while somebody works on it: %v; want Conflict", err)
		}
		d.later(time.Minute)
		d.run(3, 3, 0, 0, 0, 0)
		if history, err := d.in.FeedRuns(t.Context(), "crew", 0, 10); err != nil || len(history) != 1 {
			t.Errorf("history: %+v, %v; want one run", history, err)
		}
	})
}

// A feed whose process was killed goes on with another after 15 seconds; one that was only
// paused stores nothing after that.
func TestSilentProcessLosesItsFeedSoon(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		asked, answer := make(chan bool), make(chan bool)
		system := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked <- true
			<-answer
			io.WriteString(w, crew("Ana"))
		}))
		t.Cleanup(system.Close)
		d.set(gangway.TravellersFlow, system.URL)
		silent := make(chan error)
		go func() {
			_, err := d.poller.Fetch(t.Context(), d.in, "crew", poll.Ask{})
			silent <- err
		}()
		<-asked
		d.later(15 * time.Second)
		_, err := d.in.TakeFeed(t.Context(), "crew", d.now(), d.now().Add(time.Hour))
		if err != nil {
			t.Errorf("after 15 seconds without a word: %v; want the feed", err)
		}
		answer <- true
		if got := <-silent; !errors.Is(got, store.ErrFeedLost) && err == nil {
			t.Errorf("the silent process: %v; want that it has lost the feed", got)
		}
		if err == nil {
			d.there()
		}
	})
}

// The server fetches what is due, and what is set, by itself.
func TestFeedsAreFetchedByThemselves(t *testing.T) {
	db := storetest.New(t)
	d, c := newDesk(t, db), newCustomer(t)
	c.has(crew("Ana"))
	ctx, cancel := context.WithCancel(t.Context())
	ended, stop := db.Await(store.FeedTopic("crew"))
	defer stop()
	var running sync.WaitGroup
	running.Go(func() { d.poller.Run(ctx) })
	d.set(gangway.TravellersFlow, c.URL)
	d.ends("crew", 1, ended)
	cancel()
	running.Wait()
	d.there("Ana")
	f, err := d.in.Feed(t.Context(), "crew")
	if err != nil || !f.Due.Equal(storetest.Began.Add(time.Hour)) {
		t.Errorf("due again at %s, %v; want in an hour", f.Due, err)
	}
}

// Trying a feed shows what it would bring and stores nothing.
func TestTry(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	c.has(crew("Ana", "Bea") + "C-3;;Cas;F\n")
	settings := json.RawMessage(fmt.Sprintf(`{"url":%q}`, c.URL))
	f := gangway.Feed{Name: "new", Flow: gangway.TravellersFlow,
		Transport: gangway.Transport{Kind: "endpoint", Settings: settings}}
	got, err := d.poller.Try(t.Context(), d.in, f, nil, gangway.Ask{})
	if err != nil || got.Error != "" || got.Report.Received != 3 || got.Report.Refused != 1 || len(got.Records) != 2 {
		t.Fatalf("Try: %+v, %v", got, err)
	}
	if got := string(got.Records[0]); !strings.Contains(got, `"last_name":"Reyes"`) {
		t.Errorf("a record: %s; want the interface's spelling", got)
	}
	d.there()
	got, err = d.poller.Try(t.Context(), d.in, f, &poll.Sample{Name: "crew.csv", Body: strings.NewReader(crew("Zoe"))},
		gangway.Ask{})
	if err != nil || got.Report.Received != 1 || len(c.requests()) != 1 ||
		got.Documents[0].Format.Kind != gangway.CSVFormat {
		t.Errorf("a sample: %+v, %v, %d requests; want it read in place of a fetch", got, err, len(c.requests()))
	}
}
