package inbox_test

import (
	"slices"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

func TestPickedDaysOfRequestsAskTheCustomersSystem(t *testing.T) {
	s := apptest.NewSite(t)
	const path = "/api/travel_request"
	system := apptest.AskCustomer(t, s, map[string]any{path: []any{map[string]any{
		"externalInfo": map[string]any{"requestId": "TR-9"},
		"traveler":     map[string]any{"lastName": "OKAFOR", "firstName": "NGOZI", "gender": "F"},
		"flight":       map[string]any{"origin": "LOS", "destination": "SIN", "date": "2036-12-05"},
	}}})
	c := s.SignedIn(t, gangway.Booker)
	for _, tt := range []struct{ address, asked string }{
		{"/requests?date=2036-12-05", "from=2036-12-05&to=2036-12-05"},
		{"/requests?date=2036-12-01&week=on", "from=2036-12-01&to=2036-12-07"},
	} {
		c.Get(tt.address).Has("OKAFOR, NGOZI", "from requests (web address)", "0 of 1 booked", "crew system: as of")
		if asked := system.Asked(t, path); !slices.Equal(asked, []string{tt.asked}) {
			t.Errorf("GET %s asked %v; want %s", tt.address, asked, tt.asked)
		}
	}
	c.Get("/requests?week=on").Has(`data-later="/requests?ask=now&amp;week=on"`)
	if asked := system.Asked(t, path); asked != nil {
		t.Errorf("no day was picked, and it was asked %v", asked)
	}
	system.Has(path, []any{})
	s.Passed.Store(int64(60 * 60 * 1e9))
	c.Get("/requests?date=2036-12-05").Lacks("OKAFOR") // their system has it no more
}
