package doctor_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/doctor"
	"gangway/internal/gangway"
)

// TestReportHasNoSecret: a system that repeats all it was sent, in its answer, its headers
// and its errors, gets none of it into the report.
func TestReportHasNoSecret(t *testing.T) {
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", r.Header.Get("Authorization")+r.Header.Get("X-Tenant"))
		if r.URL.Query().Get("surname") == "sa" {
			fmt.Fprintf(w, `[{"last_name": "Santos", "first_name": "Maria", "email": %q, "phone": %q}]`,
				r.Header.Get("Authorization"), r.URL.RawQuery+r.Header.Get("X-Tenant"))
			return
		}
		http.Error(w, fmt.Sprint(r.Header, r.URL), http.StatusTeapot)
	}))
	report := ofFeed(t, map[string]any{"url": s.URL + "/crew?key=sea-chart-7", "headers": map[string]string{
		"X-Tenant": "halcyon-7"}, "auth": map[string]string{"kind": "basic", "user": "crew",
		"password": "tide-tables"}})
	doc := calltest.Must(json.Marshal(report))(t)
	if len(report.Calls) < 5 || !strings.Contains(string(doc), "Santos") {
		t.Fatalf("%d calls, %s", len(report.Calls), doc)
	}
	for _, secret := range []string{"tide-tables", "halcyon-7", "sea-chart-7", "Y3Jldzp0aWRlLXRhYmxlcw"} {
		for what, text := range map[string]string{"JSON": string(doc), "text": report.Text()} {
			if i := strings.Index(text, secret); i >= 0 {
				t.Errorf("the report as %s has %s: %s", what, secret, text[max(0, i-100):i+len(secret)])
			}
		}
	}
}

// TestEchoInOtherForms: nor does it where the system repeats what it was sent in another encoding, escaped, or
// cut in two by the end of what a report shows.
func TestEchoInOtherForms(t *testing.T) {
	const password = `tide/täbles & "seven" <charts>`
	tests := map[string]func(w http.ResponseWriter, sent string){
		"UTF-16": func(w http.ResponseWriter, sent string) {
			w.Write([]byte{0xff, 0xfe})
			for _, letter := range sent {
				w.Write([]byte{byte(letter), byte(letter >> 8)})
			}
		},
		"HTML":   func(w http.ResponseWriter, sent string) { fmt.Fprint(w, html.EscapeString(sent)) },
		"a form": func(w http.ResponseWriter, sent string) { fmt.Fprint(w, url.QueryEscape(sent)) },
		"PHP": func(w http.ResponseWriter, sent string) {
			fmt.Fprint(w, `"tide\/t\u00e4bles & \"seven\" <charts>"`)
		},
		"Latin-1": func(w http.ResponseWriter, sent string) {
			fmt.Fprint(w, strings.ReplaceAll(sent, "ä", "\xe4"))
		},
		"at an end": func(w http.ResponseWriter, sent string) { fmt.Fprint(w, strings.Repeat(sent, 3000)) },
	}
	for name, echo := range tests {
		t.Run(name, func(t *testing.T) {
			s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, sent, _ := r.BasicAuth()
				w.Header().Set("Content-Type", "text/plain")
				if strings.Contains(r.URL.Path, "/crew_change") {
					w.WriteHeader(http.StatusTeapot)
				}
				echo(w, sent)
			}))
			shown := gangway.Credentials{Kind: gangway.BasicCredentials, User: "crew", Password: password}
			report := examine(t, newDoctor(doctor.Config{}), doctor.Address{URL: s.URL, Credentials: shown},
				gangway.Ask{})
			letters := 0
			for _, c := range report.Calls {
				for _, x := range c.Requests {
					letters += len(x.Raw)
					for _, part := range []string{"bles", "charts", "seven"} {
						if i := strings.Index(x.Raw, part); i >= 0 {
							t.Fatalf("%s shows %q", c.Question, x.Raw[max(0, i-40):i+len(part)])
						}
					}
				}
			}
			if letters == 0 {
				t.Error("nothing was shown at all")
			}
		})
	}
}

// TestTextFitsATerminal: no line of the report is longer than 80 columns.
func TestTextFitsATerminal(t *testing.T) {
	s := newCrewSystem()
	s.people[0]["first_name"] = strings.Repeat("Maria ", 40)
	report := examine(t, newDoctor(doctor.Config{}), doctor.Address{URL: serve(t, s).URL}, gangway.Ask{})
	for line := range strings.Lines(report.Text()) {
		if n := len([]rune(line)); n > 81 {
			t.Errorf("a line of %d: %s", n-1, line)
		}
	}
}

// An answer is judged as it came, whatever of it is hidden: with a password of one letter a good type is still good.
func TestShortPasswordSpoilsNoVerdict(t *testing.T) {
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		if _, password, _ := r.BasicAuth(); password != "p" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `[{"last_name": "Santos", "first_name": "Maria"}]`)
	}))
	report := ofFeed(t, map[string]any{"url": s.URL + "/crew", "auth": map[string]string{"kind": "basic",
		"user": "crew", "password": "p"}})
	wants(t, report, "b1.format", doctor.Fine)
}
