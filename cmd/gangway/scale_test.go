//go:build linux

package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store/storetest"

	"github.com/go-json-experiment/json"
	"golang.org/x/sync/errgroup"
)

// TestReplicasKilled has ten customers work on three replicas, of which one is killed. PostgreSQL logs every statement
// meanwhile: no transaction is about two accounts, except those that storetest lists.
func TestReplicasKilled(t *testing.T) {
	t.Parallel() // it waits until what was interrupted may be continued
	f := newFleet(t, 10, "log_statement = all\nlogging_collector = on\nlog_destination = csvlog\n"+
		"log_filename = statements\nlog_rotation_size = 0\n")
	f.work(6, func() bool { return f.acts.Load() < 160 }, func() {
		eventually(t, "half of the work is done", func() bool { return f.acts.Load() >= 80 })
		f.restart(0)
	})
	f.weigh()
	f.check()
	f.checkTransactions()
}

// TestTrialScale has a thousand customers work on three replicas, of which one is killed each minute, and logs what
// the replicas did. GANGWAY_SCALE is for how many minutes.
func TestTrialScale(t *testing.T) {
	need.Trial(t)
	f := newFleet(t, need.Count("SCALE_CUSTOMERS", 1000), "shared_buffers = 512MB\nmax_wal_size = 1GB\n"+
		"max_connections = 200\n")
	minutes := need.Count("SCALE", 5)
	end := time.Now().Add(time.Duration(minutes)*time.Minute + 20*time.Second) // after the last restart
	f.work(24, func() bool { return time.Now().Before(end) }, func() {
		minute := time.NewTicker(time.Minute)
		defer minute.Stop()
		for i := range minutes {
			<-minute.C
			f.weigh()
			f.restart(i)
		}
	})
	f.weigh()
	f.check()
}

// A fleet is three replicas on one PostgreSQL server behind a balancer, and the customers that they serve.
type fleet struct {
	t         *testing.T
	database  string
	server    *cluster
	app       string // the address that browsers know
	listen    []string
	replicas  []*program
	memory    []int64 // the most that a replica had
	restarts  []time.Duration
	balancer  *balancer
	companies []*company
	customer  *receiver
	acts      atomic.Int64
	took      time.Duration
}

// newFleet starts everything. The settings are PostgreSQL's.
func newFleet(t *testing.T, companies int, settings string) *fleet {
	t.Helper()
	c := newCluster(t, shortFolder(t))
	file := sure(os.OpenFile(filepath.Join(c.data(), "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0))(t)
	must(t, did(file.WriteString(settings)))
	must(t, file.Close())
	c.start()
	f := &fleet{t: t, server: c, database: c.url(), customer: newReceiver(t, func() {}), memory: make([]int64, 3),
		companies: make([]*company, companies),
		balancer: &balancer{base: &http.Transport{MaxIdleConnsPerHost: 64}, took: map[string][]time.Duration{},
			failed: map[string]int{}}}
	t.Cleanup(f.balancer.base.CloseIdleConnections)
	for range 3 {
		f.listen = append(f.listen, freePort(t))
	}
	f.app, f.replicas = "http://"+f.listen[0], make([]*program, 3)
	for i := range f.replicas {
		f.start(i)
	}
	f.balancer.at = f.listen
	f.settle()
	return f
}

func (f *fleet) start(i int) {
	f.t.Helper()
	f.replicas[i], _, _ = serve(f.t, f.database, "--listen", f.listen[i], "--allow-network", "127.0.0.0/8",
		"--trusted-proxy", "127.0.0.1/32", "--app-url", f.app, "--base-url", f.app+"/api", "--reporting-url",
		f.app+"/reporting", "--requests-per-minute", "1000000")
}

// restart kills a replica as a power cut does, and starts it again.
func (f *fleet) restart(i int) {
	f.t.Helper()
	i %= len(f.replicas)
	f.replicas[i].kill()
	began := time.Now()
	f.start(i)
	f.restarts = append(f.restarts, time.Since(began))
}

// weigh notes how much memory the replicas have.
func (f *fleet) weigh() {
	for i, p := range f.replicas {
		f.memory[i] = max(f.memory[i], anonymous(p))
	}
}

// settle makes the customers, each with a key, a report login, an outlet, and a booker who signs in.
func (f *fleet) settle() {
	f.t.Helper()
	db := openStore(f.t, f.database)
	var some errgroup.Group
	some.SetLimit(8)
	for n := range f.companies {
		some.Go(func() error {
			made, err := createCustomer(f.t.Context(), storetest.Operator, db, fmt.Sprint("Company ", n), time.Now())
			if err != nil {
				return err
			}
			c := &company{fleet: f, login: made.Production, network: fmt.Sprintf("10.%d.%d.1", n/250, n%250),
				chance: rand.New(rand.NewPCG(30, uint64(n))), pulled: map[string][]gangway.State{},
				browser: newBrowser(f.t, f.app)}
			c.browser.client.Transport = c
			pushTo(f.t, db.In(made.prod.Scope()), f.customer.URL, time.Now())
			email := fmt.Sprintf("booker%d@company.example", n)
			hire(f.t, db, made.Customer, email, gangway.Booker)
			f.companies[n] = c
			return c.browser.signIn(email, tideTables)
		})
	}
	must(f.t, some.Wait())
}

// work has so many people at a time act for companies in turn, while meanwhile runs.
func (f *fleet) work(people int, lasts func() bool, meanwhile func()) {
	f.t.Helper()
	f.balancer.took = map[string][]time.Duration{}
	began, next := time.Now(), atomic.Int64{}
	var all sync.WaitGroup
	for range people {
		all.Go(func() {
			for lasts() {
				c := f.companies[int(next.Add(1))%len(f.companies)]
				c.mu.Lock()
				c.act()
				c.mu.Unlock()
				f.acts.Add(1)
			}
		})
	}
	tabs := &openPages{t: f.t, apps: []string{f.app, "http://" + f.listen[1], "http://" + f.listen[2]}}
	for _, c := range f.companies[:min(30, len(f.companies)/3)] {
		tabs.open(&browser{client: &http.Client{Jar: c.browser.client.Jar}}, "/bookings", 0)
	}
	meanwhile()
	all.Wait()
	f.took = time.Since(began)
}

// A company is one customer: what its system and its booker do.
type company struct {
	*fleet
	mu      sync.Mutex
	login   credentials
	network string // that its requests come from
	browser *browser
	chance  *rand.Rand
	crews   int    // how many crew changes were begun
	search  string // the path of the flights of the latest; empty: it is done
	member  int    // who is booked next
	tries   int
	uploads int // that were acknowledged
	pulls   int
	pulled  map[string][]gangway.State
}

// RoundTrip sends a request of the company through the balancer.
func (c *company) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Forwarded-For", c.network)
	return c.balancer.RoundTrip(r)
}

// ask makes a request of the company's programs.
func (c *company) ask(method, path string, body any) (doc []byte, ok bool) {
	req := sure(http.NewRequestWithContext(c.t.Context(), method, c.app+path,
		bytes.NewReader(sure(json.Marshal(body))(c.t))))(c.t)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Api-Key", c.login.APIKey)
	if strings.HasPrefix(path, "/reporting") {
		req.SetBasicAuth(c.login.ReportUser, c.login.ReportPassword)
	}
	res, err := c.browser.client.Do(req)
	if err != nil {
		return nil, false
	}
	doc, err = io.ReadAll(res.Body)
	return doc, err == nil && res.StatusCode == http.StatusOK
}

var pagesOfADay = []string{"/", "/bookings", "/crew-changes", "/travellers?name=sail", "/report", "/bookings?find=sail",
	"/deadlines"}

// act does the next thing of a mixed day. What fails is done again at another time.
func (c *company) act() {
	switch n := c.chance.IntN(100); {
	case n < 25:
		c.browser.open(pagesOfADay[n%len(pagesOfADay)])
	case n < 35:
		if _, ok := c.ask(http.MethodPost, "/api/passenger", people("T", c.uploads)["onsigners"]); ok {
			c.uploads++
		}
	case n < 47:
		c.pull()
	case n < 52:
		c.ask(http.MethodGet, "/reporting/v2/odata/FlightBookingDetailed?$top=100", nil)
	default:
		c.book()
	}
}

// crewOfCompany is how many people each crew change and each upload of travellers has.
const crewOfCompany = 3

// people are a crew change of people whom nothing else has, and whose identifiers begin with a letter.
func people(letter string, n int) map[string]any {
	plan := crewOf(crewOfCompany, time.Now())
	plan["travel_request_id"] = fmt.Sprint("CC-", n)
	for i, m := range plan["onsigners"].([]map[string]any) {
		m["id"], m["doc_number"] = fmt.Sprintf("%s-%d-%d", letter, n, i), fmt.Sprintf("P%05d%02dA", n, i)
		m["first_name"] = "Robin" + strings.Repeat("a", i) + strings.Repeat("o", n)
	}
	return plan
}

// pull reads what is new, and reports whether there may be more. One that was cut is read again, by its name.
func (c *company) pull() (more bool) {
	doc, ok := c.ask(http.MethodGet, fmt.Sprintf("/api/bookings?pull=p%d", c.pulls), nil)
	list, err := readBookings(doc)
	if !ok || err != nil {
		return true
	}
	c.pulls++
	for _, b := range list {
		c.pulled[b.ID] = append(c.pulled[b.ID], b.actions()...)
	}
	return len(list) > 0
}

// book takes the next step of a crew change: its plan is uploaded, flights are found, one member after another is
// booked, and two of three get their tickets.
func (c *company) book() {
	if c.search == "" {
		if _, ok := c.ask(http.MethodPost, "/api/travel-requests", []any{people("H", c.crews)}); !ok {
			return
		}
		p, err := c.browser.send("/crew-changes/search", url.Values{"key": {fmt.Sprint("id:CC-", c.crews)},
			"airport": {"SIN"}})
		if err == nil && strings.HasPrefix(p.path, "/searches/") {
			c.search, c.member, c.tries, c.crews = p.path, 0, 0, c.crews+1
		}
		return
	}
	doc, ok := c.ask(http.MethodGet, "/api/bookings/modified?from=2026-01-01T00:00:00Z", nil)
	list, err := readBookings(doc)
	if !ok || err != nil {
		return
	}
	list = slices.DeleteFunc(list, func(b sentBooking) bool {
		return b.Passenger.ID != fmt.Sprintf("H-%d-%d", c.crews-1, c.member)
	})
	page, action := "", ""
	switch {
	case len(list) == 0:
		page, action = fmt.Sprintf("%s?wait=1&member=%d", c.search, c.member), "/book"
	case list[0].State == gangway.Confirmed && c.member%3 != 2:
		page, action = "/bookings/"+list[0].ID+"/issue", "/issue"
	}
	if c.tries++; page != "" && c.tries < 20 {
		if p, err := c.browser.open(page); err == nil {
			if to, fields, ok := p.form(action); ok {
				c.browser.send(to, fields)
			}
		}
		return
	}
	if c.member, c.tries = c.member+1, 0; c.member == crewOfCompany {
		c.search = ""
	}
}

// A balancer passes each request on to the next replica, or to another one if that refuses the connection or is not
// ready. Something read that breaks off is read from another one, too.
type balancer struct {
	base *http.Transport
	at   []string
	next atomic.Int64

	mu     sync.Mutex
	took   map[string][]time.Duration // by route
	failed map[string]int
	again  int // requests that another replica got
}

var identifiers = regexp.MustCompile(`/[a-z0-9]{26}`)

func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	began, route := time.Now(), r.Method+" "+identifiers.ReplaceAllString(r.URL.Path, "/…")
	for try := 1; ; try++ {
		req := r.Clone(r.Context())
		req.Host, req.URL.Host = r.URL.Host, b.at[int(b.next.Add(1))%len(b.at)]
		if r.GetBody != nil {
			req.Body, _ = r.GetBody()
		}
		res, err := b.base.RoundTrip(req)
		if err == nil {
			var doc []byte
			doc, err = io.ReadAll(res.Body)
			res.Body.Close()
			res.Body = io.NopCloser(bytes.NewReader(doc))
		}
		again := err == nil && res.StatusCode == 503 || errors.Is(err, syscall.ECONNREFUSED) ||
			err != nil && r.Method == http.MethodGet
		b.mu.Lock()
		if again && try < 2*len(b.at) {
			b.again++
			b.mu.Unlock()
			continue
		}
		b.took[route] = append(b.took[route], time.Since(began))
		if err != nil || res.StatusCode >= 500 || res.StatusCode == http.StatusTooManyRequests {
			b.failed[route]++
		}
		b.mu.Unlock()
		return res, err
	}
}

// check waits until everything is delivered, pulls the rest, and compares both with the log of actions.
func (f *fleet) check() {
	f.t.Helper()
	sql := openSQL(f.t, f.database)
	eventually(f.t, "everything is delivered, and nothing is left unsettled", func() bool {
		return rowsOf(f.t, sql, `SELECT (SELECT count(*) FROM delivery WHERE state = 'due') +
			(SELECT count(*) FROM intent WHERE open = 1)`)[0] == "0"
	})
	want, ids := map[string][]gangway.State{}, map[string][]string{}
	for _, row := range rowsOf(f.t, sql, `SELECT a.booking, a.name, d.id FROM action a LEFT JOIN delivery d
		ON d.account = a.account AND d.booking = a.booking AND d.seq = a.seq ORDER BY a.booking, a.seq, d.id`) {
		cells := strings.Split(row, " ")
		want[cells[0]] = append(want[cells[0]], gangway.State(cells[1]))
		ids[cells[0]] = append(ids[cells[0]], cells[2])
	}
	arrived, again := map[string][]string{}, 0
	f.customer.mu.Lock()
	defer f.customer.mu.Unlock()
	for _, p := range f.customer.pushes {
		if list := arrived[p.booking]; len(list) > 0 && list[len(list)-1] == p.id {
			again++ // its acceptance was not recorded before the replica was killed
			continue
		}
		arrived[p.booking] = append(arrived[p.booking], p.id)
	}
	pulled, uploads := map[string][]gangway.State{}, 0
	for _, c := range f.companies {
		for c.pull() {
		}
		for id, list := range c.pulled {
			pulled[id] = list
		}
		uploads += c.uploads
	}
	wrong := 0
	for id := range want {
		if !slices.Equal(arrived[id], ids[id]) || !slices.Equal(pulled[id], want[id]) {
			wrong++
			f.t.Errorf("booking %s went through %v as %v; pushed were %v, and pulled %v", id, want[id], ids[id],
				arrived[id], pulled[id])
		}
	}
	if len(arrived) > len(want) || len(pulled) > len(want) || len(want) == 0 {
		f.t.Errorf("%d bookings were pushed and %d pulled; want %d", len(arrived), len(pulled), len(want))
	}
	twice := rowsOf(f.t, sql, `SELECT account || ' ' || (doc::jsonb->'passenger'->>'id') FROM booking
		WHERE state <> 'cancelled' GROUP BY 1 HAVING count(*) > 1`)
	if len(twice) > 0 {
		f.t.Errorf("booked twice: %v", twice)
	}
	there := rowsOf(f.t, sql, `SELECT count(*) FROM traveller WHERE key LIKE 'id:T-%'`)[0]
	if n := sure(strconv.Atoi(there))(f.t); n < crewOfCompany*uploads {
		f.t.Errorf("%d travellers are there; %d were acknowledged", n, crewOfCompany*uploads)
	}
	f.t.Logf("%d customers, %d bookings, %d pushes, %d of them again: %d bookings wrong; %d uploads acknowledged\n%s",
		len(f.companies), len(want), len(f.customer.pushes), again, wrong, uploads, f.table())
}

// table is what the replicas did, by route.
func (f *fleet) table() string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "route\tn\tp50 ms\tp99 ms\tmost\tfailed\t")
	all := 0
	for _, route := range slices.Sorted(maps.Keys(f.balancer.took)) {
		list := f.balancer.took[route]
		slices.Sort(list)
		all += len(list)
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t\n", route, len(list), list[len(list)/2].Milliseconds(),
			list[len(list)*99/100].Milliseconds(), list[len(list)-1].Milliseconds(), f.balancer.failed[route])
	}
	w.Flush()
	fmt.Fprintf(&text, "%d requests in %s: %.1f a second, %d of them at another replica; killed %d times, ready again "+
		"after %v\n", all, f.took.Round(time.Second), float64(all)/f.took.Seconds(), f.balancer.again, len(f.restarts),
		f.restarts)
	for i, n := range f.memory {
		fmt.Fprintf(&text, "replica %d: %d MiB at most, %d MiB in the end\n", i+1, n>>20, anonymous(f.replicas[i])>>20)
	}
	return text.String()
}

var accountNames = regexp.MustCompile(`acc_[a-z0-9]{26}`)

// checkTransactions reads what PostgreSQL logged, and fails for each transaction about several accounts that is not
// listed.
func (f *fleet) checkTransactions() {
	f.t.Helper()
	logged := sure(os.ReadFile(filepath.Join(f.server.data(), "log", "statements.csv")))(f.t)
	log := csv.NewReader(bytes.NewReader(logged))
	log.FieldsPerRecord = -1 // the last line may be incomplete
	const transaction, message, detail = 9, 13, 14
	statements, accounts := map[string][]string{}, map[string][]string{}
	for line, err := log.Read(); err == nil; line, err = log.Read() {
		if id := line[transaction]; id != "" {
			statements[id] = append(statements[id], strings.Join(strings.Fields(line[message]), " "))
			accounts[id] = append(accounts[id], accountNames.FindAllString(line[message]+line[detail], -1)...)
		}
	}
	one := 0
	for id, list := range accounts {
		slices.Sort(list)
		switch n := len(slices.Compact(list)); {
		case n == 1:
			one++
		case n > 1 && !slices.ContainsFunc(statements[id], storetest.MayCrossAccounts):
			f.t.Errorf("a transaction is about %d accounts: %.2000q", n, statements[id])
		}
	}
	if one < 500 {
		f.t.Errorf("only %d transactions were about one account: the test looks in the wrong place", one)
	}
}
