package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gangway/internal/seal"
)

// TestLostKey holds that an installation whose key is lost goes on as the guide for operators says: the server names
// all that it cannot open, and each is set again without the old key.
func TestLostKey(t *testing.T) {
	onEither(t, func(t *testing.T, database string) {
		v := newVault(t, database, "--secret-key-file", keyFile(t, seal.NewKey()))
		set := func(flags []string, name, auth string) *exec.Cmd {
			file := filepath.Join(t.TempDir(), name+".json")
			feed := `{"name": "` + name + `", "flow": "travellers", "every": "24h", "transport": {"kind": "endpoint", ` +
				`"url": "https://hr.halcyon.example/crew", "auth": ` + auth + `}}`
			must(t, os.WriteFile(file, []byte(feed), 0o600))
			return gangwayCommand(t, v.of(flags, "feed", "set", "--file", file)...)
		}
		whole, left := `{"kind": "basic", "user": "crew", "password": "tide-tables"}`, `{"kind": "basic", "user": "crew"}`
		old := []string{"--secret-key-file", keyFile(t, seal.NewKey())}
		ran(t, gangwayCommand(t, v.of(old, "outlet", "rotate", v.outlet, "--now")...))
		ran(t, set(old, "crew", whole))
		ran(t, set(old, "planned", whole))

		fresh := []string{"--secret-key-file", keyFile(t, seal.NewKey())}
		for _, named := range []string{"outlet " + v.outlet, "feed crew (--customer " + v.customer, "feed planned",
			"gangway feed set", "gangway outlet rotate"} {
			v.refuses(named, v.with(fresh, "serve", "--listen", "127.0.0.1:0")...)
		}
		said, err := set(fresh, "crew", left).CombinedOutput()
		if err == nil || !strings.Contains(string(said), "auth.password: the key that it was sealed with is not among "+
			"those given") {
			t.Errorf("without the password: %v, %s; want the one to give named", err, said)
		}
		ran(t, gangwayCommand(t, v.of(fresh, "feed", "show", "crew")...))
		ran(t, set(fresh, "crew", whole))
		ran(t, set(fresh, "planned", whole))
		ran(t, gangwayCommand(t, v.of(fresh, "outlet", "rotate", v.outlet, "--now")...))
		v.serves(fresh...)
	})
}
