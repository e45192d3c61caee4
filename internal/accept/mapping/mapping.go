// Package mapping turns the values of a document into records of canonical JSON
// in the interface's own names: by a customer's jq program, or by the names that
// crew systems usually give.
//
// It does not check what the values mean: package wire reads what comes out, and
// the nouns judge it. Documents come from package decode; package poll hands on
// what comes out here. Uploads in our own shape are read by package natural.
package mapping

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"

	"github.com/itchyny/gojq"
)

// A Mapping says how the values of documents become records of a flow. It can be
// used by several at the same time.
type Mapping struct {
	flow    gangway.Flow
	program *program // nil: by names
	now     func() time.Time
}

// Compile reads a jq program. An empty one is the built-in mapping: our own
// shapes in all their variants, and common spellings of names. The error is
// Invalid and says at which line and column the program is wrong.
func Compile(text string, flow gangway.Flow) (*Mapping, error) {
	m := &Mapping{flow: flow, now: time.Now}
	if blank(text) {
		return m, nil
	}
	var err error
	m.program, err = parseProgram(text)
	if err != nil {
		return nil, err
	}
	_, err = m.program.compile(m.program.whole, helpers(m.now(), nil))
	return m, err
}

// NeedsAll reports whether the records of a list are all needed before the first comes out.
func (m *Mapping) NeedsAll() bool {
	if m.program == nil {
		return m.flow == gangway.CrewChangesFlow
	}
	return m.program.each == nil
}

// Items are the values of a document, as *decode.Document has them.
type Items interface {
	List() bool
	Next() (decode.Item, error)
}

// Records are the records that a mapping makes of a document.
type Records struct {
	from    source
	out     encoder
	current outcome
	tables  tableCheck
	dates   *mixedDates
	doubts  func() []decode.Doubt // of the document; nil: there are none

	guesses  guesses
	coverage *Coverage // nil: nobody asks
}

// A source makes values of a document that are to become records.
type source interface {
	next() (outcome, error)
}

// An outcome is a value that is to become a record, where it comes from, and what
// the document calls its fields.
type outcome struct {
	value  any
	at     decode.Place
	fields func(path string) string // nil: not known
	from   decode.Item              // what it was made of
	places placer                   // nil: at is all that is known
	// rewritten are its values that were written otherwise, where somebody wants to know.
	rewritten []Rewritten
}

// A placer knows where the fields of an outcome stand in the document.
type placer interface {
	// locate returns where a field stands; the zero Place where nothing more is known than where the record begins.
	locate(o outcome, field string) decode.Place
}

// Records maps a document; the runner runs the program, if the mapping has one. The answer to a live call is mapped
// with what was asked for.
//
// A program that treats each record of a list by itself is run on each as it
// comes, so memory does not grow with the document; any other needs all of it.
func (m *Mapping) Records(ctx context.Context, runner Runner, doc Items, asked gangway.Ask) *Records {
	r := &Records{out: encoder{flow: m.flow}, guesses: guesses{}}
	if m.program != nil && m.program.each != nil {
		r.tables.reads = m.program.fields.paths
	}
	if d, ok := doc.(interface{ Doubts() []decode.Doubt }); ok {
		r.doubts = d.Doubts
	}
	r.dates = newMixedDates(lookedAt{doc, &r.tables}, m.now())
	doc = r.dates
	if m.program != nil {
		r.from = newRunning(ctx, m, runner, doc, asked, r.guesses)
	} else {
		r.from = newGuessing(ctx, m, doc, r.guesses)
	}
	return r
}

// Next returns the next record, which is valid until Next is called again, and
// io.EOF after the last. A *decode.RecordError is about one record alone;
// Record.At says where it stands in the document.
func (r *Records) Next() (decode.Record, error) {
	r.current = outcome{}
	next, err := r.from.next()
	if err != nil {
		return decode.Record{At: next.at}, err
	}
	r.current = next
	doc, err := r.out.record(next.value)
	if err == nil {
		r.coverage.look(doc, next)
	}
	return decode.Record{JSON: doc, At: next.at}, err
}

// Remarks are about the document rather than one of its records, once it was read: a column that the mapping
// reads and that is not there, and one that is there twice, which stand at the first record, and what was found out
// of the document or of its values and may be wrong.
func (r *Records) Remarks() (all []gangway.FeedRemark) {
	if r.doubts != nil {
		for _, d := range r.doubts() {
			remark := gangway.FeedRemark{At: d.At.String(), Message: d.Message}
			if d.Encoding != "" {
				remark.Field, remark.Value = gangway.EncodingField, d.Encoding
				remark.Message += ` Confirm it on the feed's page, or set "encoding" in the format.`
			}
			all = append(all, remark)
		}
	}
	if g, ok := r.from.(*guessing); ok {
		all = append(all, g.reads.notTaken()...)
	}
	return slices.Concat(all, r.tables.remarks(), r.dates.remarks(), r.guesses.remarks())
}

// SourceField returns what the document calls a field of the last record:
// "Geschlecht" for "Gender". It is empty where that is not known.
func (r *Records) SourceField(field string) string {
	if r.current.fields == nil {
		return ""
	}
	return r.current.fields(field)
}

// PlaceOf returns where a field of the last record stands, which began at at; field is its path: "Gender",
// "Onsigners[1].Dob".
func (r *Records) PlaceOf(field string, at decode.Place) decode.Place {
	if r.current.places == nil {
		return at
	}
	if found := r.current.places.locate(r.current, field); found != (decode.Place{}) {
		return found
	}
	return at
}

// blank reports whether a program says nothing.
func blank(text string) bool {
	query, err := gojq.Parse(text)
	return err != nil && strings.Trim(text, " \t\r\n") == "" ||
		err == nil && query.Term == nil && query.Left == nil && len(query.FuncDefs) == 0
}

// all reads all items of a document as one.
func all(ctx context.Context, doc Items) (decode.Item, error) {
	var list decode.Gathering
	spent := 0
	for n := 1; ; n++ {
		item, err := doc.Next()
		switch {
		case err == io.EOF && doc.List():
			return list.Item(), nil
		case err != nil || !doc.List():
			return item, err
		}
		if spent += weigh(item.Value, mostWhole, 0); spent > mostWhole {
			return item, &decode.BrokenError{Why: errWhole, At: item.At}
		}
		if list.Add(item); n%1000 == 0 && ctx.Err() != nil {
			return item, ctx.Err()
		}
	}
}
