package main

import (
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"gangway/internal/store/storetest"
)

var (
	guideExample = regexp.MustCompile("(?s)```(csv|yaml|xml)\n(.*?)```")
	guideAddress = regexp.MustCompile(`\{base_url\}(/[a-z-]+)`)
)

// TestGuideUploads sends the examples of the integrator's guide to the program.
func TestGuideUploads(t *testing.T) {
	guide, err := os.ReadFile("../../docs/integrators.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(guide), "### Uploads in other formats\n")
	section, _, _ = strings.Cut(section, "\n## ")
	db := openStore(t, "sqlite:"+t.TempDir()+"/g.db")
	at, _ := serverOf(t, serverParts{db: db, now: time.Now})
	made, err := createCustomer(t.Context(), storetest.Operator, db, "Halcyon Tankers", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]string{"csv": "text/csv", "yaml": "application/yaml", "xml": "application/xml"}
	sent := 0
	for _, m := range guideExample.FindAllStringSubmatchIndex(section, -1) {
		kind, doc := section[m[2]:m[3]], section[m[4]:m[5]]
		before := guideAddress.FindAllStringSubmatch(section[:m[0]], -1)
		path := before[len(before)-1][1]
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at.base.String()+path,
			strings.NewReader(doc))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Api-Key", made.Production.APIKey)
		r.Header.Set("Content-Type", types[kind])
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != 200 || !strings.Contains(string(answer), `"updated":0,"unchanged":0`) {
			t.Errorf("%s of the guide to %s = %d %s, %v; want it stored", kind, path, res.StatusCode, answer, err)
		}
		sent++
	}
	if sent != 5 {
		t.Errorf("%d examples were sent; want those of the guide", sent)
	}
}
