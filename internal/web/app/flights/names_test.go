package flights_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// called is Maria by another name.
func called(last, first string) gangway.Traveller {
	who := apptest.Maria
	who.ID, who.LastName, who.FirstName = "C-"+last, last, first
	return who
}

// TestNamesOnTickets holds that people read each name before a hold as the airline will
// print it, and what happens where the airline cannot.
func TestNamesOnTickets(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)

	t.Run("a name that is printed in other letters is shown so, before the hold and after", func(t *testing.T) {
		search := s.Keep(t, called("Müller-Lüdenscheidt", "Юлия"))
		path := "/searches/" + search.ID
		page := c.In(t).Get(path).Has("Müller-Lüdenscheidt, Юлия", "MUELLER LUEDENSCHEIDT/IULIIA").
			Lacks("Complete the details")
		form := page.Form(path + "/book")
		c.In(t).Get(path+"/hold?"+url.Values{"offer": form["offer"]}.Encode()).
			Has("MUELLER LUEDENSCHEIDT/IULIIA", "Compare it with the passport")
		c.In(t).Post(path+"/book", form).Has("Held as", "Müller-Lüdenscheidt, Юлия", "MUELLER LUEDENSCHEIDT/IULIIA")
	})
	t.Run("typed in the ticket's letters, by the given name or by another word, the traveller is suggested",
		func(t *testing.T) {
			who := []gangway.Traveller{called("Шевченко", "Тарас"), called("de la Cruz", "Benigno"),
				called("Benitez", "Zoë")}
			s.SendTravellers(t, who...)
			for apptest.Must(s.DB.WriteTravellerWords(t.Context()))(t) {
			}
			for typed, want := range map[string]string{"Shev": "Шевченко, Тарас", "taras": "Шевченко, Тарас",
				"Cruz": "de la Cruz, Benigno", "benigno cruz": "de la Cruz, Benigno"} {
				c.In(t).Get("/suggest/travellers?" + url.Values{"surname": {typed}}.Encode()).Has(want)
				c.In(t).Get("/travellers?" + url.Values{"name": {typed}}.Encode()).Has(want)
			}
			both := c.In(t).Get("/suggest/travellers?surname=beni").Body
			if a, b := strings.Index(both, "Benitez"), strings.Index(both, "de la Cruz"); a < 0 || b < a {
				t.Errorf("“beni” suggests Benitez at %d and de la Cruz, Benigno at %d; want surnames first, and both",
					a, b)
			}
		})
	t.Run("nothing is held for a name that cannot be written until a person has typed it", func(t *testing.T) {
		search := s.Keep(t, called("王", "小明"))
		path := "/searches/" + search.ID
		before := len(s.Bookings(t))
		page := c.In(t).Get(path).Has("The names cannot be written in the letters of a ticket",
			`href="`+path+`/members/0"`).Opened().Has(`name="ticket_last"`)
		form := page.Form(path+"/book", "ticket_last", "Wang 3")
		wrong := c.In(t).Post(path+"/book", form).
			Is(http.StatusUnprocessableEntity, "Tickets have the letters A to Z only", `value="Wang 3"`)
		s.WantBookings(t, before)
		form = wrong.Form(path+"/book", "ticket_last", "Wang", "ticket_first", "Xiao-ming")
		c.In(t).Post(path+"/book", form).Has("Held as", "王, 小明", "WANG/XIAO MING")
		list := s.Bookings(t)
		b := list[slices.IndexFunc(list, func(b gangway.Booking) bool { return b.Passenger.LastName == "王" })]
		if b.Passenger.FirstName != "小明" || b.Passenger.TicketName() !=
			(gangway.TicketName{Last: "WANG", First: "XIAO MING"}) {
			t.Errorf("passenger = %+v; want the name as it was sent and what was typed for the ticket", b.Passenger)
		}
	})
	t.Run("a name that is too long is never cut unseen", func(t *testing.T) {
		search := s.Keep(t, called("Santos", "Maria Alexandra Theodora Concepcion"))
		path := "/searches/" + search.ID
		before := len(s.Bookings(t))
		page := c.In(t).Get(path).Has("The first names have 35 letters on a ticket and the airline takes 29").
			Opened().Has(`value="MARIA ALEXANDRA THEODORA"`, "this is how it will be cut")
		form := page.Form(path + "/book")
		unseen := url.Values{}
		for name, values := range form {
			if !strings.HasPrefix(name, "ticket_") {
				unseen[name] = values
			}
		}
		c.In(t).Post(path+"/book", unseen).Is(http.StatusUnprocessableEntity)
		s.WantBookings(t, before)
		c.In(t).Post(path+"/book", form).Has("Held as", "SANTOS/MARIA ALEXANDRA THEODORA")
	})
	t.Run("in a crew change whoever has such a name is left out, with the reason, until it is completed",
		func(t *testing.T) {
			people := apptest.Joiners()
			people[1] = called("นันทวัฒน์", "Somchai")
			people[1].DocNumber, people[1].HomeAirport = "P1234567B", "BKK"
			people[2].LastName = "Żółć"
			search := s.Keep(t, people...)
			path := "/searches/" + search.ID
			c.In(t).Get(path+"?wait=1").Has("2 ready to book · 1 name to complete", ">name to complete<")
			c.In(t).Get(path + "?wait=1&member=1").Has("The last name cannot be written in the letters of a ticket")
			c.In(t).Get(path + "?wait=1&member=2").Has("ZOLC/MARIA")
			c.In(t).Get(path+"/book-all").
				Has("2 travellers, priced just now", "1 name to complete", "Names to complete",
					"The last name cannot be written in the letters of a ticket", "Complete the name",
					`href="`+path+`/members/1"`, "Hold all 2", "ZOLC/MARIA")

			member := c.In(t).Get(path+"/members/1").Lacks("Nothing is missing").
				Has("1 field to complete", "Tickets have the letters A to Z only", `name="ticket_last"`)
			form := member.Form(path+"/members/1", "gender", "F", "when", "arrive", "ticket_last", "ณ")
			c.In(t).Post(path+"/members/1", form).Is(http.StatusUnprocessableEntity)
			form.Set("ticket_last", "Nanthawat")
			c.In(t).Post(path+"/members/1", form).Lacks(">name to complete<")
			review := c.In(t).Get(path+"/book-all").Has("Hold all 3", "NANTHAWAT/SOMCHAI")
			c.In(t).Finish(c.In(t).Post(path+"/book-all", review.Form(path+"/book-all"))).Has("3 of 3 booked")
		})
	t.Run("a booking made elsewhere too has the name that its ticket has", func(t *testing.T) {
		form := c.In(t).Entry("last_name", "李")
		c.In(t).Post("/bookings/enter", form).Is(http.StatusUnprocessableEntity, "Last name on the ticket",
			"Tickets have the letters A to Z only")
		form.Set("ticket_last", "Li")
		form.Set("total", "")
		c.In(t).Post("/bookings/enter", form).Has("On the ticket: ", "LI/BORIS")
		form.Set("total", "812.50 USD")
		c.In(t).Post("/bookings/enter", form).Has("Entered as", "LI/BORIS")
	})
}
