package decode

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"gangway"
)

var (
	errDamaged = errors.New("what is packed in it is damaged, or cut off")
	errNested  = errors.New("it is packed more often than twice")
	errPacking = errors.New("it is packed in a way that cannot be undone here: only deflate and none can")
)

// unpacked reads what comes out of a packed document, as far as it may be.
type unpacked struct {
	from io.Reader
	o    *opening
}

func (u unpacked) Read(p []byte) (int, error) {
	n, err := u.from.Read(p)
	if u.o.left -= int64(n); u.o.left < 0 {
		return 0, wrong("unpacked it is too long, or far too long for what it is packed in")
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

// openGzip opens what is packed with gzip.
func (o *opening) openGzip(p part, as gangway.DocumentFormat, found func(string)) (opened, error) {
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

// spool makes a part one that can be read from anywhere.
func (o *opening) spool(p part) (part, error) {
	if p.at != nil {
		return p, nil
	}
	file, err := os.CreateTemp("", "gangway-unpacked-")
	if err != nil {
		return p, fmt.Errorf("spool an unpacked document: %w", err)
	}
	o.closers = append(o.closers, spooled{file})
	if p.size, err = io.Copy(file, p.from); err != nil {
		return p, err
	}
	p.at = file
	return p, nil
}

// spooled is a file that is there only while it is read.
type spooled struct{ *os.File }

func (s spooled) Close() error { return errors.Join(s.File.Close(), os.Remove(s.Name())) }
