package mapping

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// A Coverage notes which of our fields records have, and what of theirs the mapping reads: the commonest fault of a
// mapping is a field that it says nothing of. It is for trials: it takes as long as reading the records again.
type Coverage struct {
	flow   gangway.Flow
	came   bool
	filled map[string]bool // "home_airport", "traveler.homeAirport", "onsigners", "onsigners.dob"
	theirs map[string]bool // the names that records have of their own, and whether they are read
}

// NewCoverage returns one for the records of a flow.
func NewCoverage(flow gangway.Flow) *Coverage {
	return &Coverage{flow: flow, filled: map[string]bool{}, theirs: map[string]bool{}}
}

// Note has c note the records that are read from now on; nil: none.
func (r *Records) Note(c *Coverage) *Records { r.coverage = c; return r }

// A ledger knows which names of a record are read.
type ledger interface {
	readNames(from decode.Item, note func(name string, read bool))
}

// look notes a record and what it was made of.
func (c *Coverage) look(doc jsontext.Value, of outcome) {
	if c == nil {
		return
	}
	c.came = true
	var record map[string]any
	if json.Unmarshal(doc, &record) == nil {
		c.fill(record, shapes[c.flow], "")
	}
	if l, ok := of.places.(ledger); ok {
		l.readNames(of.from, func(name string, read bool) {
			if _, noted := c.theirs[name]; noted || len(c.theirs) < mostKnown {
				c.theirs[name] = c.theirs[name] || read
			}
		})
	}
}

func (c *Coverage) fill(record map[string]any, f *field, prefix string) {
	for name, value := range record {
		own := f.members[name]
		if own == nil {
			continue
		}
		c.filled[prefix+own.name] = true
		inside := []any{value}
		if own.each != nil {
			inside, _ = value.([]any)
			own = own.each
		}
		for _, v := range inside {
			if members, ok := v.(map[string]any); ok && own.members != nil && !own.text {
				c.fill(members, own, prefix+name+".")
			}
		}
	}
}

// Unfilled are the fields of ours that no record had, in the spelling of the interface; none where there was no
// record. Of what no record had at all its own name is there.
func (c *Coverage) Unfilled() (list []string) {
	if c.came {
		list = c.unfilled(shapes[c.flow], "")
	}
	return list
}

// notMissed are fields that most systems leave out for good reasons.
var notMissed = set(`subRequestId additionalInfo customFields custom_fields metadata intermediateAirports`)

func (c *Coverage) unfilled(f *field, prefix string) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(f.members)) {
		own := f.members[name]
		full := prefix + name
		inList := strings.HasPrefix(prefix, "onsigners.") || strings.HasPrefix(prefix, "offsigners.")
		switch {
		case own.name != name, notMissed[name]:
		case inList && (name == "change_date" || name == "depart" && prefix[1] == 'n' ||
			name == "arrive" && prefix[1] == 'f'):
		case !c.filled[full]:
			list = append(list, full)
		case own.each != nil:
			list = append(list, c.unfilled(own.each, full+".")...)
		case own.members != nil && !own.text:
			list = append(list, c.unfilled(own, full+".")...)
		}
	}
	return list
}

// MostUnread is how many names of theirs are listed at most, each with its first letters.
const (
	MostUnread    = 100
	unreadLetters = 100
)

// Unread are the first names of theirs that the mapping reads as no field of ours.
func (c *Coverage) Unread() (list []string) {
	for _, name := range slices.Sorted(maps.Keys(c.theirs)) {
		if !c.theirs[name] && len(list) < MostUnread {
			list = append(list, fmt.Sprintf("%.*s", unreadLetters, name))
		}
	}
	return list
}

// readNames is that of records that are read by their names.
func (r *reader) readNames(_ decode.Item, note func(name string, read bool)) {
	if r.members != nil {
		r.members.readNames(decode.Item{}, note)
	}
	if r.noted {
		return
	}
	r.noted = true
	for name, p := range r.known {
		last := name[strings.LastIndexByte(name, '.')+1:]
		if p.path == nil && (r.hasWithin(name) || name == "_sheet" || strings.HasPrefix(last, "@xmlns")) {
			continue
		}
		note(name, p.path != nil)
	}
}

// hasWithin reports whether a name is that of an object whose members are known.
func (r *reader) hasWithin(name string) bool {
	for other := range r.known {
		if strings.HasPrefix(other, name+".") {
			return true
		}
	}
	return false
}

// readNames is that of records that a program makes objects of: it reads the names that stand in it.
func (r *running) readNames(from decode.Item, note func(name string, read bool)) {
	if len(r.program.fields.paths) == 0 {
		return
	}
	rows, group := from.Value.([]any)
	if !group {
		rows = []any{from.Value}
	}
	for _, row := range rows {
		for _, name := range leafNames(row, "", 0) {
			note(name, r.mentions(name))
		}
	}
}

// leafNames returns the names of the texts in a record, with those of the objects that they are in.
func leafNames(value any, in string, depth int) (names []string) {
	object, _ := value.(map[string]any)
	for name, v := range object {
		switch v.(type) {
		case map[string]any:
			if text, ok := textOf(v); ok && text != "" {
				names = append(names, in+name)
			} else if depth < 3 {
				names = append(names, leafNames(v, in+name+".", depth+1)...)
			}
		case []any, nil:
		default:
			if name != "_sheet" && !strings.HasPrefix(name, "@xmlns") && !strings.HasPrefix(name, "@xsi:") {
				names = append(names, in+name)
			}
		}
	}
	return names
}

var aName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// mentions reports whether a name stands in the program.
func (r *running) mentions(name string) bool {
	if r.mentioned == nil {
		r.mentioned = map[string]bool{}
	}
	if known, ok := r.mentioned[name]; ok {
		return known
	}
	p, last := r.program, name
	if !strings.Contains(p.text, quote(name)) {
		last = name[strings.LastIndexByte(name, '.')+1:]
	}
	is := strings.Contains(p.text, quote(last))
	if aName.MatchString(last) {
		is = is || regexp.MustCompile(`[.{,\s]`+last+`\b`).MatchString(p.text)
	}
	if len(r.mentioned) < mostKnown {
		r.mentioned[name] = is
	}
	return is
}
