package mapping

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/world"
)

func sortedNames[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// A column is what the records of a sample have at one path.
type column struct {
	path   []string
	values []string // that are not empty
	lists  [][]any  // of records' lists there
	within bool     // they stand in an object of their own, as XML has them
	in     []int    // the records that have values
	id     string   // which identifies it in a table
}

func (c *column) name() string { return c.path[len(c.path)-1] }

// columnsOf returns the columns of records. Members with these names are lists, however they are written.
func columnsOf(records []any, lists map[string]string) []*column {
	by := map[string]*column{}
	var order []string
	var record int
	var walk func(value any, path []string)
	walk = func(value any, path []string) {
		if text, ok := textOf(value); ok && len(path) > 0 {
			value = text
		}
		object, ok := value.(map[string]any)
		listed := ok && len(path) > 0 && lists[bare(plainName(path[len(path)-1]))] != ""
		if ok && !listed && len(path) < 4 {
			for _, name := range sortedNames(object) {
				walk(object[name], append(path, name))
			}
			return
		}
		if cells, ok := value.([]any); ok && len(path) == 0 { // a row without names
			for i, cell := range cells {
				walk(cell, []string{"[" + strconv.Itoa(i) + "]"})
			}
			return
		}
		if len(path) == 0 {
			return // a record that is none
		}
		key := strings.Join(path, "\x00")
		c := by[key]
		if c == nil {
			c = &column{path: slices.Clone(path)}
			by[key] = c
			order = append(order, key)
		}
		switch v := value.(type) {
		case map[string]any:
			list, within := wrapped(v)
			if !within {
				list = []any{v}
			}
			c.lists, c.within = append(c.lists, list), c.within || within
		case []any:
			c.lists = append(c.lists, v)
			if len(v) == 1 && len(path) < 3 { // the only one: a lone passport
				if inside, ok := v[0].(map[string]any); ok {
					walk(inside, append(slices.Clone(path), "[0]"))
				}
			}
		case string:
			if v != "" {
				c.values, c.in = append(c.values, v), append(c.in, record)
			}
		case json.Number, int, float64, bool:
			b, _ := json.Marshal(v)
			c.values, c.in = append(c.values, string(b)), append(c.in, record)
		}
	}
	for record = range records {
		walk(records[record], nil)
	}
	return gangway.Each(order, func(key string) *column { return by[key] })
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// pathExpr writes a path as jq does: .person["last name"], .[3].
func pathExpr(path []string) string {
	var b strings.Builder
	for i, name := range path {
		switch {
		case strings.HasPrefix(name, "$"):
			b.WriteString(name)
		case strings.HasPrefix(name, "["):
			if i == 0 {
				b.WriteByte('.')
			}
			b.WriteString(name)
		case identifier.MatchString(name):
			b.WriteString("." + name)
		default:
			if i == 0 {
				b.WriteByte('.')
			}
			b.WriteString("[" + quote(name) + "]")
		}
	}
	if b.Len() == 0 {
		return "."
	}
	return b.String()
}

// quote writes a text as jq does.
func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return `""`
	}
	return strings.ReplaceAll(strings.TrimSpace(b.String()), `\(`, `\\(`)
}

// share is how much of a column's values are so.
func (c *column) share(is func(string) bool) float64 {
	if len(c.values) == 0 {
		return 0
	}
	n := 0
	for _, v := range c.values {
		if is(v) {
			n++
		}
	}
	return float64(n) / float64(len(c.values))
}

// elsewhere reports whether c has values, and none in a record that has one of other's.
func (c *column) elsewhere(other *column) bool {
	all := slices.Sorted(slices.Values(slices.Concat(c.in, other.in)))
	return len(c.in) > 0 && len(other.in) > 0 && len(slices.Compact(all)) == len(c.in)+len(other.in)
}

func (c *column) distinct() int { return len(slices.Compact(slices.Sorted(slices.Values(c.values)))) }

var (
	passportLook = regexp.MustCompile(`^[A-Z]{0,3}[0-9]{5,9}[A-Z]?[0-9]?$`)
	phoneLook    = regexp.MustCompile(`^(\+|00)[0-9 ()/.-]{7,}$`)
	codeLook     = regexp.MustCompile(`^[A-Z]{3}$`)
	yearFirst    = regexp.MustCompile(`^(19|20)[0-9]{2}([-./][0-9]{1,2}[-./][0-9]{1,2}|[01][0-9][0-3][0-9])([T ].*)?$`)
	nameLook     = regexp.MustCompile(`^[^0-9@]+$|^\pL[\pL' .-]{3,}[0-9]{1,3}$`) // people of test systems have numbers
	wordLook     = regexp.MustCompile(`^[\pL' .-]{2,}$`)
)

func isCountry(s string) bool { return gangway.Country(strings.ToUpper(countryOf(s))).Assigned() }

func isGender(s string) bool { g := genderOf(s); return g == "M" || g == "F" }

func isAirport(s string) bool {
	code, _ := anyAirport(s)
	return world.Known(code)
}

// isDate reports whether a text is a date in any order.
func (p *proposing) isDate(s string) bool {
	return slices.ContainsFunc(dateOrders, func(order string) bool { return isDay(dateOf(s, order, p.now)) })
}

func isDay(s string) bool { return gangway.Date(s).Valid() }

// fits reports whether the values of a column can be those of a field, whatever its name says.
func (p *proposing) fits(c *column, target string) bool {
	if len(c.values) == 0 {
		return true
	}
	switch kindOf(target) {
	case dateValue:
		return c.share(p.isDate) > 0.5
	case countryValue:
		return c.share(isCountry) > 0.5
	case genderValue:
		return c.share(func(s string) bool { return isGender(s) || s == "H" || s == "h" }) > 0.5
	case airportValue:
		return c.share(func(s string) bool { return wordLook.MatchString(s) }) > 0.5
	}
	switch target[strings.LastIndexByte(target, '.')+1:] {
	case "email":
		return c.share(func(s string) bool { return strings.Contains(s, "@") }) > 0.5
	case "side":
		return c.share(isSide) > 0.5
	case "last_name", "first_name", "full_name", "lastName", "firstName", "fullName":
		return c.share(nameLook.MatchString) > 0.5
	case "doc_number", "docNumber":
		return c.share(gangway.PassportNumber) > 0.5
	}
	return true
}

func isSide(s string) bool { return sides[bare(s)] != "" }

// byLook returns which of a traveller's fields a column is by its values; empty:
// they do not say.
func (p *proposing) byLook(c *column) string {
	if len(c.values) == 0 {
		return ""
	}
	all := func(is func(string) bool) bool { return c.share(is) >= 0.9 }
	letters := func(s string) bool { return strings.ContainsFunc(s, isLetter) }
	switch {
	case all(func(s string) bool { return strings.Contains(s, "@") && strings.Contains(s, ".") }):
		return "email"
	case all(phoneLook.MatchString):
		return "phone"
	case all(isGender) && all(letters):
		return "gender"
	case all(p.isDate) && !all(func(s string) bool { return len(s) < 6 }):
		return p.whichDate(c)
	case all(func(s string) bool { return len(s) >= 7 && passportLook.MatchString(s) }) && c.share(letters) > 0.3 &&
		c.distinct()*10 >= 9*len(c.values):
		return "doc_number"
	case all(isCountry) && all(letters):
		return "nationality"
	case all(func(s string) bool { return codeLook.MatchString(s) && world.Known(s) }):
		return "home_airport"
	}
	return ""
}

func isLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }
