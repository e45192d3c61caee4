package mapping

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
)

// A reader reads records by the names of their members.
type reader struct {
	flow    gangway.Flow
	words   *vocabulary
	*plan                    // of the record at hand
	plans   map[uint64]*plan // by the names that a record has
	seed    maphash.Seed
	item    decode.Item // that the record at hand is
	table   bool        // which has columns
	guesses guesses     // nil: nobody asks
	members *reader     // of crew changes: of their members
	kinds   [airportValue + 1]helper
	letters genderLetters
	origins []origin // of the members of the last crew change

	noting    bool        // which values are rewritten
	rewritten []Rewritten // of the record at hand
}

// A plan says what the names of a record mean: each record is read for itself, since another may spell a field in
// another way.
type plan struct {
	known   map[string]place  // names with what they are in: "passport.number"
	taken   map[string]string // targets, by the name that has them
	unclear string            // what expiries says
	noted   bool              // a Coverage was told of the names
}

func newPlan() *plan { return &plan{known: map[string]place{}, taken: map[string]string{}} }

// A place is where the value of a name goes.
type place struct {
	path []string // in our record; nil: it is kept under its own name
	kind valueKind
	list string // of crew changes: onsigners, offsigners or members
}

func newReader(flow gangway.Flow, now time.Time) *reader {
	r := &reader{flow: flow, words: vocabularies()[flow], plan: newPlan(), plans: map[uint64]*plan{},
		seed: maphash.MakeSeed()}
	words := remembered(sure(genderOf))
	r.kinds = [...]helper{
		dateValue:    remembered(sure(func(text string) string { return certainDate(text, now) })),
		countryValue: remembered(guessCountry), airportValue: remembered(anyAirport),
		genderValue: sure(func(text string) string { return r.letters.read(text, words) }),
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
	return cmp.Or(read, text)
}

// of has r read the record of an item.
func (r *reader) of(item decode.Item) *reader {
	_, r.table = item.HasColumn("")
	r.item = item
	return r
}

// record reads a record.
func (r *reader) record(members map[string]any) map[string]any {
	names := r.hash(members, maphash.String(r.seed, r.item.At.In))
	if r.plan = r.plans[names]; r.plan == nil {
		if len(r.plans) == mostKnown {
			clear(r.plans)
		}
		r.plan = newPlan()
		r.plans[names] = r.plan
		r.learn(members, "", 0)
	}
	if r.unclear != "" {
		r.guesses.add(r.unclear, "")
	}
	r.origins = r.origins[:0]
	made := make(map[string]any, len(members))
	r.rewritten = nil
	r.into(made, members, "", 0)
	return made
}

// absent reports whether a record lacks a member: a column is there, whatever its cell says.
func (r *reader) absent(value any) bool { return !r.table && (value == nil || value == "") }

// hash returns a number for the names in members, and for which of them are lists and objects.
func (r *reader) hash(members map[string]any, in uint64) (sum uint64) {
	for name, value := range members {
		if r.absent(value) {
			continue
		}
		one := maphash.String(r.seed, name) + in
		if inside, ok := insideContainer(value); ok && isContainer(name) {
			sum += r.hash(inside, one)
		}
		switch value.(type) {
		case []any:
			one *= 3
		case map[string]any:
			one *= 5
		}
		sum += one * one // squared, so that different sets rarely have the same sum
	}
	return sum
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

// mostKnown is how many names, and how many sets of names, a reader remembers.
const mostKnown = 2000

// learn finds out what the names of a record mean.
func (r *reader) learn(members map[string]any, in string, depth int) {
	var names []string
	hasFirst := false
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !r.absent(members[name]) {
			names = append(names, name)
			hasFirst = hasFirst || r.words.targets[bare(plainName(name))] == r.target("first_name")
		}
	}
	expiries, unclear := r.expiries(names, depth == 0)
	r.unclear = cmp.Or(r.unclear, unclear)
	for _, name := range names {
		full := name
		if in != "" {
			full = in + "." + name
		}
		r.letters.name(bare(plainName(name)))
		if len(r.known) < mostKnown {
			p := r.placeOf(name, in, members[name], hasFirst)
			if own, judged := expiries[name]; judged {
				p = own
			}
			r.known[full] = p
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

// notTaken says which names were not taken for fields of ours that they may be mistaken for, where no other is.
func (r *reader) notTaken() (all []gangway.FeedRemark) {
	friends := map[string]string{}
	for _, p := range r.plans {
		for full := range p.known {
			target := falseFriends[bare(plainName(full[strings.LastIndexByte(full, '.')+1:]))]
			if target != "" && p.taken[r.target(target)] == "" {
				friends[full] = target
			}
		}
	}
	for _, full := range slices.Sorted(maps.Keys(friends)) {
		all = append(all, gangway.FeedRemark{SourceField: full,
			Message: fmt.Sprintf("Column %.100q is not read as %s, which it may not be: name it in a mapping if it is.",
				full, friends[full])})
	}
	return all
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
