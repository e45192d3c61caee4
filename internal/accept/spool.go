package accept

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"gangway/internal/scratch"
	"gangway/internal/store"
)

// A spool keeps the rows of a run until it is known that all of them are to be
// stored: in memory while they are few, then in a file that has no name, so that
// nothing of it stays when the process ends.
type spool struct {
	rows  []store.Row
	bytes int

	file  *scratch.File
	write *bufio.Writer
}

// In memory are rows of so many bytes at most. So many are handed out at a time,
// or as many as have so many bytes: others who write to the same database wait
// for no more.
const (
	spooledInMemory   = 4 << 20
	storedAtOnce      = 10_000
	bytesStoredAtOnce = 8 << 20
)

// add keeps rows.
func (s *spool) add(rows []store.Row) error {
	for _, row := range rows {
		if s.file == nil {
			s.rows = append(s.rows, row)
			if s.bytes += sizeOf(row); s.bytes > spooledInMemory {
				if err := s.toFile(); err != nil {
					return err
				}
			}
			continue
		}
		if err := s.writeRow(row); err != nil {
			return err
		}
	}
	return nil
}

func sizeOf(row store.Row) (n int) {
	for _, v := range row {
		n += len(v.(string)) + 16
	}
	return n
}

// toFile moves what is in memory to a file.
func (s *spool) toFile() (err error) {
	if s.file, err = scratch.Create(); err != nil {
		return fmt.Errorf("put records aside: %w", err)
	}
	s.write = bufio.NewWriterSize(s.file, 64<<10)
	for _, row := range s.rows {
		if err := s.writeRow(row); err != nil {
			return err
		}
	}
	s.rows = nil
	return nil
}

func (s *spool) writeRow(row store.Row) error {
	var length [binary.MaxVarintLen64]byte
	write := func(n int) { s.write.Write(binary.AppendUvarint(length[:0], uint64(n))) }
	write(len(row))
	for _, v := range row {
		text := v.(string)
		write(len(text))
		s.write.WriteString(text)
	}
	if _, err := s.write.Write(nil); err != nil { // the first error of all
		return fmt.Errorf("put records aside: %w", err)
	}
	return nil
}

// each hands out all rows, some at a time, in the order in which they came.
func (s *spool) each(do func(rows []store.Row) error) error {
	next := s.fromMemory()
	if s.file != nil {
		if err := s.write.Flush(); err != nil {
			return fmt.Errorf("put records aside: %w", err)
		}
		next = fromFile(bufio.NewReaderSize(s.file.Reader(), 64<<10))
	}
	var rows []store.Row
	for bytes := 0; ; {
		row, err := next()
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("fetch records: %w", err)
		}
		last := err != nil
		if !last {
			rows = append(rows, row)
			bytes += sizeOf(row)
		}
		if len(rows) > 0 && (last || len(rows) == storedAtOnce || bytes >= bytesStoredAtOnce) {
			if err := do(rows); err != nil {
				return err
			}
			clear(rows)
			rows, bytes = rows[:0], 0
		}
		if last {
			return nil
		}
	}
}

func (s *spool) fromMemory() func() (store.Row, error) {
	left := s.rows
	return func() (store.Row, error) {
		if len(left) == 0 {
			return nil, io.EOF
		}
		row := left[0]
		left = left[1:]
		return row, nil
	}
}

func fromFile(r *bufio.Reader) func() (store.Row, error) {
	return func() (store.Row, error) {
		columns, err := binary.ReadUvarint(r)
		if err != nil {
			return nil, err
		}
		row := make(store.Row, columns)
		for i := range row {
			length, err := binary.ReadUvarint(r)
			if err != nil {
				return nil, io.ErrUnexpectedEOF
			}
			text := make([]byte, length)
			if _, err := io.ReadFull(r, text); err != nil {
				return nil, io.ErrUnexpectedEOF
			}
			row[i] = string(text)
		}
		return row, nil
	}
}

// close lets go of the file.
func (s *spool) close() error {
	s.rows = nil
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
