package poll_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport/transporttest"
)

// A folder with many files is read in runs of so many as one may have, oldest first, until none is left.
func TestManyFilesTakeSeveralRuns(t *testing.T) { manyFiles(t, 100, 10) }

// TestTrialTenThousandFiles reads as many as one run may have, and of ten times as many.
func TestTrialTenThousandFiles(t *testing.T) {
	need.Trial(t)
	manyFiles(t, 10_000, 1000)
}

func manyFiles(t *testing.T, all, each int) {
	for _, kind := range []string{"folder", "sftp"} {
		t.Run(kind, func(t *testing.T) {
			d := newDesk(t, storetest.New(t))
			d.poller = d.another(func(c *poll.Config) { c.MostDocuments = each })
			b := newDropBox(t, d, gangway.TravellersFlow)
			if kind == "sftp" {
				b.bySFTP(d)
			}
			for i := range all {
				b.put(fmt.Sprintf("%05d.csv", i), fmt.Sprintf("id;last_name;first_name\nC-%d;Reyes;Ana\n", i))
			}
			for range 2 {
				if run := d.fetch(poll.Ask{}); run.Failed() || run.Created != each {
					t.Fatalf("the run: %+v; want %d created", run, each)
				}
			}
			left, err := filepath.Glob(filepath.Join(b.path, "*.csv"))
			if err != nil || len(left) != all-2*each {
				t.Errorf("%d files are left, %v; want %d", len(left), err, all-2*each)
			}
		})
	}
}

// bySFTP has the account's feed read the folder at a server.
func (b *dropBox) bySFTP(d *desk) {
	b.t.Helper()
	s := transporttest.ServeSFTP(b.t, false)
	open, _ := json.Marshal(map[string]any{"host": "127.0.0.1", "port": s.Port, "path": b.path, "user": s.User,
		"host_key": s.HostKey})
	sealed, _ := json.Marshal(map[string]any{"private_key": s.PrivateKey})
	d.set(gangway.TravellersFlow, "", func(f *gangway.Feed) {
		f.Transport = gangway.Transport{Kind: "sftp", Settings: open, Secrets: gangway.SecretSettings(sealed)}
	})
}

// Names of files are data: what is in them leads nowhere, spoils no other file, and is stored and reported as text.
func TestHostileNames(t *testing.T) {
	names := []string{"<script>alert(1)<script>.csv", "M\xfcller.csv", "-rf.csv", "%2e%2e.csv", "\u202egnp.csv",
		strings.Repeat("x", 250) + ".csv"}
	for _, kind := range []string{"folder", "sftp"} {
		t.Run(kind, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, db *store.DB) {
				d := newDesk(t, db)
				b := newDropBox(t, d, gangway.TravellersFlow)
				if kind == "sftp" {
					b.bySFTP(d)
				}
				for i, name := range append(names, "a\nb.csv") {
					b.put(name, fmt.Sprintf("id;last_name;first_name\nC-%d;Reyes;Ana\n%d;;Bea\n", i, i))
				}
				run := d.fetch(poll.Ask{})
				if run.Failed() || run.Created != len(names) {
					t.Fatalf("the run: %+v; want one record of each but the name of two lines", run)
				}
				left, err := filepath.Glob(filepath.Join(b.path, "*.csv"))
				done, err2 := filepath.Glob(filepath.Join(b.path, "done", "*"))
				failed, err3 := filepath.Glob(filepath.Join(b.path, "failed", "*"))
				if err := errors.Join(err, err2, err3); err != nil || len(left) > 0 || len(done) != 2*len(names) ||
					len(failed) != 2 {
					t.Errorf("left %q, done %q, failed %q, %v; want each put away with its report", left, done,
						failed, err)
				}
				docs, err := d.in.FeedDocuments(t.Context(), "crew", run.ID)
				if err != nil || len(docs) < len(names) {
					t.Errorf("documents: %v, %v; want all", docs, err)
				}
			})
		})
	}
}

// A list of a thousand slow pages holds its feed and nobody else: another feed of the account is fetched
// meanwhile, and no other process takes it.
func TestThousandSlowPages(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	next, pages := make(chan struct{}), 0
	reached := make(chan struct{})
	var once sync.Once
	c.says(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/other" {
			fmt.Fprint(w, crew("Zoe"))
			return
		}
		pages++
		if pages == 500 {
			once.Do(func() { close(reached) })
			select {
			case <-next:
			case <-r.Context().Done():
			}
		}
		w.Header().Set("Link", fmt.Sprintf(`</?page=%d>; rel="next"`, pages))
		fmt.Fprintf(w, `[{"id":"P-%d","last_name":"Pages","first_name":"Ana"}]`, pages)
	})
	d.set(gangway.TravellersFlow, c.URL+"/?page=0")
	defer d.works()()
	failed, stop := d.db.Await(store.FeedTopic("crew"))
	defer stop()
	<-reached
	if _, err := d.another().Fetch(t.Context(), d.in, "crew", poll.Ask{}); gangway.KindOf(err) != gangway.Conflict {
		t.Errorf("another process fetches it as well: %v", err)
	}
	fetched, stop := d.db.Await(store.FeedTopic("other"))
	defer stop()
	d.setNamed("other", gangway.TravellersFlow, c.URL+"/other")
	d.ends("other", 1, fetched)
	d.there("Zoe")
	close(next)
	if history := d.ends("crew", 1, failed); !strings.Contains(history[0].Error, "1,000 pages") || pages > 1002 {
		t.Errorf("after %d pages: %+v; want it given up", pages, history)
	}
}
