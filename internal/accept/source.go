package accept

import (
	"errors"
	"io"
	"iter"

	"gangway/internal/accept/decode"

	"github.com/go-json-experiment/json/jsontext"
)

// A source numbers the records of a document for those who read them, and
// remembers where they stand and why there are no more.
type source struct {
	next  func() (decode.Record, error)
	limit int // of records

	// leftOut is called for each record that decode could not read, and says whether to continue
	// with the others.
	leftOut func(record int, err *decode.RecordError) (goOn bool)

	came int          // records so far
	at   decode.Place // of the last of them
	size int          // in bytes
	err  error        // why the document was not read to its end
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

// record returns the next record; one without JSON was left out.
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
	s.at, s.size = record.At, len(record.JSON)
	if alone != nil && !s.leftOut(s.came-1, alone) {
		s.err = alone
		return record, false
	}
	return record, true
}

// count passes over what is left of the document.
func (s *source) count() {
	for ok := true; ok; {
		_, ok = s.record()
	}
}
