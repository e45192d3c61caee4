package watch

import (
	"context"
	"errors"
	"io"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport"
)

// A content is a file's content. It is opened when it is first read, so that a file which
// nobody reads costs nothing.
type content struct {
	ctx    context.Context
	folder Folder
	file   transport.File
	still  time.Time // nobody still writes what was last written before

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
		c.err = c.misstated()
		return 0, c.err
	case err != nil:
		c.err = err
	}
	return n, err
}

// unchanged is after how long without a change nobody writes a file any more: its size is wrong.
const unchanged = time.Hour

// misstated refuses a file with more or less in it than the server's list says. It is Conflict
// if somebody has written it since, or may be writing it now, so that the next run reads it;
// and Invalid if that cannot be, because the next run would not read it either.
func (c *content) misstated() error {
	c.open.Close()
	changed := gangway.Errorf(gangway.Conflict, "the file %q has changed while it was read: it had %d bytes",
		c.file.Name, c.file.Size)
	if c.file.Time.Add(c.file.Within).After(c.still) {
		return changed
	}
	now, err := c.folder.Stat(c.ctx, c.file.Name)
	if err != nil || !now.Time.IsZero() && now.Time.Sub(c.file.Time).Abs() > now.Within ||
		now.Time.IsZero() && now.Size != c.file.Size {
		return changed
	}
	return gangway.Errorf(gangway.Invalid, "the server's list says that the file %q has %d bytes, which is not what "+
		"it sends, though nobody has written to it for an hour: leave it there again", c.file.Name, c.file.Size)
}

// Close ends reading.
func (c *content) Close() {
	if c.open != nil {
		c.open.Close()
	}
	c.open, c.err = nil, errClosed
}
