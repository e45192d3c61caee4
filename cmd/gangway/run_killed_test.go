package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
	"github.com/go-json-experiment/json"
)

// TestTrialRunKilled kills the replica that issues or releases forty bookings that a person has ticked. The other
// replica, or the program once it is restarted, continues: each booking has one result, none is paid or released
// twice, and the page shows the run to its end.
func TestTrialRunKilled(t *testing.T) {
	need.Trial(t)
	for act, ends := range map[string]gangway.State{"issue": gangway.Issued, "release": gangway.Cancelled} {
		t.Run(act, func(t *testing.T) {
			storetest.EachURL(t, func(t *testing.T, database string) { runKilled(t, database, act, ends) })
		})
	}
}

// runSize is how many bookings are ticked.
const runSize = 40

func runKilled(t *testing.T, database, act string, ends gangway.State) {
	v := newVoyage(t, database, runSize, "--network-delay", "100ms") // a slow supplier
	v.start()
	v.prepare()
	first, other := v.program, v.browser
	if strings.HasPrefix(database, "postgres") {
		second, app, base := serve(t, database, append(v.flags, "--allow-network", "127.0.0.0/8")...)
		v.program, v.base, other = second, base, &browser{v.browser.client, app} // another tab of the same person
	}
	ticks := url.Values{"do": {act}}
	for _, b := range v.heldByAll() {
		ticks.Add("booking", b.ID)
	}
	to, fields, _ := sure(v.browser.open("/bookings/together?" + ticks.Encode()))(t).form("/bookings/together")
	if n := len(fields["ask"]); n != runSize {
		t.Fatalf("%d are quoted; want %d", n, runSize)
	}
	run := sure(v.browser.send(to, fields))(t).path

	eventually(t, "the run is in its middle", func() bool {
		return sure(other.open(run))(t).items(store.ItemDone) >= runSize/8
	})
	if sure(other.open(run))(t).items(store.ItemOpen) == 0 {
		t.Fatal("the run was over before it could be interrupted")
	}
	first.kill()
	if v.program == first {
		v.start()
	}
	stream := sure(other.client.Get(other.app + run + "/stream"))(t)
	defer stream.Body.Close()
	if _, err := io.Copy(io.Discard, stream.Body); err != nil { // it ends with the run
		t.Fatal(err)
	}
	if n := sure(other.open(run))(t).items(store.ItemDone); n != runSize {
		t.Errorf("the page shows %d as done; want %d", n, runSize)
	}
	v.endedOnce(ends)
}

// items counts the rows of a run's page with an outcome.
func (p page) items(state store.ItemState) int {
	return strings.Count(p.html, `data-state="`+string(state)+`"`)
}

// heldByAll has "Book all" hold a booking for everybody, to be issued by nobody else.
func (v *voyage) heldByAll() (list []sentBooking) {
	v.t.Helper()
	must(v.t, did(v.browser.open(v.search+"?wait=all")))
	to, fields, ok := sure(v.browser.open(v.search + "/book-all"))(v.t).form("/book-all")
	if !ok {
		v.t.Fatal("nobody can be booked")
	}
	fields["unissued"] = []string{"let-go"}
	must(v.t, did(v.browser.send(to, fields)))
	eventually(v.t, "everybody is booked", func() bool {
		list = sure(v.bookings())(v.t)
		return len(list) == v.crew
	})
	return list
}

// endedOnce holds that each booking was held and then reached its state, once, here, at the customer and at the
// supplier, and that it was paid for once if it was issued.
func (v *voyage) endedOnce(state gangway.State) {
	v.t.Helper()
	want, bookings := []gangway.State{gangway.Confirmed, state}, sure(v.bookings())(v.t)
	for _, b := range bookings {
		if !slices.Equal(b.actions(), want) {
			v.t.Errorf("booking %s went through %v; want %v", b.Locator, b.actions(), want)
		}
		var got []gangway.State
		eventually(v.t, "every action has been delivered", func() bool {
			got, _ = v.customer.received(v.t, b.ID)
			return len(got) >= len(want)
		})
		if !slices.Equal(got, want) {
			v.t.Errorf("booking %s: delivered %v; want %v", b.Locator, got, want)
		}
	}
	v.program.stop()
	v.checkSupplier(bookings)
	docs := rowsOf(v.t, openSQL(v.t, v.database), `SELECT doc FROM booking`)
	if len(docs) != v.crew {
		v.t.Errorf("%d bookings; want %d", len(docs), v.crew)
	}
	for _, doc := range docs {
		var b gangway.Booking
		must(v.t, json.Unmarshal([]byte(doc), &b))
		paid, due := b.PaidSoFar(), b.Price.Total
		if state != gangway.Issued {
			due.Minor = 0
		}
		if paid.Minor != due.Minor {
			v.t.Errorf("booking %s: paid %s; want %s", b.Locator, paid, due)
		}
	}
}

// TestTrialMoveKilled kills the replica that moves a crew to a later day, while people have two bookings: the new one
// is held, and the old one has not ended. A person watches the run in a browser at the other replica. The run ends
// there, and everybody has one seat.
func TestTrialMoveKilled(t *testing.T) {
	need.Trial(t)
	v := newVoyage(t, storetest.PostgresURL(t), crewSize, "--network-delay", "300ms") // a slow supplier
	v.start()
	v.prepare()
	v.heldByAll()
	var ahead atomic.Int64 // how far the clock of the other replica is ahead
	other, db := replica(t, v.database, func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) })
	late := time.Now().AddDate(0, 0, 3)
	_, _, err := call(http.MethodPost, v.base+"/travel-requests", v.key, []any{crewOf(v.crew, late)})
	must(t, err)
	prod, _, err := db.Accounts(t.Context(), v.id)
	must(t, err)
	live := func() []gangway.Booking {
		list, _, err := db.In(prod.Scope()).Bookings(t.Context(), store.BookingQuery{Live: true})
		must(t, err)
		return list
	}
	tab := apptest.OpenTab(t)
	tab.Become(&apptest.Client{Site: &apptest.Site{URL: v.app}, HTTP: v.browser.client})
	tab.Do(chromedp.Navigate(v.app + "/crew-changes/board?key=id%3ACC-1"))
	tab.Until(`document.querySelector("[data-board=button]") && !document.querySelector("main [data-stream]")`)
	tab.Read(`[...document.querySelectorAll("main option[data-way=anew]")].map(option => {
		option.selected = true;
		option.parentElement.dispatchEvent(new Event("change", { bubbles: true }));
	}).join()`)
	tab.Do(chromedp.Click(apptest.CSS("[data-board=button]")))
	tab.Until(`location.pathname.startsWith("/runs/")`)
	tab.Do(chromedp.Navigate(other.app.String() + tab.Read(`location.pathname`)))
	eventually(t, "somebody has two bookings", func() bool { return len(live()) > v.crew })
	v.program.kill()
	if len(live()) == v.crew {
		t.Fatal("nobody was in the middle")
	}
	ahead.Store(int64(4 * time.Minute)) // what the dead one had taken is free
	tab.Until(fmt.Sprintf(`document.querySelectorAll("tr[data-state=done]").length === %d &&
		!document.querySelector("#run").innerText.includes("stays live")`, v.crew))
	day := gangway.DateOf(late.AddDate(0, 0, 9)) // a night more is allowed
	people := map[string]bool{}
	for _, b := range live() {
		if people[b.Passenger.ID] || gangway.DateOf(b.Itinerary.Arrival()) < day || b.Replaces.Open() {
			t.Errorf("%s has %s, which arrives %s: %+v", b.Passenger.ID, b.Locator, b.Itinerary.Arrival(), b.Replaces)
		}
		people[b.Passenger.ID] = true
	}
	if len(people) != v.crew {
		t.Errorf("%d have seats; want %d", len(people), v.crew)
	}
	verifies(t, v.database)
}
