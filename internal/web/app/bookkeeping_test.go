package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway"
)

func TestBookkeepingPages(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	path := c.booked("fare=marine&rule=change")
	id := strings.TrimPrefix(path, "/bookings/")

	t.Run("invoice numbers are entered, shown with who, and removed", func(t *testing.T) {
		page := c.in(t).post(path+"/invoices", url.Values{"numbers": {"INV-7, INV-8"}})
		page.shows(path, "INV-7", "INV-8", "Ingrid Holm, ")
		wrong := c.in(t).post(path+"/invoices", url.Values{"numbers": {strings.Repeat("9", 41)}})
		if wrong.status != http.StatusUnprocessableEntity {
			t.Fatalf("a number that is too long is answered with %d; want 422", wrong.status)
		}
		wrong.has("at most 40 characters")
		page = c.in(t).post(path+"/invoices/remove", url.Values{"number": {"INV-7"}})
		page.has("was removed", "INV-8")
		page.lacks(">INV-7<")
	})
	t.Run("nobody stays away from a flight that has not left", func(t *testing.T) {
		c.in(t).get(path).lacks("did not fly")
		if page := c.in(t).post(path+"/no-show", url.Values{"missed": {"yes"}}); page.status != http.StatusConflict {
			t.Fatalf("a no-show before departure is answered with %d; want 409", page.status)
		}
	})
	t.Run("a no-show is entered after departure, and can be taken back", func(t *testing.T) {
		c.in(t).post(path+"/issue", c.in(t).get(path+"/issue").form(path+"/issue"))
		_, err := production(s).UpdateBooking(t.Context(), id, "", func(b *gangway.Booking) (gangway.Action, error) {
			for i := range b.Itinerary.Segments {
				leg := &b.Itinerary.Segments[i]
				leg.Departure, leg.Arrival = leg.Departure.AddDate(-1, 0, 0), leg.Arrival.AddDate(-1, 0, 0)
			}
			return gangway.Action{}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		c.in(t).get(path).has("The traveller did not fly")
		c.in(t).post(path+"/no-show", url.Values{"missed": {"yes"}}).shows(path, "did not fly", "Take it back")
		c.in(t).post(path+"/no-show", url.Values{"missed": {"no"}}).shows(path, "taken back")
	})
	t.Run("a frequent flyer number is kept with the booking", func(t *testing.T) {
		search := s.keep(t, maria)
		at := "/searches/" + search.ID
		offer := c.in(t).get(at + "?fare=marine").form(at + "/book").Get("offer")
		hold := c.in(t).get(at + "/hold?member=0&offer=" + url.QueryEscape(offer))
		form := hold.form(at + "/book")
		form.Set("frequent_flyer", "my card")
		wrong := c.in(t).post(at+"/book", form)
		wrong.has(`value="my card"`, "as in SQ 8001234567")
		form.Set("frequent_flyer", "sq 8001234567")
		c.in(t).post(at+"/book", form).has("SQ 8001234567, entered by Ingrid Holm on 20 Nov 2036")
	})
}
