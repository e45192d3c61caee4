package feeds

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/wire"
)

// A formatForm is how documents are written, as far as somebody says it.
type formatForm struct {
	Kind, Encoding, Delimiter, Header, Sheet, Columns string
}

// Said reports whether anything is said.
func (f formatForm) Said() bool { return f != formatForm{Kind: "auto"} }

func formatFormOf(d gangway.DocumentFormat) formatForm {
	f := formatForm{Kind: string(d.Kind), Encoding: d.Encoding, Delimiter: d.Delimiter, Sheet: d.Sheet}
	if f.Kind == "" {
		f.Kind = string(gangway.AutoFormat)
	}
	if f.Delimiter == "\t" {
		f.Delimiter = "tab"
	}
	switch {
	case d.Header != nil && *d.Header == 0:
		f.Header = "none"
	case d.Header != nil:
		f.Header = strconv.Itoa(*d.Header)
	}
	var columns []string
	for _, c := range d.Columns {
		columns = append(columns, fmt.Sprintf("%d-%d %s", c.From, c.To, c.Name))
	}
	f.Columns = strings.Join(columns, "\n")
	return f
}

func readFormatForm(form url.Values) formatForm {
	v := func(name string) string { return strings.TrimSpace(form.Get(name)) }
	return formatForm{Kind: v("kind"), Encoding: v("encoding"), Delimiter: v("delimiter"), Header: v("header"),
		Sheet: v("sheet"), Columns: lines(form.Get("columns"))}
}

// format reads the form. What belongs to another kind than the one that is chosen is left out.
func (f formatForm) format() (gangway.DocumentFormat, error) {
	said := map[string]any{"kind": f.Kind}
	is := func(kinds ...gangway.FormatKind) bool { return slices.Contains(kinds, gangway.FormatKind(f.Kind)) }
	say := func(member, value string, applies bool) {
		if applies && value != "" {
			said[member] = value
		}
	}
	if f.Kind == "" {
		said["kind"] = gangway.AutoFormat
	}
	delimiter := f.Delimiter
	if strings.EqualFold(delimiter, "tab") || delimiter == `\t` {
		delimiter = "\t"
	}
	say("encoding", f.Encoding, !is(gangway.XLSXFormat))
	say("delimiter", delimiter, is(gangway.CSVFormat, gangway.AutoFormat))
	say("sheet", f.Sheet, is(gangway.XLSXFormat, gangway.AutoFormat))
	if f.Header != "" && is(gangway.CSVFormat, gangway.XLSXFormat, gangway.FixedFormat, gangway.AutoFormat) {
		said["header"] = json.RawMessage("false")
		if f.Header != "none" {
			row, err := strconv.Atoi(f.Header)
			if err != nil {
				return gangway.DocumentFormat{}, gangway.Errorf(gangway.Invalid,
					"format: header must be the number of the row that names the columns, or none")
			}
			said["header"] = row
		}
	}
	if is(gangway.FixedFormat) {
		columns, err := fixedColumns(f.Columns)
		if err != nil {
			return gangway.DocumentFormat{}, err
		}
		said["columns"] = columns
	}
	doc, err := json.Marshal(said)
	if err != nil {
		return gangway.DocumentFormat{}, err
	}
	return wire.ReadDocumentFormat(doc)
}

// fixedColumns reads columns of fixed width, one a line: "1-14 last_name".
func fixedColumns(text string) (columns []gangway.FixedColumn, err error) {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var c gangway.FixedColumn
		where, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if _, err := fmt.Sscanf(where, "%d-%d", &c.From, &c.To); err != nil {
			return nil, gangway.Errorf(gangway.Invalid, "format: columns are written one a line, as in 1-14 last_name")
		}
		c.Name = strings.TrimSpace(name)
		columns = append(columns, c)
	}
	return columns, nil
}

// foundWords says how a document was decoded.
func foundWords(f gangway.DocumentFormat) string {
	words := map[gangway.FormatKind]string{gangway.JSONFormat: "JSON", gangway.YAMLFormat: "YAML",
		gangway.CSVFormat: "CSV", gangway.XLSXFormat: "an Excel workbook", gangway.XMLFormat: "XML",
		gangway.SOAPFormat: "a SOAP answer", gangway.FixedFormat: "columns of fixed width",
		gangway.PairsFormat: "lines of “name: value”"}[f.Kind]
	if words == "" {
		return ""
	}
	if f.Delimiter != "" {
		by := map[string]string{";": "semicolons", ",": "commas", "\t": "tabs", "|": "bars"}[f.Delimiter]
		if by == "" {
			by = "“" + f.Delimiter + "”"
		}
		words += " with " + by
	}
	if f.Encoding != "" {
		words += ", in " + strings.ToUpper(f.Encoding)
	}
	switch {
	case f.Header == nil:
	case *f.Header == 0:
		words += ", no row of names"
	case *f.Header > 1:
		words += fmt.Sprintf(", names in row %d", *f.Header)
	}
	return words
}
