package house

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"gangway/internal/house/size"
)

// TestNothingIsAboveItsCeiling compares the size of the repository with the ceilings in ceilings.txt.
func TestNothingIsAboveItsCeiling(t *testing.T) {
	t.Chdir(top)
	text, err := os.ReadFile("internal/house/ceilings.txt")
	if err != nil {
		t.Fatal(err)
	}
	ceilings := map[string]int{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 2 {
			t.Fatalf("ceilings.txt: %q is not a folder and a number", line)
		}
		if ceilings[fields[0]], err = strconv.Atoi(fields[1]); err != nil {
			t.Fatalf("ceilings.txt: %v", err)
		}
	}
	count, err := size.Of(".")
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]int{"total": count.Total.Code, "tests": count.Total.Tests, "rest": 0}
	for _, folder := range count.Folders {
		name := folder.Name
		if _, own := ceilings[name]; !own {
			name = "rest"
		}
		has[name] += folder.Code
	}
	folders := 0
	for name, most := range ceilings {
		if n, is := has[name]; !is || n > most {
			t.Errorf("%s has %d lines; its ceiling is %d", name, n, most)
		}
		if name != "total" && name != "tests" {
			folders += most
		}
	}
	if folders != ceilings["total"] {
		t.Errorf("the ceilings of the folders add up to %d; the total's is %d", folders, ceilings["total"])
	}
}
