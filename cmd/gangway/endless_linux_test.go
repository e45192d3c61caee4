package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// children are the processes that a program has started, which are workers for mappings.
func (p *program) children() (ids []int) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", p.cmd.Process.Pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, field := range strings.Fields(string(text)) {
			id, _ := strconv.Atoi(field)
			ids = append(ids, id)
		}
	}
	return ids
}

// works waits until the program has a worker, and returns all that it has then.
func (p *program) works() (ids []int) {
	p.t.Helper()
	eventually(p.t, "a worker runs", func() bool {
		ids = p.children()
		return len(ids) > 0
	})
	return ids
}

// leavesNone waits until none of the processes is left.
func leavesNone(t testing.TB, ids []int) {
	t.Helper()
	eventually(t, fmt.Sprint("the workers have ended: ", ids), func() bool {
		return !slices.ContainsFunc(ids, func(id int) bool { return syscall.Kill(id, 0) == nil })
	})
}

// withMapping is a feed whose system answers at an address, and its mapping.
func withMapping(name string, flow gangway.Flow, url, mapping string) string {
	doc, _ := json.Marshal(map[string]any{"name": name, "flow": flow, "mapping": mapping,
		"transport": map[string]string{"kind": "endpoint", "url": url}})
	return string(doc)
}

// hostileCrew is a customer's system that has two people.
func hostileCrew(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `[{"id":"C-1","last_name":"Rey","first_name":"Ana"},{"id":"C-2","last_name":"Roe"}]`)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestEndlessMappingHoldsUpNoEnd: a server whose feed has an endless mapping ends when it is told to, and its workers
// end with it, also when it is killed. A run that was interrupted is made again, until it breaks its limit: then it has
// failed, and a restart does not go on with it.
func TestEndlessMappingHoldsUpNoEnd(t *testing.T) {
	v := newCustomerOf(t, storetest.SQLiteURL(t))
	v.setFeed(withMapping("crew", gangway.TravellersFlow, hostileCrew(t), `.[] | def f: f; f`),
		"--allow-network", "127.0.0.0/8")
	begun := func() *program {
		p, _, _ := serve(t, v.database, "--allow-network", "127.0.0.0/8")
		return p
	}
	p := begun()
	workers := p.works()
	p.stop()
	leavesNone(t, workers)

	p = begun()
	workers = p.works()
	p.kill()
	leavesNone(t, workers)

	p = begun()
	_, in := v.open()
	runs := func() []gangway.FeedRun {
		history, err := in.FeedRuns(t.Context(), "crew", 0, 10)
		if err != nil {
			t.Fatal(err)
		}
		return history
	}
	eventually(t, "the run has ended", func() bool { return len(runs()) == 1 })
	p.stop()
	begun().stop()
	now, err := in.FeedRunUnderWay(t.Context(), "crew")
	if history := runs(); len(history) != 1 || !strings.Contains(history[0].Error, "the program takes too long") ||
		now.ID != 0 || err != nil {
		t.Errorf("history: %+v, and under way %+v, %v; want one run, whose program takes too long", history, now, err)
	}
}

// TestTrialHostileMappings has the real program use hostile mappings wherever a customer may have one. It answers
// others meanwhile, says what became of each, and leaves no process behind.
func TestTrialHostileMappings(t *testing.T) {
	need.Trial(t)
	t.Setenv("GANGWAY_SECRET_KEYS", "YSBrZXkgZm9yIHRlc3RzOyBpdCBpcyBubyBzZWNyZXQ=")
	storetest.EachURL(t, func(t *testing.T, database string) {
		v, in := newFiler(t, database)
		system, local := hostileCrew(t), []string{"--allow-network", "127.0.0.0/8"}
		p, app, _ := serve(t, database, local...)
		answers := func() {
			t.Helper()
			if got, _ := look(t, app+"/sign-in"); got.StatusCode != http.StatusOK {
				t.Errorf("others are answered %d; want 200", got.StatusCode)
			}
		}
		who := answer[newUser](t, "user", "create", "--customer", v.customer, "--email", ines, "--role", "admin",
			"--database", database)
		ines := newBrowser(t, app)
		if err := ines.signIn(who.Email, who.Password); err != nil {
			t.Fatal(err)
		}
		programs := []string{`("a"*7000000)|test("(a?){900}b")`, `def f: f; f`, `[range(1e9)]`, `last(range(1e10))`,
			`until(false; .)`, `reduce range(1e10) as $i (0; . + 1)`, `range(1e12) | empty`,
			`reduce range(30) as $i (.; [., .]) | tojson | length`, `"x" * 1e9 | . + . | length`, `def f: [f]; f`,
			`[limit(1e9; repeat(1))] | add`, `[recurse({a: .})]`}
		for i := range programs {
			programs[i] = `.[] | ` + programs[i]
		}
		for i, text := range programs {
			feed, lookup := fmt.Sprint("feed", i), fmt.Sprint("lookup", i)
			v.setFeed(withMapping(feed, gangway.TravellersFlow, system, text), local...)
			v.setFeed(withMapping(lookup, gangway.TravellerLookupFlow, system, text), local...)
			outlet, _ := json.Marshal(map[string]any{"name": fmt.Sprint("outlet", i), "mapping": text,
				"transport": map[string]string{"kind": "folder", "path": t.TempDir()}})
			set := gangwayCommand(t, v.of(nil, "outlet", "set", "--file", "-")...)
			set.Stdin = bytes.NewReader(outlet)
			if said, err := set.CombinedOutput(); err != nil {
				t.Fatalf("outlet set: %v, %s", err, said)
			}
			if said, err := gangwayCommand(t, v.of(local, "feed", "test", feed)...).CombinedOutput(); err == nil ||
				!strings.Contains(string(said), "the program takes too") {
				t.Errorf("trial of %s: %v, %s; want that it takes too much", text, err, said)
			}
			if said, err := gangwayCommand(t, v.of(local, "feed", "run", lookup, "--surname",
				"Rey")...).CombinedOutput(); err == nil {
				t.Errorf("live call with %s: %s; want it refused", text, said)
			}
			answers()
		}
		bookAlone(t, in, "HOST01")
		got, err := ines.open("/travellers?" + url.Values{"name": {"Rey"}}.Encode())
		if err != nil || got.status != http.StatusOK {
			t.Errorf("the page of whoever waits for live calls: %d, %v; want 200", got.status, err)
		}
		for i, text := range programs {
			eventually(t, "the run of "+text, func() bool {
				history, err := in.FeedRuns(t.Context(), fmt.Sprint("feed", i), 0, 1)
				return err == nil && len(history) == 1 && strings.Contains(history[0].Error, "the program takes too")
			})
			answers()
		}
		eventually(t, "each outlet's mapping was stopped, and is tried again", func() bool {
			list, err := in.DeliveryStatuses(t.Context(), "HOST01")
			list = slices.DeleteFunc(list, func(d store.DeliveryStatus) bool {
				return d.State != "due" || !strings.Contains(d.Last.Answer, "mapping")
			})
			return err == nil && len(list) == len(programs)
		})
		workers := p.children()
		p.stop()
		leavesNone(t, workers)
	})
}

// TestTrialOthersKeepTheirRate measures how many requests another customer gets through beside two hostile feeds, in
// turns with and without them.
func TestTrialOthersKeepTheirRate(t *testing.T) {
	need.Trial(t)
	database, system := storetest.SQLiteURL(t), hostileCrew(t)
	other := answer[newCustomer](t, "account", "create", "Aldebaran Lines", "--database", database)
	p, _, base := serve(t, database, "--allow-network", "127.0.0.0/8", "--requests-per-minute", "1000000")
	hostile := []*vault{newCustomerOf(t, database), newCustomerOf(t, database)}
	rate := func() float64 {
		n := 0
		for began := time.Now(); time.Since(began) < 2*time.Second; n++ {
			if _, _, err := call(http.MethodGet, base+"/bookings", other.Production.APIKey, nil); err != nil {
				t.Fatal(err)
			}
		}
		return float64(n) / 2
	}
	var shares []float64
	for range 5 {
		alone := rate()
		for _, v := range hostile { // each is due at once, and takes twenty seconds of a processor
			v.setFeed(withMapping("crew", gangway.TravellersFlow, system, `def f: f; f`), "--allow-network",
				"127.0.0.0/8")
		}
		eventually(t, "both run", func() bool { return len(p.children()) == len(hostile) })
		shares = append(shares, rate()/alone)
		for _, v := range hostile {
			answer[any](t, v.of(nil, "feed", "delete", "crew")...)
		}
		eventually(t, "both have ended", func() bool { return len(p.children()) == 0 })
	}
	slices.Sort(shares)
	t.Logf("beside two hostile feeds another customer keeps these shares of its rate: %.2f", shares)
	if shares[len(shares)/2] < 0.8 {
		t.Errorf("the median is %.2f; want 0.80", shares[len(shares)/2])
	}
}
