package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway"
)

// elsewhere is a booking as a person reads it off an agency's e-mail.
func elsewhere(id string) url.Values {
	return url.Values{
		"id": {id}, "last_name": {"OKAFOR"}, "first_name": {"BORIS"}, "dob": {"1985-03-12"}, "gender": {"M"},
		"number": {"sq 917", "SQ324", ""}, "from": {"MNL", "SIN Singapore", ""}, "to": {"SIN", "AMS", ""},
		"departs": {"2036-12-01T14:20", "2036-12-01T23:55", ""}, "arrives": {"2036-12-01T18:10", "2036-12-02T06:40", ""},
		"total": {"812.50 USD"}, "taxes": {"112.50"}, "agency": {"Harbour Travel"}, "pnrs": {"abc234"},
		"tickets": {"618-2412345678"}, "fare_type": {"marine"}, "cancellations": {"refundable"}, "changes": {"free-change"}, "baggage": {"2 x 23"},
		"vessel": {"Nordlys"}, "flag": {"no"}, "side": {"on-signer"},
	}
}

func TestEntry(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)

	t.Run("a ticket bought by phone is a booking like any other", func(t *testing.T) {
		c := c.in(t)
		form := c.get("/bookings/enter").form("/bookings/enter")
		made := c.post("/bookings/enter", elsewhere(form.Get("id")))
		made.has("Entered as", "issued", "6182412345678", "ABC234", "SQ 917", "SQ 324", "USD 812.50", "Nordlys", "on-signer", "kg CO₂e", "2 × 23 kg")
		again := c.post("/bookings/enter", func() url.Values { v := elsewhere(form.Get("id")); v.Set("sure", "1"); return v }())
		if again.path != made.path {
			t.Fatalf("the same form sent twice ends at %s; want %s", again.path, made.path)
		}
	})
	t.Run("in development nothing is real, whoever entered it", func(t *testing.T) {
		c := s.signedIn(t, gangway.Booker)
		c.post("/environment", url.Values{"environment": {"development"}, "back": {"/"}})
		made := c.post("/bookings/enter", elsewhere(c.get("/bookings/enter").form("/bookings/enter").Get("id")))
		made.has("Entered as", "entered in development: not a real ticket")
		path, _, _ := strings.Cut(made.path, "?")
		b, err := development(s).Booking(t.Context(), strings.TrimPrefix(path, "/bookings/"))
		if err != nil || !b.NotReal() {
			t.Fatalf("simulated %v, %v; want it to be", b.NotReal(), err)
		}
		if list := s.bookings(t); len(list) == 0 || list[0].NotReal() {
			t.Fatalf("%d bookings in production; want what was entered there real", len(list))
		}
	})
	t.Run("the same traveller around the same days is asked about first", func(t *testing.T) {
		c := c.in(t)
		form := c.get("/bookings/enter").form("/bookings/enter")
		twice := c.post("/bookings/enter", elsewhere(form.Get("id")))
		if twice.status != http.StatusConflict {
			t.Fatalf("the answer is %d; want 409", twice.status)
		}
		twice.has("Is it one of these?", "MNL → SIN → AMS", "618-2412345678", "OKAFOR")
		sure := elsewhere(form.Get("id"))
		sure.Set("sure", "1")
		if again := c.post("/bookings/enter", sure); again.status != http.StatusConflict {
			t.Fatalf("a word that names none of the others is answered with %d; want 409", again.status)
		}
		sure.Set("sure", s.bookings(t)[0].ID)
		c.post("/bookings/enter", sure).has("Entered as")
	})
	t.Run("a traveller whom the customer's system knows stays known by her identifier", func(t *testing.T) {
		c := c.in(t)
		if _, err := production(s).UpsertTravellers(t.Context(), []gangway.Traveller{maria}); err != nil {
			t.Fatal(err)
		}
		c.get("/suggest/travellers?for=entry&surname=san").has("&#34;last_name&#34;:&#34;Santos&#34;", "&#34;traveller&#34;")
		form := elsewhere(c.get("/bookings/enter").form("/bookings/enter").Get("id"))
		form.Set("last_name", maria.LastName)
		form.Set("first_name", maria.FirstName)
		form.Set("traveller", maria.Key())
		c.post("/bookings/enter", form).has("Entered as", maria.ID)
	})
	t.Run("baggage by weight is no single bag", func(t *testing.T) {
		c := c.in(t)
		form := elsewhere(c.get("/bookings/enter").form("/bookings/enter").Get("id"))
		form.Set("last_name", "WEIGEL") // who is not booked around these days
		form.Set("baggage", "40 kg")
		a := c.post("/bookings/enter", form)
		a.has("40 kg in all, at most 32 each")
		a.lacks("1 × 40")
	})
	t.Run("what is wrong stands beside its field, and nothing typed is lost", func(t *testing.T) {
		c := c.in(t)
		for field, tt := range map[string]struct{ value, want string }{
			"total":     {"a lot", "What it cost, as in 482.00 USD."},
			"taxes":     {"900 USD", "How much of it are taxes"},
			"tickets":   {"618-24", "Ticket numbers have 13 digits"},
			"number":    {"nine", "A flight number is an airline and a number"},
			"from":      {"XQX", "From which airport?"},
			"departs":   {"2036-12-01T19:20", "It lands before it leaves"},
			"baggage":   {"many", "Pieces and the weight of each"},
			"flag":      {"xx", "Two letters, as in PA."},
			"dob":       {"", "date of birth"},
			"last_name": {"R2D2", "Letters and spaces"},
		} {
			form := elsewhere(c.get("/bookings/enter").form("/bookings/enter").Get("id"))
			form[field][0] = tt.value
			wrong := c.post("/bookings/enter", form)
			if wrong.status != http.StatusUnprocessableEntity {
				t.Errorf("%s %q: the answer is %d; want 422", field, tt.value, wrong.status)
			}
			wrong.has(tt.want, "Harbour Travel", "nothing was entered")
		}
	})
	t.Run("tickets that come later are entered when they are there; a refund when it is known", func(t *testing.T) {
		c := c.in(t)
		form := elsewhere(c.get("/bookings/enter").form("/bookings/enter").Get("id"))
		form.Del("tickets")
		form.Set("last_name", "BERG")
		made := c.post("/bookings/enter", form)
		made.has("Entered as", "confirmed", "Enter tickets…")
		path, _, _ := strings.Cut(made.path, "?")
		c.post(path+"/enter-tickets", url.Values{"tickets": {"123"}}).has("13 digits")
		c.post(path+"/enter-tickets", url.Values{"tickets": {"618 2499999999"}}).has("issued", "6182499999999")
		quote := c.get(path + "/cancel")
		quote.has("Harbour Travel", "told later")
		c.post(path+"/cancel", quote.form(path+"/cancel")).has("refund pending", "What came back?")
		c.post(path+"/refund", url.Values{"refund": {"5000"}}).has("between nothing and USD 812.50")
		c.post(path+"/refund", url.Values{"refund": {"700"}}).has("cancelled", "came back")
	})
	t.Run("a change made elsewhere is entered too", func(t *testing.T) {
		c := c.in(t)
		form := elsewhere(c.get("/bookings/enter").form("/bookings/enter").Get("id"))
		form.Set("last_name", "LINDQVIST")
		made := c.post("/bookings/enter", form)
		path, _, _ := strings.Cut(made.path, "?")
		c.get(path+"/change").has("Enter the flights that it was changed to", "SQ 917", "2036-12-01T14:20")
		form["departs"][0], form["arrives"][0] = "2036-12-01T09:20", "2036-12-01T13:10"
		c.post(path+"/enter-change", form).has("What was paid for the change in all")
		form.Set("total", "900 USD")
		form.Set("due", "87.49")
		c.post(path+"/enter-change", form).has("the change cost at least USD 87.50")
		form.Set("due", "90")
		c.post(path+"/enter-change", form).has("The change is entered.", "09:20", "USD 90.00 paid: fare USD 87.50, change fee USD 2.50", "Fees of changes", "Paid so far")
	})
}
