package main

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gangway/internal/web/api"
)

// TestLimitsPage holds that docs/limits.md has each limit that a flag of serve sets, and its default.
func TestLimitsPage(t *testing.T) {
	page := sure(os.ReadFile("../../docs/limits.md"))(t)
	told := map[string]string{}
	flag, capital := regexp.MustCompile("`--([a-z-]+)`"), regexp.MustCompile("(.)([A-Z])")
	for row := range strings.Lines(string(page)) {
		cells := strings.Split(row, " | ")
		for i, of := range strings.Split(cells[0], ";") {
			if name := flag.FindStringSubmatch(of); name != nil {
				told[name[1]] = strings.TrimSpace(strings.Split(cells[1], ";")[i])
			}
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[serveCommand]()) {
		want, err := strconv.ParseInt(f.Tag.Get("default"), 10, 64)
		if err != nil {
			continue
		}
		name := strings.ToLower(capital.ReplaceAllString(f.Name, "$1-$2"))
		if name == "request-memory" {
			want = api.RequestMemory(want, api.DefaultLimits)
		}
		number, mib := strings.CutSuffix(strings.ReplaceAll(told[name], ",", ""), " MiB")
		if got := fmt.Sprint(want); mib && number != fmt.Sprint(want>>20) || !mib && number != got {
			t.Errorf("docs/limits.md says %q of --%s; want %s", told[name], name, got)
		}
	}
}
