package api_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/api"
)

// TestTakeBack takes travellers and crew changes back as they were sent: by the customer's
// identifier, or else by what identifies them without one.
func TestTakeBack(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := surfaceOn(t, db, api.Limits{})
		stranger := surfaceOn(t, db, api.Limits{})
		unnamed := with(without(traveller(), "id"), "doc_number", "P 7/8&9")
		for endpoint, list := range map[string][]any{
			"/passenger": {traveller(), with(traveller(), "id", "C 2&3"), unnamed},
			"/travel-requests": {crewChange(), with(without(crewChange(), "travel_request_id"), "vessel",
				"MV Ørn & Co"), without(without(crewChange(), "travel_request_id"), "flag")},
		} {
			if res := s.post(t, endpoint, list); res.status != 200 {
				t.Fatal(res.body)
			}
		}
		steps := []struct {
			name, path string
			who        *surface
			want       int
			errors     string // the parameters named
		}{
			{"another account has no such traveller", "/passenger?id=C-1", stranger, 404, ""},
			{"by identifier", "/passenger?id=C-1", s, 204, ""},
			{"it is gone", "/passenger?id=C-1", s, 404, ""},
			{"an identifier with signs in it", "/passenger?id=C%202%263", s, 204, ""},
			{"by passport, in whatever case", "/passenger?doc_country=ph&doc_number=P%207%2F8%269", s, 204, ""},
			{"it is gone, too", "/passenger?doc_country=PH&doc_number=P%207%2F8%269", s, 404, ""},
			{"by nothing", "/passenger", s, 400, "id"},
			{"by an empty identifier", "/passenger?id=", s, 400, "id"},
			{"by blanks", "/passenger?id=%20", s, 400, "id"},
			{"by half a passport", "/passenger?doc_number=P1", s, 400, "doc_country"},
			{"by both", "/passenger?id=C-1&doc_country=PH&doc_number=P1", s, 400, "id"},
			{"by two", "/passenger?id=C-1&id=C-2", s, 400, "id"},
			{"by unknown parameters", "/passenger?id=C-1&surname=Santos&Id=4", s, 400, "Id surname"},
			{"another account has no such crew change", "/travel-requests?travel_request_id=CC-1", stranger, 404, ""},
			{"one that was sent with an identifier is named by it",
				"/travel-requests?vessel=Nordlys&flag=NO&change_date=2026-12-02", s, 404, ""},
			{"a crew change by identifier", "/travel-requests?travel_request_id=CC-1", s, 204, ""},
			{"which is gone", "/travel-requests?travel_request_id=CC-1", s, 404, ""},
			{"a crew change by vessel, flag and date",
				"/travel-requests?vessel=MV%20%C3%98rn%20%26%20Co&flag=no&change_date=2026-12-02", s, 204, ""},
			{"one without flag", "/travel-requests?vessel=Nordlys&change_date=2026-12-02", s, 204, ""},
			{"the same again", "/travel-requests?vessel=Nordlys&flag=&change_date=2026-12-02", s, 404, ""},
			{"without a date", "/travel-requests?vessel=Nordlys&flag=NO", s, 400, "change_date"},
			{"with a malformed date", "/travel-requests?vessel=Nordlys&change_date=2.12.2026", s, 400,
				"change_date"},
			{"by nothing at all", "/travel-requests", s, 400, "travel_request_id"},
			{"by both ways", "/travel-requests?travel_request_id=CC-1&flag=NO", s, 400, "travel_request_id"},
			{"with a date twice", "/travel-requests?vessel=Nordlys&change_date=2026-12-02&change_date=2026-12-03", s,
				400, "change_date"},
		}
		for _, step := range steps {
			res := step.who.do(t, "DELETE", step.path, nil)
			if got := strings.Join(slices.Sorted(maps.Keys(res.problem.Errors)), " "); res.status != step.want ||
				got != step.errors {
				t.Errorf("%s: DELETE %s = %d %s; want %d naming %q", step.name, step.path, res.status, res.body,
					step.want, step.errors)
			}
		}
		for _, key := range []string{"id:C-1", "id:C 2&3"} {
			if _, err := s.in.Traveller(t.Context(), key); gangway.KindOf(err) != gangway.NotFound {
				t.Errorf("Traveller(%s) = %v; want NotFound", key, err)
			}
		}
		if list, err := s.in.CrewChangeKeys(t.Context(), "", "0001-01-01", "9999-12-31", 100); err != nil ||
			len(list) != 0 {
			t.Errorf("%d crew changes are left, %v; want none", len(list), err)
		}
		if res := s.post(t, "/passenger", []any{traveller()}); res.counts.Created != 1 {
			t.Errorf("sent again after it was taken back: %s; want it created", res.body)
		}
	})
}

// TestTakenBackCrewChange checks that a crew change that was taken back and is sent again
// has forgotten its dropped members.
func TestTakenBackCrewChange(t *testing.T) {
	s := newSurface(t)
	s.wantAccepted(t, "/travel-requests", crewChange())
	s.wantAccepted(t, "/travel-requests", without(crewChange(), "onsigners"))
	c, err := s.in.CrewChange(t.Context(), "id:CC-1")
	if err != nil || len(c.Dropped) != 1 || c.Dropped[0].ID != "C-1" || c.Dropped[0].Side != gangway.OnSigner ||
		!c.Dropped[0].At.Equal(now) {
		doc, _ := json.Marshal(c.Dropped)
		t.Fatalf("dropped %s, %v; want C-1, who was to join, now", doc, err)
	}
	s.do(t, "DELETE", "/travel-requests?travel_request_id=CC-1", nil)
	s.wantAccepted(t, "/travel-requests", without(crewChange(), "onsigners"))
	if c, err := s.in.CrewChange(t.Context(), "id:CC-1"); err != nil || len(c.Dropped) != 0 {
		t.Fatalf("dropped %+v, %v; want nobody", c.Dropped, err)
	}
}

// TestShipThatMoved holds what an integrator reads of a crew change without an identifier that comes for another date:
// in the answer that it moved, and with a 404 which date names it.
func TestShipThatMoved(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := surfaceOn(t, db, api.Limits{})
		first := without(crewChange(), "travel_request_id")
		s.post(t, "/travel-requests", []any{first})
		moved := s.post(t, "/travel-requests", []any{with(first, "change_date", "2026-12-05")})
		const want = `"created":0,"updated":1,"unchanged":0,"warnings":{"[0].ChangeDate":["The crew change of Nordlys on ` +
			`2026-12-02 moved to 2026-12-05: 3 days apart, `
		if moved.status != 200 || !strings.Contains(moved.body, want) {
			t.Errorf("a move is answered %d %s; want %s", moved.status, moved.body, want)
		}
		const ship = "/travel-requests?vessel=nordlys&flag=NO&change_date="
		if res := s.do(t, "DELETE", ship+"2026-12-02", nil); res.status != 404 ||
			!strings.Contains(res.body, "this crew change moved to 2026-12-05: name it by that date") {
			t.Errorf("delete by the former date: %d %s", res.status, res.body)
		}
		if res := s.do(t, "DELETE", ship+"2026-12-05", nil); res.status != 204 {
			t.Errorf("delete by its date: %d %s", res.status, res.body)
		}
	})
}
