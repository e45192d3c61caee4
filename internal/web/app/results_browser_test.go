package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gangway"
	"gangway/internal/store/storetest"
)

// TestMainPathInBrowser is a booker's day: three letters, a flight, a ticket,
// and all of it given back.
func TestMainPathInBrowser(t *testing.T) {
	s := newSite(t)
	if _, err := production(s).UpsertTravellers(t.Context(), joiners()); err != nil {
		t.Fatal(err)
	}
	b := openTab(t)
	b.do(chromedp.Navigate(s.url + "/"))
	b.signIn()
	b.do(chromedp.SendKeys(css("#name"), "san"))
	b.until(`document.querySelectorAll("#name-options [role=option]").length === 1`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector("#from0").value === "MNL Manila"`)
	b.write("#to0", "AMS")
	b.write("#date0", "2036-12-01")
	b.write("#vessel", "Nordlys")
	b.write("#flag", "NO")
	b.do(chromedp.Click(css(".go")))
	b.until(`location.pathname.startsWith("/searches/") && document.querySelectorAll(".offer").length > 10`)

	// Filters and orders change the list in place, and the address with it.
	b.do(chromedp.Click(css(`label[for="sort-duration"], label:has(#sort-duration)`)))
	b.until(`location.search.includes("sort=duration")`)
	b.do(chromedp.Click(css("#f-fare-marine")))
	b.until(`location.search.includes("fare=marine") && [...document.querySelectorAll(".offer .fare")].every(e => e.textContent.includes("marine"))`)
	if n := b.read(`String(document.querySelectorAll(".offer").length)`); n == "0" {
		t.Fatal("no marine fare is left; want those that there are")
	}

	// A row opens with the keyboard alone; its button says what it does and costs.
	b.do(chromedp.Focus(css(".offer summary")), chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector(".offer").open`)
	if button := b.read(`document.querySelector(".offer[open] .hold button").textContent`); !strings.HasPrefix(button, "Hold, USD ") {
		t.Fatalf("the button says %q; want what it does and costs", button)
	}
	b.do(chromedp.Click(css(".offer[open] .hold button")))
	b.until(`location.pathname.startsWith("/bookings/") && document.body.textContent.includes("Held as")`)

	b.do(chromedp.Click(css(".head .primary")))
	b.until(`location.pathname.endsWith("/issue")`)
	b.do(chromedp.Click(css(".quote .primary")))
	b.until(`document.body.textContent.includes("Tickets are issued.")`)

	b.do(chromedp.Click(css(".head .danger")))
	b.until(`location.pathname.endsWith("/cancel")`)
	b.do(chromedp.Click(css(".quote .danger")))
	b.until(`document.querySelector(".notice.good")?.textContent.includes("Cancelled.")`)
	if list := s.bookings(t); len(list) != 1 || list[0].Live() {
		t.Fatalf("bookings = %+v; want one, cancelled", list)
	}
}

func TestCrewChangeInBrowser(t *testing.T) {
	sells, err := network()
	if err != nil {
		t.Fatal(err)
	}
	s := newSiteOf(t, sells, newGate())
	search := s.keep(t, joiners()...)
	b := openTab(t)
	b.do(chromedp.Navigate(s.url + "/searches/" + search.ID))
	b.signIn()

	// The page is there before its flights are.
	b.until(`document.querySelectorAll(".person.is-searching").length === 3 && document.querySelector("#progress").textContent.includes("0 of 3")`)
	top := b.read(`String(document.querySelector("#m-0").getBoundingClientRect().top)`)
	s.gate.pass(3)
	b.until(`document.querySelectorAll(".person.is-offer").length === 3 && document.querySelector("#head").textContent.includes("3 ready to book")`)
	if now := b.read(`String(document.querySelector("#m-0").getBoundingClientRect().top)`); now != top {
		t.Errorf("the first row was at %s and is at %s; want nothing to jump", top, now)
	}
	b.until(`document.querySelector("[data-stream]") === null`)

	// Another flight for one of them, without leaving the page.
	b.do(chromedp.Click(css("#open-1")))
	b.until(`document.querySelector(".alternatives .offer") !== null`)
	before := b.read(`document.querySelector("#m-1 .strip").textContent`)
	b.do(chromedp.Click(css(".alternatives li:nth-child(6) summary")), chromedp.Click(css(".alternatives li:nth-child(6) form button")))
	b.until(`document.querySelector("#m-1").textContent.includes("chosen")`)
	if after := b.read(`document.querySelector("#m-1 .strip").textContent + document.querySelector("#m-1 .money").textContent`); after == before {
		t.Errorf("the row still shows %s", after)
	}

	b.do(chromedp.Click(css(".head .primary")))
	b.until(`location.pathname.endsWith("/book-all") && document.querySelector("#all") !== null`)
	b.do(chromedp.Click(css(".head .primary")))
	b.until(`location.pathname.includes("/batches/") && document.querySelector("#batch progress") !== null`)
	s.gate.pass(3)
	b.until(`document.querySelector("#head")?.textContent.includes("3 of 3 booked")`)
	if n := len(s.bookings(t)); n != 3 {
		t.Fatalf("%d bookings were made; want 3", n)
	}
}

// Of forty people the first flights are there while others are still looked
// for, each in the place that was kept for it; of the others it is said
// meanwhile whether they can be there.
func TestFortyInBrowser(t *testing.T) {
	sells, err := network()
	if err != nil {
		t.Fatal(err)
	}
	s := newSiteOf(t, sells, newGate())
	var crew []gangway.Traveller
	for i := range 40 {
		who := maria
		who.ID = fmt.Sprintf("C-%d", 2000+i)
		who.HomeAirport = []gangway.Airport{"MNL", "CEB", "BOM", "GDN", "TBS", "SPU", "CMB", "ACC"}[i%8]
		crew = append(crew, who)
	}
	search := s.keep(t, crew...)
	b := openTab(t)
	b.do(chromedp.Navigate(s.url + "/searches/" + search.ID))
	b.signIn()

	const places = `[...document.querySelectorAll(".person, .map")].map(e => Math.round(e.getBoundingClientRect().top)).join(" ")`
	b.until(`document.querySelectorAll(".person").length === 40 && document.querySelectorAll(".way.sought").length > 0`)
	before := b.read(places)
	s.gate.pass(12)
	b.until(`(() => {
		const shown = document.querySelectorAll(".person.is-offer").length, progress = document.querySelector("#progress").textContent;
		const can = document.querySelector(".person.is-searching .can")?.textContent ?? "";
		return shown === 12 && can.includes("can be there") && can.includes(", leaving ") && progress.trim() === "12 of 40 travellers searched";
	})()`)
	if during := b.read(places); during != before {
		t.Errorf("the rows were at %s and are at %s; want nothing to jump", before, during)
	}
	s.gate.pass(28)
	b.until(`document.querySelectorAll(".person.is-offer").length === 40 && document.querySelector("#progress").textContent.includes("40 of 40")`)
	if after := b.read(places); after != before {
		t.Errorf("the rows were at %s and are at %s; want nothing to jump", before, after)
	}
	if b.read(`String(document.querySelectorAll(".way.flown").length > 8 && document.querySelector(".timeline") !== null)`) != "true" {
		t.Error("the map and the timeline do not show the flights found")
	}

	// The map follows the row that one is at.
	b.do(chromedp.Focus(css("#open-3")))
	b.until(`document.querySelectorAll(".way.lit").length > 0 && [...document.querySelectorAll(".way.lit")].every(w => document.querySelector("#m-3").dataset.ways.split(" ").includes(w.id.slice(4)))`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector("#m-3.shown") !== null && document.querySelector(".way.shown") !== null`)
}

func TestAccessibilityOfBookings(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	held := c.booked("fare=marine&rule=change")
	c.post("/bookings/"+strings.TrimPrefix(c.booked("fare=marine"), "/bookings/")+"/issue", nil)
	always := gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}}
	storetest.Settings(t, production(s), always)
	waits := c.booked("")
	people := joiners()
	people[1].DOB, people[2].HomeAirport = "", "XQX"
	one, all := s.keep(t, people[1]), s.keep(t, people...)
	offer := c.get("/searches/" + one.ID).form("/searches/" + one.ID + "/book").Get("offer")

	b := openTab(t)
	b.do(chromedp.Navigate(s.url + "/sign-in"))
	b.do(chromedp.SendKeys(css("#email"), "approver@example.com"), chromedp.SendKeys(css("#password"), password+kb.Enter))
	b.until(`document.querySelector(".nav") !== null`)
	for _, path := range []string{
		"/searches/" + one.ID, "/searches/" + one.ID + "?stops=0&sort=slack", "/searches/" + one.ID + "/hold?offer=" + offer,
		"/searches/" + all.ID + "?wait=1", "/searches/" + all.ID + "?member=1", "/searches/" + all.ID + "?member=2", "/searches/" + all.ID + "/book-all",
		held, held + "/issue", held + "/cancel", held + "/change?date0=2036-12-05", waits, "/bookings", "/bookings?state=declined", "/approvals",
	} {
		t.Run(path, func(t *testing.T) {
			for _, width := range []int64{1440, 390} {
				b.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(s.url+path))
				b.read(`document.querySelector("details.offer")?.setAttribute("open", ""); ""`)
				if faults := b.read(nameless) + axe(t, b); faults != "" {
					t.Errorf("%s at %d:\n%s", path, width, faults)
				}
			}
		})
	}
}
