package flights_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// A traveller who is known only by a passport is found, booked and taken back without the
// number appearing in an address or a form.
func TestNoPassportNumberInAddresses(t *testing.T) {
	s := apptest.NewSite(t)
	anonymous := apptest.Maria
	anonymous.ID = ""
	s.SendTravellers(t, anonymous)
	c := s.SignedIn(t, gangway.Booker)
	const number = "P1234567A"
	list := c.Get("/travellers").Has("Santos, Maria").Lacks(number)
	c.Get("/suggest/travellers?surname=santos").Has("Santos, Maria", "ref:").Lacks(number)

	ref := regexp.MustCompile(`href="/book\?traveller=([^"]+)"`).FindStringSubmatch(list.Body)
	if ref == nil {
		t.Fatal("nobody can be picked from the list")
	}
	c.Get("/book?traveller=" + ref[1] + "&to=AMS&date=2036-12-01").Has("Santos, Maria").Lacks(number)
	plain := apptest.Must(url.QueryUnescape(ref[1]))(t)
	a := c.Post("/searches", url.Values{"traveller": {plain}, "name": {"Santos, Maria"}, "from": {"MNL Manila"},
		"to": {"AMS Amsterdam"}, "date": {"2036-12-01"}, "when": {"depart"}})
	search, err := apptest.Production(s).Search(t.Context(), strings.TrimPrefix(strings.Split(a.Path, "?")[0],
		"/searches/"))
	if err != nil || search.Members[0].Traveller.DocNumber != number {
		t.Fatalf("the search is for %+v, %v at %s; want Maria with her passport", search.Members, err, a.Path)
	}

	development := s.InDevelopment(t, gangway.Booker)
	development.Get("/travellers/take-back?key=" + ref[1]).Has("Not found")

	ask := c.Get("/travellers/take-back?key=" + ref[1]).Has("Santos, Maria").Lacks(number)
	c.Post("/travellers/take-back", ask.Form("/travellers/take-back")).Shows("/travellers", "Nobody by this name")
}
