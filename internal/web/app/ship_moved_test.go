package app_test

import (
	"net/http"
	"net/url"
	"testing"

	"gangway"
)

// What was chosen for another day or port neither is chosen in silence nor
// vanishes in silence.
func TestShipMovedMeanwhile(t *testing.T) {
	s := newSite(t)
	mara, helen := s.signedIn(t, gangway.Booker), s.signedIn(t, gangway.Approver)
	search := s.keep(t, joiners()...)
	path := "/searches/" + search.ID
	chosen := func(t *testing.T) []string {
		t.Helper()
		now, err := production(s).Search(t.Context(), search.ID)
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, m := range now.Members {
			keys = append(keys, m.Chosen)
		}
		return keys
	}
	move := func(c *client, airport, date string) answer {
		return c.post(path+"/move", url.Values{"airport": {airport}, "date": {date}})
	}
	mara.get(path+"?wait=1").lacks("chosen flight is for", "dropped")
	for i, c := range []*client{mara, helen} {
		form := c.get(path + "?wait=1&member=" + string(rune('0'+i))).form(path + "/choose")
		c.post(path+"/choose", form).has("chosen", "by Ingrid Holm")
	}
	before := helen.get(path + "?wait=1&member=2")
	before.has("2 chosen flights are for ", ": what does not reach the ship where and when you put it is dropped")
	late := before.form(path + "/choose")

	move(mara, "AMS", "2036-12-08")
	t.Run("a choice made for another day comes back, and says who moved the ship, and to when and where", func(t *testing.T) {
		told := helen.in(t).post(path+"/choose", late)
		if told.status != http.StatusConflict || chosen(t)[2] != "" {
			t.Fatalf("the answer is %d, and %q is chosen; want 409 and nothing", told.status, chosen(t)[2])
		}
		told.has("Ingrid Holm moved the ship meanwhile: it is now at AMS on Mon 8 Dec.", "Nothing was chosen")
	})
	t.Run("whoever looks is told which choices were dropped, and whose", func(t *testing.T) {
		page := helen.in(t).get(path + "?wait=1")
		page.has("Ingrid Holm moved the ship: it was at AMS on Mon 1 Dec, it is now at AMS on Mon 8 Dec.",
			"2 choices were dropped (chosen: 2 by Ingrid Holm)", "not the flight that Ingrid Holm chose")
	})
	t.Run("until another flight was chosen", func(t *testing.T) {
		c := mara.in(t)
		c.post(path+"/choose", c.get(path+"?wait=1&member=0").form(path+"/choose"))
		c.get(path + "?wait=1").has("1 choice was dropped (chosen: 1 by Ingrid Holm)")
	})
	t.Run("a choice whose flight still reaches the ship stays", func(t *testing.T) {
		kept := chosen(t)[1]
		move(mara.in(t), "AMS", "2036-12-01")
		page := helen.in(t).get(path + "?wait=1&member=1")
		page.has("1 choice was dropped", "1 flight chosen before still reaches the ship and stays chosen.", `id="o-`+kept+`"`, "This one is chosen")
	})
	t.Run("a choice made for another route of the traveller comes back", func(t *testing.T) {
		form := helen.in(t).get(path + "?wait=1&member=2").form(path + "/choose")
		if _, err := production(s).UpdateSearch(t.Context(), search.ID, func(s *gangway.Search) error {
			s.Members[2].Legs[0].Origin = "WAW"
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		told := helen.in(t).post(path+"/choose", form)
		told.has("What is looked for was changed meanwhile. Nothing was chosen")
	})
}

// What is reviewed for one day or port is not held once the ship was moved.
func TestBookAllAfterShipMoved(t *testing.T) {
	s := newSite(t)
	mara, helen := s.signedIn(t, gangway.Booker), s.signedIn(t, gangway.Approver)
	search := s.keep(t, joiners()[:2]...)
	path := "/searches/" + search.ID
	form := mara.get(path + "/book-all").form(path + "/book-all")
	helen.post(path+"/move", url.Values{"airport": {"AMS"}, "date": {"2036-12-08"}})
	told := mara.post(path+"/book-all", form)
	if told.status != http.StatusConflict || len(s.bookings(t)) != 0 {
		t.Fatalf("the answer is %d, with %d held; want 409 and nobody", told.status, len(s.bookings(t)))
	}
	told.has("Ingrid Holm moved the ship meanwhile: it is now at AMS on Mon 8 Dec. Nobody was booked yet.", "Book all: Nordlys at AMS on Mon 8 Dec")
	told.lacks("open for too long")
	mara.finish(mara.post(path+"/book-all", told.form(path+"/book-all"))).has("2 of 2 booked")
}
