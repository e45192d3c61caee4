package inbox_test

import (
	"maps"
	"net/http"
	"net/url"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// TestTakeBackPages takes back a crew change, a travel request and a traveller on their pages: after a
// question, without script, for everybody, and with an entry in the audit log.
func TestTakeBackPages(t *testing.T) {
	s := apptest.NewSite(t)
	in := apptest.Production(s)
	apptest.PlanCrew(t, in)
	c := s.SignedIn(t, gangway.Booker)
	const key = "on:2036-12-03:PA:northern light"
	tests := []struct {
		name, find, link, what string
		path                   string
		fields                 url.Values
		lands, said            string
		gone                   func() error
		recorded               gangway.AuditEvent
		about                  map[string]any
		button                 string
	}{
		{
			"a crew change", "/crew-changes/plan?key=" + url.QueryEscape(key),
			`href="/crew-changes/take-back?key=on%3A2036-12-03%3APA%3Anorthern%20light"`,
			"The crew change of NORTHERN LIGHT on Wed 3 Dec 2036", "/crew-changes/take-back", url.Values{"key": {key}},
			"/crew-changes", "The crew change was withdrawn.",
			func() error { _, err := in.CrewChange(t.Context(), key); return err },
			gangway.CrewChangeTakenBack, map[string]any{"vessel": "NORTHERN LIGHT", "change_date": "2036-12-03"},
			">Withdraw</button>",
		},
		{
			"a travel request", "/book?request=TR+1%262&sub=a%2Fb",
			`href="/requests/take-back?request=TR%201%262&amp;sub=a%2Fb"`,
			"The travel request TR 1&amp;2/a/b of SANTOS, MARIA CRISTINA", "/requests/take-back",
			url.Values{"request": {"TR 1&2"}, "sub": {"a/b"}}, "/requests", "The travel request was withdrawn.",
			func() error { _, err := in.TravelRequest(t.Context(), "TR 1&2", "a/b"); return err },
			gangway.RequestTakenBack, map[string]any{"request": "TR 1&2", "sub_request": "a/b"},
			">Withdraw</button>",
		},
		{
			"a traveller", "/travellers/id:2", `href="/travellers/take-back?key=id%3A2"`,
			"SANTIAGO, JOSE", "/travellers/take-back", url.Values{"key": {"id:2"}}, "/travellers",
			"The traveller was removed.",
			func() error { _, err := in.Traveller(t.Context(), "id:2"); return err },
			gangway.TravellerTakenBack, map[string]any{"traveller": "2"}, ">Remove</button>",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := c.In(t)
			c.Get(tt.find).Has(tt.link)
			c.Get(tt.path+"?"+tt.fields.Encode()).Has(tt.what, "Uploaded by your crew planning system", tt.button,
				"Keep it", "Bookings stay as they are.")
			if err := tt.gone(); err != nil {
				t.Fatalf("asked, and already: %v", err)
			}
			c.Post(tt.path, tt.fields).Shows(tt.lands, tt.said)
			if err := tt.gone(); gangway.KindOf(err) != gangway.NotFound {
				t.Errorf("afterwards: %v; want NotFound", err)
			}
			e := apptest.LastEntry(t, s)
			apptest.IsEntry(t, s, e, tt.recorded, "booker@example.com (Ingrid Holm)")
			if !maps.Equal(e.Before, tt.about) {
				t.Errorf("the audit log says %v; want %v", e.Before, tt.about)
			}
			c.Post(tt.path, tt.fields).Is(http.StatusNotFound)
			if again := apptest.LastEntry(t, s); again.ID != e.ID {
				t.Errorf("what took nothing back left the entry %+v", again)
			}
			c.Get(tt.path + "?" + tt.fields.Encode()).Is(http.StatusNotFound)
		})
	}
	t.Run("nobody else's", func(t *testing.T) {
		c := s.InDevelopment(t, gangway.Booker)
		c.Post("/travellers/take-back", url.Values{"key": {"id:1"}}).Is(http.StatusNotFound)
		c.Get("/travellers").Has("Nobody by this name", "curl "+s.URL+"/api/passenger")
	})
}
