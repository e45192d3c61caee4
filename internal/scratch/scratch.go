// Package scratch puts aside on this machine's disk what is too much for memory, in files that
// have no name: nothing of them stays when the process ends, however it ends.
package scratch

import (
	"errors"
	"io"
	"os"
)

// A File takes bytes at its end and gives them anywhere. It is not safe for use by several
// while it is written.
type File struct {
	file *os.File
	size int64
}

// Create returns an empty file.
func Create() (*File, error) {
	file, err := os.CreateTemp("", "gangway-")
	if err != nil {
		return nil, &Error{err}
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, &Error{errors.Join(err, file.Close())}
	}
	return &File{file: file}, nil
}

// Try reports why nothing can be put aside, if nothing can.
func Try() error {
	f, err := Create()
	if err != nil {
		return err
	}
	return f.Close()
}

// Put returns a file with all that from has. Its error is from's own, or an Error.
func Put(from io.Reader) (*File, error) {
	f, err := Create()
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(f, from); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Size is how many bytes were written.
func (f *File) Size() int64 { return f.size }

// Reader returns a reader of what was written so far, from its beginning.
func (f *File) Reader() *io.SectionReader { return io.NewSectionReader(f, 0, f.size) }

// Write is part of io.Writer.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.file.Write(p)
	f.size += int64(n)
	if err != nil {
		err = &Error{err}
	}
	return n, err
}

// ReadAt is part of io.ReaderAt.
func (f *File) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.file.ReadAt(p, at)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &Error{err}
	}
	return n, err
}

// Close lets go of the file, of which nothing stays.
func (f *File) Close() error { return f.file.Close() }

// An Error is a fault of this machine's disk, often that it is full. It says nothing against what
// was put aside, nor against whoever sent it; its words are for the operator.
type Error struct{ err error }

// Error returns what the system says, with the path.
func (e *Error) Error() string { return "put aside on this machine: " + e.err.Error() }

// Unwrap returns what the system says.
func (e *Error) Unwrap() error { return e.err }
