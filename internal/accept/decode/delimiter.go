package decode

import (
	"bytes"
	"cmp"
)

// delimiters are the candidates, beginning with those that occur least often within values.
const delimiters = "\t;|,"

// A few rows are enough to recognise the delimiter.
const rowsLookedAt = 50

// A split is what a candidate makes of the rows of head.
type split struct {
	by     byte
	header int // values of the row with the column names
	same   int // rows of the number of values that most have, at least two; 0: no number is that of most
	values int // that number
}

// findDelimiter returns the delimiter that splits most rows of head into the same number of values, at
// least two; of several, the one that makes most values. One that splits the row with the column names,
// whose number is as for openTable, is preferred to all that do not, even where rows are uneven: without
// it the table has one column. If no delimiter splits most rows alike, sure is false, and where none
// splits the names either, it is a comma: rows of one value.
func findDelimiter(head []byte, number *int) (delimiter byte, sure bool) {
	best := split{by: ','}
	for _, candidate := range []byte(delimiters) {
		s := splitBy(candidate, head, number)
		sure = sure || s.same > 0
		if s.header <= 1 && best.header > 1 || s.header <= 1 && s.same == 0 {
			continue
		}
		better := cmp.Or(cmp.Compare(s.same, best.same), cmp.Compare(s.values, best.values),
			cmp.Compare(s.header, best.header))
		if better > 0 || s.header > 1 && best.header <= 1 {
			best = s
		}
	}
	return best.by, sure
}

// splitBy splits the first rows of head.
func splitBy(candidate byte, head []byte, number *int) split {
	s := split{by: candidate}
	counts, rows := map[int]int{}, 0
	c := &csvReader{lines: newLinesOf(withLines(bytes.NewReader(head), head), len(head)+1), delimiter: candidate}
	for n := 1; n <= rowsLookedAt; n++ {
		r, err := c.nextRow()
		if err != nil && r.cells == nil {
			break
		}
		if err != nil || r.blank() {
			continue
		}
		if number != nil && n == *number || (number == nil || *number == 0) && rows == 0 {
			s.header = len(r.cells)
		}
		counts[len(r.cells)]++
		rows++
	}
	for n, same := range counts {
		if n > 1 && same*2 > rows {
			s.same, s.values = same, n
		}
	}
	return s
}
