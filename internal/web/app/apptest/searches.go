package apptest

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Maria is a traveller whose details are complete.
var Maria = gangway.Traveller{
	ID: "C-1001", LastName: "Santos", FirstName: "Maria", DOB: "1990-04-30", Nationality: "PH", Gender: "F",
	DocCountry: "PH", DocNumber: "P1234567A", DocExpire: "2045-01-01", HomeAirport: "MNL",
}

// Keep stores a search for travellers to a vessel at Amsterdam.
func (s *Site) Keep(t *testing.T, travellers ...gangway.Traveller) gangway.Search {
	t.Helper()
	search := gangway.Search{ID: book.NewID(), By: "booker@example.com", CreatedAt: Today, Vessel: "Nordlys",
		Flag: "NO"}
	if len(travellers) > 1 {
		search.Change, search.Date, search.Airport = "id:"+search.ID, "2036-12-01", "AMS"
	}
	for _, who := range travellers {
		m := gangway.SearchMember{Traveller: who, Legs: []gangway.Leg{{Origin: gangway.Place(who.HomeAirport),
			Destination: "AMS", ArriveOn: "2036-12-01"}}}
		if len(travellers) > 1 {
			m.Side = gangway.OnSigner
		}
		search.Members = append(search.Members, m)
	}
	Done(t, Production(s).SaveSearch(t.Context(), search))
	return search
}

var (
	formField  = regexp.MustCompile(`<input[^>]*\bname="([^"]*)"[^>]*\bvalue="([^"]*)"`)
	fieldName  = regexp.MustCompile(`\bname="([^"]*)"`)
	fieldValue = regexp.MustCompile(`\bvalue="([^"]*)"`)
	OfferRow   = regexp.MustCompile(`<tr class="two offer`)
	opens      = regexp.MustCompile(`<a data-row +id="r-[^"]*" href="([^"#]*\bopen=[^"#]*)`)
)

// Opened is the page with the best fare of its first flight open.
func (a Answer) Opened() Answer {
	a.t.Helper()
	first := opens.FindStringSubmatch(a.Body)
	if first == nil {
		a.t.Fatalf("the page %s has no flight to open:\n%s", a.Path, a.Body)
	}
	return a.client.In(a.t).Get(html.UnescapeString(first[1]))
}

// Form returns the hidden and filled fields of the first form that is sent to action, with names and values set in it.
// The forms that hold or choose a flight appear when the flight is opened.
func (a Answer) Form(action string, set ...string) url.Values {
	a.t.Helper()
	if whole := `action="` + html.EscapeString(action) + `"`; !strings.Contains(a.Body, whole) && opens.MatchString(a.Body) {
		a = a.Opened()
	}
	_, rest, found := strings.Cut(a.Body, `action="`+html.EscapeString(action)+`"`)
	if !found {
		a.t.Fatalf("the page %s has no form for %s:\n%s", a.Path, action, a.Body)
	}
	inside, _, _ := strings.Cut(rest, "</form>")
	form := url.Values{}
	for _, tag := range formField.FindAllString(inside, -1) {
		name, value := fieldName.FindStringSubmatch(tag), fieldValue.FindStringSubmatch(tag)
		form.Add(html.UnescapeString(name[1]), html.UnescapeString(value[1]))
	}
	return with(form, set)
}

func with(form url.Values, set []string) url.Values {
	for i := 0; i < len(set); i += 2 {
		form.Set(set[i], set[i+1])
	}
	return form
}

// Bookings returns all bookings of the production account.
func (s *Site) Bookings(t *testing.T) []gangway.Booking {
	t.Helper()
	list, _, err := Production(s).Bookings(t.Context(), store.BookingQuery{})
	Done(t, err)
	return list
}

// ToRotterdam stores a search for Maria, who joins at the port of Rotterdam.
func (s *Site) ToRotterdam(t *testing.T) gangway.Search {
	t.Helper()
	search := s.Keep(t, Maria)
	search.Airport, search.Date = "NLRTM", "2036-12-01"
	search.Members[0].Side, search.Members[0].Legs[0].Destination = gangway.OnSigner, "NLRTM"
	Done(t, Production(s).SaveSearch(t.Context(), search))
	return search
}
