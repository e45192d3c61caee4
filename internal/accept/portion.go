package accept

import (
	"fmt"
	"runtime/debug"

	"gangway/internal/store"
)

// A portion holds records on their way to the database: first as they were read, later as the rows
// to be stored, which take less memory.
type portion[T identified] struct {
	asStored func(list []T) ([]store.Row, error)
	read     []T
	size     int // bytes of the document that the records in read take
	rows     []store.Row

	spare   []T             // reused for the next records
	writing chan written[T] // the records that are being turned into rows; nil if there are none
}

// written are records as rows, or the reason why they cannot be stored.
type written[T any] struct {
	rows  []store.Row
	err   error
	panic any
	read  []T
}

// Rows are written when there are so many records or so many bytes of them.
const (
	writtenAtOnce      = 250
	bytesWrittenAtOnce = 64 << 10
)

// keep keeps a record, which has size bytes.
func (p *portion[T]) keep(record *T, size int) error {
	p.read = append(p.read, *record)
	p.size += size
	if len(p.read) < writtenAtOnce && p.size < bytesWrittenAtOnce {
		return nil
	}
	return p.beginWriting()
}

// beginWriting has the records that were read turned into rows while more are read. Where a processor
// is free this saves a tenth of the time of an upload.
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

// endWriting waits for the rows that are being written. A panic there becomes a panic of the caller,
// so that it ends nothing else.
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

// writeDown turns all records into rows.
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
