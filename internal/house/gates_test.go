package house

import (
	"regexp"
	"strings"
	"testing"
)

// A gated test is found by its name: the name and the gate at the beginning of its body belong together.
var gated = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\) \{\n(?:\tneed\.(Trial|Interop)\(t\)\n)?`)

// TestGatedTestsAreFound checks that a test is called TestTrial… or TestInterop… exactly if it begins with that
// gate of package need: make interop, and people who run the trial in parts, find tests by their names.
func TestGatedTestsAreFound(t *testing.T) {
	t.Chdir(top)
	for path, text := range readTree(t) {
		if !strings.HasSuffix(path, "_test.go") {
			continue
		}
		for _, m := range gated.FindAllStringSubmatch(text, -1) {
			named := ""
			for _, gate := range []string{"Trial", "Interop"} {
				if strings.HasPrefix(m[1], "Test"+gate) {
					named = gate
				}
			}
			if named != m[2] {
				t.Errorf("%s: %s begins with the gate %q; its name says %q", path, m[1], m[2], named)
			}
		}
		calls := strings.Count(text, "need.Trial(t)") + strings.Count(text, "need.Interop(t)")
		if strings.HasPrefix(path, "internal/house/") || calls == 0 {
			continue
		}
		first := strings.Count(text, "testing.T) {\n\tneed.Trial(t)\n") +
			strings.Count(text, "testing.T) {\n\tneed.Interop(t)\n")
		if calls != first {
			t.Errorf("%s: a gate of package need is not the first line of its test", path)
		}
	}
}
