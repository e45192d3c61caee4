// Package backup writes and reads copies of a database. A copy is the same for SQLite and PostgreSQL: compressed lines
// of JSON, encrypted on request. It begins with a header and ends with a trailer that has counts and a checksum, so
// that a copy that was cut off or changed is recognised.
//
// It knows no table: package store reads and fills databases.
package backup

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"time"

	"gangway/internal/gangway"

	"filippo.io/age"
	"github.com/klauspost/compress/gzip"
)

// format is the number of this form of copies.
const format = 1

// A Header begins a copy.
type Header struct {
	Format  int       `json:"gangway_backup"`
	Schema  int64     `json:"schema"`
	Program string    `json:"program"`
	At      time.Time `json:"at"` // it shows the database as it was then, or moments later
	Keys    string    `json:"keys,omitempty"`
}

// A line begins a table, whose rows follow as arrays, or is the trailer.
type line struct {
	Table   string           `json:"table,omitempty"`
	Columns []string         `json:"columns,omitempty"`
	Rows    map[string]int64 `json:"rows,omitempty"`   // of the trailer, by table
	Sum     string           `json:"sha256,omitempty"` // of all lines between header and trailer
}

// A Writer writes a copy.
type Writer struct {
	Header Header // without format and schema
	Rows   map[string]int64

	sealed io.WriteCloser // nil: it is not encrypted
	packed *gzip.Writer
	sum    hash.Hash
	lines  *json.Encoder // of tables and rows
	table  string
}

// NewWriter returns a writer to out. With recipients only they can read the copy.
func NewWriter(out io.Writer, h Header, recipients ...age.Recipient) (w *Writer, err error) {
	w = &Writer{Header: h, Rows: map[string]int64{}, sum: sha256.New()}
	if len(recipients) > 0 {
		if w.sealed, err = age.Encrypt(out, recipients...); err != nil {
			return nil, fmt.Errorf("encrypt the copy: %w", err)
		}
		out = w.sealed
	}
	w.packed = gzip.NewWriter(out)
	w.lines = json.NewEncoder(io.MultiWriter(w.packed, w.sum))
	w.lines.SetEscapeHTML(false)
	return w, nil
}

// Begin writes the header.
func (w *Writer) Begin(schema int64) error {
	w.Header.Format, w.Header.Schema = format, schema
	return json.NewEncoder(w.packed).Encode(w.Header)
}

// Table begins a table; its rows follow.
func (w *Writer) Table(name string, columns []string) error {
	w.table, w.Rows[name] = name, 0
	return w.lines.Encode(line{Table: name, Columns: columns})
}

// Row writes a row: texts, whole numbers and nil.
func (w *Writer) Row(values []any) error {
	w.Rows[w.table]++
	return w.lines.Encode(values)
}

// Sum is the checksum of what was written.
func (w *Writer) Sum() string { return hex.EncodeToString(w.sum.Sum(nil)) }

// Close writes the trailer.
func (w *Writer) Close() error {
	err := errors.Join(json.NewEncoder(w.packed).Encode(line{Rows: w.Rows, Sum: w.Sum()}), w.packed.Close())
	if w.sealed != nil {
		err = errors.Join(err, w.sealed.Close())
	}
	return err
}

// A Reader reads a copy.
type Reader struct {
	Header Header
	Rows   map[string]int64

	lines *bufio.Reader
	sum   hash.Hash
	table string
	line  []byte // the next
	row   []byte
	err   error
}

var (
	errCut     = gangway.Errorf(gangway.Invalid, "the copy is cut off or was changed: take another one")
	errForeign = gangway.Errorf(gangway.Invalid, "this is no copy that gangway backup made")
)

// sealedMark begins what age has encrypted.
const sealedMark = "age-encryption.org/v1\n"

// NewReader returns a reader of the copy in. identities are what an encrypted one is opened with.
func NewReader(in io.Reader, identities ...age.Identity) (*Reader, error) {
	peeked := bufio.NewReader(in)
	in = peeked
	if head, _ := peeked.Peek(len(sealedMark)); string(head) == sealedMark {
		var err error
		if len(identities) == 0 {
			return nil, gangway.Errorf(gangway.Invalid, "the copy is encrypted: give --identity")
		}
		if in, err = age.Decrypt(peeked, identities...); errors.As(err, new(*age.NoIdentityMatchError)) {
			return nil, gangway.Errorf(gangway.Invalid, "the copy is encrypted for somebody else than this --identity")
		} else if err != nil {
			return nil, errCut
		}
	}
	unpacked, err := gzip.NewReader(in)
	if err != nil {
		return nil, errForeign
	}
	r := &Reader{Rows: map[string]int64{}, lines: bufio.NewReaderSize(unpacked, 256<<10), sum: sha256.New()}
	switch err := r.read(); {
	case err != nil:
		return nil, err
	case json.Unmarshal(r.line, &r.Header) != nil || r.Header.Format == 0:
		return nil, errForeign
	case r.Header.Format != format:
		return nil, gangway.Errorf(gangway.Invalid, "the copy was made by a newer Gangway (%s): restore it with that "+
			"version", r.Header.Program)
	}
	return r, r.read()
}

// longestLine is more than the longest row takes: a feed's document of 32 MiB.
const longestLine = 64 << 20

// read reads the next line.
func (r *Reader) read() error {
	r.line = nil
	for {
		part, err := r.lines.ReadSlice('\n')
		if r.line = append(r.line, part...); err == nil {
			return nil
		}
		if err != bufio.ErrBufferFull || len(r.line) > longestLine {
			return errCut
		}
	}
}

// Table returns the next table, whose rows follow. io.EOF: the copy ends, and is as it was written.
func (r *Reader) Table() (name string, columns []string, err error) {
	var next line
	if json.Unmarshal(r.line, &next) != nil {
		return "", nil, errCut
	}
	if next.Table == "" {
		rest, err := io.ReadAll(io.LimitReader(r.lines, 1)) // to the checksums of compression and encryption
		if err != nil || len(rest) > 0 || next.Sum != hex.EncodeToString(r.sum.Sum(nil)) ||
			!maps.Equal(next.Rows, r.Rows) {
			return "", nil, errCut
		}
		return "", nil, io.EOF
	}
	r.sum.Write(r.line)
	r.table, r.Rows[next.Table] = next.Table, 0
	return next.Table, next.Columns, r.read()
}

// Next reads the next row of the table, if there is one.
func (r *Reader) Next() bool {
	if r.err != nil || r.line[0] != '[' {
		return false
	}
	r.row = r.line
	r.sum.Write(r.row)
	r.Rows[r.table]++
	r.err = r.read()
	return r.err == nil
}

// Values returns that row.
func (r *Reader) Values() (row []any, err error) {
	dec := json.NewDecoder(bytes.NewReader(r.row))
	dec.UseNumber()
	err = dec.Decode(&row)
	for i, v := range row {
		if n, ok := v.(json.Number); ok && err == nil {
			row[i], err = n.Int64()
		}
	}
	if err != nil {
		return nil, errCut
	}
	return row, nil
}

// Err says why there is no further row; nil: the table has no more.
func (r *Reader) Err() error { return r.err }

// Check reads a copy to its end. It fails if the copy is not as it was written.
func (r *Reader) Check() error {
	for {
		if _, _, err := r.Table(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		for r.Next() {
		}
		if r.err != nil {
			return r.err
		}
	}
}
