package decode

import (
	"errors"
	"io"
	"maps"
	"slices"

	"gangway/internal/gangway"
)

// An Input is a document to be decoded: a spooled file, or bytes. The file's name and the declared
// content type may be empty; they only help to recognise the format.
type Input struct {
	io.ReaderAt
	Size        int64
	Name        string
	ContentType string
	Endless     bool // only the document itself shows whether all of it came
}

// Limits bound what decoding one document may take. A field that is 0 means the usual limit.
type Limits struct {
	Depth    int   // levels of nested values
	Whole    int64 // bytes of memory for a value that cannot be read record by record
	Unpacked int64 // bytes after gzip and zip are undone

	// Heavy is called before one record or value takes more than some 8 MB of memory, perhaps several times.
	// Its error ends the document. nil: nobody minds.
	Heavy func() error
}

// The usual limits.
//
// Decided: docs/choices.md, "Documents".
const (
	usualDepth    = 64
	usualWhole    = 64 << 20
	usualUnpacked = 1 << 30
	heavyValue    = 8 << 20
)

func (l Limits) orUsual() Limits {
	if l.Depth <= 0 {
		l.Depth = usualDepth
	}
	if l.Whole <= 0 {
		l.Whole = usualWhole
	}
	if l.Unpacked <= 0 {
		l.Unpacked = usualUnpacked
	}
	if l.Heavy == nil {
		l.Heavy = func() error { return nil }
	}
	return l
}

// A Document is an opened document: a list of records, which are read one at a time, or one value.
//
// Its errors are a *RecordError if one record alone is left out, a *BrokenError or ErrEmpty if the
// document cannot be read or not further, and otherwise the error of the input.
type Document struct {
	// Format is the format that was recognised. A guessed encoding may change until the first
	// character beyond ASCII was read.
	Format gangway.DocumentFormat

	guesses []Doubt // of the encodings of its texts
	list    bool
	items   items
	ended   error
	closers []io.Closer
}

// items are the values of a document.
type items interface {
	next() (Item, error) // io.EOF: there are no more
}

// An Item is a record of a list, or the whole value of a document that is not a list.
type Item struct {
	// Value is nil, bool, string, json.Number, or []any or map[string]any of these, as gojq takes
	// them. Numbers keep the spelling of the document.
	Value any
	At    Place

	sheets  []string      // of a workbook that is one value
	header  *header       // the column names of a table
	objects *objectPlaces // where the objects within the value begin; nil: not known
}

// Names returns the names of the item's members in the order of the document; nil if the format has no
// order.
func (i Item) Names() []string {
	if i.header == nil {
		return nil
	}
	return slices.Clone(i.header.names)
}

// Sheets returns the names of the sheets of a workbook of which the item has all, by their names; nil: it is none.
func (i Item) Sheets() []string { return i.sheets }

// Cell returns the place of the value with that name: its cell in a workbook, otherwise the item's place.
func (i Item) Cell(name string) Place {
	at := i.At
	if i.header != nil && at.Unit == "row" {
		at.Column = i.header.column(name)
	}
	return at
}

// HasColumn reports whether the item's table has a column of that name; not known: it is of no table with names.
func (i Item) HasColumn(name string) (has, known bool) {
	return i.header != nil && i.header.column(name) > 0, i.header != nil
}

// Repeated returns the names that several columns of the item's table have.
func (i Item) Repeated() []string {
	if i.header == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(i.header.again))
}

// List reports whether the document is a list of records: then each record is an item. Otherwise the
// whole value is the only item.
func (d *Document) List() bool { return d.list }

// Next returns the next item, and io.EOF after the last.
func (d *Document) Next() (Item, error) {
	if d.ended != nil {
		return Item{}, d.ended
	}
	item, err := d.items.next()
	if err == nil {
		return item, nil
	}
	switch isAlone := errors.As(err, new(*RecordError)); {
	case isAlone && d.list:
		return item, err
	case isAlone: // there is no other record
		err = &BrokenError{Why: err, At: item.At}
	}
	d.ended = err
	return item, err
}

// Close releases what reading the document took. It does not close the input.
func (d *Document) Close() error {
	var all []error
	for _, c := range slices.Backward(d.closers) {
		all = append(all, c.Close())
	}
	d.closers, d.ended = nil, errors.New("the document is closed")
	return errors.Join(all...)
}

// one is a document that is not a list.
type one struct {
	item Item
	err  error
	read bool
}

func (o *one) next() (Item, error) {
	if o.read {
		return Item{}, io.EOF
	}
	o.read = true
	return o.item, o.err
}
