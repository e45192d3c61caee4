package bookings_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

func TestBookkeepingPages(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	path := c.Booked("fare=marine&rule=change")
	id := strings.TrimPrefix(path, "/bookings/")

	t.Run("invoice numbers are entered, shown with who, and removed", func(t *testing.T) {
		c.In(t).Post(path+"/invoices", url.Values{"numbers": {"INV-7, INV-8"}}).
			Shows(path, "INV-7", "INV-8", "Ingrid Holm, ")
		c.In(t).Post(path+"/invoices", url.Values{"numbers": {strings.Repeat("9", 41)}}).
			Is(http.StatusUnprocessableEntity, "at most 40 characters")
		c.In(t).Post(path+"/invoices/remove", url.Values{"number": {"INV-7"}}).Has("was removed", "INV-8").
			Lacks(">INV-7<")
	})
	t.Run("nobody stays away from a flight that has not left", func(t *testing.T) {
		c.In(t).Get(path).Lacks("did not fly")
		c.In(t).Post(path+"/no-show", url.Values{"missed": {"yes"}}).Is(http.StatusConflict)
	})
	t.Run("a no-show is entered after departure, and can be taken back", func(t *testing.T) {
		c.In(t).Submit(path + "/issue")
		_, err := apptest.Production(s).UpdateBooking(t.Context(), id, "",
			func(b *gangway.Booking) (gangway.Action, error) {
				for i := range b.Itinerary.Segments {
					leg := &b.Itinerary.Segments[i]
					leg.Departure, leg.Arrival = leg.Departure.AddDate(-1, 0, 0), leg.Arrival.AddDate(-1, 0, 0)
				}
				return gangway.Action{}, nil
			})
		apptest.Done(t, err)
		c.In(t).Get(path).Has("The traveller did not fly")
		c.In(t).Post(path+"/no-show", url.Values{"missed": {"yes"}}).
			Shows(path, "did not fly", "Undo: the traveller flew")
		c.In(t).Post(path+"/no-show", url.Values{"missed": {"no"}}).Shows(path, "taken back")
	})
	t.Run("a frequent flyer number is kept with the booking", func(t *testing.T) {
		search := s.Keep(t, apptest.Maria)
		at := "/searches/" + search.ID
		offer := c.In(t).Get(at + "?fare=marine").Form(at + "/book").Get("offer")
		hold := c.In(t).Get(at + "/hold?member=0&offer=" + url.QueryEscape(offer))
		form := hold.Form(at+"/book", "frequent_flyer", "my card")
		c.In(t).Post(at+"/book", form).Has(`value="my card"`, "as in SQ 8001234567")
		form.Set("frequent_flyer", "sq 8001234567")
		c.In(t).Post(at+"/book", form).Has("SQ 8001234567, entered by Ingrid Holm on Thu 20 Nov 2036")
	})
}
