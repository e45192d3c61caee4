package decode

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/scratch"
)

var (
	errDamaged = errors.New("what is packed in it is damaged or incomplete")
	errNested  = errors.New("it is packed more than twice")
	errPacking = errors.New("it is compressed in an unusual way: only deflate can be read")
)

// unpacked reads a packed document up to the limit of its opening.
type unpacked struct {
	from io.Reader
	o    *opening
}

func (u unpacked) Read(p []byte) (int, error) {
	n, err := u.from.Read(p)
	if u.o.left -= int64(n); u.o.left < 0 {
		return 0, wrong("it is too long when unpacked")
	}
	var corrupt flate.CorruptInputError
	switch {
	case errors.As(err, &corrupt), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, gzip.ErrHeader),
		errors.Is(err, gzip.ErrChecksum), errors.Is(err, zip.ErrFormat), errors.Is(err, zip.ErrChecksum):
		err = &BrokenError{Why: errDamaged}
	case errors.Is(err, zip.ErrAlgorithm):
		err = &BrokenError{Why: errPacking}
	}
	return n, err
}

// openGzip opens a document that is packed with gzip.
func (o *opening) openGzip(p part, as gangway.DocumentFormat, found foundCharset) (opened, error) {
	if p.level == mostPackedTwice {
		return opened{}, &BrokenError{Why: errNested}
	}
	from, err := gzip.NewReader(p.from)
	if err != nil {
		return opened{}, &BrokenError{Why: errDamaged}
	}
	name := strings.TrimSuffix(strings.TrimSuffix(p.name, ".gz"), ".GZ")
	return o.open(part{from: bufio.NewReaderSize(unpacked{from, o}, readAtOnce), name: name, contentType: p.contentType,
		level: p.level + 1}, as, found)
}

// spool gives a part random access.
func (o *opening) spool(p part) (part, error) {
	if p.at != nil {
		return p, nil
	}
	file, err := scratch.Put(p.from)
	if err != nil {
		return p, err
	}
	o.closers = append(o.closers, file)
	p.at, p.size = file, file.Size()
	return p, nil
}
