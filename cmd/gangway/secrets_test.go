package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gangway/internal/seal"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A vault is a database with an outlet, whose signing secret is sealed.
type vault struct {
	t                *testing.T
	database         string
	customer, outlet string
}

func newVault(t *testing.T, database string, flags ...string) *vault {
	t.Helper()
	v := newCustomerOf(t, database, flags...)
	v.outlet = answer[outletSecret](t, v.of(flags, "outlet", "set", "--url",
		"https://crewing.halcyon.example/sync")...).Outlet
	return v
}

// newCustomerOf makes a customer by command, and no outlet.
func newCustomerOf(t *testing.T, database string, flags ...string) *vault {
	t.Helper()
	v := &vault{t: t, database: database}
	v.customer = answer[newCustomer](t, v.with(flags, "account", "create", "Halcyon Tankers")...).Customer
	return v
}

// open opens the database until the end of the test, or until it is closed, and the production account.
func (v *vault) open() (*store.DB, store.Scoped) {
	v.t.Helper()
	db := openStore(v.t, v.database)
	production, _, err := db.Accounts(v.t.Context(), v.customer)
	must(v.t, err)
	return db, db.In(production.Scope())
}

// with and of return a command on the database, and one on the account.
func (v *vault) with(flags []string, command ...string) []string {
	return append(append(command, "--database", v.database), flags...)
}

func (v *vault) of(flags []string, command ...string) []string {
	return v.with(flags, append(command, "--customer", v.customer, "--environment", "production")...)
}

// setFeed sets a feed of the account by command.
func (v *vault) setFeed(feed string, flags ...string) {
	v.t.Helper()
	cmd := gangwayCommand(v.t, v.of(flags, "feed", "set", "--file", "-")...)
	cmd.Stdin = strings.NewReader(feed)
	ran(v.t, cmd)
}

// serves runs the server until it serves, and returns its output so far.
func (v *vault) serves(flags ...string) string {
	v.t.Helper()
	p, _, _ := serve(v.t, v.database, flags...)
	p.stop()
	return p.said.String()
}

// refuses runs a command that must end with one sentence that contains says.
func (v *vault) refuses(says string, args ...string) {
	v.t.Helper()
	cmd := gangwayCommand(v.t, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(out.String(), says) || strings.Count(out.String(), "\n") !=
		1 {
		v.t.Fatalf("gangway %s = %v, and said %q; want exit code 1 and one line with %q", strings.Join(args, " "), err,
			&out, says)
	}
}

func keyFile(t *testing.T, keys ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keys")
	must(t, os.WriteFile(path, []byte(strings.Join(keys, "\n")), 0o600))
	return path
}

func TestSecretKeyBesideSQLite(t *testing.T) {
	v := newVault(t, storetest.EmptySQLiteURL(t))
	path := strings.TrimPrefix(v.database, "sqlite:") + ".key"
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the key: %v, %v; want a file for its owner only", info, err)
	}
	key := sure(os.ReadFile(path))(t)
	if said := v.serves(); !strings.Contains(said, "secrets are sealed") || !strings.Contains(said, path) ||
		strings.Contains(said, "in clear") {
		t.Errorf("the server does not say where the key is:\n%s", said)
	}
	if again, err := os.ReadFile(path); err != nil || !bytes.Equal(again, key) {
		t.Errorf("the key was changed: %v", err)
	}
	if left, err := filepath.Glob(path + ".*"); err != nil || len(left) != 0 {
		t.Errorf("left beside the key: %v, %v", left, err)
	}

	t.Run("a missing key is reported, and no other is made", func(t *testing.T) {
		must(t, os.Remove(path))
		v.refuses("put back the file that belongs to this database, or name it with --secret-key-file "+
			"(docs/operators.md", v.with(nil, "account", "list")...)
		v.refuses("the keys to the secrets cannot be read", v.with(nil, "serve", "--listen", "127.0.0.1:0")...)
		v.refuses(path, v.of(nil, "outlet", "list")...)
		if _, err := os.Stat(path); err == nil {
			t.Error("there is a key again")
		}
	})
	t.Run("where nothing is sealed yet it is said how a key is made", func(t *testing.T) {
		v.refuses("so a new key will do, as made by openssl rand", "account", "create", "A", "--database",
			"sqlite:"+filepath.Join(t.TempDir(), "new.db"), "--secret-key-file", filepath.Join(t.TempDir(), "none"))
	})
	t.Run("everything works again with another key and new secrets", func(t *testing.T) {
		must(t, os.WriteFile(path, []byte(seal.NewKey()), 0o600))
		v.refuses("the keys given do not fit the secrets in the database: outlet "+v.outlet,
			v.with(nil, "serve", "--listen", "127.0.0.1:0")...)
		v.refuses("was sealed with key", v.of(nil, "outlet", "rotate", v.outlet)...)
		answer[outletSecret](t, v.of(nil, "outlet", "rotate", v.outlet, "--now")...)
		v.serves()
	})
	t.Run("an outlet without secrets needs none", func(t *testing.T) {
		setOutlet(t, v, "files", "json", "folder", map[string]any{"path": t.TempDir()})
		must(t, os.WriteFile(path, []byte(seal.NewKey()), 0o600))
		answer[outletSecret](t, v.of(nil, "outlet", "rotate", v.outlet, "--now")...)
		v.serves()
	})
}

func TestSecretKeysOfPostgreSQL(t *testing.T) {
	old, fresh := seal.NewKey(), seal.NewKey()
	v := newVault(t, storetest.PostgresURL(t))
	if said := v.serves(); !strings.Contains(said, "signing secrets are kept in clear") {
		t.Errorf("without a key the server does not warn:\n%s", said)
	}
	if said := v.serves("--secret-key-file", keyFile(t, old)); !strings.Contains(said,
		"sealed with the newest key from now on\" secrets=1") || strings.Contains(said, "in clear") {
		t.Errorf("with a key the server does not seal:\n%s", said)
	}
	v.refuses("give the keys with --secret-key-file or GANGWAY_SECRET_KEYS", v.with(nil, "serve", "--listen",
		"127.0.0.1:0")...)
	v.refuses("give the keys with --secret-key-file or GANGWAY_SECRET_KEYS", v.of(nil, "outlet", "list")...)
	v.refuses("do not fit", v.with([]string{"--secret-key-file", keyFile(t, fresh)}, "serve", "--listen",
		"127.0.0.1:0")...)

	t.Run("rotation", func(t *testing.T) {
		v.serves("--secret-key-file", keyFile(t, fresh, old))
		v.refuses("do not fit", v.with([]string{"--secret-key-file", keyFile(t, old)}, "serve", "--listen",
			"127.0.0.1:0")...)
		if said := v.serves("--secret-key-file", keyFile(t, fresh)); strings.Contains(said, "from now on") {
			t.Errorf("secrets sealed with the newest key are sealed again:\n%s", said)
		}
	})
	t.Run("keys in the environment", func(t *testing.T) {
		t.Setenv("GANGWAY_SECRET_KEYS", fresh+" "+old)
		if said := v.serves(); !strings.Contains(said, "keys=GANGWAY_SECRET_KEYS") || strings.Contains(said, fresh) {
			t.Errorf("the server said:\n%s", said)
		}
		refused(t, "not both", v.of([]string{"--secret-key-file", keyFile(t, fresh)}, "outlet", "list")...)
		t.Setenv("GANGWAY_SECRET_KEYS", "tide tables at six")
		v.refuses("GANGWAY_SECRET_KEYS: line 1 is not a key", v.of(nil, "outlet", "list")...)
	})
	t.Run("a file that holds no key, or is none", func(t *testing.T) {
		v.refuses("line 2 is not a key", v.of([]string{"--secret-key-file", keyFile(t, fresh, "tide tables at six")},
			"outlet", "list")...)
		v.refuses("no such file", v.of([]string{"--secret-key-file", filepath.Join(t.TempDir(), "none")}, "outlet",
			"list")...)
	})
}

func TestKeyIsMadeOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gangway.db.key")
	read := make(chan string)
	for range 8 {
		go func() {
			if err := makeKey(path, seal.NewKey()); err != nil {
				read <- err.Error()
				return
			}
			text, _ := os.ReadFile(path)
			read <- string(text)
		}()
	}
	first := <-read
	if keys, err := seal.ParseKeys(first); err != nil || len(keys) != 1 {
		t.Errorf("%d keys, %v; want one", len(keys), err)
	}
	for range 7 {
		if other := <-read; other != first {
			t.Error("programs that start at the same time have different keys")
		}
	}
}

// TestPrivateKey starts on a database and a key that others could read: afterwards they cannot, and
// the log says so.
func TestPrivateKey(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gangway.db")
	v := newVault(t, "sqlite:"+file)
	for _, f := range []string{file, file + ".key"} {
		must(t, os.Chmod(f, 0o644))
	}
	said := v.serves()
	for _, f := range []string{file, file + ".key"} {
		info, err := os.Stat(f)
		if err != nil || info.Mode().Perm() != 0o600 || !strings.Contains(said, "file="+f+" ") {
			t.Errorf("%s: mode %v, %v; want 0600, and a line in the log:\n%s", f, info.Mode(), err, said)
		}
	}
	if said := v.serves(); strings.Contains(said, "could read") {
		t.Errorf("it is logged again although only the owner can read them:\n%s", said)
	}
}
