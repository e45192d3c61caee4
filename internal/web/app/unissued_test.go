package app_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"gangway"
	"gangway/internal/store/storetest"
)

// hold posts the form of a search's first flexible marine offer with the button of that value.
func (c *client) hold(button string) answer {
	c.t.Helper()
	search := c.site.keep(c.t, maria)
	to := "/searches/" + search.ID + "/book"
	form := c.get("/searches/" + search.ID + "?fare=marine&rule=change").form(to)
	if form.Del("unissued"); button != "" {
		form.Set("unissued", button)
	}
	return c.post(to, form)
}

const (
	automatically = "Will be issued automatically on "
	letGo         = "Seats are let go on "
)

// TestHoldSaysWhatBecomesOfIt holds that a hold is bought only where somebody
// chose that, and that every place says which it is, when and for how much.
func TestHoldSaysWhatBecomesOfIt(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	when := regexp.MustCompile(`automatically on [A-Z][a-z]{2} \d+ [A-Z][a-z]{2} \d\d:\d\d UTC for USD [\d,]+\.\d\d unless released`)

	t.Run("both buttons say so, and without a word nothing is bought", func(t *testing.T) {
		search := s.keep(t, maria)
		c.in(t).get("/searches/"+search.ID+"?fare=marine&rule=change").has("seats are let go on ", "Hold and issue automatically, USD ", "unless released")
		page := c.in(t).hold("")
		page.has("Held as", letGo, "nothing is paid")
		page.lacks(automatically)
	})
	t.Run("let go", func(t *testing.T) {
		page := c.in(t).hold("let-go")
		page.has(letGo, "Issue automatically instead, for USD ")
		page.lacks(automatically)
	})
	t.Run("issued automatically: notice, booking and deadlines", func(t *testing.T) {
		page := c.in(t).hold("issue")
		path, _, _ := strings.Cut(page.path, "?")
		for _, at := range []string{path, "/deadlines"} {
			if page := c.in(t).get(at); !when.MatchString(page.body) {
				t.Errorf("%s does not say when it will be issued, and for how much", at)
			}
		}
		page.has("Held as", automatically, "Do not issue automatically")
		released := c.in(t).post(path+"/unissued", url.Values{"unissued": {"let-go"}})
		released.shows(path, letGo, "chosen by Ingrid Holm")
		released.lacks(automatically)
		c.in(t).post(path+"/unissued", url.Values{"unissued": {"issue"}}).has(automatically)
		c.in(t).post(path+"/issue", c.in(t).get(path+"/issue").form(path+"/issue"))
		if late := c.in(t).post(path+"/unissued", url.Values{"unissued": {"issue"}}); late.status != http.StatusConflict {
			t.Fatalf("chosen after tickets were issued is answered with %d; want 409", late.status)
		}
	})
	t.Run("a choice that there is not is refused, and nothing is held or changed", func(t *testing.T) {
		storetest.Settings(t, production(s), gangway.Settings{AutoIssue: true})
		defer storetest.Settings(t, production(s), gangway.Settings{})
		path, _, _ := strings.Cut(c.in(t).hold("let-go").path, "?")
		for _, choice := range []url.Values{{"unissued": {"release"}}, {"unissued": {""}}, {}} {
			if page := c.in(t).post(path+"/unissued", choice); page.status != http.StatusBadRequest {
				t.Errorf("POST unissued with %v is answered with %d; want 400", choice, page.status)
			}
		}
		page := c.in(t).get(path)
		page.has(letGo)
		page.lacks(automatically)
		before := len(s.bookings(t))
		if page := c.in(t).hold("release"); page.status != http.StatusBadRequest || len(s.bookings(t)) != before {
			t.Errorf("a hold with it is answered with %d, and there are %d bookings after %d", page.status, len(s.bookings(t)), before)
		}
	})
	t.Run("the account's policy comes first", func(t *testing.T) {
		storetest.Settings(t, production(s), gangway.Settings{AutoIssue: true})
		defer storetest.Settings(t, production(s), gangway.Settings{})
		c.in(t).hold("").has(automatically)
		c.in(t).hold("let-go").has(letGo)
	})
	t.Run("a crew's holds too", func(t *testing.T) {
		search := s.keep(t, joiners()[:2]...)
		path := "/searches/" + search.ID
		c.in(t).get(path + "?wait=1")
		review := c.in(t).get(path + "/book-all")
		review.has("seats are let go when their time in the table ends", "each will be paid and issued at its time in the table unless released", "if issued automatically: ")
		form := review.form(path + "/book-all")
		form.Set("unissued", "release")
		if page := c.in(t).post(path+"/book-all", form); page.status != http.StatusBadRequest {
			t.Errorf("a choice that there is not is answered with %d; want 400", page.status)
		}
		form.Set("unissued", "issue")
		c.in(t).finish(c.in(t).post(path+"/book-all", form)).has("2 of 2 booked")
		for _, b := range s.bookings(t) {
			if b.Purpose.Search == search.ID && b.AutoIssue == b.TicketBy.IsZero() {
				t.Errorf("%s is issued automatically: %v; want it chosen", b.Locator, b.AutoIssue)
			}
		}
	})
}

// TestFourEyesPages holds that nobody is offered to approve a booking of his own.
func TestFourEyesPages(t *testing.T) {
	s := newSite(t)
	storetest.Settings(t, production(s), gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
	approver, admin := s.signedIn(t, gangway.Approver), s.signedIn(t, gangway.Admin)
	page := approver.hold("issue")
	path, _, _ := strings.Cut(page.path, "?")
	id := strings.TrimPrefix(path, "/bookings/")
	page.has("Once approved, will be issued automatically on ")

	own := approver.get(path)
	own.has("You have made this booking yourself: another approver", "Decline and release the seats")
	own.lacks(path + "/approve")
	approver.get("/approvals").has("yours: another approver decides", "this one")
	if page := approver.post(path+"/approve", nil); page.status != http.StatusForbidden {
		t.Fatalf("approving one's own is answered with %d; want 403", page.status)
	}
	refused := approver.post("/approvals", url.Values{"decide": {"approve"}, "booking": {id}})
	refused.has("You have made booking ", "another approver has to approve it")
	admin.get(path).has("at the same times, with rules and baggage at least as good", "The price is good until", path+"/approve")
	admin.post(path+"/approve", nil).shows(path, "Approved.", automatically)
}

// TestCheapestIsOurs holds that what an approver compares with comes from no form.
func TestCheapestIsOurs(t *testing.T) {
	s := newSite(t)
	storetest.Settings(t, production(s), gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
	c := s.signedIn(t, gangway.Booker)
	search := s.keep(t, maria)
	to := "/searches/" + search.ID + "/book"
	form := c.get("/searches/" + search.ID).form(to)
	form.Set("cheapest", "USD 99999.00")
	c.post(to, form)
	b := s.bookings(t)[0]
	if b.Approval.Cheapest != b.Price.Total {
		t.Fatalf("the cheapest is %s; want %s, which was the first of the list", b.Approval.Cheapest, b.Price.Total)
	}
	s.signedIn(t, gangway.Approver).get("/approvals").lacks("99,999")
}
