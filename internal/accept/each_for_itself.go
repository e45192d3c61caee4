package accept

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"gangway"
	"gangway/internal/accept/decode"
	"gangway/internal/store"
	"gangway/internal/wire"
)

// A Feed takes in one document for an account at an instant, each record for itself. An error comes
// from the reader, from ctx or from the database, never from the content of the document; records
// stored before it stay, and are in the report.
type Feed func(ctx context.Context, in store.Scoped, doc io.Reader, limits Limits, at time.Time) (Report, error)

// EachForItself takes in the valid records of a JSON array and leaves out the others. It reads the
// document as it arrives and stores it in portions, so that memory does not grow with its length,
// but for some 10 bytes a record by which duplicates are found: the first one stays. It is a Feed.
//
// A document that stops being JSON is broken, and nothing after that place can be trusted. The
// report says where it broke, and what came before is stored. Taking in the same document again
// changes nothing, so after an error or a broken document the caller simply starts over.
//
// Decided: docs/choices.md, "Records taken in each for itself".
func (k Kind[T]) EachForItself(ctx context.Context, in store.Scoped, doc io.Reader, limits Limits, at time.Time) (Report, error) {
	f := feed[T]{kind: k, in: in, at: at, outlook: outlookAt(at), seen: newIdentities()}
	f.from = source{next: decode.FromReader(doc, limits.Depth, mostBytes).Next, limit: limits.Records, leftOut: f.leaveOut}
	f.portion.asStored = k.rows
	err := f.read(ctx)
	f.report.Received = f.report.Created + f.report.Updated + f.report.Unchanged + f.report.Refused
	return f.report, err
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
	kind    Kind[T]
	in      store.Scoped
	at      time.Time
	outlook gangway.Outlook

	from    source
	seen    *identities // of the records that were taken
	portion portion[T]
	held    int              // records in it
	bytes   int              // of them
	said    gangway.Problems // warnings of the record at hand
	report  Report
}

func (f *feed[T]) read(ctx context.Context) error {
	for record, reading := range f.kind.read(f.from.values()) {
		if m := reading.Malformed; m != nil && !m.Alone {
			f.report.Broken = fmt.Sprintf("record %d: %s, at byte %d", reading.Record, m.Why, f.from.at.N+m.Byte)
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
		if f.from.came%breath == 0 {
			runtime.Gosched()
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	if err := f.store(ctx); err != nil {
		return err
	}
	return f.ended(f.from.err)
}

// ended notes that the document is broken, where that is why it ended.
func (f *feed[T]) ended(err error) error {
	var broken *decode.BrokenError
	switch {
	case errors.As(err, &broken):
		f.report.Broken = fmt.Sprintf("after record %d: %v", f.from.came-1, err)
		if f.from.came == 0 {
			f.report.Broken = err.Error()
		}
	case errors.Is(err, decode.ErrEmpty), errors.Is(err, decode.ErrNoArray):
		f.report.Broken = err.Error()
	case errors.Is(err, ErrTooMany):
		f.report.Broken = fmt.Sprintf("there are more than %d records", f.from.limit)
	case err != nil:
		return fmt.Errorf("read record %d: %w", f.from.came, err)
	}
	return nil
}

// take keeps a record that is right and was not there before, and notes why another is refused.
func (f *feed[T]) take(read *T, reading *wire.Reading) error {
	record, wrong := f.portion.last(read), &reading.Problems
	if m := reading.Malformed; m != nil {
		wrong.Add(m.Path, "The record cannot be read as JSON here, at byte %d: %s.", f.from.at.N+m.Byte, m.Why)
	}
	if reading.Checkable {
		f.kind.check(record, wrong, reading.Record, f.outlook.Today)
	}
	key, field := f.kind.identity(record)
	if wrong.Err() == nil && key != "" && f.seen.add(key) {
		wrong.Add(gangway.ProblemPath{Record: reading.Record}.Field(field), "This record is the same as one before it, which was taken.")
	}
	if wrong.Err() != nil {
		wrong.Sign((*record).IDAt)
		f.report.Refused++
		f.report.Problems.join(reading.Record, f.from.at, wrong)
		f.portion.drop()
		return nil
	}
	f.kind.warn(record, &f.said, reading.Record, f.outlook)
	if f.said.Err() != nil {
		f.said.Sign((*record).IDAt)
		f.report.Warnings.join(reading.Record, f.from.at, &f.said)
		f.said = gangway.Problems{}
	}
	f.held++
	f.bytes += f.from.size
	return f.portion.keep(f.from.size)
}

// leaveOut notes a record that was not even to be cut out of the document.
func (f *feed[T]) leaveOut(record int, err *decode.RecordError) (goOn bool) {
	f.report.Refused++
	f.report.Problems.add(Remark{Record: record, At: f.from.at.String(), Message: "The record cannot be read: " + err.Msg + "."})
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
	counts, err := f.kind.write(ctx, f.in, f.portion.rows, f.at)
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
