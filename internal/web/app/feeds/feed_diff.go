package feeds

import "strings"

// A diffLine is a line of a text that is compared with a later one.
type diffLine struct {
	Kind   diffKind
	Text   string
	Hidden int // so many equal lines are left out here
}

type diffKind uint8

const (
	equalLine diffKind = iota
	onlyThen           // it is gone
	onlyNow            // it is new
)

// Then and Now tell templates what a line is.
func (d diffLine) Then() bool { return d.Kind == onlyThen }
func (d diffLine) Now() bool  { return d.Kind == onlyNow }

// mostCompared is how many pairs of lines are compared at most: texts that differ in more than that are
// shown one after the other. It takes a byte of memory each.
const mostCompared = 4 << 20

// diffLines compares two texts by lines: those that stay, and between them those that are gone and those
// that are new, so that as many as possible stay.
func diffLines(then, now string) (list []diffLine) {
	a, b := linesOf(then), linesOf(now)
	var tail []diffLine
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		list, a, b = append(list, diffLine{Text: a[0]}), a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail, a, b = append(tail, diffLine{Text: a[len(a)-1]}), a[:len(a)-1], b[:len(b)-1]
	}
	if len(a)*len(b) > mostCompared {
		list = appendLines(appendLines(list, onlyThen, a), onlyNow, b)
	} else {
		list = append(list, between(a, b)...)
	}
	for i := len(tail) - 1; i >= 0; i-- {
		list = append(list, tail[i])
	}
	return list
}

func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// between finds the longest common sequence of two lists of lines. It keeps two rows of its lengths, and for
// each pair of lines which way leads to it.
func between(a, b []string) (list []diffLine) {
	way := make([]diffKind, (len(a)+1)*(len(b)+1))
	longest, before := make([]int32, len(b)+1), make([]int32, len(b)+1)
	for i := len(a) - 1; i >= 0; i-- {
		longest, before = before, longest
		for j := len(b) - 1; j >= 0; j-- {
			at := i*(len(b)+1) + j
			switch {
			case a[i] == b[j]:
				longest[j], way[at] = before[j+1]+1, equalLine
			case before[j] >= longest[j+1]:
				longest[j], way[at] = before[j], onlyThen
			default:
				longest[j], way[at] = longest[j+1], onlyNow
			}
		}
		longest[len(b)] = 0
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch kind := way[i*(len(b)+1)+j]; kind {
		case onlyThen:
			list, i = append(list, diffLine{Kind: kind, Text: a[i]}), i+1
		case onlyNow:
			list, j = append(list, diffLine{Kind: kind, Text: b[j]}), j+1
		default:
			list, i, j = append(list, diffLine{Text: a[i]}), i+1, j+1
		}
	}
	return appendLines(appendLines(list, onlyThen, a[i:]), onlyNow, b[j:])
}

func appendLines(list []diffLine, kind diffKind, lines []string) []diffLine {
	for _, line := range lines {
		list = append(list, diffLine{Kind: kind, Text: line})
	}
	return list
}

// around is how many equal lines are shown before and after those that differ.
const around = 4

// foldEqual leaves out equal lines that are far from any that differs.
func foldEqual(list []diffLine) (folded []diffLine) {
	near := make([]bool, len(list))
	for i, line := range list {
		if line.Kind == equalLine {
			continue
		}
		for j := max(0, i-around); j < min(len(list), i+around+1); j++ {
			near[j] = true
		}
	}
	for i, line := range list {
		switch n := len(folded); {
		case near[i]:
			folded = append(folded, line)
		case n > 0 && folded[n-1].Hidden > 0:
			folded[n-1].Hidden++
		default:
			folded = append(folded, diffLine{Hidden: 1})
		}
	}
	return folded
}
