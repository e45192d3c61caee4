package feeds

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/accept"
	"gangway/internal/gangway"
)

// A trialTable is what a trial made of the records: a column for each field.
type trialTable struct {
	Columns []string
	Rows    []trialRow
	More    int // columns that are not shown
}

// A trialRow is a record.
type trialRow struct {
	At      string // where it stands in the document
	Refused bool
	Marked  bool
	Cells   []trialCell
	Others  []string // what there is to say about fields that are not shown
}

// A trialCell is a field of a record, and what there is to say about it.
type trialCell struct {
	Value string
	Left  string // what came, and was left out
	From  string // what the document calls it
	Wrong string
}

// How many columns a table has, and how long a value in it may be.
const (
	mostColumns = 18
	longestCell = 48
)

// fieldOrder are the fields of our records in the order of tables; others follow.
var fieldOrder = gangway.ColumnOrder()

// whoseFields is how many of them say whose record it is.
var whoseFields = slices.Index(fieldOrder, "first_name") + 1

// tableOf makes the table of a trial's examples.
func tableOf(examples []accept.Example, refused, warned []gangway.FeedRemark) trialTable {
	said := map[int][]gangway.FeedRemark{}
	for _, list := range [][]gangway.FeedRemark{refused, warned} {
		for _, r := range list {
			if !r.Whole { // which is said above the table
				said[r.Record] = append(said[r.Record], r)
			}
		}
	}
	rows := make([]map[string]string, len(examples)) // by column
	names, known := []string{}, map[string]string{}  // by what is compared
	add := func(name string) {
		if key := bareName(name); known[key] == "" {
			known[key] = name
			names = append(names, name)
		}
	}
	for i, e := range examples {
		rows[i] = map[string]string{}
		leaves(json.RawMessage(e.JSON), "", func(path, value string) {
			add(path)
			rows[i][bareName(path)] = value
		})
		for _, r := range said[e.Record] {
			if r.Field != "" && columnOf(r.Field, known) == "" {
				add(spelled(r.Field))
			}
		}
	}
	bad := wrongColumns(said, known)
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(rankOf(a, bad), rankOf(b, bad))
	})
	t := trialTable{}
	if len(names) > mostColumns {
		t.More, names = len(names)-mostColumns, names[:mostColumns]
	}
	for i, e := range examples {
		t.Rows = append(t.Rows, rowOf(e, names, rows[i], said[e.Record]))
	}
	for _, name := range names {
		t.Columns = append(t.Columns, shortened(name))
	}
	return t
}

func rowOf(e accept.Example, columns []string, values map[string]string, said []gangway.FeedRemark) trialRow {
	row := trialRow{At: e.At.String(), Refused: e.Refused, Marked: len(said) > 0}
	if row.At == "" {
		row.At = fmt.Sprint("record ", e.Record)
	}
	shown := map[string]string{}
	for _, name := range columns {
		shown[bareName(name)] = name
	}
	about := map[string][]gangway.FeedRemark{}
	for _, r := range said {
		if at := columnOf(r.Field, shown); at != "" {
			about[at] = append(about[at], r)
		} else {
			words, _ := r.Words()
			row.Others = append(row.Others, strings.TrimSpace(shortened(r.Field)+" "+words))
		}
	}
	for _, name := range columns {
		key := bareName(name)
		cell := trialCell{Value: values[key]}
		var wrong []string
		for _, r := range about[key] {
			words, _ := r.Words()
			wrong = append(wrong, words)
			cell.Left, cell.From = shortened(r.Value), r.SourceField
		}
		if cell.Left == cell.Value {
			cell.Left = ""
		}
		cell.Wrong = strings.Join(wrong, " ")
		row.Cells = append(row.Cells, cell)
	}
	return row
}

// leaves yields the fields of a record in its order, those of objects by their path. A list is one field.
func leaves(doc json.RawMessage, path string, yield func(path, value string)) {
	decoder := json.NewDecoder(strings.NewReader(string(doc)))
	if first, err := decoder.Token(); err != nil || first != json.Delim('{') {
		return
	}
	for decoder.More() {
		name, err := decoder.Token()
		var value json.RawMessage
		if err != nil || decoder.Decode(&value) != nil {
			return
		}
		at := strings.TrimPrefix(path+"."+fmt.Sprint(name), ".")
		switch value[0] {
		case '{':
			leaves(value, at, yield)
		case '[':
			yield(at, listWords(value))
		default:
			yield(at, shortened(textOf(value)))
		}
	}
}

// listWords is a list in a cell: how long it is, and whom it has.
func listWords(doc json.RawMessage) string {
	var list []json.RawMessage
	if json.Unmarshal(doc, &list) != nil {
		return ""
	}
	var who []string
	for _, member := range list {
		m := membersOf(member)
		if name := textOf(m["last_name"]); name != "" {
			who = append(who, name)
		}
	}
	return shortened(strings.TrimSuffix(fmt.Sprintf("%d: %s", len(list), strings.Join(who, ", ")), ": "))
}

func shortened(text string) string {
	return gangway.Shortened(text, longestCell)
}

// bareName is a field's path as far as its spelling is left aside: LastName is last_name, and Onsigners[1].Dob is
// onsigners.dob.
func bareName(path string) string {
	var b strings.Builder
	inside := false
	for _, r := range strings.ToLower(path) {
		switch {
		case r == '[':
			inside = true
		case r == ']':
			inside = false
		case !inside && r != '_':
			b.WriteRune(r)
		}
	}
	return b.String()
}

// columnOf returns the column that has a field: that of the field, or of the list that it is in.
func columnOf(field string, columns map[string]string) string {
	for key := bareName(field); key != ""; {
		if columns[key] != "" {
			return key
		}
		i := strings.LastIndexByte(key, '.')
		key = key[:max(i, 0)]
	}
	return ""
}

// spelled is a field of a remark as the interface spells it, where it is a known one.
func spelled(field string) string {
	before, last := "", field
	if i := strings.LastIndexByte(field, '.'); i >= 0 {
		before, last = strings.ToLower(field[:i+1]), field[i+1:]
	}
	for _, name := range fieldOrder {
		if bareName(name) == bareName(last) {
			return before + name
		}
	}
	return field
}

// wrongColumns are the columns that there is something to say about.
func wrongColumns(said map[int][]gangway.FeedRemark, columns map[string]string) map[string]bool {
	bad := map[string]bool{}
	for _, list := range said {
		for _, r := range list {
			if at := columnOf(r.Field, columns); at != "" {
				bad[at] = true
			}
		}
	}
	return bad
}

// rankOf is where a column stands. One that there is something to say about comes after those that say whose record
// it is, where nobody has to scroll for it.
func rankOf(path string, bad map[string]bool) int {
	last := path[strings.LastIndexByte(path, '.')+1:]
	for i, name := range fieldOrder {
		if bareName(name) != bareName(last) {
			continue
		}
		if bad[bareName(path)] && i > whoseFields {
			return whoseFields
		}
		return i
	}
	if bad[bareName(path)] {
		return whoseFields
	}
	return len(fieldOrder)
}
