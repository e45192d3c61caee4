package gangway

import (
	"slices"
	"unicode"
)

// A DocumentFormat says how documents are written, as far as they do not say it
// themselves.
type DocumentFormat struct {
	Kind      FormatKind    `json:"kind,omitzero"`
	Encoding  string        `json:"encoding,omitzero"`  // a label of the WHATWG's Encoding standard, or an old one; empty: found out
	Delimiter string        `json:"delimiter,omitzero"` // csv: one character; empty: found out
	Header    *int          `json:"header,omitzero"`    // csv, xlsx, fixed: the row, from 1, with the names; 0: none; nil: the first, and of fixed none
	Columns   []FixedColumn `json:"columns,omitzero"`   // fixed
	Sheet     string        `json:"sheet,omitzero"`     // xlsx: its name; "*": all rows of all sheets; empty: the only one, or each by its name
}

// OldEncodings are those of DOS and of IBM's hosts that documents may have besides those of the WHATWG's Encoding
// standard.
var OldEncodings = []string{"cp437", "cp850", "cp852", "cp037", "cp1047", "cp1140"}

// A FormatKind is a way to write documents.
type FormatKind string

const (
	AutoFormat  FormatKind = "auto" // found out from the content
	JSONFormat  FormatKind = "json" // one value, or one a line
	YAMLFormat  FormatKind = "yaml"
	CSVFormat   FormatKind = "csv"
	XLSXFormat  FormatKind = "xlsx"
	XMLFormat   FormatKind = "xml"
	SOAPFormat  FormatKind = "soap"
	FixedFormat FormatKind = "fixed" // columns of fixed width
	PairsFormat FormatKind = "pairs" // plain text: blocks of "name: value"
)

// A FixedColumn says where a value stands in each line: characters, from 1, both
// ends included.
type FixedColumn struct {
	Name string `json:"name"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// FormatKinds are all of them.
var FormatKinds = []FormatKind{AutoFormat, JSONFormat, YAMLFormat, CSVFormat, XLSXFormat, XMLFormat, SOAPFormat,
	FixedFormat, PairsFormat}

// How far a row may be down that names the columns, how many columns may have a
// fixed width, and how long a line of them may be.
const (
	mostHeaderRow    = 10_000
	mostFixedColumns = 1_000
	mostFixedWidth   = 100_000
)

// Check returns Invalid for a format that cannot be, and names the member. It
// does not look at what encodings there are.
func (f DocumentFormat) Check() error {
	table := f.isOf(CSVFormat, XLSXFormat)
	switch {
	case f.Kind != "" && !slices.Contains(FormatKinds, f.Kind):
		return Errorf(Invalid, "format: kind must be %s", oneOf(FormatKinds))
	case f.Delimiter != "" && !f.isOf(CSVFormat):
		return Errorf(Invalid, "format: delimiter is only for csv")
	case f.Delimiter != "" && !isDelimiter(f.Delimiter):
		return Errorf(Invalid, `format: delimiter must be one character of ASCII, such as ";" or "\t", and no letter, `+
			`figure or quotation mark`)
	case f.Header != nil && !table && f.Kind != FixedFormat:
		return Errorf(Invalid, "format: header is only for csv, xlsx and fixed")
	case f.Header != nil && (*f.Header < 0 || *f.Header > mostHeaderRow):
		return Errorf(Invalid, "format: header must be true, false or the number of a row, from 1 to %d", mostHeaderRow)
	case f.Sheet != "" && !f.isOf(XLSXFormat):
		return Errorf(Invalid, "format: sheet is only for xlsx")
	case f.Encoding != "" && f.Kind == XLSXFormat:
		return Errorf(Invalid, "format: encoding is only for text")
	case f.Kind == FixedFormat && len(f.Columns) == 0:
		return Errorf(Invalid, "format: columns must say where each value stands in a line")
	case f.Kind != FixedFormat && len(f.Columns) > 0:
		return Errorf(Invalid, "format: columns are only for fixed")
	case len(f.Columns) > mostFixedColumns:
		return Errorf(Invalid, "format: columns must be at most %d", mostFixedColumns)
	}
	return f.checkColumns()
}

// isOf reports whether documents may be of this kind, or of one of these.
func (f DocumentFormat) isOf(kinds ...FormatKind) bool {
	return f.Kind == "" || f.Kind == AutoFormat || slices.Contains(kinds, f.Kind)
}

func (f DocumentFormat) checkColumns() error {
	names := map[string]bool{}
	for i, c := range f.Columns {
		switch {
		case c.Name == "":
			return Errorf(Invalid, "format: columns[%d].name must be given", i)
		case names[c.Name]:
			return Errorf(Invalid, "format: columns[%d].name is that of another column", i)
		case c.From < 1 || c.From > mostFixedWidth:
			return Errorf(Invalid, "format: columns[%d].from must be from 1 to %d", i, mostFixedWidth)
		case c.To < c.From || c.To > mostFixedWidth:
			return Errorf(Invalid, "format: columns[%d].to must be from %d to %d", i, c.From, mostFixedWidth)
		}
		names[c.Name] = true
	}
	return nil
}

func isDelimiter(s string) bool {
	return len(s) == 1 && (s == "\t" || s[0] >= ' ' && s[0] < unicode.MaxASCII) && s != `"` &&
		!unicode.IsLetter(rune(s[0])) && !unicode.IsDigit(rune(s[0]))
}
