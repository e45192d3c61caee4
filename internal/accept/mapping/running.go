package mapping

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"strings"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/background"
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
	stop    context.CancelFunc // of ctx
	runner  Runner
	each    Runner // for records of a list
	program *program
	request request // without values
	failed  error   // nothing more can be read; io.EOF: all was

	portion          // at hand: its records and answers that were not made use of yet
	ahead   *portion // that a worker has already; nil: none
	outputs []any    // of the record at hand
	row     int      // of them that were given out
	fields  func(string) string
	from    decode.Item // the record at hand, where it became one
	lists   listSources

	mentioned map[string]bool // names that stand in the program, or do not

	records int // that were begun
}

func newRunning(ctx context.Context, m *Mapping, runner Runner, doc Items, asked gangway.Ask, about guesses) *running {
	r := &running{doc: doc, runner: runner, each: runner, program: m.program, request: request{text: m.program.text,
		part: wholePart, now: m.now(), guesses: about,
		asked: [4]string{asked.Surname, string(asked.From), string(asked.To), string(asked.Date)}}}
	r.ctx, r.stop = context.WithCancel(ctx)
	if left := runner.workers.Limits.List; runner.left == nil { // but in a trial
		r.each.left = &left
	}
	switch {
	case doc.List() && m.program.each != nil:
		r.request.part = eachPart
	case m.program.tail != nil:
		r.request.part = tailPart
		r.doc = &found{find: func() (whole decode.Item, values []any, err error) {
			if whole, err = all(r.ctx, doc); err == nil {
				values, err = r.runOnWhole(headPart, whole)
			}
			return whole, values, err
		}}
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
	if err != nil && !errors.As(err, new(*decode.RecordError)) {
		r.failed = err
	}
	return next, err
}

// nextOfList returns what comes next of running the program on each record.
func (r *running) nextOfList() (outcome, error) {
	for r.row == len(r.outputs) {
		if len(r.items) == 0 {
			if err := r.askTogether(); err != nil {
				return outcome{at: r.at}, err
			}
		}
		item := r.items[0]
		r.records++
		r.at, r.fields, r.from = item.At, r.program.fields.of, item
		if len(r.answers) == 0 { // the worker was ended on this one
			return outcome{at: item.At}, r.after
		}
		made := r.answers[0]
		r.items, r.answers = r.items[1:], r.answers[1:]
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

// A portion is what goes to a worker at once.
type portion struct {
	items []decode.Item
	at    decode.Place // of the record at hand, or what comes after them
	after error        // what that is; nil: more records
	large bool         // it is one record that takes much memory: none is read ahead of it

	answered chan struct{} // closed once the rest is there
	answers  []answer
	guesses  guesses // that were made for them
	ended    error   // of the worker
}

// askTogether returns once a worker has run the program on the next records. Its error is what comes instead of them.
func (r *running) askTogether() error {
	if err := r.after; err != nil {
		if errors.As(err, new(*decode.RecordError)) {
			r.after = nil
		}
		return err
	}
	r.items, r.answers, r.from = nil, nil, decode.Item{} // not kept in memory beside the next ones
	clear(r.outputs)
	p := r.ahead
	if p == nil {
		p = r.send()
	}
	if r.ahead = nil; p.after == nil && !p.large {
		r.ahead = r.send()
	}
	<-p.answered
	r.portion = *p
	r.request.guesses.addAll(p.guesses)
	if p.ended != nil {
		r.after = p.ended
		r.stop()
	}
	if Spent(p.ended) {
		r.after = &decode.BrokenError{Why: p.ended, At: p.items[len(p.answers)].At}
	}
	if len(p.items) == 0 {
		return r.askTogether()
	}
	return nil
}

// send decodes the next records and has a worker run the program on them, once it has answered for those before.
func (r *running) send() *portion {
	p, req, bytes := &portion{answered: make(chan struct{}), guesses: guesses{}}, r.request, 0
	req.guesses = p.guesses
	for len(p.items) < mostTogether && bytes < mostBytesTogether && p.after == nil {
		item, err := r.doc.Next()
		if err != nil {
			p.at, p.after = item.At, err
			break
		}
		bytes += weigh(item.Value, mostBytesTogether, 0)
		p.items, req.values = append(p.items, item), append(req.values, item.Value)
	}
	p.large = len(p.items) == 1 && bytes > mostBytesTogether
	most := bounds{each: r.runner.workers.Limits.Record, all: math.MaxInt64}
	if r.runner.left == nil {
		most.more = time.Duration(len(p.items)) * r.runner.workers.Limits.PerRecord
	}
	go func() {
		defer close(p.answered)
		p.ended = background.Guard(slog.Default(), "map records", func() (err error) {
			if len(p.items) > 0 {
				p.answers, err = r.each.run(r.ctx, req, most)
			}
			return err
		})
	}()
	return p
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
	answers, err := r.runner.run(r.ctx, req, bounds{each: most, all: most})
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
