package api_test

import (
	"bytes"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
	"gangway/internal/web/access"
	"gangway/internal/web/api"
)

// logged has a surface write its requests down where the test reads them.
func (s *surface) logged(t *testing.T, log *slog.Logger) *web.RequestLog {
	t.Helper()
	clock := func() time.Time { return now }
	requests := web.NewRequestLog(s.db, log, clock)
	s.Config.Handler = api.New(api.Config{DB: s.db, Now: clock, Log: log, Requests: requests,
		Limits: api.Limits{PerMinute: 20}})
	return requests
}

var requestID = regexp.MustCompile(`^req_[0-9a-v]{26}$`)

// Every answer names its request, whoever asks for whatever; what the client calls it makes no difference.
func TestEveryAnswerNamesItsRequest(t *testing.T) {
	s := newSurface(t)
	s.logged(t, slog.New(slog.DiscardHandler))
	seen := map[string]bool{}
	for _, tt := range []struct {
		method, path, key string
		status            int
	}{
		{"GET", "/bookings", s.key, 200}, {"POST", "/passenger", s.key, 400}, {"GET", "/bookings", "", 401},
		{"GET", "/bookings", "gw_test_wrong", 401}, {"GET", "/nothing", s.key, 404}, {"GET", "/", "", 404},
		{"PUT", "/bookings", s.key, 405}, {"HEAD", "/bookings/pulls", s.key, 200}, {"GET", "/soap", "", 200},
		{"DELETE", "/passenger?id=C-1", s.key, 404},
	} {
		res := s.do(t, tt.method, tt.path, nil, "X-Api-Key", tt.key, "Request-Id", "mine", "X-Request-Id", "mine")
		id := res.header.Get("Request-Id")
		if res.status != tt.status || !requestID.MatchString(id) || seen[id] {
			t.Errorf("%s %s = %d, Request-Id %q; want %d, and an identifier of ours", tt.method, tt.path, res.status,
				id, tt.status)
		}
		seen[id] = true
	}
	for range 20 {
		s.do(t, "GET", "/bookings", nil)
	}
	if res := s.do(t, "GET", "/bookings", nil); res.status != 429 ||
		!requestID.MatchString(res.header.Get("Request-Id")) {
		t.Errorf("a refused request = %d, %v; want 429 and a Request-Id", res.status, res.header)
	}
}

// A program in a loop does not fill the log with what was refused as too fast: it is counted.
func TestFloodsAreCounted(t *testing.T) {
	s := newSurface(t)
	requests := s.logged(t, slog.New(slog.DiscardHandler))
	var last string
	for range 20 + 109 {
		last = s.do(t, "GET", "/bookings/pulls", nil).header.Get("Request-Id")
	}
	must(t, requests.Settle(t.Context()))
	list, err := s.in.LoggedRequests(t.Context(), true, 200)
	counted := slices.ContainsFunc(list, func(r gangway.LoggedRequest) bool {
		return strings.HasSuffix(r.Details.Detail, "refused 100 times by now")
	})
	if err != nil || len(list) != 11 || !counted {
		t.Errorf("the log has %d refused requests, %v: %+v; want ten and the hundredth", len(list), err, list)
	}
	in, err := s.in.CountedRequest(t.Context(), last, time.Minute, web.NotedEach)
	if err != nil || !slices.ContainsFunc(list, func(r gangway.LoggedRequest) bool { return r.ID == in.ID }) {
		t.Errorf("the last one is counted in %+v, %v; want one of those of its minute", in, err)
	}
	early := store.NewRequestID(now.Add(-time.Hour))
	if in, err := s.in.CountedRequest(t.Context(), early, time.Minute, web.NotedEach); err == nil {
		t.Errorf("one of an hour before is counted in %+v", in)
	}
}

// What a program asked is in its account's log under its Request-Id, with what was wrong and without what is secret.
func TestRequestsAreLogged(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := surfaceOn(t, db, api.Limits{})
		requests := s.logged(t, slog.New(slog.DiscardHandler))
		find := func(res result) gangway.LoggedRequest {
			t.Helper()
			must(t, requests.Settle(t.Context()))
			r, err := s.in.LoggedRequest(t.Context(), res.header.Get("Request-Id"))
			if err != nil {
				t.Fatalf("request %s: %v", res.header.Get("Request-Id"), err)
			}
			return r
		}
		good := find(s.post(t, "/passenger", []any{travellerWithID("C-1")}))
		if good.Status != 200 || good.Method != "POST" || good.Path != "/passenger" || good.Key == "" ||
			good.Received < 100 || good.Sent < 20 || !good.At.Equal(now) || len(good.Body)+len(good.Answer) > 0 {
			t.Errorf("a good upload is logged as %+v", good)
		}
		wrong := travellerWithID("C-2")
		wrong["gender"] = "X"
		bad := find(s.post(t, "/passenger", []any{wrong}))
		if bad.Status != 400 || len(bad.Details.Errors["[0].Gender"]) != 1 {
			t.Errorf("a refused upload is logged as %+v; want what is wrong with [0].Gender", bad)
		}
		gone := find(s.do(t, "DELETE", "/passenger?doc_country=PH&doc_number=P1234567A", nil))
		if gone.Status != 404 || gone.Details.Address != "/passenger?doc_country=…&doc_number=…" ||
			gone.Details.Detail == "" {
			t.Errorf("a deletion is logged as %+v; want its address without the passport", gone)
		}
		lost := find(s.do(t, "GET", "/pasenger/"+s.key, nil))
		if lost.Path != "" || lost.Status != 404 || lost.Details.Address != "/pasenger/gw_test_…" {
			t.Errorf("an address without anything is logged as %+v; want it without the key", lost)
		}
		pull := find(s.do(t, "GET", "/bookings?pull=night-1", nil))
		if pull.Details.Address != "/bookings?pull=night-1" || pull.Status != 200 {
			t.Errorf("a pull is logged as %+v; want its name", pull)
		}
		list, err := s.in.LoggedRequests(t.Context(), true, 10)
		if err != nil || len(list) != 3 || slices.ContainsFunc(list, func(r gangway.LoggedRequest) bool {
			return r.Status < 400
		}) {
			t.Errorf("the requests that were refused are %+v, %v; want 3", list, err)
		}
	})
}

// Bodies are kept only where the account has them kept, and are sealed; erasing anybody deletes them all.
func TestBodiesOfRequests(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		db.SealWith(storetest.Sealer(t))
		s := surfaceOn(t, db, api.Limits{})
		storetest.Settings(t, s.in, gangway.Settings{LogBodies: true})
		requests := s.logged(t, slog.New(slog.DiscardHandler))
		read := func(id string) gangway.LoggedRequest {
			t.Helper()
			must(t, requests.Settle(t.Context()))
			r, err := s.in.LoggedRequest(t.Context(), id)
			must(t, err)
			return r
		}
		wrong := travellerWithID("C-2")
		wrong["gender"] = "X"
		first := s.post(t, "/passenger", []any{travellerWithID("C-1")}).header.Get("Request-Id")
		second := s.post(t, "/passenger", []any{wrong}).header.Get("Request-Id")
		r := read(first)
		if !bytes.Contains(r.Body, []byte(`"C-1"`)) || !bytes.Contains(r.Answer, []byte(`"created":1`)) {
			t.Fatalf("kept are %q and %q; want what was sent and answered", r.Body, r.Answer)
		}
		pulled := s.do(t, "GET", "/bookings", nil, "Accept-Encoding", "gzip").header.Get("Request-Id")
		if r := read(pulled); string(r.Answer) != "[]" {
			t.Errorf("of a pull %q is kept; want its answer as it was before it was packed", r.Answer)
		}
		waiting := s.post(t, "/passenger", []any{wrong}).header.Get("Request-Id") // not yet written
		if _, err := s.in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: "C-1"}, now,
			func(string, []byte, erasure.OwnValues) ([]byte, error) { return nil, nil }); err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{first, second, waiting} {
			if r := read(id); len(r.Body)+len(r.Answer) > 0 || !r.Details.None() || r.Status == 0 {
				t.Errorf("after an erasure %s is %+v; want neither bodies nor what was wrong", id, r)
			}
		}
	})
}

// Requests that belong to no account are in the server's log, by their identifier, and in no account's.
func TestRequestsOfNobody(t *testing.T) {
	s := newSurface(t)
	var log bytes.Buffer
	requests := s.logged(t, slog.New(web.LogRequestIDs(slog.NewTextHandler(&log, nil))))
	bad, _, _ := access.NewKey(gangway.Production)
	for _, key := range []string{"", bad} {
		id := s.do(t, "GET", "/bookings/"+bad, nil, "X-Api-Key", key).header.Get("Request-Id")
		if !strings.Contains(log.String(), "request="+id) {
			t.Errorf("the log does not tell of request %s:\n%s", id, log.String())
		}
		if strings.Contains(log.String(), bad) {
			t.Errorf("the log has the key:\n%s", log.String())
		}
		must(t, requests.Settle(t.Context()))
		if r, err := s.in.LoggedRequest(t.Context(), id); gangway.KindOf(err) != gangway.NotFound {
			t.Errorf("the account has request %+v, %v; want none", r, err)
		}
	}
}

// Another account finds a request by no identifier.
func TestRequestsOfOthers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s, other := surfaceOn(t, db, api.Limits{}), surfaceOn(t, db, api.Limits{})
		requests := s.logged(t, slog.New(slog.DiscardHandler))
		id := s.do(t, "GET", "/bookings", nil).header.Get("Request-Id")
		must(t, requests.Settle(t.Context()))
		must(t, did(s.in.LoggedRequest(t.Context(), id)))
		if r, err := other.in.LoggedRequest(t.Context(), id); gangway.KindOf(err) != gangway.NotFound {
			t.Errorf("another account is shown %+v, %v", r, err)
		}
		if list, err := other.in.LoggedRequests(t.Context(), false, 10); err != nil || len(list) > 0 {
			t.Errorf("another account's log has %v, %v", list, err)
		}
	})
}

func travellerWithID(id string) record {
	t := traveller()
	t["id"] = id
	return t
}
