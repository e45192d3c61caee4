package accept

import (
	"encoding/json"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
	"gangway/internal/wire"

	"github.com/go-json-experiment/json/jsontext"
)

// What people can fill in is left out of a record where it is wrong, and noted:
// the person is suggested, the journey planned all the same.
//
// Decided: docs/choices.md, "Records taken in each for itself".

// leftOut is what a record was taken without.
type leftOut struct {
	values  []gangway.FeedRemark
	members []gangway.FeedRemark // of a crew change
}

func (l leftOut) nothing() bool { return len(l.values)+len(l.members) == 0 }

// leave notes what a record that is taken was taken without.
func (r *Report) leave(out leftOut) {
	r.Members += len(out.members)
	for _, remark := range out.members {
		r.Problems.add(remark)
	}
	for _, remark := range out.values {
		r.Warnings.add(remark)
	}
	if len(out.values) > 0 {
		r.Warned++
	}
}

// withoutWrong returns the record at hand without the values that are wrong, read
// and as canonical JSON, and says which they are. Nil: what it must have is wrong or missing.
func (d *document[T]) withoutWrong(reading *wire.Reading) (out leftOut, record *T, doc jsontext.Value) {
	if _, all := reading.Problems.Fields[gangway.ProblemPath{Record: reading.Record}.Field("")]; all {
		return leftOut{}, nil, nil // then nothing in it can be left out; it may be large
	}
	tree, err := decode.Value(d.source.value)
	if err != nil {
		return leftOut{}, nil, nil
	}
	var left, gone []gangway.FeedRemark
	for at := range d.wrongFields(reading) {
		if member, inside := memberOf(at.Field); inside && mustHave(at.Field) {
			if !slices.ContainsFunc(gone, func(r gangway.FeedRemark) bool { return sameMember(r.Field, member) }) {
				gone = append(gone, at)
			}
			continue
		}
		value, there := cut(tree, at.Field)
		if !there || at.Field == d.kind.fills {
			return leftOut{}, nil, nil // a day that cannot be read is not the one that was asked for
		}
		at.Value = shown(value)
		left = append(left, at)
	}
	for _, r := range lastFirst(gone) {
		member, _ := memberOf(r.Field)
		if _, there := cut(tree, member); !there {
			return leftOut{}, nil, nil
		}
	}
	doc, err = json.Marshal(tree)
	if err != nil {
		return leftOut{}, nil, nil
	}
	again, ok := d.readAgain(doc, reading.Record)
	if !ok {
		return leftOut{}, nil, nil
	}
	left = slices.DeleteFunc(left, func(r gangway.FeedRemark) bool { // it went with its member
		member, inside := memberOf(r.Field)
		return inside &&
			slices.ContainsFunc(gone, func(g gangway.FeedRemark) bool { return sameMember(g.Field, member) })
	})
	return leftOut{left, gone}, again, doc
}

// wrongFields yields the fields of a record that something is wrong with, and the
// first sentence about each.
func (d *document[T]) wrongFields(reading *wire.Reading) iter.Seq[gangway.FeedRemark] {
	whole := gangway.ProblemPath{Record: reading.Record}.Field("")
	return func(yield func(gangway.FeedRemark) bool) {
		for _, path := range slices.Sorted(maps.Keys(reading.Problems.Fields)) {
			field := strings.TrimPrefix(strings.TrimPrefix(path, whole), ".")
			if !yield(gangway.FeedRemark{Record: reading.Record, At: d.placeOf(field).String(), Field: field,
				SourceField: d.sourceField(field), Message: reading.Problems.Fields[path][0]}) {
				return
			}
		}
	}
}

// readAgain reads and checks a record that was mended. Not ok: it is wrong still.
func (d *document[T]) readAgain(doc jsontext.Value, number int) (record *T, ok bool) {
	values := func(yield func(int, jsontext.Value) bool) { yield(number, doc) }
	for record, reading := range d.kind.read(values) {
		if reading.Malformed != nil || !reading.Checkable {
			return nil, false
		}
		d.check(record, reading)
		return record, reading.Problems.Err() == nil
	}
	return nil, false
}

// aMember finds the member of a crew change in a field's path.
var aMember = regexp.MustCompile(`^(Onsigners|Offsigners)\[([0-9]+)\]`)

// memberOf returns the path of the member in whose record a field stands.
func memberOf(field string) (member string, inside bool) {
	member = aMember.FindString(field)
	return member, member != ""
}

func sameMember(field, member string) bool {
	other, _ := memberOf(field)
	return other == member
}

// lastFirst returns remarks on members in the order in which these can be cut out of their lists.
func lastFirst(list []gangway.FeedRemark) []gangway.FeedRemark {
	place := func(r gangway.FeedRemark) int {
		n, _ := strconv.Atoi(aMember.FindStringSubmatch(r.Field)[2])
		return n
	}
	return slices.SortedFunc(slices.Values(list), func(a, b gangway.FeedRemark) int { return place(b) - place(a) })
}

// mustHave reports whether a member of a crew change is refused where a field is
// wrong: its names, or all of it.
func mustHave(field string) bool {
	return strings.HasSuffix(field, "]") || strings.HasSuffix(field, ".LastName") ||
		strings.HasSuffix(field, ".FirstName")
}

// cut takes the value at a field's path out of a tree.
func cut(tree any, field string) (value any, there bool) {
	steps := stepsOf(field)
	if len(steps) == 0 {
		return nil, false
	}
	return cutAt(tree, steps, func(any) {})
}

// cutAt takes out the value that steps lead to; put takes what becomes of tree.
func cutAt(tree any, steps []string, put func(any)) (value any, there bool) {
	step, further := steps[0], steps[1:]
	switch tree := tree.(type) {
	case map[string]any:
		for name := range tree {
			if !sameName(name, step) {
				continue
			}
			if len(further) == 0 {
				value = tree[name]
				delete(tree, name)
				return value, true
			}
			return cutAt(tree[name], further, func(v any) { tree[name] = v })
		}
	case []any:
		n, err := strconv.Atoi(step)
		if err != nil || n >= len(tree) {
			return nil, false
		}
		if len(further) == 0 {
			value = tree[n]
			put(slices.Delete(tree, n, n+1))
			return value, true
		}
		return cutAt(tree[n], further, func(v any) { tree[n] = v })
	}
	return nil, false
}

// stepsOf splits a path: "Onsigners[1].Dob" has the steps Onsigners, 1 and Dob.
func stepsOf(field string) []string {
	return strings.FieldsFunc(field, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
}

// sameName reports whether a member of a record is what a path calls so:
// last_name and lastName are LastName.
func sameName(member, step string) bool {
	return strings.EqualFold(strings.ReplaceAll(member, "_", ""), strings.ReplaceAll(step, "_", ""))
}

// shownLetters is how many letters of a value are shown.
const shownLetters = 100

// shown is a value as people are told of it.
func shown(value any) string {
	text, is := value.(string)
	if !is {
		doc, err := json.Marshal(value)
		if err != nil {
			return ""
		}
		text = string(doc)
	}
	return gangway.Shortened(text, shownLetters)
}
