package accept

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"strings"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/wire"

	"github.com/go-json-experiment/json/jsontext"
)

// Sourced are records that were mapped from something else.
type Sourced interface {
	// SourceField returns what the customer calls a field of the last record:
	// "Geschlecht" for "Gender"; empty where that is not known.
	SourceField(field string) string
}

// Remarking are records of which there is something to say that is about no single one.
type Remarking interface {
	// Remarks stand at the first record of the document.
	Remarks() []gangway.FeedRemark
}

// A Run takes in what one run of a feed brings, in one document or several, each
// record for itself. Take reads and checks it; Apply stores it. A Run is of use
// once, and is closed after it.
type Run interface {
	// Take reads a document to its end and keeps its records for Apply. A record
	// that is the same as one before, in this document or another, is refused.
	// An error is that of the document, in a sentence for whoever sent it
	// (*BrokenError), of the reader or of ctx; the run is then of no use any more.
	Take(ctx context.Context, doc Records) error
	// Keep has the run keep the first n records that it takes, and the first n of the others
	// that there is something to say about; Examples returns them in their order.
	Keep(n int)
	Examples() []Example
	// Count has the run count in p what it takes and stores, from now on.
	Count(p *Progress)
	// Report says what was taken so far, and since Apply what was stored.
	Report() Report
	// Apply stores what was taken, in portions. What it was interrupted in can be
	// applied again, by another run of the same generation.
	Apply(ctx context.Context) error
	// Rest says how many of the records that the source had before DropRest would drop, if all were asked for, and
	// drops none.
	Rest(ctx context.Context) (gone, had int, err error)
	// DropRest drops what the source had before and has not brought in this run,
	// of the days that it was asked for, and returns how much that was.
	DropRest(ctx context.Context, of store.Days) (int, error)
	io.Closer
}

// An Example is a record that a run has taken, or refused.
type Example struct {
	Record  int // among those of the run, from 0
	At      decode.Place
	JSON    jsontext.Value // as it is stored, in the interface's spelling, or as it was refused; nil: it cannot be read
	Refused bool
}

// A BrokenError says where and why a document could not be read any further.
type BrokenError struct{ error }

// Unwrap returns why.
func (e *BrokenError) Unwrap() error { return e.error }

// NewRun begins a run of a feed's flow for an account: of records that the feed
// was asked for. Its generation is no other's, but that of a run which it goes on with.
func NewRun(flow gangway.Flow, in store.Scoped, from gangway.Origin, asked gangway.Ask, limits Limits) Run {
	return kindOf(flow).run(in, from, asked, limits)
}

// A run is a Run of one kind of record.
type run[T identified] struct {
	brings Kind[T]
	in     store.Scoped
	from   gangway.Origin
	asked  gangway.Ask
	limits Limits

	seen     identities     // of the records that were taken
	refused  identities     // of those that were not: a good one may come yet
	ships    map[string]int // how many crew changes without an identifier came for a ship
	taken    spool
	report   Report
	came     int // records of all documents
	keeps    int // examples
	examples []Example
	whole    int  // examples that were among the first to be taken
	marked   int  // examples that there was something to say about
	wrong    bool // not all that the source has was read
	progress *Progress
}

func (k Kind[T]) run(in store.Scoped, from gangway.Origin, asked gangway.Ask, limits Limits) Run {
	r := &run[T]{brings: k, in: in, from: from, asked: asked, limits: limits, seen: identities{}, refused: identities{},
		ships: map[string]int{}, progress: new(Progress)}
	r.in = in.Sending(store.Sending{Has: r.brought, ByCall: asked.Date != "", Told: func(_, words string) {
		r.report.Warnings.add(gangway.FeedRemark{Message: words, Whole: true})
	}})
	return r
}

func (r *run[T]) Report() Report { return r.report }

func (r *run[T]) Keep(n int) { r.keeps = n }

func (r *run[T]) Count(p *Progress) { r.progress = p }

func (r *run[T]) Examples() []Example { return r.examples }

func (r *run[T]) Close() error { return r.taken.close() }

func (r *run[T]) Take(ctx context.Context, doc Records) error {
	r.wrong = true // until it was read to its end
	d := document[T]{run: r, intake: newIntake(r.brings, r.brings.fed, doc, r.limits, r.from.SeenAt)}
	d.source.came, d.source.leftOut = r.came, d.leaveOut
	d.fields, _ = doc.(Sourced)
	err := d.read(ctx)
	if err == nil {
		d.remark(doc)
		r.wrong = false
	}
	r.came = d.source.came
	return err
}

// remark notes what there is to say about a document as a whole.
func (d *document[T]) remark(doc Records) {
	var remarks []gangway.FeedRemark
	if about, ok := doc.(Remarking); ok {
		remarks = about.Remarks()
	}
	if d.twice > 0 {
		remarks = append(remarks, gangway.FeedRemark{At: d.twiceAt,
			Message: fmt.Sprintf("Letters of names seem to have been encoded twice (%d). They are stored as they "+
				"came: %s.", d.twice, strings.Join(d.twiceSaid, ", "))})
	}
	for _, remark := range remarks {
		remark.Record, remark.Whole = d.came, true
		d.report.Warnings.add(remark)
	}
}

// Identities are those of records, each as a 64-bit hash: it takes a quarter of the memory, and in one of forty million
// documents of a million records, two different identities have the same one.
type identities map[uint64]struct{}

var hashSeed = maphash.MakeSeed()

// add adds an identity and reports whether it was there before.
func (s identities) add(key string) (there bool) {
	there = s.has(key)
	s[maphash.String(hashSeed, key)] = struct{}{}
	return there
}

// has reports whether an identity is there.
func (s identities) has(key string) bool {
	_, there := s[maphash.String(hashSeed, key)]
	return there
}

// brought reports whether the run has brought a record, be it refused: what was stored of it is not gone.
func (r *run[T]) brought(identity string) bool {
	return r.seen.has(identity) || r.refused.has(identity)
}

func (r *run[T]) Apply(ctx context.Context) error {
	if r.wrong {
		return gangway.Errorf(gangway.Conflict, "not all that %s has was read: nothing is stored", r.from.Source)
	}
	return r.taken.each(func(rows []store.Row) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		counts, err := r.brings.write(r.in, ctx, rows, r.from)
		r.report.Created += counts.Created
		r.report.Updated += counts.Updated
		r.report.Unchanged += counts.Unchanged
		r.progress.Stored.Add(int64(len(rows)))
		return err
	})
}

func (r *run[T]) Rest(ctx context.Context) (gone, had int, err error) {
	away := map[string]int{} // crew changes of a ship
	_, err = r.brings.drop(ctx, r.in, r.from, store.Days{}, func(identity string) bool {
		ship := gangway.ShipIn(identity)
		switch had++; {
		case r.seen.has(identity):
			if ship != "" {
				r.ships[ship]--
			}
		case r.refused.has(identity):
		case ship != "":
			away[ship]++
		default:
			gone++
		}
		return true
	})
	for ship, n := range away { // what came for other dates may be those, moved
		gone += max(0, n-r.ships[ship])
	}
	return gone, had, err
}

func (r *run[T]) DropRest(ctx context.Context, of store.Days) (int, error) {
	if r.wrong {
		return 0, gangway.Errorf(gangway.Conflict, "not all that %s has was read: nothing is dropped", r.from.Source)
	}
	return r.brings.drop(ctx, r.in, r.from, of, r.brought)
}

// A document is one document of a run while it is read.
type document[T identified] struct {
	intake[T]
	*run[T]
	fields Sourced // nil: its records are as they came

	twice     int      // names whose letters seem to have been encoded twice
	twiceAt   string   // where the first of them stands
	twiceSaid []string // the first of them, and where they stand
}

// noteTwice notes a name whose letters seem to have been encoded twice. Three are shown.
func (d *document[T]) noteTwice(path, name string) {
	if d.twice++; d.twice <= 3 {
		_, field, _ := strings.Cut(path, "].")
		at := fmt.Sprint(d.placeOf(field))
		d.twiceAt = cmp.Or(d.twiceAt, at)
		d.twiceSaid = append(d.twiceSaid, fmt.Sprintf("“%s” (%s)", shown(name), at))
	}
}

func (d *document[T]) read(ctx context.Context) error {
	if err := d.readAll(ctx, d.take); err != nil {
		return err
	}
	if err := d.ended(d.source.err); err != nil {
		return err
	}
	if err := d.portion.writeDown(); err != nil {
		return err
	}
	return d.keep()
}

// keep puts aside the rows that are ready.
func (d *document[T]) keep() error {
	err := d.taken.add(d.portion.rows)
	clear(d.portion.rows)
	d.portion.rows = d.portion.rows[:0]
	return err
}

// ended says what is wrong with the document, where that is why it ended.
func (d *document[T]) ended(err error) error {
	var broken *decode.BrokenError
	switch {
	case errors.As(err, &broken) && d.source.came > d.came:
		return &BrokenError{fmt.Errorf("after record %d: %w", d.source.came-1, err)}
	case errors.As(err, &broken), errors.Is(err, decode.ErrEmpty), errors.Is(err, decode.ErrNoArray):
		return &BrokenError{err}
	case errors.Is(err, ErrTooMany):
		return &BrokenError{fmt.Errorf("there are more than %d records", d.source.limit)}
	case err != nil:
		return fmt.Errorf("read record %d: %w", d.source.came, err)
	}
	return nil
}

// take keeps a record, without what is wrong with it, or notes why it is refused.
func (d *document[T]) take(record *T, reading *wire.Reading) error {
	m, at := reading.Malformed, gangway.ProblemPath{Record: reading.Record}
	if m != nil && !m.Alone {
		return &BrokenError{fmt.Errorf("record %d: %s, at byte %d", reading.Record, m.Why, d.source.at.N+m.Byte)}
	}
	d.progress.Taken.Store(int64(d.source.came))
	d.report.Received++
	if m != nil {
		reading.Problems.Add(m.Path, "The record cannot be read as JSON here, at byte %d: %s.", d.source.at.N+m.Byte,
			m.Why)
		d.source.value = nil // what it says is not to be relied on
		d.refuse(record, reading.Record, &reading.Problems)
		return nil
	}
	d.check(record, reading)
	if reading.Checkable && !d.kind.asked(record, d.asked) {
		d.report.Received--
		d.report.Passed++
		return nil
	}
	if reading.Checkable {
		d.of.CheckLetters(record, &reading.Problems, at, d.noteTwice)
	}
	doc := d.source.value
	var out leftOut
	if reading.Problems.Err() != nil {
		d.sign(&reading.Problems, record)
		var whole *T
		if out, whole, doc = d.withoutWrong(reading); whole == nil {
			d.refuse(record, reading.Record, &reading.Problems)
			return nil
		}
		record = whole
	}
	key, field := d.kind.identity(record)
	if d.seen.add(key) {
		var twice gangway.Problems
		twice.Add(at.Field(field), "This record is the same as an earlier one, which was taken.")
		d.refuse(record, reading.Record, &twice)
		return nil
	}
	if ship := gangway.ShipIn(key); ship != "" {
		d.ships[ship]++
	}
	d.report.leave(out)
	d.example(reading.Record, doc, false, !out.nothing())
	if err := d.portion.keep(record, d.source.size); err != nil || len(d.portion.rows) == 0 {
		return err
	}
	return d.keep()
}

// check fills in what the record has from what was asked, and notes what is wrong with it.
func (d *document[T]) check(record *T, reading *wire.Reading) {
	if reading.Checkable && d.kind.fill != nil {
		d.kind.fill(record, d.asked)
	}
	d.intake.check(record, reading)
}

// refuse notes why a record is not stored.
func (d *document[T]) refuse(record *T, number int, wrong *gangway.Problems) {
	d.sign(wrong, record)
	key, _ := d.kind.identity(record)
	d.refused.add(key)
	d.report.Refused++
	d.report.Problems.join(number, d.placeOf, wrong, d.sourceField, d.source.value)
	d.example(number, d.source.value, true, true)
}

// example keeps a record where it is among the first that are taken, or that there is something to say about.
func (d *document[T]) example(record int, doc jsontext.Value, refused, marked bool) {
	switch {
	case !refused && d.whole < d.keeps:
		d.whole++
	case marked && d.marked < d.keeps:
		d.marked++
	default:
		return
	}
	d.examples = append(d.examples, Example{record, d.source.at, bytes.Clone(doc), refused})
}

// leaveOut notes a record that was not even to be cut out of the document.
func (d *document[T]) leaveOut(record int, err *decode.RecordError) (goOn bool) {
	d.report.Received++
	d.report.Refused++
	d.report.Problems.add(gangway.FeedRemark{Record: record, At: d.source.at.String(),
		Message: "The record cannot be read: " + err.Msg + "."})
	d.example(record, nil, true, true)
	return true
}

// sourceField returns what the customer calls a field of the record at hand.
func (d *document[T]) sourceField(field string) string {
	if d.fields == nil {
		return ""
	}
	return d.fields.SourceField(field)
}
