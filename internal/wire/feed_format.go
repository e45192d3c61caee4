package wire

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// ReadDocumentFormat reads the format of a feed's documents, as its integrator
// writes it: "auto", the name of a kind, or an object. Nothing at all is "auto".
// Its errors are Invalid and name the member.
//
// Decided: docs/choices.md, "Documents".
func ReadDocumentFormat(value jsontext.Value) (gangway.DocumentFormat, error) {
	f := gangway.DocumentFormat{Kind: gangway.AutoFormat}
	if len(value) == 0 || value.Kind() == 'n' {
		return f, nil
	}
	if value.Kind() == '"' {
		if err := json.Unmarshal(value, &f.Kind); err != nil {
			return f, gangway.Errorf(gangway.Invalid, "format is no JSON")
		}
		return f, checkDocumentFormat(f)
	}
	var members map[string]jsontext.Value
	if value.Kind() != '{' || json.Unmarshal(value, &members) != nil {
		return f, gangway.Errorf(gangway.Invalid, `format must be "auto", the name of a kind, or an object without `+
			`a name that comes twice`)
	}
	names := slices.Sorted(maps.Keys(members))
	if kind := slices.Index(names, "kind"); kind > 0 { // first, since others mean this or that by it
		names[0], names[kind] = names[kind], names[0]
	}
	for _, name := range names {
		if err := readFormatMember(&f, name, members[name]); err != nil {
			return f, err
		}
	}
	return f, checkDocumentFormat(f)
}

// readFormatMember reads a member of a format.
func readFormatMember(f *gangway.DocumentFormat, name string, value jsontext.Value) error {
	text := map[string]*string{"kind": (*string)(&f.Kind), "encoding": &f.Encoding, "delimiter": &f.Delimiter,
		"sheet": &f.Sheet}
	switch to := text[name]; {
	case to != nil:
		if json.Unmarshal(value, to) != nil || value.Kind() != '"' {
			return gangway.Errorf(gangway.Invalid, "format: %s must be a string", name)
		}
	case name == "header":
		return readHeaderRow(f, value)
	case name == "columns":
		return readColumns(f, value)
	default:
		return gangway.Errorf(gangway.Invalid, "format: %.40q is no member of it", name)
	}
	return nil
}

// readHeaderRow reads which row names the columns: true is as usual, but where
// nothing is usual the first.
func readHeaderRow(f *gangway.DocumentFormat, value jsontext.Value) error {
	var row int
	switch value.Kind() {
	case 't':
		if row = 1; f.Kind != gangway.FixedFormat {
			f.Header = nil
			return nil
		}
	case 'f':
	default:
		if err := json.Unmarshal(value, &row); err != nil || value.Kind() != '0' || row < 1 {
			return gangway.Errorf(gangway.Invalid, "format: header must be true, false or the number of a row, from 1")
		}
	}
	f.Header = &row
	return nil
}

func readColumns(f *gangway.DocumentFormat, value jsontext.Value) error {
	var columns []map[string]jsontext.Value
	if value.Kind() != '[' || json.Unmarshal(value, &columns) != nil {
		return gangway.Errorf(gangway.Invalid, `format: columns must be a list of {"name": …, "from": …, "to": …}`)
	}
	for i, members := range columns {
		var c gangway.FixedColumn
		for _, name := range slices.Sorted(maps.Keys(members)) {
			var err error
			switch value := members[name]; name {
			case "name":
				err = json.Unmarshal(value, &c.Name)
			case "from":
				err = json.Unmarshal(value, &c.From)
			case "to":
				err = json.Unmarshal(value, &c.To)
			default:
				return gangway.Errorf(gangway.Invalid, "format: columns[%d]: %.40q is no member of it", i, name)
			}
			if err != nil {
				return gangway.Errorf(gangway.Invalid, "format: columns[%d].%s must be a %s", i, name,
					map[bool]string{true: "string", false: "number"}[name == "name"])
			}
		}
		f.Columns = append(f.Columns, c)
	}
	return nil
}

func checkDocumentFormat(f gangway.DocumentFormat) error {
	if f.Encoding != "" {
		e, err := htmlindex.Get(f.Encoding)
		if (err != nil || e == encoding.Replacement) &&
			!slices.Contains(gangway.OldEncodings, strings.ToLower(f.Encoding)) {
			return gangway.Errorf(gangway.Invalid, `format: encoding must be a label of the WHATWG's Encoding standard, `+
				`such as "utf-8" or "windows-1252", or %s`, strings.Join(gangway.OldEncodings, ", "))
		}
	}
	return f.Check()
}

// DocumentFormat writes a format as ReadDocumentFormat reads it, as short as it can be.
func DocumentFormat(f gangway.DocumentFormat) jsontext.Value {
	f.Kind = cmp.Or(f.Kind, gangway.AutoFormat)
	w := newObject()
	w.text("kind", string(f.Kind))
	w.text("encoding", f.Encoding)
	w.text("delimiter", f.Delimiter)
	w.text("sheet", f.Sheet)
	switch {
	case f.Header != nil && *f.Header == 0:
		w.value("header", false)
	case f.Header != nil:
		w.value("header", *f.Header)
	}
	if len(f.Columns) > 0 {
		w.value("columns", f.Columns)
	}
	if kind, _ := jsontext.AppendQuote(nil, f.Kind); len(w.names) == 1 {
		return kind
	}
	return w.end()
}
