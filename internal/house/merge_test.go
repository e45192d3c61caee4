package house

import (
	"strings"
	"testing"
)

// TestNoMergeIsHalfDone checks that no file still has the marks by which git shows two versions of
// the same lines. In Go they do not compile, but in a guide or a table nothing else notices them.
func TestNoMergeIsHalfDone(t *testing.T) {
	t.Chdir(top)
	for path, text := range readTree(t) {
		n := 0
		for line := range strings.Lines(text) {
			n++
			for _, mark := range []string{"<", "|", ">"} {
				if strings.HasPrefix(line, strings.Repeat(mark, 7)+" ") {
					t.Errorf("%s:%d: a merge was not finished here", path, n)
				}
			}
		}
	}
}
