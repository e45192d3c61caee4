package main

import (
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"gangway/internal/need"
	"gangway/internal/store/storetest"
)

var (
	guideExample = regexp.MustCompile("(?s)```(csv|yaml|xml|python)\n(.*?)```")
	guideAddress = regexp.MustCompile(`\{base_url\}(/[a-z-]+)`)
)

// TestGuideUploads sends the examples of docs/reference.md to the program, each to the address that
// was named before it.
func TestGuideUploads(t *testing.T) {
	sent := map[string]int{}
	tryGuide(t, func(kind, doc string) bool {
		if strings.Contains(doc, "<soap:Envelope") {
			kind = "soap"
		}
		sent[kind]++
		return kind != "python"
	})
	if sent["csv"] != 3 || sent["yaml"] != 1 || sent["xml"] != 1 || sent["soap"] != 1 || sent["python"] != 1 {
		t.Errorf("%v examples were sent; want those of the guide", sent)
	}
}

// TestInteropGuideUploads runs the program of docs/reference.md, which uses a client library that is not ours.
func TestInteropGuideUploads(t *testing.T) {
	need.Interop(t)
	tryGuide(t, func(kind, _ string) bool { return kind == "python" })
}

// tryGuide tries the examples of the guide that are chosen.
func tryGuide(t *testing.T, chosen func(kind, doc string) bool) {
	t.Helper()
	guide := sure(os.ReadFile("../../docs/reference.md"))(t)
	_, section, _ := strings.Cut(string(guide), "## Uploads in other formats\n")
	section, _, _ = strings.Cut(section, "\n## ")
	db := openStore(t, "sqlite:"+t.TempDir()+"/g.db")
	at, _ := serverOf(t, serverParts{db: db, now: time.Now})
	made := sure(createCustomer(t.Context(), storetest.Operator, db, "Halcyon Tankers", time.Now()))(t)
	types := map[string]string{"csv": "text/csv", "yaml": "application/yaml", "xml": "application/xml"}
	for _, m := range guideExample.FindAllStringSubmatchIndex(section, -1) {
		kind, doc := section[m[2]:m[3]], section[m[4]:m[5]]
		before := guideAddress.FindAllStringSubmatch(section[:m[0]], -1)
		path, media := before[len(before)-1][1], types[kind]
		switch {
		case !chosen(kind, doc):
			continue
		case kind == "python":
			t.Run(kind, func(t *testing.T) { runGuide(t, doc, at.base.String(), made.Development.APIKey) })
			continue
		case strings.Contains(doc, "<soap:Envelope"):
			kind, media = "soap", "text/xml"
		}
		t.Run(kind, func(t *testing.T) {
			_, _, err := sendDocument(http.MethodPost, at.base.String()+path, made.Production.APIKey, media,
				[]byte(doc))
			if err != nil {
				t.Errorf("%v; want it stored", err)
			}
		})
	}
}

// runGuide runs the guide's program.
func runGuide(t *testing.T, program, base, key string) {
	python := need.SOAPClient(t)
	program = strings.NewReplacer("{base_url}", base, "gw_test_…", key).Replace(program)
	out, err := exec.CommandContext(t.Context(), python, "-c", program).CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != "1 1 0 0 []" {
		t.Errorf("it says %q, %v; want one created and no warnings", got, err)
	}
}
