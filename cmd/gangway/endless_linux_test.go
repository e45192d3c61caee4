package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
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
		return sure(in.FeedRuns(t.Context(), "crew", 0, 10))(t)
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
		for _, v := range hostile { // both are due at once, one after the other takes a processor for 20 s
			v.setFeed(withMapping("crew", gangway.TravellersFlow, system, `def f: f; f`), "--allow-network",
				"127.0.0.0/8")
		}
		eventually(t, "one of them runs", func() bool { return len(p.children()) > 0 })
		shares = append(shares, rate()/alone)
		for _, v := range hostile {
			answer[any](t, v.of(nil, "feed", "delete", "crew")...)
		}
		eventually(t, "none of them runs", func() bool { return len(p.children()) == 0 })
	}
	slices.Sort(shares)
	t.Logf("beside two hostile feeds another customer keeps these shares of its rate: %.2f", shares)
	if shares[len(shares)/2] < 0.8 {
		t.Errorf("the median is %.2f; want 0.80", shares[len(shares)/2])
	}
}
