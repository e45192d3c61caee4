package apptest

import (
	"net/url"
	"strings"

	"gangway/internal/book/flight"
)

// Booked holds the first offer that matches the filters and returns the path of its booking.
func (c *Client) Booked(filters string) string {
	c.t.Helper()
	search := c.Site.Keep(c.t, Maria)
	form := c.Get("/searches/" + search.ID + "?" + filters).Form("/searches/" + search.ID + "/book")
	page := c.Post("/searches/"+search.ID+"/book", form)
	page.Has("Held as")
	path, _, _ := strings.Cut(page.Path, "?")
	return path
}

// Disturbed issues a booking whose airline then changes the flights. It returns the booking's path.
func (c *Client) Disturbed() string {
	c.t.Helper()
	path := c.Booked("fare=marine")
	c.Submit(path + "/issue")
	c.ChangeFlights(strings.TrimPrefix(path, "/bookings/"))
	return path
}

// ChangeFlights has the airline change the flights of a booking, and our desk notice it.
func (c *Client) ChangeFlights(id string) {
	c.t.Helper()
	in := Production(c.Site)
	b, err := in.Booking(c.t.Context(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	for seed := int64(1); seed < 5000; seed++ {
		order, err := c.Site.sells.For(in.Ledger(), seed).Order(c.t.Context(), b.Order)
		if err != nil {
			c.t.Fatal(err)
		}
		if n := order.Notice; n != nil && !n.Minor && len(n.Itinerary.Segments) > 0 {
			c.Site.disruptions.Store(seed)
			if err := c.Site.Desk.LookAtOrder(c.t.Context(), in, b.Supplier, b.Order); err != nil {
				c.t.Fatal(err)
			}
			if err := c.Site.Desk.Tick(c.t.Context()); err != nil {
				c.t.Fatal(err)
			}
			return
		}
	}
	c.t.Fatal("no seed changes the flights")
}

// Elsewhere is a booking as a person reads it off an agency's e-mail, with names and values set in it.
func Elsewhere(id string, set ...string) url.Values {
	return with(url.Values{
		"id": {id}, "last_name": {"OKAFOR"}, "first_name": {"BORIS"}, "dob": {"1985-03-12"}, "gender": {"M"},
		"number": {"sq 917", "SQ324", ""}, "from": {"MNL", "SIN Singapore", ""}, "to": {"SIN", "AMS", ""},
		"departs": {"2036-12-01T14:20", "2036-12-01T23:55", ""}, "arrives": {"2036-12-01T18:10", "2036-12-02T06:40",
			""},
		"total": {"812.50 USD"}, "taxes": {"112.50"}, "agency": {"Harbour Travel"}, "pnrs": {"abc234"},
		"tickets": {"618-2412345678"}, "fare_type": {"marine"}, "cancellations": {"refundable"},
		"changes": {"free-change"}, "baggage": {"2 x 23"},
		"vessel": {"Nordlys"}, "flag": {"no"}, "side": {"on-signer"},
	}, set)
}

// Entry is such a booking in a form that can be sent, with names and values set in it.
func (c *Client) Entry(set ...string) url.Values {
	c.t.Helper()
	return Elsewhere(c.Get("/bookings/enter").Form("/bookings/enter").Get("id"), set...)
}

// Lost has the supplier's own desk cancel a booking, and our desk notice it.
func (c *Client) Lost(id string) {
	c.t.Helper()
	in := c.Site.DB.In(c.Site.Production.Scope())
	b, err := in.Booking(c.t.Context(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	var sells flight.Supplier = c.Site.sells.For(in.Ledger(), 0)
	quote, err := sells.QuoteCancel(c.t.Context(), b.Order)
	if err == nil {
		_, err = sells.Cancel(c.t.Context(), b.Order, quote.ID)
	}
	if err == nil {
		err = c.Site.Desk.LookAtOrder(c.t.Context(), in, b.Supplier, b.Order)
	}
	if err == nil {
		err = c.Site.Desk.Tick(c.t.Context())
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// Hold holds the first flexible marine offer of a search, with the button of that value.
func (c *Client) Hold(button string) Answer {
	c.t.Helper()
	search := c.Site.Keep(c.t, Maria)
	to := "/searches/" + search.ID + "/book"
	form := c.Get("/searches/" + search.ID + "?fare=marine&rule=change").Form(to)
	if form.Del("unissued"); button != "" {
		form.Set("unissued", button)
	}
	return c.Post(to, form)
}

const (
	Automatically = "Will be issued automatically on "
	LetGo         = "Released "
)
