package main

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web"
)

// TestWalk requests every address that the program answers, as everybody who may not have what is
// there: another customer, the same person in the other environment, a role without the permission,
// nobody, a page of another site, a program with another key or none, and by every method. None of
// them sees anything of the customer's data, and nothing of it changes.
//
// The addresses come from the program's own tables, so that a new one is included at once; it needs
// a line in samples, which says who may use it.
func TestWalk(t *testing.T) {
	onEither(t, func(t *testing.T, database string) {
		w := newWalked(t, database)
		routes, samples := w.routes(), w.samples()
		for _, r := range routes {
			s, ok := samples[r.Method+" "+r.Path]
			switch {
			case !ok:
				t.Errorf("%s %s is not walked: add a line to walkTable in walk_samples_test.go that says who may use "+
					"it and what its form sends", r.Method, r.Path)
			case s.who != r.For:
				t.Errorf("%s %s is for %q, and walkTable says %q", r.Method, r.Path, r.For, s.who)
			}
		}
		if t.Failed() {
			return
		}
		if len(samples) != len(routes) {
			t.Errorf("walkTable has %d lines for %d addresses: remove those of addresses that no longer exist",
				len(samples), len(routes))
		}
		t.Run("the customer's own people find it", func(t *testing.T) { w.owners(t, routes, samples) })
		before := w.dump()
		if len(before) < 50 {
			t.Fatalf("the customer has only %d rows: there is nothing to be seen or changed", len(before))
		}
		asked := 0
		for _, r := range routes {
			asked += w.walk(t, r, samples[r.Method+" "+r.Path])
		}
		w.methods(t, routes, samples)
		w.nowhere(t)
		after := w.dump()
		for _, row := range before {
			if !slices.Contains(after, row) {
				t.Errorf("changed or gone: %.300s", row)
			}
		}
		for _, row := range after {
			if !slices.Contains(before, row) {
				t.Errorf("changed or new: %.300s", row)
			}
		}
		t.Logf("%d addresses, %d requests, %d rows unchanged", len(routes), asked, len(before))
	})
}

// routes returns all lines of all surfaces, with their full paths.
func (w *walked) routes() []web.Route {
	var list []web.Route
	for _, s := range w.server.surfaces {
		table, ok := s.handler.(interface{ Routes() []web.Route })
		if !ok {
			w.t.Fatalf("the surface at %s does not say which addresses it answers", s.at)
		}
		for _, r := range table.Routes() {
			r.Path = s.at.Path + r.Path
			list = append(list, r)
		}
	}
	return list
}

// An asking is one request and its answer.
type asking struct {
	method, path string
	head         http.Header
	form         url.Values
}

// ask sends a request as a visitor and returns the answer, unfollowed.
func (w *walked) ask(t *testing.T, b *browser, a asking) (*http.Response, string) {
	t.Helper()
	body := a.form.Encode()
	if raw, ok := a.form[""]; ok {
		body = raw[0]
	}
	if a.method == http.MethodGet || a.method == http.MethodHead {
		body = ""
	}
	req := sure(http.NewRequestWithContext(t.Context(), a.method, w.at.app.String()+a.path, strings.NewReader(body)))(t)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for name, values := range a.head {
		req.Header[name] = values
	}
	client := *b.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	res := sure(client.Do(req))(t)
	defer res.Body.Close()
	text := sure(io.ReadAll(res.Body))(t)
	if cache := strings.Join(res.Header.Values("Cache-Control"), " "); !strings.Contains(cache, "no-store") &&
		!(saysNothing.MatchString(a.path) && res.StatusCode == http.StatusOK) && res.StatusCode !=
		http.StatusNoContent {
		t.Errorf("%s %s: %d may be kept by a cache: %q", a.method, a.path, res.StatusCode, cache)
	}
	if policy := res.Header.Get("Content-Security-Policy"); res.Header.Get("X-Content-Type-Options") != "nosniff" ||
		!strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("%s %s: %d may be taken for something else, or shown in a frame: %q", a.method, a.path, res.StatusCode,
			policy)
	}
	return res, string(text)
}

// owners checks that the samples are real: the customer's own admin sees the pages, and each of the
// marks somewhere that nobody else may see.
func (w *walked) owners(t *testing.T, routes []web.Route, samples map[string]sample) {
	seen := ""
	for _, r := range routes {
		s := samples[r.Method+" "+r.Path]
		if r.Method != http.MethodGet || s.claimed || r.For == web.Anybody || r.For == web.Program {
			continue
		}
		for _, path := range w.addresses(s, r) {
			res, text := w.ask(t, w.people["own admin"], asking{method: r.Method, path: path,
				head: http.Header{"Authorization": {basic(w.theirs.Production)}}})
			if to := res.Header.Get("Location"); s.leads {
				if res.StatusCode != http.StatusSeeOther || to == path ||
					!strings.HasPrefix(path, to) && !strings.HasPrefix(to, path+"/") && to != "/book" {
					t.Errorf("%s leads the customer's own admin to %q, %d", path, to, res.StatusCode)
				}
			} else if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusConflict {
				t.Errorf("%s is answered to the customer's own admin with %d", path, res.StatusCode)
			}
			seen += text
		}
	}
	for _, mark := range marks {
		if !strings.Contains(seen, mark) {
			t.Errorf("nothing that the customer is shown has %q: whether others see it is not tried", mark)
		}
	}
}

// elsewhere are the headers of a request that a page of another site makes a browser send.
var elsewhere = map[string]http.Header{
	"from another site":     {"Origin": {"https://evil.example"}},
	"from nowhere":          {"Origin": {"null"}},
	"from another port":     {"Origin": {"http://127.0.0.1:1"}},
	"fetched cross-site":    {"Sec-Fetch-Site": {"cross-site"}},
	"fetched same-site":     {"Sec-Fetch-Site": {"same-site"}},
	"cross-site and forged": {"Sec-Fetch-Site": {"cross-site"}, "Origin": {"https://evil.example"}},
}

// walk tries one line as everybody who may not use it, and returns the number of requests.
func (w *walked) walk(t *testing.T, r web.Route, s sample) (asked int) {
	t.Helper()
	for _, path := range w.addresses(s, r) {
		a := asking{method: r.Method, path: path, form: s.form}
		switch r.For {
		case web.Program:
			asked += w.programs(t, a)
			continue
		case web.Reader:
			asked += w.readers(t, a)
			continue
		case web.Supplier:
			res, text := w.ask(t, w.people["nobody"], a)
			w.holds(t, "unsigned", a, text, res.StatusCode, http.StatusUnauthorized)
			asked++
			continue
		}
		for _, who := range []string{"another customer's admin", "another customer's booker",
			"the same person in development", "nobody"} {
			res, text := w.ask(t, w.people[who], a)
			switch {
			case r.For == web.Anybody:
				w.holds(t, who, a, text, res.StatusCode)
			case who == "nobody":
				w.holds(t, who, a, text, res.StatusCode, http.StatusSeeOther)
				if to := res.Header.Get("Location"); !strings.HasPrefix(to, "/sign-in") {
					t.Errorf("%s %s leads nobody to %q; want to the sign-in page", a.method, a.path, to)
				}
			case who == "another customer's booker" && !gangway.Booker.May(gangway.Permission(r.For)):
				w.holds(t, who, a, text, res.StatusCode, http.StatusForbidden)
			case strings.Contains(r.Path, "{person}") && !s.leads && who != "the same person in development":
				w.holds(t, who, a, text, res.StatusCode, http.StatusNotFound)
			case strings.Contains(r.Path, "{id}"), strings.Contains(r.Path, "{batch}"),
				strings.Contains(r.Path, "{key}"), strings.Contains(r.Path, "{name}"):
				w.holds(t, who, a, text, res.StatusCode, http.StatusNotFound, http.StatusSeeOther)
				if to := res.Header.Get("Location"); res.StatusCode == http.StatusSeeOther &&
					!strings.HasPrefix(a.path, to) {
					t.Errorf("%s %s leads %s to %s", a.method, a.path, who, to)
				}
			default:
				w.holds(t, who, a, text, res.StatusCode)
			}
			asked++
			if s.ends {
				w.strangers()
			}
		}
		asked += w.roles(t, r, a)
		if r.Method != http.MethodGet && r.Path != "/integrations/search" {
			for how, head := range elsewhere {
				foreign := a
				foreign.head = head
				res, text := w.ask(t, w.people["own admin"], foreign)
				w.holds(t, "own admin "+how, foreign, text, res.StatusCode, http.StatusForbidden)
				asked++
			}
		}
	}
	return asked
}

// roles tries a line as the customer's own people without the permission.
func (w *walked) roles(t *testing.T, r web.Route, a asking) (asked int) {
	t.Helper()
	for _, role := range []gangway.Role{gangway.Booker, gangway.Approver, gangway.Admin} {
		if r.For == web.Anybody || role.May(gangway.Permission(r.For)) {
			continue
		}
		res, _ := w.ask(t, w.people["own "+string(role)], a)
		if asked++; res.StatusCode != http.StatusForbidden {
			t.Errorf("%s %s is answered to the %s with %d; want 403", a.method, a.path, role, res.StatusCode)
		}
	}
	return asked
}

// programs tries a line of the interface with the keys of others, and without a key.
func (w *walked) programs(t *testing.T, a asking) int {
	t.Helper()
	keys := map[string]string{
		"no key": "", "a made-up key": "gw_live_00000000000000000000000000000000000000",
		"another customer's key": w.stranger.Production.APIKey, "the key of development": w.theirs.Development.APIKey,
	}
	for name, key := range keys {
		with := a
		with.head = http.Header{"Content-Type": {"application/json"}}
		if key != "" {
			with.head.Set("X-Api-Key", key)
		}
		res, text := w.ask(t, w.people["nobody"], with)
		if strings.HasSuffix(name, "key") && key == "" || name == "a made-up key" {
			w.holds(t, name, with, text, res.StatusCode, http.StatusUnauthorized)
		} else {
			w.holds(t, name, with, text, res.StatusCode)
		}
	}
	return len(keys)
}

// readers tries an address of the report with the logins of others, and without one.
func (w *walked) readers(t *testing.T, a asking) int {
	t.Helper()
	strangers := map[string]string{"another customer's login": basic(w.stranger.Production),
		"the login of development": basic(w.theirs.Development)}
	for name, login := range strangers {
		with := a
		with.head = http.Header{"Authorization": {login}}
		res, text := w.ask(t, w.people["nobody"], with)
		w.holds(t, name, with, text, res.StatusCode)
	}
	mixed := w.theirs.Production
	mixed.ReportPassword = w.stranger.Production.ReportPassword
	for name, login := range map[string]string{"no login": "", "another's password": basic(mixed),
		"an API key": basic(credentials{ReportUser: w.theirs.Production.APIKey})} {
		with := a
		if with.head = (http.Header{}); login != "" {
			with.head.Set("Authorization", login)
		}
		res, text := w.ask(t, w.people["own admin"], with)
		w.holds(t, name, with, text, res.StatusCode, http.StatusUnauthorized, http.StatusTooManyRequests)
	}
	return len(strangers) + 3
}

// basic returns the header with an account's report login.
func basic(of credentials) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(of.ReportUser+":"+of.ReportPassword))
}

// holds fails the test if an answer to somebody else contains anything of the customer's, is an
// internal error, or has a status that is not one of want.
func (w *walked) holds(t *testing.T, who string, a asking, text string, status int, want ...int) {
	t.Helper()
	if status >= 500 || len(want) > 0 && !slices.Contains(want, status) {
		t.Errorf("%s %s as %s: %d; want %v", a.method, a.path, who, status, want)
	}
	for _, mark := range append([]string{"Halcyon Tankers", "SAILOR", "P0000"}, marks...) {
		own := (mark == "Halcyon Tankers" || mark == colleague) && strings.Contains(who, "development")
		if strings.Contains(text, mark) && !own && !strings.Contains(a.path+" "+a.form.Encode(),
			url.QueryEscape(mark)) {
			t.Errorf("%s %s as %s shows %q", a.method, a.path, who, mark)
		}
	}
}
