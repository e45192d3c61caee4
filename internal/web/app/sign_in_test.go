package app_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app"
)

func TestSignIn(t *testing.T) {
	s := newSite(t)

	t.Run("a page asks who one is, and leads on to where one was going", func(t *testing.T) {
		c := s.client(t)
		a := c.get("/requests?date=2036-12-01")
		a.shows("/sign-in?to=%2Frequests%3Fdate%3D2036-12-01", "Sign in, and you go on to travel requests.")
		a = c.post("/sign-in", url.Values{"email": {"Booker@Example.com "}, "password": {password}, "to": {"/requests?date=2036-12-01"}})
		a.shows("/requests?date=2036-12-01", "Mon 1 Dec 2036")
	})

	t.Run("an unknown e-mail and a wrong password read the same, and what was typed stays", func(t *testing.T) {
		for _, email := range []string{"booker@example.com", "nobody@example.com"} {
			a := s.client(t).post("/sign-in", url.Values{"email": {email}, "password": {"not-my-password"}, "to": {"/hotels"}})
			if a.status != http.StatusUnprocessableEntity {
				t.Fatalf("status = %d; want 422", a.status)
			}
			a.has("do not belong together", `value="`+email+`"`, `name="to" value="/hotels"`)
			a.lacks("not-my-password")
		}
	})

	t.Run("nobody is led away from the application", func(t *testing.T) {
		for _, to := range []string{"https://elsewhere.example/", "//elsewhere.example/", `/\elsewhere.example/`, "elsewhere"} {
			a := s.client(t).post("/sign-in", url.Values{"email": {"booker@example.com"}, "password": {password}, "to": {to}})
			a.shows("/")
		}
	})

	t.Run("the session gets another token at sign-in, which scripts cannot read", func(t *testing.T) {
		c := s.signedIn(t, gangway.Booker)
		at, err := url.Parse(s.url)
		if err != nil {
			t.Fatal(err)
		}
		before := ""
		for _, cookie := range c.http.Jar.Cookies(at) {
			if cookie.Name == "gangway" {
				before = cookie.Value
			}
		}
		c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		a := c.post("/sign-in", url.Values{"email": {"booker@example.com"}, "password": {password}})
		cookies := strings.Join(a.head.Values("Set-Cookie"), "\n")
		if before == "" || strings.Count(cookies, "HttpOnly; SameSite=Lax") != 2 || !strings.Contains(cookies, "gangway=") || strings.Contains(cookies, before) {
			t.Fatalf("Set-Cookie = %q; want a new token and the browser's mark, HttpOnly and SameSite=Lax", cookies)
		}
	})

	t.Run("signing out ends the session", func(t *testing.T) {
		c := s.signedIn(t, gangway.Booker)
		a := c.post("/sign-out", nil)
		a.shows("/sign-in")
		c.get("/").shows("/sign-in")
	})

	t.Run("after five wrong passwords one has to wait", func(t *testing.T) {
		c := s.client(t)
		var a answer
		for range 6 {
			a = c.post("/sign-in", url.Values{"email": {"admin@example.com"}, "password": {"wrong"}})
		}
		if a.status != http.StatusTooManyRequests {
			t.Fatalf("status = %d; want 429", a.status)
		}
		a.has("Please wait")
		s.signedIn(t, gangway.Approver) // others are not held up
	})
}

func TestFrame(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Admin)

	t.Run("the environment is always visible, and switching leads back", func(t *testing.T) {
		c := c.in(t)
		a := c.get("/hotels")
		a.has("Harbour Crewing", "Ingrid Holm")
		a.lacks("nothing here is real")
		a = c.post("/environment", url.Values{"environment": {"development"}, "back": {"/hotels"}})
		a.shows("/hotels", "Development: nothing here is real")
		a = c.post("/environment", url.Values{"environment": {"production"}, "back": {"/hotels"}})
		a.lacks("nothing here is real")
	})

	t.Run("an address that does not exist is a page of ours", func(t *testing.T) {
		c := c.in(t)
		a := c.get("/nothing-here")
		if a.status != http.StatusNotFound {
			t.Fatalf("status = %d; want 404", a.status)
		}
		a.has("There is no page at this address.", "Book a flight")
	})

	t.Run("a form from another site is refused", func(t *testing.T) {
		c := c.in(t)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/environment", strings.NewReader("environment=development"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", "https://elsewhere.example")
		req.Header.Set("Sec-Fetch-Site", "cross-site")
		if a := c.do(req); a.status != http.StatusForbidden {
			t.Fatalf("status = %d; want 403", a.status)
		}
	})

	t.Run("pages run nothing but our own files and stand in no frame", func(t *testing.T) {
		c := c.in(t)
		policy := c.get("/").head.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'self'", "frame-ancestors 'none'", "form-action 'self'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("policy %q lacks %s", policy, want)
			}
		}
	})

	t.Run("the theme is chosen once", func(t *testing.T) {
		c := c.in(t)
		c.post("/appearance", url.Values{"theme": {"dark"}, "back": {"/"}}).has(`data-theme="dark"`)
		c.post("/appearance", url.Values{"theme": {""}, "back": {"/"}}).lacks("data-theme")
	})

	t.Run("stylesheet and script are served for ever, under names of their content", func(t *testing.T) {
		c := c.in(t)
		page := c.get("/").body
		for _, ext := range []string{".css", ".js", ".svg"} {
			end := strings.Index(page, ext+`"`)
			start := strings.LastIndex(page[:end], `"`) + 1
			a := c.get(page[start : end+len(ext)])
			if a.status != http.StatusOK || !strings.Contains(a.head.Get("Cache-Control"), "immutable") {
				t.Errorf("%s: status %d, Cache-Control %q", page[start:end+len(ext)], a.status, a.head.Get("Cache-Control"))
			}
		}
	})
}

func TestBelowAPath(t *testing.T) {
	h, err := app.New(app.Config{DB: storetest.New(t), Now: func() time.Time { return today }, Log: slog.New(slog.DiscardHandler), AppURL: "https://crew.example/desk/", Secure: true})
	if err != nil {
		t.Fatal(err)
	}
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
