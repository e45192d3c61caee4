package flights_test

import (
	"net/http"
	"net/url"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

func TestBook(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	c := s.SignedIn(t, gangway.Booker)
	// with returns a form that is fine, but for the fields given.
	with := func(pairs ...string) url.Values {
		f := url.Values{"traveller": {"id:2"}, "name": {"SANTIAGO, JOSE"}, "from": {"CEB Cebu"}, "to": {"SIN"},
			"date": {"2036-12-01"}, "when": {"depart"}}
		for i := 0; i < len(pairs); i += 2 {
			f.Set(pairs[i], pairs[i+1])
		}
		return f
	}

	c.Run("a stored traveller is searched for", func(t *testing.T, c *apptest.Client) {
		search := apptest.Started(t, s, c, "/searches", with("fare", "marine", "vessel", "Northern Light", "flag",
			"pa"))
		m := search.Members[0]
		if m.Traveller.DocNumber != "P1234568A" || m.FareType != gangway.Marine || search.Vessel != "Northern Light" ||
			search.Flag != "PA" {
			t.Fatalf("search = %+v", search)
		}
		if m.Legs[0] != (gangway.Leg{Origin: "CEB", Destination: "SIN", Date: "2036-12-01"}) {
			t.Fatalf("legs = %+v", m.Legs)
		}
		c.Get("/book").Has("/searches/"+search.ID, "SANTIAGO, JOSE") // and found again
	})
	c.Run("a vessel whose flag nobody knows has no marine fares", func(_ *testing.T, c *apptest.Client) {
		c.Post("/searches", with("vessel", "Star")).Has("No marine fares: the flag of Star is not known")
	})
	c.Run("to be there by a time", func(t *testing.T, c *apptest.Client) {
		search := apptest.Started(t, s, c, "/searches", with("when", "arrive", "time", "18:00"))
		if search.Members[0].Legs[0] != (gangway.Leg{Origin: "CEB", Destination: "SIN", ArriveOn: "2036-12-01",
			ArriveBy: "18:00"}) {
			t.Fatalf("legs = %+v", search.Members[0].Legs)
		}
	})
	c.Run("several flights after one another", func(t *testing.T, c *apptest.Client) {
		f := with()
		f["from"], f["to"], f["date"] = []string{"CEB", "SIN"}, []string{"SIN", "FRA"},
			[]string{"2036-12-01", "2036-12-05"}
		search := apptest.Started(t, s, c, "/searches", f)
		if legs := search.Members[0].Legs; len(legs) != 2 || legs[1] != (gangway.Leg{Origin: "SIN", Destination: "FRA",
			Date: "2036-12-05"}) {
			t.Fatalf("legs = %+v", legs)
		}
		c.Post("/searches", with("step", "add")).Has(`id="to1"`, `value="SIN"`)
	})
	c.Run("details typed by hand", func(t *testing.T, c *apptest.Client) {
		search := apptest.Started(t, s, c, "/searches", with("traveller", "", "last_name", "PEREIRA", "first_name",
			"ANA", "nationality", "pt"))
		if m := search.Members[0].Traveller; m.LastName != "PEREIRA" || m.Nationality != "PT" {
			t.Fatalf("traveller = %+v", m)
		}
	})
	c.Run("a passport that ends within six months of travel is a warning", func(t *testing.T, c *apptest.Client) {
		c.Get("/book?traveller=id:1").Has("<span data-words>The passport, valid to 30 Jan 2037, ends within six "+
			"months of today", `value="MNL Manila"`)
		c.Get("/book?traveller=id:2").Has("<span data-words></span>")
	})

	wrong := []struct {
		name  string
		form  url.Values
		texts []string
	}{
		{"nobody", with("traveller", "", "name", ""), []string{"Who flies?"}},
		{"a name that several have is a choice", with("traveller", "", "name", "sant"),
			[]string{"Several match: choose one", `value="traveller id:1"`, `value="traveller id:2"`}},
		{"a name that nobody has", with("traveller", "", "name", "Zzz"), []string{"Nobody by this name",
			`value="Zzz"`}},
		{"a traveller who is gone", with("traveller", "id:9"), []string{"no longer on record"}},
		{"no airport", with("from", ""), []string{"Which airport, city or port?"}},
		{"an airport that is none", with("to", "Nowhereville"), []string{"No airport, city or port is called this.",
			`value="Nowhereville"`}},
		{"a name that several airports have is a choice", with("to", "Birmingham"), []string{
			"Several match: choose one", `value="to0 BHX Birmingham"`, `value="to0 BHM Birmingham"`}},
		{"where one is already", with("to", "CEB"), []string{"This is where the flight starts."}},
		{"no date", with("date", ""), []string{"Which day?"}},
		{"a day that is none", with("date", "2036-02-30"), []string{"a day such as 28 nov"}},
		{"a time that is none", with("when", "arrive", "time", "25:00"), []string{"A time, as in 18:00."}},
		{"letters for a time", with("when", "arrive", "time", "0x:00"), []string{"A time, as in 18:00."}},
		{"a marine fare without a vessel", with("fare", "marine"), []string{"Marine fares need the vessel.",
			"Marine fares need the flag."}},
		{"a flag that is none", with("flag", "QQ"), []string{"Two letters, as in PA."}},
		{"by hand, a name that a ticket cannot carry", with("last_name", "O'BRIEN", "first_name", ""),
			[]string{"Letters and spaces, as in the passport.", "O&#39;BRIEN"}},
		{"by hand, details that are none", with("last_name", "A", "first_name", "B", "dob", "85", "gender", "X",
			"nationality", "QQ", "doc_expire", "soon"), []string{"12 mar 1985", "M or F", "as in PH",
			"12 mar 1985"}},
	}
	for _, tt := range wrong {
		t.Run(tt.name, func(t *testing.T) {
			c := c.In(t)
			c.Post("/searches", tt.form).Is(http.StatusUnprocessableEntity, tt.texts...)
		})
	}

	c.Run("without a script, a choice fills the field", func(t *testing.T, c *apptest.Client) {
		c.Post("/searches", with("traveller", "", "choose", "traveller id:1")).
			Has(`name="traveller" value="id:1"`, "born 12 Mar 1985")
		// home, as a script would fill in
		c.Post("/searches", with("traveller", "", "from", "", "choose", "traveller id:1")).Has(`value="MNL Manila"`)
		c.Post("/searches", with("to", "London", "choose", "to0 LHR London")).Has(`value="LHR London"`)
	})
	c.Run("a place that nobody picked is resolved, and the next page says how", func(t *testing.T, c *apptest.Client) {
		for typed, want := range map[string]struct {
			place gangway.Place
			said  string
		}{
			"rotterdam": {"NLRTM", "Rotterdam (port) — understood from “rotterdam”"},
			"rot":       {"NLRTM", "Rotterdam (port) — understood from “rot”"},
			"london":    {"LON", "London (LON) — understood from “london”"},
			"ROT":       {"ROT", ""},
			"sin":       {"SIN", ""},
		} {
			search := apptest.Started(t, s, c, "/searches", with("to", typed))
			page := c.Get("/searches/" + search.ID)
			if got := search.Members[0].Legs[0].Destination; got != want.place {
				t.Errorf("%q is %s; want %s", typed, got, want.place)
			}
			if page.Has(want.said); want.said == "" {
				page.Lacks("understood from")
			}
		}
	})
	c.Run("a travel request fills the form and stays tied to the search", func(t *testing.T, c *apptest.Client) {
		a := c.Get("/book?on=2036-12-01")
		a.Has("/book?request=TR%201%262&amp;sub=a%2Fb&amp;on=2036-12-01", "2 travel requests for Mon 1 Dec 2036")
		c.Get("/book?request=TR-2&sub=&on=2036-12-01").
			Has(`value="LIS Lisbon"`, `value="PEREIRA, ANA"`, `value="OCEAN PIONEER"`, `value="DXB Dubai"`)
		f := url.Values{"traveller": {"request"}, "request": {"TR-2"}, "from": {"LIS Lisbon"}, "to": {"SIN Singapore"},
			"date": {"2036-12-01"}}
		if m := apptest.Started(t, s, c, "/searches", f).Members[0]; m.RequestID != "TR-2" || m.Traveller.LastName !=
			"PEREIRA" {
			t.Fatalf("member = %+v", m)
		}
	})
}

func TestSuggestions(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	c := s.SignedIn(t, gangway.Booker)

	c.Run("three letters of a surname are enough", func(t *testing.T, c *apptest.Client) {
		a := c.Get("/suggest/travellers?surname=san").
			Has(`role="option"`, "SANTOS, MARIA CRISTINA", "SANTIAGO, JOSE", "born 2 Nov 1979",
				"&#34;from&#34;:&#34;MNL Manila&#34;").Lacks("P1234567A", "ØSTERGÅRD")
		if got := a.Head.Get("Cache-Control"); got != "no-store" {
			t.Errorf("Cache-Control = %q; want that no browser shows it in another environment", got)
		}
	})
	c.Run("a name is found by its own letters, written with a space or without", func(t *testing.T, c *apptest.Client) {
		wang := []gangway.Traveller{{ID: "w", LastName: "王", FirstName: "小明"},
			{ID: "k", LastName: "남궁", FirstName: "민수"}}
		s.SendTravellers(t, wang...)
		for typed, who := range map[string]string{"王": "王, 小明", "王小": "王, 小明", "王小明": "王, 小明", "王 小": "王, 小明",
			"남궁민": "남궁, 민수"} {
			c.Get("/suggest/travellers?surname=" + url.QueryEscape(typed)).Has(who)
			c.Get("/travellers?name=" + url.QueryEscape(typed)).Has(who)
		}
		c.Get("/suggest/travellers?surname=" + url.QueryEscape("王明")).Has("Nobody by this name")
	})
	c.Run("further words narrow by given name, and accents do not matter", func(t *testing.T, c *apptest.Client) {
		c.Get("/suggest/travellers?surname=SANTIAGO,+jo").Lacks("MARIA")
		c.Get("/suggest/travellers?surname=oster").Has("ØSTERGÅRD, LARS")
	})
	c.Run("a name as on a ticket, and the customer's own identifier", func(t *testing.T, c *apptest.Client) {
		for _, typed := range []string{"SANTOS/MARIA", "santos/maria cristina ms", "1"} {
			c.Get("/suggest/travellers?surname=" + url.QueryEscape(typed)).Has("SANTOS, MARIA CRISTINA").
				Lacks("SANTIAGO")
			c.Get("/travellers?name=" + url.QueryEscape(typed)).Has("SANTOS, MARIA CRISTINA")
		}
	})
	c.Run("the page says that nobody was found", func(t *testing.T, c *apptest.Client) {
		c.Get("/suggest/travellers?surname=zzz").Has("Nobody by this name")
	})
	c.Run("airports are found by code, city and port", func(t *testing.T, c *apptest.Client) {
		for typed, want := range map[string]string{"mnl": "MNL Manila", "copenh": "CPH ",
			"rotterdam": "NLRTM port of Rotterdam", "lond": "LON London", "rotter": "AMS Amsterdam"} {
			c.Get("/suggest/airports?q=" + typed).Has(want)
		}
		// At the ship's end, ports come first; from a port, crew go home.
		first := `id="airport-0" data-best data-fill="{&#34;`
		c.Get("/suggest/airports?field=to&q=rot&from=MNL+Manila").Has(first + "to&#34;:&#34;NLRTM")
		c.Get("/suggest/airports?field=from&q=manila").Has(first + "from&#34;:&#34;MNL ")
		c.Get("/suggest/airports?field=to&q=manila&from=NLRTM+port+of+Rotterdam").Has(first + "to&#34;:&#34;MNL ")
		c.Get("/suggest/airports?field=airport&q=manila").Has(first + "airport&#34;:&#34;PHMNL")
		c.Get("/suggest/airports?field=from&q=birmingham").Lacks("data-best")
	})
	c.Run("an airport is found by its former code", func(t *testing.T, c *apptest.Client) {
		for typed, want := range map[string][]string{"kiv": {"RMO Chişinău", "KIV is now RMO"},
			"pnh": {"KTI Phnom Penh", "PNH is now KTI"}, "rep": {"SAI Siem Reap", "REP is now SAI"}} {
			c.Get("/suggest/airports?q=" + typed).Has(want...)
		}
		c.Get("/book?from=MNL&to=kiv").Has("KIV now RMO Chişinău")
	})
	t.Run("nobody signed in gets none", func(t *testing.T) {
		if a := s.Client(t).Get("/suggest/travellers?surname=san"); a.Status != http.StatusOK ||
			a.Path[:8] != "/sign-in" {
			t.Fatalf("the answer is %s with %d; want the sign-in page", a.Path, a.Status)
		}
	})
}
