package odatatest

import (
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"time"

	"gangway/internal/report/odata"
)

// Generator makes random queries about a set. The same Rand gives the same ones.
type Generator struct {
	Rand *rand.Rand
	Set  *odata.EntitySet
	Data Data // where literals come from, so that queries find something

	path  string // what leads to the rows that are spoken of, such as "x1/" or "Booking/"
	leads bool   // what these rows lead to cannot be spoken of
	depth int    // of lambdas, and of $expand
}

// Query returns the options of a request, encoded: nearly always one that is
// answered, seldom one that is refused because numbers could become too large.
func (g *Generator) Query() string {
	v := url.Values{}
	switch g.Rand.IntN(8) {
	case 0, 1:
		g.groups(v)
	case 2:
		v.Set("$compute", g.expr(g.kind(), 2)+" as Computed")
		v.Set("$filter", g.condition(2))
		v.Set("$orderby", "Computed desc")
	case 3, 4:
		g.shape(v)
		if expand := g.expand(); expand != "" {
			v.Set("$expand", expand)
			if !v.Has("$top") && !g.chance(6) { // what all rows lead to is much
				v.Set("$top", fmt.Sprint(1+g.Rand.IntN(20)))
			}
		}
	default:
		v.Set("$filter", g.condition(3))
		g.shape(v)
	}
	return v.Encode()
}

// shape chooses order, page and columns.
func (g *Generator) shape(v url.Values) {
	if g.chance(2) {
		var keys []string
		for range 1 + g.Rand.IntN(3) {
			key := g.any(g.Set.Properties, nil).Name
			if g.chance(4) {
				key = g.expr(g.kind(), 1)
			}
			keys = append(keys, key+pick(g, "", " asc", " desc"))
		}
		v.Set("$orderby", strings.Join(keys, ","))
	}
	if g.chance(3) {
		v.Set("$top", fmt.Sprint(g.Rand.IntN(20)))
	}
	if g.chance(4) {
		v.Set("$skip", fmt.Sprint(g.Rand.IntN(20)))
	}
	if g.chance(4) {
		v.Set("$select", g.any(g.Set.Properties, nil).Name+","+g.Set.Key[0].Name)
	}
	if g.chance(4) {
		v.Set("$count", "true")
	}
	searched := g.any(g.Set.Properties, func(p *odata.Property) bool { return p.Searchable }) != nil
	if word := strings.Trim(g.piece(), "' "); searched && g.chance(8) && word != "" {
		v.Set("$search", pick(g, "", "NOT ")+`"`+strings.ReplaceAll(word, `"`, "")+`"`)
	}
}

// groups chooses a pipeline of $apply.
func (g *Generator) groups(v url.Values) {
	apply := ""
	if g.chance(2) {
		apply = "filter(" + g.condition(2) + ")/"
	}
	if g.chance(6) {
		v.Set("$apply", apply+"compute("+g.expr(g.orderedKind(), 2)+" as C)/"+
			"groupby((C),aggregate(C with max as M,C with countdistinct as D,$count as N))")
		return
	}
	var of []string
	for i := range 1 + g.Rand.IntN(3) {
		p := g.any(g.Set.Properties, func(p *odata.Property) bool { return p.Type.Kind != odata.Boolean })
		methods := []string{"min", "max", "countdistinct"}
		if isNumber(p.Type.Kind) {
			methods = append(methods, "sum", "average")
		}
		value := p.Name
		if g.chance(3) {
			value = g.expr(p.Type.Kind, 1)
		}
		of = append(of, fmt.Sprintf("%s with %s as A%d", value, pick(g, methods...), i))
	}
	aggregate := "aggregate(" + strings.Join(of, ",") + ",$count as N)"
	if g.chance(4) {
		v.Set("$apply", apply+aggregate)
		return
	}
	keys := g.any(g.Set.Properties, nil).Name
	if second := g.any(g.Set.Properties, nil).Name; g.chance(3) && second != keys {
		keys += "," + second
	}
	v.Set("$apply", apply+"groupby(("+keys+"),"+aggregate+")")
	if g.chance(2) {
		v.Set("$filter", "N "+pick(g, "gt", "lt", "ge")+" 1")
	}
	if g.chance(2) {
		v.Set("$orderby", "A0 desc,N")
	}
}

func isNumber(k odata.Kind) bool { return k == odata.Int32 || k == odata.Int64 || k == odata.Decimal }

// chance is true once in n times.
func (g *Generator) chance(n int) bool { return g.Rand.IntN(n) == 0 }

func pick[T any](g *Generator, of ...T) T { return of[g.Rand.IntN(len(of))] }

// any returns one of the properties that fit, or nil if none does.
func (g *Generator) any(of []*odata.Property, fits func(*odata.Property) bool) *odata.Property {
	var all []*odata.Property
	for _, p := range of {
		if fits == nil || fits(p) {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return pick(g, all...)
}

// orderedKind is kind without Boolean, which has no minimum.
func (g *Generator) orderedKind() odata.Kind {
	return g.any(g.Set.Properties, func(p *odata.Property) bool { return p.Type.Kind != odata.Boolean }).Type.Kind
}

// kind returns a kind that the set has properties of.
func (g *Generator) kind() odata.Kind { return pick(g, g.Set.Properties...).Type.Kind }

// condition returns a condition of at most that depth.
func (g *Generator) condition(depth int) string {
	if depth == 0 {
		return g.comparison(0)
	}
	switch g.Rand.IntN(10) {
	case 9:
		return g.converted(depth - 1)
	case 8:
		if r := g.related(depth); r != "" {
			return r
		}
		fallthrough
	case 0, 1:
		return "(" + g.condition(depth-1) + " and " + g.condition(depth-1) + ")"
	case 2:
		return "(" + g.condition(depth-1) + " or " + g.condition(depth-1) + ")"
	case 3:
		return "not (" + g.condition(depth-1) + ")"
	case 4:
		return g.list(depth - 1)
	case 5:
		f := pick(g, "contains", "startswith", "endswith")
		return f + "(" + g.expr(odata.String, depth-1) + "," + g.piece() + ")"
	}
	return g.comparison(depth - 1)
}

// mostLambdas is how deep lambdas are within each other.
const mostLambdas = 3

// related returns a condition on rows that the rows lead to, or nothing if they lead nowhere.
func (g *Generator) related(depth int) string {
	if len(g.Set.Navigations) == 0 || g.leads {
		return ""
	}
	n := pick(g, g.Set.Navigations...)
	at := g.path + n.Name + "/"
	to := &Generator{Rand: g.Rand, Set: n.Target, Data: g.Data, path: at, leads: true, depth: g.depth}
	if !n.Many && g.chance(6) {
		return "(" + g.path + n.Name + pick(g, " eq", " ne") + " null)"
	}
	if !n.Many {
		return to.condition(min(depth-1, 1))
	}
	if g.depth < mostLambdas && g.chance(4) {
		some := &Generator{Rand: g.Rand, Set: n.Target, Data: g.Data, depth: g.depth + 1}
		return "(" + at + "$count($filter=" + some.condition(depth-1) + ") " + pick(g, "gt", "eq", "lt") + " 1)"
	}
	if g.depth == mostLambdas || g.chance(3) {
		return pick(g, at+"any()", "("+at+"$count "+pick(g, "gt", "eq", "lt")+" "+pick(g, "0", "1", "2")+")")
	}
	to.depth++
	to.path, to.leads = fmt.Sprintf("x%d/", to.depth), false
	inner := to.condition(depth - 1)
	if g.chance(4) {
		outer := *g
		outer.depth = to.depth // for what begins with the row, within this lambda
		inner = "(" + inner + pick(g, " and ", " or ") + outer.condition(0) + ")"
	}
	return at + pick(g, "any", "all") + "(" + strings.TrimSuffix(to.path, "/") + ":" + inner + ")"
}

// mostExpanded is how many levels of $expand there are.
const mostExpanded = 3

// expand returns what $expand can be, or nothing if the rows lead nowhere.
func (g *Generator) expand() string {
	if len(g.Set.Navigations) == 0 || g.depth == mostExpanded {
		return ""
	}
	if g.chance(12) {
		return "*"
	}
	var all []string
	for _, i := range g.Rand.Perm(len(g.Set.Navigations))[:1+g.Rand.IntN(min(2, len(g.Set.Navigations)))] {
		n := g.Set.Navigations[i]
		to := &Generator{Rand: g.Rand, Set: n.Target, Data: g.Data, depth: g.depth + 1}
		form := ""
		if n.Many && g.chance(6) {
			form = "/$count"
		} else if g.chance(8) {
			form = "/$ref"
		}
		all = append(all, n.Name+form+to.nested(n, form))
	}
	return strings.Join(all, ",")
}

// nested returns the options of an expanded navigation property.
func (g *Generator) nested(n *odata.Navigation, form string) string {
	v := url.Values{}
	alone := *g // outside of lambdas, whatever the depth of $expand
	alone.depth = 0
	if n.Many || g.chance(6) {
		if g.chance(2) {
			v.Set("$filter", alone.condition(2))
		}
		alone.shape(v)
	}
	if !n.Many {
		v.Del("$count")
		v.Del("$skip")
		v.Del("$top")
	}
	switch form {
	case "/$count":
		v = url.Values{"$filter": {alone.condition(2)}}
	case "/$ref":
		v.Del("$select")
	default:
		if more := g.expand(); more != "" && g.chance(2) {
			v.Set("$expand", more)
		}
		if g.chance(8) {
			v.Set("$compute", alone.expr(alone.kind(), 2)+" as Computed")
		}
	}
	var options []string
	for _, name := range slices.Sorted(maps.Keys(v)) {
		options = append(options, name+"="+v.Get(name))
	}
	if len(options) == 0 {
		return ""
	}
	return "(" + strings.Join(options, ";") + ")"
}

func (g *Generator) comparison(depth int) string {
	k := g.kind()
	op := pick(g, "eq", "ne", "gt", "ge", "lt", "le")
	right := g.expr(k, depth)
	if g.chance(12) {
		right = "null"
	}
	return "(" + g.expr(k, depth) + " " + op + " " + right + ")"
}

// converted returns a comparison of what no property is: dates, times of day, durations and casts.
func (g *Generator) converted(depth int) string {
	x := func(k odata.Kind) string { return g.expr(k, depth) }
	op := pick(g, " eq ", " ne ", " gt ", " ge ", " lt ", " le ")
	at := x(odata.DateTimeOffset)
	left, right := at, g.literal(odata.DateTimeOffset)
	switch g.Rand.IntN(9) {
	case 0:
		left, right = "date("+at+")", "date("+right+")"
	case 1:
		left, right = "time("+at+")", pick(g, "10:00:00", "23:59:59.999", "time("+right+")")
	case 2:
		left, right = "("+at+" sub "+right+")"+pick(g, "", " mul 1.5", " div 7", " div -0.3", " add duration'P1D'"),
			pick(g, "duration'P1D'", "duration'-PT0.001S'", "duration'PT36H'")
	case 3:
		left, right = pick(g, "year", "month", "day")+"(date("+at+") "+pick(g, "add", "sub")+" duration'P40DT9H')", "2"
	case 4:
		left, right = "cast(date("+at+"),Edm.String)", "'2024-02-29'"
	case 5:
		left, right = "cast("+g.expr(odata.Int32, 0)+",Edm.String)", pick(g, "'60'", "'-7'", g.literal(odata.String))
	case 6:
		left, right = "cast("+x(odata.Decimal)+","+pick(g, "Edm.Int32", "Edm.Int64")+")", g.literal(odata.Int32)
	case 7:
		left, right = "cast("+x(odata.Boolean)+",Edm.String)", "'false'"
	default:
		left = "cast(date(" + at + "),Edm.DateTimeOffset)"
	}
	return "(" + left + op + right + ")"
}

func (g *Generator) list(depth int) string {
	k := g.kind()
	members := []string{g.literal(k)}
	for range g.Rand.IntN(pick(g, 4, 4, 4, 30)) {
		members = append(members, g.literal(k))
	}
	if g.chance(4) {
		members = append(members, "null")
	}
	return g.expr(k, depth) + " in (" + strings.Join(members, ",") + ")"
}

// expr returns an expression of a kind.
func (g *Generator) expr(k odata.Kind, depth int) string {
	p := g.any(g.Set.Properties, func(p *odata.Property) bool { return p.Type.Kind == k })
	if p == nil || depth == 0 && g.chance(2) {
		return g.literal(k)
	}
	name := g.path + p.Name
	if depth == 0 || g.chance(3) {
		return name
	}
	if g.chance(8) {
		return "case(" + g.condition(depth-1) + ":" + g.expr(k, depth-1) + ",true:" + g.expr(k, 0) + ")"
	}
	x := func(k odata.Kind) string { return g.expr(k, depth-1) }
	switch k {
	case odata.Boolean:
		return "(" + x(odata.String) + pick(g, " eq ", " gt ") + g.literal(odata.String) + ")"
	case odata.String:
		return pick(g, "tolower("+x(k)+")", "toupper("+x(k)+")", "trim("+x(k)+")", "concat("+x(k)+","+g.piece()+")",
			fmt.Sprintf("substring(%s,%d)", x(k), g.Rand.IntN(9)-3),
			fmt.Sprintf("substring(%s,%d,%d)", x(k), g.Rand.IntN(9)-3, g.Rand.IntN(5)-1))
	case odata.Int32, odata.Int64:
		return pick(g, "length("+x(odata.String)+")", "indexof("+x(odata.String)+","+g.piece()+")", g.calculation(k,
			depth-1),
			pick(g, "year", "month", "day", "hour", "minute", "second")+"("+x(odata.DateTimeOffset)+")")
	case odata.Decimal:
		return pick(g, pick(g, "round", "floor", "ceiling")+"("+x(k)+")", g.calculation(k, depth-1), "(-"+name+")",
			"fractionalseconds("+x(odata.DateTimeOffset)+")",
			"totalseconds("+x(odata.DateTimeOffset)+" sub "+g.literal(odata.DateTimeOffset)+")")
	case odata.DateTimeOffset:
		return "(" + x(k) + pick(g, " add ", " sub ") + pick(g, "duration'P1DT2H'", "duration'-PT0.5S'",
			"'P40D'") + ")"
	}
	return name
}

func (g *Generator) calculation(k odata.Kind, depth int) string {
	op := pick(g, "add", "sub", "mul", "div", "divby", "mod")
	return "(" + g.expr(k, depth) + " " + op + " " + g.expr(k, 0) + ")"
}

// piece returns a part of a text of the rows, as a literal.
func (g *Generator) piece() string {
	s := []rune(strings.Trim(g.literal(odata.String), "'"))
	from := g.Rand.IntN(len(s) + 1)
	to := from + g.Rand.IntN(min(3, len(s)-from)+1)
	return "'" + strings.ReplaceAll(string(s[from:to]), "'", "") + "'"
}

// literal returns a value that occurs in the rows, or one near it.
func (g *Generator) literal(k odata.Kind) string {
	p := g.any(g.Set.Properties, func(p *odata.Property) bool { return p.Type.Kind == k })
	var v any
	for tries := 0; p != nil && v == nil && tries < 5 && len(g.Data.Rows[g.Set]) > 0; tries++ {
		v = normal(pick(g, g.Data.Rows[g.Set]...)[p.Name])
	}
	switch v := v.(type) {
	case string:
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	case bool:
		return fmt.Sprint(v)
	case time.Time:
		if k == odata.Date {
			return v.Format(time.DateOnly)
		}
		v = v.Add(time.Duration(g.Rand.IntN(3)-1) * time.Duration(g.Rand.IntN(2000)) * time.Millisecond)
		return v.Format("2006-01-02T15:04:05.000") + pick(g, "Z", "0001Z", "+00:00")
	case *big.Int:
		switch k {
		case odata.Duration:
			ms := new(big.Int).Abs(v).Int64()
			return fmt.Sprintf("duration'PT%d.%03dS'", ms/1000, ms%1000)
		case odata.TimeOfDay:
			return time.UnixMilli(v.Int64()).UTC().Format("15:04:05.000")
		case odata.Decimal:
			return new(big.Rat).SetFrac(v, power(p.Type.Scale)).FloatString(p.Type.Scale) + pick(g, "", "", "5")
		}
		return v.Add(v, big.NewInt(int64(g.Rand.IntN(3)-1))).String()
	}
	return map[odata.Kind]string{odata.String: "'x'", odata.Boolean: "true", odata.Date: "2024-02-29",
		odata.DateTimeOffset: "2024-02-29T00:00:00Z", odata.TimeOfDay: "10:00:00", odata.Duration: "duration'PT1H'",
		odata.GUID: "01234567-89ab-cdef-0123-456789abcdef", odata.Int32: "7", odata.Int64: "7",
		odata.Decimal: "7.5"}[k]
}
