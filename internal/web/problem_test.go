package web_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web"

	"github.com/google/go-cmp/cmp"
)

func TestProblem(t *testing.T) {
	var wrong gangway.Problems
	wrong.Add("[0].Traveler.Gender", "The Gender field is required.")
	tests := []struct {
		name   string
		err    error
		status int
		detail string
		header http.Header // what the answer carries beside its type
	}{
		{"a rule broken", gangway.Errorf(gangway.Invalid, "no array"), 400, "no array", nil},
		{"fields wrong", wrong.Err(), 400, "", nil},
		{"nobody known", web.Unauthorized(`ApiKey header="X-Api-Key"`, "no key"), 401, "no key",
			http.Header{"Www-Authenticate": {`ApiKey header="X-Api-Key"`}}},
		{"not allowed", gangway.Errorf(gangway.Denied, "bookers only"), 403, "bookers only", nil},
		{"absent", gangway.Errorf(gangway.NotFound, "no such booking"), 404, "no such booking", nil},
		{"another method", web.MethodNotAllowed("DELETE", "POST"), 405, "this address answers DELETE, POST",
			http.Header{"Allow": {"DELETE, POST"}}},
		{"wrong state", gangway.Errorf(gangway.Conflict, "booking K7Q2MX is issued"), 409, "booking K7Q2MX is issued",
			nil},
		{"still running", web.StillRunning(1200*time.Millisecond, "later"), 409, "later",
			http.Header{"Retry-After": {"2"}}},
		{"too large", web.TooLarge("more than 5 records"), 413, "more than 5 records", nil},
		{"too large for net/http", &http.MaxBytesError{Limit: 5}, 413, "the body is larger than what is accepted", nil},
		{"another form", web.UnsupportedMedia("the body must be JSON"), 415, "the body must be JSON", nil},
		{"a contradiction", web.Unprocessable("another body"), 422, "another body", nil},
		{"too fast", web.TooManyRequests(0, "slower"), 429, "slower", http.Header{"Retry-After": {"1"}}},
		{"our fault", errors.New("pq: relation secret does not exist"), 500,
			"something went wrong on our side; it was noted", nil},
		{"our fault, with a message", gangway.Errorf(gangway.Internal, "secret"), 500,
			"something went wrong on our side; it was noted", nil},
		{"somebody does not answer", gangway.Errorf(gangway.Unavailable, "the airline does not answer"), 503,
			"the airline does not answer", http.Header{"Retry-After": {"5"}}},
		{"added context is not shown", fmt.Errorf("SELECT secret: %w", gangway.Errorf(gangway.Unavailable,
			"the database does not answer")), 503, "the database does not answer", http.Header{"Retry-After": {"5"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			web.Problem(w, httptest.NewRequest(http.MethodGet, "/bookings", nil), tt.err)
			if got := web.Status(tt.err); got != tt.status || w.Code != tt.status {
				t.Errorf("Status = %d, answered %d; want %d", got, w.Code, tt.status)
			}
			var p struct {
				Type, Title, Detail string
				Status              int
				Errors              map[string][]string
			}
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
				t.Fatalf("%s: %v", w.Body, err)
			}
			if p.Detail != tt.detail || p.Status != tt.status || p.Title == "" ||
				!strings.HasPrefix(p.Type, "https://www.rfc-editor.org/rfc/rfc") {
				t.Errorf("problem = %+v; want status %d and detail %q", p, tt.status, tt.detail)
			}
			want := http.Header{"Content-Type": {"application/problem+json"}, "Cache-Control": {"no-store"},
				"Content-Length": {strconv.Itoa(w.Body.Len())}}
			for name, values := range tt.header {
				want[name] = values
			}
			if diff := cmp.Diff(want, w.Header()); diff != "" {
				t.Errorf("header (-want +got)\n%s", diff)
			}
		})
	}
	t.Run("every wrong field is listed", func(t *testing.T) {
		w := httptest.NewRecorder()
		web.Problem(w, httptest.NewRequest(http.MethodPost, "/passenger", nil), fmt.Errorf("upload: %w", wrong.Err()))
		want := `{"type":"https://www.rfc-editor.org/rfc/rfc9110#section-15.5.1","title":"One or more validation errors occurred.","status":400,"errors":{"[0].Traveler.Gender":["The Gender field is required."]}}`
		if w.Body.String() != want {
			t.Errorf("problem = %s; want %s", w.Body, want)
		}
	})
}
