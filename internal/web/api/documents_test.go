package api_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/accept"
	"gangway/internal/describe/describetest"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
	"gangway/internal/web/access"
	"gangway/internal/web/api"
)

// What the surface says of itself is for everybody, and is sent once to who keeps it.
func TestDescriptionsAreForEverybody(t *testing.T) {
	s := newSurface(t)
	sizes := map[string]int{"/openapi.json": 20 << 10, "/reference": 28 << 10, "/collection.json": 4 << 10}
	for _, record := range []string{"traveller", "travel-request", "crew-change", "crew-member", "booking", "problem"} {
		sizes["/schemas/"+record+".json"] = 3 << 10
	}
	for path, most := range sizes {
		nobody := []string{"X-Api-Key", "", "Accept-Encoding", "identity"}
		whole := s.do(t, "GET", path, nil, nobody...)
		if whole.status != 200 || whole.header.Get("Cache-Control") != "public, max-age=300" ||
			whole.header.Get("Access-Control-Allow-Origin") != "*" || whole.header.Get("Etag") == "" {
			t.Fatalf("GET %s = %d %v", path, whole.status, whole.header)
		}
		again := s.do(t, "GET", path, nil, append(nobody, "If-None-Match", whole.header.Get("Etag"))...)
		if again.status != 304 || again.body != "" {
			t.Errorf("GET %s again = %d; want 304", path, again.status)
		}
		if head := s.do(t, "HEAD", path, nil, nobody...); head.status != 200 || head.body != "" {
			t.Errorf("HEAD %s = %d", path, head.status)
		}
		post := s.do(t, "POST", path, nil, nobody...)
		if post.status != 405 || post.header.Get("Allow") != "GET, HEAD" {
			t.Errorf("POST %s = %d %q", path, post.status, post.header.Get("Allow"))
		}
		packed := s.do(t, "GET", path, nil, "X-Api-Key", "", "Accept-Encoding", "gzip")
		zip, err := gzip.NewReader(strings.NewReader(packed.body))
		must(t, err)
		unpacked, err := io.ReadAll(zip)
		if err != nil || string(unpacked) != whole.body || packed.header.Get("Etag") == whole.header.Get("Etag") {
			t.Errorf("GET %s packed: %v, %d bytes; want the same %d, with a tag of its own", path, err, len(unpacked),
				len(whole.body))
		}
		if len(packed.body) > most {
			t.Errorf("GET %s is of %d bytes, packed; want at most %d", path, len(packed.body), most)
		}
	}
}

// Every call that the surface answers is described, and nothing else is.
func TestEveryCallIsDescribed(t *testing.T) {
	a := api.New(api.Config{DB: storetest.New(t), Now: time.Now, At: api.Addresses{App: "https://app.example"}})
	d := describetest.Of(t, a)
	described := map[string]bool{}
	for path, item := range d.Doc.Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.Servers == nil {
				described[method+" "+path] = true
			}
		}
	}
	for _, r := range a.Routes() {
		call := r.Method + " " + r.Path
		if document := r.For == web.Anybody && r.Path != "/soap"; r.Method != http.MethodHead && !document &&
			!described[call] {
			t.Errorf("%s is not described", call)
		}
		delete(described, call)
	}
	for call := range described {
		t.Errorf("%s is described, and not answered", call)
	}
	s := newSurface(t)
	for path, item := range d.Doc.Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.Servers != nil || path == "/soap" {
				continue
			}
			var names []string
			for _, p := range operation.Parameters {
				if p.Value.In == "query" {
					names = append(names, p.Value.Name)
				}
			}
			want := "There is no parameter colour here; there are " + cmp.Or(strings.Join(names, ", "), "none") + "."
			said := s.do(t, method, path+"?colour=red", nil).problem.Errors["colour"]
			if len(said) == 0 || said[0] != want {
				t.Errorf("%s %s says %q; want %q", method, path, said, want)
			}
		}
	}
	if len(d.Doc.Webhooks) != 5 {
		t.Errorf("%d webhooks are described; want B1 to B5", len(d.Doc.Webhooks))
	}
}

// The samples of uploads are taken as they are, and say the same in every format.
func TestSamplesAreTaken(t *testing.T) {
	s := newSurface(t)
	paths := describetest.Of(t, s.Config.Handler).Doc.Paths
	stored, sent := map[string]bool{}, 0
	for _, path := range []string{"/passenger", "/travelers-requests", "/travel-requests", "/soap"} {
		for media, content := range paths.Value(path).Post.RequestBody.Value.Content {
			for name, example := range content.Examples {
				doc, is := example.Value.Value.(string)
				if !is {
					written, _ := json.Marshal(example.Value.Value)
					doc = string(written)
				}
				res := s.do(t, "POST", path, []byte(doc), "Content-Type", media)
				record := strings.ToLower(name)
				same := strings.Contains(res.body, `unchanged":1`) || strings.Contains(res.body, "unchanged>1")
				if res.status != 200 || same != stored[record] {
					t.Errorf("the sample of %s in %s = %d %s", name, media, res.status, res.body)
				}
				stored[record] = true
				sent++
			}
		}
	}
	if len(stored) != 3 || sent != 3*4+3+1 {
		t.Errorf("%d samples were sent, of %v; want three records in JSON, YAML, CSV, XML and SOAP 1.1, and one in "+
			"SOAP 1.2", sent, stored)
	}
}

// The sample of every error is, letter by letter, what the surface answers then.
func TestErrorsAreAsDescribed(t *testing.T) {
	limits := api.Limits{Body: 4096, Upload: accept.Limits{Records: 2, Depth: 64}, PerMinute: 40}
	s := surfaceOn(t, storetest.New(t), limits)
	said, headers := map[string]string{}, map[string]map[string]string{}
	var doc struct {
		Components struct {
			Examples map[string]struct {
				Value   json.RawMessage
				Headers map[string]string `json:"x-headers"`
			}
		}
	}
	must(t, json.Unmarshal([]byte(s.do(t, "GET", "/openapi.json", nil).body), &doc))
	for name, e := range doc.Components.Examples {
		said[name], headers[name] = string(e.Value), e.Headers
	}
	sample := func(path string) record {
		var schema struct {
			Paths map[string]struct {
				Post struct {
					RequestBody struct {
						Content map[string]struct {
							Examples map[string]struct{ Value []record }
						}
					}
				}
			}
		}
		json.Unmarshal([]byte(s.do(t, "GET", "/openapi.json", nil).body), &schema)
		for _, e := range schema.Paths[path].Post.RequestBody.Content["application/json"].Examples {
			return e.Value[0]
		}
		return nil
	}
	body := func(r record) []byte { doc, _ := json.Marshal([]any{r}); return doc }
	jsonBody := []string{"Content-Type", "application/json"}
	once := func(key string) []string { return append(slices.Clone(jsonBody), "Idempotency-Key", key) }
	good := sample("/passenger")
	s.do(t, "POST", "/passenger", body(good), once("1")...)
	several := []any{with(crewChange(), "travel_request_id", "CC-7"), with(crewChange(), "travel_request_id", "CC-8")}
	s.post(t, "/travel-requests", several)
	tests := []struct {
		name, method, path string
		body               []byte
		header             []string
	}{
		{"wrong_uploadTravellers", "POST", "/passenger",
			body(with(without(good, "gender"), "dob", "30.04.1990")), jsonBody},
		{"wrong_uploadTravelRequests", "POST", "/travelers-requests",
			body(without(sample("/travelers-requests"), "traveler.gender")), jsonBody},
		{"wrong_uploadCrewChanges", "POST", "/travel-requests",
			body(without(without(sample("/travel-requests"), "onsigners"), "offsigners")), jsonBody},
		{"no_array", "POST", "/passenger", []byte("{}"), jsonBody},
		{"not_json", "POST", "/passenger", []byte(`[{"last_name":"Santos"`), jsonBody},
		{"name_twice", "POST", "/passenger", []byte(`[{"last_name":"Santos","last_name":"Cruz"}]`), jsonBody},
		{"not_gzip", "POST", "/passenger", []byte("[]"), append(slices.Clone(jsonBody), "Content-Encoding", "gzip")},
		{"long_idempotency_key", "POST", "/passenger", []byte("[]"), once(strings.Repeat("x", 256))},
		{"other_body", "POST", "/passenger", body(with(good, "id", "C-2")), once("1")},
		{"query", "GET", "/bookings?pull=%zz", nil, nil},
		{"traveller_of_what", "DELETE", "/passenger", nil, nil},
		{"request_of_what", "DELETE", "/travelers-requests", nil, nil},
		{"crew_change_of_what", "DELETE", "/travel-requests", nil, nil},
		{"no_key", "GET", "/bookings", nil, []string{"X-Api-Key", ""}},
		{"bad_key", "GET", "/bookings", nil, []string{"X-Api-Key", "gw_test_short"}},
		{"unknown_key", "GET", "/bookings", nil, []string{"X-Api-Key", unknownKey()}},
		{"no_address", "GET", "/passengers", nil, nil},
		{"no_traveller", "DELETE", "/passenger?id=C-404", nil, nil},
		{"no_request", "DELETE", "/travelers-requests?requestId=R-404", nil, nil},
		{"no_crew_change", "DELETE", "/travel-requests?travel_request_id=CC-404", nil, nil},
		{"several_crew_changes", "GET", "/crew-changes/impact?vessel=Nordlys&change_date=2026-12-02", nil, nil},
		{"unknown_pull", "GET", "/bookings?pull=pull_nobody", nil, nil},
		{"another_method", "PUT", "/passenger", nil, nil},
		{"too_large", "POST", "/passenger", bytes.Repeat([]byte(" "), 5000), jsonBody},
		{"too_many_records", "POST", "/passenger", []byte("[{},{},{}]"), jsonBody},
		{"another_format", "POST", "/passenger", []byte("x"), []string{"Content-Type", "text/plain"}},
		{"another_encoding", "POST", "/passenger", []byte("x"),
			append(slices.Clone(jsonBody), "Content-Encoding", "br")},
	}
	for _, tt := range tests {
		got := s.do(t, tt.method, tt.path, tt.body, tt.header...)
		if got.body != said[tt.name] {
			t.Errorf("%s is answered\n%s\nand described\n%s", tt.name, got.body, said[tt.name])
		}
		for name, value := range headers[tt.name] {
			if got.header.Get(name) != value {
				t.Errorf("%s is answered with %s: %s; want %s", tt.name, name, got.header.Get(name), value)
			}
		}
		delete(said, tt.name)
	}
	for range limits.PerMinute {
		if res := s.do(t, "GET", "/nowhere", nil); res.status == 429 {
			if res.body != said["too_fast"] {
				t.Errorf("too_fast is answered\n%s\nand described\n%s", res.body, said["too_fast"])
			}
			break
		}
	}
	for _, name := range []string{"too_fast", "two_keys", "wrong_parameter", "still_running", "other_pull",
		"too_many_values", "answers_of_account", "answers_of_all", "ours", "no_room", "away"} {
		if said[name] == "" {
			t.Errorf("%s is not described", name)
		}
		delete(said, name)
	}
	for name := range said {
		t.Errorf("%s is described, and nothing is held against it", name)
	}
}

// unknownKey is a key that nobody has.
func unknownKey() string {
	plain, _, _ := access.NewKey(gangway.Development)
	return plain
}
