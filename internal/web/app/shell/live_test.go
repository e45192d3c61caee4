package shell_test

import (
	"bufio"
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// liveOf is where an open page hears of news.
func liveOf(page apptest.Answer) (path, mark string) {
	_, after, _ := strings.Cut(page.Body, `data-live="`)
	path, _, _ = strings.Cut(after, `"`)
	return path, strings.TrimPrefix(path, "/live?for=")
}

// asks asks for something as the script of an open page does.
func asks(t *testing.T, c *apptest.Client, path string, head ...string) apptest.Answer {
	t.Helper()
	req := apptest.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, c.Site.URL+path, nil))(t)
	for i := 0; i < len(head); i += 2 {
		req.Header.Set(head[i], head[i+1])
	}
	return c.In(t).Do(req)
}

// opened opens a page, and returns what asks for what has changed of it.
func opened(t *testing.T, c *apptest.Client, path string) func(tag string) apptest.Answer {
	t.Helper()
	_, mark := liveOf(c.In(t).Get(path))
	return func(tag string) apptest.Answer {
		t.Helper()
		return asks(t, c, path, "Gangway-Live", mark, "If-None-Match", tag)
	}
}

// colleague signs in another person of the customer.
func colleague(t *testing.T, s *apptest.Site, name string, role gangway.Role) *apptest.Client {
	t.Helper()
	u := gangway.User{ID: "u_" + name, Customer: s.Production.Customer.ID, Email: name + "@example.com", Name: name,
		Role: role}
	apptest.Done(t, s.DB.CreateUser(t.Context(), storetest.Operator, u, apptest.PasswordHash, apptest.Today))
	c := s.Client(t)
	c.Post("/sign-in", url.Values{"email": {u.Email}, "password": {apptest.Password}})
	return c
}

// TestReadersOfAPageShareIt holds that what has changed of a page is rendered once for all who may see it, with nothing
// in it of any of them, and that nothing else is shared.
func TestReadersOfAPageShareIt(t *testing.T) {
	s := apptest.NewSite(t)
	storetest.Settings(t, apptest.Production(s),
		gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
	mara, lena := s.SignedIn(t, gangway.Booker), colleague(t, s, "lena", gangway.Booker)
	approver, judge := s.SignedIn(t, gangway.Approver), colleague(t, s, "judge", gangway.Approver)
	mara.Hold("let-go")
	path, _, _ := strings.Cut(approver.Hold("let-go").Path, "?")
	apptest.PlanCrew(t, apptest.Production(s))
	crew, _, _ := strings.Cut(mara.Post("/crew-changes/search", url.Values{"key": {"on:2036-12-03:PA:northern light"},
		"airport": {"SIN"}}).Path, "?")
	mara.Get(crew + "?wait=1")
	for _, path := range []string{"/", "/bookings", path, "/deadlines", "/deadlines?show=all", "/crew-changes",
		"/requests", "/hotels",
		"/approvals", crew, "/live/frame?section=bookings&at=/bookings/enter"} {
		one, other := opened(t, mara, path)(""), opened(t, lena, path)("")
		one.Shows(path, `<nav class="nav"`, `<main id="main"`)
		if one.Body != other.Body || one.Head.Get("Etag") != other.Head.Get("Etag") || one.Head.Get("Etag") == "" {
			t.Errorf("%s is another page for a colleague", path)
		}
		_, mark := liveOf(lena.Get(path))
		other.Lacks("lena", "judge", `name="once"`, `name="opened-in"`, mark)
		opened(t, lena, path)(one.Head.Get("Etag")).Is(http.StatusNoContent)
	}
	t.Run("a page that tells its reader something of themselves is theirs", func(t *testing.T) {
		own, others := opened(t, approver, path), opened(t, judge, path)
		for range 2 { // whoever comes first
			own("").Has("You made this booking").Lacks(path + "/approve")
			others("").Has(path + "/approve").Lacks("You made this booking")
			own, others = opened(t, approver, path), opened(t, judge, path)
			others("").Lacks("You made this booking")
		}
	})
	t.Run("roles, accounts and environments share nothing", func(t *testing.T) {
		_, booker := liveOf(mara.In(t).Get("/bookings"))
		_, other := liveOf(lena.In(t).Get("/bookings"))
		mara.In(t).Post("/environment", url.Values{"environment": {"development"}, "back": {"/"}})
		defer mara.Post("/environment", url.Values{"environment": {"production"}, "back": {"/"}})
		_, development := liveOf(mara.In(t).Get("/bookings"))
		for _, try := range []struct {
			of   *apptest.Client
			mark string
		}{{approver, booker}, {mara, booker}, {mara, other}, {lena, development}, {lena, booker}, {lena, "x"}} {
			asks(t, try.of, "/bookings", "Gangway-Live", try.mark).Is(http.StatusConflict).Lacks("Nordlys")
			asks(t, try.of, "/live?for="+url.QueryEscape(try.mark)).Is(http.StatusConflict)
		}
		asks(t, mara, "/bookings", "Gangway-Live", development).Is(http.StatusOK).Lacks("Nordlys")
		asks(t, s.Client(t), "/bookings", "Gangway-Live", booker).Lacks("Nordlys")
	})
	t.Run("what is no page is not shared, and no message is taken from its reader", func(t *testing.T) {
		_, mark := liveOf(lena.In(t).Get("/bookings"))
		lena.HTTP.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		lena.In(t).Post(path+"/handled", nil) // sets one
		asks(t, lena, "/bookings/none", "Gangway-Live", mark).Is(http.StatusNotFound)
		asks(t, lena, "/bookings?find="+s.Bookings(t)[0].Locator, "Gangway-Live", mark).Is(http.StatusConflict)
		asks(t, lena, path, "Gangway-Live", mark).Is(http.StatusOK).Lacks(`role="status" data-own`)
		lena.HTTP.CheckRedirect = nil
		lena.In(t).Get(path).Has(`role="status" data-own`)
	})
}

// heard is a stream of an open page.
func heard(t *testing.T, c *apptest.Client) (lines *bufio.Scanner) {
	t.Helper()
	path, _ := liveOf(c.Get("/bookings"))
	ctx, cancel := context.WithTimeout(t.Context(), apptest.Patience)
	t.Cleanup(cancel)
	req := apptest.Must(http.NewRequestWithContext(ctx, http.MethodGet, c.Site.URL+path, nil))(t)
	req.Header.Set("Accept", "text/event-stream")
	res := apptest.Must(c.HTTP.Do(req))(t)
	t.Cleanup(func() { res.Body.Close() })
	lines = bufio.NewScanner(res.Body)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "data: ") {
	}
	return lines
}

// TestStreamsEndWithTheirSession holds that whoever may no longer read a page hears nothing more of its account.
func TestStreamsEndWithTheirSession(t *testing.T) {
	s := apptest.NewSite(t)
	change := func(name string, do func(*gangway.User) error) func(*testing.T, *apptest.Client) {
		return func(t *testing.T, _ *apptest.Client) {
			apptest.Must(s.DB.UpdateUser(t.Context(), storetest.Operator, s.Production.Customer.ID, name+"@example.com",
				gangway.UserRole, apptest.Today, func(u *gangway.User, _ []gangway.User) error { return do(u) }))(t)
		}
	}
	for name, end := range map[string]func(*testing.T, *apptest.Client){
		"signed-out": func(_ *testing.T, c *apptest.Client) { c.Post("/sign-out", nil) },
		"switched-off": change("switched-off", func(u *gangway.User) error {
			u.Disabled = true
			return nil
		}),
		"another-role": change("another-role", func(u *gangway.User) error {
			u.Role = gangway.Admin
			return nil
		}),
		"elsewhere": func(_ *testing.T, c *apptest.Client) {
			c.Post("/environment", url.Values{"environment": {"development"}, "back": {"/"}})
		},
	} {
		c := colleague(t, s, name, gangway.Booker)
		lines := heard(t, c)
		t.Run(name, func(t *testing.T) {
			end(t, c)
			for lines.Scan() {
				if strings.HasPrefix(lines.Text(), "data: ") {
					t.Error("it heard more")
				}
			}
			if err := lines.Err(); err != nil {
				t.Error("the stream did not end:", err)
			}
		})
	}
}

// TestOpenPagesDoNotUseASession holds that a page that is left open does not keep its reader signed in.
func TestOpenPagesDoNotUseASession(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	path, _ := liveOf(c.Get("/bookings"))
	again := opened(t, c, "/bookings")
	s.Passed.Store(int64(23 * time.Hour))
	again("").Is(http.StatusOK)
	asks(t, c, path).Is(http.StatusOK)
	s.Passed.Store(int64(25 * time.Hour))
	again("").Lacks(`<nav class="nav"`)
	s.SignedIn(t, gangway.Booker).Get("/bookings").Has(`<nav class="nav"`)
}
