package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	os.Setenv("GANGWAY_DRAIN", "0s") // no balancer has to notice
	testscript.Main(m, map[string]func(){"gangway": func() {
		for _, ours := range []string{"TEST_POSTGRES", "TRIAL", "INTEROP", "FAULTS", "LIVES", "QUERIES", "DEATHS",
			"SCALE", "SCALE_CUSTOMERS"} {
			os.Unsetenv("GANGWAY_" + ours) // the program would warn of a variable that is only the tests'
		}
		main()
	}})
}

// TestCommands runs the scripts in testdata with the real program.
func TestCommands(t *testing.T) {
	database := eitherURL(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("GANGWAY_DATABASE", database(e.T().(testing.TB)))
			e.Setenv("SOON", time.Now().AddDate(0, 0, 30).Format(time.DateOnly))
			e.Setenv("SYSTEM", customerSystem(e.T().(testing.TB), filepath.Join(e.WorkDir, "system")))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"let": let, "ends": ends,
			"expand": expand, "aged": aged},
		RequireExplicitExec: true,
	})
}

// let stores what the group in a pattern matches in the last output: let NAME PATTERN.
func let(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: let NAME PATTERN")
	}
	found := regexp.MustCompile(args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if len(found) != 2 {
		ts.Fatalf("let %s: the last output has no single group of %s", args[0], args[1])
	}
	ts.Setenv(args[0], strings.TrimSpace(found[1]))
}

// ends runs a command that must fail with an exit code: ends CODE PROGRAM ARG… It must print one sentence,
// on standard error.
func ends(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: ends CODE PROGRAM ARG…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		code = ended.ExitCode()
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("%s ended with %d, %v; want %s", args[1], code, err, args[0])
	}
	if said := ts.ReadFile("stderr"); strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "gangway: ") ||
		ts.ReadFile("stdout") != "" {
		ts.Fatalf("it said %q; want one sentence", said)
	}
}
