package bookings_test

import (
	"maps"
	"net/http"
	"net/url"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// TestHoldAgainPage holds that seats which were released are held again by two clicks from their booking, once for a
// form, and never at a price that was not shown.
func TestHoldAgainPage(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	path := c.Booked("fare=marine")
	to := path + "/hold-again"
	c.Get(to).Is(http.StatusConflict, " is still live.")
	c.Submit(path + "/cancel")
	was := s.Booking(t, path)
	c.Get(path).Has(to)
	form := c.Get(to).Has(was.Locator, `value="let-go"`).Form(to)
	c.Post(to, with(form, "offer", "", "price", "USD 1.00")).
		Is(http.StatusConflict, "they were USD 1.00", `name="offer"`)
	c.Post(to, with(form, "id", "chosen")).Is(http.StatusConflict)
	s.WantBookings(t, 1)

	held := c.Post(to, with(form, "unissued", "let-go")).Has("Held as ")
	c.Post(to, with(form, "unissued", "let-go")).Shows(held.Path)
	s.WantBookings(t, 2)
	if b := s.Booking(t, held.Path); b.Locator == was.Locator || b.Price != was.Price || b.State != gangway.Confirmed {
		t.Errorf("%+v after %+v", b, was)
	}
	c.Get(to).Has("This traveller is booked already: ")
}

// TestHoldAgainAsksForTheFare holds that a fare which crew may not use by now is held again only after the question
// that names the rule.
func TestHoldAgainAsksForTheFare(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	path := c.Booked("bags=0")
	to := path + "/hold-again"
	c.Submit(path + "/cancel")
	storetest.Settings(t, apptest.Production(s), gangway.Settings{Fares: gangway.FareRule{Bag: true}})
	form := c.Get(to).Has("Company policy: crew need a checked bag").Form(to)
	c.Post(to, with(form, "unissued", "let-go", "unmet", "")).Is(http.StatusConflict, `name="unmet" value="bag"`)
	s.WantBookings(t, 1)
	c.Post(to, with(form, "unissued", "let-go", "unmet", "bag")).
		Has("Held as ", "held against the fare setting: crew need a checked bag")
}

// with returns a form with fields set to other values.
func with(form url.Values, set ...string) url.Values {
	out := maps.Clone(form)
	for i := 0; i < len(set); i += 2 {
		out.Set(set[i], set[i+1])
	}
	return out
}
