package doctor_test

import (
	"encoding/base64"
	"net/http"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/doctor"
	"gangway/internal/gangway"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// A refusal is how a system turns somebody away, and what is to be said of it.
type refusal struct {
	name    string
	answer  func(w http.ResponseWriter)
	verdict doctor.Verdict
	says    string
}

func status(n int) func(http.ResponseWriter) { return func(w http.ResponseWriter) { w.WriteHeader(n) } }

func breakOff(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		conn.Close()
	}
}

// Of these, nothing can be told: the system might let somebody else in.
var noRefusals = []refusal{
	{"500", status(500), doctor.Warning, "status 500 is no refusal"},
	{"503", status(503), doctor.Warning, "status 503 is no refusal"},
	{"a timeout of its own", status(408), doctor.Warning, "status 408 is no refusal"},
	{"a conflict", status(409), doctor.Warning, "status 409 is no refusal"},
	{"too often", status(429), doctor.NotTried, "asked too often"},
	{"breaks off", breakOff, doctor.Warning, "It could not be told whether"},
}

// TestForged: only an answer that says so is a refusal of a wrong signature; whoever fails has another fault.
func TestForged(t *testing.T) {
	for _, tt := range append([]refusal{
		{"401", status(401), doctor.Fine, "status 401"},
		{"403", status(403), doctor.Fine, "status 403"},
		{"400", status(400), doctor.Fine, "status 400"},
		{"422", status(422), doctor.Warning, "401 says what is the matter"},
		{"401 without an end", func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "100")
			w.WriteHeader(401)
			w.(http.Flusher).Flush()
			breakOff(w)
		}, doctor.Fine, "It refuses with status 401."},
		{"accepts it", status(204), doctor.Warning, "Check webhook-signature"},
	}, noRefusals...) {
		t.Run(tt.name, func(t *testing.T) {
			report := whole(t, func(s *crewSystem) {
				hook := calltest.Must(standardwebhooks.NewWebhook(s.secret))(t)
				s.before = func(w http.ResponseWriter, r *http.Request) bool {
					if r.Method != http.MethodPost || hook.Verify(bodyOf(r), r.Header) == nil {
						return false
					}
					tt.answer(w)
					return true
				}
			})
			wants(t, report, "b5.forged", tt.verdict, tt.says)
		})
	}
}

// TestWithoutCredentials: the same where somebody else asks; and what gives no crew data is told from what does.
func TestWithoutCredentials(t *testing.T) {
	right := "Basic " + base64.StdEncoding.EncodeToString([]byte("crew:tide-tables"))
	for _, tt := range append([]refusal{
		{"401", status(401), doctor.Fine, "status 401"},
		{"404", status(404), doctor.Warning, "401 says what is the matter"},
		{"a page to sign in at", status(302), doctor.Warning, "status 302"},
		{"an empty list", func(w http.ResponseWriter) { w.Write([]byte("[]")) }, doctor.Warning, "nothing in it"},
		{"a page to sign in", func(w http.ResponseWriter) { w.Write([]byte("<html>Sign in</html>")) }, doctor.Warning,
			"perhaps a page to sign in"},
		{"crew", func(w http.ResponseWriter) { w.Write([]byte(`[{"last_name": "Santos", "first_name": "Jo"}]`)) },
			doctor.Wrong, "anybody who knows the address gets crew data"},
	}, noRefusals...) {
		t.Run(tt.name, func(t *testing.T) {
			report := whole(t, func(s *crewSystem) {
				s.before = func(w http.ResponseWriter, r *http.Request) bool {
					if r.Header.Get("Authorization") == right {
						return false
					}
					tt.answer(w)
					return true
				}
			})
			for _, id := range []string{"b1.no-credentials", "b1.wrong-credentials"} {
				wants(t, report, id, tt.verdict, tt.says)
			}
			for _, id := range []string{"b1.steady", "b1.time"} {
				if c := find(t, report, id); c.Verdict != doctor.Fine {
					t.Errorf("%s is %s: %s; want it fine: nobody else is to be answered", id, c.Verdict, sentences(c))
				}
			}
		})
	}
	s := newCrewSystem()
	s.password = "tide-tables"
	report := examine(t, newDoctor(doctor.Config{}), doctor.Address{URL: serve(t, s).URL}, gangway.Ask{})
	wants(t, report, "b1.answer", doctor.Wrong, "The system wants credentials, and none were given (auth) (status "+
		"401). Give those that it wants to be shown (--auth-file).")
}
