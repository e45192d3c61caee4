package app_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"gangway"
)

// called is maria by another name.
func called(last, first string) gangway.Traveller {
	who := maria
	who.ID, who.LastName, who.FirstName = "C-"+last, last, first
	return who
}

// TestNamesOnTickets holds that everybody who is shown before a hold stands
// there as the airline will print the name, and what happens where it cannot.
func TestNamesOnTickets(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)

	t.Run("a name that is printed in other letters is shown so, before the hold and after", func(t *testing.T) {
		search := s.keep(t, called("Müller-Lüdenscheidt", "Юлия"))
		path := "/searches/" + search.ID
		page := c.in(t).get(path)
		page.has("Müller-Lüdenscheidt, Юлия", "MUELLER LUEDENSCHEIDT/IULIIA")
		page.lacks("Complete the details")
		form := page.form(path + "/book")
		hold := c.in(t).get(path + "/hold?" + url.Values{"offer": form["offer"]}.Encode())
		hold.has("MUELLER LUEDENSCHEIDT/IULIIA", "Compare it with the passport")
		c.in(t).post(path+"/book", form).has("Held as", "Müller-Lüdenscheidt, Юлия", "MUELLER LUEDENSCHEIDT/IULIIA")
	})
	t.Run("typed in the ticket's letters, by the given name or by another word, the traveller is suggested", func(t *testing.T) {
		who := []gangway.Traveller{called("Шевченко", "Тарас"), called("de la Cruz", "Benigno"), called("Benitez", "Zoë")}
		if _, err := production(s).UpsertTravellers(t.Context(), who); err != nil {
			t.Fatal(err)
		}
		for some := true; some; {
			var err error
			if some, err = s.db.WordTravellers(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for typed, want := range map[string]string{"Shev": "Шевченко, Тарас", "taras": "Шевченко, Тарас", "Cruz": "de la Cruz, Benigno", "benigno cruz": "de la Cruz, Benigno"} {
			c.in(t).get("/suggest/travellers?" + url.Values{"surname": {typed}}.Encode()).has(want)
			c.in(t).get("/travellers?" + url.Values{"name": {typed}}.Encode()).has(want)
		}
		both := c.in(t).get("/suggest/travellers?surname=beni").body
		if a, b := strings.Index(both, "Benitez"), strings.Index(both, "de la Cruz"); a < 0 || b < a {
			t.Errorf("“beni” suggests Benitez at %d and de la Cruz, Benigno at %d; want surnames first, and both", a, b)
		}
	})
	t.Run("a name in plain letters is shown once", func(t *testing.T) {
		c.in(t).get("/searches/" + s.keep(t, maria).ID).lacks("On the ticket")
	})
	t.Run("nothing is held for a name that cannot be written until a person has typed it", func(t *testing.T) {
		search := s.keep(t, called("王", "小明"))
		path := "/searches/" + search.ID
		before := len(s.bookings(t))
		page := c.in(t).get(path)
		page.has("The names cannot be written in the letters of a ticket", `href="`+path+`/members/0"`, `name="ticket_last"`)
		form := page.form(path + "/book")
		form.Set("ticket_last", "Wang 3")
		wrong := c.in(t).post(path+"/book", form)
		if wrong.status != http.StatusUnprocessableEntity || len(s.bookings(t)) != before {
			t.Fatalf("the answer is %d with %d bookings; want 422 and none made", wrong.status, len(s.bookings(t))-before)
		}
		wrong.has("Tickets have the letters A to Z only", `value="Wang 3"`)
		form = wrong.form(path + "/book")
		form.Set("ticket_last", "Wang")
		form.Set("ticket_first", "Xiao-ming")
		c.in(t).post(path+"/book", form).has("Held as", "王, 小明", "WANG/XIAO MING")
		list := s.bookings(t)
		b := list[slices.IndexFunc(list, func(b gangway.Booking) bool { return b.Passenger.LastName == "王" })]
		if b.Passenger.FirstName != "小明" || b.Passenger.TicketName() != (gangway.TicketName{Last: "WANG", First: "XIAO MING"}) {
			t.Errorf("passenger = %+v; want the name as it was sent and what was typed for the ticket", b.Passenger)
		}
	})
	t.Run("a name that is too long is never cut unseen", func(t *testing.T) {
		search := s.keep(t, called("Santos", "Maria Alexandra Theodora Concepcion"))
		path := "/searches/" + search.ID
		before := len(s.bookings(t))
		page := c.in(t).get(path)
		page.has("The first names have 35 letters on a ticket and the airline takes 29", `value="MARIA ALEXANDRA THEODORA"`, "this is how it will be cut")
		form := page.form(path + "/book")
		unseen := url.Values{}
		for name, values := range form {
			if !strings.HasPrefix(name, "ticket_") {
				unseen[name] = values
			}
		}
		if a := c.in(t).post(path+"/book", unseen); a.status != http.StatusUnprocessableEntity || len(s.bookings(t)) != before {
			t.Fatalf("the answer is %d with %d bookings; want 422 and none made", a.status, len(s.bookings(t))-before)
		}
		c.in(t).post(path+"/book", form).has("Held as", "SANTOS/MARIA ALEXANDRA THEODORA")
	})
	t.Run("in a crew change whoever has such a name is left out, with the reason, until it is completed", func(t *testing.T) {
		people := joiners()
		people[1] = called("นันทวัฒน์", "Somchai")
		people[1].DocNumber, people[1].HomeAirport = "P1234567B", "BKK"
		people[2].LastName = "Żółć"
		search := s.keep(t, people...)
		path := "/searches/" + search.ID
		page := c.in(t).get(path + "?wait=1")
		page.has("ZOLC/MARIA", "2 ready to book · 1 name to complete", "The last name cannot be written in the letters of a ticket")
		review := c.in(t).get(path + "/book-all")
		review.has("2 travellers, priced just now", "1 name to complete", "Names to complete", "The last name cannot be written in the letters of a ticket", "Complete the name", `href="`+path+`/members/1"`, "Hold all 2", "ZOLC/MARIA")

		member := c.in(t).get(path + "/members/1")
		member.lacks("Nothing is missing")
		member.has("1 field to complete", "Tickets have the letters A to Z only", `name="ticket_last"`)
		form := member.form(path + "/members/1")
		form.Set("gender", "F")
		form.Set("when", "arrive")
		form.Set("ticket_last", "ณ")
		if a := c.in(t).post(path+"/members/1", form); a.status != http.StatusUnprocessableEntity {
			t.Fatalf("a name in Thai letters is answered with %d; want 422", a.status)
		}
		form.Set("ticket_last", "Nanthawat")
		c.in(t).post(path+"/members/1", form).has("NANTHAWAT/SOMCHAI")
		review = c.in(t).get(path + "/book-all")
		review.has("Hold all 3", "NANTHAWAT/SOMCHAI")
		c.in(t).finish(c.in(t).post(path+"/book-all", review.form(path+"/book-all"))).has("3 of 3 booked")
	})
	t.Run("a booking made elsewhere too has the name that its ticket has", func(t *testing.T) {
		form := elsewhere(c.in(t).get("/bookings/enter").form("/bookings/enter").Get("id"))
		form.Set("last_name", "李")
		wrong := c.in(t).post("/bookings/enter", form)
		if wrong.status != http.StatusUnprocessableEntity {
			t.Fatalf("the answer is %d; want 422", wrong.status)
		}
		wrong.has("Last name on the ticket", "Tickets have the letters A to Z only")
		form.Set("ticket_last", "Li")
		form.Set("total", "")
		c.in(t).post("/bookings/enter", form).has("On the ticket: ", "LI/BORIS")
		form.Set("total", "812.50 USD")
		c.in(t).post("/bookings/enter", form).has("Entered as", "LI/BORIS")
	})
}
