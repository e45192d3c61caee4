package app_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"gangway"
)

var offerKey = regexp.MustCompile(`name="key" value="([^"]*)"`)

// What a colleague has chosen since a page was made is neither overridden nor
// booked past in silence.
func TestColleagueChoosesMeanwhile(t *testing.T) {
	s := newSite(t)
	mara, helen := s.signedIn(t, gangway.Booker), s.signedIn(t, gangway.Approver)
	search := s.keep(t, joiners()[:2]...)
	path := "/searches/" + search.ID
	review := mara.get(path + "/book-all").form(path + "/book-all")
	page := helen.get(path + "?wait=1&member=1")
	keys := offerKey.FindAllStringSubmatch(page.body, -1)
	form := page.form(path + "/choose")
	choose := func(c *client, n int) answer {
		f := form
		f.Set("key", keys[n][1])
		return c.post(path+"/choose", f)
	}
	choose(helen, 3).has("chosen", "by Ingrid Holm")

	t.Run("who presses with the same row open is told, and changes nothing", func(t *testing.T) {
		second := choose(mara.in(t), 4)
		if second.status != http.StatusConflict {
			t.Fatalf("the second press is answered with %d; want 409", second.status)
		}
		second.has("Ingrid Holm chose another flight for Dela Cruz, Maria meanwhile: look once more.", "Nothing was changed")
		now, err := production(s).Search(t.Context(), search.ID)
		if m := now.Members[1]; err != nil || m.Chosen != keys[3][1] || m.ChosenBy != "approver@example.com" {
			t.Fatalf("chosen is %q by %q, %v; want the first choice", m.Chosen, m.ChosenBy, err)
		}
	})
	t.Run("Book all comes back, and holds nobody", func(t *testing.T) {
		c := mara.in(t)
		told := c.post(path+"/book-all", review)
		if told.status != http.StatusConflict || len(s.bookings(t)) != 0 {
			t.Fatalf("the answer is %d, with %d held; want 409 and nobody", told.status, len(s.bookings(t)))
		}
		told.has("Ingrid Holm chose another flight for Dela Cruz, Maria meanwhile: look once more.", "Nobody was booked yet")
		if strings.Contains(told.body, "for Santos, Maria meanwhile") {
			t.Error("Santos is named too, whose flight is the same")
		}
		c.finish(c.post(path+"/book-all", told.form(path+"/book-all"))).has("2 of 2 booked")
	})
}

// A cancel page that was overtaken says who did what, as every other page does.
func TestCancelOvertakenByIssue(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	c.booked("fare=marine")
	path := "/bookings/" + s.bookings(t)[0].ID
	form := c.get(path + "/cancel").form(path + "/cancel")
	c.post(path+"/issue", c.get(path+"/issue").form(path+"/issue")).has("Tickets are issued.")
	late := c.post(path+"/cancel", form)
	if late.status != http.StatusConflict || s.bookings(t)[0].State != gangway.Issued {
		t.Fatalf("the answer is %d and the booking %s; want 409, and still issued", late.status, s.bookings(t)[0].State)
	}
	late.has("Ingrid Holm had the tickets issued at")
	late.lacks("changed since this quote")
}

// The cancel page of new tickets says until when they can be voided.
func TestCancelPageSaysWhenVoidingEnds(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	c.booked("fare=marine")
	path := "/bookings/" + s.bookings(t)[0].ID
	c.post(path+"/issue", c.get(path+"/issue").form(path+"/issue"))
	until := s.bookings(t)[0].VoidUntil.UTC().Format("Mon 2 Jan 15:04 UTC")
	c.get(path+"/cancel").has("Void the tickets", "The void period ends on "+until)
}
