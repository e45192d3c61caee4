package accept

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/wire"
)

// An Uploader takes in one document for an account at an instant, all or nothing. Its error is a
// *gangway.ProblemsError that names every wrong field, ErrTooMany, or Invalid for a document that
// cannot be read.
type Uploader interface {
	// AllOrNothing takes in a JSON array of records, or none of them if one is wrong or sent twice.
	AllOrNothing(ctx context.Context, in store.Scoped, doc []byte, limits Limits, at time.Time) (Receipt, error)

	// AllOrNothingFrom does the same with records that were read from another format. Every problem and
	// warning says where in the document it is.
	AllOrNothingFrom(ctx context.Context, in store.Scoped, doc PlacedRecords, format string, limits Limits,
		at time.Time) (Receipt, error)
}

// UploaderOf returns what takes in the records of a flow.
func UploaderOf(flow gangway.Flow) Uploader {
	switch flow {
	case gangway.TravelRequestsFlow:
		return TravelRequests
	case gangway.CrewChangesFlow:
		return CrewChanges
	}
	return Travellers
}

// PlacedRecords are records that know where in the document their fields stand.
type PlacedRecords interface {
	Records
	// PlaceOf returns where a field of the last record stands, which began at at; field is its path
	// without the record: "Gender", "Onsigners[1].Dob".
	PlaceOf(field string, at decode.Place) decode.Place
}

// AllOrNothing is part of Uploader.
func (k Kind[T]) AllOrNothing(ctx context.Context, in store.Scoped, doc []byte, limits Limits,
	at time.Time) (Receipt, error) {
	u := upload[T]{kind: k, warnWith: warningContext(at), bytes: len(doc), format: "JSON"}
	u.from = source{next: decode.FromBytes(doc, limits.Depth).Next, limit: limits.Records,
		leftOut: func(int, *decode.RecordError) bool { return false }}
	return u.takeAll(ctx, in, at)
}

// AllOrNothingFrom is part of Uploader.
func (k Kind[T]) AllOrNothingFrom(ctx context.Context, in store.Scoped, doc PlacedRecords, format string,
	limits Limits, at time.Time) (Receipt, error) {
	u := upload[T]{kind: k, warnWith: warningContext(at), format: format, places: doc}
	u.from = source{next: doc.Next, limit: limits.Records, leftOut: u.leaveOut}
	return u.takeAll(ctx, in, at)
}

// takeAll reads all records and stores them.
func (u *upload[T]) takeAll(ctx context.Context, in store.Scoped, at time.Time) (Receipt, error) {
	k := u.kind
	u.portion.asStored = k.rows
	if err := u.read(); err != nil {
		return Receipt{}, err
	}
	in = in.Sending(store.Sending{Told: u.told})
	counts, err := k.write(in, ctx, u.portion.rows, gangway.Origin{Source: gangway.Uploaded, SeenAt: at})
	return Receipt{counts, u.warnings}, err
}

// told warns of what was decided about the record of a name.
func (u *upload[T]) told(name, words string) {
	u.warnings.Add(gangway.ProblemPath{Record: u.first[name]}.Field("ChangeDate"), "%s", words)
}

// An upload is the state of taking in one document, all or nothing.
type upload[T identified] struct {
	kind     Kind[T]
	warnWith gangway.WarningContext
	bytes    int // size of the document; 0: not known
	format   string
	places   PlacedRecords // nil: the document is our own JSON, and paths say where everything is

	from           source
	first          map[string]int // first record of each identity
	portion        portion[T]
	problems       gangway.Problems
	warnings       gangway.Problems
	recordWarnings gangway.Problems // of the current record
}

// yieldEvery is after how many records the processor is yielded, so that people who are typing get
// answers. Reading that many takes well below a millisecond.
const yieldEvery = 100

// read reads all records, and fails when anything in them is wrong.
func (u *upload[T]) read() error {
	for record, reading := range u.kind.read(u.from.values()) {
		if u.first == nil {
			u.makeRoom()
		}
		if err := u.take(record, reading); err != nil {
			return err
		}
		if reading.Malformed != nil {
			return u.problems.Err()
		}
		if u.problems.Truncated { // it is refused anyway; only the number of records still matters
			break
		}
		if u.from.came%yieldEvery == 0 {
			runtime.Gosched()
		}
	}
	if u.problems.Truncated {
		u.from.count()
	}
	if u.from.err != nil {
		return u.refusal(u.from.err)
	}
	if err := u.problems.Err(); err != nil {
		return err
	}
	return u.portion.writeDown()
}

// refusal says why the document cannot be read to its end.
func (u *upload[T]) refusal(err error) error {
	var broken *decode.BrokenError
	var alone *decode.RecordError
	switch {
	case errors.Is(err, decode.ErrNoArray):
		return gangway.Errorf(gangway.Invalid, "the body must be an array of %s records", u.kind.name)
	case errors.Is(err, decode.ErrBehind) && errors.As(err, &broken):
		return gangway.Errorf(gangway.Invalid, "the body must end after the array: %s", broken.At)
	case errors.Is(err, decode.ErrEmpty), errors.As(err, &broken), errors.As(err, &alone):
		return gangway.Errorf(gangway.Invalid, "the body cannot be read as %s: %v", u.format, err)
	}
	return err
}

// makeRoom makes room for all records, assuming that the others are about as long as the first.
func (u *upload[T]) makeRoom() {
	if u.bytes == 0 {
		u.first = map[string]int{}
		return
	}
	more := u.bytes/(int(u.from.at.N)+u.from.size) + 1
	more = min(more+more/8, u.from.limit)
	u.first, u.portion.rows = make(map[string]int, more), make([]store.Row, 0, more)
}

// take notes what is wrong with a record, and keeps it as long as the document has no problems.
func (u *upload[T]) take(read *T, reading *wire.Reading) error {
	record, wrong := u.portion.last(read), &reading.Problems
	switch m := reading.Malformed; {
	case m != nil:
		wrong.Add(m.Path, "The body cannot be read as JSON here, at byte %d: %s.", u.from.at.N+m.Byte, m.Why)
	case reading.Checkable:
		u.kind.check(record, wrong, reading.Record, u.warnWith.Today)
		if u.places != nil {
			u.kind.letters(record, wrong, gangway.ProblemPath{Record: reading.Record}, func(path, name string) {
				u.recordWarnings.Add(path, "The letters of “%s” seem to have been encoded twice.", name)
			})
		}
	}
	if key, field := u.kind.identity(record); key != "" && reading.Malformed == nil {
		if first, twice := u.first[key]; twice {
			wrong.Add(gangway.ProblemPath{Record: reading.Record}.Field(field),
				"This record is the same as [%d]; send it once.", first)
		} else {
			u.first[key] = reading.Record
		}
	}
	if wrong.Err() != nil {
		u.sign(wrong, record)
		u.problems.Join(wrong)
	}
	if u.problems.Err() != nil {
		u.portion.drop()
		return nil
	}
	u.kind.warn(record, &u.recordWarnings, reading.Record, u.warnWith)
	if u.recordWarnings.Err() != nil {
		u.sign(&u.recordWarnings, record)
		u.warnings.Join(&u.recordWarnings)
		u.recordWarnings = gangway.Problems{}
	}
	return u.portion.keep(u.from.size)
}

// sign appends to what was noted about a record whose it is, and where it stands.
func (u *upload[T]) sign(p *gangway.Problems, record *T) {
	if u.places == nil {
		p.Sign((*record).IDAt)
		return
	}
	p.Sign((*record).IDAt, func(path string) string {
		_, field, _ := strings.Cut(path, "]")
		return u.places.PlaceOf(strings.TrimPrefix(field, "."), u.from.at).String()
	})
}

// leaveOut notes that a record cannot even be read. The others are looked at all the same.
func (u *upload[T]) leaveOut(record int, err *decode.RecordError) (goOn bool) {
	u.problems.Add(gangway.ProblemPath{Record: record}.Field(""), "The record cannot be read: %s.", err.Msg)
	u.problems.Sign(func(string) string {
		if at := u.from.at.String(); !strings.HasSuffix(err.Msg, "at "+at) {
			return at
		}
		return ""
	})
	return true
}
