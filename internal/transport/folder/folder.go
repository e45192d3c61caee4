// Package folder reads files in a folder of the machine that the program runs on, where
// something else leaves them, and leaves others there: a mounted disk, or an SFTP server of the
// operator's own.
//
// It does not leave the folder: links are not files, and one that is put in the place of
// done/ or failed/ leads nowhere outside. When a file is read, and where it goes
// afterwards, is up to package watch.
package folder

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/drop"
	"gangway/internal/transport/watch"
)

// Kind is a folder of this machine for feeds.
var Kind = transport.Kind{
	Name:     "folder",
	About:    "files in a folder of the machine that this program runs on; only its operator can set it up, by command",
	Settings: watched,
	Example:  `{"path": "/srv/crew", "pattern": "crew-*.csv"}`,
	Open:     open,
	Local:    func(json.RawMessage) bool { return true },
}

// Outlet is a folder of this machine for outlets.
var Outlet = transport.Kind{
	Name: "folder",
	About: "files written to a folder of the machine that this program runs on; only its operator can set it up, by " +
		"command",
	Settings: written,
	Example:  `{"path": "/srv/bookings"}`,
	Send:     send,
	Reach:    reach,
	Local:    func(json.RawMessage) bool { return true },
}

var watched = []transport.Setting{
	{Name: "path", Type: transport.Text, Required: true, Example: `"/srv/crew"`,
		About: "the folder, from the root on; what was read is moved to done or failed in it"},
	{Name: "pattern", Type: transport.Text, About: "only files with such names; left out: all", Example: `"*.csv"`},
}

var written = []transport.Setting{
	{Name: "path", Type: transport.Text, Required: true, Example: `"/srv/bookings"`,
		About: "the folder, from the root on, which must be there"},
}

type settings struct{ Path, Pattern string }

func open(doc json.RawMessage, _ transport.Options) (transport.Puller, error) {
	s, err := read(watched, doc)
	if err != nil {
		return nil, err
	}
	return watch.Open(s.Pattern, s.open)
}

func send(doc json.RawMessage, _ transport.Options) (transport.Sender, error) {
	s, err := read(written, doc)
	if err != nil {
		return nil, err
	}
	return drop.New(drop.OfMachine, s.open), nil
}

// reach implements transport.Kind.Reach. The folder may be there later, or only where the program serves.
func reach(ctx context.Context, doc json.RawMessage, _ transport.Options, _ time.Time) (warnings []string, err error) {
	s, err := read(written, doc)
	if err != nil {
		return nil, err
	}
	root, err := s.open(ctx)
	if err != nil {
		return []string{err.Error() + ": until it can, each file is tried for three days"}, nil
	}
	return nil, root.Close()
}

func read(table []transport.Setting, doc json.RawMessage) (s settings, err error) {
	if err := (transport.Kind{Settings: table}).Read(doc, &s); err != nil {
		return s, err
	}
	if !filepath.IsAbs(s.Path) {
		return s, gangway.Errorf(gangway.Invalid, "path must begin at the root, as in /srv/crew")
	}
	return s, nil
}

func (s settings) open(context.Context) (*folder, error) {
	root, err := os.OpenRoot(s.Path)
	if err != nil {
		return nil, sentence("the folder", s.Path, err)
	}
	return &folder{root}, nil
}

// A folder is a watch.Folder and a drop.Folder. Its names cannot lead out of the root.
type folder struct{ root *os.Root }

// List implements watch.Folder.
func (f *folder) List(ctx context.Context) (list []watch.File, err error) {
	dir, err := f.root.Open(".")
	if err != nil {
		return nil, sentence("the folder", f.root.Name(), err)
	}
	defer dir.Close()
	const portion = 1000
	for {
		entries, err := dir.ReadDir(portion)
		for _, entry := range entries {
			file, err := f.Stat(ctx, entry.Name())
			if errors.Is(err, fs.ErrNotExist) {
				continue // it went away meanwhile
			}
			if err != nil {
				return nil, err
			}
			list = append(list, file)
		}
		switch {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, sentence("the folder", f.root.Name(), err)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case len(list) > watch.MostFiles:
			return nil, watch.ErrTooManyFiles
		}
	}
}

// Stat implements watch.Folder: it does not follow links.
func (f *folder) Stat(_ context.Context, name string) (watch.File, error) {
	info, err := f.root.Lstat(name)
	if err != nil {
		return watch.File{}, sentence("the file", name, err)
	}
	return watch.File{File: transport.File{Name: info.Name(), Size: info.Size(), Time: info.ModTime()},
		NotPlain: !info.Mode().IsRegular()}, nil
}

// Open implements watch.Folder.
func (f *folder) Open(_ context.Context, name string) (io.ReadCloser, error) {
	file, err := f.root.Open(name)
	if err != nil {
		return nil, sentence("the file", name, err)
	}
	return file, nil
}

// Rename implements watch.Folder.
func (f *folder) Rename(_ context.Context, from, to string) error {
	return sentence("the file", from, f.root.Rename(from, to))
}

// MakeFolder implements watch.Folder.
func (f *folder) MakeFolder(_ context.Context, name string) error {
	return sentence("the folder", name, f.root.Mkdir(name, 0o777)) // as far as the operator's umask lets it
}

// Write implements watch.Folder and drop.Folder. What it has written is on the disk when it returns.
func (f *folder) Write(_ context.Context, name string, content []byte) error {
	file, err := f.root.Create(name)
	if err != nil {
		return sentence("the file", name, err)
	}
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	return sentence("the file", name, cmp.Or(err, file.Close()))
}

// Replace implements drop.Folder. The new name is on the disk when it returns.
func (f *folder) Replace(ctx context.Context, from, to string) error {
	if err := f.Rename(ctx, from, to); err != nil {
		return err
	}
	dir, err := f.root.Open(".")
	if err != nil {
		return sentence("the folder", f.root.Name(), err)
	}
	defer dir.Close()
	return sentence("the folder", f.root.Name(), dir.Sync())
}

// Remove implements drop.Folder.
func (f *folder) Remove(_ context.Context, name string) error {
	return sentence("the file", name, f.root.Remove(name))
}

// Close implements watch.Folder.
func (f *folder) Close() error { return f.root.Close() }

// A brokenError is a sentence about a file, and what the operating system said of it.
type brokenError struct {
	told *gangway.Error
	why  error
}

func (e *brokenError) Error() string { return e.told.Error() }

func (e *brokenError) Unwrap() []error { return []error{e.told, e.why} }

func sentence(what, name string, err error) error {
	if err == nil {
		return nil
	}
	why := err
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		why = path.Err
	case errors.As(err, &link):
		why = link.Err
	}
	told := &gangway.Error{Kind: gangway.Unavailable, Msg: what + " " + name + " cannot be used: " + why.Error()}
	return &brokenError{told, err}
}
