package feeds

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// A diffLine is a line of a text that is compared with a later one.
type diffLine struct {
	Sign   string // "-": it is gone; "+": it is new; " ": it stays
	Text   string
	Hidden int // so many equal lines are left out here
}

// diffLines compares two texts by lines. Equal lines that are far from those that differ are left out.
func diffLines(then, now string) (list []diffLine) {
	if then, now = ended(then), ended(now); then == now {
		return nil
	}
	done := 0 // lines of then
	hide := func(to int) {
		if to > done {
			list = append(list, diffLine{Hidden: to - done})
		}
	}
	_, chunks, _ := strings.Cut(string(diff.Diff("then", []byte(then), "now", []byte(now))), "\n+++ now\n")
	for line := range strings.Lines(chunks) {
		var from, n int
		if _, err := fmt.Sscanf(line, "@@ -%d,%d ", &from, &n); err != nil {
			list = append(list, diffLine{Sign: line[:1], Text: strings.TrimSuffix(line[1:], "\n")})
			continue
		}
		if n > 0 {
			from-- // lines are counted from 1
		}
		hide(from)
		done = from + n
	}
	hide(strings.Count(then, "\n"))
	return list
}

// ended is a text of which every line ends.
func ended(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
