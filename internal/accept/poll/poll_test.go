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
	"gangway/internal/transport/transporttest"
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
	must(t, err)
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
func (d *desk) another(change ...func(*poll.Config)) *poll.Poller {
	c := poll.Config{
		DB: d.db, Kinds: kinds.All, Now: d.now, Log: slog.New(slog.DiscardHandler),
		Options:      transport.Options{Allow: transporttest.Loopback},
		LivePatience: func() time.Duration { return time.Duration(d.patience.Load()) },
	}
	for _, of := range change {
		of(&c)
	}
	return poll.New(c)
}

// works has the account's poller fetch what is due by itself, until stop is called.
func (d *desk) works() (stop func()) {
	ctx, cancel := context.WithCancel(d.t.Context())
	var running sync.WaitGroup
	running.Go(func() { d.poller.Run(ctx) })
	return func() {
		cancel()
		running.Wait()
	}
}

// stored returns the account's feed as it is stored.
func (d *desk) stored() store.StoredFeed {
	d.t.Helper()
	f, err := d.in.Feed(d.t.Context(), "crew")
	must(d.t, err)
	return f
}

// history returns the runs of the account's feed, the last one first, and fails the test unless there are so many.
func (d *desk) history(runs int) []gangway.FeedRun {
	d.t.Helper()
	history, err := d.in.FeedRuns(d.t.Context(), "crew", 0, 50)
	if err != nil || len(history) != runs {
		d.t.Fatalf("history: %+v, %v; want %d runs", history, err, runs)
	}
	return history
}

// changes fails the test unless so many crew changes are planned.
func (d *desk) changes(want int) {
	d.t.Helper()
	keys, err := d.in.CrewChangeKeys(d.t.Context(), "", "2026-01-01", "2027-12-31", 100)
	if err != nil || len(keys) != want {
		d.t.Fatalf("crew changes: %q, %v; want %d", keys, err, want)
	}
}

// fetch runs the account's feed.
func (d *desk) fetch(ask poll.Ask) gangway.FeedRun {
	d.t.Helper()
	run, err := d.poller.Fetch(d.t.Context(), d.in, "crew", ask)
	must(d.t, err)
	return run
}

// says returns what is said of the account's feed once it was fetched or, of travellers that are looked for, asked.
func (d *desk) says(flow gangway.Flow) string {
	d.t.Helper()
	if flow == gangway.TravellersFlow {
		return d.fetch(poll.Ask{}).Error
	}
	return d.told(flow, gangway.Ask{Surname: "Rey"}, false).Error
}

// set sets the account's feed: an address of a customer's system.
func (d *desk) set(flow gangway.Flow, url string, change ...func(*gangway.Feed)) {
	d.t.Helper()
	settings, err := json.Marshal(map[string]string{"url": url})
	must(d.t, err)
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
	must(d.t, err)
}

// run runs the feed and fails the test unless it does so much: received,
// created, updated, unchanged, removed, refused.
func (d *desk) run(want ...int) gangway.FeedRun {
	d.t.Helper()
	d.later(time.Second)
	run := d.fetch(poll.Ask{})
	got := []int{run.Received, run.Created, run.Updated, run.Unchanged, run.Removed, run.Refused}
	if run.Failed() || !slices.Equal(got, want) {
		d.t.Fatalf("the run: %v, %+v; want %v", got, run, want)
	}
	return run
}

// fails runs the feed and fails the test unless it is given up for a reason.
func (d *desk) fails(because string) {
	d.t.Helper()
	d.later(time.Second)
	run := d.fetch(poll.Ask{})
	if !strings.Contains(run.Error, because) || run.Created+run.Updated+run.Removed > 0 {
		d.t.Fatalf("the run: %+v; want it given up because %q", run, because)
	}
}

// ends waits until the history of a feed has so many runs, the last one first. Word of a feed comes of the progress of
// its runs as well.
func (d *desk) ends(feed string, runs int, word <-chan struct{}) []gangway.FeedRun {
	d.t.Helper()
	for {
		history, err := d.in.FeedRuns(d.t.Context(), feed, 0, runs)
		must(d.t, err)
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
	must(d.t, err)
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
	run := d.fetch(poll.Ask{})
	if !strings.HasPrefix(run.Error, "2 records were refused: line 3: Surname (LastName): ") ||
		!strings.Contains(run.Error, "it lacks 8 of the 11 records that it had: nothing was changed") {
		t.Errorf("%q; want what was refused first", run.Error)
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
		d.history(3)
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
		"it lacks 10 of the 12 records that it had": says(crew("Zoe", "Yan")),
		"it lacks 12 of the 12 records that it had": says("[]"),
		"500":      func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"record 1": says(`[{"id":"1","last_name":"Reyes","first_name":"Ana"},{"id"`),
	} {
		c.says(answer)
		d.fails(because)
		d.there(many...)
	}
	c.has(crew("Zoe", "Yan"))
	if run := d.fetch(poll.Ask{Shrunk: true}); run.Failed() || run.Removed != 10 {
		t.Fatalf("believed: %+v; want ten removed", run)
	}
	d.there("Yan", "Zoe")
}

// A run that was interrupted is one run in the history, with all that it did.
func TestInterruptedRunGoesOn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d, c := newDesk(t, db), newCustomer(t)
		d.set(gangway.TravellersFlow, c.URL)
		c.has(crew("Ana", "Bea", "Cas"))
		l, err := d.in.TakeFeed(t.Context(), "crew", d.now(), d.now().Add(time.Minute))
		must(t, err)
		ana := gangway.Traveller{ID: "C-1", LastName: "Reyes", FirstName: "Ana", Gender: "F"}
		rows, err := store.TravellerRows([]gangway.Traveller{ana})
		must(t, err)
		from := gangway.Origin{Source: gangway.FeedSource("crew"), Generation: l.Run, SeenAt: d.now()}
		must(t, did(d.in.During(l).UpsertTravellerRows(t.Context(), rows, from))) // and then the process is killed
		if _, err := d.poller.Fetch(t.Context(), d.in, "crew", poll.Ask{}); gangway.KindOf(err) != gangway.Conflict {
			t.Fatalf("while somebody works on it: %v; want Conflict", err)
		}
		d.later(time.Minute)
		d.run(3, 3, 0, 0, 0, 0)
		d.history(1)
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
		if got := <-silent; !errors.Is(got, store.ErrFeedLost) && !errors.Is(got, context.Canceled) && err == nil {
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
	ended, forget := db.Await(store.FeedTopic("crew"))
	defer forget()
	stop := d.works()
	d.set(gangway.TravellersFlow, c.URL)
	d.ends("crew", 1, ended)
	stop()
	d.there("Ana")
	if due := d.stored().Due; !due.Equal(storetest.Began.Add(time.Hour)) {
		t.Errorf("due again at %s; want in an hour", due)
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
