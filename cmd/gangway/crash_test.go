package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store/storetest"

	"github.com/go-json-experiment/json"
)

// faults is how often each fault of a trial happens.
func faults() int { return need.Count("FAULTS", 1) }

// TestKilled kills the real program while people book and issue for a crew.
func TestKilled(t *testing.T) { sailKilled(t, storetest.SQLiteURL(t), 12, 2) }

// TestTrialKilled kills it in the middle of everything that people do for a whole crew.
func TestTrialKilled(t *testing.T) {
	need.Trial(t)
	for range faults() {
		storetest.EachURL(t, func(t *testing.T, database string) { sailKilled(t, database, crewSize, 8) })
	}
}

// sailKilled kills the real program again and again, each time in the middle of something, while people book, issue
// and cancel for a crew in the web application. After each restart it continues: no booking is doubled, no action is
// lost, and none is delivered out of order within its booking.
func sailKilled(t *testing.T, database string, crew, kills int) {
	v := newVoyage(t, database, crew, "--network-delay", "30ms") // a slow supplier
	v.start()
	v.prepare()

	working, done := context.WithTimeout(t.Context(), hang)
	defer done()
	var workers sync.WaitGroup
	members := make(chan int)
	for range 6 {
		workers.Go(func() {
			for m := range members {
				v.see(working, m)
			}
		})
	}
	over := make(chan struct{})
	go func() {
		for m := range crew {
			members <- m
		}
		close(members)
		workers.Wait()
		close(over)
	}()
	for i := range kills {
		v.killDuring(moments[i%len(moments)], over)
	}
	<-over
	v.check()
}

// crewSize is a crew for which there is enough to do while the program is killed eight times.
const crewSize = 24

// moments are the kinds of work that the program is killed in the middle of.
var moments = []string{"book", "issue", "deliver", "cancel"}

// begin tells the killer that something of a kind has begun.
func (v *voyage) begin(moment string) {
	select {
	case v.begun[moment] <- struct{}{}:
	default:
	}
}

// killDuring kills the program shortly after something of the kind has begun, and restarts it.
func (v *voyage) killDuring(moment string, over <-chan struct{}) {
	v.t.Helper()
	select {
	case <-v.begun[moment]: // left over from before
	default:
	}
	select {
	case <-v.begun[moment]:
	case <-over:
		v.t.Fatalf("the work was done before it could be interrupted in the middle of a %s", moment)
	}
	<-time.After(time.Duration(v.chance.IntN(60)) * time.Millisecond)
	v.program.kill()
	v.start()
}

// see does everything for one member, whatever happens to the program: every third is booked and
// issued, every third issued and cancelled, every third only booked and cancelled.
func (v *voyage) see(ctx context.Context, member int) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		done, err := v.step(member)
		if done {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			v.t.Errorf("member %d was not finished; last error: %v", member, err)
			return
		}
	}
}

// planOf says whether a member is to be issued, and whether to be cancelled.
func planOf(member int) (issues, cancels bool) { return member%3 != 2, member%3 != 0 }

// course returns the actions that a booking which ended in state must have gone through.
func course(passenger string, state gangway.State) []gangway.State {
	var member int
	fmt.Sscanf(passenger, "H-%d", &member)
	issues, cancels := planOf(member)
	actions := []gangway.State{gangway.Confirmed}
	if issues {
		actions = append(actions, gangway.Issued)
	}
	switch {
	case !cancels:
	case state == gangway.RefundPending:
		actions = append(actions, gangway.RefundPending)
	default:
		actions = append(actions, gangway.Cancelled)
	}
	return actions
}

// step does the next thing for a member. It fails when the program is down, and is refused while
// something is still being settled; both pass.
func (v *voyage) step(member int) (done bool, err error) {
	b, err := v.booking(member)
	if err != nil {
		return false, err
	}
	issues, cancels := planOf(member)
	switch b.State {
	case "":
		return false, v.do("book", fmt.Sprintf("%s?wait=1&member=%d", v.search, member), "/book")
	case gangway.Confirmed:
		if issues {
			return false, v.do("issue", "/bookings/"+b.ID+"/issue", "/issue")
		}
		return false, v.do("cancel", "/bookings/"+b.ID+"/cancel", "/cancel")
	case gangway.Issued:
		if cancels {
			return false, v.do("cancel", "/bookings/"+b.ID+"/cancel", "/cancel")
		}
	}
	return true, nil
}

// do opens a page and sends the form on it.
func (v *voyage) do(what, path, action string) error {
	p, err := v.browser.open(path)
	if err != nil {
		return err
	}
	to, fields, ok := p.form(action)
	if !ok {
		return fmt.Errorf("%s has no form for %s", path, action)
	}
	v.begin(what)
	_, err = v.browser.send(to, fields)
	return err
}

// booking returns a member's booking; there must never be two.
func (v *voyage) booking(member int) (sentBooking, error) {
	list, err := v.bookings()
	if err != nil {
		return sentBooking{}, err
	}
	id := fmt.Sprintf("H-%03d", member)
	list = slices.DeleteFunc(list, func(b sentBooking) bool { return b.Passenger.ID != id })
	switch len(list) {
	case 0:
		return sentBooking{}, nil
	case 1:
		return list[0], nil
	}
	v.t.Errorf("member %d is booked %d times", member, len(list))
	return list[0], nil
}

func (v *voyage) bookings() ([]sentBooking, error) {
	return pulled(v.base+"/bookings/modified?from=2026-01-01T00:00:00Z", v.key)
}

// check compares the result with what must never happen.
func (v *voyage) check() {
	v.t.Helper()
	bookings := sure(v.bookings())(v.t)
	if len(bookings) != v.crew {
		v.t.Errorf("%d bookings; want %d", len(bookings), v.crew)
	}
	eventually(v.t, "every action has been delivered", func() bool {
		for _, b := range bookings {
			if got, _ := v.customer.received(v.t, b.ID); len(got) < len(b.Actions) {
				return false
			}
		}
		return true
	})
	repeats := 0
	for _, b := range bookings {
		got, again := v.customer.received(v.t, b.ID)
		repeats += again
		if want := course(b.Passenger.ID, b.State); !slices.Equal(b.actions(), want) {
			v.t.Errorf("booking %s: went through %v; want %v", b.Locator, b.actions(), want)
		}
		if !slices.Equal(got, b.actions()) {
			v.t.Errorf("booking %s: delivered %v; want %v", b.Locator, got, b.actions())
		}
	}
	v.t.Logf("%d bookings, %d deliveries came again", len(bookings), repeats)
	v.program.stop()
	verifies(v.t, v.database)
	v.checkSupplier(bookings)
}

// checkSupplier compares our bookings with the supplier's orders: seats are held or ticketed for
// exactly those bookings that stand, with the same tickets.
func (v *voyage) checkSupplier(bookings []sentBooking) {
	v.t.Helper()
	var ours, theirs []string
	for _, b := range bookings {
		if b.State == gangway.Issued {
			ours = append(ours, "ticketed "+strings.Join(b.Tickets, " "))
		}
	}
	// beside orders it keeps counters
	for _, doc := range rowsOf(v.t, openSQL(v.t, v.database), `SELECT doc FROM supplier_document WHERE doc LIKE '{%'`) {
		var order struct {
			Status  flight.Status `json:"status"`
			Tickets []string      `json:"tickets"`
		}
		must(v.t, json.Unmarshal([]byte(doc), &order))
		if order.Status == flight.Held || order.Status == flight.Ticketed {
			theirs = append(theirs, string(order.Status)+" "+strings.Join(order.Tickets, " "))
		}
	}
	slices.Sort(ours)
	slices.Sort(theirs)
	if !slices.Equal(ours, theirs) {
		v.t.Errorf("the supplier has seats for\n%v\nand we have bookings for\n%v", theirs, ours)
	}
	for _, ticketed := range ours {
		if !regexp.MustCompile(`^ticketed \d{13}( \d{13})*$`).MatchString(ticketed) {
			v.t.Errorf("an issued booking without tickets: %s", ticketed)
		}
	}
}
