package crew_test

import (
	"net/http"
	"net/url"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

func TestCrewChange(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	search := s.Keep(t, apptest.Joiners()...)
	path := "/searches/" + search.ID

	t.Run("one row for each, with a flight proposed", func(t *testing.T) {
		c.In(t).Get(path+"?wait=1").Has("Nordlys · AMS Amsterdam · Mon 1 Dec", "Santos, Maria", "Dela Cruz, Maria",
			"Kowalski, Maria", "0 of 3 booked · 3 ready to book", "due on board by the end of Mon 1 Dec", "3 proposed", `data-grade="good"`,
			"Book all 3…")
	})
	t.Run("the results come as a stream, each row once, and its end counts them", func(t *testing.T) {
		page := c.In(t).Get(path + "/stream")
		if got := page.Head.Get("Content-Type"); got != "text/event-stream" {
			t.Fatalf("content type is %q", got)
		}
		page.Has("event: end", `data: <header class="head" id="head">`, `id="m-0"`, `id="m-2"`, "3 ready to book")
	})
	t.Run("another flight is chosen and stays chosen", func(t *testing.T) {
		page := c.In(t).Get(path+"?member=1").Has("Dela Cruz, Maria:", "/members/1")
		page.Opened().Has("Choose this flight")
		keys := offerKey.FindAllStringSubmatch(page.Body, -1)
		form := page.Form(path+"/choose", "key", keys[3][1], "query", "member=1&fare=public")
		chosen := c.In(t).Post(path+"/choose", form)
		if chosen.Path != path+"?fare=public&member=1" {
			t.Fatalf("choosing led to %s; want the page as it was", chosen.Path)
		}
		c.In(t).Get(path+"?wait=1").Has("chosen", "proposed")
	})
	t.Run("it says who could be there around the day, and at another port, and moves nobody", func(t *testing.T) {
		c.In(t).Get(path+"?wait=1&view=move").Has("Who could be there", "Sun 30 Nov", "Mon 1 Dec", "Tue 2 Dec",
			"all 3 can make it")
		c.In(t).Post(path+"/move", url.Values{"airport": {"NLRTM"}, "date": {"2036-11-21"}, "step": {"compare"},
			"query": {"stops=1"}}).Shows(path+"/move", `value="NLRTM port of Rotterdam"`, `value="Fri 21 Nov 2036"`,
			`id="move"`, "Thu 20 Nov", "Sat 22 Nov", "of 3 can make it", `value="1" checked`)
		same, err := apptest.Production(s).Search(t.Context(), search.ID)
		if err != nil || same.Airport != "AMS" || same.Date != "2036-12-01" || same.Members[0].Legs[0].Destination !=
			"AMS" {
			t.Fatalf("search = %+v, %v; want it as it was", same, err)
		}
	})
	t.Run("who cannot be there by then is said so", func(t *testing.T) {
		late := s.Keep(t, apptest.Joiners()...)
		for i := range late.Members {
			late.Members[i].Legs[0].ArriveOn, late.Members[i].Legs[0].ArriveBy = "2036-11-20", "18:00"
		}
		s.Save(t, late)
		c.In(t).Get("/searches/"+late.ID+"?wait=1").Has("No flights found", "cannot be there by then",
			"without a flight")
	})
	t.Run("to a port, the way from its airports is counted", func(t *testing.T) {
		other := s.Keep(t, apptest.Joiners()...)
		page := c.In(t).Post("/searches/"+other.ID+"/move", url.Values{"airport": {"NLRTM"}, "date": {"2036-12-01"}})
		page = c.In(t).Get(page.Path+"?wait=1&view=map&member=0").
			Has("Nordlys · Rotterdam · Mon 1 Dec", `data-label="At the port"><time`, "by road from AMS to the port of Rotterdam", "by road included",
				"port of Rotterdam; the table below says the same")
	})
	t.Run("the ship moves, and everybody with it", func(t *testing.T) {
		other := s.Keep(t, apptest.Joiners()...)
		c.In(t).Post("/searches/"+other.ID+"/move", url.Values{"airport": {"SIN"}, "date": {"2036-12-03"}}).
			Has("Singapore", "Wed 3 Dec")
		moved, err := apptest.Production(s).Search(t.Context(), other.ID)
		if err != nil || moved.Members[2].Legs[0].Destination != "SIN" || moved.Members[2].Legs[0].ArriveOn !=
			"2036-12-03" {
			t.Fatalf("search = %+v, %v; want all to be at SIN on the 3rd", moved.Members, err)
		}
		c.In(t).Post("/searches/"+other.ID+"/move", url.Values{"airport": {"Atlantis"},
			"date": {"2036-12-03"}}).Is(http.StatusUnprocessableEntity, `value="Atlantis"`,
			"No airport, city or port is called this.")
	})
}

func TestBookAll(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)

	t.Run("everything is quoted, then booked; sent twice it is booked once", func(t *testing.T) {
		search := s.Keep(t, apptest.Joiners()...)
		path := "/searches/" + search.ID
		review := c.In(t).Get(path+"/book-all").
			Has("3 travellers, priced just now", "Total for 3 travellers", "Hold all 3, USD", "Leave out",
				"first fare ends", `data-label="Fare until, UTC"`, "novalidate")
		form := review.Form(path + "/book-all")
		result := c.In(t).Finish(c.In(t).Post(path+"/book-all", form)).Has("3 of 3 booked", "confirmed")
		again := c.In(t).Post(path+"/book-all", form)
		if again.Path != result.Path {
			t.Fatalf("the second time led to %s; want %s", again.Path, result.Path)
		}
		if n := len(s.Bookings(t)); n != 3 {
			t.Fatalf("%d bookings were made; want 3", n)
		}
		c.In(t).Get(path + "?wait=1").Has("3 booked")
		c.In(t).Get(path + "/book-all").Has("There is nobody left to book")
		c.In(t).Get(path + "/batches/another").Shows(path)
	})
	t.Run("one failure never stops the others", func(t *testing.T) {
		search := s.Keep(t, apptest.Joiners()...)
		path := "/searches/" + search.ID
		review := c.In(t).Get(path + "/book-all")
		review.Has("To answer first", "Booked around the same days already", ", MNL →") // by the search before
		form := review.Form(path+"/book-all", "m1.price", "USD 1.00")
		c.In(t).Finish(c.In(t).Post(path+"/book-all", form)).
			Has("2 of 3 booked", "1 to look at", "The price is now", "Choose another flight", path+"?member=1")
	})
	t.Run("who is left out is not booked", func(t *testing.T) {
		search := s.Keep(t, apptest.Joiners()...)
		path := "/searches/" + search.ID
		review := c.In(t).Get(path+"/book-all?without=0&without=2").
			Has("Left out", "Include again", "Total for 1 traveller", "Hold 1 flight")
		c.In(t).Finish(c.In(t).Post(path+"/book-all", review.Form(path+"/book-all"))).Has("1 of 1 booked")
	})
	t.Run("what is missing of anybody is asked for before anybody is booked", func(t *testing.T) {
		people := apptest.Joiners()
		people[1].DOB = ""
		search := s.Keep(t, people...)
		path := "/searches/" + search.ID
		before := len(s.Bookings(t))
		review := c.In(t).Get(path + "/book-all").Has(`name="m1.dob"`)
		form := review.Form(path+"/book-all", "m1.dob", "4/3/1990")
		wrong := c.In(t).Post(path+"/book-all", form).
			Is(http.StatusUnprocessableEntity, "Nobody was booked yet", `value="4/3/1990"`, "4 Mar 1990 or 3 Apr 1990")
		s.WantBookings(t, before)
		form = wrong.Form(path+"/book-all", "m1.dob", "30.04.1990")
		c.In(t).Finish(c.In(t).Post(path+"/book-all", form)).Has("3 of 3 booked")
	})
}
