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

	"gangway/internal/accept/poll"
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

// newDropBox sets the account's feed: all travellers, in files of a folder.
func newDropBox(t *testing.T, d *desk) *dropBox {
	t.Helper()
	b := &dropBox{t, t.TempDir()}
	d.set(gangway.TravellersFlow, "", func(f *gangway.Feed) {
		f.Transport.Kind = "folder"
		f.Transport.Settings = json.RawMessage(fmt.Sprintf(`{"path":%q}`, b.path))
	})
	return b
}

// put leaves a file that nobody has written to for a while.
func (b *dropBox) put(name, doc string) {
	b.t.Helper()
	file := filepath.Join(b.path, name)
	if err := os.WriteFile(file, []byte(doc), 0o600); err != nil {
		b.t.Fatal(err)
	}
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(file, old, old); err != nil {
		b.t.Fatal(err)
	}
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

// A file is put away once its records are stored; one that is broken spoils no
// other, and has a report beside it that says what to do.
func TestFilesArePutAway(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		b := newDropBox(t, d)
		d.run(0, 0, 0, 0, 0, 0)
		if history, err := d.in.FeedRuns(t.Context(), "crew", 0, 10); err != nil || len(history) > 0 {
			t.Fatalf("an empty folder has a history: %+v, %v", history, err)
		}
		b.put("a.csv", crew("Ana", "Bea"))
		b.put("b.json", `[{"id":"7","last_name":"Reyes","first_name":"Zoe"`)
		b.put("c.csv", "Crew ID;Surname;Given name\nC-9;Reyes;Cas\nC-10;;Dan\n")
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
		if err != nil || !strings.Contains(string(report), "line 3: Surname (LastName): ") {
			t.Errorf("the report: %q, %v; want the line and the field", report, err)
		}
		b.put("again.csv", crew("Ana", "Bea"))
		d.run(2, 0, 0, 2, 0, 0)
		d.there("Ana", "Bea", "Cas") // files add and replace
	})
}

// TestManyFilesFail holds that a run names so many of the files that failed, and counts them all.
func TestManyFilesFail(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	b := newDropBox(t, d)
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
	b := &dropBox{t, t.TempDir()}
	all := true
	d.set(gangway.TravellersFlow, "", func(f *gangway.Feed) {
		f.Transport = gangway.Transport{Kind: "folder",
			Settings: json.RawMessage(fmt.Sprintf(`{"path":%q}`, b.path))}
		f.Complete = &all
	})
	b.put("a.csv", crew("Ana", "Bea", "Cas"))
	d.run(3, 3, 0, 0, 0, 0)
	d.run(0, 0, 0, 0, 0, 0)
	if history, err := d.in.FeedRuns(t.Context(), "crew", 0, 10); err != nil || len(history) != 1 {
		t.Errorf("history: %+v, %v; want one run", history, err)
	}
	b.put("b.json", `[{"id":"7"`)
	d.run(0, 0, 0, 0, 0, 0)
	b.has("done/a.csv", "failed/b.json", "failed/b.json.report.txt")
	d.there("Ana", "Bea", "Cas")
}

// The report beside a file also says what was left out of records that were stored.
func TestReportSaysWhatWasLeftOut(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	b := newDropBox(t, d)
	b.put("a.csv", "id,last_name,first_name,dob\n1,Reyes,Ana,1990-02-31\n")
	d.run(1, 1, 0, 0, 0, 0)
	report, err := os.ReadFile(filepath.Join(b.path, "done/a.csv.report.txt"))
	if err != nil || !strings.HasPrefix(string(report), "line 2: ") || !strings.Contains(string(report),
		`"1990-02-31". It was left out; the rest of the record was stored.`) {
		t.Errorf("the report: %q, %v; want the date of birth", report, err)
	}
}

// A file whose records are stored and that cannot be put away is not read again,
// and is put away as soon as that is possible.
func TestFileThatStays(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	b := newDropBox(t, d)
	done := filepath.Join(b.path, "done")
	if err := os.Symlink("/nowhere", done); err != nil { // no folder can be made there
		t.Fatal(err)
	}
	b.put("a.csv", crew("Ana"))
	d.run(1, 1, 0, 0, 0, 0)
	b.has("a.csv", "done")
	d.run(0, 0, 0, 0, 0, 0)
	d.there("Ana")
	if err := os.Remove(done); err != nil {
		t.Fatal(err)
	}
	d.poller = d.another() // after a restart
	d.run(0, 0, 0, 0, 0, 0)
	b.has("done/a.csv")
	if history, err := d.in.FeedRuns(t.Context(), "crew", 0, 10); err != nil || len(history) != 1 {
		t.Errorf("history: %+v, %v; want one run", history, err)
	}
}

// Trying a feed of files leaves them where they are.
func TestTryLeavesFiles(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	b := newDropBox(t, d)
	b.put("a.csv", crew("Ana"))
	f, err := d.in.Feed(t.Context(), "crew")
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.poller.Try(t.Context(), d.in, f.Feed, nil, gangway.Ask{})
	if err != nil || got.Report.Received != 1 || got.Error != "" {
		t.Fatalf("Try: %+v, %v", got, err)
	}
	b.has("a.csv")
	run, err := d.poller.Fetch(t.Context(), d.in, "crew", poll.Ask{})
	if err != nil || run.Created != 1 {
		t.Fatalf("the run after it: %+v, %v", run, err)
	}
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
			b := newDropBox(t, d)
			longAgo := time.Now().AddDate(0, 0, -7)
			b.put("crew.csv", crew.String())
			if err := os.Chtimes(filepath.Join(b.path, "crew.csv"), longAgo, longAgo); err != nil {
				t.Fatal(err)
			}
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
				if err != nil {
					t.Fatal(err)
				}
				sealed, err := json.Marshal(secrets)
				if err != nil {
					t.Fatal(err)
				}
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
