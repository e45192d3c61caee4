package mapping

import (
	"maps"
	"slices"
	"strings"
)

// A listing is a list of records within a document, and how to get there.
type listing struct {
	path    []string // names of members
	records []any
	score   int
}

// recordsIn finds the records in a document that is one value: in {"data":
// {"items": […]}}, in the document element, in a SOAP answer, in each sheet. elements: it is XML.
func (r *reader) recordsIn(value any, elements bool) []any {
	found := r.listings(value)
	switch {
	case len(found) == 0 && r.isEmpty(value, elements, 0):
		return nil
	case len(found) == 0:
		return []any{value}
	}
	best := 0
	for _, l := range found {
		best = max(best, l.score)
	}
	var records []any
	for _, l := range found {
		if 3*l.score >= 2*best { // sheets alike, and not a list of airports beside the crew
			records = append(records, l.records...)
		}
	}
	return records
}

// beside are the names of lists beside the records: one that is empty says nothing of them.
var beside = set("error errors fault exception warning warnings message messages detail details " +
	"links debug trace stack")

// echoed are the names of members that make no record alone, and that an answer has of itself.
var echoed = set("status type date from to id requestid")

// isEmpty reports whether a value says that there are no records: an empty list, or an object with one and without any
// field of ours; of XML, where a list of nothing has no elements, an element without any that has none beside it.
func (r *reader) isEmpty(value any, elements bool, depth int) bool {
	object, is := value.(map[string]any)
	if !is || depth > mostWithin {
		list, is := value.([]any)
		return is && len(list) == 0
	}
	fields := maps.Clone(object)
	maps.DeleteFunc(fields, func(name string, _ any) bool { return echoed[bare(plainName(name))] })
	if r.score(fields) > 0 {
		return false
	}
	others := 0
	for name := range object {
		if !strings.HasPrefix(name, "@") {
			others++
		}
	}
	for name, inside := range object {
		alone := elements && others == 1 && inside == "" && !strings.HasPrefix(name, "@")
		if !beside[bare(plainName(name))] && (alone || r.isEmpty(inside, elements, depth+1)) {
			return true
		}
	}
	return elements && others == 0
}

// mostWithin is how deep lists of records are looked for.
const mostWithin = 8

// listings returns the lists of objects in a value that look like records of the flow.
func (r *reader) listings(value any) (found []listing) {
	var walk func(value any, path []string)
	walk = func(value any, path []string) {
		if len(path) > mostWithin {
			return
		}
		switch v := value.(type) {
		case []any:
			if score := r.scoreList(v); score > 0 {
				found = append(found, listing{slices.Clone(path), v, score})
			}
		case map[string]any:
			if score := r.score(v); score >= 3 {
				found = append(found, listing{slices.Clone(path), []any{v}, score})
				return
			}
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(v[name], append(path, name))
			}
		}
	}
	walk(value, nil)
	return found
}

// scoreList returns how much the objects of a list look like records: the best of the first few.
func (r *reader) scoreList(list []any) int {
	best := 0
	for _, v := range list[:min(len(list), 21)] {
		if record, ok := v.(map[string]any); ok {
			best = max(best, r.score(record))
		}
	}
	if best < 2 {
		return 0
	}
	return best
}

// score returns how many fields of the flow an object has by its names.
func (r *reader) score(record map[string]any) int {
	targets := map[string]bool{}
	r.find(targets, record, "", 0)
	return len(targets)
}

// find adds the fields that an object has to targets.
func (r *reader) find(targets map[string]bool, record map[string]any, in string, depth int) {
	hasFirst := false
	for name := range record {
		hasFirst = hasFirst || r.words.targets[bare(plainName(name))] == r.target("first_name")
	}
	for name, value := range record {
		if p := r.placeOf(name, in, value, hasFirst); p.path != nil {
			targets[strings.Join(p.path, ".")] = true
			if p.list != "" { // nobody else has those
				targets[p.list+"."], targets[p.list+".."] = true, true
			}
		} else if inside, ok := value.(map[string]any); ok && depth < 3 && isContainer(name) {
			r.find(targets, inside, strings.TrimPrefix(in+"."+name, "."), depth+1)
		}
	}
}

// isRow reports whether a record is a member of a crew change in a table.
func (r *reader) isRow(record map[string]any) bool {
	t := map[string]bool{}
	r.find(t, record, "", 0)
	return !t["onsigners"] && !t["offsigners"] && !t["members"] && (t["last_name"] || t["first_name"] ||
		t["full_name"]) &&
		(t["vessel"] || t["side"] || t["arrive"] || t["depart"])
}
