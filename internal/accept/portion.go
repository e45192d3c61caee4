package accept

import "gangway/internal/store"

// A portion holds records on their way to the database: at first as they were
// read, and some later as they are stored, which takes less.
type portion[T identified] struct {
	asStored func(list []T) ([]store.Row, error)
	read     []T
	size     int // of those in read, in bytes of the document
	rows     []store.Row
}

// So many records are written down at a time, or as many as have so many bytes.
const (
	writtenAtOnce      = 250
	bytesWrittenAtOnce = 64 << 10
)

// last adds a record and returns where it is held, until it is kept or dropped.
func (p *portion[T]) last(record T) *T {
	p.read = append(p.read, record)
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
	return p.writeDown()
}

// writeDown makes rows of all records.
func (p *portion[T]) writeDown() error {
	rows, err := p.asStored(p.read)
	if err != nil {
		return err
	}
	p.rows = append(p.rows, rows...)
	clear(p.read)
	p.read, p.size = p.read[:0], 0
	return nil
}

func (p *portion[T]) count() int { return len(p.read) + len(p.rows) }
