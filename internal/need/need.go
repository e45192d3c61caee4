// Package need says what tests need of the machine beyond Go, one function a
// need, each with its reason. It installs nothing.
//
// A test that asks for what the machine lacks is skipped and says so, so that
// "go test ./..." is of use on a fresh clone. Where CI is set, which "make test"
// does too, the same test fails: there nothing may pass because it was not
// tried. What a need is, where it is looked for and how it is had is written
// down in scripts/need and nowhere else.
package need

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Browser returns the program of a Chromium: pages are tried in a real browser.
func Browser(t testing.TB) string {
	t.Helper()
	return find(t, "browser")
}

// Axe returns the script of axe-core: pages are tried for accessibility.
func Axe(t testing.TB) string {
	t.Helper()
	return find(t, "axe")
}

// PostgreSQL is asked before a database is made: whatever is stored is tried on
// both databases, on a server of the kind that most people have.
func PostgreSQL(t testing.TB) {
	t.Helper()
	if os.Getenv("GANGWAY_TEST_POSTGRES") == "" {
		find(t, "postgresql")
		find(t, "locale")
	}
}

// PostgreSQLPrograms returns the folder of PostgreSQL's own programs: a server is
// stopped, stalled and filled in trials, and what it holds is read past Gangway.
func PostgreSQLPrograms(t testing.TB) string {
	t.Helper()
	return filepath.Dir(find(t, "postgresql"))
}

// Refdata is asked where the facts about the world are made anew: by packages of
// npm, and Node.js.
func Refdata(t testing.TB) {
	t.Helper()
	find(t, "refdata")
}

// DuffelClient returns Node.js, with Duffel's own client beside it: our model of
// Duffel is held against that.
func DuffelClient(t testing.TB) string {
	t.Helper()
	return find(t, "duffel-client")
}

// Root skips a trial that mounts a disk of its own or works with somebody else's
// files, which was refused. It never fails one: nobody can install root, and a
// container has one that may not mount.
func Root(t testing.TB, refused error) {
	t.Helper()
	t.Skipf("NOT TRIED, for want of root: %v", refused)
}

// finding is what scripts/need said: where a need is, or why it is not there.
type finding struct {
	at      string
	missing string
	err     error
}

var (
	looking  sync.Mutex
	findings = map[string]finding{}
)

// find returns where a need is. Without it the test ends here.
func find(t testing.TB, name string) string {
	t.Helper()
	looking.Lock()
	f, known := findings[name]
	if !known {
		f = look(name)
		findings[name] = f
	}
	looking.Unlock()
	switch {
	case f.err != nil:
		t.Fatal(f.err)
	case f.missing != "" && os.Getenv("CI") != "":
		t.Fatal(f.missing)
	case f.missing != "":
		t.Skip(f.missing)
	}
	return f.at
}

// unavailable is the status of scripts/need for what the machine lacks.
const unavailable = 69

// look asks scripts/need, which says on standard output where a need is and on
// standard error, in a sentence, what is missing.
func look(name string) finding {
	script, err := File("scripts/need")
	if err != nil {
		return finding{err: err}
	}
	var said bytes.Buffer
	cmd := exec.Command(script, "--look", name)
	cmd.Stderr = &said
	at, err := cmd.Output()
	why := strings.TrimSpace(said.String())
	switch ended := (*exec.ExitError)(nil); {
	case err == nil:
		return finding{at: strings.TrimSpace(string(at))}
	case errors.As(err, &ended) && ended.ExitCode() == unavailable:
		return finding{missing: "NOT TRIED, for want of " + why}
	default:
		return finding{err: fmt.Errorf("look for %s: %w: %s", name, err, why)}
	}
}

// File returns the path of a file of this repository, which is looked for from
// the test's folder upwards.
func File(name string) (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find %s: %w", name, err)
	}
	for {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", fmt.Errorf("find %s: it is in no folder above the test", name)
		}
		folder = parent
	}
}
