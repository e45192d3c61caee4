package shell_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app"
	"gangway/internal/web/app/apptest"
)

func TestSignIn(t *testing.T) {
	s := apptest.NewSite(t)

	t.Run("a page asks who one is, and leads on to where one was going", func(t *testing.T) {
		c := s.Client(t)
		c.Get("/requests?date=2036-12-01").
			Shows("/sign-in?to=%2Frequests%3Fdate%3D2036-12-01", "Sign in to continue to travel requests.")
		c.Post("/sign-in", url.Values{"email": {"Booker@Example.com "}, "password": {apptest.Password},
			"to": {"/requests?date=2036-12-01"}}).Shows("/requests?date=2036-12-01", "Mon 1 Dec 2036")
	})

	t.Run("an unknown e-mail and a wrong password read the same, and what was typed stays", func(t *testing.T) {
		for _, email := range []string{"booker@example.com", "nobody@example.com"} {
			s.Client(t).Post("/sign-in", url.Values{"email": {email}, "password": {"not-my-password"},
				"to": {"/hotels"}}).Is(http.StatusUnprocessableEntity, "do not belong together", `value="`+email+`"`,
				`name="to" value="/hotels"`).Lacks("not-my-password")
		}
	})

	t.Run("nobody is led away from the application", func(t *testing.T) {
		for _, to := range []string{"https://elsewhere.example/", "//elsewhere.example/", `/\elsewhere.example/`,
			"elsewhere"} {
			s.Client(t).Post("/sign-in", url.Values{"email": {"booker@example.com"}, "password": {apptest.Password},
				"to": {to}}).Shows("/")
		}
	})

	t.Run("the session gets another token at sign-in, which scripts cannot read", func(t *testing.T) {
		c := s.SignedIn(t, gangway.Booker)
		at := apptest.Must(url.Parse(s.URL))(t)
		before := ""
		for _, cookie := range c.HTTP.Jar.Cookies(at) {
			if cookie.Name == "gangway" {
				before = cookie.Value
			}
		}
		c.HTTP.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		a := c.Post("/sign-in", url.Values{"email": {"booker@example.com"}, "password": {apptest.Password}})
		cookies := strings.Join(a.Head.Values("Set-Cookie"), "\n")
		if before == "" || strings.Count(cookies, "HttpOnly; SameSite=Lax") != 2 ||
			!strings.Contains(cookies, "gangway=") || strings.Contains(cookies, before) {
			t.Fatalf("Set-Cookie = %q; want a new token and the browser's mark, HttpOnly and SameSite=Lax", cookies)
		}
	})

	t.Run("signing out ends the session", func(t *testing.T) {
		c := s.SignedIn(t, gangway.Booker)
		c.Post("/sign-out", nil).Shows("/sign-in")
		c.Get("/").Shows("/sign-in")
	})

}

func TestFrame(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Admin)

	c.Run("the environment is always visible, and switching leads back", func(t *testing.T, c *apptest.Client) {
		c.Get("/hotels").Has("Harbour Crewing", "Ingrid Holm").Lacks("nothing here is real")
		c.Post("/environment", url.Values{"environment": {"development"}, "back": {"/hotels"}}).
			Shows("/hotels", "Development: nothing here is real")
		c.Post("/environment", url.Values{"environment": {"production"}, "back": {"/hotels"}}).
			Lacks("nothing here is real")
	})

	c.Run("pages run nothing but our own files and stand in no frame", func(t *testing.T, c *apptest.Client) {
		policy := c.Get("/").Head.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'self'", "frame-ancestors 'none'", "form-action 'self'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("policy %q lacks %s", policy, want)
			}
		}
	})

	c.Run("the theme is chosen once", func(t *testing.T, c *apptest.Client) {
		c.Post("/appearance", url.Values{"theme": {"dark"}, "back": {"/"}}).Has(`data-theme="dark"`)
		c.Post("/appearance", url.Values{"theme": {""}, "back": {"/"}}).Lacks("data-theme")
	})

	c.Run("stylesheet and script are served for ever", func(t *testing.T, c *apptest.Client) {
		page := c.Get("/").Body
		for _, ext := range []string{".css", ".js", ".svg"} {
			end := strings.Index(page, ext+`"`)
			start := strings.LastIndex(page[:end], `"`) + 1
			a := c.Get(page[start : end+len(ext)])
			if a.Status != http.StatusOK || !strings.Contains(a.Head.Get("Cache-Control"), "immutable") {
				t.Errorf("%s: status %d, Cache-Control %q", page[start:end+len(ext)], a.Status,
					a.Head.Get("Cache-Control"))
			}
		}
	})
}

func TestBelowAPath(t *testing.T) {
	h, err := app.New(app.Config{DB: storetest.New(t), Now: func() time.Time {
		return apptest.Today
	}, Log: slog.New(slog.DiscardHandler), AppURL: "https://crew.example/desk/", Secure: true})
	apptest.Done(t, err)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/hotels?show=all", nil))
	if got := w.Header().Get("Location"); got != "/desk/sign-in?to=%2Fhotels%3Fshow%3Dall" {
		t.Fatalf("a page leads to %q; want the sign-in page below /desk", got)
	}
	w = httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/sign-in", nil))
	for _, want := range []string{`action="/desk/sign-in"`, `href="/desk/assets/app-`} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the sign-in page lacks %s", want)
		}
	}
}
