package feeds

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gangway/internal/accept/poll"
)

// TestLeftOutIsCut: of many names that a mapping leaves out the first are shown, and how many more there are.
func TestLeftOutIsCut(t *testing.T) {
	var names []string
	for i := range 100 {
		names = append(names, fmt.Sprintf("Column %02d", i))
	}
	few := namesLeftOut(poll.Trial{Unread: names[:8], Unfilled: names[:20]})
	if len(few) != 2 || few[0].What != "Not used" || !slices.Equal(few[0].Names, names[:8]) || few[0].More != "" ||
		few[1].What != "No record had" || !slices.Equal(few[1].Names, names[:8]) || few[1].More != "12 more" {
		t.Errorf("eight and twenty names: %+v", few)
	}
	many := namesLeftOut(poll.Trial{Unread: names})
	if len(many) != 1 || many[0].More != "at least 92 more" {
		t.Errorf("as many as are kept: %+v; want at least 92 more", many)
	}
	long := namesLeftOut(poll.Trial{Unread: []string{strings.Repeat("é", 100)}})
	if got := []rune(long[0].Names[0]); len(got) > longestCell+1 {
		t.Errorf("a name of 100 letters has %d", len(got))
	}
	if none := namesLeftOut(poll.Trial{}); none != nil {
		t.Errorf("nothing is left out: %+v", none)
	}
}
