package decode

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// How many rows a sheet may have, and how many columns. Empty cells are not in the file, but each takes work and
// memory: there may be some anyway, and more as cells are in the file, as in a text each has its delimiter.
const (
	mostSheetRows    = 1 << 20
	mostSheetColumns = 2_000
	emptyAnyway      = 1 << 20
	emptyForEach     = 16
)

// A sheetReader reads the rows of a sheet. Empty rows are not in the file, but count as rows here.
type sheetReader struct {
	w      *workbook
	name   string
	tokens *xmlTokens
	cells  []string
	row    int64 // the row that was returned last
	ahead  int64 // the row that cells belong to, if it was not returned yet; otherwise 0
	text   []byte
}

// rows opens a sheet.
func (w *workbook) rows(s sheet) (*sheetReader, error) {
	f := w.entries[strings.ToLower(s.entry)]
	if f == nil {
		return nil, wrong("its sheet %q is missing in the file", s.name)
	}
	from, err := w.o.unpack(f)
	if err != nil {
		return nil, err
	}
	return &sheetReader{w: w, name: s.name, tokens: newXMLTokens(from)}, nil
}

func (s *sheetReader) nextRow() (row, error) {
	if s.ahead == 0 {
		if err := s.read(); err != nil {
			return row{at: s.place(s.row + 1)}, err
		}
	}
	s.row++
	at := s.place(s.row)
	if s.row < s.ahead {
		return row{at: at}, nil
	}
	s.ahead = 0
	return row{cells: s.cells, at: at}, nil
}

func (s *sheetReader) place(row int64) Place { return Place{Unit: "row", N: row, In: s.name} }

// read reads the next row that is in the file.
func (s *sheetReader) read() error {
	for {
		token, err := s.tokens.next()
		if err != nil {
			return s.within(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "row" {
			continue
		}
		n := s.row + 1
		if number := attribute(start, "r"); number != "" {
			n, err = strconv.ParseInt(number, 10, 64)
			if err != nil || n <= s.row || n > mostSheetRows {
				return s.broken(fmt.Errorf("a row is numbered %.20q", number))
			}
		} else if n > mostSheetRows {
			return s.broken(fmt.Errorf("it has more than %d rows", mostSheetRows))
		}
		s.ahead = n
		return s.within(s.readCells())
	}
}

func (s *sheetReader) broken(why error) error { return &BrokenError{why, s.place(s.row + 1)} }

// within adds to an error about the sheet's XML the row in which it is.
func (s *sheetReader) within(err error) error {
	if broken, is := errors.AsType[*BrokenError](err); is && broken.At.Unit == "line" {
		return s.broken(broken.Why)
	}
	return err
}

// readCells reads the cells of the current row.
func (s *sheetReader) readCells() error {
	s.cells = s.cells[:0]
	for {
		token, err := s.tokens.next()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.EndElement:
			if token.Name.Local == "row" {
				return nil
			}
		case xml.StartElement:
			if token.Name.Local != "c" {
				continue
			}
			if err := s.readCell(token); err != nil {
				return err
			}
		}
	}
}

// readCell reads the current cell into its column.
func (s *sheetReader) readCell(start xml.StartElement) error {
	var kind, style string
	column := len(s.cells) + 1
	for _, a := range start.Attr {
		switch a.Name.Local {
		case "r":
			column = columnNumber(a.Value)
		case "t":
			kind = a.Value
		case "s":
			style = a.Value
		}
	}
	if column <= len(s.cells) {
		return s.broken(errors.New("a cell's column is out of order"))
	}
	value, err := s.value()
	if err == nil && kind == "s" {
		value, err = s.shared(value)
	}
	if err != nil {
		return err
	}
	text := trimmed(s.w.cellText(value, kind, style))
	if s.w.filled++; text == "" && column > len(s.cells)+1 { // formatted, and nothing else
		return nil
	}
	if err := s.skipTo(column); err != nil {
		return err
	}
	s.cells = append(s.cells, text)
	return nil
}

// skipTo adds the empty cells before a column.
func (s *sheetReader) skipTo(column int) error {
	at := s.place(s.row + 1)
	at.N, at.Column = s.ahead, column
	if column > mostSheetColumns {
		return &BrokenError{fmt.Errorf("a cell is in column %d, and a sheet may have %d", column, mostSheetColumns), at}
	}
	missing := column - 1 - len(s.cells)
	if s.w.empty += missing; s.w.empty > emptyAnyway+emptyForEach*s.w.filled {
		return &BrokenError{fmt.Errorf("it has %d empty cells before one, and nearly all others are empty, too: "+
			"delete the columns that are not used", missing), at}
	}
	for range missing {
		s.cells = append(s.cells, "")
	}
	return nil
}

// shared returns the shared text of that number.
func (s *sheetReader) shared(number string) (string, error) {
	n, err := strconv.Atoi(number)
	if text, ok := s.w.texts.text(n); err == nil && ok {
		return text, nil
	}
	return "", s.broken(fmt.Errorf("a cell refers to a text %.20q, which is not in the workbook", number))
}

// value reads the value or the inline text of the current cell, up to its end.
func (s *sheetReader) value() (string, error) {
	s.text = s.text[:0]
	within := false
	for {
		token, err := s.tokens.next()
		if errors.Is(err, io.EOF) {
			err = s.broken(errEarly)
		}
		if err != nil {
			return "", err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "is" {
				if s.text, err = richText(s.tokens, s.text); err != nil {
					return "", err
				}
				continue
			}
			within = token.Name.Local == "v"
		case xml.CharData:
			if within {
				s.text = append(s.text, token...)
			}
		case xml.EndElement:
			if token.Name.Local == "c" {
				return string(unescaped(s.text, 0)), nil
			}
			within = false
		}
	}
}

// columnNumber returns the number of a cell's column, from 1; 0 if it has none.
func columnNumber(cell string) int {
	n := 0
	for i := 0; i < len(cell) && i < 4; i++ {
		b := cell[i] &^ 0x20
		if b < 'A' || b > 'Z' {
			break
		}
		n = n*26 + int(b-'A') + 1
	}
	return n
}
