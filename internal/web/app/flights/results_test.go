package flights_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

var openedBy = regexp.MustCompile(`id="r-[^"]*"`)

func TestResults(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	search := s.Keep(t, apptest.Maria)
	path := "/searches/" + search.ID

	t.Run("the page says what was found, and each row what it is and costs", func(t *testing.T) {
		c.In(t).Get(path).Lacks("for crew", `class="fare off"`)
		storetest.Settings(t, apptest.Production(s), gangway.Settings{Fares: gangway.FareRule{Bag: true}})
		page := c.In(t).Get(path).Shows(path, "Santos, Maria · Manila → Amsterdam", "flights from USD", "for crew",
			"due there by the end of Mon 1 Dec", "Marine", "Buffer", "no bag").Lacks("data-stream=", `action="`+path+`/book"`)
		page.Opened().Has(" buffer", "refundable", "kg CO₂e", "Hold MNL → Amsterdam, Netherlands")
	})
	t.Run("where crew may use no fare, the head says so, and the list is by price", func(t *testing.T) {
		storetest.Settings(t, apptest.Production(s), gangway.Settings{Fares: gangway.FareRule{Bag: true}})
		none := c.In(t).Get(path + "?bags=0").Has("none meets company policy: crew need a checked bag").
			Lacks(`class="fare"`)
		storetest.Settings(t, apptest.Production(s), gangway.Settings{})
		keys := func(a apptest.Answer) string { return fmt.Sprint(openedBy.FindAllString(a.Body, -1)) }
		if was := keys(c.In(t).Get(path + "?bags=0")); keys(none) != was {
			t.Errorf("the list is %s; want %s", keys(none), was)
		}
	})
	t.Run("filters live in the address", func(t *testing.T) {
		all := len(apptest.OfferRow.FindAllString(c.In(t).Get(path+"?show=1000").Body, -1))
		page := c.In(t).Get(path+"?fare=marine&stops=1&show=1000").
			Shows(path+"?fare=marine&stops=1&show=1000", " of ", `value="marine" checked`)
		if n := len(apptest.OfferRow.FindAllString(page.Body, -1)); n == 0 || n >= all {
			t.Fatalf("%d of %d offers are shown; want some and not all", n, all)
		}
		c.In(t).Get(path + "?airline=XX").Has("The filters leave nothing")
	})
	t.Run("a port's airports filter its flights; without a vessel the head says what is missing", func(t *testing.T) {
		port := search
		port.ID, port.Vessel, port.Members = "to-port", "", slices.Clone(search.Members)
		port.Members[0].Legs = []gangway.Leg{{Origin: "MNL", Destination: "NLRTM", ArriveOn: "2036-12-01"}}
		apptest.Done(t, apptest.Production(s).SaveSearch(t.Context(), port))
		c.In(t).Get(path).Lacks("no-marine", `id="f-airport-AMS"`)
		all := c.In(t).Get("/searches/to-port?wait=1&show=1000").Has(`data-state="no-marine"`, "vessel=",
			`id="f-airport-AMS"`, `id="f-airport-BRU"`)
		rows := func(a apptest.Answer) int { return len(apptest.OfferRow.FindAllString(a.Body, -1)) }
		one := c.In(t).Get("/searches/to-port?airport=BRU&show=1000")
		if n, of := rows(one), rows(all); n == 0 || n >= of {
			t.Errorf("%d of %d flights are to one airport; want some and not all", n, of)
		}
	})
	t.Run("three are laid side by side", func(t *testing.T) {
		keys := regexp.MustCompile(`class="fare[^"]*" id="o-([^"]*)"`).FindAllStringSubmatch(c.In(t).Get(path).Body, 3)
		q := url.Values{}
		for _, k := range keys {
			q.Add("compare", k[1])
		}
		side := c.In(t).Get(path + "?" + q.Encode()).Has("Offers side by side")
		if n := strings.Count(side.Body, `name="compare"`); n != 3 {
			t.Errorf("%d can be taken out of the comparison; want all 3", n)
		}
	})
	t.Run("the flight that the customer's system asked for comes first", func(t *testing.T) {
		last := regexp.MustCompile(`<a data-row[^>]*><time [^>]*>(\d\d:\d\d)`).
			FindAllStringSubmatch(c.In(t).Get(path+"?sort=departure").Body, -1)
		at := last[len(last)-1][1]
		asked := s.Keep(t, apptest.Maria)
		asked.Members[0].Wishes = map[string]string{"MNL-AMS_departure_time": at}
		s.Save(t, asked)
		_, list, _ := strings.Cut(c.In(t).Get("/searches/"+asked.ID).Body, `<tbody id="flights"`)
		if first, _, _ := strings.Cut(list, "</tr>"); !strings.Contains(first, "wished") ||
			!strings.Contains(first, ">"+at+"<") {
			t.Errorf("first is %s; want the flight at %s, marked", first, at)
		}
	})
	t.Run("emissions are shown flight by flight, with radiative forcing where the account counts it",
		func(t *testing.T) {
			c.In(t).Get(path).Opened().Has("conversion factors 2025", "desnz-2025", " km</span>").
				Lacks("with radiative forcing")
			storetest.Settings(t, apptest.Production(s), gangway.Settings{RadiativeForcing: true})
			c.In(t).Get(path).Opened().Has("kg CO₂e with radiative forcing")
			storetest.Settings(t, apptest.Production(s), gangway.Settings{})
		})
	t.Run("cities and ports in a link", func(t *testing.T) {
		c.In(t).Get("/book?from=lon&to=NLRTM").Has(`value="LON London"`, `value="NLRTM port of Rotterdam"`)
	})
	t.Run("several flights, each with its day", func(t *testing.T) {
		two := s.Keep(t, apptest.Maria)
		two.Members[0].Legs = []gangway.Leg{{Origin: "MNL", Destination: "LON", Date: "2036-12-01"},
			{Origin: "LON", Destination: "AMS", Date: "2036-12-03"}}
		s.Save(t, two)
		c.In(t).Get("/searches/"+two.ID).Has("Manila → London → Amsterdam", "offers many", ">Mon 1 Dec<",
			">Wed 3 Dec<").Opened().Has("Flight 2")
	})
	t.Run("a search that cannot be made says why", func(t *testing.T) {
		lost := apptest.Maria
		lost.HomeAirport = "XQX"
		c.In(t).Get("/searches/"+s.Keep(t, lost).ID).Has("No airline flies to or from XQX", "No flights found")
		over := s.Keep(t, lost)
		over.Members[0].Legs[0].Date = gangway.DateOf(apptest.Today).AddDays(-2)
		s.Save(t, over)
		c.In(t).Get("/searches/"+over.ID).Has("This day is over", apptest.Today.Format("2 Jan 15:04 UTC"))
	})
}

// The page names the airline that operates a flight where another one sells it.
func TestOperatedBy(t *testing.T) {
	s := apptest.NewSite(t)
	s.Real.Store(true)
	c := s.SignedIn(t, gangway.Booker)
	search := s.Keep(t, apptest.Maria)
	page := c.Get("/searches/" + search.ID + "?wait=1")
	for _, key := range regexp.MustCompile(`id="r-([^"]*)"`).FindAllStringSubmatch(page.Body, -1) {
		if strings.Contains(c.Get("/searches/"+search.ID+"?open="+key[1]).Body, ", operated by Wideroe") {
			return
		}
	}
	t.Error("no flight is said to be operated by Wideroe")
}

func TestHold(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)

	t.Run("the same form sent twice books once", func(t *testing.T) {
		search := s.Keep(t, apptest.Maria)
		form := c.In(t).Get("/searches/" + search.ID).Form("/searches/" + search.ID + "/book")
		first := c.In(t).Post("/searches/"+search.ID+"/book", form).Has("Held as", "confirmed", "Issue tickets…")
		if again := c.In(t).Post("/searches/"+search.ID+"/book", form); again.Path != first.Path {
			t.Fatalf("the second time led to %s; want %s", again.Path, first.Path)
		}
		if n := len(s.Bookings(t)); n != 1 {
			t.Fatalf("%d bookings were made; want 1", n)
		}
		c.In(t).Get("/searches/" + search.ID).Has("Booked already")
	})
	t.Run("what is missing is asked for, and what was typed is kept", func(t *testing.T) {
		tan := gangway.Traveller{LastName: "Tan", FirstName: "Li", HomeAirport: "SIN"}
		search := s.Keep(t, tan)
		page := c.In(t).Get("/searches/"+search.ID).Opened().Has(`name="dob"`, `name="gender"`)
		form := page.Form("/searches/"+search.ID+"/book", "dob", "1990-02-31", "email", "tan@example.com")
		wrong := c.In(t).Post("/searches/"+search.ID+"/book", form).
			Is(http.StatusUnprocessableEntity, `value="1990-02-31"`, `value="tan@example.com"`, "12 mar 1985",
				"M or F", "Hold SIN →")
		form = wrong.Form("/searches/"+search.ID+"/book", "dob", "1990-02-28", "gender", "M")
		c.In(t).Post("/searches/"+search.ID+"/book", form).Has("Held as", "Tan, Li", "born 28 Feb 1990")
	})
	t.Run("a price that moved is asked about again", func(t *testing.T) {
		search := s.Keep(t, apptest.Maria)
		form := c.In(t).Get("/searches/"+search.ID).Form("/searches/"+search.ID+"/book", "price", "USD 1.00")
		page := c.In(t).Post("/searches/"+search.ID+"/book", form).
			Is(http.StatusConflict, "The price has changed from <strong>USD 1.00</strong>", "Nothing was booked")
		c.In(t).Post("/searches/"+search.ID+"/book", page.Form("/searches/"+search.ID+"/book")).Has("Held as")
	})
	t.Run("who is booked already is not booked again", func(t *testing.T) {
		search := s.Keep(t, apptest.Maria)
		page := c.In(t).Get("/searches/" + search.ID)
		form := page.Form("/searches/" + search.ID + "/book")
		another := c.In(t).Get("/searches/" + search.ID).Form("/searches/" + search.ID + "/book").Get("id")
		c.In(t).Post("/searches/"+search.ID+"/book", form).Has("Held as")
		form.Set("id", another)
		c.In(t).Post("/searches/"+search.ID+"/book", form).Is(http.StatusConflict, "booked already", "Open the booking")
	})
	t.Run("a member that the search does not have", func(t *testing.T) {
		search := s.Keep(t, apptest.Maria)
		for _, member := range []string{"1", "-1", "x"} {
			c.In(t).Get(fmt.Sprintf("/searches/%s/hold?member=%s&offer=o", search.ID, member)).Is(http.StatusNotFound)
		}
	})
}
