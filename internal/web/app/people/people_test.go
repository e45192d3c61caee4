package people_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

const maya = "maya@example.com"

var linkShown = regexp.MustCompile(`data-copy="Copy the link">http[^<]*(/invitations/[a-z2-7]{32})<`)

// invite has an admin invite somebody, and returns where the invitation is accepted.
func invite(t *testing.T, admin *apptest.Client, email, role string) string {
	t.Helper()
	form := admin.Get("/settings/people/invite").Form("/settings/people/invite")
	form.Set("name", "Maya Okafor")
	form.Set("email", email)
	form.Set("role", role)
	a := admin.Post("/settings/people/invite", form).Is(http.StatusOK)
	again := admin.Post("/settings/people/invite", form) // a double click
	link := linkShown.FindStringSubmatch(a.Body)
	if link == nil || linkShown.FindStringSubmatch(again.Body)[1] != link[1] {
		t.Fatalf("the page shows no link, or another when it is sent twice:\n%s\n%s", a.Body, again.Body)
	}
	return link[1]
}

var chosen = url.Values{"new": {"a heron stands still"}, "again": {"a heron stands still"}}

// An invitation lets somebody in once, with a password that no admin knows.
func TestInvitation(t *testing.T) {
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	link := invite(t, admin, maya, "approver")
	admin.Get("/settings/people").Has("Maya Okafor", maya, `data-state="invited"`).Lacks(link)

	t.Run("opening it does not use it up, nor does a password that is refused", func(t *testing.T) {
		c := s.Client(t)
		for range 3 {
			c.Get(link).Shows(link, "Harbour Crewing invited you as approver", maya)
		}
		c.Post(link, url.Values{"new": {"short"}, "again": {"short"}}).Is(http.StatusUnprocessableEntity,
			"at least 8 characters")
		c.Post(link, url.Values{"new": {"Maya Okafor 1"}, "again": {"Maya Okafor 1"}}).
			Is(http.StatusUnprocessableEntity)
		c.Post(link, url.Values{"new": chosen["new"], "again": {"other"}}).Is(http.StatusUnprocessableEntity)
	})
	t.Run("somebody who is signed in cannot accept it for another by mistake", func(t *testing.T) {
		c := admin.In(t)
		c.Get(link).Shows(link, "You are signed in as admin@example.com").Lacks(`name="new"`)
		c.Post(link, chosen).Is(http.StatusUnprocessableEntity)
	})
	t.Run("its address is in no log", func(t *testing.T) {
		req := apptest.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+link, nil))(t)
		req.Header.Set("Sec-Fetch-Site", "cross-site")
		s.Client(t).Do(req).Is(http.StatusForbidden)
		if e := apptest.LastEntry(t, s); e.What != gangway.RequestRefused || e.After["path"] != "/invitations/…" {
			t.Fatalf("the log says %v", e.After)
		}
	})
	t.Run("a new one replaces it", func(t *testing.T) {
		old := link
		link = invite(t, admin.In(t), "MAYA@example.com", "booker")
		s.Client(t).Get(old).Is(http.StatusNotFound)
		s.Client(t).Post(old, chosen).Is(http.StatusNotFound)
	})
	t.Run("whoever accepts it is signed in, and signs in with the password from then on", func(t *testing.T) {
		c := s.Client(t)
		c.Post(link, chosen).Shows("/")
		c.Get("/settings/people").Is(http.StatusForbidden)
		if a := s.Tries(t, maya, chosen.Get("new"), "10.1.2.3"); a.Path != "/" {
			t.Fatalf("signing in leads to %s", a.Path)
		}
		created := s.Audit(t, gangway.UserCreated)
		apptest.IsEntry(t, s, created[len(created)-1], gangway.UserCreated, maya+" (Maya Okafor)")
		admin.In(t).Get("/settings/people").Lacks(`data-state="invited"`).Has("Maya Okafor")
	})
	t.Run("it works once", func(t *testing.T) {
		s.Client(t).Get(link).Is(http.StatusNotFound, `href="/sign-in"`)
		s.Client(t).Post(link, chosen).Is(http.StatusNotFound)
	})
	t.Run("a link for a new password leaves the old one until it is used", func(t *testing.T) {
		c := s.Client(t)
		a := admin.In(t).Post(personAt(gangway.Booker)+"/change", url.Values{"do": {"password"}}).Is(http.StatusOK)
		apptest.IsEntry(t, s, apptest.LastEntry(t, s), gangway.UserPasswordLink, "admin@example.com (Ingrid Holm)")
		admin.In(t).Get("/settings/people").Lacks(`data-state="invited"`)
		old, link := s.SignedIn(t, gangway.Booker), linkShown.FindStringSubmatch(a.Body)[1]
		c.Post(link, chosen).Shows("/")
		if at := old.Get("/hotels").Path; !strings.HasPrefix(at, "/sign-in") {
			t.Fatalf("with the old password somebody sees %s", at)
		}
		if a := s.Tries(t, "booker@example.com", chosen.Get("new"), "10.1.2.4"); a.Path != "/" {
			t.Fatalf("signing in leads to %s", a.Path)
		}
		c.Post("/sign-out", nil)
		c.Post(link, chosen).Is(http.StatusNotFound)
	})
	t.Run("nobody is invited who has an account", func(t *testing.T) {
		for _, email := range []string{maya, "Booker@example.com"} {
			admin.In(t).Post("/settings/people/invite", url.Values{"email": {email}, "role": {"booker"}}).
				Is(http.StatusUnprocessableEntity, "already a user")
		}
	})
	t.Run("going back and inviting another makes another link", func(t *testing.T) {
		form := admin.In(t).Get("/settings/people/invite").Form("/settings/people/invite")
		var links []string
		for _, email := range []string{"one@example.com", "two@example.com"} {
			form.Set("email", email)
			form.Set("role", "booker")
			a := admin.In(t).Post("/settings/people/invite", form).Is(http.StatusOK)
			links = append(links, linkShown.FindStringSubmatch(a.Body)[1])
		}
		s.Client(t).Get(links[0]).Shows(links[0], "one@example.com")
		s.Client(t).Get(links[1]).Shows(links[1], "two@example.com")
	})
	t.Run("it ends after 72 hours, and when it is withdrawn", func(t *testing.T) {
		late := invite(t, admin.In(t), "late@example.com", "booker")
		s.Passed.Store(int64(gangway.InvitationLife))
		defer s.Passed.Store(0)
		s.Client(t).Get(late).Is(http.StatusNotFound)
		s.Client(t).Post(late, chosen).Is(http.StatusNotFound)
		fresh := s.SignedIn(t, gangway.Admin)
		fresh.Get("/settings/people").Has(`data-state="ended"`)
		soon := invite(t, fresh, "late@example.com", "booker")
		fresh.Post("/settings/people/withdraw", url.Values{"email": {"late@example.com"}}).Shows("/settings/people")
		s.Client(t).Post(soon, chosen).Is(http.StatusNotFound)
	})
	t.Run("it is not guessed", func(t *testing.T) {
		open, c := invite(t, s.SignedIn(t, gangway.Admin), "open@example.com", "admin"), s.Client(t)
		for i := range 1000 {
			guess := []byte(open)
			guess[len("/invitations/")+i%32] = "abcdefghijklmnopqrstuvwxyz234567"[i/32]
			if guess := string(guess); guess != open {
				c.Get(guess).Is(http.StatusNotFound)
			}
		}
		c.Get("/invitations/%00").Is(http.StatusNotFound)
		c.Get(strings.ToUpper(open)).Is(http.StatusNotFound)
	})
}

// personAt is the page of the site's user of a role.
func personAt(role gangway.Role) string { return "/settings/people/u_" + string(role) }

// An admin changes what people may do, and sees what was refused and why.
func TestChangePerson(t *testing.T) {
	s := apptest.NewSite(t)
	admin, booker := s.SignedIn(t, gangway.Admin), s.SignedIn(t, gangway.Booker)
	change := func(t *testing.T, of gangway.Role, form ...string) apptest.Answer {
		t.Helper()
		sent := url.Values{}
		for i := 0; i < len(form); i += 2 {
			sent.Set(form[i], form[i+1])
		}
		return admin.In(t).Post(personAt(of)+"/change", sent)
	}
	t.Run("a role counts from the next page on", func(t *testing.T) {
		change(t, gangway.Booker, "do", "role", "role", "admin").Shows(personAt(gangway.Booker))
		booker.In(t).Get("/settings/people").Shows("/settings/people")
		change(t, gangway.Booker, "do", "role", "role", "booker").Shows(personAt(gangway.Booker))
		booker.In(t).Get("/settings/people").Is(http.StatusForbidden)
		change(t, gangway.Booker, "do", "role", "role", "captain").Is(http.StatusConflict, `role="alert"`)
		change(t, gangway.Booker, "do", "captain").Is(http.StatusBadRequest)
	})
	t.Run("the last admin stays", func(t *testing.T) {
		change(t, gangway.Admin, "do", "off", "sure", "yes").Is(http.StatusConflict, "only admin who may sign in")
		change(t, gangway.Admin, "do", "role", "role", "booker", "sure", "yes").Is(http.StatusConflict,
			"only admin who may sign in")
		admin.In(t).Get("/settings/people").Shows("/settings/people")
	})
	t.Run("switching off asks first, and ends the sessions", func(t *testing.T) {
		asked := change(t, gangway.Booker, "do", "off").Is(http.StatusOK)
		booker.In(t).Get("/hotels").Shows("/hotels")
		admin.In(t).Post(personAt(gangway.Booker)+"/change", asked.Form(personAt(gangway.Booker)+"/change")).
			Shows(personAt(gangway.Booker), `data-state="off"`)
		if a := booker.In(t).Get("/hotels"); !strings.HasPrefix(a.Path, "/sign-in") {
			t.Fatalf("somebody who is switched off sees %s", a.Path)
		}
		change(t, gangway.Booker, "do", "on").Shows(personAt(gangway.Booker), `data-state="active"`)
	})
	t.Run("signing out everywhere lets the person sign in again", func(t *testing.T) {
		approver := s.SignedIn(t, gangway.Approver)
		change(t, gangway.Approver, "do", "sign-out").Shows(personAt(gangway.Approver))
		if a := approver.Get("/hotels"); !strings.HasPrefix(a.Path, "/sign-in") {
			t.Fatalf("somebody who was signed out sees %s", a.Path)
		}
		apptest.IsEntry(t, s, apptest.LastEntry(t, s), gangway.UserSignedOut, "admin@example.com (Ingrid Holm)")
		s.SignedIn(t, gangway.Approver).Get(personAt(gangway.Approver)).Is(http.StatusForbidden)
		admin.In(t).Get("/settings/people").Has("just now").Lacks("never")
	})
	t.Run("an admin who gives up the role is asked, and led out of Settings", func(t *testing.T) {
		change(t, gangway.Approver, "do", "role", "role", "admin").Shows(personAt(gangway.Approver))
		change(t, gangway.Admin, "do", "role", "role", "booker").Is(http.StatusOK, `name="sure"`)
		change(t, gangway.Admin, "do", "role", "role", "booker", "sure", "yes").Shows("/")
		admin.In(t).Get("/settings/people").Is(http.StatusForbidden)
	})
}

// TestMailsOfLinks holds that a company mails so many links within an hour, that further ones are handed over, and that
// its name makes no message and no link in a mail.
func TestMailsOfLinks(t *testing.T) {
	s, office := apptest.NewMailingSite(t)
	apptest.Done(t, s.DB.RenameCustomer(t.Context(), storetest.Operator, s.Production.Customer.ID,
		"Win at www.evil.example https://evil.example", s.Now()))
	admin, form := s.SignedIn(t, gangway.Admin), url.Values{"do": {"password"}, "by": {"mail"}}
	send := func() apptest.Answer { return admin.Post(personAt(gangway.Booker)+"/change", form) }
	for range 30 {
		send().Shows("/settings/people")
	}
	s.Passed.Store(int64(18 * time.Minute))
	if a := send().Is(http.StatusOK, "30 links", "in 42 min"); linkShown.FindString(a.Body) == "" {
		t.Errorf("no link is shown to be handed over:\n%s", a.Body)
	}
	s.Passed.Store(int64(time.Hour))
	admin.Post("/settings/people/invite", url.Values{"email": {maya}, "role": {"booker"}, "by": {"mail"}})
	mails := office.Mails()
	if len(mails) != 31 || !strings.Contains(mails[30], "where Win at evil example https") {
		t.Errorf("%d mails were sent, the last one\n%s", len(mails), mails[len(mails)-1])
	}
}
