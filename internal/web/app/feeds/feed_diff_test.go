package feeds

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// written writes a difference: + and - before lines that are new and gone.
func written(list []diffLine) string {
	var b strings.Builder
	for _, l := range list {
		switch {
		case l.Hidden > 0:
			fmt.Fprintf(&b, "…%d ", l.Hidden)
		default:
			b.WriteString(map[diffKind]string{onlyThen: "-", onlyNow: "+"}[l.Kind] + l.Text + " ")
		}
	}
	return strings.TrimSpace(b.String())
}

func TestDifferenceOfLines(t *testing.T) {
	lines := func(text string) string { return strings.ReplaceAll(text, " ", "\n") }
	for _, tt := range []struct{ then, now, want string }{
		{"a b c", "a b c", "a b c"},
		{"a b c", "a x c", "a -b +x c"},
		{"a b c d", "b c d e", "-a b c d +e"},
		{"a b c", "c", "-a -b c"},
		{"", "a b", "+a +b"},
		{"a b", "", "-a -b"},
		{"a b a b", "b a b a", "-a b a b +a"},
	} {
		if got := written(diffLines(lines(tt.then), lines(tt.now))); got != tt.want {
			t.Errorf("from %q to %q: %q; want %q", tt.then, tt.now, got, tt.want)
		}
	}
	far := strings.Repeat("x\n", 20)
	if got := written(foldEqual(diffLines(far+"a\n"+far+"end", far+"b\n"+far+"end"))); got !=
		"…16 x x x x -a +b x x x x …17" {
		t.Errorf("far from what differs: %q", got)
	}
}

// TestDifferenceTellsBothTexts: whatever two texts are, their difference has all of both, and nothing else; two of
// the longest mappings are compared in a moment.
func TestDifferenceTellsBothTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func(n, letters int) string {
		var list []string
		for range n {
			list = append(list, string(rune('a'+random.IntN(letters))))
		}
		return strings.Join(list, "\n")
	}
	for range 300 {
		checkDifference(t, text(random.IntN(30), 4), text(random.IntN(30), 4))
	}
	checkDifference(t, text(32<<10, 3), text(32<<10, 3))
	checkDifference(t, text(2000, 3), text(2000, 3))
}

func checkDifference(t *testing.T, then, now string) {
	t.Helper()
	var a, b []string
	for _, l := range diffLines(then, now) {
		if l.Kind != onlyNow {
			a = append(a, l.Text)
		}
		if l.Kind != onlyThen {
			b = append(b, l.Text)
		}
	}
	if strings.Join(a, "\n") != then || strings.Join(b, "\n") != now {
		t.Errorf("the difference from %.60q to %.60q tells %.60q and %.60q", then, now, a, b)
	}
}
