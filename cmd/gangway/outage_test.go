//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"gangway/internal/need"
	"gangway/internal/store/storetest"
)

// A server that starts before its database waits for it, and can be told to stop meanwhile.
func TestTrialServeWaitsForItsDatabase(t *testing.T) {
	need.Trial(t)
	t.Parallel() // it waits for what is away
	c := newCluster(t, shortFolder(t))
	told, _ := start(t, "waiting for the database", "serve", "--listen", "127.0.0.1:0", "--database", c.url())
	told.stop()
	listen := freePort(t)
	p, _ := start(t, "waiting for the database", "serve", "--listen", listen, "--database", c.url())
	wantWaiting(t, "http://"+listen)
	c.start()
	eventually(t, "it serves", func() bool { return strings.Contains(p.said.String(), "msg=serving") })
	if got, _ := look(t, "http://"+listen+"/readyz"); got.StatusCode != 200 {
		t.Errorf("/readyz = %d once it serves; want 200", got.StatusCode)
	}
	p.stop()
}

// A server whose database goes away once it is open, and before it serves, waits too.
func TestServeWaitsForADatabaseThatGoesAwayAgain(t *testing.T) {
	t.Parallel() // it waits for what is away
	database := storetest.EmptySQLiteURL(t)
	answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
	release := holdLock(t, strings.TrimPrefix(database, "sqlite:"))
	listen := freePort(t)
	p, _ := start(t, "waiting for the database", "serve", "--listen", listen, "--database", database)
	wantWaiting(t, "http://"+listen)
	release()
	eventually(t, "it serves", func() bool { return strings.Contains(p.said.String(), "msg=serving") })
	p.stop()
}

// wantWaiting checks the answers of a server without a database: it is alive but not ready, and everybody is
// told to try again, people by a page.
func wantWaiting(t *testing.T, at string) {
	t.Helper()
	if got, _ := look(t, at+"/healthz"); got.StatusCode != 200 {
		t.Errorf("/healthz = %d while it waits; want 200", got.StatusCode)
	}
	for path, kind := range map[string]string{
		"/readyz": "text/plain; charset=utf-8", "/api/bookings": "application/problem+json",
		"/api/suppliers/duffel": "application/problem+json",
		"/reporting":            "application/json", "/reporting/v2/odata/$metadata": "application/json",
		"/":        "text/html; charset=utf-8",
		"/sign-in": "text/html; charset=utf-8",
	} {
		got, body := look(t, at+path)
		if got.StatusCode != 503 || got.Header.Get("Retry-After") != "1" || got.Header.Get("Content-Type") != kind {
			t.Errorf("%s = %d, Retry-After %q, %s while it waits; want 503 with 1 as %s", path, got.StatusCode,
				got.Header.Get("Retry-After"), got.Header.Get("Content-Type"), kind)
		}
		if strings.HasPrefix(path, "/reporting") && (len(got.Header.Values("OData-Version")) != 1 ||
			!strings.HasPrefix(body, `{"error":{"code":"Unavailable","message":`)) {
			t.Errorf("%s = %v, %s while it waits; want an error of OData", path, got.Header, body)
		}
		if sheet := regexp.MustCompile(`href="(/assets/app-[^"]+css)"`).FindStringSubmatch(body); sheet != nil {
			if got, _ := look(t, at+sheet[1]); got.StatusCode != 200 {
				t.Errorf("%s = %d while it waits; want 200", sheet[1], got.StatusCode)
			}
		} else if strings.HasPrefix(kind, "text/html") {
			t.Errorf("%s has no stylesheet while it waits", path)
		}
	}
}

func TestSecondServerOnOneFileIsRefused(t *testing.T) {
	database := storetest.EmptySQLiteURL(t)
	first, _, _ := serve(t, database)
	refused(t, fmt.Sprintf("another Gangway (process %d) serves", first.cmd.Process.Pid), "serve", "--listen",
		"127.0.0.1:0", "--database", database)
	answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
	first.kill()
	next, _, _ := serve(t, database)
	next.stop()
}

// A fault is something that happens to a database.
type fault struct {
	name        string
	begin, heal func()
}

// The database is stopped, stalled, full or read-only, and comes back, while programs upload: they are told to
// try again, and everything acknowledged is there.
func TestTrialOutages(t *testing.T) {
	need.Trial(t)
	t.Parallel() // it waits for what is away
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		c := startCluster(t, shortFolder(t))
		o := newOutageTrial(t, c.url())
		o.suffer(fault{name: "stopped", begin: c.stop, heal: c.start})
		o.suffer(fault{name: "stalled", begin: func() {
			c.signal(syscall.SIGSTOP)
		}, heal: func() { c.signal(syscall.SIGCONT) }})
		const setReadOnly = "ALTER SYSTEM SET default_transaction_read_only = "
		o.suffer(fault{
			name:  "read-only",
			begin: func() { c.query(setReadOnly+"on", "SELECT pg_reload_conf()") },
			heal: func() {
				c.query("SET default_transaction_read_only = off", setReadOnly+"off", "SELECT pg_reload_conf()")
			},
		})
		o.complete()
	})
	t.Run("postgres on a small disk", func(t *testing.T) {
		t.Parallel()
		home := smallDisk(t, "size=160m")
		c := startCluster(t, home)
		o := newOutageTrial(t, c.url())
		filler := filepath.Join(home, "filler")
		o.suffer(fault{name: "full", begin: func() { fill(t, filler) }, heal: func() { os.Remove(filler); c.revive() }})
		o.complete()
	})
	t.Run("sqlite on a disk that breaks", func(t *testing.T) {
		t.Parallel()
		d := newLoopDisk(t)
		o := newOutageTrial(t, "sqlite:"+filepath.Join(d.folder, "gangway.db"))
		o.suffer(fault{name: "read-only", begin: func() {
			o.v.program.held(d.breakOff)
		}, heal: func() { o.down.Store(true); o.v.program.kill(); d.repair(); o.v.start(); o.down.Store(false) }})
		o.complete()
	})
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		folder := smallDisk(t, "size=192m")
		o := newOutageTrial(t, "sqlite:"+filepath.Join(folder, "gangway.db"))
		var unlock func()
		o.suffer(fault{name: "stalled", begin: func() {
			unlock = holdLock(t, filepath.Join(folder, "gangway.db"))
		}, heal: func() { unlock() }})
		filler := filepath.Join(folder, "filler")
		o.suffer(fault{name: "full", begin: func() { fill(t, filler) }, heal: func() { os.Remove(filler) }})
		o.mayRead(func() { fill(t, filler) }, func() { os.Remove(filler) })
		o.complete()
	})
}
