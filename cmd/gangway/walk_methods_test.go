package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"gangway/internal/web"
)

// methods asks every address by every method that it does not answer.
func (w *walked) methods(t *testing.T, routes []web.Route, samples map[string]sample) {
	answers := map[string][]string{}
	for _, r := range routes {
		answers[r.Path] = append(answers[r.Path], r.Method)
		if r.Method == http.MethodGet && r.For != web.Program { // programs' addresses list HEAD where they answer it
			answers[r.Path] = append(answers[r.Path], http.MethodHead)
		}
	}
	for _, r := range routes {
		path, _, _ := strings.Cut(w.addresses(samples[r.Method+" "+r.Path], r)[0], "?")
		if strings.HasSuffix(r.Path, "{$}") {
			path = "/"
		}
		allow := answers[r.Path]
		slices.Sort(allow)
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE",
			"PROPFIND"} {
			if slices.Contains(allow, method) {
				continue
			}
			a := asking{method: method, path: path, head: http.Header{}}
			switch r.For {
			case web.Program:
				a.head.Set("X-Api-Key", w.theirs.Production.APIKey)
			case web.Reader:
				a.head.Set("Authorization", basic(w.theirs.Production))
			}
			res, _ := w.ask(t, w.people["own admin"], a)
			if res.StatusCode != http.StatusMethodNotAllowed || res.Header.Get("Allow") != strings.Join(allow, ", ") {
				t.Errorf("%s %s: %d, Allow %q; want 405, %q", method, path, res.StatusCode, res.Header.Get("Allow"),
					strings.Join(allow, ", "))
			}
		}
	}
}

// nowhere asks for addresses that there are not.
func (w *walked) nowhere(t *testing.T) {
	for _, path := range []string{
		"/nowhere", "/bookings/" + w.bookings[0] + "/nowhere", "/searches/none", "/bookings/none", "/settings/none",
		"/assets/none.js",
		"/reporting", "/reporting/v1", "/reporting/v2/odatas", "/api/suppliers", "/api/suppliers/none",
		"/api/nowhere", "/debug/pprof/", "/.git/config",
		"/bookings/%00", "/bookings/%ff", "/searches/%00", "/integrations/search/%00",
	} {
		res, _ := w.ask(t, w.people["own admin"], asking{method: http.MethodGet, path: path,
			head: http.Header{"X-Api-Key": {w.theirs.Production.APIKey}}})
		if res.StatusCode != http.StatusNotFound {
			t.Errorf("GET %s: %d; want 404", path, res.StatusCode)
		}
	}
	for _, path := range []string{"/bookings?find=%00", "/travellers?name=%ff", "/book?traveller=%00",
		"/crew-changes?vessel=%00", "/requests/take-back?request=%00", "/suggest/travellers?surname=%00"} {
		if res, _ := w.ask(t, w.people["own admin"], asking{method: http.MethodGet, path: path}); res.StatusCode >=
			500 {
			t.Errorf("GET %s: %d", path, res.StatusCode)
		}
	}
}
