package transport

import (
	"errors"
	"io"

	"gangway/internal/gangway"
)

// AtMost reads r, and fails if there are more bytes than that; most 0 is MostBytes.
func AtMost(r io.Reader, most int64) io.Reader {
	if most <= 0 {
		most = MostBytes
	}
	return &limited{r: r, left: most, most: most}
}

// TooLong is the sentence about a document that is longer than that.
func TooLong(most int64) error {
	if most <= 0 {
		most = MostBytes
	}
	return gangway.Errorf(gangway.Invalid, "the document is longer than the %d MiB that are taken", most>>20)
}

type limited struct {
	r          io.Reader
	left, most int64
}

func (l *limited) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1] // one more shows that there is more
	}
	n, err := l.r.Read(p)
	if int64(n) > l.left {
		n = int(l.left)
		l.left = 0
		return n, TooLong(l.most)
	}
	l.left -= int64(n)
	return n, err
}

// Explained gives the errors of a reader as sentences, but for its end.
func Explained(r io.Reader, sentence func(error) error) io.Reader { return explained{r, sentence} }

type explained struct {
	io.Reader
	sentence func(error) error
}

func (e explained) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = e.sentence(err)
	}
	return n, err
}
