package app_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"gangway"
)

// Whoever is known by the passport only is found, booked and taken back
// without the number standing in an address or a form.
func TestNoPassportNumberInAddresses(t *testing.T) {
	s := newSite(t)
	anonymous := maria
	anonymous.ID = ""
	if _, err := production(s).UpsertTravellers(t.Context(), []gangway.Traveller{anonymous}); err != nil {
		t.Fatal(err)
	}
	c := s.signedIn(t, gangway.Booker)
	const number = "P1234567A"
	list := c.get("/travellers")
	list.has("Santos, Maria")
	list.lacks(number)
	found := c.get("/suggest/travellers?surname=santos")
	found.has("Santos, Maria", "ref:")
	found.lacks(number)

	ref := regexp.MustCompile(`href="/\?traveller=([^"]+)"`).FindStringSubmatch(list.body)
	if ref == nil {
		t.Fatal("nobody can be picked from the list")
	}
	book := c.get("/?traveller=" + ref[1] + "&to=AMS&date=2036-12-01")
	book.has("Santos, Maria")
	book.lacks(number)
	plain, err := url.QueryUnescape(ref[1])
	if err != nil {
		t.Fatal(err)
	}
	a := c.post("/searches", url.Values{"traveller": {plain}, "name": {"Santos, Maria"}, "from": {"MNL Manila"}, "to": {"AMS Amsterdam"}, "date": {"2036-12-01"}, "when": {"depart"}})
	search, err := production(s).Search(t.Context(), strings.TrimPrefix(strings.Split(a.path, "?")[0], "/searches/"))
	if err != nil || search.Members[0].Traveller.DocNumber != number {
		t.Fatalf("the search is for %+v, %v at %s; want Maria with her passport", search.Members, err, a.path)
	}

	development := s.signedIn(t, gangway.Booker)
	development.post("/environment", url.Values{"environment": {"development"}, "back": {"/"}})
	development.get("/travellers/take-back?key=" + ref[1]).has("Not found")

	ask := c.get("/travellers/take-back?key=" + ref[1])
	ask.has("Santos, Maria")
	ask.lacks(number)
	c.post("/travellers/take-back", ask.form("/travellers/take-back")).shows("/travellers", "Nobody by this name")
}
