package mapping

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"

	"github.com/itchyny/gojq"
)

// running runs a program on a document.
type running struct {
	doc     Items
	mapping *Mapping
	machine *machine
	meter   *meter // the machine's
	program *program
	code    *gojq.Code
	asked   []any
	failed  error // the program cannot be run; io.EOF: all was read
	each    bool  // on each record of a list

	straight straight // the same without the interpreter; nil: the program is not straight

	outputs []any // of the record at hand
	row     int   // of them that were given out
	at      decode.Place
	fields  func(string) string
	from    decode.Item // the record at hand, where it became one
	lists   listSources

	mentioned map[string]bool // names that stand in the program, or do not

	records int
	sheets  []string  // of a workbook of several
	iter    gojq.Iter // of a program that needs all of the document
	list    []any     // that it put out
}

func newRunning(ctx context.Context, m *Mapping, doc Items, asked gangway.Ask) *running {
	used := m.machine(ctx)
	r := &running{doc: doc, mapping: m, machine: used, meter: used.meter, program: m.program}
	for _, text := range []string{asked.Surname, string(asked.From), string(asked.To), string(asked.Date)} {
		if text == "" {
			r.asked = append(r.asked, nil)
		} else {
			r.asked = append(r.asked, text)
		}
	}
	as := wholeProgram
	switch {
	case doc.List() && m.program.each != nil:
		r.each, as = true, eachRecord
		r.straight = straightOf(m.program.plain, used.functions, r.asked)
	case m.program.tail != nil:
		r.each, as = true, tailProgram
		r.doc = &found{running: r, doc: doc}
		r.straight = straightOf(m.program.plainTail, used.functions, r.asked)
	}
	r.code, r.failed = used.code(m.program, as)
	return r
}

func (r *running) next() (next outcome, err error) {
	switch {
	case r.failed != nil:
		return outcome{}, r.failed
	case r.each:
		next, err = r.nextOfList()
	default:
		next, err = r.nextOfWhole()
	}
	switch {
	case err == io.EOF:
		r.failed, r.iter = io.EOF, nil
		r.mapping.putBack(r.machine)
	case err != nil && !r.each:
		r.failed, r.iter, r.list = err, nil, nil
		r.meter.stop()
	}
	return next, err
}

// nextOfList returns what comes next of running the program on each record.
func (r *running) nextOfList() (outcome, error) {
	for r.row == len(r.outputs) {
		item, err := r.doc.Next()
		if err != nil {
			return outcome{at: item.At}, err
		}
		r.at, r.fields, r.from = item.At, r.program.fields.of, item
		if _, group := item.Value.([]any); group && r.program.tail != nil {
			r.fields = r.program.fields.ofGroup
		}
		if err := r.run(item.Value); err != nil {
			return outcome{at: item.At}, err
		}
		if len(r.outputs) != 1 {
			r.at, r.fields, r.from = decode.Place{}, nil, decode.Item{}
		}
	}
	r.row++
	return outcome{r.outputs[r.row-1], r.at, r.fields, r.from, r, nil}, nil
}

// run runs the program on a record.
func (r *running) run(value any) error {
	clear(r.outputs)
	r.outputs, r.row = r.outputs[:0], 0
	if r.records++; r.meter.spent > mostTimeList+time.Duration(r.records)*perRecord {
		return &decode.BrokenError{Why: errTime, At: r.at}
	}
	if r.records%1000 == 0 && r.meter.Context.Err() != nil {
		return r.meter.Context.Err()
	}
	if r.straight != nil {
		if made, ok := r.straight(value); ok {
			r.outputs = append(r.outputs, made)
			return nil
		}
	}
	r.meter.start(r.mapping.most)
	defer r.meter.stop()
	iter := r.code.RunWithContext(r.meter, value, r.asked...)
	for {
		out, ok := iter.Next()
		if !ok {
			return nil
		}
		if err, failed := out.(error); failed {
			r.outputs = r.outputs[:0]
			return r.failure(err)
		}
		switch out := out.(type) {
		case nil: // absent
		case []any:
			r.outputs = append(r.outputs, out...)
		default:
			r.outputs = append(r.outputs, out)
		}
		if len(r.outputs) > mostOutputs {
			r.outputs = r.outputs[:0]
			return &decode.RecordError{Msg: errOutputs.Error()}
		}
	}
}

// failure is an error of the program on one record, or that nobody waits any more.
func (r *running) failure(err error) error {
	var halt *gojq.HaltError
	switch {
	case r.meter.Context.Err() != nil:
		return r.meter.Context.Err()
	case errors.As(err, &halt) && halt.Value() == nil: // break, which ends a stream
		return nil
	}
	return &decode.RecordError{Msg: runError(err)}
}

// nextOfWhole returns what comes next of running the program on all of the document.
func (r *running) nextOfWhole() (outcome, error) {
	if r.iter == nil {
		whole, err := all(r.meter.Context, r.doc)
		if err != nil {
			return outcome{at: whole.At}, err
		}
		r.sheets = whole.Sheets()
		r.meter.start(mostTimeWhole)
		r.iter = r.code.RunWithContext(r.meter, whole.Value, r.asked...)
		if r.program.fields.oneToOne {
			r.fields = r.program.fields.of
		}
	}
	for len(r.list) == 0 {
		out, ok := r.iter.Next()
		if !ok {
			return outcome{}, io.EOF
		}
		if err, failed := out.(error); failed {
			if ctx := r.meter.Context.Err(); ctx != nil {
				return outcome{}, ctx
			}
			return outcome{}, &decode.BrokenError{Why: errors.New(runError(err) + aboutSheets(r.sheets))}
		}
		switch out := out.(type) {
		case nil: // absent
		case []any:
			r.list = out
		default:
			r.list = []any{out}
		}
	}
	value := r.list[0]
	r.list = r.list[1:]
	return outcome{value: value, fields: r.fields}, nil
}

// aboutSheets says what a program that fails on a workbook of several sheets was given.
func aboutSheets(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(`; the workbook has the sheets %.300s: name one in "sheet" of the format, or "*" for all their rows`,
		strings.Join(names, ", "))
}
