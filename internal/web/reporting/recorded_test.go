package reporting_test

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/web/reporting"
)

var update = flag.Bool("update", false, "write the answers that are compared with")

// TestRecorded sends the requests of testdata/recorded as clients send them, to the byte, and compares the
// answers with those that lie beside them. Both databases give the same.
func TestRecorded(t *testing.T) {
	each(t, 12, reporting.Limits{Rows: 5}, func(t *testing.T, s *service) {
		files, err := filepath.Glob("testdata/recorded/*.http")
		if err != nil || len(files) < 20 {
			t.Fatalf("%d requests, %v", len(files), err)
		}
		for _, file := range files {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".http"), func(t *testing.T) {
				request, err := os.ReadFile(file)
				must(t, err)
				got, golden := s.raw(t, string(request)), strings.TrimSuffix(file, ".http")+".golden"
				if *update {
					must(t, os.WriteFile(golden, []byte(got), 0o600))
				}
				want, err := os.ReadFile(golden)
				if err != nil || got != string(want) {
					t.Errorf("%v\n%s\nis answered\n%s\nwant\n%s", err, request, got, want)
				}
			})
		}
	})
}

// differing differs from run to run: tokens, and what depends on them or on the address of the service.
var differing = regexp.MustCompile(`skiptoken=[\w-]+|batchresponse_\w+|ETag: \S+|Content-Length: \d+`)

// alike returns a text without what differs.
func alike(text string) string {
	return differing.ReplaceAllStringFunc(text, func(found string) string {
		return found[:strings.IndexAny(found, "=_:")+1] + "…"
	})
}

// raw sends a request as it is, with a host and a login, and returns the answer without what differs from run
// to run.
func (s *service) raw(t *testing.T, request string) string {
	t.Helper()
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	must(t, err)
	defer conn.Close()
	login := &http.Request{Header: http.Header{}}
	login.SetBasicAuth(s.name, s.password)
	head, body, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(request), "\n", "\r\n"), "\r\n\r\n")
	fmt.Fprintf(conn, "%s\r\nHost: %s\r\nAuthorization: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		head, s.Listener.Addr(), login.Header.Get("Authorization"), len(body), body)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	must(t, err)
	defer res.Body.Close()
	answered, err := io.ReadAll(res.Body)
	must(t, err)
	var b strings.Builder
	fmt.Fprintln(&b, res.Status)
	for _, name := range []string{"Content-Type", "Odata-Version", "Preference-Applied"} {
		for _, value := range res.Header.Values(name) {
			fmt.Fprintf(&b, "%s: %s\n", name, alike(value))
		}
	}
	text := strings.NewReplacer(s.root(), "{root}", s.account.Customer.ID, "{customer}").Replace(string(answered))
	text = strings.NewReplacer("\r\n", "\n", "},{", "},\n{").Replace(text)
	fmt.Fprintf(&b, "\n%s\n", alike(text))
	return b.String()
}
