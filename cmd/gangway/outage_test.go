//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A server that starts before its database waits for it, and can be told to stop meanwhile.
func TestServeWaitsForItsDatabase(t *testing.T) {
	home, err := os.MkdirTemp("", "gw") // short: it names a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	c := newCluster(t, home)
	told, _ := start(t, "waiting for the database", "serve", "--listen", "127.0.0.1:0", "--database", c.url())
	told.stop()
	listen := freePort(t)
	p, _ := start(t, "waiting for the database", "serve", "--listen", listen, "--database", c.url())
	wantWaiting(t, "http://"+listen)
	c.start()
	eventually(t, 30*time.Second, "it serves", func() bool { return strings.Contains(p.said.String(), "msg=serving") })
	if got, _ := look(t, "http://"+listen+"/readyz"); got.StatusCode != 200 {
		t.Errorf("/readyz = %d once it serves; want 200", got.StatusCode)
	}
	p.stop()
}

// wantWaiting holds what a server answers that has no database yet: it is alive,
// not ready, and everybody is told to come again, people by a page.
func wantWaiting(t *testing.T, at string) {
	t.Helper()
	if got, _ := look(t, at+"/healthz"); got.StatusCode != 200 {
		t.Errorf("/healthz = %d while it waits; want 200", got.StatusCode)
	}
	for path, kind := range map[string]string{
		"/readyz": "text/plain; charset=utf-8", "/api/bookings": "application/problem+json", "/api/suppliers/duffel": "application/problem+json",
		"/reporting": "application/problem+json", "/": "text/html; charset=utf-8", "/sign-in": "text/html; charset=utf-8",
	} {
		got, body := look(t, at+path)
		if got.StatusCode != 503 || got.Header.Get("Retry-After") == "" || got.Header.Get("Content-Type") != kind {
			t.Errorf("%s = %d, Retry-After %q, %s while it waits; want 503 with one as %s", path, got.StatusCode, got.Header.Get("Retry-After"), got.Header.Get("Content-Type"), kind)
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

// look gets a page as anybody may.
func look(t *testing.T, url string) (*http.Response, string) {
	t.Helper()
	res, err := (&http.Client{Timeout: 30 * time.Second}).Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

// freePort returns an address that nobody listens at.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func TestSecondServerOnOneFileIsRefused(t *testing.T) {
	database := storetest.SQLiteURL(t)
	first, _ := start(t, serving, "serve", "--listen", "127.0.0.1:0", "--database", database)
	refused(t, fmt.Sprintf("another Gangway (process %d) serves", first.cmd.Process.Pid), "serve", "--listen", "127.0.0.1:0", "--database", database)
	answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
	first.kill()
	next, _ := start(t, serving, "serve", "--listen", "127.0.0.1:0", "--database", database)
	next.stop()
}

// A fault is something that happens to a database.
type fault struct {
	name        string
	begin, heal func()
}

// The database is stopped, stalled, full or read-only, and comes back, while
// programs upload: they are told to come again, and what was taken is there.
func TestOutages(t *testing.T) {
	t.Run("postgres", func(t *testing.T) {
		home, err := os.MkdirTemp("", "gw")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(home) })
		c := newCluster(t, home)
		c.start()
		o := newOutageTrial(t, c.url())
		o.suffer(fault{name: "stopped", begin: c.stop, heal: c.start})
		o.suffer(fault{name: "stalled", begin: func() { c.signal(syscall.SIGSTOP) }, heal: func() { c.signal(syscall.SIGCONT) }})
		readOnly := func(on string) func() {
			return func() {
				c.query("ALTER SYSTEM SET default_transaction_read_only = " + on)
				c.query("SELECT pg_reload_conf()")
			}
		}
		o.suffer(fault{name: "read-only", begin: readOnly("on"), heal: func() {
			c.run("psql", "--quiet", "--host="+c.home, "--username=gangway", "--dbname=postgres", "--command=SET default_transaction_read_only = off", "--command=ALTER SYSTEM SET default_transaction_read_only = off", "--command=SELECT pg_reload_conf()")
		}})
		o.complete()
	})
	t.Run("sqlite", func(t *testing.T) {
		folder := t.TempDir()
		small := os.Getuid() == 0 && syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=192m") == nil
		if small {
			t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
		}
		o := newOutageTrial(t, "sqlite:"+filepath.Join(folder, "gangway.db"))
		var unlock func()
		o.suffer(fault{name: "stalled", begin: func() { unlock = holdLock(t, filepath.Join(folder, "gangway.db")) }, heal: func() { unlock() }})
		if small {
			filler := filepath.Join(folder, "filler")
			o.suffer(fault{name: "full", begin: func() { fill(t, filler) }, heal: func() { os.Remove(filler) }})
			o.mayRead(func() { fill(t, filler) }, func() { os.Remove(filler) })
		}
		o.complete()
	})
}

// fill writes to a file until the disk is full.
func fill(t *testing.T, name string) {
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
}

// An outageTrial is a server under load.
type outageTrial struct {
	t         *testing.T
	database  string
	p         *program
	app, base string
	key       string
	account   store.Scoped
	client    *http.Client

	mu       sync.Mutex
	taken    map[string]bool // travellers whose upload was acknowledged
	sent     int
	statuses map[int]int
	longest  time.Duration
}

func newOutageTrial(t *testing.T, database string) *outageTrial {
	t.Helper()
	made := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
	p, at := start(t, serving, "serve", "--listen", "127.0.0.1:0", "--requests-per-minute", "100000000", "--database", database)
	return &outageTrial{t: t, database: database, p: p, app: at[1], base: at[2], key: made.Development.APIKey,
		client: &http.Client{Timeout: 30 * time.Second}, taken: map[string]bool{}}
}

// suffer has programs upload while a fault begins, lasts and is healed.
func (o *outageTrial) suffer(f fault) {
	o.t.Helper()
	o.statuses, o.longest = map[int]int{}, 0
	before := len(o.taken)
	ctx, stop := context.WithCancel(o.t.Context())
	defer stop()
	var load sync.WaitGroup
	for range 8 {
		load.Go(func() {
			for ctx.Err() == nil {
				o.upload()
			}
		})
	}
	uploaded := func() int { o.mu.Lock(); defer o.mu.Unlock(); return o.statuses[200] }
	refusals := func() int { o.mu.Lock(); defer o.mu.Unlock(); return o.statuses[503] }
	eventually(o.t, time.Minute, f.name+": uploads are taken", func() bool { return uploaded() > 8 })
	f.begin()
	eventually(o.t, time.Minute, f.name+": uploads are refused", func() bool { return refusals() > 8 })
	eventually(o.t, time.Minute, f.name+": it is not ready", func() bool { return o.status("/readyz") == 503 })
	if got := o.status("/healthz"); got != 200 {
		o.t.Errorf("%s: /healthz = %d; want 200", f.name, got)
	}
	f.heal()
	healed := uploaded()
	eventually(o.t, time.Minute, f.name+": uploads are taken again", func() bool { return uploaded() > healed+8 })
	stop()
	load.Wait()
	eventually(o.t, time.Minute, f.name+": it is ready", func() bool { return o.status("/readyz") == 200 })
	for status := range maps.Keys(o.statuses) {
		if status != 200 && status != 503 {
			o.t.Errorf("%s: %d answers were %d; want 200 and 503", f.name, o.statuses[status], status)
		}
	}
	o.t.Logf("%s | statuses %v, longest wait %s | %d acknowledged", f.name, o.statuses, o.longest.Round(time.Millisecond), len(o.taken)-before)
}

// mayRead holds that on a full disk, what need not be written goes on.
func (o *outageTrial) mayRead(fill, empty func()) {
	o.t.Helper()
	fill()
	defer empty()
	if got := o.status("/sign-in"); got != 200 {
		o.t.Errorf("full: /sign-in = %d; want 200", got)
	}
	res, _, err := call(http.MethodGet, o.base+"/bookings/modified?from=2026-01-01T00:00:00Z", o.key, nil)
	if err != nil || res.StatusCode != 200 {
		o.t.Errorf("full: bookings were not read: %v, %v", res, err)
	}
}

func (o *outageTrial) status(path string) int {
	res, err := o.client.Get(o.app + path)
	if err != nil {
		return 0
	}
	res.Body.Close()
	return res.StatusCode
}

// upload sends three travellers nobody has sent before.
func (o *outageTrial) upload() {
	o.mu.Lock()
	o.sent++
	n := o.sent
	o.mu.Unlock()
	var ids, records []string
	for i := range 3 {
		id := fmt.Sprintf("T-%d-%d", n, i)
		ids = append(ids, id)
		records = append(records, fmt.Sprintf(`{"id":%q,"last_name":"Okonjo","first_name":"Ada","dob":"1990-04-30","nationality":"NG","gender":"F","doc_country":"NG","doc_number":"A%08d","doc_expire":"2036-01-01","home_airport":"LOS"}`, id, n*3+i))
	}
	req, err := http.NewRequest(http.MethodPost, o.base+"/passenger", strings.NewReader("["+strings.Join(records, ",")+"]"))
	if err != nil {
		o.t.Error(err)
		return
	}
	req.Header.Set("X-Api-Key", o.key)
	req.Header.Set("Content-Type", "application/json")
	began := time.Now()
	res, err := o.client.Do(req)
	if err != nil {
		o.t.Errorf("an upload got no answer: %v", err)
		return
	}
	_, _ = io.Copy(io.Discard, res.Body)
	res.Body.Close()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.statuses[res.StatusCode]++
	o.longest = max(o.longest, time.Since(began))
	if res.StatusCode == 503 && res.Header.Get("Retry-After") == "" {
		o.t.Error("a 503 does not say when to come again")
	}
	if res.StatusCode == 200 {
		for _, id := range ids {
			o.taken[id] = true
		}
	}
}

// complete holds that everything that was acknowledged is there.
func (o *outageTrial) complete() {
	o.t.Helper()
	if strings.Contains(o.p.said.String(), "superfluous") {
		o.t.Error("answers were begun twice")
	}
	o.p.stop()
	db, err := store.Open(o.t.Context(), o.database)
	if err != nil {
		o.t.Fatal(err)
	}
	defer db.Close()
	customers, err := db.Customers(o.t.Context())
	if err != nil {
		o.t.Fatal(err)
	}
	_, dev, err := db.Accounts(o.t.Context(), customers[0].ID)
	if err != nil {
		o.t.Fatal(err)
	}
	found := 0
	for id := range o.taken {
		if _, err := db.In(gangway.Scope{Account: dev.ID}).Traveller(o.t.Context(), "id:"+id); err != nil {
			o.t.Fatalf("traveller %s was acknowledged and is not there: %v", id, err)
		}
		found++
	}
	o.t.Logf("%d acknowledged, %d found", len(o.taken), found)
}
