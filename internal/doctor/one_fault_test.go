package doctor_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/doctor"
	"gangway/internal/gangway"
)

func bodyOf(r *http.Request) []byte {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body
}

// toldOnce checks that one check is wrong, and that what could not be judged names it.
func toldOnce(t *testing.T, r doctor.Report, root string) {
	t.Helper()
	for _, c := range r.Checks {
		switch {
		case c.ID == root:
			if c.Verdict != doctor.Wrong {
				t.Errorf("%s is %s; want it wrong", c.ID, c.Verdict)
			}
		case c.Verdict == doctor.Wrong:
			t.Errorf("%s is wrong too: %s", c.ID, sentences(c))
		case c.Because != "" && (c.Because != root || c.Verdict != doctor.NotTried ||
			!strings.HasPrefix(sentences(c), "Because of "+root)):
			t.Errorf("%s is %s because of %s: %s; want %s", c.ID, c.Verdict, c.Because, sentences(c), root)
		}
	}
	if r.Wrong != 1 {
		t.Errorf("%s", r.ToMend())
	}
}

// whereNobodyIs has a system answer so to surnames that nobody has.
func whereNobodyIs(answer func(http.ResponseWriter)) func(*crewSystem) {
	return func(s *crewSystem) {
		s.before = func(w http.ResponseWriter, r *http.Request) bool {
			surname := strings.ToLower(r.URL.Query().Get("surname"))
			none := surname != "" && !strings.HasPrefix("santos", surname)
			if none {
				answer(w)
			}
			return none
		}
	}
}

// TestOneFault: a fault is told once, where it is to be mended. What could not be judged because
// of it is not tried, and never fine.
func TestOneFault(t *testing.T) {
	all := func(do func(http.ResponseWriter)) func(*crewSystem) {
		return func(s *crewSystem) {
			s.before = func(w http.ResponseWriter, r *http.Request) bool { do(w); return true }
		}
	}
	tests := []struct {
		name  string
		plant func(*crewSystem)
		root  string
		says  string
		not   []string // that cannot be judged
	}{
		{"credentials that nobody knows", all(status(401)), "b1.answer", "refused the credentials",
			[]string{"b1.fields", "b1.time", "b3.answer", "b4.answer", "b4.time", "b5.answer", "b5.time"}},
		{"an address with nothing at it", all(status(404)), "b1.answer", "It answered so to all 16 questions",
			[]string{"b1.time", "b3.answer", "b4.answer"}},
		{"asked too often", func(s *crewSystem) {
			s.before = func(w http.ResponseWriter, r *http.Request) bool {
				often := s.asked.Load() > 5 && r.Method == http.MethodGet
				if often {
					w.WriteHeader(429)
				}
				return often
			}
		}, "b1.steady", "asked too often", []string{"b1.blank", "b1.percent", "b3.answer", "b3.time", "b4.answer"}},
		{"404 where nobody is found", whereNobodyIs(status(404)), "b1.nothing",
			"though with 2 records for surnames that begin with \"sa\"",
			[]string{"b1.unicode", "b1.apostrophe", "b1.blank", "b1.percent"}},
		{"null where nobody is found", whereNobodyIs(func(w http.ResponseWriter) { io.WriteString(w, "null") }),
			"b1.nothing", "answer 200 with an empty list", []string{"b1.unicode", "b1.percent"}},
		{"breaks off at an apostrophe", func(s *crewSystem) {
			s.before = func(w http.ResponseWriter, r *http.Request) bool {
				is := strings.Contains(r.URL.Query().Get("surname"), "'")
				if is {
					breakOff(w)
				}
				return is
			}
		}, "b1.steady", "O'Br", []string{"b1.apostrophe"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			report := whole(t, tt.plant)
			toldOnce(t, report, tt.root)
			wants(t, report, tt.root, doctor.Wrong, tt.says)
			for _, id := range tt.not {
				if c := find(t, report, id); c.Verdict != doctor.NotTried || c.Because != tt.root {
					t.Errorf("%s is %s: %s; want it not tried", id, c.Verdict, sentences(c))
				}
			}
			if n := strings.Count(report.Text(), "WRONG"); n != 1 {
				t.Errorf("the text says WRONG %d times:\n%s", n, report.Text())
			}
		})
	}
}

// TestNoConnection: a host that cannot be reached is told of once; nothing is said about its time, or its flows. Of one
// whose name leads nowhere, the name is asked about.
func TestNoConnection(t *testing.T) {
	l := calltest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	nobody := l.Addr().String()
	l.Close()
	for _, tt := range []struct{ url, host, cure string }{
		{"http://" + nobody, nobody, "does it let this machine in?"},
		{"https://crew.nowhere.invalid", "crew.nowhere.invalid", "Is the name written right"},
	} {
		report := examine(t, newDoctor(doctor.Config{}), doctor.Address{URL: tt.url, Flows: everything}, gangway.Ask{})
		toldOnce(t, report, "host.connection")
		said := sentences(find(t, report, "host.connection"))
		if !strings.Contains(said, "no connection to "+tt.host) || !strings.Contains(said, tt.cure) ||
			strings.Count(said, "?") != 1 {
			t.Errorf("%s; want it to ask: %s", said, tt.cure)
		}
		for _, c := range report.Checks {
			if c.Verdict == doctor.Fine {
				t.Errorf("%s is fine: %s", c.ID, sentences(c))
			}
		}
		if strings.Count(report.Text(), "Because of") > 5 { // TLS, and B1, B3, B4 and B5
			t.Errorf("the same is told again and again:\n%s", report.Text())
		}
	}
}

// TestGuessesAreWarnings: what may be wrong of a whole answer is a warning, and nothing is said to be left out for it.
func TestGuessesAreWarnings(t *testing.T) {
	s := newCrewSystem()
	for _, p := range s.people {
		p["expiry"], p["valid until"] = p["doc_expire"], "2033-01-01"
		delete(p, "doc_expire")
	}
	c := wants(t, lookups(t, s, gangway.Ask{}), "b1.fields", doctor.Warning,
		"nothing says whether it is expiry or valid until.")
	if said := sentences(c); strings.Contains(said, "left out") {
		t.Errorf("b1.fields: %s", said)
	}
}

// TestMixedShapes: an answer in which records have either of the shapes that B3 may have is not wrong.
func TestMixedShapes(t *testing.T) {
	s := newCrewSystem()
	s.before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/api/travel_request" {
			return false
		}
		answer := httptest.NewRecorder()
		old := s.before
		s.before = nil
		s.ServeHTTP(answer, r)
		s.before = old
		list := strings.TrimSuffix(strings.TrimSpace(answer.Body.String()), "]")
		if list != "[" {
			list += strings.Replace(strings.Replace(list, "[", ",", 1), `"requestId":"R-1"`,
				`"externalInfo":{"requestId":"R-2"}`, 1)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, list, "]")
		return true
	}
	report := examine(t, newDoctor(doctor.Config{}), doctor.Address{URL: serve(t, s).URL,
		Flows: []gangway.Flow{gangway.TravelRequestsFlow}}, gangway.Ask{})
	if report.Wrong > 0 || !strings.Contains(sentences(find(t, report, "b3.answer")), "2 records") {
		t.Errorf("%s\n%s", report.ToMend(), sentences(find(t, report, "b3.answer")))
	}
}

// TestLate: an answer that comes too late is told as such, and not as a fault of what was asked.
func TestLate(t *testing.T) {
	s := newCrewSystem()
	s.before = func(w http.ResponseWriter, r *http.Request) bool {
		late := strings.Contains(r.URL.Query().Get("surname"), "%")
		if late {
			<-r.Context().Done()
		}
		return late
	}
	report := examine(t, newDoctor(doctor.Config{Limit: 5 * time.Second}), doctor.Address{URL: serve(t, s).URL,
		Flows: []gangway.Flow{gangway.TravellerLookupFlow}}, gangway.Ask{})
	toldOnce(t, report, "b1.time")
	if c := find(t, report, "b1.percent"); c.Verdict != doctor.NotTried || c.Because != "b1.time" {
		t.Errorf("%s is %s: %s", c.ID, c.Verdict, sentences(c))
	}
	if c := find(t, report, "b1.time"); !strings.Contains(sentences(c), "Sm%69th") || len(c.Calls) != 1 {
		t.Errorf("%s: %s, calls %d", c.ID, sentences(c), c.Calls)
	}
}

// TestErrorForNothing: an address that has records for one day and an error for the next is right: it is
// said that the error stands for an empty list.
func TestErrorForNothing(t *testing.T) {
	for _, code := range []int{404, 400, 500} {
		for _, tt := range []struct {
			part string
			flow gangway.Flow
			path string
			ask  gangway.Ask
		}{
			{"b1", gangway.TravellerLookupFlow, "/api/suggest_traveller", gangway.Ask{}},
			{"b1", gangway.TravellerLookupFlow, "/api/suggest_traveller", gangway.Ask{Surname: "Unknown"}},
			{"b3", gangway.TravelRequestsFlow, "/api/travel_request", gangway.Ask{}},
			{"b3", gangway.TravelRequestsFlow, "/api/travel_request",
				gangway.Ask{From: "2026-01-01", To: "2026-01-07"}},
			{"b4", gangway.CrewChangesFlow, "/api/crew_change", gangway.Ask{}},
			{"b4", gangway.CrewChangesFlow, "/api/crew_change", gangway.Ask{Date: "2026-01-01"}},
		} {
			s := newCrewSystem()
			system := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				answer := httptest.NewRecorder()
				s.ServeHTTP(answer, r)
				if r.URL.Path == tt.path && strings.TrimSpace(answer.Body.String()) == "[]" {
					w.WriteHeader(code)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				w.Write(answer.Body.Bytes())
			})
			report := examine(t, newDoctor(doctor.Config{}), doctor.Address{URL: serve(t, system).URL,
				Flows: []gangway.Flow{tt.flow}}, tt.ask)
			toldOnce(t, report, tt.part+".nothing")
			wants(t, report, tt.part+".nothing", doctor.Wrong, fmt.Sprint("answers with status ", code, " for "),
				"though with ", "answer 200 with an empty list, []")
			wants(t, report, tt.part+".answer", doctor.Fine)
		}
	}
}
