package decode

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"gangway/internal/gangway"
)

// A part is a document, or one that was unpacked from it.
type part struct {
	from        *bufio.Reader
	at          io.ReaderAt // the same with random access; nil if it can only be read once
	size        int64       // of at
	name        string
	contentType string
	level       int // how many times it was packed
	endless     bool
}

// An opening holds what opening a document may still take, and what has to be closed afterwards.
type opening struct {
	limits  Limits
	left    int64 // bytes that may still be unpacked
	closers []io.Closer
}

// opened is a part whose format was recognised.
type opened struct {
	items
	list   bool
	format gangway.DocumentFormat
}

// An unpacked document may be mostPacked times as long as the packed one, plus unpackedAnyway. Real
// records do not compress better.
const (
	mostPacked      = 200
	unpackedAnyway  = 64 << 20
	mostPackedTwice = 2 // a zip in a zip, and no further
)

// Open recognises the format of a document, as far as as leaves it open, and opens it. The caller closes
// the document.
func Open(in Input, as gangway.DocumentFormat, limits Limits) (*Document, error) {
	limits = limits.orUsual()
	o := &opening{limits: limits, left: min(limits.Unpacked, unpackedAnyway+mostPacked*in.Size)}
	d := &Document{}
	p := part{from: bufio.NewReaderSize(io.NewSectionReader(in, 0, in.Size), readAtOnce), at: in, size: in.Size,
		name: in.Name, contentType: in.ContentType, endless: in.Endless}
	encoding := ""
	doc, err := o.open(p, as, func(name string, doubt *Doubt) {
		if encoding, d.Format.Encoding = name, name; doubt != nil {
			d.guesses = append(d.guesses, *doubt)
		}
	})
	d.items, d.list, d.Format, d.closers = doc.items, doc.list, doc.format, o.closers
	d.Format.Encoding = cmp.Or(encoding, d.Format.Encoding)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// wrong is an error about the whole document.
func wrong(format string, args ...any) error { return &BrokenError{Why: fmt.Errorf(format, args...)} }

// foreign are the first bytes of documents that people send by mistake.
var foreign = []struct{ begin, what string }{
	{"\xD0\xCF\x11\xE0", "an old Excel or Word file, or one with a password: save it as .xlsx without a password"},
	{"%PDF", "a PDF"}, {"{\\rtf", "an RTF text"}, {"SQLite format 3", "an SQLite database"},
	{"\x89PNG", "a picture"}, {"\xFF\xD8\xFF", "a picture"}, {"GIF8", "a picture"},
	{"Rar!", "a RAR archive"}, {"7z\xBC\xAF", "a 7z archive"}, {"BZh", "packed with bzip2"},
	{"\xFD7zXZ", "packed with xz"}, {"\x28\xB5\x2F\xFD", "packed with zstd"},
}

// open opens a part. found is called once a guessed encoding is known.
func (o *opening) open(p part, as gangway.DocumentFormat, found foundCharset) (opened, error) {
	head, err := p.from.Peek(readAtOnce)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return opened{}, err
	case bytes.HasPrefix(head, []byte("\x1F\x8B")):
		return o.openGzip(p, as, found)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return o.openZip(p, as, found)
	case as.Kind == gangway.XLSXFormat:
		return opened{}, wrong("it is not an Excel workbook (.xlsx)")
	}
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f.begin)) {
			return opened{}, wrong("it is %s", f.what)
		}
	}
	return o.openText(p, head, as, found)
}

// openText opens a part that is a text.
func (o *opening) openText(p part, head []byte, as gangway.DocumentFormat, found foundCharset) (opened, error) {
	letters, err := findCharset(head, as.Encoding, p.contentType)
	if err != nil {
		return opened{}, err
	}
	head = letters.head(head)
	switch {
	case len(bytes.TrimSpace(head)) == 0:
		return opened{}, ErrEmpty
	case bytes.IndexByte(head, 0) >= 0:
		return opened{}, wrong("it is neither text nor any other format that can be read")
	case isHTML(head):
		return opened{}, wrong("it is a web page (HTML), perhaps a sign-in page, and not data")
	}
	if as.Kind == "" || as.Kind == gangway.AutoFormat {
		if as.Kind = findText(head, hint(p.name, p.contentType)); as.Kind == "" {
			return opened{}, wrong("it has no format that is known here; the feed may name one")
		}
	}
	if as.Encoding = letters.name; letters.guessed {
		as.Encoding = "utf-8"
	}
	doc := opened{format: as, list: true}
	text := letters.text(p.from, found)
	switch as.Kind {
	case gangway.JSONFormat:
		doc.items, doc.list, err = openJSON(text, head, p.contentType, o.limits)
	case gangway.CSVFormat:
		doc.items, err = openCSV(text, head, &doc.format)
	case gangway.YAMLFormat:
		doc.items, doc.list, err = openYAML(text, head, o.limits)
	case gangway.FixedFormat:
		doc.items, err = openFixed(text, head, as)
	case gangway.PairsFormat:
		doc.items = openPairs(text, head)
	case gangway.XMLFormat:
		doc.items, err = openXML(text, o.limits)
		doc.list = false
	case gangway.SOAPFormat:
		doc.items, err = openSOAP(text, o.limits)
		doc.list = false
	default:
		err = wrong("its format %q is unknown", as.Kind)
	}
	values, _ := doc.items.(*jsonValues)
	ofLines := slices.Contains(linesOnly, as.Kind) || doc.list && values != nil && values.from.bare
	if err == nil && p.endless && ofLines {
		end := make([]byte, 4) // of the last line, in any encoding
		n, _ := p.at.ReadAt(end, max(0, p.size-int64(len(end))))
		if !bytes.ContainsAny(end[:n], "\r\n") {
			err = wrong("%w: it came without a length, and its last line has no end", errCut)
		}
	}
	return doc, err
}

// errCut says that the rest of a document seems to be missing.
var errCut = errors.New("it seems to be cut off")

// linesOnly are the formats that have no end but that of their last line.
var linesOnly = []gangway.FormatKind{gangway.CSVFormat, gangway.FixedFormat, gangway.PairsFormat, gangway.YAMLFormat}

// isHTML reports whether a text is a web page.
func isHTML(head []byte) bool {
	begin := bytes.ToLower(bytes.TrimSpace(head)[:min(len(bytes.TrimSpace(head)), 20)])
	return bytes.HasPrefix(begin, []byte("<!doctype html")) || bytes.HasPrefix(begin, []byte("<html"))
}
