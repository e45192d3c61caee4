package poll

import (
	"context"

	"gangway"
	"gangway/internal/accept"
	"gangway/internal/accept/decode"
	"gangway/internal/accept/mapping"
)

// takeIn decodes a document, maps it and has it taken in, which waits for a place if it takes much memory.
func (d *document) takeIn(ctx context.Context, into accept.Run, m *mapping.Mapping, as gangway.DocumentFormat,
	asked gangway.Ask, place func(context.Context) (leave func(), err error)) error {
	light, err := d.isLight(m, as)
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

// isLight reports whether a document takes little memory, whatever is in it: it is an answer to
// somebody who waits, or short, or a list whose records are taken one by one. Of a zip or a workbook
// nobody knows before it is unpacked.
func (d *document) isLight(m *mapping.Mapping, as gangway.DocumentFormat) (bool, error) {
	var begin [2]byte
	d.file.ReadAt(begin[:], 0)
	switch {
	case d.whole > 0:
		return true, nil
	case string(begin[:]) == "PK":
		return false, nil
	case d.size <= smallDocument && string(begin[:]) != "\x1F\x8B":
		return true, nil
	}
	doc, err := d.open(as)
	if err != nil {
		return false, err
	}
	return doc.List() && !m.NeedsAll(), doc.Close()
}

func (d *document) open(as gangway.DocumentFormat) (*decode.Document, error) {
	return decode.Open(decode.Input{ReaderAt: d.file, Size: d.size, Name: d.name, ContentType: d.contentType}, as,
		decode.Limits{Whole: d.whole})
}
