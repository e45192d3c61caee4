package watch

import (
	"context"
	"errors"
	"io"

	"gangway"
	"gangway/internal/transport"
)

// A content is a file's content. It is opened when it is first read, so that a file whose
// key is known costs nothing.
type content struct {
	ctx    context.Context
	folder Folder
	file   transport.File

	open io.ReadCloser
	got  int64
	err  error
}

var errClosed = errors.New("the file cannot be read any more")

// Read implements io.Reader.
func (c *content) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	if c.open == nil {
		if c.open, c.err = c.folder.Open(c.ctx, c.file.Name); c.err != nil {
			return 0, c.err
		}
	}
	n, err := c.open.Read(p)
	c.got += int64(n)
	switch {
	case c.got > c.file.Size, err == io.EOF && c.got != c.file.Size:
		// Somebody writes it now, or the server says something else each time.
		c.err = gangway.Errorf(gangway.Conflict, "the file %q has changed while it was read: it had %d bytes",
			c.file.Name, c.file.Size)
		return 0, c.err
	case err != nil:
		c.err = err
	}
	return n, err
}

// Close ends reading.
func (c *content) Close() {
	if c.open != nil {
		c.open.Close()
	}
	c.open, c.err = nil, errClosed
}
