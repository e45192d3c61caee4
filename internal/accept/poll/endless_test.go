package poll_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"gangway/internal/accept/mapping"
	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// endless is a mapping that never ends.
const endless = `def f: f; f`

// hang is longer than anything here takes on a machine that works.
const hang = time.Hour

// within has the account's poller run mappings within limits; those that are zero are no limits.
func (d *desk) within(limits mapping.Limits) {
	for _, l := range []*time.Duration{&limits.Record, &limits.Whole, &limits.List} {
		if *l == 0 {
			*l = hang
		}
	}
	w := mapping.NewWorkers()
	w.Nice, w.Limits = 0, limits
	d.poller = d.another(func(c *poll.Config) { c.Workers = w })
}

// TestRunIsStopped: whoever switches a feed off or deletes it, at any replica, ends the run that is under way, however
// long its mapping takes. The history says why.
func TestRunIsStopped(t *testing.T) {
	for name, stop := range map[string]func(d *desk, p *poll.Poller) error{
		"switched off": func(d *desk, p *poll.Poller) error {
			return p.Switch(d.t.Context(), d.in, storetest.Operator, "crew", true)
		},
		"deleted": func(d *desk, p *poll.Poller) error {
			_, err := p.Delete(d.t.Context(), d.in, storetest.Operator, "crew")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, db *store.DB) {
				d, c := newDesk(t, db), newCustomer(t)
				other := d.poller
				d.within(mapping.Limits{})
				asked := make(chan bool, 1)
				c.says(func(w http.ResponseWriter, _ *http.Request) {
					asked <- true
					fmt.Fprint(w, crew("Ana"))
				})
				d.set(gangway.TravellersFlow, c.URL, func(f *gangway.Feed) { f.Mapping = endless })
				type outcome struct {
					run gangway.FeedRun
					err error
				}
				ended := make(chan outcome)
				go func() {
					run, err := d.poller.Fetch(t.Context(), d.in, "crew", poll.Ask{})
					ended <- outcome{run, err}
				}()
				<-asked
				must(t, stop(d, other))
				got := <-ended // or the test never ends
				if name == "deleted" {
					if got.err == nil {
						t.Errorf("the run of a feed that is gone: %+v; want an error", got.run)
					}
					return
				}
				const want = "the run was stopped: the feed was switched off"
				if history := d.history(1); got.err != nil || got.run.Error != want || history[0].Error != want {
					t.Errorf("the run: %+v, %v; history: %+v; want %q", got.run, got.err, history, want)
				}
				if f := d.stored(); f.Busy(d.now()) {
					t.Errorf("the feed: %+v; want it free", f)
				}
				c.has(crew("Ana"))
				d.set(gangway.TravellersFlow, c.URL)
				d.run(1, 1, 0, 0, 0, 0)
			})
		})
	}
}

// TestInterruptedRunOfAFeedThatIsOff: a feed that was switched off while nobody worked on it has its interrupted run
// ended, not continued once it is on again.
func TestInterruptedRunOfAFeedThatIsOff(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d, c := newDesk(t, db), newCustomer(t)
		c.has(crew("Ana"))
		d.set(gangway.TravellersFlow, c.URL)
		must(t, did(d.in.TakeFeed(t.Context(), "crew", d.now(), d.now().Add(time.Second))))
		must(t, d.poller.Switch(t.Context(), d.in, storetest.Operator, "crew", true))
		d.later(time.Minute)
		word, forget := db.Await(store.FeedTopic("crew"))
		defer forget()
		stop := d.works()
		history := d.ends("crew", 1, word)
		stop()
		if history[0].Error != store.ErrFeedOff.Error() || d.stored().Busy(d.now()) {
			t.Errorf("the history: %+v; feed: %+v; want the run stopped", history, d.stored())
		}
	})
}

// TestRunEndsWithTheFirstFileThatTakesTooMuch: files after one on which the mapping takes too much are for the next
// run, so that no folder of them keeps a processor busy for an hour.
func TestRunEndsWithTheFirstFileThatTakesTooMuch(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	d.within(mapping.Limits{Record: 200 * time.Millisecond})
	b := newDropBox(t, d, gangway.TravellersFlow)
	must(t, did(d.in.SetFeed(t.Context(), storetest.Operator, "crew", func(f store.StoredFeed) (gangway.Feed, error) {
		f.Mapping = `.[] | if .id == "C-2" then ` + endless + ` else . end`
		return f.Feed, nil
	}, time.Time{}, d.now())))
	for i := range 4 {
		b.put(fmt.Sprintf("%d.csv", i+1), fmt.Sprintf("id;last_name;first_name\nC-%d;Reyes;Ana\n", i+1))
	}
	run := d.fetch(poll.Ask{})
	if run.Created != 1 || len(run.Failures) != 1 ||
		!strings.Contains(run.Failures[0].Message, "the program takes too long") {
		t.Errorf("the run: %+v; want one file stored, and one on which the program takes too long", run)
	}
	b.has("3.csv", "4.csv", "done/1.csv", "failed/2.csv", "failed/2.csv.report.txt")
	d.run(2, 2, 0, 0, 0, 0)
}

// TestTryingHasTimeOfItsOwn: a trial of a list may take as long as a document that is needed whole, and a run longer.
func TestTryingHasTimeOfItsOwn(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	d.within(mapping.Limits{Whole: 100 * time.Millisecond})
	names := make([]string, 300)
	for i := range names {
		names[i] = fmt.Sprint("Ana ", i)
	}
	c.has(crew(names...))
	d.set(gangway.TravellersFlow, c.URL, func(f *gangway.Feed) {
		f.Mapping = `.[] | (reduce range(20000) as $i (0; . + 1)) as $n | {id: .["Crew ID"], last_name: .Surname,
			first_name: "Ana"}`
	})
	tried, err := d.poller.Try(t.Context(), d.in, d.stored().Feed, nil, gangway.Ask{})
	if err != nil || !strings.Contains(tried.Error, "the program takes too long") {
		t.Errorf("the trial: %q, %v; want that the program takes too long", tried.Error, err)
	}
	if run := d.fetch(poll.Ask{}); run.Failed() || run.Received != len(names) {
		t.Errorf("the run: %+v; want all records read", run)
	}
}
