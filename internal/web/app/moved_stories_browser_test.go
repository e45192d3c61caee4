package app_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// TestTrialMovedStories tells what a coordinator sees in a real browser when a ship is three days late. At the end of
// each story every page and the interface say of each person what judgetest says, and nothing is green for people who
// are not booked as planned.
func TestTrialMovedStories(t *testing.T) {
	need.Trial(t)
	t.Run("200 are booked, neither the ship nor half of them have identifiers, one is removed and one is new",
		func(t *testing.T) {
			w := watch(t, 201, func(w *watched) {
				w.id, w.people[200].on = "", false
				for _, p := range w.people[100:] {
					p.ID = ""
				}
			})
			w.people[102].on, w.people[200].on = false, true
			w.late()
			w.open()
			w.sees(`%s.dataset.state === "cancel" && %s.dataset.also === "new"`, w.row(102), w.row(200))
			w.send()
			for _, s := range w.stands() {
				if !s.on || len(s.live) != 1 || !serves(s.Verdict) {
					t.Errorf("%s stands as %s with %d bookings", s.FirstName, s.words(), len(s.live))
				}
			}
		})
	t.Run("somebody is under way", func(t *testing.T) {
		w := watch(t, 4, func(w *watched) { w.people[0].Phone = "+63 2 555 0100" })
		w.issue(1)
		b := w.booked(0)
		w.time(b.Itinerary.Departure().Add(-2 * time.Hour).Sub(w.now()))
		w.late()
		for range 2 { // on the way to the airport, and in the air
			w.open()
			w.sees(`%[1]s.matches("section [data-state=under-way]:has(a[href^='tel:'])") &&
				%[1]s.innerText.includes("lands BRU ")`, w.row(0))
			w.time(3 * time.Hour)
		}
		w.open()
		w.send()
		if now := w.booked(0); now.Version != b.Version {
			t.Errorf("the ticket of somebody under way was touched: %+v", now)
		}
	})
	t.Run("an airline changes flights while the board is open", func(t *testing.T) {
		w := watch(t, 4, func(*watched) {})
		w.issue(1)
		w.late()
		plain := &watched{w.story, apptest.OpenTab(t)} // it does not hear of news
		plain.b.WithScript(false)
		plain.open()
		w.open()
		w.b.Read(`window.opened = "before"`)
		w.sites[0].Client(t).ChangeFlights(w.booked(0).ID)
		w.sees(`window.opened && %s.dataset.standing === "airline_changed"`, w.row(0))
		plain.b.Do(chromedp.Click(apptest.CSS(`[data-board=button]`)))
		plain.sees(`document.querySelector("main").innerText.includes("Nothing was done: rows changed meanwhile")`)
		plain.sees(`%s.innerText.includes("is no longer possible")`, w.row(0))
		w.sees(`document.querySelector("[data-board=button]").innerText.startsWith("Do 3 ")`)
		b := w.booked(0)
		w.send()
		if now := w.booked(0); now.Version != b.Version {
			t.Errorf("a ticket whose flights the airline changed was touched: %+v", now)
		}
	})
	t.Run("a new hold lapses", func(t *testing.T) {
		w := watch(t, 4, func(*watched) {})
		w.issue(1)
		storetest.Settings(t, w.in, gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
		w.late()
		w.open()
		w.send()
		w.time(100 * time.Hour)
		w.do("nobody approves", w.work)
		w.looks()
		w.read("/")
		w.sees(`[...document.querySelectorAll("tbody")].find(g => g.innerText.startsWith("Seats lost")).rows.length === 5`)
		w.open()
		for i := range w.people {
			b := w.booked(i)
			if w.sees(`%s.innerText.includes("%s issued")`, w.row(i), b.Locator); b.Replaces != nil {
				t.Errorf("%+v; want the ticket from before", b)
			}
		}
	})
}

// A watched story is told to somebody who looks at it in a browser.
type watched struct {
	*story
	b *apptest.Tab
}

// watch has n people booked, every third with a ticket.
func watch(t *testing.T, n int, begin func(*watched)) *watched {
	t.Helper()
	w := &watched{newStory(t, storetest.New(t), 1), apptest.OpenTab(t)}
	w.people = nil
	homes := strings.Fields("MNL CEB GDN BOM DEL SIN HAM CPH OSL LIS MAD ATH IST WAW CGK MAA COK LHR HEL ARN OTP SOF")
	for i := range n {
		name := fmt.Sprintf("%c%c", 'a'+i/26, 'a'+i%26)
		p := &soul{Traveller: apptest.Maria, side: gangway.OnSigner, on: true}
		p.ID, p.FirstName, p.LastName, p.DocNumber = "C-"+name, "Robin"+name, "Sailor"+name, fmt.Sprintf("P%07d", i)
		if p.HomeAirport = gangway.Airport(homes[i%len(homes)]); i%2 == 1 {
			p.side = gangway.OffSigner
		}
		w.people = append(w.people, p)
	}
	begin(w)
	w.must(w.upload())
	c := w.sites[0].SignedIn(t, gangway.Booker)
	found := c.Post("/crew-changes/search", url.Values{"key": {w.key}, "airport": {string(w.port)}})
	path, _, _ := strings.Cut(found.Path, "?")
	c.Get(path + "?wait=1")
	c.Finish(c.Submit(path + "/book-all"))
	w.issue(3)
	w.check(w.byHTTP())
	return w
}

// booked is the booking of a person.
func (w *watched) booked(i int) (b gangway.Booking) {
	for _, b = range w.all(store.BookingQuery{Find: w.people[i].LastName, Live: true}) {
	}
	return b
}

// issue buys the tickets of every so many people.
func (w *watched) issue(each int) {
	c := w.sites[0].SignedIn(w.t, gangway.Booker)
	for i := 0; i < len(w.people); i += each {
		if b := w.booked(i); b.Can(gangway.Issue) {
			c.Submit("/bookings/" + b.ID + "/issue")
		}
	}
}

func (w *watched) late() {
	w.day = w.day.AddDays(3)
	w.do("the ship is three days late", w.upload)
}

// open comes to the board from the list of crew changes, and waits until everybody is quoted for.
func (w *watched) open() {
	w.signIn()
	w.b.Do(chromedp.Navigate(w.sites[0].URL + "/crew-changes?from=" + string(w.day)))
	w.b.Do(chromedp.Click(apptest.CSS(`#list a[href*="/crew-changes/board"]`)))
	w.b.Until(`document.querySelector("[data-board=button]") && !document.querySelector("main [data-stream]")`)
}

// send presses the button, and follows the run to its end.
func (w *watched) send() {
	w.b.Do(chromedp.Click(apptest.CSS(`[data-board=button]`)))
	w.b.Until(`location.pathname.startsWith("/runs/") && !document.querySelector("tr[data-state=open]")`)
	w.do("the desk works", w.settle)
	w.b.Until(`!document.querySelector("main [data-stream]")`)
	green := w.b.Read(`[...document.querySelectorAll("tr:has(.badge.good)")].map(row => row.innerText).join()`)
	for _, s := range w.stands() {
		if s.words() != "fits" && strings.Contains(green, s.FirstName) {
			w.t.Errorf("the run is green for %s, who stands as %s", s.FirstName, s.words())
		}
	}
	w.looks()
}

// row is the row of a person in the browser.
func (w *watched) row(i int) string {
	return fmt.Sprintf(`[...document.querySelectorAll("main tr")].find(r => r.innerText.includes(%q))`,
		w.people[i].FirstName)
}

func (w *watched) signIn() { w.b.Become(w.sites[0].SignedIn(w.t, gangway.Booker)) }

// looks holds what is promised after each step of what the browser shows, and that heads count the same people.
func (w *watched) looks() {
	w.t.Helper()
	w.signIn()
	w.check(w.read)
	old := 0
	for _, s := range w.stands() {
		if s.on && len(s.live) > 0 && !serves(s.Verdict) {
			old++
		}
	}
	words := fmt.Sprint(old, " booked for the old plan")
	plan := strings.Replace(w.board(), "board", "plan", 1)
	for _, path := range []string{"/crew-changes?from=" + string(w.day), w.board(), plan} {
		if strings.Contains(w.read(path), words) != (old > 0) {
			w.t.Errorf("%s does not have %q", path, words)
		}
	}
}

func (w *watched) sees(format string, args ...any) { w.b.Until(fmt.Sprintf(format, args...)) }

// read reads a page in the browser.
func (w *watched) read(path string) string {
	w.b.Do(chromedp.Navigate(w.sites[0].URL + path))
	w.b.Until(`!document.querySelector("main [data-stream]")`)
	return w.b.Read(`document.querySelector("main").outerHTML`)
}
