package mapping

import (
	"strings"

	"gangway/internal/gangway"
)

// into puts the members of a record where they go.
func (r *reader) into(made, members map[string]any, in string, depth int) {
	for name, value := range members {
		if value == nil || value == "" {
			continue
		}
		full := name
		if in != "" {
			full = in + "." + name
		}
		p := r.known[full]
		switch {
		case p.list != "":
			r.list(made, p.list, value)
		case p.path != nil:
			r.set(made, p, value)
		default:
			if inside, ok := insideContainer(value); ok && depth < 4 && isContainer(name) {
				r.into(made, inside, full, depth+1)
			} else if name != "_sheet" && !strings.HasPrefix(name, "@xmlns") && !strings.HasPrefix(name, "@xsi:") {
				if _, ours := shapes[r.flow].members[full]; !ours || r.members == nil {
					made[full] = value
				}
			}
		}
	}
	if depth == 0 {
		r.whole(made)
	}
}

func isContainer(name string) bool { _, ok := containers[bare(plainName(name))]; return ok }

// set puts a value at its place, normalised.
func (r *reader) set(made map[string]any, p place, value any) {
	if text, ok := textOf(value); ok {
		value = text
	}
	if p.kind != plainValue {
		was := value
		value = helped(value, r.kinds[p.kind], r.guesses.add)
		if r.noting {
			r.note(p.path, was, value)
		}
	}
	for _, name := range p.path[:len(p.path)-1] {
		inside, ok := made[name].(map[string]any)
		if !ok {
			inside = map[string]any{}
			made[name] = inside
		}
		made = inside
	}
	made[p.path[len(p.path)-1]] = value
}

// whole parts the whole name of a person whose names are not given apart, if it
// says which is which.
func (r *reader) whole(made map[string]any) {
	if r.flow == gangway.TravelRequestsFlow {
		if inside, ok := made["traveler"].(map[string]any); ok {
			partName(inside, "fullName", "lastName", "firstName")
		}
		return
	}
	partName(made, "full_name", "last_name", "first_name")
}

func partName(made map[string]any, whole, last, first string) {
	name, ok := made[whole].(string)
	if ok && made[last] == nil && made[first] == nil && saysWhich(name) {
		made[last], made[first], _ = splitName(name)
		delete(made, whole)
	}
}

// saysWhich reports whether a whole name says which part is the family name: by a
// comma, a ticket's slash, or by capitals.
func saysWhich(name string) bool {
	_, given, guessed := splitName(name)
	return given != "" && !guessed
}

// list reads the members of a crew change.
func (r *reader) list(made map[string]any, side string, value any) {
	list, _ := value.([]any)
	if object, isObject := value.(map[string]any); isObject {
		var ok bool
		if list, ok = wrapped(object); !ok {
			list = []any{object}
		}
	}
	for _, v := range list {
		if v == nil || v == "" { // an element that says nothing is no member
			continue
		}
		record, ok := v.(map[string]any)
		if !ok || r.members == nil {
			made[side] = value
			return
		}
		to := side
		member := r.members.record(record)
		if said, ok := member["side"].(string); ok && sides[bare(said)] != "" {
			if delete(member, "side"); to == "members" {
				to = sides[bare(said)]
			}
		}
		others, _ := made[to].([]any)
		made[to] = append(others, member)
		r.origins = append(r.origins, origin{to, member, record})
		r.rewritten = append(r.rewritten, rewrittenOf(to, len(others), r.members.rewritten)...)
	}
}

// sourceField returns what the document calls a field: "Geschlecht" for "Gender".
func (r *reader) sourceField(path string) string {
	for _, side := range []string{"Onsigners[", "Offsigners["} {
		if strings.HasPrefix(path, side) && r.members != nil {
			_, field, _ := strings.Cut(path, "].")
			return r.members.sourceField(field)
		}
	}
	return r.ownField(path)
}

// ownField is sourceField for a field that is not within a list.
func (r *reader) ownField(path string) string {
	for target, name := range r.taken {
		if problemPath(strings.Split(target, ".")) == path {
			return name
		}
	}
	return ""
}

// plainName is a name without a prefix: "crew:LastName" and "@LastName" become "LastName".
func plainName(name string) string {
	name = strings.TrimLeft(name, "@#")
	return name[strings.LastIndexByte(name, ':')+1:]
}
