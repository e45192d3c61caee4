package inbox_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestExpiredPassportIsShown: a passport that has expired is kept, and said to have where travellers are picked.
func TestExpiredPassportIsShown(t *testing.T) {
	s := apptest.NewSite(t)
	who := apptest.Maria
	who.DocExpire = "2031-01-31"
	s.SendTravellers(t, who)
	c := s.SignedIn(t, gangway.Booker)
	for _, path := range []string{"/travellers?name=santos", "/suggest/travellers?surname=sant"} {
		c.Get(path).Has("passport expired 31 Jan 2031")
	}

}

func TestRequests(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	c := s.SignedIn(t, gangway.Booker)

	c.Run("those of the chosen date are listed", func(t *testing.T, c *apptest.Client) {
		a := c.Get("/requests?date=2036-12-01")
		a.Shows("/requests?date=2036-12-01", "0 of 2 booked", "SANTOS, MARIA CRISTINA", "Cook", "NORTHERN LIGHT",
			"Needs a visa letter", "TR 1&amp;2", "not booked")
		c.Get("/requests?date=2036-12-02").Has("No requests", "curl "+s.URL+"/api/travelers-requests")
		c.Get("/requests?date=2036-11-28&week=on").Has("0 of 2 booked")
	})
	c.Run("a day with nothing on it leads to the next that has something", func(t *testing.T, c *apptest.Client) {
		const opened = "Mon 1 Dec 2036, the next day with requests"
		c.Get("/requests").Has("0 of 2 booked · "+opened, `value="Mon 1 Dec 2036"`)
		c.Get("/requests?vessel=light").Has("0 of 1 booked · " + opened)
		c.Get("/requests?date=21+nov").Has("No requests · Fri 21 Nov 2036", "Next: Mon 1 Dec, 2 requests",
			`href="/requests?date=2036-12-01&amp;days=1&amp;vessel="`).Lacks(opened)
		c.Get("/requests?days=28").Has("0 of 2 booked · Thu 20 Nov 2036 to Wed 17 Dec 2036").Lacks(opened)
		c.Get("/requests?date=3/4").Has("3/4 could be 3 Apr 2037 or 4 Mar 2037", `value="3/4"`)
		c.Get("/book").Has(`href="/book?on=2036-12-01"`, "Next: Mon 1 Dec, 2 requests")
		for _, path := range []string{"/requests?date=2036-12-01", "/requests?date=2036-12-02", "/requests?vessel=none",
			"/book?on=2036-12-02"} {
			c.Get(path).Lacks("Next: ")
		}
	})
	c.Run("a vessel narrows them", func(t *testing.T, c *apptest.Client) {
		c.Get("/requests?date=2036-12-01&vessel=light").Has("0 of 1 booked").Lacks("PEREIRA")
	})
	c.Run("one click searches for what was asked, leg by leg", func(t *testing.T, c *apptest.Client) {
		search := apptest.Started(t, s, c, "/requests/search", url.Values{"only": {"request=TR-2&sub="}})
		m := search.Members[0]
		want := []gangway.Leg{{Origin: "LIS", Destination: "DXB", Date: "2036-12-01"},
			{Origin: "DXB", Destination: "SIN", Date: "2036-12-02"}}
		if m.RequestID != "TR-2" || search.Vessel != "OCEAN PIONEER" || search.By != "booker@example.com" ||
			len(m.Legs) != 2 || m.Legs[0] != want[0] || m.Legs[1] != want[1] {
			t.Fatalf("search = %+v", search)
		}
	})
	c.Run("requests of different vessels are not searched together", func(t *testing.T, c *apptest.Client) {
		a := c.Post("/requests/search", url.Values{"request": {"request=TR-2&sub=", "request=TR+1%262&sub=a%2Fb"}})
		a.Is(http.StatusBadRequest, "one vessel at a time")
	})
	c.Run("a request that is gone says so", func(t *testing.T, c *apptest.Client) {
		c.Post("/requests/search", url.Values{"only": {"request=gone&sub="}}).Is(http.StatusNotFound)
	})
}

func TestHotels(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	c := s.SignedIn(t, gangway.Booker)
	key := url.Values{"request": {"TR 1&2"}, "sub": {"a/b"}}.Encode()

	c.Get("/hotels").Has("1 to arrange · 0 arranged", "SANTOS, MARIA CRISTINA", "Singapore", "Thu 4 Dec")
	c.Post("/hotels/handled", url.Values{"key": {key}, "note": {" Village Hotel, ref 88213 "},
		"back": {"/hotels?show=handled"}}).Shows("/hotels?show=handled", "marked as arranged",
		"0 to arrange · 1 arranged", "Village Hotel, ref 88213", "booker@example.com")
	c.Get("/hotels").Has("Nothing to arrange")
	inTheLog := func(what gangway.AuditEvent) {
		t.Helper()
		e := apptest.LastEntry(t, s)
		apptest.IsEntry(t, s, e, what, "booker@example.com (Ingrid Holm)")
		if all := fmt.Sprint(e.Before, e.After); !strings.Contains(all, "TR 1&2") || strings.Contains(all, "Village") {
			t.Errorf("the audit log says %s; want the request, and not the note", all)
		}
	}
	inTheLog(gangway.HotelHandled)

	c.Post("/hotels/handled", url.Values{"key": {key}, "undo": {"yes"}, "back": {"/hotels"}}).
		Shows("/hotels", "under “To arrange” again", "1 to arrange · 0 arranged")
	inTheLog(gangway.HotelReopened)

	c.Run("all that are ticked, and nothing that somebody has noted is lost", func(t *testing.T, c *apptest.Client) {
		form := c.Get("/hotels").Has(`form="arrange"`).Form("/hotels/handled")
		form["key"] = []string{key, "request=gone"}
		c.Post("/hotels/handled", form).Has("1 hotel marked as arranged. ", "1 was marked or withdrawn already.")
		inTheLog(gangway.HotelHandled)
		c.Post("/hotels/handled", url.Values{"key": {key}, "undo": {"yes"}})
		c.Post("/hotels/handled", url.Values{"key": {key}, "note": {"ref 88213"}})
		c.Post("/hotels/handled", form).Has("0 hotels marked as arranged.")
		c.Get("/hotels?show=handled").Has("ref 88213")
	})
	c.Post("/hotels/handled", url.Values{"key": {"request=gone"}, "undo": {"yes"}}).Is(http.StatusNotFound)
	c.Post("/hotels/handled", nil).Is(http.StatusBadRequest)
	c.Post("/hotels/handled", url.Values{"key": {key}, "note": {strings.Repeat("x", 501)}}).Is(http.StatusBadRequest)
}
