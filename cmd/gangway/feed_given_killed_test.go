package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store/storetest"
)

// TestTrialGivenDocumentKilled kills the program again and again while it reads and stores a document that was given by
// hand. After the last start one run of the history has stored all of it, and giving it again changes nothing.
func TestTrialGivenDocumentKilled(t *testing.T) {
	need.Trial(t)
	t.Parallel() // it waits for leases of whoever was killed
	const all = 60_000
	storetest.EachURL(t, func(t *testing.T, database string) {
		v := newCustomerOf(t, database)
		document := filepath.Join(t.TempDir(), "crew.csv")
		if err := os.WriteFile(document, []byte(crewList(0, all)), 0o600); err != nil {
			t.Fatal(err)
		}
		v.setFeed(`{"name": "office", "flow": "travellers", "transport": {"kind": "upload"}}`)

		// Whoever gives it is killed once all of it is there: from then on it is not lost.
		giving := gangwayCommand(t, v.of(nil, "feed", "run", "office", "--document", document)...)
		if err := giving.Start(); err != nil {
			t.Fatal(err)
		}
		db, in := v.open()
		eventually(t, "the document is there", func() bool {
			run, err := in.FeedRunUnderWay(t.Context(), "office")
			return err == nil && run.ID > 0 && run.ByHand()
		})
		giving.Process.Kill()
		_ = giving.Wait()
		db.Close()
		for range 3 { // a run that was begun five times is given up
			p, _, _ := serve(t, database)
			time.AfterFunc(time.Duration(rand.IntN(900))*time.Millisecond, p.kill)
			<-p.gone
		}
		p, _, _ := serve(t, database)
		db, in = v.open()
		var runs []gangway.FeedRun
		eventually(t, "the document is stored", func() bool {
			var err error
			runs, err = in.FeedRuns(t.Context(), "office", 0, 100)
			return err == nil && len(runs) > 0
		})
		p.stop()
		if r := runs[0]; len(runs) != 1 || r.Failed() || r.Created != all || r.Updated+r.Removed != 0 || !r.ByHand() {
			t.Errorf("the history: %+v; want one run that created each of %d", runs, all)
		}
		db.Close()
		again := answer[feedAnswer](t, v.of(nil, "feed", "run", "office", "--document", document)...)
		if again.Created+again.Updated+again.Removed != 0 || again.Unchanged != all {
			t.Errorf("given again: %+v; want nothing changed", again)
		}
	})
}
