package flights_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// TestHoldSaysWhatBecomesOfIt holds that a hold is paid for only where somebody chose that,
// and that every page says what will happen, when and for how much.
func TestHoldSaysWhatBecomesOfIt(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	when := regexp.MustCompile(
		`automatically on [A-Z][a-z]{2} \d+ [A-Z][a-z]{2} \d\d:\d\d UTC for USD [\d,]+\.\d\d unless released`)

	t.Run("both buttons say so, and without a word nothing is bought", func(t *testing.T) {
		search := s.Keep(t, apptest.Maria)
		c.In(t).Get("/searches/"+search.ID+"?fare=marine&rule=change").Opened().Has("released ", "if not ticketed",
			"Hold and issue automatically, USD ", "unless released")
		c.In(t).Hold("").Has("Held as", apptest.LetGo).Lacks(apptest.Automatically)
	})
	t.Run("issued automatically: notice, booking and deadlines", func(t *testing.T) {
		page := c.In(t).Hold("issue")
		path, _, _ := strings.Cut(page.Path, "?")
		if page := c.In(t).Get(path); !when.MatchString(page.Body) {
			t.Error("the booking does not say when it will be issued, and for how much")
		}
		c.In(t).Get("/deadlines?show=all").Has("issues itself")
		page.Has("Held as", apptest.Automatically, "Do not issue automatically")
		c.In(t).Post(path+"/unissued", url.Values{"unissued": {"let-go"}}).
			Shows(path, apptest.LetGo, "chosen by Ingrid Holm").Lacks(apptest.Automatically)
		c.In(t).Post(path+"/unissued", url.Values{"unissued": {"issue"}}).Has(apptest.Automatically)
		c.In(t).Submit(path + "/issue")
		c.In(t).Post(path+"/unissued", url.Values{"unissued": {"issue"}}).Is(http.StatusConflict)
	})
	t.Run("a choice that there is not is refused, and nothing is held or changed", func(t *testing.T) {
		storetest.Settings(t, apptest.Production(s), gangway.Settings{AutoIssue: true})
		defer storetest.Settings(t, apptest.Production(s), gangway.Settings{})
		path, _, _ := strings.Cut(c.In(t).Hold("let-go").Path, "?")
		for _, choice := range []url.Values{{"unissued": {"release"}}, {"unissued": {""}}, {}} {
			c.In(t).Post(path+"/unissued", choice).Is(http.StatusBadRequest)
		}
		c.In(t).Get(path).Has(apptest.LetGo).Lacks(apptest.Automatically)
		before := len(s.Bookings(t))
		c.In(t).Hold("release").Is(http.StatusBadRequest)
		s.WantBookings(t, before)
	})
	t.Run("the account's policy comes first", func(t *testing.T) {
		storetest.Settings(t, apptest.Production(s), gangway.Settings{AutoIssue: true})
		defer storetest.Settings(t, apptest.Production(s), gangway.Settings{})
		c.In(t).Hold("").Has(apptest.Automatically)
		c.In(t).Hold("let-go").Has(apptest.LetGo)
	})
	t.Run("a crew's holds too", func(t *testing.T) {
		search := s.Keep(t, apptest.Joiners()[:2]...)
		path := "/searches/" + search.ID
		c.In(t).Get(path + "?wait=1")
		review := c.In(t).Get(path+"/book-all").
			Has("released when the seats’ time ends, if not ticketed",
				"each will be paid and issued at its time, the first 2", "<li data-issues>Issued 2")
		form := review.Form(path+"/book-all", "unissued", "release")
		c.In(t).Post(path+"/book-all", form).Is(http.StatusBadRequest)
		form.Set("unissued", "issue")
		c.In(t).Finish(c.In(t).Post(path+"/book-all", form)).Has("2 of 2 booked")
		for _, b := range s.Bookings(t) {
			if b.Purpose.Search == search.ID && b.AutoIssue == b.TicketBy.IsZero() {
				t.Errorf("%s is issued automatically: %v; want it chosen", b.Locator, b.AutoIssue)
			}
		}
	})
}

// TestCheapestIsOurs holds that the price that an approver compares with never comes from a form.
func TestCheapestIsOurs(t *testing.T) {
	s := apptest.NewSite(t)
	storetest.Settings(t, apptest.Production(s),
		gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
	c := s.SignedIn(t, gangway.Booker)
	search := s.Keep(t, apptest.Maria)
	to := "/searches/" + search.ID + "/book"
	c.Post(to, c.Get("/searches/"+search.ID).Form(to, "cheapest", "USD 99999.00"))
	b := s.Bookings(t)[0]
	if b.Approval.Cheapest != b.Price.Total {
		t.Fatalf("the cheapest is %s; want %s, which was the first of the list", b.Approval.Cheapest, b.Price.Total)
	}
	s.SignedIn(t, gangway.Approver).Get("/approvals").Lacks("99,999")
}
