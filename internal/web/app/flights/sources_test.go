package flights_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// People, requests and crew changes say which feed brought them, once the account has feeds.
func TestPagesSayWhereRecordsComeFrom(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	c := s.SignedIn(t, gangway.Booker)
	c.Get("/suggest/travellers?surname=san").Has("SANTOS, MARIA")
	c.Get("/suggest/travellers?surname=san").Lacks("uploaded")
	apptest.AskCustomer(t, s, map[string]any{
		"/api/suggest_traveller": []any{map[string]any{"id": "77", "last_name": "SANDVIK", "first_name": "KARI"}},
		"/api/crew_change": []any{map[string]any{"vessel": "SEA SPARROW", "flag": "NO", "change_date": "2036-12-02",
			"onsigners": []any{map[string]any{"last_name": "OKAFOR", "first_name": "NGOZI"}}}},
	})
	c.Get("/suggest/travellers?surname=san&live=yes").Has("SANDVIK, KARI", ">from people (web address)</span>",
		"· uploaded</span>")
	c.Get("/travellers?name=sandvik").Has(">from people (web address)</span></td>")
	c.Get("/crew-changes?from=2036-12-02&to=2036-12-03").Has("SEA SPARROW", "NORTHERN LIGHT",
		"from changes (web address)", "uploaded")
	c.Get("/book?on=2036-12-01").Has("SANTOS, MARIA CRISTINA", "uploaded</span>")
}
