package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gangway/internal/need"
	"gangway/internal/store/storetest"
)

// A backup that is killed leaves no copy under its name. A restore that is killed leaves a database that no command
// uses; run again, it is the same as one that was never interrupted.
func TestTrialBackupAndRestoreAreKilled(t *testing.T) {
	need.Trial(t)
	storetest.EachURL(t, func(t *testing.T, database string) {
		sampled(t, database)
		folder := t.TempDir()
		file := filepath.Join(folder, "copy")
		for i := range 8 {
			cmd := gangwayCommand(t, "backup", file, "--database", database)
			must(t, cmd.Start())
			<-time.After(time.Duration(40+i*20) * time.Millisecond) // somewhere in it
			cmd.Process.Kill()
			if cmd.Wait() == nil { // it was done before
				must(t, os.Remove(file))
			} else if _, err := os.Stat(file); err == nil {
				ran(t, gangwayCommand(t, "restore", file, "--check", "--database", database)) // killed after its end
				must(t, os.Remove(file))
			}
		}
		whole := answer[copied](t, "backup", file, "--database", database)
		target := storetest.EmptySQLiteURL(t)
		if strings.HasPrefix(database, "postgres") {
			target = storetest.EmptyPostgresURL(t)
		}
		operator := openSQL(t, target)
		for _, table := range []string{"account", "action", "booking"} {
			cmd := gangwayCommand(t, "restore", file, "--without-erasures", "--database", target)
			must(t, cmd.Start())
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			for n := 0; n == 0; { // until the table has rows
				if operator.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n) != nil {
					n = 0
				}
				select {
				case err := <-ended:
					t.Fatalf("the restore ended before it was killed: %v", err)
				default:
				}
			}
			cmd.Process.Kill()
			<-ended
			refused(t, unfinished, "account", "list", "--database", target)
			refused(t, unfinished, "serve", "--listen", "127.0.0.1:0", "--database", target)
		}
		answer[restored](t, "restore", file, "--without-erasures", "--database", target)
		if again := answer[copied](t, "backup", file+"2", "--database", target); again.Sum != whole.Sum {
			t.Errorf("what was restored has the sum %s; want %s", again.Sum, whole.Sum)
		}
	})
}

// A disk that is full leaves no copy, and a restore that can be run again once there is room.
func TestTrialDiskFullDuringBackupAndRestore(t *testing.T) {
	need.Trial(t)
	database := storetest.SQLiteURL(t)
	sampled(t, database)
	folder := smallDisk(t, "size=200k")
	refused(t, "no space left", "backup", filepath.Join(folder, "copy"), "--database", database)
	if left := sure(os.ReadDir(folder))(t); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	file, target := filepath.Join(t.TempDir(), "copy"), "sqlite:"+filepath.Join(folder, "gangway.db")
	whole := answer[copied](t, "backup", file, "--database", database)
	must(t, syscall.Mount("", folder, "", syscall.MS_REMOUNT, "size=6m"))
	refused(t, "is full", "restore", file, "--without-erasures", "--database", target)
	refused(t, unfinished, "account", "list", "--database", target)
	must(t, syscall.Mount("", folder, "", syscall.MS_REMOUNT, "size=400m"))
	answer[restored](t, "restore", file, "--without-erasures", "--database", target)
	if again := answer[copied](t, "backup", file+"2", "--database", target); again.Sum != whole.Sum {
		t.Errorf("what was restored has the sum %s; want %s", again.Sum, whole.Sum)
	}
}

// unfinished is what commands say of a database whose restore was interrupted.
const unfinished = "did not finish: run gangway restore again"

// sampled fills a database with bookings that were made up.
func sampled(t *testing.T, database string) {
	t.Helper()
	made := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
	ran(t, gangwayCommand(t, "sample", "bookings", "--customer", made.Customer, "--environment", "development",
		"--count", "1500", "--seed", "1", "--database", database))
}
