package flights_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// wanted is a travel request as a customer's system answers it.
func wanted(id, last, first, date string) map[string]any {
	return map[string]any{
		"externalInfo": map[string]any{"requestId": id},
		"traveler":     map[string]any{"lastName": last, "firstName": first, "gender": "F"},
		"flight":       map[string]any{"origin": "MNL", "destination": "SIN", "date": date},
	}
}

const (
	people   = "/api/suggest_traveller"
	requests = "/api/travel_request"
)

func TestPickingADayAsksTheCustomersSystem(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	system := apptest.AskCustomer(t, s, map[string]any{requests: []any{
		wanted("TR-9", "OKAFOR", "NGOZI", "2036-12-01"), wanted("TR-10", "LEAVES", "LATER", "2036-12-02"),
	}})
	booker := s.SignedIn(t, gangway.Booker)
	if asked := system.Asked(t, requests); asked != nil {
		t.Fatalf("it was asked %v before a day was picked", asked)
	}
	booker.Run("what it has joins what was uploaded", func(t *testing.T, c *apptest.Client) {
		c.Get("/book?on=2036-12-01").Has("OKAFOR, NGOZI", "SANTOS, MARIA CRISTINA", "3 travel requests",
			"Harbour Crewing’s crew system: as of", "09:00</time> UTC")
		if asked, want := system.Asked(t, requests), "from=2036-12-01&to=2036-12-01"; !slices.Equal(asked,
			[]string{want}) {
			t.Fatalf("it was asked %v; want %s", asked, want)
		}
	})
	t.Run("what is of another day does not come", func(t *testing.T) {
		system.Has(requests, []any{wanted("TR-9", "OKAFOR", "NGOZI", "2036-12-01")})
		booker.In(t).Get("/book?on=2036-12-02").Lacks("LEAVES")
	})
	booker.Run("whoever fills in the form waits for nobody", func(t *testing.T, c *apptest.Client) {
		system.Asked(t, requests)
		c.Get("/book?request=TR-9&on=2036-12-04").Has("OKAFOR, NGOZI",
			`data-later="/book?ask=now&amp;on=2036-12-04&amp;request=TR-9"`)
		c.Get("/book").Has(`data-later="/book?ask=now&amp;on=2036-11-20"`, ">Ask Harbour Crewing’s crew system</a>")
		if asked := system.Asked(t, requests); asked != nil {
			t.Fatalf("it was asked %v", asked)
		}
		c.Get("/book?ask=now&request=TR-9&on=2036-12-04").Lacks("data-later")
		if asked := system.Asked(t, requests); len(asked) != 1 {
			t.Fatalf("it was asked %v; want once", asked)
		}
	})
	t.Run("the other environment has no such system", func(t *testing.T) {
		c := s.InDevelopment(t, gangway.Admin)
		c.Get("/book?on=2036-12-06").Lacks("crew system")
		if asked := system.Asked(t, requests); asked != nil {
			t.Fatalf("it was asked %v", asked)
		}
	})
}

// An error with status 200 is no answer: nobody is told that there is no such person, and what was told before stays.
func TestErrorForAnAnswer(t *testing.T) {
	s := apptest.NewSite(t)
	system := apptest.AskCustomer(t, s, map[string]any{
		requests: []any{wanted("TR-9", "OKAFOR", "NGOZI", "2036-12-01")}, people: []any{}})
	c := s.SignedIn(t, gangway.Booker)
	c.Get("/book?on=2036-12-01").Has("OKAFOR, NGOZI")
	s.Passed.Store(int64(time.Hour))
	expired := map[string]any{"success": false, "error": "token expired"}
	system.Has(requests, expired)
	system.Has(people, expired)
	const properly = "Harbour Crewing’s crew system does not answer properly"
	c.Get("/book?on=2036-12-01").Has("OKAFOR, NGOZI", properly+"; what it said at 09:00 UTC is shown.")
	c.Get("/suggest/travellers?surname=oka&live=yes").Has(properly + "; ").Lacks("Nobody by this name")
	c.Get("/travellers?name=okafor").Has(properly+"; ", "No traveller was received before").
		Lacks("Nobody by this name")
	form := url.Values{"name": {"okaf"}, "from": {"MNL"}, "to": {"SIN"}, "date": {"2036-12-01"}}
	c.Post("/searches", form).Has(properly + ", and nobody by this name was received before")
	c.Get("/suggest/travellers?surname=zz&live=yes").Has(properly) // while it is left alone
	s.SignedIn(t, gangway.Admin).Get("/settings/feeds").Has("the system does not answer properly: " +
		"&#34;success&#34; in its answer is false")
}

// A system that takes long holds nobody: the page is shown with what is stored, and asks again.
func TestSlowSystemHoldsNoPage(t *testing.T) {
	s := apptest.NewHastySite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	system := apptest.AskCustomer(t, s, map[string]any{requests: []any{}})
	system.Hang()
	c := s.SignedIn(t, gangway.Booker)
	const at = "/book?on=2036-12-01"
	c.Get(at).Has("SANTOS, MARIA CRISTINA", "crew system is being asked…", `data-later="/book?ask=now&amp;on=2036-12-01"`,
		`<noscript><meta http-equiv="refresh" content="1; url=/book?ask=now&amp;on=2036-12-01">`)
	system.Wake()
	c.Get("/book?ask=now&on=2036-12-01").Lacks("data-later", "is being asked")
}

// Pages are made a few at a time: whoever waits for a customer's system must not
// hold the place of one.
func TestSlowSystemHoldsUpNobodyElse(t *testing.T) {
	s := apptest.NewSite(t)
	system := apptest.AskCustomer(t, s, map[string]any{requests: []any{}})
	booker, other := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Admin)
	other.Post("/environment", url.Values{"environment": {"development"}, "back": {"/"}})
	system.Hang()
	waiting := make(chan struct{})
	days := []string{"2036-12-01", "2036-12-02", "2036-12-03", "2036-12-04"}
	for _, day := range days {
		go func() {
			defer func() { waiting <- struct{}{} }()
			if res, err := booker.HTTP.Get(s.URL + "/book?on=" + day); err == nil {
				res.Body.Close()
			}
		}()
	}
	for range days {
		<-system.Asks
	}
	other.Get("/book?on=2036-12-01").Shows("/book?on=2036-12-01", "No travel requests")
	select {
	case <-waiting:
		t.Error("a page did not wait for the system, so that this test shows nothing")
	default:
	}
	system.Wake()
	for range days {
		<-waiting
	}
}

func TestSuggestionAsksTheCustomersSystem(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	system := apptest.AskCustomer(t, s, map[string]any{people: []any{
		map[string]any{"id": "1", "last_name": "SANTOS", "first_name": "MARIA CRISTINA", "gender": "F"},
		map[string]any{"id": "77", "last_name": "SANDVIK", "first_name": "KARI", "home_airport": "BGO"},
		map[string]any{"id": "78", "last_name": "NOT ASKED FOR", "first_name": "ANY"},
	}})
	booker := s.SignedIn(t, gangway.Booker)
	t.Run("those who are stored come at once", func(t *testing.T) {
		booker.In(t).Get("/suggest/travellers?surname=san").Has("SANTOS, MARIA", `data-later="live"`,
			"Harbour Crewing’s crew system is being asked…")
		if asked := system.Asked(t, people); asked != nil {
			t.Fatalf("it was asked %v before", asked)
		}
	})
	t.Run("the others join them, nobody twice", func(t *testing.T) {
		a := booker.In(t).Get("/suggest/travellers?surname=san&live=yes").Has("SANDVIK, KARI", `data-key="id:77"`).
			Lacks("data-later", "NOT ASKED FOR")
		if n := strings.Count(a.Body, "SANTOS, MARIA"); n != 2 { // as text, and as what picking fills in
			t.Errorf("SANTOS, MARIA is there %d times; want one option", n)
		}
		if asked := system.Asked(t, people); !slices.Equal(asked, []string{"surname=san"}) {
			t.Fatalf("it was asked %v; want surname=san", asked)
		}
	})
	t.Run("one who has just come can be picked", func(t *testing.T) {
		booker.In(t).Get("/book?traveller=id:77").Has("SANDVIK, KARI", "BGO Bergen")
	})
	t.Run("without a script the form asks", func(t *testing.T) {
		system.Has(people, []any{map[string]any{"id": "80", "last_name": "ZUBIRI", "first_name": "ANE"}})
		form := url.Values{"name": {"zub"}, "from": {"MNL"}, "to": {"SIN"}, "date": {"2036-12-01"}}
		booker.In(t).Post("/searches", form).Has("Several match: choose one", "ZUBIRI, ANE")
	})
	t.Run("it is not asked for an identifier or one letter", func(t *testing.T) {
		system.Asked(t, people)
		for _, typed := range []string{"s", "C-1001", " "} {
			booker.In(t).Get("/suggest/travellers?live=yes&surname=" + url.QueryEscape(typed)).Lacks("data-later")
		}
		if asked := system.Asked(t, people); asked != nil {
			t.Fatalf("it was asked %v", asked)
		}
	})
	t.Run("the list of travellers asks too", func(t *testing.T) {
		system.Has(people, []any{map[string]any{"id": "81", "last_name": "QUIST", "first_name": "BO"}})
		booker.In(t).Get("/travellers?name=quist").Has("QUIST, BO", "as of")
	})
}
