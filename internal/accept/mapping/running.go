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
)

// What goes to a worker at once.
const (
	mostTogether      = 250 // records
	mostBytesTogether = 512 << 10
)

// running has a worker run a program on a document.
type running struct {
	ctx     context.Context
	doc     Items
	runner  Runner
	program *program
	request request // without values
	failed  error   // nothing more can be read; io.EOF: all was

	together []decode.Item // the records that went to the worker last
	answers  []answer      // that came for them
	after    error         // what comes after them
	outputs  []any         // of the record at hand
	row      int           // of them that were given out
	at       decode.Place
	fields   func(string) string
	from     decode.Item // the record at hand, where it became one
	lists    listSources

	mentioned map[string]bool // names that stand in the program, or do not

	records int           // that were begun
	spent   time.Duration // of the worker's processor time
}

func newRunning(ctx context.Context, m *Mapping, runner Runner, doc Items, asked gangway.Ask, about guesses) *running {
	r := &running{ctx: ctx, doc: doc, runner: runner, program: m.program, request: request{text: m.program.text,
		part: wholePart, now: m.now(), guesses: about,
		asked: [4]string{asked.Surname, string(asked.From), string(asked.To), string(asked.Date)}}}
	switch {
	case doc.List() && m.program.each != nil:
		r.request.part = eachPart
	case m.program.tail != nil:
		r.request.part = tailPart
		r.doc = &found{running: r, doc: doc}
	}
	return r
}

func (r *running) next() (outcome, error) {
	if r.failed != nil {
		return outcome{}, r.failed
	}
	if r.request.part == wholePart {
		return r.nextOfWhole()
	}
	next, err := r.nextOfList()
	var alone *decode.RecordError
	if err != nil && !errors.As(err, &alone) {
		r.failed = err
	}
	return next, err
}

// nextOfList returns what comes next of running the program on each record.
func (r *running) nextOfList() (outcome, error) {
	for r.row == len(r.outputs) {
		if len(r.together) == 0 {
			if err := r.askTogether(); err != nil {
				return outcome{at: r.at}, err
			}
		}
		item := r.together[0]
		r.records++
		r.at, r.fields, r.from = item.At, r.program.fields.of, item
		if len(r.answers) == 0 { // the worker was ended on this one
			return outcome{at: item.At}, r.after
		}
		made := r.answers[0]
		r.together, r.answers = r.together[1:], r.answers[1:]
		r.outputs, r.row = r.outputs[:0], 0
		if made.failed != "" {
			return outcome{at: item.At}, &decode.RecordError{Msg: made.failed}
		}
		if _, group := item.Value.([]any); group && r.program.tail != nil {
			r.fields = r.program.fields.ofGroup
		}
		r.outputs = flat(r.outputs, made.outputs)
		if len(r.outputs) > mostOutputs {
			r.outputs = r.outputs[:0]
			return outcome{at: item.At}, &decode.RecordError{Msg: errOutputs.Error()}
		}
		if len(r.outputs) != 1 {
			r.at, r.fields, r.from = decode.Place{}, nil, decode.Item{}
		}
	}
	r.row++
	return outcome{r.outputs[r.row-1], r.at, r.fields, r.from, r, nil}, nil
}

// flat appends what a program put out, the elements of lists one by one, and nothing of null.
func flat(to, outputs []any) []any {
	for _, out := range outputs {
		switch out := out.(type) {
		case nil: // absent
		case []any:
			to = append(to, out...)
		default:
			to = append(to, out)
		}
	}
	return to
}

// askTogether has a worker run the program on the next records. Its error is what comes instead of them.
func (r *running) askTogether() error {
	if err := r.after; err != nil {
		var alone *decode.RecordError
		if errors.As(err, &alone) {
			r.after = nil
		}
		return err
	}
	r.together = r.together[:0:0]
	req, bytes := r.request, 0
	for len(req.values) < mostTogether && bytes < mostBytesTogether && r.after == nil {
		item, err := r.doc.Next()
		if err != nil {
			r.at, r.after = item.At, err
			break
		}
		bytes += weigh(item.Value, mostBytesTogether, 0)
		r.together, req.values = append(r.together, item), append(req.values, item.Value)
	}
	if len(req.values) == 0 {
		return r.askTogether()
	}
	limits := r.runner.workers.Limits
	most := bounds{each: limits.Record,
		all: limits.List + time.Duration(r.records+len(req.values))*limits.PerRecord - r.spent}
	answers, used, err := r.runner.run(r.ctx, req, most)
	r.answers, r.spent = answers, r.spent+used
	switch {
	case Spent(err):
		r.after = &decode.BrokenError{Why: err, At: r.together[len(answers)].At}
	case err != nil:
		r.after = err
	}
	return nil
}

// nextOfWhole returns what comes next of running the program on all of the document.
func (r *running) nextOfWhole() (outcome, error) {
	if r.records == 0 {
		r.records = 1
		whole, err := all(r.ctx, r.doc)
		if err != nil {
			r.failed = err
			return outcome{at: whole.At}, err
		}
		if r.outputs, r.failed = r.runOnWhole(wholePart, whole); r.failed != nil {
			return outcome{}, r.failed
		}
		r.outputs = flat(nil, r.outputs)
		if r.program.fields.oneToOne {
			r.fields = r.program.fields.of
		}
	}
	if len(r.outputs) == 0 {
		r.failed = io.EOF
		return outcome{}, io.EOF
	}
	value := r.outputs[0]
	r.outputs = r.outputs[1:]
	return outcome{value: value, fields: r.fields}, nil
}

// runOnWhole returns what a part of the program makes of all of the document.
func (r *running) runOnWhole(part string, whole decode.Item) ([]any, error) {
	req := r.request
	req.part, req.values = part, []any{whole.Value}
	most := r.runner.workers.Limits.Whole
	answers, _, err := r.runner.run(r.ctx, req, bounds{each: most, all: most})
	switch {
	case Spent(err):
		return nil, &decode.BrokenError{Why: err}
	case err != nil:
		return nil, err
	case answers[0].failed != "":
		return nil, &decode.BrokenError{Why: errors.New(answers[0].failed + aboutSheets(whole.Sheets()))}
	}
	return answers[0].outputs, nil
}

// aboutSheets says what a program that fails on a workbook of several sheets was given.
func aboutSheets(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(`; the workbook has the sheets %.300s: name one in "sheet" of the format, or "*" for all their rows`,
		strings.Join(names, ", "))
}
