package accept

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"gangway"
	"gangway/internal/accept/decode"
	"gangway/internal/store"
	"gangway/internal/wire"
)

// A Feed takes in one document from a source for an account, each of its records for itself. Its
// error comes from the reader, from ctx or from the database, never from what the document contains.
// What was stored before the error stays stored, and the report counts it.
type Feed func(ctx context.Context, in store.Scoped, doc io.Reader, limits Limits, from gangway.Origin) (Report, error)

// EachForItself takes in one document as a run of its own (Run.Take). It is a Feed.
func (k Kind[T]) EachForItself(ctx context.Context, in store.Scoped, doc io.Reader, limits Limits,
	from gangway.Origin) (Report, error) {
	return k.Run(in, from).Take(ctx, doc, limits)
}

// A Run is one run of a source: one or more documents whose records are taken in each for itself. A
// record that is there twice counts once.
type Run[T identified] struct {
	kind  Kind[T]
	in    store.Scoped
	from  gangway.Origin
	seen  *identities // of the records that were taken in
	wrong bool        // a document was not read to its end
}

// Run begins a run of a source. Its generation must be unique (store.DB.Generation).
func (k Kind[T]) Run(in store.Scoped, from gangway.Origin) *Run[T] {
	return &Run[T]{kind: k, in: in, from: from, seen: newIdentities()}
}

// Take takes in those records of a JSON array that are right, and leaves out the others. It reads the
// document while it arrives and stores it in portions, so that memory does not grow with its length,
// but for some 10 bytes a record to recognise repeated records: the first one counts.
//
// A document that stops being JSON is broken: nothing after that place can be trusted. The report
// says where it broke, and what came before is stored. Taking in the same document again changes
// nothing, so after an error or a broken document the caller simply starts over.
//
// Decided: docs/choices.md, "Records taken in each for itself".
func (r *Run[T]) Take(ctx context.Context, doc io.Reader, limits Limits) (Report, error) {
	f := feed[T]{Run: r, warnWith: warningContext(r.from.SeenAt)}
	next := decode.FromReader(doc, limits.Depth, maxRecordBytes).Next
	f.doc = source{next: next, limit: limits.Records, leftOut: f.leaveOut}
	f.portion.asStored = r.kind.rows
	err := f.read(ctx)
	f.report.Received = f.report.Created + f.report.Updated + f.report.Unchanged + f.report.Refused
	r.wrong = r.wrong || err != nil || f.report.Broken != ""
	return f.report, err
}

// DropRest drops the records that the source had before and did not bring in this run, of the days
// that it was asked for, and returns how many. It fails with Conflict if a document was not read to
// its end, since then nobody knows what the source has.
func (r *Run[T]) DropRest(ctx context.Context, of store.Days) (int, error) {
	if r.wrong {
		return 0, gangway.Errorf(gangway.Conflict, "not everything from %s was read, so nothing is dropped",
			r.from.Source)
	}
	return r.kind.drop(ctx, r.in, r.from, of, r.seen.has)
}

// maxRecordBytes is how long a record may be: longer than the largest crew change.
const maxRecordBytes = 32 << 20

// A portion is stored when it has so many records or so many bytes, so that others who write to the
// same database do not wait long.
const (
	storedAtOnce      = 2000
	bytesStoredAtOnce = 4 << 20
)

// A feed is the state of taking in one document, each of its records for itself.
type feed[T identified] struct {
	*Run[T]
	warnWith gangway.WarningContext

	doc            source
	portion        portion[T]
	held           int              // records in portion
	bytes          int              // size of these records
	recordWarnings gangway.Problems // of the current record
	report         Report
}

func (f *feed[T]) read(ctx context.Context) error {
	for record, reading := range f.kind.read(f.doc.values()) {
		if m := reading.Malformed; m != nil && !m.Alone {
			f.report.Broken = fmt.Sprintf("record %d: %s, at byte %d", reading.Record, m.Why, f.doc.at.N+m.Byte)
			return f.store(ctx)
		}
		if err := f.take(record, reading); err != nil {
			return err
		}
		if f.held >= storedAtOnce || f.bytes >= bytesStoredAtOnce {
			if err := f.store(ctx); err != nil {
				return err
			}
		}
		if f.doc.came%yieldEvery == 0 {
			runtime.Gosched()
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	if err := f.store(ctx); err != nil {
		return err
	}
	return f.ended(f.doc.err)
}

// ended notes in the report that the document is broken, if err says so; other errors are returned.
func (f *feed[T]) ended(err error) error {
	var broken *decode.BrokenError
	switch {
	case errors.As(err, &broken):
		f.report.Broken = fmt.Sprintf("after record %d: %v", f.doc.came-1, err)
		if f.doc.came == 0 {
			f.report.Broken = err.Error()
		}
	case errors.Is(err, decode.ErrEmpty), errors.Is(err, decode.ErrNoArray):
		f.report.Broken = err.Error()
	case errors.Is(err, ErrTooMany):
		f.report.Broken = fmt.Sprintf("there are more than %d records", f.doc.limit)
	case err != nil:
		return fmt.Errorf("read record %d: %w", f.doc.came, err)
	}
	return nil
}

// take keeps a record that is right and new in this run, and notes why any other is refused.
func (f *feed[T]) take(read *T, reading *wire.Reading) error {
	record, wrong := f.portion.last(read), &reading.Problems
	if m := reading.Malformed; m != nil {
		wrong.Add(m.Path, "The record cannot be read as JSON here, at byte %d: %s.", f.doc.at.N+m.Byte, m.Why)
	}
	if reading.Checkable {
		f.kind.check(record, wrong, reading.Record, f.warnWith.Today)
	}
	key, field := f.kind.identity(record)
	if wrong.Err() == nil && key != "" && f.seen.add(key) {
		wrong.Add(gangway.ProblemPath{Record: reading.Record}.Field(field),
			"This record is the same as an earlier one, which was taken.")
	}
	if wrong.Err() != nil {
		wrong.Sign((*record).IDAt)
		f.report.Refused++
		f.report.Problems.join(reading.Record, f.doc.at, wrong)
		f.portion.drop()
		return nil
	}
	f.kind.warn(record, &f.recordWarnings, reading.Record, f.warnWith)
	if f.recordWarnings.Err() != nil {
		f.recordWarnings.Sign((*record).IDAt)
		f.report.Warnings.join(reading.Record, f.doc.at, &f.recordWarnings)
		f.recordWarnings = gangway.Problems{}
	}
	f.held++
	f.bytes += f.doc.size
	return f.portion.keep(f.doc.size)
}

// leaveOut notes a record that could not even be cut out of the document.
func (f *feed[T]) leaveOut(record int, err *decode.RecordError) (goOn bool) {
	f.report.Refused++
	f.report.Problems.add(Remark{Record: record, At: f.doc.at.String(),
		Message: "The record cannot be read: " + err.Msg + "."})
	return true
}

// store stores the records that were kept since it was last called.
func (f *feed[T]) store(ctx context.Context) error {
	if err := f.portion.writeDown(); err != nil {
		return err
	}
	if len(f.portion.rows) == 0 {
		return nil
	}
	counts, err := f.kind.write(f.in, ctx, f.portion.rows, f.from)
	if err != nil {
		return err
	}
	f.report.Created += counts.Created
	f.report.Updated += counts.Updated
	f.report.Unchanged += counts.Unchanged
	clear(f.portion.rows)
	f.portion.rows, f.held, f.bytes = f.portion.rows[:0], 0, 0
	return nil
}
