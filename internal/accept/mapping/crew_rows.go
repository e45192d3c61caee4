package mapping

import (
	"context"
	"errors"
	"io"
	"strings"

	"gangway/internal/accept/decode"
)

// crewRows makes crew changes of a table that has a row for each member: rows of
// the same request, or else of the same vessel, flag and date, are one crew change.
// They come in the order of their first rows. All of the table is read first: nothing
// says that its rows are in order.
type crewRows struct {
	ctx     context.Context
	rows    Items
	reads   *reader
	read    bool
	changes []*change
}

// A change is a crew change of which rows were read.
type change struct {
	value map[string]any
	at    decode.Place
	err   error                    // of a row that is no member
	rows  map[string][]decode.Item // of the members of each side, without their values

	rewritten []Rewritten
}

// changeFields are the columns that say of which crew change a row is.
var changeFields = []string{"vessel", "flag", "change_date", "travel_request_id"}

func (c *crewRows) next() (outcome, error) {
	if !c.read {
		if err := c.readAll(); err != nil {
			return outcome{}, err
		}
		c.read = true
	}
	if len(c.changes) == 0 {
		return outcome{}, io.EOF
	}
	next := c.changes[0]
	c.changes = c.changes[1:]
	return outcome{next.value, next.at, c.sourceField, decode.Item{}, placesOf{c, next}, next.rewritten}, next.err
}

// placesOf are where the members of a crew change stand: each in its row.
type placesOf struct {
	*crewRows
	change *change
}

func (p placesOf) readNames(from decode.Item, note func(name string, read bool)) {
	p.reads.readNames(from, note)
}

func (p placesOf) locate(o outcome, field string) decode.Place {
	side, i, rest, ok := memberOf(field)
	rows := p.change.rows[side]
	if i = writtenAt(o.value, side, i); !ok || i < 0 || i >= len(rows) {
		return decode.Place{}
	}
	return cellOf(rows[i], p.reads.ownField(rest))
}

// sourceField returns the column that a field comes from: those of a member stand in the same row as those
// of its crew change.
func (c *crewRows) sourceField(path string) string {
	if _, field, inside := strings.Cut(path, "]."); inside {
		path = field
	}
	return c.reads.ownField(path)
}

func (c *crewRows) readAll() error {
	of := map[[3]string]*change{}
	spent := 0
	for n := 1; ; n++ {
		item, err := c.rows.Next()
		var alone *decode.RecordError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &alone):
			c.changes = append(c.changes, &change{at: item.At, err: alone})
			continue
		case err != nil:
			return err
		}
		if n%1000 == 0 && c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		if spent += weigh(item.Value, mostWhole, 0); spent > mostWhole {
			return &decode.BrokenError{Why: errWhole, At: item.At}
		}
		c.row(of, item)
	}
}

// row adds a row to its crew change.
func (c *crewRows) row(of map[[3]string]*change, item decode.Item) {
	record, ok := item.Value.(map[string]any)
	if !ok {
		c.changes = append(c.changes, &change{value: nil, at: item.At})
		return
	}
	member := c.reads.of(item).record(record)
	part := map[string]any{}
	text := func(name string) string { s, _ := member[name].(string); return s }
	key := [3]string{text("travel_request_id")}
	if key[0] == "" {
		key = [3]string{text("vessel"), text("flag"), text("change_date")}
	}
	side := sideOf(member)
	for _, name := range changeFields {
		if value := member[name]; value != nil && value != "" {
			part[name] = value
		}
		delete(member, name)
	}
	if side == "" {
		msg := "its side must be on or off"
		if text("side") == "" {
			msg = "its side, on or off, is missing"
		}
		c.changes = append(c.changes, &change{at: item.At, err: &decode.RecordError{Msg: msg}})
		return
	}
	delete(member, "side")
	ch := of[key]
	if ch == nil || key == [3]string{} {
		ch = &change{value: part, at: item.At, rows: map[string][]decode.Item{}}
		of[key] = ch
		c.changes = append(c.changes, ch)
	}
	for name, value := range part {
		if _, there := ch.value[name]; !there {
			ch.value[name] = value
		}
	}
	if ch.at != item.At { // no longer one row
		ch.at = decode.Place{}
	}
	list, _ := ch.value[side].([]any)
	ch.value[side] = append(list, any(member))
	item.Value = nil
	ch.rows[side] = append(ch.rows[side], item)
	ch.rewritten = append(ch.rewritten, rewrittenOf(side, len(list), c.reads.rewritten)...)
}

// sideOf returns on which side a member is: as it says, or else whoever only
// arrives joins, and whoever only departs leaves.
func sideOf(member map[string]any) string {
	if said, ok := member["side"].(string); ok && said != "" {
		return sides[bare(said)]
	}
	arrives, departs := member["arrive"], member["depart"]
	there := func(v any) bool { return v != nil && v != "" }
	switch {
	case there(arrives) && !there(departs):
		return "onsigners"
	case there(departs) && !there(arrives):
		return "offsigners"
	}
	return ""
}
