package decode

import (
	"archive/zip"
	"bufio"
	"errors"
	"io"
	"path"
	"strings"

	"gangway/internal/gangway"

	"golang.org/x/text/encoding/charmap"
)

// How many entries a zip may have, and how long its directory may be.
const (
	mostEntries   = 1000
	mostDirectory = 4 << 20
)

// A directoryReader limits how much of an archive is read as its directory, which is held in memory.
type directoryReader struct {
	io.ReaderAt
	left int64 // bytes; negative for no limit
}

var errLongDirectory = errors.New("it has too many entries")

func (d *directoryReader) ReadAt(p []byte, at int64) (int, error) {
	if d.left >= 0 {
		if d.left -= int64(len(p)); d.left < 0 {
			return 0, errLongDirectory
		}
	}
	return d.ReaderAt.ReadAt(p, at)
}

// openArchive reads the directory of a zip.
func openArchive(p part) (*zip.Reader, error) {
	from := &directoryReader{p.at, mostDirectory}
	archive, err := zip.NewReader(from, p.size)
	from.left = -1
	switch {
	case errors.Is(err, errLongDirectory):
		return nil, &BrokenError{Why: errLongDirectory}
	case errors.Is(err, zip.ErrFormat), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return nil, &BrokenError{Why: errDamaged}
	}
	return archive, err
}

// others are other kinds of files that are archives, by an entry that they have.
var others = map[string]string{
	"xl/workbook.bin":   "a binary Excel workbook (.xlsb): save it as .xlsx",
	"word/document.xml": "a Word document", "ppt/presentation.xml": "a PowerPoint presentation",
	"content.xml": "an OpenDocument file: save it as .xlsx or .csv",
}

// openZip opens a workbook, or what is in a zip: its only document, or an object of several by name.
func (o *opening) openZip(p part, as gangway.DocumentFormat, found foundCharset) (opened, error) {
	p, err := o.spool(p)
	if err != nil {
		return opened{}, err
	}
	archive, err := openArchive(p)
	if err != nil {
		return opened{}, err
	}
	var entries []*zip.File
	for _, f := range archive.File {
		name := strings.ToLower(f.Name)
		if name == workbookEntry {
			return o.openWorkbook(archive, as)
		}
		if what := others[name]; what != "" {
			return opened{}, wrong("it is %s", what)
		}
		if !isBeside(name) {
			entries = append(entries, f)
		}
	}
	switch {
	case p.level == mostPackedTwice:
		return opened{}, &BrokenError{Why: errNested}
	case len(entries) > mostEntries:
		return opened{}, wrong("it has %d entries, and may have %d", len(entries), mostEntries)
	case len(entries) == 0:
		return opened{}, ErrEmpty
	case len(entries) == 1:
		doc, _, err := o.openEntry(entries[0], p.level, as, found)
		return doc, err
	}
	return o.openEntries(entries, p.level, as, found)
}

// isBeside reports whether an entry is a folder or a file that macOS adds.
func isBeside(name string) bool {
	return strings.HasSuffix(name, "/") || strings.HasPrefix(name, "__macosx/") ||
		strings.HasPrefix(path.Base(name), ".")
}

// openEntry opens an entry and returns its name.
func (o *opening) openEntry(f *zip.File, level int, as gangway.DocumentFormat,
	found foundCharset) (opened, string, error) {
	name := f.Name
	if f.NonUTF8 {
		if decoded, err := charmap.CodePage437.NewDecoder().String(name); err == nil {
			name = decoded
		}
	}
	from, err := o.unpack(f)
	if err != nil {
		return opened{}, name, err
	}
	p := part{from: bufio.NewReaderSize(from, readAtOnce), name: path.Base(name), level: level + 1}
	doc, err := o.open(p, as, func(encoding string, doubt *Doubt) {
		if doubt != nil {
			doubt.At.In = name
		}
		found(encoding, doubt)
	})
	return doc, name, err
}

// unpack reads an entry.
func (o *opening) unpack(f *zip.File) (io.Reader, error) {
	if f.Flags&1 != 0 {
		return nil, wrong("it has a password")
	}
	from, err := f.Open()
	switch {
	case errors.Is(err, zip.ErrAlgorithm):
		return nil, &BrokenError{Why: errPacking}
	case errors.Is(err, zip.ErrFormat), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, &BrokenError{Why: errDamaged}
	case err != nil:
		return nil, err
	}
	o.closers = append(o.closers, from)
	return unpacked{from, o}, nil
}

// openEntries reads several documents as one value. An error in one is an error in all, since nobody
// would learn that a record was left out.
func (o *opening) openEntries(entries []*zip.File, level int, as gangway.DocumentFormat,
	found foundCharset) (opened, error) {
	all, budget := map[string]any{}, newBudget(o.limits)
	for _, f := range entries {
		doc, name, err := o.openEntry(f, level, as, func(_ string, d *Doubt) { found("", d) }) // each has its own
		if errors.Is(err, ErrEmpty) {
			doc, err = opened{items: &one{read: true}, list: true}, nil
		}
		if err == nil {
			if _, twice := all[name]; twice {
				err = wrong("two entries have the same name")
			}
		}
		if err == nil {
			all[name], err = whole(doc, budget)
		}
		if err != nil {
			return opened{}, within(name, err)
		}
	}
	return opened{items: &one{item: Item{Value: all}}, format: as}, nil
}

// within adds the name of the entry to an error.
func within(name string, err error) error {
	var broken *BrokenError
	switch {
	case errors.As(err, &broken) && broken.At.In == "":
		at := broken.At
		at.In = name
		return &BrokenError{broken.Why, at}
	case errors.Is(err, ErrEmpty):
		return &BrokenError{err, Place{In: name}}
	}
	return err
}

// whole reads all items of a document as one value.
func whole(doc opened, b *budget) (any, error) {
	list := []any{}
	for {
		item, err := doc.items.next()
		var alone *RecordError
		switch {
		case errors.Is(err, io.EOF):
			return list, nil
		case errors.As(err, &alone):
			return nil, &BrokenError{alone, item.At}
		case err != nil:
			return nil, err
		}
		if err := b.spend(elementCost + weigh(item.Value)); errors.As(err, &alone) {
			return nil, &BrokenError{err, item.At}
		} else if err != nil {
			return nil, err
		}
		if !doc.list {
			return item.Value, nil
		}
		list = append(list, item.Value)
	}
}

// weigh estimates how many bytes of memory a value takes.
func weigh(value any) int {
	n := 0
	switch value := value.(type) {
	case string:
		n = len(value)
	case []any:
		for _, v := range value {
			n += elementCost + weigh(v)
		}
	case map[string]any:
		n = objectCost
		for _, v := range value {
			n += memberCost + weigh(v)
		}
	}
	return n
}
