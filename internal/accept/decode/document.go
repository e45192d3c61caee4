package decode

import (
	"errors"
	"io"
	"slices"

	"gangway"
)

// An Input is a document that can be read from anywhere: a spooled file, or
// bytes. Its name and the content type that was declared only help to find out
// how it is written; both may be empty.
type Input struct {
	io.ReaderAt
	Size        int64
	Name        string
	ContentType string
}

// Limits bound what a document may ask for. What is 0 is as usual.
type Limits struct {
	Depth    int   // of values within each other
	Whole    int64 // bytes of memory that a value may take that is no list of records
	Unpacked int64 // bytes that come out of gzip and zip
}

// The usual limits.
//
// Decided: docs/choices.md, "Documents".
const (
	usualDepth    = 64
	usualWhole    = 64 << 20
	usualUnpacked = 1 << 30
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
	return l
}

// A Document is what a document says, as values: a list of records, one at a
// time, or one value.
//
// Its errors are a *RecordError for a record that alone is left out, a
// *BrokenError or ErrEmpty for what is wrong with all of it, and otherwise that
// of the input.
type Document struct {
	// Format is how the document is written, as far as that is known. An encoding that
	// is guessed is known for certain once its first letter beyond ASCII was read.
	Format gangway.DocumentFormat

	list    bool
	items   items
	ended   error
	closers []io.Closer
}

// items are the values of a document.
type items interface {
	next() (Item, error) // io.EOF: there are no more
}

// An Item is a value of a document: a record of a list, or all there is.
type Item struct {
	// Value is nil, bool, string, json.Number, []any or map[string]any of these,
	// which is what gojq takes. Numbers are to the letter as they came.
	Value any
	At    Place

	header *header // of a table: what its columns are called
}

// Names returns the names of the members of an item in the order in which the
// document has them; nil where it has no such order.
func (i Item) Names() []string {
	if i.header == nil {
		return nil
	}
	return slices.Clone(i.header.names)
}

// Cell returns where the value of that name stands: in a workbook its cell, else
// where the item does.
func (i Item) Cell(name string) Place {
	at := i.At
	if i.header != nil && at.Unit == "row" {
		at.Column = i.header.column(name)
	}
	return at
}

// List reports whether the document is a list of records, each of which is an
// item, in bounded memory. Else its only item is all there is.
func (d *Document) List() bool { return d.list }

// Next returns the next item, and io.EOF after the last.
func (d *Document) Next() (Item, error) {
	if d.ended != nil {
		return Item{}, d.ended
	}
	item, err := d.items.next()
	var alone *RecordError
	if err != nil && (!d.list || !errors.As(err, &alone)) {
		if errors.As(err, &alone) { // there is nothing else that could be read
			err = &BrokenError{Why: err, At: item.At}
		}
		d.ended = err
	}
	return item, err
}

// Close lets go of what reading the document took. It leaves the input open.
func (d *Document) Close() error {
	var all []error
	for _, c := range slices.Backward(d.closers) {
		all = append(all, c.Close())
	}
	d.closers, d.ended = nil, errors.New("the document is closed")
	return errors.Join(all...)
}

// One value is a document that is no list.
type one struct {
	item Item
	read bool
}

func (o *one) next() (Item, error) {
	if o.read {
		return Item{}, io.EOF
	}
	o.read = true
	return o.item, nil
}
