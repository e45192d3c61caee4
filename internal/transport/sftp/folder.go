package sftp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync/atomic"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/limit"
	"gangway/internal/transport/watch"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
)

// listing is how long a list of files may take.
const listing = 2 * time.Minute

// most is the size beyond which no file is read to its end, whatever the caller allows.
const most = 1 << 40

// ahead is how much of a file is asked for at once: a server far away answers each request
// late, but many together.
const ahead = 1 << 20

// A folder is a watch.Folder and a drop.Folder at a server.
type folder struct {
	server *server
	cut    func()
	ssh    *ssh.Client
	sftp   *sftp.Client
	names  *counter
}

func (f *folder) do(ctx context.Context, what func() error) error {
	return f.server.say(limit.Do(ctx, limit.Patience, f.cut, what))
}

// at returns a file's path at the server.
func (f *folder) at(name string) string { return path.Join(f.server.Path, name) }

// List implements watch.Folder.
func (f *folder) List(ctx context.Context) (files []watch.File, err error) {
	f.names.allow(watch.MostFiles + 1000) // which other things a folder may have besides
	err = limit.Do(ctx, listing, f.cut, func() error {
		infos, err := f.sftp.ReadDirContext(ctx, path.Clean(f.server.Path))
		for _, info := range infos {
			files = append(files, file(info))
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, f.server.noFolder()
	}
	if f.names.over() {
		return nil, watch.ErrTooManyFiles
	}
	return files, f.server.say(err)
}

func file(info os.FileInfo) watch.File {
	return watch.File{File: transport.File{Name: info.Name(), Size: info.Size(), Time: info.ModTime()},
		NotPlain: !info.Mode().IsRegular()}
}

// Open implements watch.Folder.
func (f *folder) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	var opened *sftp.File
	err := f.do(ctx, func() (err error) {
		opened, err = f.sftp.Open(f.at(name))
		return err
	})
	switch {
	case errors.Is(err, errDenied):
		return nil, gangway.Errorf(gangway.Denied, "the file %q cannot be read: %s", name, err)
	case errors.Is(err, errMissing):
		return nil, gangway.Errorf(gangway.Conflict, "the file %q is gone", name)
	case err != nil:
		return nil, fmt.Errorf("the file %q cannot be read: %w", name, err)
	}
	read := limit.NewBody(ctx, bufio.NewReaderSize(opened, ahead), f.cut, most, limit.ErrTooMuch)
	return &content{transport.Explained(read, f.server.say), opened, f}, nil
}

// A content is a file that is read.
type content struct {
	io.Reader
	file   *sftp.File
	folder *folder
}

// Close implements io.Closer.
func (c *content) Close() error {
	return c.folder.do(context.Background(), c.file.Close)
}

// Stat implements watch.Folder.
func (f *folder) Stat(ctx context.Context, name string) (found watch.File, err error) {
	err = limit.Do(ctx, limit.Patience, f.cut, func() error {
		info, err := f.sftp.Lstat(f.at(name))
		if err == nil {
			found = file(info)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return watch.File{}, fs.ErrNotExist
	}
	return found, f.server.say(err)
}

// Rename implements watch.Folder. It is the plain one of the protocol, which every server
// has, and which replaces nothing.
func (f *folder) Rename(ctx context.Context, from, to string) error {
	return f.do(ctx, func() error { return f.sftp.Rename(f.at(from), f.at(to)) })
}

// MakeFolder implements watch.Folder.
func (f *folder) MakeFolder(ctx context.Context, name string) error {
	return f.do(ctx, func() error { return f.sftp.Mkdir(f.at(name)) })
}

// Replace implements drop.Folder: at once where the server can, and otherwise by removing what has
// the name first.
func (f *folder) Replace(ctx context.Context, from, to string) error {
	return f.do(ctx, func() error {
		if _, can := f.sftp.HasExtension("posix-rename@openssh.com"); can {
			return f.sftp.PosixRename(f.at(from), f.at(to))
		}
		if f.sftp.Rename(f.at(from), f.at(to)) == nil {
			return nil
		}
		_ = f.sftp.Remove(f.at(to)) // it need not be there
		return f.sftp.Rename(f.at(from), f.at(to))
	})
}

// Remove implements drop.Folder.
func (f *folder) Remove(ctx context.Context, name string) error {
	return f.do(ctx, func() error { return f.sftp.Remove(f.at(name)) })
}

// Write implements watch.Folder and drop.Folder.
func (f *folder) Write(ctx context.Context, name string, content []byte) error {
	err := f.do(ctx, func() error {
		// Not for reading, too, which some servers refuse.
		w, err := f.sftp.OpenFile(f.at(name), os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
		if err != nil {
			return err
		}
		_, err = w.ReadFrom(bytes.NewReader(content))
		if _, can := f.sftp.HasExtension("fsync@openssh.com"); can && err == nil {
			err = w.Sync()
		}
		return cmp.Or(err, w.Close())
	})
	if errors.Is(err, errMissing) {
		return f.server.noFolder()
	}
	return err
}

// Close implements watch.Folder. Whoever is cut off is not told.
func (f *folder) Close() error {
	f.cut()
	return nil
}

var (
	errMissing = errors.New("there is no such file or folder at the server")
	errDenied  = errors.New("the server denies it to the user")
)

func (s *server) noFolder() error {
	return fmt.Errorf("there is no folder %q at the server", limit.Words(s.Path))
}

// say makes a sentence of what went wrong, without secrets.
func (s *server) say(err error) error {
	var key *hostKeyError
	var status *sftp.StatusError
	switch {
	case err == nil, errors.Is(err, errNoSFTP):
		return err
	case errors.As(err, &key):
		return key
	case errors.Is(err, fs.ErrNotExist):
		return errMissing
	case errors.Is(err, fs.ErrPermission):
		return errDenied
	case errors.As(err, &status):
		return errors.New("the server refused it: " + limit.Words(statusText(status), s.secrets()...))
	case strings.Contains(err.Error(), "attempted methods [none],"):
		return fmt.Errorf("the server does not let the user %q in by what is given: ask whether it wants a password "+
			"or a private_key", s.User)
	case strings.Contains(err.Error(), "unable to authenticate"):
		return fmt.Errorf("the server does not let the user %q in: user, password or private_key is wrong", s.User)
	case strings.Contains(err.Error(), "no common algorithm"):
		return errors.New("the server offers no key or cipher that is still safe, or has no key like host_key")
	case strings.Contains(err.Error(), "handshake failed: EOF"), strings.Contains(err.Error(), "version string"):
		return errors.New("the server closed the connection before it spoke SSH: this may be no port of SFTP, or the " +
			"server does not let our address in")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, sftp.ErrSSHFxConnectionLost):
		return errors.New("the server closed the connection")
	}
	return limit.Unreachable(err, s.secrets()...)
}

func statusText(e *sftp.StatusError) string {
	return strings.TrimPrefix(e.Error(), "sftp: ")
}

func (s *server) secrets() []string { return []string{s.Password, s.Passphrase, s.PrivateKey} }

// A counter counts the names in what a server sends by SFTP, and ends a list without end:
// the client collects a list in memory until the server says that it is complete.
//
// Source: draft-ietf-secsh-filexfer-02, sections 3 and 7: a packet is its length, a type
// and a request's number; in a packet of names their count follows.
type counter struct {
	from io.Reader
	head [13]byte
	have int          // of head
	rest uint32       // of the packet, after what was read of it
	left atomic.Int64 // names that may still come
}

const packetOfNames = 104

func (c *counter) allow(names int64) { c.left.Store(names) }

func (c *counter) over() bool { return c.left.Load() < 0 }

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	for b := p[:n]; len(b) > 0; {
		if c.have >= 4 && c.rest == 0 {
			c.have = 0
		}
		if c.have < len(c.head) && (c.have < 4 || c.rest > 0) {
			c.head[c.have] = b[0]
			c.have++
			b = b[1:]
			switch {
			case c.have == 4:
				c.rest = binary.BigEndian.Uint32(c.head[:4])
			case c.have > 4:
				c.rest--
			}
			if c.have == len(c.head) && c.head[4] == packetOfNames {
				if c.left.Add(-int64(binary.BigEndian.Uint32(c.head[9:]))) < 0 {
					return 0, watch.ErrTooManyFiles
				}
			}
			continue
		}
		skip := min(int64(c.rest), int64(len(b)))
		c.rest -= uint32(skip)
		b = b[skip:]
	}
	return n, err
}
