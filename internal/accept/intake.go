package accept

import (
	"context"
	"runtime"
	"strings"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
	"gangway/internal/wire"
)

// Records are the records of a document as canonical JSON. Next returns io.EOF
// after the last; a *decode.RecordError is about one record alone, which is
// refused. Records may be PlacedRecords, Sourced and Remarking besides.
type Records interface {
	Next() (decode.Record, error)
}

// PlacedRecords are records that know where in the document their fields stand.
type PlacedRecords interface {
	Records
	// PlaceOf returns where a field of the last record stands, which began at at; field is its path
	// without the record: "Gender", "Onsigners[1].Dob".
	PlaceOf(field string, at decode.Place) decode.Place
}

// An intake reads one document, record by record. Whether one wrong record refuses the document is for an upload or a
// run to say.
type intake[T identified] struct {
	kind     Kind[T]
	of       gangway.Record // what its records have to have
	source   source
	places   PlacedRecords // nil: only where records begin is known
	warnWith gangway.WarningContext
	portion  portion[T]
}

func newIntake[T identified](k Kind[T], of gangway.Record, doc Records, limits Limits, at time.Time) intake[T] {
	places, _ := doc.(PlacedRecords)
	return intake[T]{kind: k, of: of, source: source{next: doc.Next, limit: limits.Records}, places: places,
		warnWith: warningContext(at), portion: portion[T]{asStored: k.rows}}
}

// yieldEvery is after how many records the processor is yielded, so that people who are typing get
// answers. Reading that many takes well below a millisecond.
const yieldEvery = 100

// readAll hands each record of the document to take until that fails. source.err says what else ended it.
func (i *intake[T]) readAll(ctx context.Context, take func(*T, *wire.Reading) error) error {
	for record, reading := range i.kind.read(i.source.values()) {
		if err := take(record, reading); err != nil {
			return err
		}
		if i.source.came%yieldEvery == 0 {
			runtime.Gosched()
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// check notes what is wrong with a record.
func (i *intake[T]) check(record *T, reading *wire.Reading) {
	if reading.Checkable {
		i.kind.check(record, &reading.Problems, gangway.ProblemPath{Record: reading.Record}, i.of, i.warnWith.Today)
	}
}

// sign appends to what was noted about a record whose it is and, in an upload, where it stands; a run's remarks have
// the place beside them.
func (i *intake[T]) sign(p *gangway.Problems, record *T) {
	names := []func(string) string{(*record).IDAt}
	if i.places != nil && i.of.Demand != gangway.Everywhere {
		names = append(names, func(path string) string {
			_, field, _ := strings.Cut(path, "]")
			return i.placeOf(strings.TrimPrefix(field, ".")).String()
		})
	}
	p.Sign(names...)
}

// placeOf returns where a field of the record at hand stands, or else the record.
func (i *intake[T]) placeOf(field string) decode.Place {
	if i.places == nil || field == "" {
		return i.source.at
	}
	return i.places.PlaceOf(field, i.source.at)
}
