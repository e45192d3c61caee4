package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway"
	"gangway/internal/store/storetest"
)

// TestTakeBackPages takes a crew change, a travel request and a traveller back
// by page: asked first, without script, and for everybody.
func TestTakeBackPages(t *testing.T) {
	s := newSite(t)
	in := production(s)
	planCrew(t, in)
	c := s.signedIn(t, gangway.Booker)
	const key = "on:2036-12-03:PA:NORTHERN LIGHT"
	tests := []struct {
		name, find, link, what string
		path                   string
		fields                 url.Values
		lands, said            string
		gone                   func() error
	}{
		{
			"a crew change", "/crew-changes/plan?key=" + url.QueryEscape(key), `href="/crew-changes/take-back?key=on%3A2036-12-03%3APA%3ANORTHERN%20LIGHT"`,
			"The crew change of NORTHERN LIGHT on Wed 3 Dec 2036", "/crew-changes/take-back", url.Values{"key": {key}}, "/crew-changes", "The crew change was taken back.",
			func() error { _, err := in.CrewChange(t.Context(), key); return err },
		},
		{
			"a travel request", "/?request=TR+1%262&sub=a%2Fb", `href="/requests/take-back?request=TR%201%262&amp;sub=a%2Fb"`,
			"The travel request TR 1&amp;2/a/b of SANTOS, MARIA CRISTINA", "/requests/take-back", url.Values{"request": {"TR 1&2"}, "sub": {"a/b"}}, "/requests", "The travel request was taken back.",
			func() error { _, err := in.TravelRequest(t.Context(), "TR 1&2", "a/b"); return err },
		},
		{
			"a traveller", "/travellers?name=santia", `href="/travellers/take-back?key=id%3A2"`,
			"SANTIAGO, JOSE", "/travellers/take-back", url.Values{"key": {"id:2"}}, "/travellers", "The traveller was taken back.",
			func() error { _, err := in.Traveller(t.Context(), "id:2"); return err },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := c.in(t)
			c.get(tt.find).has(tt.link)
			c.get(tt.path+"?"+tt.fields.Encode()).has(tt.what, "Take it back", "Leave it as it is", "Bookings stay as they are.")
			if err := tt.gone(); err != nil {
				t.Fatalf("asked, and already: %v", err)
			}
			a := c.post(tt.path, tt.fields)
			a.shows(tt.lands, tt.said)
			if err := tt.gone(); gangway.KindOf(err) != gangway.NotFound {
				t.Errorf("afterwards: %v; want NotFound", err)
			}
			if a := c.post(tt.path, tt.fields); a.status != http.StatusNotFound {
				t.Errorf("taken back twice = %d; want 404", a.status)
			}
			if a := c.get(tt.path + "?" + tt.fields.Encode()); a.status != http.StatusNotFound {
				t.Errorf("asked about what is gone = %d; want 404", a.status)
			}
		})
	}
	t.Run("nobody else's", func(t *testing.T) {
		c := s.signedIn(t, gangway.Booker)
		c.post("/environment", url.Values{"environment": {"development"}})
		if a := c.post("/travellers/take-back", url.Values{"key": {"id:1"}}); a.status != http.StatusNotFound {
			t.Errorf("from the other environment = %d; want 404", a.status)
		}
		c.get("/travellers").has("Nobody by this name", "curl "+s.url+"/api/passenger")
	})
}

// TestDroppedMembersPage holds that whom a later upload leaves out is named on
// the crew change's page, apart from the others, and searched no longer.
func TestDroppedMembersPage(t *testing.T) {
	s := newSite(t)
	in := production(s)
	planCrew(t, in)
	const key = "on:2036-12-03:PA:NORTHERN LIGHT"
	if _, err := in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{{
		Vessel: "NORTHERN LIGHT", Flag: "PA", ChangeDate: "2036-12-03", OnSigners: []gangway.CrewMember{{Traveller: crew[0], Arrive: gangway.PortCall{Airport: "SIN", Date: "2036-12-02"}}},
	}}, storetest.Began.Add(48*time.Hour)); err != nil {
		t.Fatal(err)
	}
	c := s.signedIn(t, gangway.Booker)
	a := c.get("/crew-changes/plan?key=" + url.QueryEscape(key))
	a.has("1 joining · 0 leaving · Wed 3 Dec 2036 · 2 no longer in it", "No longer in this crew change", "SANTIAGO, JOSE", "ØSTERGÅRD, LARS", "leaving", "3 Mar", "SIN Singapore", `datetime="2036-12-02"`)
	if now, dropped := strings.Index(a.body, "SANTOS, MARIA"), strings.Index(a.body, "SANTIAGO, JOSE"); now > dropped || strings.Index(a.body, "No longer in this") > dropped {
		t.Error("those who were dropped do not stand apart, after the others")
	}
	search := started(t, s, c, "/crew-changes/search", url.Values{"key": {key}, "airport": {"sin"}})
	if len(search.Members) != 1 || search.Members[0].Traveller.ID != "1" {
		t.Errorf("searched for %+v; want Maria alone", search.Members)
	}
	if a := c.get("/crew-changes/plan?key=nothing"); a.status != http.StatusNotFound {
		t.Errorf("a crew change that there is not = %d; want 404", a.status)
	}
}
