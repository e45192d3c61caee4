package accept

import (
	"fmt"
	"runtime/debug"

	"gangway/internal/store"
)

// A portion holds records on their way to the database: at first as they were
// read, and some later as they are stored, which takes less.
type portion[T identified] struct {
	asStored func(list []T) ([]store.Row, error)
	read     []T
	size     int // of those in read, in bytes of the document
	rows     []store.Row

	spare   []T             // room for the next ones to be read
	writing chan written[T] // some that are being written down; nil: none are
}

// written are records as they are stored, or why that cannot be.
type written[T any] struct {
	rows  []store.Row
	err   error
	panic any
	read  []T
}

// So many records are written down at a time, or as many as have so many bytes.
const (
	writtenAtOnce      = 250
	bytesWrittenAtOnce = 64 << 10
)

// last adds a record and returns where it is held, until it is kept or dropped.
func (p *portion[T]) last(record *T) *T {
	p.read = append(p.read, *record)
	return &p.read[len(p.read)-1]
}

// drop takes the last record out again.
func (p *portion[T]) drop() { p.read = p.read[:len(p.read)-1] }

// keep says that the last record, of so many bytes, stays.
func (p *portion[T]) keep(size int) error {
	p.size += size
	if len(p.read) < writtenAtOnce && p.size < bytesWrittenAtOnce {
		return nil
	}
	return p.beginWriting()
}

// beginWriting has the records that were read written down while more are read:
// a tenth of the time that an upload takes is saved where a processor is free.
func (p *portion[T]) beginWriting() error {
	if err := p.endWriting(); err != nil {
		return err
	}
	list, done := p.read, make(chan written[T], 1)
	p.read, p.spare, p.size, p.writing = p.spare, nil, 0, done
	go func() {
		w := written[T]{read: list}
		defer func() {
			if r := recover(); r != nil {
				w.panic = fmt.Sprintf("%v, in %s", r, debug.Stack())
			}
			done <- w
		}()
		w.rows, w.err = p.asStored(list)
		clear(list)
	}()
	return nil
}

// endWriting waits for what is being written down. A panic there is one of
// whoever waits, so that it ends nothing else.
func (p *portion[T]) endWriting() error {
	if p.writing == nil {
		return nil
	}
	w := <-p.writing
	p.writing = nil
	if w.panic != nil {
		panic(w.panic)
	}
	p.rows, p.spare = append(p.rows, w.rows...), w.read[:0]
	return w.err
}

// writeDown makes rows of all records.
func (p *portion[T]) writeDown() error {
	if err := p.endWriting(); err != nil {
		return err
	}
	rows, err := p.asStored(p.read)
	if err != nil {
		return err
	}
	p.rows = append(p.rows, rows...)
	clear(p.read)
	p.read, p.size = p.read[:0], 0
	return nil
}
