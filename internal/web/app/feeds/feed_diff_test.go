package feeds

import (
	"fmt"
	"strings"
	"testing"
)

// TestDifferenceOfLines: a difference has the lines of both texts, and few of those that are equal.
func TestDifferenceOfLines(t *testing.T) {
	far := strings.Repeat("x ", 20)
	for _, tt := range []struct{ then, now, want string }{
		{"a b c", "a b c ", ""},
		{"a b c", "a x c", " a -b +x  c"},
		{"a b c d", "b c d e", "-a  b  c  d +e"},
		{"", "a b", "+a +b"},
		{"a b", "", "-a -b"},
		{far + "a " + far + "end", far + "b " + far + "end", "…17  x  x  x -a +b  x  x  x …18"},
	} {
		var got []string
		for _, l := range diffLines(strings.ReplaceAll(tt.then, " ", "\n"), strings.ReplaceAll(tt.now, " ", "\n")) {
			if l.Hidden > 0 {
				l.Text = fmt.Sprint("…", l.Hidden)
			}
			got = append(got, l.Sign+l.Text)
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("from %q to %q: %q; want %q", tt.then, tt.now, got, tt.want)
		}
	}
}
