package main

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"gangway/internal/store/storetest"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gangway": main})
}

// TestCommands runs the scripts in testdata with the real program, on both databases.
func TestCommands(t *testing.T) {
	for name, database := range map[string]func(testing.TB) string{
		"sqlite":   storetest.SQLiteURL,
		"postgres": storetest.PostgresURL,
	} {
		t.Run(name, func(t *testing.T) {
			testscript.Run(t, testscript.Params{
				Dir: "testdata",
				Setup: func(e *testscript.Env) error {
					e.Setenv("GANGWAY_DATABASE", database(e.T().(testing.TB)))
					e.Setenv("SOON", time.Now().AddDate(0, 0, 30).Format(time.DateOnly))
					return nil
				},
				Cmds:                map[string]func(*testscript.TestScript, bool, []string){"let": let},
				RequireExplicitExec: true,
			})
		})
	}
}

// let keeps what the group in a pattern matches of the last output: let NAME PATTERN.
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
