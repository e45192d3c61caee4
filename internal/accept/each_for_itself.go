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

// A Feed takes in one document for an account, from a source, each of its records
// for itself. Its error is that of the reader, of ctx or of the database, and
// never about what is in the document; what was stored before it stays, and the
// report tells of it.
type Feed func(ctx context.Context, in store.Scoped, doc io.Reader, limits Limits, from gangway.Origin) (Report, error)

// EachForItself takes in one document as a run of its own (Run.Take). It is a Feed.
func (k Kind[T]) EachForItself(ctx context.Context, in store.Scoped, doc io.Reader, limits Limits,
	from gangway.Origin) (Report, error) {
	return k.Run(in, from).Take(ctx, doc, limits)
}

// A Run is one run of a source: one document or several, whose records are taken
// in each for itself. A record that stands there twice counts once.
type Run[T identified] struct {
	kind  Kind[T]
	in    store.Scoped
	from  gangway.Origin
	seen  *identities // of the records that were taken
	wrong bool        // not all that the source has was read
}

// Run begins a run of a source; its generation is no other's (store.DB.Generation).
func (k Kind[T]) Run(in store.Scoped, from gangway.Origin) *Run[T] {
	return &Run[T]{kind: k, in: in, from: from, seen: newIdentities()}
}

// Take takes in those records of a JSON array that are right, and
// leaves out those that are not. It reads the document while it comes and stores
// it in portions, so that it takes the same memory however long it is, but for some 10
// bytes a record by which it sees that one stands there twice: the first stays.
//
// A document that stops being JSON is broken, and nothing after that place can be trusted. The
// report says where it broke, and what came before is stored. Taking in the same document again
// changes nothing, so after an error or a broken document the caller simply starts over.
//
// Decided: docs/choices.md, "Records taken in each for itself".
func (r *Run[T]) Take(ctx context.Context, doc io.Reader, limits Limits) (Report, error) {
	f := feed[T]{Run: r, warnWith: warningContext(r.from.SeenAt)}
	next := decode.FromReader(doc, limits.Depth, mostBytes).Next
	f.doc = source{next: next, limit: limits.Records, leftOut: f.leaveOut}
	f.portion.asStored = r.kind.rows
	err := f.read(ctx)
	f.report.Received = f.report.Created + f.report.Updated + f.report.Unchanged + f.report.Refused
	r.wrong = r.wrong || err != nil || f.report.Broken != ""
	return f.report, err
}

// DropRest drops what the source had before and has not brought in this run, of
// the days that it was asked for, and returns how much that was. Conflict: a
// document was not read to its end, so that nobody knows what the source has.
func (r *Run[T]) DropRest(ctx context.Context, of store.Days) (int, error) {
	if r.wrong {
		return 0, gangway.Errorf(gangway.Conflict, "not all that %s has was read: nothing is dropped", r.from.Source)
	}
	return r.kind.drop(ctx, r.in, r.from, of, r.seen.has)
}

// mostBytes is how long a record may be: longer than a crew change of as many
// members as there may be.
const mostBytes = 32 << 20

// So many records are stored at a time, or as many as have so many bytes: others
// who write to the same database wait for no more.
const (
	storedAtOnce      = 2000
	bytesStoredAtOnce = 4 << 20
)

// A feed is a document whose records are taken in each for itself.
type feed[T identified] struct {
	*Run[T]
	warnWith gangway.WarningContext

	doc     source
	portion portion[T]
	held    int              // records in it
	bytes   int              // of them
	said    gangway.Problems // warnings of the record at hand
	report  Report
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
		if f.doc.came%breath == 0 {
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

// ended notes that the document is broken, where that is why it ended.
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

// take keeps a record that is right and was not there before, and notes why another is refused.
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
			"This record is the same as one before it, which was taken.")
	}
	if wrong.Err() != nil {
		wrong.Sign((*record).IDAt)
		f.report.Refused++
		f.report.Problems.join(reading.Record, f.doc.at, wrong)
		f.portion.drop()
		return nil
	}
	f.kind.warn(record, &f.said, reading.Record, f.warnWith)
	if f.said.Err() != nil {
		f.said.Sign((*record).IDAt)
		f.report.Warnings.join(reading.Record, f.doc.at, &f.said)
		f.said = gangway.Problems{}
	}
	f.held++
	f.bytes += f.doc.size
	return f.portion.keep(f.doc.size)
}

// leaveOut notes a record that was not even to be cut out of the document.
func (f *feed[T]) leaveOut(record int, err *decode.RecordError) (goOn bool) {
	f.report.Refused++
	f.report.Problems.add(Remark{Record: record, At: f.doc.at.String(),
		Message: "The record cannot be read: " + err.Msg + "."})
	return true
}

// store stores what was kept since it was last called.
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
