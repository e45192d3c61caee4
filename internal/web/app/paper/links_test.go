package paper_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

var linkOf = regexp.MustCompile(`id="link"[^>]*>[^<]*(/i/[A-Z2-7]{26})<`)

// link makes a link to the itinerary on a page, and returns its path.
func link(t *testing.T, c *apptest.Client, page string) string {
	t.Helper()
	made := c.Post("/itinerary/link", c.Get(page).Form("/itinerary/link"))
	found := linkOf.FindStringSubmatch(made.Body)
	if found == nil {
		t.Fatalf("no link was made:\n%s", made.Body)
	}
	return found[1]
}

// opens checks whether somebody who is not signed in sees an itinerary by a link, and returns what they see. Links that
// open nothing all have the same answer.
func opens(t *testing.T, s *apptest.Site, path string, want bool) apptest.Answer {
	t.Helper()
	nobody := s.Client(t)
	page := nobody.Get(path)
	if want != (page.Status == http.StatusOK) {
		t.Fatalf("%s answers %d; want an itinerary: %v\n%s", path, page.Status, want, page.Body)
	}
	for name, value := range map[string]string{"Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
		"X-Robots-Tag": "noindex, nofollow"} {
		if got := page.Head.Get(name); got != value {
			t.Errorf("%s has %s: %q; want %q", path, name, got, value)
		}
	}
	if len(page.Head.Values("Set-Cookie")) > 0 {
		t.Errorf("%s sets a cookie", path)
	}
	none := nobody.Get("/i/AAAAAAAAAAAAAAAAAAAAAAAAAA")
	if !want && (none.Status != page.Status || none.Body != page.Body) {
		t.Errorf("%s has another answer than a link that never was:\n%s\n%s", path, page.Body, none.Body)
	}
	return page
}

// TestLinkOfBooking holds that a link that was made by a click opens its itinerary without sign-in, with the airline's
// locator and no passport, as often as it is counted, until it is revoked, its company switches links off, its last
// flight has landed 48 hours ago, or its traveller is erased.
func TestLinkOfBooking(t *testing.T) {
	s := apptest.NewClockedSite(t)
	c := s.SignedIn(t, gangway.Booker)
	id := strings.TrimPrefix(c.Booked("fare=marine"), "/bookings/")
	in := apptest.Production(s)
	page := "/itinerary?booking=" + id
	if strings.Contains(c.Get(page).Body, "/i/") {
		t.Error("there is a link that nobody made")
	}
	first := link(t, c, page)
	b := apptest.Must(in.Booking(t.Context(), id))(t)
	shown := opens(t, s, first, true)
	shown.Has("SANTOS/MARIA", b.PNRs[0])
	for _, no := range []string{b.Passenger.DocNumber, string(b.Passenger.DOB), "Ingrid Holm",
		"booker@example.com", "/bookings/"} {
		if strings.Contains(shown.Body, no) {
			t.Errorf("the link shows %q", no)
		}
	}
	for _, file := range []string{"/itinerary.pdf", "/itinerary.ics", "/itinerary.txt"} {
		opens(t, s, first+file, true)
	}
	if got := s.Client(t).Post(first, url.Values{}).Status; got != http.StatusMethodNotAllowed {
		t.Errorf("POST answers %d; want 405", got)
	}
	c.Get(page).Has("opened 1 time")
	opens(t, s, first, true)
	c.Get(page).Has("opened 2 times")

	second := link(t, c, page)
	c.Post("/itinerary/revoke", c.Get(page).Form("/itinerary/revoke")) // the first
	opens(t, s, first, false)
	opens(t, s, second, true)

	storetest.Settings(t, in, gangway.Settings{NoLinks: true})
	opens(t, s, second, false)
	c.Get(page).Has("switched links off")
	if got := c.Post("/itinerary/link", url.Values{"booking": {id}}).Status; got != http.StatusForbidden {
		t.Errorf("a link is made although links are off: %d", got)
	}
	storetest.Settings(t, in, gangway.Settings{})

	lands := b.Itinerary.Arrival()
	s.Passed.Store(int64(lands.Add(48*time.Hour - time.Minute).Sub(apptest.Today)))
	opens(t, s, second, true)
	s.Passed.Store(int64(lands.Add(48*time.Hour + time.Minute).Sub(apptest.Today)))
	opens(t, s, second, false)
	s.SignedIn(t, gangway.Booker).Get(page).Has("links open nothing")
	s.Passed.Store(int64(lands.Add(time.Hour).Sub(apptest.Today)))
	opens(t, s, second, false)
	c = s.SignedIn(t, gangway.Booker)
	second = link(t, c, page)
	opens(t, s, second, true)
	c.Submit("/bookings/" + id + "/cancel")
	opens(t, s, second, true).Has("Cancelled")
	if _, err := in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: b.Passenger.ID}, s.Now(),
		nil); err != nil {
		t.Fatal(err)
	}
	opens(t, s, second, false)
	if got := c.Get(page).Status; got != http.StatusNotFound {
		t.Errorf("the itinerary of somebody who was erased answers %d", got)
	}
	if n := len(s.Audit(t, gangway.LinkMade)) + len(s.Audit(t, gangway.LinkRevoked)); n != 4 {
		t.Errorf("the audit log has %d entries about links; want 4", n)
	}
}

// TestLinkOfCrewChange holds that a crew change's link shows everybody's flights, and neither locators nor tickets.
func TestLinkOfCrewChange(t *testing.T) {
	s, c := crewOfThree(t)
	made := link(t, c, address("/itinerary"))
	for _, file := range []string{"", "/itinerary.txt", "/itinerary.ics"} {
		shown := opens(t, s, made+file, true)
		shown.Has("SAILORA/", "SAILORG/")
		for _, b := range bookingsOf(t, s) {
			for _, no := range append(append([]string{b.Locator, b.Passenger.DocNumber}, b.PNRs...), b.Tickets...) {
				if strings.Contains(shown.Body, no) {
					t.Errorf("%s shows %q", file, no)
				}
			}
		}
	}
}

// TestEndedLinkStaysClosed holds that a crew change's link that has ended opens nothing again, though nobody opened it
// since and another crew change has the same key.
func TestEndedLinkStaysClosed(t *testing.T) {
	s := apptest.NewClockedSite(t)
	people := apptest.Sailors(8)
	s.Upload(t, "2036-12-03", people[:1])
	c := s.SignedIn(t, gangway.Booker)
	c.BookEverybody("NLRTM")
	made := link(t, c, address("/itinerary"))
	for i, want := range []bool{true, false} { // somebody else is booked a minute before it ends, and a minute after it
		var lands time.Time
		for _, b := range bookingsOf(t, s) {
			lands = slices.MaxFunc([]time.Time{lands, b.Itinerary.Arrival()}, time.Time.Compare)
		}
		s.Passed.Store(int64(lands.Add(48*time.Hour + time.Duration(2*i-1)*time.Minute).Sub(apptest.Today)))
		s.Upload(t, gangway.Date("2036-12-23").AddDays(31*i), people[i+1:i+2])
		c = s.SignedIn(t, gangway.Booker)
		c.BookEverybody("NLRTM")
		opens(t, s, link(t, c, address("/itinerary")), true)
		opens(t, s, made, want)
	}
}

// TestGuessedLinks holds that whoever guesses a thousand addresses finds nothing, is soon told to wait, and keeps
// nobody else out; and that no address of a link is in the log.
func TestGuessedLinks(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	made := link(t, c, "/itinerary?booking="+strings.TrimPrefix(c.Booked("fare=marine"), "/bookings/"))
	guesser := s.Client(t)
	guesser.From = "203.0.113.9"
	answers := map[int]int{}
	for i := range 1000 {
		guess := []byte(made)
		guess[3+i%26] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[i/26%32]
		if string(guess) == made {
			guess[28] ^= 1
		}
		answers[guesser.Get(string(guess)).Status]++
	}
	if answers[http.StatusNotFound] != 30 || answers[http.StatusTooManyRequests] != 970 {
		t.Errorf("a thousand guesses are answered %v; want 30 times 404, then 429", answers)
	}
	opens(t, s, made, true)

	req := apptest.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+made, nil))(t)
	req.Header.Set("Origin", "https://elsewhere.example")
	s.Client(t).Do(req)
	refused := s.Audit(t, gangway.RequestRefused)
	if len(refused) == 0 || strings.Contains(refused[0].After["path"].(string), made[3:]) {
		t.Errorf("the audit log has %v; want the refusal without the link's secret", refused)
	}
}
