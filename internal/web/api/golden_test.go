package api_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gangway/internal/accept"
	"gangway/internal/store/storetest"
	"gangway/internal/web/api"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestAnswers checks every kind of answer of the integration surface, letter by letter:
// its status, the headers that mean something, and its body.
func TestAnswers(t *testing.T) {
	s := surfaceOn(t, storetest.New(t), api.Limits{Body: 4096, Upload: accept.Limits{Records: 2, Depth: 64},
		PerMinute: 20})
	one, _ := json.Marshal([]any{traveller()})
	wrong, _ := json.Marshal([]any{with(without(traveller(), "gender"), "dob", "17.05.1990")})
	request, _ := json.Marshal([]any{without(travelRequest(), "traveler.gender")})
	crew, _ := json.Marshal([]any{with(crewChange(), "onsigners.0.doc_expire", "2030-02-30")})
	warned, _ := json.Marshal([]any{with(traveller(), "home_airport", "QQQ")})
	sent := []string{"Content-Type", "application/json"}
	tests := []struct {
		name, method, path string
		body               []byte
		header             []string
	}{
		{"uploaded", "POST", "/passenger", one, sent},
		{"uploaded_again", "POST", "/passenger", one, nil},
		{"uploaded_with_warnings", "POST", "/passenger", warned, sent},
		{"wrong_traveller", "POST", "/passenger", wrong, sent},
		{"wrong_travel_request", "POST", "/travelers-requests", request, sent},
		{"wrong_crew_change", "POST", "/travel-requests", crew, sent},
		{"name_twice", "POST", "/passenger", []byte(`[{"last_name":"Reyes","last_name":"Cruz"}]`), sent},
		{"cut_off", "POST", "/passenger", []byte(`[{"last_name":"Reyes"`), sent},
		{"no_array", "POST", "/passenger", []byte(`{}`), sent},
		{"no_key", "POST", "/passenger", one, append(sent, "X-Api-Key", "")},
		{"no_such_address", "POST", "/passengers", one, sent},
		{"no_such_request", "DELETE", "/travelers-requests?requestId=R-404", nil, nil},
		{"delete_of_what", "DELETE", "/travelers-requests", nil, nil},
		{"traveller_taken_back", "DELETE", "/passenger?id=C-1", nil, nil},
		{"crew_change_of_what", "DELETE", "/travel-requests?vessel=Nordlys&colour=red", nil, nil},
		{"another_method", "PUT", "/travelers-requests", nil, nil},
		{"too_large", "POST", "/passenger", []byte(strings.Repeat(" ", 5000)), sent},
		{"too_many_records", "POST", "/passenger", []byte("[{},{},{}]"), sent},
		{"another_form", "POST", "/passenger", one, []string{"Content-Type", "text/plain"}},
		{"another_encoding", "POST", "/passenger", one, append(sent, "Content-Encoding", "br")},
		{"nothing_new", "GET", "/bookings", nil, nil},
		{"too_fast", "GET", "/bookings", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := s.do(t, tt.method, tt.path, tt.body, tt.header...)
			var got strings.Builder
			fmt.Fprintln(&got, res.status, http.StatusText(res.status))
			for _, name := range []string{"Accept-Encoding", "Allow", "Cache-Control", "Content-Type", "RateLimit",
				"RateLimit-Policy", "Retry-After", "WWW-Authenticate"} {
				if value := res.header.Get(name); value != "" {
					got.WriteString(name + ": " + value + "\n")
				}
			}
			got.WriteString("\n" + res.body + "\n")
			file := filepath.Join("testdata", "answers", tt.name+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if diff := cmp.Diff(string(want), got.String()); diff != "" || err != nil {
				t.Fatalf("%s %s: %v, (-want +got)\n%s", tt.method, tt.path, err, diff)
			}
		})
	}
}
