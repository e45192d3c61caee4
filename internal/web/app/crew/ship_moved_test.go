package crew_test

import (
	"net/http"
	"net/url"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

// A choice for another day or port neither stays chosen nor disappears without a word.
func TestShipMovedMeanwhile(t *testing.T) {
	s := apptest.NewSite(t)
	mara, helen := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
	search := s.Keep(t, apptest.Joiners()...)
	path := "/searches/" + search.ID
	chosen := func(t *testing.T) []string {
		t.Helper()
		now := s.Search(t, search.ID)
		var keys []string
		for _, m := range now.Members {
			keys = append(keys, m.Chosen)
		}
		return keys
	}
	move := func(c *apptest.Client, airport, date string) apptest.Answer {
		return c.Post(path+"/move", url.Values{"airport": {airport}, "date": {date}})
	}
	mara.Get(path+"?wait=1&view=move").Lacks("chosen flight is for", "dropped")
	for i, c := range []*apptest.Client{mara, helen} {
		form := c.Get(path + "?wait=1&member=" + string(rune('0'+i))).Form(path + "/choose")
		c.Post(path+"/choose", form).Has("chosen", "by Ingrid Holm")
	}
	before := helen.Get(path+"?wait=1&member=2&view=move").
		Has("2 chosen flights are for ", "Those that do not reach the ship are dropped.")
	late := before.Form(path + "/choose")

	move(mara, "AMS", "2036-12-08")
	t.Run("a choice made for another day comes back, and says who moved the ship, and to when and where",
		func(t *testing.T) {
			told := helen.In(t).Post(path+"/choose", late)
			if told.Status != http.StatusConflict || chosen(t)[2] != "" {
				t.Fatalf("the answer is %d, and %q is chosen; want 409 and nothing", told.Status, chosen(t)[2])
			}
			told.Has("Ingrid Holm moved the ship meanwhile: it is now at AMS on Mon 8 Dec.", "Nothing was chosen")
		})
	t.Run("whoever looks is told which choices were dropped, and whose", func(t *testing.T) {
		helen.In(t).Get(path+"?wait=1").Has(
			"Ingrid Holm moved the ship: it was at AMS on Mon 1 Dec, it is now at AMS on Mon 8 Dec.",
			"2 choices were dropped (chosen: 2 by Ingrid Holm)", "not the flight that Ingrid Holm chose")
	})
	mara.Run("until another flight was chosen", func(t *testing.T, c *apptest.Client) {
		c.Post(path+"/choose", c.Get(path+"?wait=1&member=0").Form(path+"/choose"))
		c.Get(path + "?wait=1").Has("1 choice was dropped (chosen: 1 by Ingrid Holm)")
	})
	t.Run("a choice whose flight still reaches the ship stays", func(t *testing.T) {
		kept := chosen(t)[1]
		move(mara.In(t), "AMS", "2036-12-01")
		helen.In(t).Get(path+"?wait=1&member=1").
			Has("1 choice was dropped", "1 flight chosen before still reaches the ship and stays chosen.",
				`chosen" id="o-`+kept+`"`)
	})
	t.Run("a choice made for another route of the traveller comes back", func(t *testing.T) {
		form := helen.In(t).Get(path + "?wait=1&member=2").Form(path + "/choose")
		if _, err := apptest.Production(s).UpdateSearch(t.Context(), search.ID, func(s *gangway.Search) error {
			s.Members[2].Legs[0].Origin = "WAW"
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		helen.In(t).Post(path+"/choose", form).Has("What is looked for was changed meanwhile. Nothing was chosen")
	})
}

// Flights reviewed for one day or port are not held once the ship has moved.
func TestBookAllAfterShipMoved(t *testing.T) {
	s := apptest.NewSite(t)
	mara, helen := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
	search := s.Keep(t, apptest.Joiners()[:2]...)
	path := "/searches/" + search.ID
	form := mara.Get(path + "/book-all").Form(path + "/book-all")
	helen.Post(path+"/move", url.Values{"airport": {"AMS"}, "date": {"2036-12-08"}})
	told := mara.Post(path+"/book-all", form).
		Is(http.StatusConflict,
			"Ingrid Holm moved the ship meanwhile: it is now at AMS on Mon 8 Dec. Nobody was booked yet.",
			"Book all: Nordlys at AMS on Mon 8 Dec")
	s.WantBookings(t, 0)
	told.Lacks("open for too long")
	mara.Finish(mara.Post(path+"/book-all", told.Form(path+"/book-all"))).Has("2 of 2 booked")
}
