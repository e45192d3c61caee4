package decode

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"

	"gangway/internal/gangway"
)

// A workbook is an Excel workbook (.xlsx): an archive of XML, of which only the values of cells are read,
// one sheet at a time.
//
// We do not use a library because those that stream return cells as they are displayed (01-02-85), while
// a mapping needs the value (1985-02-01). See docs/choices.md, "Documents".
type workbook struct {
	o       *opening
	entries map[string]*zip.File // by their names in lower case
	sheets  []sheet
	date    dateSystem
	styles  []cellStyle
	texts   sharedTexts
	filled  int // cells of all sheets so far that are in the file
	empty   int // cells that stand for those that are not
}

// A sheet of a workbook, and the entry that has it.
type sheet struct{ name, entry string }

const workbookEntry = "xl/workbook.xml"

// openWorkbook opens the sheets of a workbook that are asked for.
func (o *opening) openWorkbook(archive *zip.Reader, as gangway.DocumentFormat) (opened, error) {
	switch as.Kind {
	case "", gangway.AutoFormat, gangway.XLSXFormat:
		as.Kind, as.Encoding, as.Delimiter = gangway.XLSXFormat, "", ""
	default:
		return opened{}, wrong("it is an Excel workbook, and the format says %s", as.Kind)
	}
	w := &workbook{o: o, entries: map[string]*zip.File{}}
	for _, f := range archive.File {
		w.entries[strings.ToLower(f.Name)] = f
	}
	for _, read := range []func() error{w.readSheets, w.readStyles, w.readTexts} {
		if err := read(); err != nil {
			return opened{}, err
		}
	}
	sheets, err := w.asked(as.Sheet)
	if err != nil {
		return opened{}, err
	}
	switch {
	case as.Sheet == "*":
		return opened{&allSheets{w: w, sheets: sheets, header: as.Header}, true, as}, nil
	case len(sheets) > 1:
		return w.openSheets(sheets, as)
	}
	as.Sheet = sheets[0].name
	table, err := w.openSheet(sheets[0], as.Header)
	return opened{table, true, as}, err
}

// asked returns the sheet with that name, or all sheets.
func (w *workbook) asked(name string) ([]sheet, error) {
	if len(w.sheets) == 0 {
		return nil, ErrEmpty
	}
	if name == "" || name == "*" {
		return w.sheets, nil
	}
	var names []string
	for _, s := range w.sheets {
		if strings.EqualFold(strings.TrimSpace(s.name), strings.TrimSpace(name)) {
			return []sheet{s}, nil
		}
		names = append(names, s.name)
	}
	return nil, wrong("it has no sheet %q, but %.300s", name, strings.Join(names, ", "))
}

// openSheet reads the names of a sheet's columns.
func (w *workbook) openSheet(s sheet, header *int) (*table, error) {
	rows, err := w.rows(s)
	if err != nil {
		return nil, err
	}
	t, err := openTable(rows, header)
	if err != nil {
		return nil, err
	}
	t.loose = true
	return t, nil
}

// openSheets reads several sheets as one value, by their names.
func (w *workbook) openSheets(sheets []sheet, as gangway.DocumentFormat) (opened, error) {
	all, budget := map[string]any{}, newBudget(w.o.limits)
	var names []string
	for _, s := range sheets {
		names = append(names, s.name)
		table, err := w.openSheet(s, as.Header)
		if errors.Is(err, ErrEmpty) {
			all[s.name] = []any{}
			continue
		}
		if err != nil {
			return opened{}, err
		}
		if all[s.name], err = whole(opened{items: table, list: true}, budget); err != nil {
			return opened{}, err
		}
	}
	return opened{&one{item: Item{Value: all, sheets: names}}, false, as}, nil
}

// allSheets returns the rows of all sheets in order, each with the name of its sheet.
type allSheets struct {
	w      *workbook
	sheets []sheet
	header *int
	now    *table
}

func (a *allSheets) next() (Item, error) {
	for {
		if a.now != nil {
			item, err := a.now.next()
			if !errors.Is(err, io.EOF) {
				return item, err
			}
			a.now = nil
		}
		if len(a.sheets) == 0 {
			return Item{}, io.EOF
		}
		s := a.sheets[0]
		a.sheets = a.sheets[1:]
		table, err := a.w.openSheet(s, a.header)
		if errors.Is(err, ErrEmpty) {
			continue
		}
		if err != nil {
			return Item{}, err
		}
		table.extra, table.value = "_sheet", s.name
		a.now = table
	}
}

// read calls each for every start tag of an entry. A missing entry has none.
func (w *workbook) read(entry string, each func(t *xmlTokens, start xml.StartElement) error) error {
	f := w.entries[strings.ToLower(entry)]
	if f == nil {
		return nil
	}
	from, err := w.o.unpack(f)
	if err != nil {
		return err
	}
	tokens := newXMLTokens(from)
	for {
		token, err := tokens.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return within(entry, err)
		}
		if start, ok := token.(xml.StartElement); ok {
			if err := each(tokens, start); err != nil {
				return within(entry, err)
			}
		}
	}
}

// readSheets reads which sheets there are, and where.
func (w *workbook) readSheets() error {
	targets := map[string]string{}
	err := w.read("xl/_rels/workbook.xml.rels", func(_ *xmlTokens, start xml.StartElement) error {
		if start.Name.Local == "Relationship" && strings.HasSuffix(attribute(start, "Type"), "/worksheet") {
			targets[attribute(start, "Id")] = attribute(start, "Target")
		}
		return tooMany(len(targets))
	})
	if err != nil {
		return err
	}
	return w.read(workbookEntry, func(_ *xmlTokens, start xml.StartElement) error {
		switch start.Name.Local {
		case "workbookPr":
			if is1904 := attribute(start, "date1904"); is1904 == "1" || is1904 == "true" {
				w.date = from1904
			}
		case "sheet":
			target, ok := targets[prefixed(start, "id")]
			if !ok {
				return nil // a chart
			}
			if !strings.HasPrefix(target, "/") {
				target = "xl/" + target
			}
			w.sheets = append(w.sheets, sheet{attribute(start, "name"), strings.TrimPrefix(path.Clean(target), "/")})
		}
		return tooMany(len(w.sheets))
	})
}

// mostParts is how many sheets, and how many styles, a workbook may have: what Excel can.
const mostParts = 65_500

func tooMany(n int) error {
	if n > mostParts {
		return wrong("it has more than %d sheets or styles", mostParts)
	}
	return nil
}

// attribute returns the attribute with that name and no prefix; prefixed, the one with any prefix.
func attribute(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

func prefixed(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name && a.Name.Space != "" && a.Name.Space != "xmlns" {
			return a.Value
		}
	}
	return ""
}
