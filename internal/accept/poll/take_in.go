package poll

import (
	"context"
	"fmt"
	"runtime/debug"

	"gangway/internal/accept"
	"gangway/internal/accept/decode"
	"gangway/internal/accept/mapping"
	"gangway/internal/gangway"
)

// takeIn decodes a document, maps it and has it taken in, which waits for a place once it takes much
// memory; place is nil if it has one.
func (d *document) takeIn(ctx context.Context, into accept.Run, m *mapping.Mapping, as gangway.DocumentFormat,
	asked gangway.Ask, place placeOf) error {
	doc, done, err := d.openAt(ctx, as, m.NeedsAll(), place)
	if err != nil {
		return err
	}
	defer done()
	defer func() { d.format = doc.Format }() // some of it is known only at the end
	before := into.Report()
	if d.answer {
		d.says = doc.Envelope()
	}
	err = into.Take(ctx, m.Records(ctx, d.runner, doc, asked).Note(d.covers))
	came, refused := into.Report().Came()-before.Came(), into.Report().Refused-before.Refused
	if why := d.says.Failure(came, came-refused); why != "" {
		err = fmt.Errorf("%w: %s", errImproper, why)
	}
	return err
}

// A placeOf waits for the slot of a document that takes much memory.
type placeOf func(ctx context.Context) (leave func(), err error)

// openAt opens a document, with a place if it takes much memory whatever is in it: if all of it is needed
// at once. A list whose records are read one by one takes its place when one of them is large; of a zip or
// a workbook nobody knows before it is unpacked. done closes it and gives the place back.
func (d *document) openAt(ctx context.Context, as gangway.DocumentFormat, needsAll bool,
	place placeOf) (doc *decode.Document, done func(), err error) {
	leave, took := func() {}, false
	take := func() error {
		if place == nil {
			return nil
		}
		left, err := place(ctx)
		if err == nil {
			leave, place, took = left, nil, true
		}
		return err
	}
	defer func() {
		if err != nil {
			leave()
		}
	}()
	if d.begins(zipMark) || needsAll && !d.isShort() {
		if err := take(); err != nil {
			return nil, nil, err
		}
	}
	heavy := func() error {
		if took { // what the last large record has left behind is room for this one
			debug.FreeOSMemory()
			return nil
		}
		return take()
	}
	if doc, err = d.open(as, heavy); err != nil {
		return nil, nil, err
	}
	if !doc.List() && !d.isShort() {
		err = take()
	}
	if err != nil {
		doc.Close()
		return nil, nil, err
	}
	return doc, func() {
		doc.Close()
		leave()
	}, nil
}

// smallDocument is how long a document is at most that needs no place: what it takes in memory is
// some ten times that.
const smallDocument = 1 << 20

// isShort reports whether a document is short, also once it is unpacked.
func (d *document) isShort() bool {
	return d.size <= smallDocument && !d.begins(zipMark) && !d.begins(gzipMark)
}

// How packed documents begin.
const (
	zipMark  = "PK"
	gzipMark = "\x1F\x8B"
)

func (d *document) begins(with string) bool {
	begin := make([]byte, len(with))
	n, _ := d.file.ReadAt(begin, 0)
	return string(begin[:n]) == with
}

func (d *document) open(as gangway.DocumentFormat, heavy func() error) (*decode.Document, error) {
	return decode.Open(decode.Input{ReaderAt: d.file, Size: d.size, Name: d.name, ContentType: d.contentType,
		Endless: d.endless}, as, decode.Limits{Whole: d.whole, Heavy: heavy})
}
