package mapping

import (
	"context"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
)

// guessing is the built-in mapping: it goes by the names of fields, in our own
// shapes or any other, and normalises only what can mean but one thing.
type guessing struct {
	ctx   context.Context
	flow  gangway.Flow
	reads *reader
	rows  *crewRows
	item  func() (decode.Item, error)
}

func newGuessing(ctx context.Context, m *Mapping, doc Items, about guesses) *guessing {
	g := &guessing{ctx: ctx, flow: m.flow, reads: newReader(m.flow, m.now())}
	if g.reads.guesses = about; g.reads.members != nil {
		g.reads.members.guesses = about
	}
	next := doc.Next
	if !doc.List() {
		next = (&found{find: func() (whole decode.Item, records []any, err error) {
			if whole, err = doc.Next(); err == nil {
				records = g.reads.recordsIn(whole.Value, whole.At.Unit == "line")
			}
			return whole, records, err
		}}).Next
	}
	g.item = lookAhead(next, func(item decode.Item) { // what letters of genders mean
		if record, ok := item.Value.(map[string]any); ok {
			g.reads.of(item).record(record)
			clear(about) // the record is read again
		}
	})
	return g
}

func (g *guessing) List() bool { return true }

// Next returns the next record of the document as it is.
func (g *guessing) Next() (decode.Item, error) { return g.item() }

func (g *guessing) next() (outcome, error) {
	if g.rows != nil {
		return g.rows.next()
	}
	item, err := g.Next()
	if err != nil {
		return outcome{at: item.At}, err
	}
	record, ok := item.Value.(map[string]any)
	if !ok {
		return outcome{value: item.Value, at: item.At}, nil
	}
	if g.flow == gangway.CrewChangesFlow && g.reads.isRow(record) {
		following := g.item
		g.item = func() (decode.Item, error) {
			g.item = following
			return item, nil
		}
		g.rows = &crewRows{ctx: g.ctx, rows: g, reads: g.reads}
		return g.rows.next()
	}
	value := g.reads.of(item).record(record)
	return outcome{value, item.At, g.reads.sourceField, item, g.reads, g.reads.rewritten}, nil
}
