package decode

import "bytes"

// delimiters are the candidates, beginning with those that occur least often within values.
const delimiters = "\t;|,"

// A few rows are enough to recognise the delimiter.
const rowsLookedAt = 50

// findDelimiter returns the delimiter that splits most rows of head into the same number of values, at
// least two; of several, the one that makes most values. If none does, sure is false and the delimiter
// is a comma: rows of one value.
func findDelimiter(head []byte) (delimiter byte, sure bool) {
	delimiter = ','
	var most, values int
	for _, candidate := range []byte(delimiters) {
		counts, rows := map[int]int{}, 0
		c := &csvReader{lines: newLinesOf(withLines(bytes.NewReader(head), head), len(head)+1), delimiter: candidate}
		for range rowsLookedAt {
			r, err := c.nextRow()
			if err != nil && r.cells == nil {
				break
			}
			if err == nil && !r.blank() {
				counts[len(r.cells)]++
				rows++
			}
		}
		for n, same := range counts {
			if n > 1 && same*2 > rows && (same > most || same == most && n > values) {
				delimiter, most, values, sure = candidate, same, n, true
			}
		}
	}
	return delimiter, sure
}
