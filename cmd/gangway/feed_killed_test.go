package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
	v, box := newCustomerOf(t, database), t.TempDir()
	for i := range files {
		dropFile(t, filepath.Join(box, fmt.Sprintf("crew-%d.csv", i)), crewList(i, each))
	}
	for range kills {
		v.setFeed(crewIn(box)) // it is due at once
		p, _, _ := serve(t, database)
		time.AfterFunc(time.Duration(rand.IntN(600))*time.Millisecond, p.kill)
		<-p.gone
	}
	v.setFeed(crewIn(box))
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

	v.createdOnce(files * each)
	for _, name := range done {
		text := sure(os.ReadFile(name))(t)
		dropFile(t, filepath.Join(box, filepath.Base(name)), string(text))
	}
	v.setFeed(crewIn(box))
	if again := answer[feedAnswer](t, v.of(nil, "feed", "run", "crew")...); again.Created+again.Updated != 0 ||
		again.Unchanged != files*each {
		t.Errorf("read again: %+v; want nothing changed", again)
	}
}

// crewList is a file of people of its own number.
func crewList(file, people int) string {
	var text strings.Builder
	text.WriteString("id;last_name;first_name;gender\n")
	for n := range people {
		fmt.Fprintf(&text, "C-%d-%d;Reyes;Ana;F\n", file, n)
	}
	return text.String()
}

// createdOnce checks that the history of the feed crew tells of so many people, each as created once.
func (v *vault) createdOnce(people int) {
	v.t.Helper()
	db, in := v.open()
	defer db.Close()
	runs := sure(in.FeedRuns(v.t.Context(), "crew", 0, 1000))(v.t)
	created := 0
	for _, r := range runs {
		created += r.Created
		if r.Failed() || r.Updated+r.Removed > 0 {
			v.t.Errorf("a run of the history: %+v", r)
		}
	}
	if created != people {
		v.t.Errorf("the history tells of %d created in %d runs; want each of %d once", created, len(runs), people)
	}
}

// dropFile leaves a file that nobody has written to for a while.
func dropFile(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.WriteFile(name, []byte(text), 0o600))
	old := time.Now().Add(-time.Minute)
	must(t, os.Chtimes(name, old, old))
}
