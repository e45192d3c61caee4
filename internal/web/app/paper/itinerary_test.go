package paper_test

import (
	"net/url"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/apptest"
)

// change is the key of the crew change that tests book.
const change = "id:GEN-00"

// crewOfThree books a crew change at the port of Rotterdam, in which somebody else then replaces the second of three.
func crewOfThree(t *testing.T) (*apptest.Site, *apptest.Client) {
	t.Helper()
	s := apptest.NewSite(t)
	people := apptest.Sailors(8)
	people[0].Metadata = map[string]string{"rank": "Bosun"}
	s.Upload(t, "2036-12-03", []gangway.CrewMember{people[0], people[1], people[6]})
	c := s.SignedIn(t, gangway.Booker)
	c.BookEverybody("NLRTM")
	s.Upload(t, "2036-12-03", []gangway.CrewMember{people[0], people[2], people[6]})
	return s, c
}

// bookingsOf returns the live bookings of the crew change.
func bookingsOf(t *testing.T, s *apptest.Site) []gangway.Booking {
	t.Helper()
	list, _, err := apptest.Production(s).Bookings(t.Context(), store.BookingQuery{Change: change, Live: true})
	if err != nil || len(list) == 0 {
		t.Fatalf("the crew change has the bookings %v, %v", list, err)
	}
	return list
}

// address is that of a file of the crew change or a page about it.
func address(path string) string { return path + "?" + url.Values{"change": {change}}.Encode() }

// TestItineraryOfBooking holds that a booking has its itinerary as a page and as files, with what its traveller needs
// and without passport.
func TestItineraryOfBooking(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	id := strings.TrimPrefix(c.Booked("fare=marine"), "/bookings/")
	b := apptest.Must(apptest.Production(s).Booking(t.Context(), id))(t)
	c.Get("/bookings/" + id).Has("/itinerary?booking=" + id)
	first := b.Itinerary.Segments[0]
	for _, path := range []string{"/itinerary", "/itinerary/itinerary.txt", "/itinerary/itinerary.ics"} {
		page := c.Get(path + "?booking=" + id)
		page.Has("SANTOS/MARIA", first.Name(), "On hold")
		for _, no := range []string{b.Passenger.DocNumber, string(b.Passenger.DOB)} {
			if strings.Contains(page.Body, no) {
				t.Errorf("%s has %q", path, no)
			}
		}
		if path != "/itinerary/itinerary.ics" {
			page.Has(first.Departure.Format("15:04"), first.Departure.Format("Mon 2 Jan 2006"))
		}
	}
	pdf := c.Get("/itinerary/itinerary.pdf?booking=" + id)
	if !strings.HasPrefix(pdf.Body, "%PDF-") || pdf.Head.Get("Content-Type") != "application/pdf" {
		t.Errorf("the PDF begins with %.20q as %s", pdf.Body, pdf.Head.Get("Content-Type"))
	}
	for _, path := range []string{"/itinerary/itinerary.doc?booking=" + id, "/itinerary?booking=none",
		"/itinerary?change=none"} {
		if got := c.Get(path).Status; got != 404 {
			t.Errorf("%s answers %d; want 404", path, got)
		}
	}
}

// TestItineraryOfCrewChange holds that a crew change's itinerary has everybody who is needed, those who join first, and
// says how many are not booked.
func TestItineraryOfCrewChange(t *testing.T) {
	s, c := crewOfThree(t)
	text := c.Get(address("/itinerary/itinerary.txt")).Body
	at := 0
	for _, want := range []string{"GENOA STAR", "Rotterdam", "== On-signers ==", "SAILORA/", "Bosun",
		"At the port of Rotterdam", "== Off-signers ==", "SAILORG/", "1 traveller of the crew change is not booked"} {
		found := strings.Index(text[at:], want)
		if found < 0 {
			t.Fatalf("there is no %q behind %d in\n%s", want, at, text)
		}
		at += found
	}
	if strings.Contains(text, "SAILORB/") {
		t.Errorf("somebody who is no longer in the crew change is listed:\n%s", text)
	}
	for _, b := range bookingsOf(t, s) {
		if strings.Contains(text, b.Passenger.DocNumber) {
			t.Error("a passport's number is listed")
		}
	}
	c.Get(address("/itinerary")).Has("2 booked · 1 not booked", `data-state="no-agent"`,
		"Ingrid Holm booker@example.com, ")
	c.Get("/crew-changes/plan?" + url.Values{"key": {change}}.Encode()).Has("Find flights (1)")
}
