package accept

import "gangway/internal/store"

// A portion holds records on their way to the database: first as they were read, later as the rows
// to be stored, which take less memory.
type portion[T identified] struct {
	asStored func(list []T) ([]store.Row, error)
	read     []T
	size     int // bytes of the document that the records in read take
	rows     []store.Row
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
	return p.writeDown()
}

// writeDown turns all records into rows.
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
