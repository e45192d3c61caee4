package app_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"gangway"
	"gangway/internal/book"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

var maria = gangway.Traveller{
	ID: "C-1001", LastName: "Santos", FirstName: "Maria", DOB: "1990-04-30", Nationality: "PH", Gender: "F",
	DocCountry: "PH", DocNumber: "P1234567A", DocExpire: "2045-01-01", HomeAirport: "MNL",
}

// keep keeps a search for travellers from Manila to a vessel at Amsterdam.
func (s *site) keep(t *testing.T, travellers ...gangway.Traveller) gangway.Search {
	t.Helper()
	search := gangway.Search{ID: book.NewID(), By: "booker@example.com", CreatedAt: today, Vessel: "Nordlys", Flag: "NO"}
	if len(travellers) > 1 {
		search.Change, search.Date, search.Airport = "id:"+search.ID, "2036-12-01", "AMS"
	}
	for _, who := range travellers {
		m := gangway.SearchMember{Traveller: who, Legs: []gangway.Leg{{Origin: gangway.Place(who.HomeAirport), Destination: "AMS", ArriveOn: "2036-12-01"}}}
		if len(travellers) > 1 {
			m.Side = gangway.OnSigner
		}
		search.Members = append(search.Members, m)
	}
	if err := production(s).SaveSearch(t.Context(), search); err != nil {
		t.Fatal(err)
	}
	return search
}

var (
	formField  = regexp.MustCompile(`<input[^>]*\bname="([^"]*)"[^>]*\bvalue="([^"]*)"`)
	fieldName  = regexp.MustCompile(`\bname="([^"]*)"`)
	fieldValue = regexp.MustCompile(`\bvalue="([^"]*)"`)
	offerRow   = regexp.MustCompile(`<details class="offer`)
)

// form returns the hidden and filled fields of the first form that is sent to action.
func (a answer) form(action string) url.Values {
	a.t.Helper()
	_, rest, found := strings.Cut(a.body, `action="`+html.EscapeString(action)+`"`)
	if !found {
		a.t.Fatalf("the page %s has no form for %s:\n%s", a.path, action, a.body)
	}
	inside, _, _ := strings.Cut(rest, "</form>")
	form := url.Values{}
	for _, tag := range formField.FindAllString(inside, -1) {
		name, value := fieldName.FindStringSubmatch(tag), fieldValue.FindStringSubmatch(tag)
		form.Add(html.UnescapeString(name[1]), html.UnescapeString(value[1]))
	}
	return form
}

// bookings returns all bookings of the production account.
func (s *site) bookings(t *testing.T) []gangway.Booking {
	t.Helper()
	list, _, err := production(s).Bookings(t.Context(), store.BookingQuery{})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestResults(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	search := s.keep(t, maria)
	path := "/searches/" + search.ID

	t.Run("the page says what was found, and each row what it is and costs", func(t *testing.T) {
		page := c.in(t).get(path)
		page.shows(path, "Santos, Maria", "offers from USD", "there on Mon 1 Dec 2036", "Marine", "to spare", "Refundable", "kg<span", "Hold, USD")
		page.lacks("data-stream=")
	})
	t.Run("filters live in the address", func(t *testing.T) {
		all := len(offerRow.FindAllString(c.in(t).get(path+"?show=1000").body, -1))
		page := c.in(t).get(path + "?fare=marine&stops=1&show=1000")
		page.shows(path+"?fare=marine&stops=1&show=1000", " of ", `value="marine" checked`)
		if n := len(offerRow.FindAllString(page.body, -1)); n == 0 || n >= all {
			t.Fatalf("%d of %d offers are shown; want some and not all", n, all)
		}
		c.in(t).get(path + "?airline=XX").has("The filters leave nothing")
	})
	t.Run("three are laid side by side", func(t *testing.T) {
		keys := regexp.MustCompile(`name="compare" value="([^"]*)"`).FindAllStringSubmatch(c.in(t).get(path).body, 3)
		q := url.Values{}
		for _, k := range keys {
			q.Add("compare", k[1])
		}
		c.in(t).get(path + "?" + q.Encode()).has("Offers side by side")
	})
	t.Run("the flight that the customer's system asked for comes first", func(t *testing.T) {
		last := regexp.MustCompile(`class="strip[^>]*>\s*<span class="end"><time [^>]*>(\d\d:\d\d)`).FindAllStringSubmatch(c.in(t).get(path+"?sort=departure").body, -1)
		at := last[len(last)-1][1]
		asked := s.keep(t, maria)
		asked.Members[0].Wishes = map[string]string{"MNL-AMS_departure_time": at}
		if err := production(s).SaveSearch(t.Context(), asked); err != nil {
			t.Fatal(err)
		}
		_, list, _ := strings.Cut(c.in(t).get("/searches/"+asked.ID).body, `<ol class="offer-rows">`)
		if first, _, _ := strings.Cut(list, "</li>"); !strings.Contains(first, "wished") || !strings.Contains(first, ">"+at+"<") {
			t.Errorf("first is %s; want the flight at %s, marked", first, at)
		}
	})
	t.Run("emissions are told flight by flight, with radiative forcing where the account counts it", func(t *testing.T) {
		plain := c.in(t).get(path)
		plain.has("conversion factors 2025", "desnz-2025", " km</span>")
		plain.lacks("with radiative forcing")
		storetest.Settings(t, production(s), gangway.Settings{RadiativeForcing: true})
		c.in(t).get(path).has("kg CO₂e with radiative forcing")
		storetest.Settings(t, production(s), gangway.Settings{})
	})
	t.Run("cities and ports in a link", func(t *testing.T) {
		c.in(t).get("/?from=lon&to=NLRTM").has(`value="LON London"`, `value="NLRTM port of Rotterdam"`)
	})
	t.Run("several flights, each with its day", func(t *testing.T) {
		two := s.keep(t, maria)
		two.Members[0].Legs = []gangway.Leg{{Origin: "MNL", Destination: "LON", Date: "2036-12-01"}, {Origin: "LON", Destination: "AMS", Date: "2036-12-03"}}
		if err := production(s).SaveSearch(t.Context(), two); err != nil {
			t.Fatal(err)
		}
		c.in(t).get("/searches/"+two.ID).has("MNL → LON → AMS", "offers many", ">Mon 1<", ">Wed 3<", "Flight 2")
	})
	t.Run("another environment has no such search", func(t *testing.T) {
		other := s.signedIn(t, gangway.Booker)
		other.post("/environment", url.Values{"environment": {"development"}, "back": {"/"}})
		if page := other.get(path); page.status != http.StatusNotFound {
			t.Fatalf("the answer is %d; want 404", page.status)
		}
	})
	t.Run("a search that cannot be made says why", func(t *testing.T) {
		lost := maria
		lost.HomeAirport = "XQX"
		c.in(t).get("/searches/"+s.keep(t, lost).ID).has("No airline flies to or from XQX", "No flights found")
	})
}

// Whoever operates a flight is named where another airline sells it.
func TestOperatedBy(t *testing.T) {
	s := newSite(t)
	s.real.Store(true)
	c := s.signedIn(t, gangway.Booker)
	search := s.keep(t, maria)
	c.get("/searches/" + search.ID + "?wait=1").has(", operated by Wideroe")
}

func TestHold(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)

	t.Run("the same form sent twice books once", func(t *testing.T) {
		search := s.keep(t, maria)
		form := c.in(t).get("/searches/" + search.ID).form("/searches/" + search.ID + "/book")
		first := c.in(t).post("/searches/"+search.ID+"/book", form)
		first.has("Held as", "confirmed", "Issue tickets…")
		if again := c.in(t).post("/searches/"+search.ID+"/book", form); again.path != first.path {
			t.Fatalf("the second time led to %s; want %s", again.path, first.path)
		}
		if n := len(s.bookings(t)); n != 1 {
			t.Fatalf("%d bookings were made; want 1", n)
		}
		c.in(t).get("/searches/" + search.ID).has("Booked already")
	})
	t.Run("what is missing is asked for, and what was typed is kept", func(t *testing.T) {
		tan := gangway.Traveller{LastName: "Tan", FirstName: "Li", HomeAirport: "SIN"}
		search := s.keep(t, tan)
		page := c.in(t).get("/searches/" + search.ID)
		page.has(`name="dob"`, `name="gender"`)
		form := page.form("/searches/" + search.ID + "/book")
		form.Set("dob", "1990-02-31")
		form.Set("email", "tan@example.com")
		wrong := c.in(t).post("/searches/"+search.ID+"/book", form)
		if wrong.status != http.StatusUnprocessableEntity {
			t.Fatalf("the answer is %d; want 422", wrong.status)
		}
		wrong.has(`value="1990-02-31"`, `value="tan@example.com"`, "A date, as in", "M or F", "Hold, USD")
		form = wrong.form("/searches/" + search.ID + "/book")
		form.Set("dob", "1990-02-28")
		form.Set("gender", "M")
		c.in(t).post("/searches/"+search.ID+"/book", form).has("Held as", "Tan, Li", "born 1990-02-28")
	})
	t.Run("a price that moved is asked about again", func(t *testing.T) {
		search := s.keep(t, maria)
		form := c.in(t).get("/searches/" + search.ID).form("/searches/" + search.ID + "/book")
		form.Set("price", "USD 1.00")
		page := c.in(t).post("/searches/"+search.ID+"/book", form)
		if page.status != http.StatusConflict {
			t.Fatalf("the answer is %d; want 409", page.status)
		}
		page.has("The price has moved", "it was <strong>USD 1.00</strong>", "Nothing was booked")
		c.in(t).post("/searches/"+search.ID+"/book", page.form("/searches/"+search.ID+"/book")).has("Held as")
	})
	t.Run("an offer that is gone leads back to the search", func(t *testing.T) {
		search := s.keep(t, maria)
		form := c.in(t).get("/searches/" + search.ID).form("/searches/" + search.ID + "/book")
		form.Set("offer", "nothing")
		c.in(t).post("/searches/"+search.ID+"/book", form).has("cannot be booked any more", "Nothing was booked", "Search again")
	})
	t.Run("who is booked already is not booked again", func(t *testing.T) {
		search := s.keep(t, maria)
		page := c.in(t).get("/searches/" + search.ID)
		form := page.form("/searches/" + search.ID + "/book")
		another := c.in(t).get("/searches/" + search.ID).form("/searches/" + search.ID + "/book").Get("id")
		c.in(t).post("/searches/"+search.ID+"/book", form).has("Held as")
		form.Set("id", another)
		again := c.in(t).post("/searches/"+search.ID+"/book", form)
		if again.status != http.StatusConflict {
			t.Fatalf("the answer is %d; want 409", again.status)
		}
		again.has("booked already", "Open the booking")
	})
	t.Run("a member that the search does not have", func(t *testing.T) {
		search := s.keep(t, maria)
		for _, member := range []string{"1", "-1", "x"} {
			if page := c.in(t).get(fmt.Sprintf("/searches/%s/hold?member=%s&offer=o", search.ID, member)); page.status != http.StatusNotFound {
				t.Errorf("member %s is answered with %d; want 404", member, page.status)
			}
		}
	})
}
