package crew_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

var offerKey = regexp.MustCompile(`class="fare[^"]*" id="o-([^"]*)"`)

// A colleague's choice since the page was made is neither overridden nor ignored without
// a word.
func TestColleagueChoosesMeanwhile(t *testing.T) {
	s := apptest.NewSite(t)
	mara, helen := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
	search := s.Keep(t, apptest.Joiners()[:2]...)
	path := "/searches/" + search.ID
	review := mara.Get(path + "/book-all").Form(path + "/book-all")
	page := helen.Get(path + "?wait=1&member=1")
	keys := offerKey.FindAllStringSubmatch(page.Body, -1)
	form := page.Form(path + "/choose")
	choose := func(c *apptest.Client, n int) apptest.Answer {
		f := form
		f.Set("key", keys[n][1])
		return c.Post(path+"/choose", f)
	}
	choose(helen, 3).Has("chosen", "by Ingrid Holm")

	t.Run("who presses with the same row open is told, and changes nothing", func(t *testing.T) {
		second := choose(mara.In(t), 4)
		second.Is(http.StatusConflict,
			"Ingrid Holm chose another flight for Dela Cruz, Maria meanwhile: look once more.", "Nothing was changed")
		now, err := apptest.Production(s).Search(t.Context(), search.ID)
		if m := now.Members[1]; err != nil || m.Chosen != keys[3][1] || m.ChosenBy != "approver@example.com" {
			t.Fatalf("chosen is %q by %q, %v; want the first choice", m.Chosen, m.ChosenBy, err)
		}
	})
	mara.Run("Book all comes back, and holds nobody", func(t *testing.T, c *apptest.Client) {
		told := c.Post(path+"/book-all", review).
			Is(http.StatusConflict, "Ingrid Holm chose another flight for Dela Cruz, Maria meanwhile: look once more.",
				"Nobody was booked yet")
		s.WantBookings(t, 0)
		if strings.Contains(told.Body, "for Santos, Maria meanwhile") {
			t.Error("Santos is named too, whose flight is the same")
		}
		c.Finish(c.Post(path+"/book-all", told.Form(path+"/book-all"))).Has("2 of 2 booked")
	})
}

// The cancel page of new tickets says until when they can be voided.
func TestCancelPageSaysWhenVoidingEnds(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	c.Booked("fare=marine")
	path := "/bookings/" + s.Bookings(t)[0].ID
	c.Submit(path + "/issue")
	until := s.Bookings(t)[0].VoidUntil.UTC().Format("Mon 2 Jan 15:04 UTC")
	c.Get(path+"/cancel").Has("Void tickets · USD ", "The void period ends on "+until)
}
