//go:build linux

package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/seal"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A risky is work during which something fails: prepare makes a database for it, and returns the command that does it
// (again each time), the flags with which the database is verified, and the same work in this process with another
// clock.
type risky struct {
	name    string
	prepare func(t *testing.T, database string) (command, flags func() []string, here func(now func() time.Time) error)
}

var riskies = []risky{
	{"backup", func(t *testing.T, database string) (command, flags func() []string, _ func(func() time.Time) error) {
		newRecords(t, database)
		return byCommand(t, nil, "backup", filepath.Join(t.TempDir(), "copy"), "--force", "--database", database)
	}},
	{"restore", func(t *testing.T, database string) (command, flags func() []string, _ func(func() time.Time) error) {
		r, file := newRecords(t, storetest.SQLiteURL(t)), filepath.Join(t.TempDir(), "copy")
		ran(t, gangwayCommand(t, "backup", file, "--database", r.database))
		ran(t, gangwayCommand(t, r.erase()...)) // which the restore does again
		log := strings.TrimPrefix(r.database, "sqlite:") + ".erased"
		return byCommand(t, []string{"--secret-key-file", strings.TrimSuffix(log, "erased") + "key"}, "restore", file,
			"--erasure-log", log, "--database", database)
	}},
	{"migration", func(t *testing.T, database string) (command, flags func() []string, _ func(func() time.Time) error) {
		return byCommand(t, nil, "migrate", "--database", database)
	}},
	{"key rotation", func(t *testing.T, database string) (command, flags func() []string,
		_ func(func() time.Time) error) {
		keys := []string{seal.NewKey()}
		given := func() []string { return []string{"--secret-key-file", keyFile(t, keys...)} }
		v := newVault(t, database, given()...)
		db := sure(storeFlags{Database: database, SecretKeyFile: given()[1]}.openWithKeys(&terminal{ctx: t.Context(),
			err: io.Discard}, store.Options{}))(t)
		defer db.Close()
		production, _, err := db.Accounts(t.Context(), v.customer)
		must(t, err)
		for i := range 300 {
			must(t, db.In(production.Scope()).SetSecret(t.Context(), storetest.Operator, fmt.Sprint("secret ", i),
				[]byte("tide tables"), time.Now()))
		}
		finish(t, db.ChainAudit)
		must(t, did(db.ForgetAudit(t.Context(), v.customer, time.Now().Add(time.Hour), 100))) // whose anchor is signed
		renew := func() []string {
			keys = append([]string{seal.NewKey()}, keys...)
			return append([]string{"serve", "--listen", "127.0.0.1:0", "--database", database}, given()...)
		}
		return renew, given, func(now func() time.Time) error {
			renew()
			f := storeFlags{Database: database, SecretKeyFile: given()[1]}
			db, err := f.openWithKeys(&terminal{ctx: t.Context(), err: io.Discard, now: now}, store.Options{})
			if err != nil {
				return err
			}
			defer db.Close()
			return f.sealAll(t.Context(), db, slog.New(slog.DiscardHandler))
		}
	}},
	{"erasure", func(t *testing.T, database string) (command, flags func() []string, _ func(func() time.Time) error) {
		r := newRecords(t, database)
		must(t, r.in.Record(t.Context(), storetest.Operator, gangway.DocumentShown,
			map[string]any{"traveller": "E-4711"},
			time.Now()))
		finish(t, r.db.ChainAudit)
		return byCommand(t, nil, r.erase()...)
	}},
}

// byCommand is work that one command does, also with the flags with which its database is verified.
func byCommand(t *testing.T, flags []string, args ...string) (command, verified func() []string,
	here func(func() time.Time) error) {
	args = append(args, flags...)
	return func() []string { return args }, func() []string { return flags }, func(now func() time.Time) error {
		return run(&terminal{ctx: t.Context(), out: io.Discard, err: io.Discard, now: now}, args)
	}
}

// done matches what a command says if its work was done before.
var done = regexp.MustCompile("no such traveller|has tables already")

// TestTrialVerifiedAfterFaults kills the program, fills the disk, stops PostgreSQL and sets the clock back during each
// of these works. Nothing is wrong with the database after any of them.
func TestTrialVerifiedAfterFaults(t *testing.T) {
	need.Trial(t)
	for _, work := range riskies {
		hit := func(t *testing.T, database string, fault func(cmd *exec.Cmd, wait time.Duration)) {
			command, flags, _ := work.prepare(t, database)
			for i := range 6 * faults() {
				cmd := gangwayCommand(t, command()...)
				fault(cmd, time.Duration(i*100)*time.Millisecond)
				cmd.Process.Kill()
				cmd.Wait()
				if work.name != "migration" && work.name != "restore" { // verify migrates; a restore has to be repeated
					verifies(t, database, flags()...)
				}
			}
			if last := command(); last[0] == "serve" {
				p, _ := start(t, serving, last...)
				p.stop()
			} else if out, err := gangwayCommand(t, last...).CombinedOutput(); err != nil && !done.Match(out) {
				t.Errorf("afterwards: %v, %s", err, out)
			}
			verifies(t, database, flags()...)
		}
		killed := func(t *testing.T, database string) {
			hit(t, database, func(cmd *exec.Cmd, wait time.Duration) {
				must(t, cmd.Start())
				<-time.After(wait)
			})
		}
		t.Run(work.name+" killed, sqlite", func(t *testing.T) { killed(t, storetest.EmptySQLiteURL(t)) })
		t.Run(work.name+" killed, postgres", func(t *testing.T) { killed(t, startCluster(t, shortFolder(t)).url()) })
		t.Run(work.name+" without a database", func(t *testing.T) {
			c := startCluster(t, shortFolder(t))
			hit(t, c.url(), func(cmd *exec.Cmd, wait time.Duration) {
				must(t, cmd.Start())
				<-time.After(wait)
				c.stop()
				cmd.Process.Kill()
				c.start()
			})
		})
		t.Run(work.name+" on a full disk", func(t *testing.T) {
			folder := smallDisk(t, "size=96m")
			hit(t, "sqlite:"+filepath.Join(folder, "gangway.db"), func(cmd *exec.Cmd, wait time.Duration) {
				filler := filepath.Join(folder, "filler")
				fill(t, filler)
				must(t, os.Truncate(filler, sizeOf(t, filler)-int64(wait/time.Millisecond)<<10)) // some room
				must(t, cmd.Start())
				<-time.After(time.Second)
				must(t, os.Remove(filler))
			})
		})
		t.Run(work.name+" with the clock back", func(t *testing.T) {
			for _, database := range []string{storetest.EmptySQLiteURL(t), startCluster(t, shortFolder(t)).url()} {
				_, flags, here := work.prepare(t, database)
				var looks atomic.Int32 // by a day each time
				must(t, here(func() time.Time { return time.Now().AddDate(0, 0, -int(looks.Add(1))) }))
				verifies(t, database, flags()...)
			}
		})
	}
}

func sizeOf(t *testing.T, file string) int64 {
	t.Helper()
	info := sure(os.Stat(file))(t)
	return info.Size()
}

// TestAuditorsScript runs the script of the guide over an audit log, and over one that was changed, which gangway
// verify sees too.
func TestAuditorsScript(t *testing.T) {
	v := newVault(t, storetest.SQLiteURL(t))
	db, in := v.open()
	must(t, in.Record(t.Context(), storetest.Operator, gangway.DocumentShown, map[string]any{"search": "<é> & \u2028",
		"member": 2, "odd": 1.5, "none": nil}, time.Now()))
	finish(t, db.ChainAudit)
	log := ran(t, gangwayCommand(t, v.with(nil, "audit", "--json")...))
	lines := strings.SplitAfter(log, "\n")
	check := func(log string) (string, error) {
		cmd := exec.Command(need.Python(t), "../../docs/audit/check_chain.py")
		cmd.Stdin = strings.NewReader(log)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if said, err := check(log); err != nil ||
		!strings.Contains(said, v.customer+" ends with "+fmt.Sprint(len(lines)-1)) {
		t.Errorf("of the whole log the script says %q, %v", said, err)
	}
	if said, err := check(strings.Join(lines[2:], "")); err != nil {
		t.Errorf("of its end the script says %q, %v", said, err)
	}
	for _, bad := range []string{strings.Replace(log, `"member":2`, `"member":3`, 1),
		strings.Replace(log, `"salt":`, `"pepper":`, 1), strings.Join(append(lines[:1:1],
			lines[2:]...), ""), strings.Replace(log, "outlet.set", "outlet.off", 1)} {
		if said, err := check(bad); err == nil {
			t.Errorf("of a log that was changed the script says %q", said)
		}
	}
	must(t, did(openSQL(t, v.database).ExecContext(t.Context(), `UPDATE audit SET came_from = '' WHERE seq = 2`)))
	cmd := gangwayCommand(t, v.with(nil, "verify")...)
	if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out),
		"BROKEN (1): find out who") || !strings.Contains(string(out), v.customer+" seq 2: ") {
		t.Errorf("gangway verify ends with %d: %s", cmd.ProcessState.ExitCode(), out)
	}
}
