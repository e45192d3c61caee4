package mapping

import (
	"maps"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// A reader reads records by the names of their members.
type reader struct {
	flow    gangway.Flow
	words   *vocabulary
	known   map[string]place  // names that came already, with what they are in: "passport.number"
	taken   map[string]string // targets, by the name that has them
	members *reader           // of crew changes: of their members
	kinds   [airportValue + 1]helper
	letters genderLetters
	origins []origin // of the members of the last crew change
	noted   int      // how many names a Coverage was told of

	noting    bool        // which values are rewritten
	rewritten []Rewritten // of the record at hand
}

// A place is where the value of a name goes.
type place struct {
	path []string // in our record; nil: it is kept under its own name
	kind valueKind
	list string // of crew changes: onsigners, offsigners or members
}

func newReader(flow gangway.Flow, now time.Time) *reader {
	r := &reader{flow: flow, words: vocabularies()[flow], known: map[string]place{}, taken: map[string]string{}}
	words := remembered(genderOf)
	r.kinds = [...]helper{
		dateValue:    remembered(func(text string) string { return certainDate(text, now) }),
		countryValue: remembered(countryOf), airportValue: remembered(airportOf),
		genderValue: func(text string) string { return r.letters.read(text, words) },
	}
	if flow == gangway.CrewChangesFlow {
		r.members = newReader("", now)
		r.members.flow, r.members.words = flow, r.words
	}
	return r
}

// certainDate reads a date that can be only one, whoever wrote it.
func certainDate(text string, now time.Time) string {
	text = strings.TrimSpace(text)
	if gangway.Date(text).Valid() {
		return text
	}
	dmy := dateOf(text, "DMY", now)
	if strings.Count(text, ".") >= 2 && strings.IndexByte(text, ':') < 0 { // nobody writes the month first with dots
		return dmy
	}
	read := ""
	for _, date := range []string{dmy, dateOf(text, "MDY", now), dateOf(text, "YMD", now)} {
		switch {
		case !gangway.Date(date).Valid(), date == read:
		case read != "":
			return text
		default:
			read = date
		}
	}
	if read == "" {
		return text
	}
	return read
}

// record reads a record.
func (r *reader) record(members map[string]any) map[string]any {
	if r.isNew(members, "") {
		r.learn(members, "", 0)
	}
	r.origins = r.origins[:0]
	made := make(map[string]any, len(members))
	r.rewritten = nil
	r.into(made, members, "", 0)
	return made
}

// isNew reports whether there are names in members that did not come yet.
func (r *reader) isNew(members map[string]any, in string) bool {
	for name, value := range members {
		full := name
		if in != "" {
			full = in + "." + name
		}
		if _, ok := r.known[full]; !ok {
			return true
		}
		if inside, ok := insideContainer(value); ok && isContainer(name) && r.isNew(inside, full) {
			return true
		}
	}
	return false
}

// insideContainer returns the members of an object, or of the only one of a list.
func insideContainer(value any) (map[string]any, bool) {
	if list, ok := value.([]any); ok && len(list) == 1 {
		value = list[0]
	}
	if _, text := textOf(value); text {
		return nil, false
	}
	inside, ok := value.(map[string]any)
	return inside, ok && len(inside) > 0
}

// mostKnown is how many names are remembered: more than any system has fields.
const mostKnown = 2000

// learn finds out what the names of a record mean.
func (r *reader) learn(members map[string]any, in string, depth int) {
	hasFirst := false
	for name := range members {
		hasFirst = hasFirst || r.words.targets[bare(plainName(name))] == r.target("first_name")
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		full := name
		if in != "" {
			full = in + "." + name
		}
		r.letters.name(bare(plainName(name)))
		if _, ok := r.known[full]; !ok && len(r.known) < mostKnown {
			r.known[full] = r.placeOf(name, in, members[name], hasFirst)
			r.take(full)
		}
		inside, ok := insideContainer(members[name])
		if ok && depth < 4 && r.known[full].path == nil && isContainer(name) { // as into reads them
			r.learn(inside, full, depth+1)
		}
	}
}

// target writes a traveller's field as the flow's records have it.
func (r *reader) target(name string) string {
	if r.flow == gangway.TravelRequestsFlow {
		return inTraveler(name)
	}
	return name
}

// take gives a target to the most usual of the names for it.
func (r *reader) take(full string) {
	p := r.known[full]
	if p.path == nil {
		return
	}
	target := strings.Join(p.path, ".")
	before, taken := r.taken[target]
	if taken && r.rankOf(before) <= r.rankOf(full) {
		r.known[full] = place{}
		return
	}
	if taken {
		r.known[before] = place{}
	}
	r.taken[target] = full
}

func (r *reader) rankOf(full string) int {
	name := bare(plainName(full[strings.LastIndexByte(full, '.')+1:]))
	if rank, ok := r.words.rank[name]; ok {
		return rank
	}
	if plainNames[name] { // anything has a name
		return 90
	}
	return 1
}

// plainNames are what the last name is called where the first has a column of its
// own, and otherwise the whole name.
var plainNames = set("name nom naam navn namn")

// placeOf returns where the value of a name goes.
func (r *reader) placeOf(name, in string, value any, hasFirst bool) place {
	word := bare(plainName(name))
	target := ""
	prefix := ""
	if in != "" {
		last := bare(plainName(in[strings.LastIndexByte(in, '.')+1:]))
		prefix = containers[last]
		if inside, ok := within[prefix+word]; ok && prefix != "" {
			if target = inside; !strings.Contains(inside, ".") && inside != "" {
				target = r.target(inside)
			}
		} else if t, ok := r.words.targets[prefix+word]; ok && prefix != "" {
			target = t
		}
	}
	if target == "" {
		target = r.words.targets[word]
		if plainNames[word] && (in == "" || prefix == "" && isContainer(in[strings.LastIndexByte(in, '.')+1:])) {
			if target = r.target("full_name"); hasFirst {
				target = r.target("last_name")
			}
		}
	}
	list, isList := value.([]any)
	_, isObject := value.(map[string]any)
	if _, text := textOf(value); text {
		isObject = false
	}
	if side := r.words.lists[word]; side != "" && (isList && isObjects(list) || isObject) {
		return place{list: side, path: []string{side}}
	}
	switch {
	case isList || isObject:
		switch target {
		case "externalInfo.additionalInfo", "traveler.customFields", "flight.intermediateAirports":
			return place{path: strings.Split(target, ".")}
		case "arrive", "depart":
			return place{path: []string{target}}
		}
		return place{}
	case target == "" || strings.HasSuffix(target, "additionalInfo") || strings.HasSuffix(target, "customFields") ||
		strings.HasSuffix(target, "intermediateAirports"):
		return place{}
	}
	return place{path: strings.Split(target, "."), kind: kindOf(target)}
}

func isObjects(list []any) bool {
	for _, v := range list {
		if _, ok := v.(map[string]any); !ok {
			return false
		}
	}
	return true
}
