package api

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"gangway/internal/accept"
	"gangway/internal/accept/decode"
	"gangway/internal/accept/natural"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// A body is a document in another format than JSON in UTF-8.
type body struct {
	doc         []byte
	format      gangway.FormatKind
	contentType string
}

// takeDocument stores a document in another format than JSON in UTF-8, in the natural shape of our records.
//
// It is read twice: first to learn how much memory its records take, which no count of its bytes tells
// (a long name of a column comes again with every row), and then, once there is room for them, to store
// them. Neither keeps more of it than was admitted.
//
// Decided: docs/choices.md, "Uploads in other formats".
func (a *API) takeDocument(ctx context.Context, in store.Scoped, b body, flow gangway.Flow) (accept.Receipt, error) {
	var receipt accept.Receipt
	weight := int64(0)
	err := a.reading(ctx, b, 0, func(doc *decode.Document) (err error) {
		weight, err = natural.Weigh(doc, flow, a.mostWeight(), a.limits.Upload.Records)
		return err
	})
	if err != nil {
		return receipt, err
	}
	return receipt, a.reading(ctx, b, weight, func(doc *decode.Document) error {
		records, err := natural.New(flow, doc)
		if err != nil {
			return err
		}
		receipt, err = accept.AllOrNothing(ctx, in, flow, records, b.name(), a.limits.Upload, a.now())
		for _, d := range doc.Doubts() {
			if d.Encoding != "" {
				receipt.Warnings.Add("Content-Type", "%s Name the charset in the Content-Type.", d.Message)
			}
		}
		notedOf(ctx).warn(receipt)
		return a.tooMany(err)
	})
}

// takeMessage stores what a SOAP message uploads, and returns the operation that it asks for.
func (a *API) takeMessage(ctx context.Context, in store.Scoped, b body) (string, accept.Receipt, error) {
	name, flow := "", gangway.Flow("")
	err := a.reading(ctx, b, 0, func(doc *decode.Document) (err error) {
		name, flow, err = operationOf(doc)
		return err
	})
	if err != nil {
		return "", accept.Receipt{}, err
	}
	receipt, err := a.takeDocument(ctx, in, b, flow)
	return name, receipt, err
}

// reading opens a document for read, once there is room for reading it and for so much more.
func (a *API) reading(ctx context.Context, b body, more int64, read func(*decode.Document) error) error {
	if err := b.refusePacked(); err != nil {
		return err
	}
	done, err := a.admit(ctx, b.readingWeight()+more, b.size())
	if err != nil {
		return err
	}
	defer done()
	doc, err := a.open(b)
	if err != nil {
		return b.refusal(err)
	}
	defer doc.Close()
	return b.refusal(read(doc))
}

// mostUnpacked is how many times the largest body what is packed in a workbook may be: its cells take
// ten times as many letters as the same in a CSV.
const mostUnpacked = 4

func (a *API) open(b body) (*decode.Document, error) {
	as := gangway.DocumentFormat{Kind: b.format}
	if b.format == gangway.XLSXFormat {
		as.Sheet = natural.AllSheets
	}
	return decode.Open(decode.Input{ReaderAt: bytes.NewReader(b.doc), Size: int64(len(b.doc)),
		ContentType: b.contentType}, as, decode.Limits{Depth: a.limits.Upload.Depth, Whole: b.whole(),
		Unpacked: mostUnpacked * a.limits.Body})
}

// How much memory may be taken by a value that has to be whole (a record of XML, a list of YAML that is
// no list of lines, the texts of a workbook): so many times the body, within these bounds.
const (
	wholeTimes = 32
	leastWhole = 256 << 10
	mostWhole  = 64 << 20
)

func (b body) whole() int64 { return min(max(wholeTimes*int64(len(b.doc)), leastWhole), mostWhole) }

// readingWeight is how much memory reading the document takes, besides its records.
func (b body) readingWeight() int64 {
	const rows = 4 << 20 // the longest rows of a table, as text and as values
	if b.format == gangway.CSVFormat {
		return min(leastWhole+8*int64(len(b.doc)), rows)
	}
	return b.whole()
}

// size is how long the document is for those who wait for each other: what is packed takes longer.
func (b body) size() int {
	if b.format == gangway.XLSXFormat {
		return 8 * len(b.doc)
	}
	return len(b.doc)
}

// refusePacked refuses what is packed, other than a workbook: that is what Content-Encoding is for, which
// bounds what comes out.
func (b body) refusePacked() error {
	packed := bytes.HasPrefix(b.doc, []byte("\x1F\x8B")) ||
		b.format != gangway.XLSXFormat && bytes.HasPrefix(b.doc, []byte("PK\x03\x04"))
	if packed {
		return gangway.Errorf(gangway.Invalid, "the body cannot be read as %s: it is packed, and only "+
			"Content-Encoding: gzip is unpacked", b.name())
	}
	return nil
}

// name is what people call the format.
func (b body) name() string {
	if b.format == gangway.XLSXFormat {
		return "an Excel workbook (.xlsx)"
	}
	return strings.ToUpper(string(b.format))
}

// refusal says why a document cannot be read.
func (b body) refusal(err error) error {
	var alone *decode.RecordError
	switch {
	case errors.Is(err, decode.ErrNoArray):
		return gangway.Errorf(gangway.Invalid, "the body must be a list of records")
	case errors.Is(err, decode.ErrEmpty), errors.As(err, new(*decode.BrokenError)), errors.As(err, &alone):
		return gangway.Errorf(gangway.Invalid, "the body cannot be read as %s: %v", b.name(), err)
	}
	return err
}
