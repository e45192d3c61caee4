package transporttest

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/transport"
)

// A WatchedFolder is a folder at a customer, as the suite needs it: where it is on this
// machine, and a new settler of it, as after a restart.
type WatchedFolder struct {
	Path string
	Open func(t *testing.T) transport.Settler
}

// day is the unit of the files' ages: some servers list times in a zone that nobody knows,
// so that files of the last day are looked at twice.
const day = 24 * time.Hour

// leave puts a file into the folder, last changed so long ago.
func (f WatchedFolder) leave(t *testing.T, name, content string, ago time.Duration) {
	t.Helper()
	path := filepath.Join(f.Path, name)
	calltest.Done(t, os.WriteFile(path, []byte(content), 0o644))
	at := time.Now().Add(-ago).Truncate(time.Second)
	calltest.Done(t, os.Chtimes(path, at, at))
}

// names lists a folder within the folder.
func (f WatchedFolder) names(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(f.Path, folder))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// Leave puts an old file into a folder, for a Source.
func Leave(t *testing.T, path, content string) {
	t.Helper()
	f := WatchedFolder{Path: path}
	f.leave(t, strconv.Itoa(len(f.names(t, "")))+".json", content, 20*day)
}

// Where says in which folder within a folder a file lies, for a Source.
func Where(t *testing.T, path, content string) string {
	t.Helper()
	f := WatchedFolder{Path: path}
	for _, folder := range []string{"done", "failed"} {
		for _, name := range f.names(t, folder) {
			if read(t, filepath.Join(path, folder, name)) == content {
				return folder
			}
		}
	}
	return ""
}

// A Brought is what a pull has brought.
type Brought struct{ Key, Name, Body, From, ContentType string }

// Bring pulls everything.
func Bring(t *testing.T, p transport.Puller) (all []Brought) {
	t.Helper()
	for a, err := range p.Pull(t.Context(), transport.Query{Most: 1 << 20}) {
		if err != nil {
			t.Fatalf("Pull: %v", err)
		}
		if a.Wrong != nil {
			t.Fatalf("Pull brought %q: %v", a.Name, a.Wrong)
		}
		body, err := io.ReadAll(a.Body)
		if err != nil {
			t.Fatalf("read %q: %v", a.Name, err)
		}
		all = append(all, Brought{a.Key, a.Name, string(body), a.From, a.ContentType})
	}
	return all
}

// bodies are the contents that were brought, in order.
func bodies(all []Brought) (list []string) {
	for _, b := range all {
		list = append(list, b.Body)
	}
	return list
}

func mustSettle(t *testing.T, s transport.Settler, key string, as transport.Outcome) {
	t.Helper()
	if err := s.Settle(t.Context(), key, as); err != nil {
		t.Fatalf("Settle(%q): %v", key, err)
	}
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q; want %q", what, got, want)
	}
}

// Folder runs the suite of what every transport of files in a folder does, each part with
// a folder of its own.
func Folder(t *testing.T, make func(t *testing.T) WatchedFolder) {
	t.Run("files come oldest first, and stay until they are settled", func(t *testing.T) {
		f := make(t)
		f.leave(t, "a.csv", "second", 20*day)
		f.leave(t, "b ü.csv", "first", 30*day)
		f.leave(t, "empty.csv", "", 10*day)
		s := f.Open(t)
		same(t, "first pull", bodies(Bring(t, s)), "first", "second", "")
		same(t, "second pull", bodies(Bring(t, s)), "first", "second", "")
	})
	t.Run("files that are not whole, or not meant, are left alone", func(t *testing.T) {
		f := make(t)
		for _, name := range []string{"crew.csv.part", "crew.TMP", ".crew.csv", "crew.csv"} {
			f.leave(t, name, name, 20*day)
		}
		calltest.Done(t, os.Mkdir(filepath.Join(f.Path, "folder.csv"), 0o755))
		same(t, "pull", bodies(Bring(t, f.Open(t))), "crew.csv")
	})
	t.Run("a file is put away once, after a restart too", func(t *testing.T) {
		f := make(t)
		f.leave(t, "good.csv", "good", 20*day)
		f.leave(t, "bad.csv", "bad", 20*day)
		for _, b := range Bring(t, f.Open(t)) {
			as := transport.Outcome{Failed: b.Body == "bad"}
			if as.Failed {
				as.Report = []byte("line 1: Männer\n")
			}
			for range 2 {
				mustSettle(t, f.Open(t), b.Key, as)
			}
		}
		same(t, "the folder", f.names(t, ""))
		same(t, "done", f.names(t, "done"), "good.csv")
		same(t, "failed", f.names(t, "failed"), "bad.csv", "bad.csv.report.txt")
		if got := read(t, filepath.Join(f.Path, "failed", "bad.csv.report.txt")); got != "line 1: Männer\n" {
			t.Errorf("the report is %q", got)
		}
		same(t, "next pull", bodies(Bring(t, f.Open(t))))
	})
	t.Run("a name that is taken is not taken away from another file", func(t *testing.T) {
		f := make(t)
		s := f.Open(t)
		for i, content := range []string{"one", "two!", "three"} {
			f.leave(t, "crew.csv", content, 20*day)
			for _, b := range Bring(t, s) {
				mustSettle(t, s, b.Key, transport.Outcome{})
			}
			if names := f.names(t, "done"); len(names) != i+1 {
				t.Fatalf("done has %q; want %d files", names, i+1)
			}
		}
		for _, name := range f.names(t, "done") {
			if !strings.HasPrefix(name, "crew") || !strings.HasSuffix(name, ".csv") {
				t.Errorf("done has %q", name)
			}
		}
		if got := read(t, filepath.Join(f.Path, "done", "crew.csv")); got != "one" {
			t.Errorf("done/crew.csv has %q", got)
		}
	})
	t.Run("a file that replaced the one that was read is not put away for it", func(t *testing.T) {
		f := make(t)
		f.leave(t, "crew.csv", "one", 20*day)
		s := f.Open(t)
		key := Bring(t, s)[0].Key
		f.leave(t, "crew.csv", "two, longer", 20*day)
		mustSettle(t, s, key, transport.Outcome{})
		next := Bring(t, s)
		if same(t, "next pull", bodies(next), "two, longer"); len(next) == 1 && next[0].Key == key {
			t.Error("two documents have one key")
		}
	})
	t.Run("a file that is too long is wrong by itself", func(t *testing.T) {
		f := make(t)
		f.leave(t, "long.csv", strings.Repeat("x", 101), 30*day)
		f.leave(t, "short.csv", "short", 20*day)
		var wrong, good int
		for a, err := range f.Open(t).Pull(t.Context(), transport.Query{Most: 100}) {
			switch {
			case err != nil:
				t.Fatal(err)
			case a.Wrong != nil:
				wrong++
				mustSettle(t, f.Open(t), a.Key, transport.Outcome{Failed: true, Report: []byte(a.Wrong.Error())})
			default:
				good++
			}
		}
		if wrong != 1 || good != 1 {
			t.Errorf("%d files were wrong, %d good; want one each", wrong, good)
		}
		same(t, "failed", f.names(t, "failed"), "long.csv", "long.csv.report.txt")
	})
	t.Run("keys that no pull has yielded move nothing", func(t *testing.T) {
		f := make(t)
		f.leave(t, "crew.csv", "one", 20*day)
		for _, key := range []string{"", "crew.csv", "3 0 ../crew.csv", "3 0 crew.csv", "x y crew.csv", "3 0 ",
			"3 0 ."} {
			mustSettle(t, f.Open(t), key, transport.Outcome{})
		}
		same(t, "the folder", f.names(t, ""), "crew.csv")
	})
}

// ReadOnlyFolder checks a folder in which nothing may be written: a sentence says so, and
// the file keeps its key, by which it is known and not read again.
func ReadOnlyFolder(t *testing.T, f WatchedFolder) {
	t.Helper()
	f.leave(t, "crew.csv", "one", 20*day)
	s := f.Open(t)
	key := Bring(t, s)[0].Key
	for _, as := range []transport.Outcome{{}, {Failed: true, Report: []byte("line 1\n")}} {
		err := s.Settle(t.Context(), key, as)
		if err == nil || !strings.Contains(err.Error(), `"crew.csv" cannot be moved`) {
			t.Errorf("Settle = %v; want a sentence about the file", err)
		}
	}
	if again := Bring(t, s); len(again) != 1 || again[0].Key != key {
		t.Errorf("pulled again: %+v; want the same key", again)
	}
}
