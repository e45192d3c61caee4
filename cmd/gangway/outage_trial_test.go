//go:build linux

package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// An outageTrial is a server under load: programs upload, and a person books.
type outageTrial struct {
	t         *testing.T
	v         *voyage
	app, base string
	client    *http.Client
	forms     []bookForm  // to book with, each one traveller
	down      atomic.Bool // the server itself is stopped at the moment

	mu       sync.Mutex
	taken    map[string]bool // travellers whose upload was acknowledged
	booked   map[string]bool // bookings whose page was shown after booking
	sent     int
	statuses map[string]map[int]int // by kind of request
	longest  time.Duration
}

func newOutageTrial(t *testing.T, database string) *outageTrial {
	t.Helper()
	v := newVoyage(t, database, crewSize, "--requests-per-minute", "100000000")
	o := &outageTrial{t: t, v: v, app: v.app, base: v.base, client: &http.Client{Timeout: hang},
		taken: map[string]bool{}, booked: map[string]bool{}}
	v.start()
	v.prepare()
	for m := range crewSize {
		p := sure(v.browser.open(fmt.Sprintf("%s?wait=1&member=%d", v.search, m)))(t)
		if to, fields, ok := p.form("/book"); ok {
			o.forms = append(o.forms, bookForm{to, fields})
		}
	}
	return o
}

// note counts an answer.
func (o *outageTrial) note(what string, status int, began time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.statuses[what] == nil {
		o.statuses[what] = map[int]int{}
	}
	o.statuses[what][status]++
	o.longest = max(o.longest, time.Since(began))
}

// count returns how many answers of a kind there were.
func (o *outageTrial) count(what string, status int) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.statuses[what][status]
}

// pace is how often each of the programs sends something: often enough that there is always something on its way,
// and not so often that the machine does nothing else.
const pace = 25 * time.Millisecond

// suffer keeps all of them busy while a fault begins, lasts and is repaired.
func (o *outageTrial) suffer(f fault) {
	o.t.Helper()
	o.statuses, o.longest = map[string]map[int]int{}, 0
	before, booked := len(o.taken), len(o.booked)
	ctx, stop := context.WithCancel(o.t.Context())
	var load sync.WaitGroup
	defer func() {
		stop()
		load.Wait()
	}()
	again := func(do func()) {
		load.Go(func() {
			pause := time.NewTicker(pace)
			defer pause.Stop()
			for ctx.Err() == nil {
				do()
				<-pause.C
			}
		})
	}
	for range 6 {
		again(o.upload)
	}
	forms := o.forms[:min(8, len(o.forms))]
	o.forms = o.forms[len(forms):]
	load.Go(func() { o.hold(ctx, forms) })
	eventually(o.t, f.name+": uploads are taken", func() bool { return o.count("uploads", 200) > 8 })
	f.begin()
	eventually(o.t, f.name+": uploads are refused", func() bool { return o.count("uploads", 503) > 8 })
	eventually(o.t, f.name+": it is not ready", func() bool { return o.status("/readyz") == 503 })
	if got := o.status("/healthz"); got != 200 {
		o.t.Errorf("%s: /healthz = %d; want 200", f.name, got)
	}
	f.heal()
	healed := o.count("uploads", 200)
	eventually(o.t, f.name+": uploads are taken again", func() bool {
		return o.count("uploads", 200) > healed+8
	})
	eventually(o.t, f.name+": everybody is booked", func() bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		return len(o.booked)-booked == len(forms)
	})
	stop()
	load.Wait()
	eventually(o.t, f.name+": it is ready", func() bool { return o.status("/readyz") == 200 })
	eventually(o.t, f.name+": the log says as often that the database is back as that it was away",
		func() bool {
			said := o.v.program.said.String()
			return strings.Count(said, `msg="the database is away"`) == strings.Count(said,
				`msg="the database is back"`)
		})
	for what, statuses := range o.statuses {
		for status, n := range statuses {
			if status != 200 && status != 503 && !(what == "holds" && status == 409) { // somebody is at work on it
				o.t.Errorf("%s: %d %s were answered %d; want 200 and 503", f.name, n, what, status)
			}
		}
	}
	o.t.Logf("%s | %v, longest wait %s | %d travellers and %d bookings acknowledged", f.name, o.statuses,
		o.longest.Round(time.Millisecond), len(o.taken)-before, len(o.booked)-booked)
}

// hold books with each form, again and again until its booking is shown, as a person would.
func (o *outageTrial) hold(ctx context.Context, forms []bookForm) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for _, f := range forms {
		for done := false; !done && ctx.Err() == nil; <-tick.C {
			began := time.Now()
			p, err := o.v.browser.send(f.to, f.fields)
			for err == nil && strings.Contains(p.html, "<title>Being booked") && ctx.Err() == nil {
				<-tick.C
				p, err = o.v.browser.open(p.path) // until the airline has answered
			}
			if err != nil {
				o.unanswered("holds", err)
				continue
			}
			o.note("holds", p.status, began)
			if done = p.status == 200 && strings.HasPrefix(p.path, "/bookings/") &&
				!strings.Contains(p.html, "<title>Not booked"); done {
				o.mu.Lock()
				o.booked[strings.TrimPrefix(p.path, "/bookings/")] = true
				o.mu.Unlock()
			} else if to, fields, ok := p.form("/book"); ok && strings.Contains(p.html, "nothing was booked") {
				f = bookForm{to, fields} // the person reads the message and presses again
			} else if ctx.Err() != nil {
				o.t.Logf("not booked: %d at %s: %s", p.status, p.path, p.text())
			}
		}
	}
}

// unanswered records that there was no answer, which is wrong unless the server is stopped.
func (o *outageTrial) unanswered(what string, err error) {
	if !o.down.Load() {
		o.t.Errorf("%s got no answer: %v", what, err)
	}
}

// mayRead checks that on a full disk everything continues that need not write.
func (o *outageTrial) mayRead(fill, empty func()) {
	o.t.Helper()
	fill()
	defer empty()
	if got := o.status("/sign-in"); got != 200 {
		o.t.Errorf("full: /sign-in = %d; want 200", got)
	}
	res, _, err := call(http.MethodGet, o.base+"/bookings/modified?from=2026-01-01T00:00:00Z", o.v.key, nil)
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

// upload sends three new travellers.
func (o *outageTrial) upload() {
	o.mu.Lock()
	o.sent++
	n := o.sent
	o.mu.Unlock()
	var ids []string
	var records []map[string]any
	for i := range 3 {
		id := fmt.Sprintf("T-%d-%d", n, i)
		ids = append(ids, id)
		records = append(records, map[string]any{
			"id": id, "last_name": "Okonjo", "first_name": "Ada", "dob": "1990-04-30", "nationality": "NG",
			"gender": "F", "doc_country": "NG",
			"doc_number": fmt.Sprintf("A%08d", n*3+i), "doc_expire": "2036-01-01", "home_airport": "LOS",
		})
	}
	began := time.Now()
	res, _, err := call(http.MethodPost, o.base+"/passenger", o.v.key, records)
	if res == nil {
		o.unanswered("uploads", err)
		return
	}
	o.note("uploads", res.StatusCode, began)
	o.mu.Lock()
	defer o.mu.Unlock()
	if res.StatusCode == 503 && res.Header.Get("Retry-After") == "" {
		o.t.Error("a 503 does not say when to try again")
	}
	if res.StatusCode == 200 {
		for _, id := range ids {
			o.taken[id] = true
		}
	}
}

// complete checks that everything that was acknowledged is there.
func (o *outageTrial) complete() {
	o.t.Helper()
	bookings := sure(o.v.bookings())(o.t)
	made, who := map[string]bool{}, map[string]bool{}
	for _, b := range bookings {
		if who[b.Passenger.ID] {
			o.t.Errorf("traveller %s is booked twice", b.Passenger.ID)
		}
		made[b.ID], who[b.Passenger.ID] = true, true
	}
	for id := range o.booked {
		if !made[id] {
			o.t.Errorf("booking %s was shown and is not there", id)
		}
	}
	eventually(o.t, "every action has been pushed", func() bool {
		for _, b := range bookings {
			if got, _ := o.v.customer.received(o.t, b.ID); !slices.Equal(got, b.actions()) {
				return false
			}
		}
		return true
	})
	if strings.Contains(o.v.program.said.String(), "superfluous") {
		o.t.Error("answers were begun twice")
	}
	o.v.program.stop()
	db := openStore(o.t, o.v.database)
	prod, _, err := db.Accounts(o.t.Context(), o.v.id)
	must(o.t, err)
	for id := range o.taken {
		if _, err := db.In(prod.Scope()).Traveller(o.t.Context(), "id:"+id); err != nil {
			o.t.Fatalf("traveller %s was acknowledged and is not there: %v", id, err)
		}
	}
	o.t.Logf("%d travellers acknowledged, all found; %d bookings acknowledged, %d found, each pushed once",
		len(o.taken), len(o.booked), len(bookings))
}
