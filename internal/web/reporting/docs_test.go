package reporting_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestConformance holds that each test that docs/odata.md names is there.
func TestConformance(t *testing.T) {
	page, err := os.ReadFile("../../../docs/odata.md")
	must(t, err)
	named := regexp.MustCompile("(?:`([a-z/]+)`: )?((?:`Test\\w+`(?:, )?)+)")
	n := 0
	for line := range strings.Lines(string(page)) {
		for _, m := range named.FindAllStringSubmatch(line, -1) {
			folder := "web/reporting"
			if m[1] != "" {
				folder = m[1]
			}
			for _, test := range regexp.MustCompile(`Test\w+`).FindAllString(m[2], -1) {
				if n++; !hasTest(t, filepath.Join("../..", folder), test) {
					t.Errorf("internal/%s has no %s", folder, test)
				}
			}
		}
	}
	if n < 40 {
		t.Errorf("%d tests are named", n)
	}
}

func hasTest(t *testing.T, folder, test string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	must(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		if strings.Contains(string(text), "func "+test+"(") {
			return true
		}
	}
	return false
}
