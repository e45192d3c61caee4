package ftp

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/textproto"
	"path"
	"sync"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/limit"
	"gangway/internal/transport/watch"

	"github.com/jlaffaye/ftp"
)

const (
	listing      = 2 * time.Minute // how long a list of files may take
	listingBytes = 32 << 20        // 100,000 lines of 300 characters

	// vague is how far a time may be off that a server lists in the way of ls: to the
	// minute, or the day, in a time zone of its own.
	vague = 26 * time.Hour
)

// A folder is a watch.Folder and a drop.Folder at a server.
type folder struct {
	server *server
	ctx    context.Context // of the command that is under way
	ftp    *ftp.ServerConn
	tls    *tls.Config // of this connection; nil: none

	mu            sync.Mutex
	control, data *limit.Conn
	bytes, lines  int64 // that may come over the next data connection
	broken        bool
}

// do sends a command, after connecting anew if the last one broke the connection.
func (f *folder) do(ctx context.Context, long time.Duration, bytes, lines int64, what func() error) error {
	f.mu.Lock()
	broken := f.broken
	f.broken = false
	f.bytes, f.lines = bytes, lines
	f.mu.Unlock()
	if broken {
		if err := f.connect(ctx); err != nil {
			f.cut()
			return err
		}
	}
	f.ctx = ctx
	f.allow()
	return limit.Do(ctx, long, f.cut, what)
}

// List implements watch.Folder.
func (f *folder) List(ctx context.Context) (files []watch.File, err error) {
	err = f.do(ctx, listing, listingBytes, watch.MostFiles+1000, func() error {
		entries, err := f.ftp.List("")
		for _, e := range entries {
			files = append(files, f.file(e))
		}
		return err
	})
	if errors.Is(err, limit.ErrTooMuch) {
		f.cut()
		return nil, watch.ErrTooManyFiles
	}
	return files, f.server.say(err)
}

func (f *folder) file(e *ftp.Entry) watch.File {
	file := watch.File{File: transport.File{Name: e.Name, Size: int64(min(e.Size, math.MaxInt64)), Time: e.Time},
		NotPlain: e.Type != ftp.EntryTypeFile}
	if !f.ftp.IsTimePreciseInList() {
		file.Within = vague
	}
	return file
}

// Open implements watch.Folder.
func (f *folder) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	var res *ftp.Response
	err := f.do(ctx, limit.Patience, math.MaxInt64, math.MaxInt64, func() (err error) {
		res, err = f.ftp.Retr(name)
		return err
	})
	var refused *textproto.Error
	switch {
	case errors.As(err, &refused) && refused.Code == ftp.StatusFileUnavailable,
		errors.Is(err, ftp.ErrInvalidCommand):
		return nil, gangway.Errorf(gangway.Denied, "the file %q cannot be read: %s", name, f.server.say(err))
	case err != nil:
		return nil, fmt.Errorf("the file %q cannot be read: %w", name, f.server.say(err))
	}
	return &content{limit.NewBody(ctx, res, f.cut, math.MaxInt64-1, limit.ErrTooMuch), res, f, false}, nil
}

// A content is a file that is read.
type content struct {
	*limit.Body
	res    *ftp.Response
	folder *folder
	ended  bool
}

// Read implements io.Reader. The end of the data is the end of the file only if the server
// confirms it: a connection that broke ends in the same way.
func (c *content) Read(p []byte) (int, error) {
	n, err := c.Body.Read(p)
	if err == nil {
		return n, nil
	}
	if (err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF)) && !c.ended {
		c.ended = true
		err = limit.Do(c.folder.ctx, limit.Patience, c.folder.cut, c.res.Close)
		if err == nil {
			return n, io.EOF
		}
	}
	c.folder.cut()
	return n, c.folder.server.say(err)
}

// Close implements io.Closer. Whoever stops in the middle cannot know how many answers are
// still to come, and connects anew.
func (c *content) Close() error {
	if !c.ended {
		c.ended = true
		c.folder.cut()
	}
	return nil
}

// Stat implements watch.Folder.
func (f *folder) Stat(ctx context.Context, name string) (found watch.File, err error) {
	err = f.do(ctx, limit.Patience, 0, 0, func() error {
		if f.ftp.IsTimePreciseInList() {
			entry, err := f.ftp.GetEntry(name)
			if err == nil {
				found = f.file(entry)
				found.Name = path.Base(name)
			}
			return err
		}
		size, err := f.ftp.FileSize(name)
		if err != nil || !f.ftp.IsGetTimeSupported() {
			found.File = transport.File{Name: path.Base(name), Size: size}
			return err
		}
		f.allow()
		at, err := f.ftp.GetTime(name)
		found.File = transport.File{Name: path.Base(name), Size: size, Time: at, Within: vague}
		return err
	})
	if refused, is := errors.AsType[*textproto.Error](err); is && refused.Code == ftp.StatusFileUnavailable {
		return watch.File{}, fs.ErrNotExist
	}
	return found, f.server.say(err)
}

// Rename implements watch.Folder.
func (f *folder) Rename(ctx context.Context, from, to string) error {
	return f.server.say(f.do(ctx, limit.Patience, 0, 0, func() error { return f.ftp.Rename(from, to) }))
}

// MakeFolder implements watch.Folder. Many servers cannot be asked whether a folder is
// there: if it cannot be made, going there shows it.
func (f *folder) MakeFolder(ctx context.Context, name string) error {
	return f.server.say(f.do(ctx, limit.Patience, 0, 0, func() error {
		refused := f.ftp.MakeDir(name)
		if refused == nil {
			return nil
		}
		f.allow()
		if f.ftp.ChangeDir(name) != nil {
			return refused
		}
		f.allow()
		return f.ftp.ChangeDirToParent()
	}))
}

// Replace implements drop.Folder: at once where the server can, and otherwise by removing what has
// the name first.
func (f *folder) Replace(ctx context.Context, from, to string) error {
	return f.server.say(f.do(ctx, limit.Patience, 0, 0, func() error {
		err := f.ftp.Rename(from, to)
		if refused := (*textproto.Error)(nil); !errors.As(err, &refused) {
			return err
		}
		f.allow()
		_ = f.ftp.Delete(to) // it need not be there
		f.allow()
		return f.ftp.Rename(from, to)
	}))
}

// Remove implements drop.Folder.
func (f *folder) Remove(ctx context.Context, name string) error {
	return f.server.say(f.do(ctx, limit.Patience, 0, 0, func() error { return f.ftp.Delete(name) }))
}

// Write implements watch.Folder and drop.Folder.
func (f *folder) Write(ctx context.Context, name string, content []byte) error {
	return f.server.say(f.do(ctx, limit.Patience, reply, reply, func() error {
		return f.ftp.Stor(name, bytes.NewReader(content))
	}))
}

// Close implements watch.Folder. Whoever is cut off is not told.
func (f *folder) Close() error {
	f.cut()
	return nil
}
