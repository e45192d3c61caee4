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

// TestAnswers checks answers of the integration surface, letter by letter: the status, the headers that mean something,
// and the body. TestErrorsAreAsDescribed has the refusals.
func TestAnswers(t *testing.T) {
	s := surfaceOn(t, storetest.New(t), api.Limits{Body: 4096, Upload: accept.Limits{Records: 2, Depth: 64},
		PerMinute: 5})
	one, _ := json.Marshal([]any{traveller()})
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
		{"traveller_taken_back", "DELETE", "/passenger?id=C-1", nil, nil},
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
				must(t, os.WriteFile(file, []byte(got.String()), 0o644))
			}
			want, err := os.ReadFile(file)
			if diff := cmp.Diff(string(want), got.String()); diff != "" || err != nil {
				t.Fatalf("%s %s: %v, (-want +got)\n%s", tt.method, tt.path, err, diff)
			}
		})
	}
}
