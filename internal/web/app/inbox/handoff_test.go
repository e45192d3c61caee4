package inbox_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// handedOver is a form as customers' applications post it.
func handedOver() url.Values {
	return url.Values{
		"vessel": {"NORTHERN LIGHT"}, "flag": {"PA"}, "change_airport": {"SIN"},
		"onsigners[0][last_name]": {"O'Brien"}, "onsigners[0][first_name]": {"Mary-Jane"},
		"onsigners[0][dob]":         {"1985-03-12"},
		"onsigners[0][nationality]": {"IE"}, "onsigners[0][gender]": {"F"}, "onsigners[0][doc_country]": {"IE"},
		"onsigners[0][doc_number]": {"PB1234567"},
		"onsigners[0][doc_expire]": {"2040-01-30"}, "onsigners[0][home_airport]": {"DUB"}, "onsigners[0][id]": {"77"},
		"onsigners[0][arrive]":                     {"2036-12-03"},
		"onsigners[0][custom_fields][Cost centre]": {"4711"},
		"offsigners[0][last_name]":                 {"SANTIAGO"}, "offsigners[0][first_name]": {"JOSE"},
		"offsigners[0][home_airport]": {"CEB"},
		"offsigners[0][arrive]":       {"3 December"},
	}
}

func TestHandoff(t *testing.T) {
	s := apptest.NewSite(t)
	claim := func(t *testing.T, c *apptest.Client, path string) apptest.Answer {
		t.Helper()
		c.HTTP.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		defer func() { c.HTTP.CheckRedirect = nil }()
		return c.Get(path)
	}

	t.Run("it leads through sign-in to a search for all members", func(t *testing.T) {
		res := apptest.HandOver(t, s, handedOver())
		at := res.Header.Get("Location")
		if res.StatusCode != http.StatusSeeOther || !strings.HasPrefix(at, "/integrations/search/") ||
			len(res.Cookies()) != 0 {
			t.Fatalf("the form was answered %d to %q with cookies %v; want 303 to a one-time address and no cookie",
				res.StatusCode, at, res.Cookies())
		}
		c := s.Client(t)
		c.Get(at).Has("Sign in to continue to the flights for the crew that your system has just sent.",
			`name="to" value="`+at+`"`)
		c.HTTP.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
			if strings.HasPrefix(r.URL.Path, "/searches/") {
				return http.ErrUseLastResponse
			}
			return nil
		}
		a := c.Post("/sign-in", url.Values{"email": {"booker@example.com"}, "password": {apptest.Password}, "to": {at}})
		id, ok := strings.CutPrefix(a.Head.Get("Location"), "/searches/")
		if !ok {
			t.Fatalf("signing in led to %q; want the search\n%s", a.Head.Get("Location"), a.Body)
		}
		search := s.Search(t, id)
		on, off := search.Members[0], search.Members[1]
		if search.Vessel != "NORTHERN LIGHT" || search.Airport != "SIN" || search.By != "booker@example.com" ||
			on.Traveller.LastName != "OBrien" || on.Traveller.FirstName != "Mary Jane" {
			t.Fatalf("search = %+v", search)
		}
		if on.CustomFields["Cost centre"] != "4711" || on.Legs[0] != (gangway.Leg{Origin: "DUB", Destination: "SIN",
			ArriveOn: "2036-12-03"}) || len(on.Warnings) != 1 || !strings.Contains(on.Warnings[0],
			"a hyphen became a space") {
			t.Fatalf("on-signer = %+v", on)
		}
		if off.Side != gangway.OffSigner || !strings.Contains(strings.Join(off.Warnings, "\n"), `"3 December"`) {
			t.Fatalf("off-signer = %+v; want a warning about the date", off)
		}

		if a := claim(t, c, at); a.Head.Get("Location") != "/searches/"+id {
			t.Fatalf("going back led to %d %q; want the same search", a.Status, a.Head.Get("Location"))
		}
		other := s.InDevelopment(t, gangway.Approver)
		claim(t, other, at).Is(http.StatusNotFound, "used already", "send the crew once more")
	})

	unhappy := []struct {
		name   string
		form   url.Values
		status int
		words  string
	}{
		{"without any member there is a page that says so", url.Values{"vessel": {"NORTHERN LIGHT"}},
			http.StatusBadRequest, "nobody who joins or leaves"},
		{"an empty form too", url.Values{}, http.StatusBadRequest, "nobody who joins or leaves"},
		{"more than 200 members", many(201), http.StatusRequestEntityTooLarge, "at most 200"},
		{"more than 1 MiB", url.Values{"onsigners[0][last_name]": {strings.Repeat("x", 1<<20)}},
			http.StatusRequestEntityTooLarge, "1 MiB"},
	}
	for _, tt := range unhappy {
		res := apptest.HandOver(t, s, tt.form)
		body := make([]byte, 8192)
		n, _ := res.Body.Read(body)
		if res.StatusCode != tt.status || !strings.Contains(string(body[:n]), tt.words) {
			t.Errorf("%s: answer %d %s; want %d and %q", tt.name, res.StatusCode, body[:n], tt.status, tt.words)
		}
	}
	t.Run("in a frame, where our pages do not show, a text says how to do it", func(t *testing.T) {
		c := s.Client(t)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/integrations/search",
			strings.NewReader(handedOver().Encode()))
		apptest.Done(t, err)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Sec-Fetch-Dest", "iframe")
		a := c.Do(req)
		if a.Status != http.StatusBadRequest || strings.Contains(a.Head.Get("Content-Security-Policy"),
			"frame-ancestors") {
			t.Fatalf("answer %d under %q; want 400 that a frame may show", a.Status,
				a.Head.Get("Content-Security-Policy"))
		}
		a.Has("in the whole window or in a new tab")
	})
	t.Run("200 members are taken", func(t *testing.T) {
		if res := apptest.HandOver(t, s, many(200)); res.StatusCode != http.StatusSeeOther {
			t.Fatalf("answer %d; want 303", res.StatusCode)
		}
	})
	t.Run("an address that never was says so", func(t *testing.T) {
		s.SignedIn(t, gangway.Booker).Get("/integrations/search/ABCDEF").Is(http.StatusNotFound)
	})
}

func many(n int) url.Values {
	form := url.Values{"change_airport": {"SIN"}}
	for i := range n {
		form.Set(fmt.Sprintf("onsigners[%d][last_name]", i), "SANTOS")
	}
	return form
}

// customerApp is a customer's own application on another site: a page with the form.
func customerApp(t *testing.T, s *apptest.Site) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<!doctype html><title>Crew planning</title><form method="post" action="%s/integrations/search">`, s.URL)
		for name, values := range handedOver() {
			fmt.Fprintf(w, `<input type="hidden" name="%s" value="%s">`, name, strings.ReplaceAll(values[0], `"`,
				"&quot;"))
		}
		fmt.Fprint(w, `<button id="go">Flights</button></form>`)
	}))
	t.Cleanup(server.Close)
	// Under another name, so that it is another site to the browser.
	return strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
}

func TestHandoffInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	crewPlanning := customerApp(t, s)
	b := apptest.OpenTab(t)

	b.Do(chromedp.Navigate(crewPlanning), chromedp.Click(apptest.CSS("#go")))
	b.Until(`location.pathname === "/sign-in" && document.body.textContent.includes("your system has just sent")`)
	b.SignIn()
	b.Until(`location.pathname.startsWith("/searches/")`)

	// The user is signed in by now and lands on the results at once.
	b.Do(chromedp.Navigate(crewPlanning), chromedp.Focus(apptest.CSS("#go")), chromedp.KeyEvent(kb.Enter))
	b.Until(`location.origin === "` + s.URL + `" && location.pathname.startsWith("/searches/")`)
}

func TestHandoffRoom(t *testing.T) {
	s := apptest.NewSite(t)
	form := handedOver()
	for i := range 199 {
		name := fmt.Sprintf("offsigners[%d]", i)
		form.Set(name+"[last_name]", "SANTIAGO")
		form.Set(name+"[custom_fields][Remark]", strings.Repeat("x", 2000))
	}
	kept := 0
	for range 30 {
		res := apptest.HandOver(t, s, form)
		if res.StatusCode == http.StatusSeeOther {
			kept++
			continue
		}
		if res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") == "" {
			t.Fatalf("status = %d, Retry-After %q; want 429 with one", res.StatusCode, res.Header.Get("Retry-After"))
		}
	}
	if kept == 0 || kept > 20 {
		t.Errorf("%d hand-offs of 400 KB from one network were kept; want 8 MiB", kept)
	}
}
