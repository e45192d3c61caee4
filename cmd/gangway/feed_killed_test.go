package main

import (
	"encoding/json"
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

// TestFeedKilled kills the program once while it takes in files.
func TestFeedKilled(t *testing.T) { killFeeding(t, storetest.SQLiteURL(t), 3, 1) }

// TestTrialFeedKilled kills it again and again.
func TestTrialFeedKilled(t *testing.T) {
	need.Trial(t)
	t.Parallel() // it waits for leases of whoever was killed
	storetest.EachURL(t, func(t *testing.T, database string) {
		kills := 8 * faults()
		if strings.HasPrefix(database, "postgres") {
			kills = faults() // a minute each: until the lease of whoever was killed is over
		}
		killFeeding(t, database, 6, kills)
	})
}

// killFeeding kills the program while it takes in files. After the last start each file lies in done/ once, the
// history tells of everybody as created once, and reading the files again changes nothing.
func killFeeding(t *testing.T, database string, files, kills int) {
	const each = 4000
	db := openStore(t, database)
	account, _, err := db.CreateCustomer(t.Context(), gangway.ByCommand("test", "test"), "Halcyon Tankers",
		time.Now())
	if err != nil {
		t.Fatal(err)
	}
	db.Close() // the program has it for itself
	box := t.TempDir()
	feed := filepath.Join(t.TempDir(), "feed.json")
	doc, err := json.Marshal(map[string]any{"name": "crew", "flow": "travellers",
		"transport": map[string]any{"kind": "folder", "path": box}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(feed, doc, 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range files {
		var text strings.Builder
		text.WriteString("id;last_name;first_name;gender\n")
		for n := range each {
			fmt.Fprintf(&text, "C-%d-%d;Reyes;Ana;F\n", i, n)
		}
		dropFile(t, filepath.Join(box, fmt.Sprintf("crew-%d.csv", i)), text.String())
	}
	set := func() {
		t.Helper()
		gangwayCommand(t, "feed", "set", "--database", database, "--customer", account.Customer.ID, "--environment",
			"production", "--file", feed).Run()
	}
	for range kills {
		set() // it is due at once
		p, _, _ := serve(t, database)
		time.AfterFunc(time.Duration(rand.IntN(600))*time.Millisecond, p.kill)
		<-p.gone
	}
	set()
	p, _, _ := serve(t, database)
	eventually(t, "all files are put away", func() bool {
		left, err := filepath.Glob(filepath.Join(box, "*.csv"))
		return err == nil && len(left) == 0
	})
	p.stop()
	done, err := filepath.Glob(filepath.Join(box, "done", "*"))
	if err != nil || len(done) != files {
		t.Errorf("in done/ are %q, %v; want %d files, each once", done, err, files)
	}

	db = openStore(t, database)
	in := db.In(account.Scope())
	created := 0
	runs, err := in.FeedRuns(t.Context(), "crew", 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		created += r.Created
		if r.Failed() || r.Updated+r.Removed > 0 {
			t.Errorf("a run of the history: %+v", r)
		}
	}
	if created != files*each {
		t.Errorf("the history tells of %d created in %d runs; want each of %d once", created, len(runs), files*each)
	}
	db.Close()
	for _, name := range done {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		dropFile(t, filepath.Join(box, filepath.Base(name)), string(text))
	}
	set()
	again := answer[map[string]any](t, "feed", "run", "crew", "--database", database, "--customer",
		account.Customer.ID, "--environment", "production")
	if again["created"] != 0.0 || again["updated"] != 0.0 || again["unchanged"] != float64(files*each) {
		t.Errorf("read again: %+v; want nothing changed", again)
	}
}

// dropFile leaves a file that nobody has written to for a while.
func dropFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(name, old, old); err != nil {
		t.Fatal(err)
	}
}
