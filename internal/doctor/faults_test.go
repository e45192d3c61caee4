package doctor_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/deliver"
	"gangway/internal/doctor"
	"gangway/internal/gangway"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// A crewSystem is a customer's system that does everything as it should, but for one
// fault that a test plants.
type crewSystem struct {
	people   []map[string]any
	secret   string
	password string // of the user crew; empty: anybody may ask

	before     func(w http.ResponseWriter, r *http.Request) (done bool) // answers in its place
	unfiltered bool
	halfOpen   bool // the last day of a period does not belong to it
	asked      atomic.Int64
	renames    bool // each answer has other ids
	kind       string
}

func newCrewSystem() *crewSystem {
	return &crewSystem{kind: "application/json", people: []map[string]any{
		person("H-1", "Santos", "Maria"), person("H-2", "Santos", "Jose"), person("H-3", "Ødegård", "Kari")}}
}

func person(id, last, first string) map[string]any {
	return map[string]any{"id": id, "last_name": last, "first_name": first, "dob": "1990-04-30", "nationality": "PH",
		"gender": "F", "doc_country": "PH", "doc_number": "P12345" + id[2:], "doc_expire": "2034-01-01",
		"home_airport": "MNL"}
}

func (s *crewSystem) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := s.asked.Add(1)
	if s.before != nil && s.before(w, r) {
		return
	}
	if _, password, _ := r.BasicAuth(); password != s.password {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	q := r.URL.Query()
	records := []any{}
	switch r.URL.Path {
	case "/api/suggest_traveller", "/all":
		for _, p := range s.people {
			if s.renames {
				p = maps.Clone(p)
				p["id"] = fmt.Sprint(p["id"], "-", n)
			}
			begins := strings.HasPrefix(strings.ToLower(fmt.Sprint(p["last_name"])), strings.ToLower(q.Get("surname")))
			if begins || s.unfiltered {
				records = append(records, p)
			}
		}
	case "/api/travel_request":
		day := time.Now().UTC().AddDate(0, 0, 2).Format(time.DateOnly)
		to := q.Get("to")
		if q.Get("from") <= day && (day < to || day == to && !s.halfOpen) {
			records = append(records, map[string]any{"requestId": "R-1",
				"traveler": map[string]any{"id": "H-1", "lastName": "Santos", "firstName": "Maria", "dob": "1990-04-30",
					"nationality": "PH", "gender": "F", "docCountry": "PH", "docNumber": "P1234567",
					"docExpireDate": "2034-01-01"},
				"flight": map[string]any{"origin": "MNL", "destination": "SIN", "date": day}})
		}
	case "/api/crew_change":
		day := time.Now().UTC().AddDate(0, 0, 3).Format(time.DateOnly)
		if q.Get("date") == day {
			joins := maps.Clone(s.people[0])
			joins["arrive"] = day
			records = append(records, map[string]any{"vessel": "Nordlys", "flag": "NO", "onsigners": []any{joins}})
		}
	case "/api/sync_flights":
		s.receive(w, r)
		return
	}
	w.Header().Set("Content-Type", s.kind)
	json.NewEncoder(w).Encode(records)
}

func (s *crewSystem) receive(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if hook, err := standardwebhooks.NewWebhook(s.secret); s.secret != "" && (err != nil ||
		hook.Verify(body, r.Header) != nil) {
		w.WriteHeader(http.StatusUnauthorized)
	}
}

var everything = []gangway.Flow{gangway.TravellerLookupFlow, gangway.TravelRequestsFlow, gangway.CrewChangesFlow,
	doctor.PushFlow}

// TestFaults: each fault of a customer's system is found, by the check of that name, and
// told in a sentence; the system without it is well.
func TestFaults(t *testing.T) {
	answers := func(path, query string, status int, body string) func(*crewSystem) {
		return func(s *crewSystem) {
			s.before = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path != path || !strings.Contains(r.URL.RawQuery, query) {
					return false
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				io.WriteString(w, body)
				return true
			}
		}
	}
	set := func(field string, value any) func(*crewSystem) {
		return func(s *crewSystem) { s.people[0][field] = value }
	}
	tests := []struct {
		name    string
		plant   func(*crewSystem)
		check   string
		verdict doctor.Verdict
		says    string
	}{
		{"404 where nobody is " +
			"found", answers("/api/suggest_traveller", "Zzy", 404, "nobody"), "b1.nothing", doctor.Wrong,
			"answer 200 with an empty list"},
		{"500 at letters beyond ASCII", answers("/api/suggest_traveller", "%C3%98", 500, "codec"), "b1.unicode",
			doctor.Wrong, "The system failed (status 500)"},
		{"500 at an apostrophe", answers("/api/suggest_traveller", "surname=O", 500, "SQL"), "b1.apostrophe",
			doctor.Wrong, "status 500"},
		{"400 at a percent sign", answers("/api/suggest_traveller", "Sm%25", 400, ""), "b1.percent", doctor.Wrong,
			"status 400"},
		{"a day that does not exist", set("dob", "1990-02-31"), "b1.fields", doctor.Wrong, "1990-02-31"},
		{"a gender of another kind", set("gender", "divers"), "b1.fields", doctor.Wrong, "must be M or F"},
		{"a passport number that is too long", set("doc_number", "P123456789012"), "b1.fields", doctor.Wrong,
			"at most 9 characters"},
		{"a record without a first name", set("first_name", ""), "b1.fields", doctor.Wrong, "FirstName"},
		{"an airport that does not exist", set("home_airport", "QQQ"), "b1.fields", doctor.Warning, "no airport"},
		{"no nationality", set("nationality", ""), "b1.complete", doctor.Warning,
			"record 0, byte 1: nationality: It is missing once, in the record of H-1"},
		{"null where nobody is found", answers("/api/suggest_traveller", "Zzy", 200, "null"), "b1.nothing",
			doctor.Wrong, "answer 200 with an empty list"},
		{"an object where nobody is found", answers("/api/suggest_traveller", "Zzy", 200, `{"ok": true, "data": null}`),
			"b1.nothing", doctor.Warning, "name the list in a feed's mapping"},
		{"an empty list in an object", answers("/api/suggest_traveller", "Zzy", 200, `{"ok": true, "data": []}`),
			"b1.nothing", doctor.Fine, ""},
		{"an error with status 200", answers("/api/suggest_traveller", "", 200, `{"status": "error"}`),
			"b1.answer", doctor.Wrong, "give it a status of 400 or more"},
		{"a failure with status 200", answers("/api/suggest_traveller", "", 200, `{"success": false}`), "b1.answer",
			doctor.Wrong, `The system does not answer properly: "success" in its answer is false`},
		{"one page of several", answers("/api/suggest_traveller", "", 200, `{"hasMore": true, "items": [{"id": "H-1", `+
			`"last_name": "Santos", "first_name": "Maria"}]}`), "b1.answer", doctor.Warning, `"hasMore" says so`},
		{"capitals only as they are written", func(s *crewSystem) {
			s.before = func(w http.ResponseWriter, r *http.Request) bool {
				surname := r.URL.Query().Get("surname")
				none := surname != "" && !strings.HasPrefix("Santos", surname)
				if none {
					w.Header().Set("Content-Type", "application/json")
					io.WriteString(w, "[]")
				}
				return none
			}
		}, "b1.case", doctor.Wrong, "though Santos is there"},
		{"Python's own way to write", answers("/api/suggest_traveller", "", 200, `[{'last_name': 'Santos'}]`),
			"b1.answer", doctor.Wrong, "1 record, and none can be read"},
		{"letters encoded twice", set("first_name", "JosÃ©"), "b1.format", doctor.Wrong,
			"encoded twice (1). They are stored as they came: “JosÃ©”"},
		{"a name that lost a letter", set("first_name", "Jos\ufffd"), "b1.fields", doctor.Wrong, "could not be read"},
		{"JSON called HTML", func(s *crewSystem) { s.kind = "text/html" }, "b1.format", doctor.Warning, "text/html"},
		{"other ids each time", func(s *crewSystem) { s.renames = true }, "b1.identity", doctor.Wrong, "another " +
			"identity"},
		{"the same id twice", set("id", "H-2"), "b1.identity", doctor.Wrong, "more than once"},
		{"no id", set("id", ""), "b1.identity", doctor.Warning,
			"record 0, byte 1: id: It is missing once, in the record of Maria Santos"},
		{"everybody whatever is asked", func(s *crewSystem) { s.unfiltered = true }, "b1.asked-only", doctor.Warning,
			"told of Kari Ødegård"},
		{"the last day left out", func(s *crewSystem) { s.halfOpen = true }, "b3.one-day", doctor.Wrong,
			"both days belong"},
		{"an error where no crew changes", answers("/api/crew_change", "1970", 500, "null"), "b4.nothing", doctor.Wrong,
			"empty list"},
		{"a sign-in page", answers("/api/crew_change", "", 200, "<html><body>Sign in</body></html>"), "b4.answer",
			doctor.Wrong, "perhaps a sign-in page"},
		{"anybody is answered", func(s *crewSystem) {
			s.before = func(w http.ResponseWriter, r *http.Request) bool {
				r.SetBasicAuth("crew", s.password)
				return false
			}
		}, "b3.no-credentials", doctor.Wrong, "anybody who knows the address gets crew data"},
		{"signatures are not checked", func(s *crewSystem) { s.secret = "" }, "b5.forged", doctor.Warning,
			"webhook-signature"},
		{"old pushes are accepted", func(s *crewSystem) {
			hook := calltest.Must(standardwebhooks.NewWebhook(s.secret))(t)
			s.before = func(w http.ResponseWriter, r *http.Request) bool {
				return r.Method == http.MethodPost && hook.VerifyIgnoringTimestamp(bodyOf(r), r.Header) == nil
			}
		}, "b5.old", doctor.Warning, "webhook-timestamp"},
		{"a repeated push is an error", func(s *crewSystem) {
			seen := map[string]bool{}
			s.before = func(w http.ResponseWriter, r *http.Request) bool {
				id := r.Header.Get("Webhook-Id")
				known := seen[id]
				if seen[id] = id != ""; known {
					w.WriteHeader(http.StatusConflict)
				}
				return known
			}
		}, "b5.twice", doctor.Wrong, "Keep the webhook-ids"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			report := whole(t, tt.plant)
			wants(t, report, tt.check, tt.verdict, tt.says)
			if report.Verdict != doctor.Wrong && tt.verdict == doctor.Wrong {
				t.Errorf("the whole is %s", report.Verdict)
			}
		})
	}
	t.Run("no fault", func(t *testing.T) {
		for _, c := range whole(t, nil).Checks {
			if c.Verdict != doctor.Fine && c.ID != "tls.certificate" && c.ID != "b2.answer" {
				t.Errorf("%s is %s: %s", c.ID, c.Verdict, sentences(c))
			}
		}
	})
}

// whole examines all flows of a system that has the fault planted.
func whole(t *testing.T, plant func(*crewSystem)) doctor.Report {
	t.Helper()
	s := newCrewSystem()
	s.secret, s.password = deliver.NewSecret(), "tide-tables"
	at := doctor.Address{Flows: everything, Secret: s.secret,
		Credentials: gangway.Credentials{Kind: gangway.BasicCredentials, User: "crew", Password: "tide-tables"}}
	if plant != nil {
		plant(s)
	}
	at.URL = serve(t, s).URL
	return examine(t, newDoctor(doctor.Config{}), at, gangway.Ask{})
}

func find(t *testing.T, r doctor.Report, id string) doctor.Check {
	t.Helper()
	for _, c := range r.Checks {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("there is no check %s in\n%s", id, r.Text())
	return doctor.Check{}
}

func sentences(c doctor.Check) string {
	return strings.Join(c.Sentences(), "\n")
}

// TestHostileSystems: whatever a system does, the examination ends soon and says what it met.
func TestHostileSystems(t *testing.T) {
	tests := []struct {
		name   string
		answer func(w http.ResponseWriter, r *http.Request)
		says   string
		holds  bool // whoever asks, for ever
	}{
		{"hangs", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "had not answered to the end",
			true},
		{"drips", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				io.WriteString(w, " ")
				http.NewResponseController(w).Flush()
				select {
				case <-r.Context().Done():
				case <-time.After(time.Millisecond):
				}
			}
		}, "had not answered to the end", true},
		{"endless", func(w http.ResponseWriter, r *http.Request) {
			for part := strings.Repeat(`{"last_name":"A"},`, 5000); r.Context().Err() == nil; {
				if _, err := io.WriteString(w, part); err != nil {
					return
				}
			}
		}, "", true},
		{"redirects inwards", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/latest?token=abc", http.StatusFound)
		}, "redirects to http://169.254.169.254/latest, which is not followed", false},
		{"breaks off", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, `[{"last_name":`)
		}, "ended before it was whole", false},
		{"is no gzip", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, "[]no gzip at all")
		}, "cannot be unpacked", false},
		{"is no document", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `[{"last_name": ]`) },
			"at byte", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, http.HandlerFunc(tt.answer))
			config := doctor.Config{}
			if tt.holds {
				config.Limit = 150 * time.Millisecond
			}
			d := newDoctor(config)
			report := examine(t, d, doctor.Address{URL: s.URL}, gangway.Ask{})
			wants(t, report, "b1.answer", doctor.Wrong, tt.says)
			if tt.says != "" { // an endless answer ends by its length, or by its time
				toldOnce(t, report, "b1.answer")
			}
			if len(report.Calls) != 3 {
				t.Errorf("it was called %d times; want once for each flow", len(report.Calls))
			}
			if doc, err := json.Marshal(report); err != nil || len(doc) > 64<<10 {
				t.Errorf("the report has %d bytes, %v", len(doc), err)
			}
		})
	}
}

// TestPrivateNetwork: nothing in the operator's own networks is called unless that is allowed.
func TestPrivateNetwork(t *testing.T) {
	s := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was called") }))
	plan := calltest.Must(doctor.AtAddress(doctor.Address{URL: s.URL, Flows: everything}))(t)
	_, err := doctor.New(doctor.Config{Now: time.Now}).Examine(t.Context(), plan)
	if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), "--allow-network") {
		t.Errorf("Examine = %v; want it refused", err)
	}
	report := examine(t, doctor.New(doctor.Config{Now: time.Now}), doctor.Address{URL: s.URL,
		Flows: []gangway.Flow{doctor.PushFlow}}, gangway.Ask{})
	toldOnce(t, report, "host.connection")
	wants(t, report, "host.connection", doctor.Wrong, "is not called. The address lies",
		"gangway serve --allow-network")
	if c := find(t, report, "tls.certificate"); c.Because != "host.connection" {
		t.Errorf("%s is %s: %s; want it not tried", c.ID, c.Verdict, sentences(c))
	}
}

// TestCertificate: a host that nobody vouches for is named, and what to do about it. No certificate helps where the
// port does not speak TLS.
func TestCertificate(t *testing.T) {
	s := httptest.NewUnstartedServer(newCrewSystem())
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that were broken off
	s.StartTLS()
	t.Cleanup(s.Close)
	report := examine(t, newDoctor(doctor.Config{}), doctor.Address{URL: s.URL}, gangway.Ask{})
	wants(t, report, "tls.certificate", doctor.Wrong, "no trusted connection", "--ca")
	toldOnce(t, report, "tls.certificate")

	plain := serve(t, newCrewSystem()).Listener.Addr().String()
	report = examine(t, newDoctor(doctor.Config{}), doctor.Address{URL: "https://" + plain, Flows: everything},
		gangway.Ask{})
	toldOnce(t, report, "tls.certificate")
	said := sentences(find(t, report, "tls.certificate"))
	if !strings.Contains(said, "does not speak TLS at this port. Give the port at which it does, or call it by "+
		"http://") || strings.Contains(said, "--ca") {
		t.Errorf("of a port that speaks plain HTTP: %s", said)
	}
}
