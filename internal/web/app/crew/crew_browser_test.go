package crew_test

import (
	"fmt"
	"testing"

	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gangway/internal/gangway"
)

func TestCrewChangeInBrowser(t *testing.T) {
	s := apptest.NewGatedSite(t)
	search := s.Keep(t, apptest.Joiners()...)
	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/searches/" + search.ID))
	b.SignIn()

	// The page is there before its flights are.
	b.Until(`document.querySelectorAll(".person.is-searching").length === 3 && document.querySelector("#progress").textContent.includes("0 of 3")`)
	top := b.Read(`String(document.querySelector("#m-0").getBoundingClientRect().top)`)
	s.Gate.Pass(3)
	b.Until(`document.querySelectorAll(".person.is-offer").length === 3 && document.querySelector("#head").textContent.includes("3 ready to book")`)
	if now := b.Read(`String(document.querySelector("#m-0").getBoundingClientRect().top)`); now != top {
		t.Errorf("the first row was at %s and is at %s; want nothing to jump", top, now)
	}
	b.Until(`document.querySelector("[data-stream]") === null`)

	// Another flight for one of them, without leaving the page.
	b.Do(chromedp.Click(apptest.CSS("#open-1")))
	b.Until(`document.querySelector(".alternatives .offer") !== null`)
	before := b.Read(`document.querySelector("#m-1").textContent`)
	b.Do(chromedp.Click(apptest.CSS(".alternatives .offer:nth-child(3) .fare:nth-child(2)")))
	b.Until(`document.querySelector(".opened form button") !== null`)
	b.Do(chromedp.Click(apptest.CSS(".opened form button")))
	b.Until(`document.querySelector("#m-1").textContent.includes("chosen")`)
	if after := b.Read(`document.querySelector("#m-1").textContent`); after == before {
		t.Errorf("the row still shows %s", after)
	}

	b.Do(chromedp.Click(apptest.CSS(".head .primary")))
	b.Until(`location.pathname.endsWith("/book-all") && document.querySelector("#all") !== null`)
	b.Do(chromedp.Click(apptest.CSS(".head .primary")))
	b.Until(`location.pathname.includes("/batches/") && document.querySelector("#batch progress") !== null`)
	// Whatever the head says, the rows below it say too.
	b.Read(`(() => {
		window.odd = [];
		new MutationObserver(() => {
			const said = document.querySelector("#head .answer").textContent, held = document.querySelectorAll("#batch a.code").length;
			if (!said.startsWith(held + " of 3 booked")) window.odd.push(said + ": " + held);
		}).observe(document.querySelector("main"), {childList: true, subtree: true});
		return "";
	})()`)
	s.Gate.Pass(3)
	b.Until(`document.querySelector("#head")?.textContent.includes("3 of 3 booked")`)
	if odd := b.Read(`window.odd.join("; ")`); odd != "" {
		t.Errorf("the head said of the rows below it: %s", odd)
	}
	if n := len(s.Bookings(t)); n != 3 {
		t.Fatalf("%d bookings were made; want 3", n)
	}
}

// With forty people the first flights are shown while others are still being found, each
// in the row kept for it. Meanwhile the other rows say whether the person can be there.
func TestFortyInBrowser(t *testing.T) {
	s := apptest.NewGatedSite(t)
	var crew []gangway.Traveller
	for i := range 40 {
		who := apptest.Maria
		who.ID = fmt.Sprintf("C-%d", 2000+i)
		who.HomeAirport = []gangway.Airport{"MNL", "CEB", "BOM", "GDN", "TBS", "SPU", "CMB", "ACC"}[i%8]
		crew = append(crew, who)
	}
	search := s.Keep(t, crew...)
	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/searches/" + search.ID + "?view=map"))
	b.SignIn()

	const places = `[...document.querySelectorAll(".person, .map")].map(e => Math.round(e.getBoundingClientRect().top)).join(" ")`
	b.Until(`document.querySelectorAll(".person").length === 40 && document.querySelectorAll(".way.sought").length > 0`)
	before := b.Read(places)
	s.Gate.Pass(12)
	b.Until(`(() => {
		const shown = document.querySelectorAll(".person.is-offer").length, progress = document.querySelector("#progress").textContent;
		const can = document.querySelector(".person.is-searching .can")?.textContent ?? "";
		return shown === 12 && can.includes("can be there") && can.includes(", leaving ") && progress.trim() === "12 of 40 travellers searched";
	})()`)
	if during := b.Read(places); during != before {
		t.Errorf("the rows were at %s and are at %s; want nothing to jump", before, during)
	}
	s.Gate.Pass(28)
	b.Until(`document.querySelectorAll(".person.is-offer").length === 40 && document.querySelector("#progress").textContent.includes("40 of 40")`)
	if after := b.Read(places); after != before {
		t.Errorf("the rows were at %s and are at %s; want nothing to jump", before, after)
	}
	if b.Read(`String(document.querySelectorAll(".way.flown").length > 8 && document.querySelector(".timeline") !== null)`) != "true" {
		t.Error("the map and the timeline do not show the flights found")
	}

	// The map follows the row with the focus.
	b.Do(chromedp.Focus(apptest.CSS("#open-3")))
	b.Until(`document.querySelectorAll(".way.lit").length > 0 && [...document.querySelectorAll(".way.lit")].every(w => document.querySelector("#m-3").dataset.ways.split(" ").includes(w.id.slice(4)))`)
	b.Do(chromedp.KeyEvent(kb.Enter))
	b.Until(`document.querySelector("#m-3.shown") !== null && document.querySelector(".way.shown") !== null`)
}
