package bookings_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

func TestEntry(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)

	c.Run("a ticket bought by phone is a booking like any other", func(t *testing.T, c *apptest.Client) {
		form := c.Get("/bookings/enter").Form("/bookings/enter")
		made := c.Post("/bookings/enter", apptest.Elsewhere(form.Get("id"))).
			Has("Entered as", "issued", "6182412345678", "ABC234", "SQ 917", "SQ 324", "USD 812.50", "Nordlys",
				"on-signer", "kg CO₂e", "2 × 23 kg", "entered by hand, booked at Harbour Travel").Lacks("The search")
		again := c.Post("/bookings/enter", func() url.Values {
			v := apptest.Elsewhere(form.Get("id"), "sure", "1")
			return v
		}())
		if again.Path != made.Path {
			t.Fatalf("the same form sent twice ends at %s; want %s", again.Path, made.Path)
		}
	})
	t.Run("in development nothing is real, whoever entered it", func(t *testing.T) {
		c := s.InDevelopment(t, gangway.Booker)
		made := c.Post("/bookings/enter", c.Entry()).
			Has("Entered as", "entered in development: not a real ticket")
		path, _, _ := strings.Cut(made.Path, "?")
		b, err := apptest.Development(s).Booking(t.Context(), strings.TrimPrefix(path, "/bookings/"))
		if err != nil || !b.Simulated {
			t.Fatalf("simulated %v, %v; want it to be", b.Simulated, err)
		}
		if list := s.Bookings(t); len(list) == 0 || list[0].Simulated {
			t.Fatalf("%d bookings in production; want what was entered there real", len(list))
		}
	})
	c.Run("the same traveller around the same days is asked about first", func(t *testing.T, c *apptest.Client) {
		form := c.Get("/bookings/enter").Form("/bookings/enter")
		c.Post("/bookings/enter", apptest.Elsewhere(form.Get("id"))).
			Is(http.StatusConflict, "Already booked?", "MNL → SIN → AMS", "618-2412345678", "OKAFOR")
		sure := apptest.Elsewhere(form.Get("id"))
		sure.Set("sure", "1")
		c.Post("/bookings/enter", sure).Is(http.StatusConflict)
		sure.Set("sure", s.Bookings(t)[0].ID)
		c.Post("/bookings/enter", sure).Has("Entered as")
	})
	c.Run("a traveller of the customer's system keeps her identifier", func(t *testing.T, c *apptest.Client) {
		s.SendTravellers(t, apptest.Maria)
		c.Get("/suggest/travellers?for=entry&surname=san").Has("&#34;last_name&#34;:&#34;Santos&#34;",
			"&#34;traveller&#34;")
		form := c.Entry("last_name", apptest.Maria.LastName, "first_name", apptest.Maria.FirstName, "traveller",
			apptest.Maria.Key())
		c.Post("/bookings/enter", form).Has("Entered as", apptest.Maria.ID)
	})
	c.Run("what is wrong stands beside its field, and nothing typed is lost", func(t *testing.T, c *apptest.Client) {
		for field, tt := range map[string]struct{ value, want string }{
			"total":     {"a lot", "What it cost, as in 482.00 USD."},
			"taxes":     {"900 USD", "How much of the total is taxes"},
			"tickets":   {"618-24", "Ticket numbers have 13 digits"},
			"number":    {"nine", "A flight number is an airline and a number"},
			"from":      {"XQX", "From which airport?"},
			"departs":   {"2036-12-01T19:20", "It lands before it leaves"},
			"baggage":   {"many", "Pieces and the weight of each"},
			"flag":      {"xx", "Two letters, as in PA."},
			"dob":       {"", "date of birth"},
			"last_name": {"R2D2", "Letters and spaces"},
		} {
			form := c.Entry()
			form[field][0] = tt.value
			c.Post("/bookings/enter", form).Is(http.StatusUnprocessableEntity, tt.want, "Harbour Travel",
				"nothing was entered")
		}
	})
	c.Run("tickets and a refund that come later", func(t *testing.T, c *apptest.Client) {
		form := c.Entry()
		form.Del("tickets")
		form.Set("last_name", "BERG")
		made := c.Post("/bookings/enter", form).Has("Entered as", "confirmed", "Enter tickets…")
		path, _, _ := strings.Cut(made.Path, "?")
		c.Post(path+"/enter-tickets", url.Values{"tickets": {"123"}}).Has("13 digits")
		c.Post(path+"/enter-tickets", url.Values{"tickets": {"618 2499999999"}}).Has("issued", "6182499999999")
		quote := c.Get(path+"/cancel").Has("Harbour Travel", "refund not known yet")
		c.Post(path+"/cancel", quote.Form(path+"/cancel")).Has(`data-state="refund_pending"`, "<h2>Refund</h2>")
		c.Post(path+"/refund", url.Values{"refund": {"5000"}}).Has("between nothing and USD 812.50")
		c.Post(path+"/refund", url.Values{"refund": {"700"}}).Has("cancelled", "refunded")
	})
	c.Run("a change made elsewhere is entered too", func(t *testing.T, c *apptest.Client) {
		form := c.Entry("last_name", "LINDQVIST")
		made := c.Post("/bookings/enter", form)
		path, _, _ := strings.Cut(made.Path, "?")
		c.Get(path+"/change").Has("Enter the flights that it was changed to", "SQ 917", "Mon 1 Dec 2036 14:20")
		form["departs"][0], form["arrives"][0] = "2036-12-01T09:20", "2036-12-01T13:10"
		c.Post(path+"/enter-change", form).Has("What was paid for the change in all")
		form.Set("total", "900 USD")
		form.Set("due", "87.49")
		c.Post(path+"/enter-change", form).Has("the change cost at least USD 87.50")
		form.Set("due", "90")
		c.Post(path+"/enter-change", form).Has("The change is entered.", "09:20",
			"USD 90.00 paid: fare USD 87.50, change fee USD 2.50", "Fees of changes", "Paid so far")
	})
}
