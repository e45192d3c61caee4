package decode

import "bytes"

// delimiters are those that are looked for, those that stand least often within
// values first.
const delimiters = "\t;|,"

// A few rows show the delimiter.
const rowsLookedAt = 50

// findDelimiter returns the delimiter by which most rows of head have the same
// number of values, more than one; among several such, by which they have most.
// sure is false where there is none: then it is the comma, and rows of one value.
func findDelimiter(head []byte) (delimiter byte, sure bool) {
	delimiter = ','
	var most, values int
	for _, candidate := range []byte(delimiters) {
		counts, rows := map[int]int{}, 0
		c := &csvReader{lines: newLines(withLines(bytes.NewReader(head), head)), delimiter: candidate}
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
