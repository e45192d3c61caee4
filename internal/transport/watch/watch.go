// Package watch reads documents from a folder that a customer's system writes into: oldest
// first, none half-written, each put away after its outcome is known. What a folder is, and
// how a server is asked for it, is up to the transport.
//
// Decided: docs/choices.md, "Feeds".
package watch

import (
	"cmp"
	"context"
	"io"
	"iter"
	"strings"
	"time"
	"unicode"

	"gangway/internal/gangway"
	"gangway/internal/transport"
)

// A Folder is an open connection to the folder that is watched. Names are relative to it:
// "crew.csv", "done/crew.csv". It is used by one caller at a time, and its errors are
// sentences without secrets.
type Folder interface {
	// List returns the files in the folder itself, at most MostFiles of them; more are
	// an error.
	List(ctx context.Context) ([]File, error)
	// Open returns a file's content, which ends with an error unless all of it came.
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	// Stat returns a file or a folder, or an error that is fs.ErrNotExist.
	Stat(ctx context.Context, name string) (File, error)
	// Rename moves a file to a name that nothing has.
	Rename(ctx context.Context, from, to string) error
	// MakeFolder makes a folder.
	MakeFolder(ctx context.Context, name string) error
	// Write makes a file, or replaces it.
	Write(ctx context.Context, name string, content []byte) error
	Close() error
}

// A File is what a folder's list says of one.
type File struct {
	transport.File      // its time by the server's clock; Stat may not know it
	NotPlain       bool // a folder, a link or a device
}

// MostFiles is how many files a folder may have. It is read whole for the oldest.
const MostFiles = 100_000

// ErrTooManyFiles refuses a folder with more.
var ErrTooManyFiles = gangway.Errorf(gangway.Invalid, "the folder has more than 100,000 files: move away those that "+
	"nobody needs")

// A Watcher is a transport.Settler of the files in a folder.
type Watcher struct {
	c    Config
	idle transport.Rest[Folder]
}

// Config is what a watcher needs.
type Config struct {
	Dial    func(context.Context) (Folder, error)
	Pattern string // of the names to be read, as "*.csv", in any case; empty: all

	Now  func() time.Time                                 // nil: time.Now
	Wait func(ctx context.Context, d time.Duration) error // nil: it takes d
}

// New returns a watcher.
func New(c Config) *Watcher {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Wait == nil {
		c.Wait = transport.Wait
	}
	return &Watcher{c: c}
}

// Settings say which files of a folder at a server are read.
var Settings = []transport.Setting{
	{Name: "path", Type: transport.Text, About: "the folder; left out: where the user arrives",
		Example: `"/outgoing/crew"`},
	{Name: "pattern", Type: transport.Text, About: "only files with such names; left out: all", Example: `"*.csv"`},
}

// Open returns a watcher of the files of a pattern in the folder that dial connects to. Invalid: it is no pattern.
func Open[F Folder](pattern string, dial func(context.Context) (F, error)) (transport.Puller, error) {
	return New(Config{Pattern: pattern, Dial: func(ctx context.Context) (Folder, error) { return dial(ctx) }}),
		CheckPattern(pattern)
}

// CheckPattern refuses text that is no pattern.
func CheckPattern(pattern string) error {
	if transport.CheckPattern(pattern) != nil || strings.Contains(pattern, "/") {
		return gangway.Errorf(gangway.Invalid, "pattern must be one for names of files, as *.csv")
	}
	return nil
}

// Pull implements transport.Puller.
func (w *Watcher) Pull(ctx context.Context, q transport.Query) iter.Seq2[*transport.Arrival, error] {
	return func(yield func(*transport.Arrival, error) bool) {
		f, err := w.take(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		files, err := transport.Finished(ctx, w.c.Now(), w.c.Wait, func() ([]transport.File, error) {
			return w.list(ctx, f)
		})
		if err != nil {
			f.Close()
			yield(nil, err)
			return
		}
		for _, file := range files {
			if err := ctx.Err(); err != nil {
				f.Close()
				yield(nil, err)
				return
			}
			known, err := q.Knows(ctx, file.Key())
			if err != nil {
				f.Close()
				yield(nil, err)
				return
			}
			if known {
				continue
			}
			content := &content{ctx: ctx, folder: f, file: file, still: w.c.Now().Add(-unchanged)}
			a := &transport.Arrival{Key: file.Key(), Name: file.Name, Time: file.Time, Body: content}
			if a.Wrong = wrong(file, q.Most); a.Wrong != nil {
				a.Body = strings.NewReader("")
			}
			more := yield(a, nil)
			content.Close()
			if !more {
				break
			}
		}
		w.idle.Keep(f, 1)
	}
}

// wrong says why a file is not read.
func wrong(file transport.File, most int64) error {
	switch {
	case strings.ContainsFunc(file.Name, unicode.IsControl):
		return gangway.Errorf(gangway.Invalid, "the file's name %q has a control character: give it another name",
			file.Name)
	case file.Size > cmp.Or(most, transport.MostBytes):
		return transport.TooLong(most)
	}
	return nil
}

// list returns the files whose names ask to be read.
func (w *Watcher) list(ctx context.Context, f Folder) (list []transport.File, err error) {
	files, err := f.List(ctx)
	if err != nil {
		return nil, err
	}
	if len(files) > MostFiles {
		return nil, ErrTooManyFiles
	}
	for _, file := range files {
		if !file.NotPlain && transport.Wanted(file.Name, w.c.Pattern) {
			list = append(list, file.File)
		}
	}
	return list, nil
}

// take returns the connection that rests, or a new one.
func (w *Watcher) take(ctx context.Context) (Folder, error) {
	if f, ok := w.idle.Take(); ok {
		return f, nil
	}
	return w.c.Dial(ctx)
}
