package gangway

// A DocumentFormat says how documents are written, as far as they do not say it
// themselves.
type DocumentFormat struct {
	Kind      FormatKind    `json:"kind,omitzero"`
	Encoding  string        `json:"encoding,omitzero"`  // a label of the WHATWG's Encoding standard; empty: found out
	Delimiter string        `json:"delimiter,omitzero"` // csv: one character; empty: found out
	Header    *int          `json:"header,omitzero"`    // csv, xlsx, fixed: the row, from 1, with the names; 0: none; nil: the first, and of fixed none
	Columns   []FixedColumn `json:"columns,omitzero"`   // fixed
	Sheet     string        `json:"sheet,omitzero"`     // xlsx: its name; "*": all rows of all sheets; empty: the only one, or each by its name
}

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
