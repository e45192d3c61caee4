package poll

import (
	"context"

	"gangway"
	"gangway/internal/accept"
	"gangway/internal/accept/decode"
	"gangway/internal/accept/mapping"
)

// takeIn decodes a document, maps it and has it taken in, which waits for a place if it takes much
// memory; place is nil if it has one.
func (d *document) takeIn(ctx context.Context, into accept.Run, m *mapping.Mapping, as gangway.DocumentFormat,
	asked gangway.Ask, place func(context.Context) (leave func(), err error)) error {
	if place != nil {
		light, err := d.isLight(m.NeedsAll(), as)
		if err != nil {
			return err
		}
		if !light {
			leave, err := place(ctx)
			if err != nil {
				return err
			}
			defer leave()
		}
	}
	doc, err := d.open(as)
	if err != nil {
		return err
	}
	defer doc.Close()
	defer func() { d.format = doc.Format }() // some of it is known only at the end
	return into.Take(ctx, m.Records(ctx, doc, asked))
}

// smallDocument is how long a document is at most that needs no place: what it takes in memory is
// some ten times that.
const smallDocument = 1 << 20

// isLight reports whether a document takes little memory, whatever is in it: it is short, or a list
// whose records are taken one by one, unless they are needed all at once. Of a zip or a workbook
// nobody knows before it is unpacked.
func (d *document) isLight(needsAll bool, as gangway.DocumentFormat) (bool, error) {
	switch {
	case d.isShort():
		return true, nil
	case d.begins(zipMark):
		return false, nil
	}
	doc, err := d.open(as)
	if err != nil {
		return false, err
	}
	return doc.List() && !needsAll, doc.Close()
}

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

func (d *document) open(as gangway.DocumentFormat) (*decode.Document, error) {
	return decode.Open(decode.Input{ReaderAt: d.file, Size: d.size, Name: d.name, ContentType: d.contentType}, as,
		decode.Limits{Whole: d.whole})
}
