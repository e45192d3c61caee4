package mapping

import (
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gangway/internal/accept/decode"

	"github.com/itchyny/gojq"
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
	codes    map[string]*gojq.Code // what finds them; nil: it cannot be found
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
	code := r.elementsCode(list)
	if code == nil || record == nil {
		return nil
	}
	r.meter.start(mostTime)
	defer r.meter.stop()
	var found []any
	for iter := code.RunWithContext(r.meter, record, r.asked...); len(found) <= mostOutputs; {
		element, ok := iter.Next()
		if !ok {
			s.elements[list] = found
			break
		}
		if _, failed := element.(error); failed {
			break
		}
		found = append(found, element)
	}
	return s.elements[list]
}

// elementsCode is the part of the program that finds what the elements of a list are made of.
func (r *running) elementsCode(list string) *gojq.Code {
	if code, known := r.lists.codes[list]; known {
		return code
	}
	if r.lists.codes == nil {
		r.lists.codes = map[string]*gojq.Code{}
	}
	r.lists.codes[list] = nil
	query, made := r.program.fields.lists[list], r.program.plain
	if r.program.tail != nil {
		made = r.program.plainTail
	}
	if query == nil || made == nil {
		return nil
	}
	steps := pipe(made)
	b := &bounding{text: r.program.text}
	query = b.program(pipeOf(append(steps[:len(steps)-1:len(steps)-1], query)))
	if b.err == nil {
		if code, err := r.program.code(query, r.meter, r.machine.functions); err == nil {
			r.lists.codes[list] = code
		}
	}
	return r.lists.codes[list]
}

// found are the records that the head of a program finds in a document.
type found struct {
	*running
	doc    Items
	whole  decode.Item
	values []any
	begun  bool
	failed error
}

func (f *found) List() bool { return true }

func (f *found) Next() (decode.Item, error) {
	if !f.begun {
		f.begun, f.failed = true, f.find()
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

// find runs the head of the program.
func (f *found) find() (err error) {
	code, err := f.machine.code(f.program, headProgram)
	if err != nil {
		return err
	}
	if f.whole, err = all(f.meter.Context, f.doc); err != nil {
		return err
	}
	f.meter.start(mostTimeWhole)
	defer f.meter.stop()
	iter := code.RunWithContext(f.meter, f.whole.Value, f.asked...)
	for {
		value, ok := iter.Next()
		if !ok {
			return nil
		}
		if err, failed := value.(error); failed {
			if ctx := f.meter.Context.Err(); ctx != nil {
				return ctx
			}
			return &decode.BrokenError{Why: errors.New(runError(err) + aboutSheets(f.whole.Sheets()))}
		}
		f.values = append(f.values, value)
	}
}
