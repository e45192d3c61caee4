package crew_test

import (
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/samplecustomer"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// sampleCrew is the sample customer's crew change of forty.
func sampleCrew(t *testing.T, s *apptest.Site) (c gangway.CrewChange) {
	t.Helper()
	system := samplecustomer.New(samplecustomer.Config{Now: s.Now})
	answer := httptest.NewRecorder()
	date := gangway.DateOf(s.Now()).AddDays(9)
	system.ServeHTTP(answer, httptest.NewRequest("GET", "/api/crew_change?date="+string(date), nil))
	var list []gangway.CrewChange
	body := strings.ReplaceAll(answer.Body.String(), `{"port":"AMS","date"`, `{"airport":"AMS","date"`)
	apptest.Done(t, json.Unmarshal([]byte(body), &list))
	for _, c = range list {
		if c.Size() == 40 {
			return c
		}
	}
	t.Fatalf("no crew change of forty is on %s", date)
	return c
}

// seen counts people whose rows are wholly on the screen, and what the page is made of.
const seen = `[
	[...document.querySelectorAll("tr.person")].filter(r => r.getBoundingClientRect().bottom <= innerHeight).length,
	document.querySelectorAll("*").length, document.documentElement.scrollWidth - innerWidth].join(" ")`

// A coordinator finds flights for forty, opens somebody with a remark, holds everybody, and sees twenty-two people at
// once before and after.
func TestSampleCrewInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	change := sampleCrew(t, s)
	s.SendChanges(t, s.Now(), change)
	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/crew-changes"))
	b.SignIn()
	see := func(t *testing.T) {
		t.Helper()
		for _, screen := range []struct{ width, height, people int64 }{{1440, 900, 22}, {1280, 800, 16}} {
			b.Do(chromedp.EmulateViewport(screen.width, screen.height))
			got := strings.Fields(b.Read(seen))
			if n := int64(apptest.Number(got[0])); n < screen.people {
				t.Errorf("%d people are seen at %d × %d; want %d", n, screen.width, screen.height, screen.people)
			}
			if apptest.Number(got[1]) > 3000 || got[2] != "0" {
				t.Errorf("at %d the page has %s elements and is %s px too wide; want at most 3000, and none",
					screen.width, got[1], got[2])
			}
		}
		b.Do(chromedp.EmulateViewport(1440, 900))
	}
	b.Do(chromedp.Click(apptest.CSS("#list form button")))
	b.Until(`document.querySelectorAll(".person.is-offer").length === 40 && !document.querySelector("[data-stream]")`)
	b.Do(chromedp.Navigate(b.Read(`location.href`)))
	b.Until(`document.querySelectorAll(".person.is-offer").length === 40 && !document.querySelector("[data-stream]")`)
	see(t)

	remarked := b.Read(`document.querySelector(".person:has(.mark)").id`)
	b.Do(chromedp.Click(apptest.CSS("#" + remarked + " [data-row]")))
	b.Until(`document.querySelector("#` + remarked + ` + .alternatives .notice")?.textContent.includes("passport")`)

	b.Do(chromedp.Click(apptest.CSS(".head .primary")))
	b.Until(`document.querySelector("#all") && document.querySelector(".answer").textContent.includes("first fare ends")`)
	b.Do(chromedp.Click(apptest.CSS(".head .primary"))) // the browser says nothing of what is below the fold
	b.Until(`document.querySelector(".notice.act")?.matches(":focus")`)
	if at := apptest.Number(b.Read(`String(document.querySelector("[id^=passport]").getBoundingClientRect().bottom)`)); at > 900 {
		t.Errorf("what is to be answered ends at %.0f px; want it on the screen", at)
	}
	b.Do(chromedp.Click(apptest.CSS("[id^=passport]")), chromedp.Click(apptest.CSS(".head .primary")))
	b.Until(`location.pathname.includes("/batches/") && document.querySelector("#head")?.textContent.includes("40 of 40 booked")`)

	b.Do(chromedp.Click(apptest.CSS(".head .button")))
	b.Until(`document.querySelectorAll(".person [name=booking]").length === 40`)
	see(t)
	b.Do(chromedp.Click(apptest.CSS("#show-map")))
	b.Until(`document.querySelector(".map .flown") !== null`)
	if n := len(s.Bookings(t)); n != 40 {
		t.Errorf("%d bookings were made; want 40", n)
	}
}

// Beyond a hundred people a page shows a hundred, and says so.
func TestManyPeople(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	search := s.Keep(t, apptest.Joiners()...)
	someone := search.Members[0]
	search.Members = nil
	for i := range 120 {
		m := someone
		m.Traveller.ID, m.Traveller.DocNumber, m.Legs = strconv.Itoa(i), "P"+strconv.Itoa(1000000+i), nil
		search.Members = append(search.Members, m)
	}
	s.Save(t, search)
	path := "/searches/" + search.ID
	page := c.Get(path+"?wait=1").Has("On-signers 120", "People 1 to 100 of 120.", "after=99", `id="m-99"`).
		Lacks(`id="m-100"`)
	if n := strings.Count(page.Body, `class="person`); n != 100 {
		t.Errorf("%d people are shown; want 100", n)
	}
	c.Get(path+"?"+url.Values{"after": {"99"}, "wait": {"1"}}.Encode()).
		Has("On-signers 120", "People 101 to 120 of 120.", `id="m-119"`).Lacks(`id="m-99"`)
}
