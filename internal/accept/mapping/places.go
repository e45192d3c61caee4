package mapping

import (
	"io"
	"regexp"
	"strconv"
	"strings"

	"gangway/internal/accept/decode"
)

// An origin is what a member of a crew change was made of.
type origin struct {
	side string
	made map[string]any
	from map[string]any
}

var ofMember = regexp.MustCompile(`^(Onsigners|Offsigners)\[([0-9]+)\]\.?(.*)$`)

// memberOf parts the path of a field of a member: its side, its place on that side, and the field; not ok: it is
// none.
func memberOf(field string) (side string, i int, rest string, ok bool) {
	found := ofMember.FindStringSubmatch(field)
	if found == nil {
		return "", 0, "", false
	}
	i, err := strconv.Atoi(found[2])
	return strings.ToLower(found[1]), i, found[3], err == nil
}

// writtenAt returns where in a list of a record the i-th of its elements stands that are written: those that say
// nothing are not. -1: there are not so many.
func writtenAt(record any, list string, i int) int {
	members, _ := record.(map[string]any)
	elements, _ := members[list].([]any)
	for at, element := range elements {
		if !says(element) {
			continue
		}
		if i--; i < 0 {
			return at
		}
	}
	return -1
}

func lengthOf(record any, list string) int {
	members, _ := record.(map[string]any)
	elements, _ := members[list].([]any)
	return len(elements)
}

// says reports whether anything is written of a value.
func says(value any) bool {
	switch value := value.(type) {
	case nil:
		return false
	case string:
		return value != ""
	case map[string]any:
		for _, v := range value {
			if says(v) {
				return true
			}
		}
		return false
	}
	return true
}

// cellOf returns where the value of a column of a row stands.
func cellOf(row decode.Item, column string) decode.Place {
	if has, _ := row.HasColumn(column); has {
		return row.Cell(column)
	}
	return row.At
}

// placeWithin returns where an object within an item begins that a path leads to, or the last on the way there
// of which that is known.
func placeWithin(item decode.Item, value any, path string) decode.Place {
	if has, _ := item.HasColumn(path); has {
		return item.Cell(path)
	}
	place := item.PlaceOf(value)
	for name := range strings.SplitSeq(path, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			break
		}
		if value = object[name]; value == nil {
			break
		}
		if list, ok := value.([]any); ok && len(list) == 1 {
			value = list[0]
		}
		if at := item.PlaceOf(value); at != (decode.Place{}) {
			place = at
		}
	}
	return place
}

// locate is that of a record that was read by its names.
func (r *reader) locate(o outcome, field string) decode.Place {
	side, i, rest, ok := memberOf(field)
	if !ok || r.members == nil {
		return placeWithin(o.from, o.from.Value, r.sourceField(field))
	}
	for _, m := range r.origins {
		if m.side != side || !says(m.made) {
			continue
		}
		if i--; i < 0 {
			return placeWithin(o.from, m.from, r.members.sourceField(rest))
		}
	}
	return decode.Place{}
}

// listSources are what the elements of the lists of a record were made of. They are looked for only where
// something is wrong with one of them.
type listSources struct {
	record   int // of which they are
	elements map[string][]any
}

// locate is that of a record that a program made.
func (r *running) locate(o outcome, field string) decode.Place {
	side, i, rest, ok := memberOf(field)
	if !ok {
		return placeWithin(o.from, o.from.Value, r.program.fields.of(field))
	}
	list, _, _ := strings.Cut(field, "[")
	elements := r.elements(o.from.Value, list)
	if i = writtenAt(o.value, side, i); i < 0 || len(elements) != lengthOf(o.value, side) { // not one to one
		return decode.Place{}
	}
	return placeWithin(o.from, elements[i], r.program.fields.of(list+"[]."+rest))
}

// elements returns what the elements of a list of the record at hand were made of; nil where the program does
// not say.
func (r *running) elements(record any, list string) []any {
	s := &r.lists
	if s.record != r.records || s.elements == nil {
		s.record, s.elements = r.records, map[string][]any{}
	}
	if found, there := s.elements[list]; there {
		return found
	}
	s.elements[list] = nil
	if r.program.query(elementsPart+list) == nil || record == nil {
		return nil
	}
	req, most := r.request, r.runner.workers.Limits.Record
	req.part, req.values, req.guesses = elementsPart+list, []any{record}, nil // of which it was said
	answers, err := r.each.run(r.ctx, req, bounds{each: most, all: most})
	if err == nil && answers[0].failed == "" {
		s.elements[list] = answers[0].outputs
	}
	return s.elements[list]
}

// found are the values that find finds in a document that is one value.
type found struct {
	find   func() (whole decode.Item, values []any, err error)
	whole  decode.Item
	values []any
	begun  bool
	failed error
}

func (f *found) List() bool { return true }

func (f *found) Next() (decode.Item, error) {
	if !f.begun {
		f.begun = true
		f.whole, f.values, f.failed = f.find()
	}
	switch {
	case f.failed != nil:
		return decode.Item{At: f.whole.At}, f.failed
	case len(f.values) == 0:
		f.failed, f.whole = io.EOF, decode.Item{}
		return decode.Item{}, io.EOF
	}
	value := f.values[0]
	f.values = f.values[1:]
	return f.whole.Within(value), nil
}
