package api_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gangway/internal/accept"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/access"
	"gangway/internal/web/api"
)

// A surface is the integration surface with an account that has a key.
type surface struct {
	*httptest.Server
	db  *store.DB
	in  store.Scoped
	key string
}

var now = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)

func newSurface(t *testing.T) *surface { return surfaceOn(t, storetest.New(t), api.Limits{}) }

func surfaceOn(t *testing.T, db *store.DB, limits api.Limits) *surface {
	t.Helper()
	_, dev := storetest.Accounts(t, db)
	s := &surface{db: db, in: db.In(dev.Scope())}
	plain, hash, shown := access.NewKey(gangway.Development)
	if err := s.in.CreateCredential(t.Context(), storetest.Operator, store.Credential{Kind: store.APIKey,
		ID: "key_" + plain[8:16], Shown: shown, CreatedAt: now}, hash); err != nil {
		t.Fatal(err)
	}
	s.key = plain
	s.Server = httptest.NewServer(held(t, limits, api.New(api.Config{DB: db, Now: func() time.Time {
		return now
	}, Log: slog.New(slog.DiscardHandler), Limits: limits})))
	t.Cleanup(s.Close)
	return s
}

// A result is the answer to a request.
type result struct {
	status  int
	header  http.Header
	body    string
	problem struct {
		Type, Title, Detail string
		Status              int
		Errors              map[string][]string
		Truncated           bool
	}
	counts struct {
		IsSuccess                             bool
		Received, Created, Updated, Unchanged int
		Warnings                              map[string][]string
		Truncated                             bool
	}
}

func (s *surface) do(t *testing.T, method, path string, body []byte, header ...string) result {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, bytes.NewReader(body))
	must(t, err)
	req.Header.Set("X-Api-Key", s.key)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	must(t, err)
	defer res.Body.Close()
	doc, err := io.ReadAll(res.Body)
	must(t, err)
	out := result{status: res.StatusCode, header: res.Header, body: string(doc)}
	if res.StatusCode >= 400 && method != http.MethodHead {
		if got := res.Header.Get("Content-Type"); got != "application/problem+json" {
			t.Errorf("%s %s: an error of type %q", method, path, got)
		}
		if err := json.Unmarshal(doc, &out.problem); err != nil || out.problem.Status != res.StatusCode ||
			out.problem.Title == "" || out.problem.Type == "" {
			t.Errorf("%s %s: %s is no problem document for %d", method, path, doc, res.StatusCode)
		}
	} else {
		json.Unmarshal(doc, &out.counts)
	}
	return out
}

func (s *surface) post(t *testing.T, path string, v any, header ...string) result {
	t.Helper()
	doc, err := json.Marshal(v)
	must(t, err)
	return s.do(t, "POST", path, doc, append([]string{"Content-Type", "application/json"}, header...)...)
}

func crew(n int) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = with(with(traveller(), "id", fmt.Sprintf("C-%d", i)), "last_name", fmt.Sprintf("Santos %c", 'A'+i%26))
	}
	return list
}

func TestUpload(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := surfaceOn(t, db, api.Limits{})
		t.Run("ten thousand travellers are stored and suggested at once", func(t *testing.T) {
			res := s.post(t, "/passenger", crew(10_000))
			if res.status != 200 || !res.counts.IsSuccess || res.counts.Received != 10_000 || res.counts.Created !=
				10_000 {
				t.Fatalf("answer = %d %s", res.status, res.body)
			}
			list, err := s.in.SuggestTravellers(t.Context(), "santos b", nil, 10)
			if err != nil || len(list) != 10 || list[0].LastName != "Santos B" {
				t.Fatalf("suggested %d, %v; want 10 of them", len(list), err)
			}
		})
		t.Run("sent again, unchanged ones stay and a changed one is updated", func(t *testing.T) {
			again := crew(10_000)
			again[4711] = with(again[4711].(record), "phone", "+63 917 555 0101")
			again = append(again, with(traveller(), "id", "new"))
			res := s.post(t, "/passenger", again)
			if res.body != `{"isSuccess":true,"received":10001,"created":1,"updated":1,"unchanged":9999,"warnings":{}}` {
				t.Fatalf("answer = %d %s", res.status, res.body)
			}
		})
		t.Run("one bad record among ten thousand stores nothing and is named", func(t *testing.T) {
			bad := crew(10_000)
			for i := range bad {
				bad[i] = with(bad[i].(record), "id", fmt.Sprintf("D-%d", i))
			}
			bad[7777] = without(bad[7777].(record), "gender")
			res := s.post(t, "/passenger", bad)
			if res.status != 400 || len(res.problem.Errors) != 1 || res.problem.Errors["[7777].Gender"] == nil {
				t.Fatalf("answer = %d %v; want [7777].Gender named", res.status, res.problem.Errors)
			}
			if _, err := s.in.Traveller(t.Context(), "id:D-0"); gangway.KindOf(err) != gangway.NotFound {
				t.Fatalf("Traveller = %v; want nothing stored", err)
			}
		})
		t.Run("the same record twice in one array is refused", func(t *testing.T) {
			res := s.post(t, "/passenger", []any{traveller(), with(traveller(), "id", "other"), traveller()})
			if res.status != 400 || res.problem.Errors["[2].Id"] == nil {
				t.Errorf("answer = %d %v; want [2].Id", res.status, res.problem.Errors)
			}
			anonymous := without(traveller(), "id")
			res = s.post(t, "/passenger", []any{anonymous, anonymous})
			if res.status != 400 || res.problem.Errors["[1].DocNumber"] == nil {
				t.Errorf("answer = %d %v; want [1].DocNumber", res.status, res.problem.Errors)
			}
			res = s.post(t, "/travelers-requests", []any{travelRequest(), travelRequest()})
			if res.status != 400 || res.problem.Errors["[1].ExternalInfo.RequestId"] == nil {
				t.Errorf("answer = %d %v; want [1].ExternalInfo.RequestId", res.status, res.problem.Errors)
			}
			res = s.post(t, "/travel-requests", []any{crewChange(), crewChange()})
			if res.status != 400 || res.problem.Errors["[1].TravelRequestId"] == nil {
				t.Errorf("answer = %d %v; want [1].TravelRequestId", res.status, res.problem.Errors)
			}
		})
		t.Run("at most a thousand fields are reported", func(t *testing.T) {
			bad := crew(1500)
			for i := range bad {
				bad[i] = with(bad[i].(record), "gender", "X")
			}
			if res := s.post(t, "/passenger", bad); res.status != 400 || len(res.problem.Errors) != 1000 ||
				!res.problem.Truncated {
				t.Fatalf("answer = %d with %d errors, truncated %t; want 400 with 1000, truncated", res.status,
					len(res.problem.Errors), res.problem.Truncated)
			}
			if res := s.post(t, "/passenger", bad[:1000]); res.status != 400 || len(res.problem.Errors) != 1000 ||
				res.problem.Truncated {
				t.Fatalf("answer = %d with %d errors, truncated %t; want 400 with all 1000", res.status,
					len(res.problem.Errors), res.problem.Truncated)
			}
		})
		t.Run("travel requests and crew changes replace their earlier versions", func(t *testing.T) {
			for path, r := range map[string]record{"/travelers-requests": travelRequest(),
				"/travel-requests": crewChange()} {
				for i, want := range []string{`"created":1,"updated":0,"unchanged":0`,
					`"created":0,"updated":0,"unchanged":1`} {
					if res := s.post(t, path, []any{r}); res.status != 200 || !strings.Contains(res.body, want) {
						t.Errorf("%s upload %d = %d %s; want %s", path, i+1, res.status, res.body, want)
					}
				}
			}
			got, err := s.in.TravelRequest(t.Context(), "R-1", "1")
			if err != nil || got.Rank != "Chief Officer" || got.Remarks != "window seat" || got.Traveller.HomeAirport !=
				"MNL" || len(got.Flight.Legs()) != 2 {
				t.Fatalf("TravelRequest = %+v, %v", got, err)
			}
			change, err := s.in.CrewChange(t.Context(), "id:CC-1")
			if err != nil || change.OffSigners[0].Depart != (gangway.PortCall{Airport: "AMS", Date: "2026-12-03"}) {
				t.Fatalf("CrewChange = %+v, %v", change, err)
			}
		})
	})
}

// TestStrictJSON sends bodies that lenient readers accept and strict ones must not.
func TestStrictJSON(t *testing.T) {
	s := newSurface(t)
	one, _ := json.Marshal(traveller())
	bodies := map[string]string{
		"empty":                      "",
		"blank":                      "  ",
		"null":                       "null",
		"an object":                  string(one),
		"cut off":                    "[" + string(one),
		"data after the array":       "[" + string(one) + "] []",
		"a byte order mark alone":    "\uFEFF",
		"two byte order marks":       "\uFEFF\uFEFF[]",
		"a name twice":               `[{"last_name":"A","last_name":"B"}]`,
		"a name twice, deep":         `[{"x":{"a":1,"a":2}}]`,
		"invalid UTF-8":              "[{\"last_name\":\"\xff\"}]",
		"a lone surrogate":           `[{"last_name":"\ud800"}]`,
		"a comma too much":           "[" + string(one) + ",]",
		"a comment":                  "[/* */]",
		"nested too deep":            `[{"x":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}]`,
		"a record that is no object": `["Santos"]`,
		"a record that is null":      `[null]`,
	}
	for name, body := range bodies {
		for _, path := range []string{"/passenger", "/travelers-requests", "/travel-requests"} {
			if res := s.do(t, "POST", path, []byte(body)); res.status != 400 {
				t.Errorf("%s to %s = %d %s; want 400", name, path, res.status, res.body)
			}
		}
	}
	if res := s.do(t, "POST", "/passenger", []byte("\uFEFF["+string(one)+"]")); res.status != 200 ||
		res.counts.Received != 1 {
		t.Errorf("a byte order mark before the array = %d %s; want 200", res.status, res.body)
	}
	if res := s.do(t, "POST", "/passenger", []byte("\uFEFF[x")); !strings.Contains(res.body, "at byte 4") {
		t.Errorf("after a byte order mark: %s; want positions counted from the first byte of the body", res.body)
	}
	if res := s.do(t, "POST", "/passenger", []byte("[]")); res.status != 200 {
		t.Errorf("an empty array = %d %s; want 200", res.status, res.body)
	}
	paths := map[string]string{
		`[{"last_name":"A"},{"last_name":"B","last_name":"C"}]`:      "[1].LastName",
		"[{\"last_name\":\"\xff\"}]":                                 "[0].LastName",
		`[{"onsigners":[{"metadata":{"homePort":1,"homePort":2}}]}]`: "[0].Onsigners[0].Metadata.HomePort",
	}
	for body, path := range paths {
		endpoint := "/passenger"
		if strings.Contains(body, "onsigners") {
			endpoint = "/travel-requests"
		}
		if res := s.do(t, "POST", endpoint, []byte(body)); res.status != 400 || res.problem.Errors[path] == nil {
			t.Errorf("%s = %d %v; want 400 naming %s", body, res.status, res.problem.Errors, path)
		}
	}
}

func TestTransport(t *testing.T) {
	s := surfaceOn(t, storetest.New(t), api.Limits{Body: 4096, Upload: accept.Limits{Records: 5, Depth: 64},
		PerMinute: 20})
	doc, _ := json.Marshal([]any{traveller()})
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(doc)
	z.Close()
	var bomb bytes.Buffer
	z = gzip.NewWriter(&bomb)
	z.Write(bytes.Repeat([]byte(" "), 1<<20))
	z.Close()
	tests := []struct {
		name, method, path string
		body               []byte
		header             []string
		want               int
	}{
		{"gzip", "POST", "/passenger", packed.Bytes(), []string{"Content-Encoding", "gzip"}, 200},
		{"too large once unpacked", "POST", "/passenger", bomb.Bytes(), []string{"Content-Encoding", "gzip"}, 413},
		{"with a character set", "POST", "/passenger", doc, []string{"Content-Type", "application/json; charset=utf-8"},
			200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := s.do(t, tt.method, tt.path, tt.body, tt.header...)
			if res.status != tt.want {
				t.Fatalf("answer = %d %s; want %d", res.status, res.body, tt.want)
			}
		})
	}
	t.Run("for another method the answer lists the right ones", func(t *testing.T) {
		for path, allow := range map[string]string{
			"/passenger": "DELETE, POST", "/travelers-requests": "DELETE, POST", "/travel-requests": "DELETE, POST",
			"/bookings": "GET",
		} {
			if res := s.do(t, "PUT", path, nil); res.status != 405 || res.header.Get("Allow") != allow {
				t.Errorf("PUT %s = %d, Allow %q; want 405, %q", path, res.status, res.header.Get("Allow"), allow)
			}
		}
	})
	t.Run("every answer says how many requests are left, even without a valid key", func(t *testing.T) {
		for _, path := range []string{"/bookings", "/nowhere", "/bookings/"} {
			for _, key := range []string{s.key, "", "nonsense"} {
				res := s.do(t, "GET", path, nil, "X-Api-Key", key)
				if res.header.Get("RateLimit") == "" || res.header.Get("RateLimit-Policy") != `"default";q=20;w=60` {
					t.Errorf("GET %s with key %q = %d, RateLimit %q, policy %q", path, key, res.status,
						res.header.Get("RateLimit"), res.header.Get("RateLimit-Policy"))
				}
			}
		}
	})
	t.Run("too many requests are told when to come back", func(t *testing.T) {
		for range 30 {
			res := s.do(t, "GET", "/bookings", nil)
			if res.header.Get("RateLimit") == "" || res.header.Get("RateLimit-Policy") != `"default";q=20;w=60` {
				t.Fatalf("RateLimit %q, policy %q", res.header.Get("RateLimit"), res.header.Get("RateLimit-Policy"))
			}
			if res.status == 429 {
				if res.header.Get("Retry-After") != "60" {
					t.Fatalf("Retry-After = %q; want the rest of the minute", res.header.Get("Retry-After"))
				}
				return
			}
		}
		t.Fatal("the limit was never reached")
	})
}

// TestTwoKeys sends two keys: which of them counts would depend on who reads the
// header first.
func TestTwoKeys(t *testing.T) {
	s := newSurface(t)
	for _, at := range []string{"POST /passenger", "POST /travelers-requests",
		"DELETE /travelers-requests?requestId=R-1", "POST /travel-requests", "GET /bookings"} {
		method, path, _ := strings.Cut(at, " ")
		for _, second := range []string{s.key, "gw_test_nonsense", ""} {
			req, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader("[]"))
			must(t, err)
			req.Header["X-Api-Key"] = []string{s.key, second}
			res, err := s.Client().Do(req)
			must(t, err)
			res.Body.Close()
			if res.StatusCode != 400 {
				t.Errorf("%s with two keys = %d; want 400", at, res.StatusCode)
			}
		}
	}
}

func TestDeleteTravelRequest(t *testing.T) {
	s := newSurface(t)
	stranger := surfaceOn(t, s.db, api.Limits{})
	second := with(travelRequest(), "externalInfo.subRequestId", "2")
	third := without(travelRequest(), "externalInfo.subRequestId")
	if res := s.post(t, "/travelers-requests", []any{travelRequest(), second, third}); res.status != 200 {
		t.Fatal(res.body)
	}
	steps := []struct {
		name  string
		who   *surface
		query string
		want  int
	}{
		{"another account has no such request", stranger, "?requestId=R-1", 404},
		{"one record", s, "?requestId=R-1&subRequestId=2", 204},
		{"it is gone", s, "?requestId=R-1&subRequestId=2", 404},
		{"the one without sub-identifier", s, "?requestId=R-1&subRequestId=", 204},
		{"all that is left", s, "?requestId=R-1", 204},
		{"nothing is left", s, "?requestId=R-1", 404},
		{"a mistyped name takes nothing back", s, "?requestId=R-1&subrequestId=2", 400},
		{"a query that is not percent-encoded", s, "?requestId=R-1&subRequestId=a;b", 400},
		{"two identifiers", s, "?requestId=R-1&requestId=R-2", 400},
	}
	for _, step := range steps {
		if res := step.who.do(t, "DELETE", "/travelers-requests"+step.query, nil); res.status != step.want {
			t.Errorf("%s: %d %s; want %d", step.name, res.status, res.body, step.want)
		}
	}
}

func TestIdempotencyKey(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := surfaceOn(t, db, api.Limits{})
		first := s.post(t, "/passenger", []any{traveller()}, "Idempotency-Key", "night-1")
		again := s.post(t, "/passenger", []any{traveller()}, "Idempotency-Key", "night-1")
		if first.status != 200 || again.status != 200 || first.counts.Created != 1 || again.body != first.body {
			t.Fatalf("answers = %s and %s; want the first one twice", first.body, again.body)
		}
		if res := s.post(t, "/passenger", crew(2), "Idempotency-Key", "night-1"); res.status != 422 {
			t.Errorf("another body = %d; want 422", res.status)
		}
		if res := s.post(t, "/travel-requests", []any{crewChange()}, "Idempotency-Key", "night-1"); res.status != 200 {
			t.Errorf("the same key at another address = %d; want 200", res.status)
		}
		if res := surfaceOn(t, db, api.Limits{}).post(t, "/passenger", crew(2), "Idempotency-Key",
			"night-1"); res.status != 200 {
			t.Errorf("the same key of another account = %d; want 200", res.status)
		}
		bad := without(traveller(), "gender")
		if res := s.post(t, "/passenger", []any{bad}, "Idempotency-Key", "night-2"); res.status != 400 {
			t.Fatalf("a bad record = %d; want 400", res.status)
		}
		if res := s.post(t, "/passenger", []any{traveller()}, "Idempotency-Key", "night-2"); res.status != 200 {
			t.Errorf("corrected, with the same key = %d; want 200, because refusals are not stored", res.status)
		}
		must(t, did(s.in.BeginOnce(t.Context(), "/passenger", "night-3", "hash", now)))
		if _, err := s.in.BeginOnce(t.Context(), "/passenger", "night-3", "hash", now); err != store.ErrRunning {
			t.Errorf("BeginOnce while running = %v; want ErrRunning", err)
		}
	})
}
