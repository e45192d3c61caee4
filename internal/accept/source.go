package accept

import (
	"errors"
	"io"
	"iter"

	"gangway/internal/accept/decode"

	"github.com/go-json-experiment/json/jsontext"
)

// A source numbers the records of a document for those who read them, and remembers their places
// and why reading ended.
type source struct {
	next  func() (decode.Record, error)
	limit int // records that the document may have

	// leftOut is called for each record that decode could not cut out, and says whether to continue
	// with the next one.
	leftOut func(record int, err *decode.RecordError) (goOn bool)

	came  int            // number of records so far
	at    decode.Place   // of the last one
	size  int            // of the last one, in bytes
	value jsontext.Value // the last one, until the next
	err   error          // why the document was not read to its end
}

// values yields the records of the document, beginning with the next one.
func (s *source) values() iter.Seq2[int, jsontext.Value] {
	return func(yield func(int, jsontext.Value) bool) {
		for {
			record, ok := s.record()
			if !ok || record.JSON != nil && !yield(s.came-1, record.JSON) {
				return
			}
		}
	}
}

// record returns the next record. One without JSON was left out.
func (s *source) record() (record decode.Record, ok bool) {
	record, err := s.next()
	var alone *decode.RecordError
	switch {
	case errors.Is(err, io.EOF):
		return record, false
	case err != nil && !errors.As(err, &alone):
		s.err = err
		return record, false
	case s.came == s.limit:
		s.err = ErrTooMany
		return record, false
	}
	s.came++
	s.at, s.size, s.value = record.At, len(record.JSON), record.JSON
	if alone != nil && !s.leftOut(s.came-1, alone) {
		s.err = alone
		return record, false
	}
	return record, true
}

// count reads the rest of the document only to count its records.
func (s *source) count() {
	for ok := true; ok; {
		_, ok = s.record()
	}
}
