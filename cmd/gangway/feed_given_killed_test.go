package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
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
		db := openStore(t, database)
		account, _, err := db.CreateCustomer(t.Context(), gangway.ByCommand("test", "test"), "Halcyon Tankers",
			time.Now())
		if err != nil {
			t.Fatal(err)
		}
		in := db.In(account.Scope())
		folder := t.TempDir()
		feed, document := filepath.Join(folder, "office.json"), filepath.Join(folder, "crew.csv")
		if err := os.WriteFile(feed, []byte(`{"name": "office", "flow": "travellers",
			"transport": {"kind": "upload"}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		text.WriteString("id;last_name;first_name;gender\n")
		for n := range all {
			fmt.Fprintf(&text, "C-%d;Reyes;Ana;F\n", n)
		}
		if err := os.WriteFile(document, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		of := func(args ...string) []string {
			return append(args, "--database", database, "--customer", account.Customer.ID, "--environment",
				"production")
		}
		if out, err := gangwayCommand(t, of("feed", "set", "--file", feed)...).CombinedOutput(); err != nil {
			t.Fatalf("feed set: %s, %v", out, err)
		}
		db.Close()

		// Whoever gives it is killed once all of it is there: from then on it is not lost.
		giving := gangwayCommand(t, of("feed", "run", "office", "--document", document)...)
		if err := giving.Start(); err != nil {
			t.Fatal(err)
		}
		db = openStore(t, database)
		in = db.In(account.Scope())
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
		db = openStore(t, database)
		in = db.In(account.Scope())
		var runs []gangway.FeedRun
		eventually(t, "the document is stored", func() bool {
			runs, err = in.FeedRuns(t.Context(), "office", 0, 100)
			return err == nil && len(runs) > 0
		})
		p.stop()
		if r := runs[0]; len(runs) != 1 || r.Failed() || r.Created != all || r.Updated+r.Removed != 0 || !r.ByHand() {
			t.Errorf("the history: %+v; want one run that created each of %d", runs, all)
		}
		db.Close()
		again := answer[map[string]any](t, of("feed", "run", "office", "--document", document)...)
		if again["created"] != 0.0 || again["updated"] != 0.0 || again["removed"] != 0.0 ||
			again["unchanged"] != float64(all) {
			t.Errorf("given again: %+v; want nothing changed", again)
		}
	})
}
