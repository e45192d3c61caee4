package poll_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport/transporttest"
)

// A dropBox is a folder where a customer's system leaves files.
type dropBox struct {
	t    *testing.T
	path string
}

// newDropBox sets the account's feed: files of a folder.
func newDropBox(t *testing.T, d *desk, flow gangway.Flow, change ...func(*gangway.Feed)) *dropBox {
	t.Helper()
	b := &dropBox{t, t.TempDir()}
	d.set(flow, "", append(change, func(f *gangway.Feed) {
		f.Transport.Kind = "folder"
		f.Transport.Settings = json.RawMessage(fmt.Sprintf(`{"path":%q}`, b.path))
	})...)
	return b
}

// complete has each file bring all there is.
func complete(f *gangway.Feed) { f.Complete = new(true) }

// put leaves a file that nobody has written to for a while.
func (b *dropBox) put(name, doc string) {
	b.t.Helper()
	file := filepath.Join(b.path, name)
	must(b.t, os.WriteFile(file, []byte(doc), 0o600))
	old := time.Now().Add(-time.Minute)
	must(b.t, os.Chtimes(file, old, old))
}

// has fails the test unless these are the files of the folder, and of those in it.
func (b *dropBox) has(want ...string) {
	b.t.Helper()
	var got []string
	err := filepath.WalkDir(b.path, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			name, _ := filepath.Rel(b.path, path)
			got = append(got, name)
		}
		return err
	})
	if err != nil || !slices.Equal(got, want) {
		b.t.Fatalf("files: %q, %v; want %q", got, err, want)
	}
}

// A file is put away once its records are stored, and not by a trial; one that is broken spoils no other, and has a
// report beside it that says what to do, also of what was left out of records that were stored.
func TestFilesArePutAway(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		b := newDropBox(t, d, gangway.TravellersFlow)
		d.run(0, 0, 0, 0, 0, 0)
		d.history(0)
		b.put("a.csv", crew("Ana", "Bea"))
		tried, err := d.poller.Try(t.Context(), d.in, d.stored().Feed, nil, gangway.Ask{})
		if err != nil || tried.Report.Received != 2 || tried.Error != "" {
			t.Errorf("tried: %+v, %v; want two records, and nothing wrong", tried, err)
		}
		b.has("a.csv")
		b.put("b.json", `[{"id":"7","last_name":"Reyes","first_name":"Zoe"`)
		b.put("c.csv", "Crew ID;Surname;Given name;dob\nC-9;Reyes;Cas;1990-02-31\nC-10;;Dan;\n")
		b.put("half.csv.part", crew("Half"))
		run := d.run(4, 3, 0, 0, 0, 1)
		if run.FailedDocuments != 1 || len(run.Failures) != 1 || run.Failures[0].Document != "b.json" ||
			!strings.Contains(run.Failures[0].Message, "ends too early") {
			t.Errorf("the run names %+v; want the file that failed, and why", run.Failures)
		}
		if kept, err := d.in.FeedRun(t.Context(), "crew", run.ID); err != nil || kept.FailedDocuments != 1 ||
			!slices.Equal(kept.Failures, run.Failures) {
			t.Errorf("the history has %+v, %v; want the same", kept.Failures, err)
		}
		d.there("Ana", "Bea", "Cas")
		b.has("done/a.csv", "done/c.csv", "done/c.csv.report.txt", "failed/b.json", "failed/b.json.report.txt",
			"half.csv.part")
		report, err := os.ReadFile(filepath.Join(b.path, "done/c.csv.report.txt"))
		if err != nil || !strings.Contains(string(report), "line 3: Surname (LastName): ") || !strings.Contains(
			string(report), `"1990-02-31". It was left out; the rest of the record was stored.`) {
			t.Errorf("the report: %q, %v; want what was refused, with its line, and what was left out", report, err)
		}
		b.put("again.csv", crew("Ana", "Bea"))
		d.run(2, 0, 0, 2, 0, 0)
		d.there("Ana", "Bea", "Cas") // files add and replace
	})
}

// TestManyFilesFail holds that a run names so many of the files that failed, and counts them all.
func TestManyFilesFail(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	b := newDropBox(t, d, gangway.TravellersFlow)
	for i := range 120 {
		b.put(fmt.Sprintf("%03d.json", i), "[")
	}
	run := d.run(0, 0, 0, 0, 0, 0)
	if run.FailedDocuments != 120 || len(run.Failures) != 100 || run.Failures[99].Document != "099.json" {
		t.Errorf("%d failed, and %d are named; want 120 and 100", run.FailedDocuments, len(run.Failures))
	}
}

// A folder that has nothing new says nothing of what the customer's system has, also where each file
// brings all there is; nor does a file that cannot be read.
func TestEmptyFolderTakesNothingAway(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	b := newDropBox(t, d, gangway.TravellersFlow, complete)
	b.put("a.csv", crew("Ana", "Bea", "Cas"))
	d.run(3, 3, 0, 0, 0, 0)
	d.run(0, 0, 0, 0, 0, 0)
	d.history(1)
	b.put("b.json", `[{"id":"7"`)
	d.run(0, 0, 0, 0, 0, 0)
	b.has("done/a.csv", "failed/b.json", "failed/b.json.report.txt")
	d.there("Ana", "Bea", "Cas")
}

// A file whose records are stored and that cannot be put away is not read again,
// and is put away as soon as that is possible.
func TestFileThatStays(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	b := newDropBox(t, d, gangway.TravellersFlow)
	done := filepath.Join(b.path, "done")
	if err := os.Symlink("/nowhere", done); err != nil { // no folder can be made there
		t.Fatal(err)
	}
	b.put("a.csv", crew("Ana"))
	d.run(1, 1, 0, 0, 0, 0)
	b.has("a.csv", "done")
	d.run(0, 0, 0, 0, 0, 0)
	d.there("Ana")
	must(t, os.Remove(done))
	d.poller = d.another() // after a restart
	d.run(0, 0, 0, 0, 0, 0)
	b.has("done/a.csv")
	d.history(1)
}

// A connection that breaks in a file gives the run up and says nothing about the file: the next run reads it.
func TestBrokenConnectionEndsTheRun(t *testing.T) {
	var crew strings.Builder
	crew.WriteString("id;last_name;first_name;gender\n")
	for i := range 10_000 {
		fmt.Fprintf(&crew, "C-%d;Reyes;Ana;F\n", i)
	}
	for _, kind := range []string{"sftp", "ftp"} {
		t.Run(kind, func(t *testing.T) {
			d := newDesk(t, storetest.New(t))
			b := newDropBox(t, d, gangway.TravellersFlow)
			longAgo := time.Now().AddDate(0, 0, -7)
			b.put("crew.csv", crew.String())
			must(t, os.Chtimes(filepath.Join(b.path, "crew.csv"), longAgo, longAgo))
			set, secrets := map[string]any{"host": "127.0.0.1", "path": b.path}, map[string]any{}
			if kind == "sftp" {
				s := transporttest.ServeSFTP(t, false)
				set["user"], set["host_key"], secrets["private_key"] = s.User, s.HostKey, s.PrivateKey
				set["port"] = transporttest.Breaking(t, s.Port, 100_000)
			} else {
				// The file comes over a connection of its own, which begins at another port: the list of the
				// folder breaks there.
				s := transporttest.ServeFTP(t, b.path, "", false)
				set["user"], secrets["password"] = s.User, s.Password
				set["port"] = transporttest.Breaking(t, s.Port, 100)
			}
			d.set(gangway.TravellersFlow, "", func(f *gangway.Feed) {
				open, err := json.Marshal(set)
				must(t, err)
				sealed, err := json.Marshal(secrets)
				must(t, err)
				f.Transport = gangway.Transport{Kind: kind, Settings: open,
					Secrets: gangway.SecretSettings(sealed)}
			})
			d.fails("the server closed the connection")
			b.has("crew.csv")
			d.run(10_000, 10_000, 0, 0, 0, 0)
			b.has("done/crew.csv")
		})
	}
}
