package need

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// needs are the tests that TestMissing runs with nothing installed.
var needs = map[string]func(testing.TB){
	"browser":             func(t testing.TB) { Browser(t) },
	"axe":                 func(t testing.TB) { Axe(t) },
	"PostgreSQL":          PostgreSQL,
	"PostgreSQL programs": func(t testing.TB) { PostgreSQLPrograms(t) },
	"Duffel's client":     func(t testing.TB) { DuffelClient(t) },
	"SOAP client":         func(t testing.TB) { SOAPClient(t) },
	"OData clients":       func(t testing.TB) { ODataClients(t) },
	"webhook clients":     func(t testing.TB) { WebhookClients(t) },
	"Java":                func(t testing.TB) { Java(t) },
	"packages for facts":  func(t testing.TB) { Refdata(t) },
	"SFTP server":         func(t testing.TB) { SFTPServer(t) },
	"FTP server":          func(t testing.TB) { FTPServer(t) },
	"IMAP server":         func(t testing.TB) { IMAPServer(t) },
	"packages":            func(t testing.TB) { Packages(t) },
	"MariaDB":             func(t testing.TB) { MariaDB(t) },
	"root":                func(t testing.TB) { Root(t, errors.New("operation not permitted")) },
}

// TestLacking is what TestMissing runs in a separate process.
func TestLacking(t *testing.T) {
	if os.Getenv("GANGWAY_TEST_LACKING") == "" {
		t.Skip("part of TestMissing")
	}
	for name, ask := range needs {
		t.Run(name, func(t *testing.T) { ask(t) })
	}
}

// On a machine that has only Go, a test that needs more is skipped with the reason and with
// instructions; if CI is set it fails with them.
func TestMissing(t *testing.T) {
	home := nothingInstalled(t)
	for _, tt := range []struct{ ci, outcome string }{{"", "SKIP"}, {"1", "FAIL"}} {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self, "-test.v", "-test.run", "^TestLacking$")
		cmd.Dir = home
		cmd.Env = []string{"GANGWAY_TEST_LACKING=1", "CI=" + tt.ci, "PATH=" + home}
		out, _ := cmd.CombinedOutput() // it fails where it should
		said := string(out)
		for name := range needs {
			outcome := tt.outcome
			if name == "root" {
				outcome = "SKIP" // which nobody can install
			}
			heading := "--- " + outcome + ": TestLacking/" + strings.ReplaceAll(name, " ", "_") + " "
			if !strings.Contains(said, heading) {
				t.Errorf("CI=%q: there is no %q in:\n%s", tt.ci, heading, said)
			}
		}
		if reasons := regexp.MustCompile(`NOT TRIED, for want of .+\. (On Debian|With Node)`).FindAllString(said,
			-1); len(reasons) != len(needs)-1 {
			t.Errorf("CI=%q: %d reasons that say what to do; want %d:\n%s", tt.ci, len(reasons), len(needs)-1, said)
		}
	}
}

// Tests are skipped for lack of something only through package need: a test that skipped itself would
// be skipped even where nothing may be. Suppliers differ in what they can do, which does not depend
// on the machine.
func TestNothingElseSkips(t *testing.T) {
	suppliers := filepath.FromSlash("internal/book/flight/flighttest")
	module, err := File("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Dir(module)
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := strings.TrimPrefix(path, root+string(filepath.Separator))
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || name == filepath.Join("internal", "need") ||
			strings.HasPrefix(d.Name(), ".") && path != root):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || filepath.Dir(name) == suppliers:
			return nil
		}
		code, err := os.ReadFile(path)
		if regexp.MustCompile(`\bt\.Skip(f|Now)?\(`).Match(code) {
			t.Errorf("%s skips a test by itself: call package need instead", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// nothingInstalled returns a folder with a copy of scripts/need that looks in none of the system's
// folders, so that nothing installed on this machine is found.
func nothingInstalled(t *testing.T) string {
	t.Helper()
	script, err := File("scripts/need")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	text = regexp.MustCompile(`/(usr|opt|Applications)/`).ReplaceAll(text, []byte("/nowhere/"))
	if err := os.Mkdir(filepath.Join(home, "scripts"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "scripts", "need"), text, 0o755); err != nil {
		t.Fatal(err)
	}
	return home
}
