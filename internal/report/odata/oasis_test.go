package odata

import (
	"errors"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/need"

	"go.yaml.in/yaml/v3"
)

type grammarCase struct {
	Name   string `yaml:"Name"`
	Rule   string `yaml:"Rule"`
	Input  string `yaml:"Input"`
	FailAt *int   `yaml:"FailAt"`
}

func grammarCases(t *testing.T) []grammarCase {
	t.Helper()
	folder := need.ODataGrammar(t)
	var all []grammarCase
	for _, name := range []string{"odata-abnf-testcases.yaml", "odata-aggregation-testcases.yaml"} {
		data := calltest.Must(os.ReadFile(filepath.Join(folder, name)))(t)
		var file struct {
			TestCases []grammarCase `yaml:"TestCases"`
		}
		calltest.Done(t, yaml.Unmarshal(data, &file))
		all = append(all, file.TestCases...)
	}
	return all
}

// grammarSchema has the names of the cases, with types that suit most of them.
func grammarSchema(t *testing.T) *Schema {
	t.Helper()
	var properties []*Property
	add := func(k Kind, names string) {
		for name := range strings.FieldsSeq(names) {
			p := &Property{Name: name, Type: Type{Kind: k, Precision: 3}, Nullable: name != "ID"}
			if k == Decimal {
				p.Type = Type{Kind: k, Precision: 9, Scale: 2}
			}
			properties = append(properties, p)
		}
	}
	add(String, "Code City code CompanyName ContactName CountryCode eyeColor FirstName LastName Name Street "+
		"style Title ZipCode message severity Spokesperson State Status AccountRepresentative Currency")
	add(Decimal, "Amount Cost Price Revenue SumAmount TaxRate X Population Budget Forecast")
	add(Int32, "Age Quantity Rating Month Year")
	add(DateTimeOffset, "BirthDate ReleaseDate Shipped LifeTime")
	add(Boolean, "Completed")
	properties = append(properties, &Property{Name: "ID", Type: Type{Kind: Int32}},
		&Property{Name: "Size", Type: Type{Kind: Decimal, Precision: 9, Scale: 2}, Nullable: true})
	var sets []*EntitySet
	names := strings.Fields("Categories Countries Customers Employees LeaveRequests Orders OrderItems " +
		"People Products " +
		"Sales SalesOrganizations Suppliers")
	for _, name := range names {
		s := &EntitySet{Name: name, Properties: properties}
		for _, p := range properties {
			if p.Name == "ID" {
				s.Key = []*Property{p}
			}
		}
		sets = append(sets, s)
	}
	for _, s := range sets {
		for name := range strings.FieldsSeq("DirectReports Items Orders Products Sales Category Country " +
			"Customer Manager " +
			"Product Supplier Time Customers Continent Discounts") {
			n := &Navigation{Name: name, Target: sets[8], Many: strings.HasSuffix(name, "s"),
				On: []string{"ID"}}
			s.Navigations = append(s.Navigations, n)
		}
	}
	return NewSchema(sets...)
}

// parseCase reads the input of a case as its rule says; tried is false for
// rules that are about something else than requests.
func parseCase(s *Schema, c grammarCase) (tried bool, err error) {
	path, query := "Products", ""
	in := c.Input
	switch strings.ToLower(c.Rule) {
	case "commonexpr", "boolcommonexpr", "isofexpr", "anyexpr", "notexpr", "firstmemberexpr", "propertypathexpr",
		"singleliteral", "primitiveliteral", "stringliteral", "dateliteral", "binaryliteral", "durationliteral",
		"timeofdayliteral", "datetimeoffsetliteral", "decimalliteral", "doubleliteral", "int16literal", "int32literal",
		"int64literal", "sbyteliteral", "boolean", "date", "guid", "enumliteral":
		query = "$orderby=" + strings.ReplaceAll(in, "&", "%26")
	case "filter", "orderby", "select", "expand", "search", "compute", "queryoptions",
		"systemqueryoption", "skiptoken",
		"deltatoken", "customqueryoption":
		query = in
	case "searchexpr":
		query = "$search=" + in
	case "odatarelativeuri", "resourcepath":
		path, query, _ = strings.Cut(in, "?")
	case "odatauri":
		_, rest, _ := strings.Cut(in, "//")
		_, rest, _ = strings.Cut(rest, "/")
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "service/"), "OData/OData.svc/")
		path, query, _ = strings.Cut(rest, "?")
	default:
		return false, nil
	}
	_, err = Parse(s, path, query, testOptions)
	return true, err
}

// outside lists why a case that the grammar allows is refused with 400 or 404,
// by what the message says, and how many such cases there are. All others are
// read, or answered with 501.
var outside = []struct {
	why   string
	says  string
	count int
	found int
}{
	{"functions, actions, singletons, casts, complex and other properties are not in the schema: paths",
		"there is no resource", 104, 0},
	{"likewise: expressions", "there is no property", 53, 0},
	{"likewise: functions", "there is no function", 13, 0},
	{"likewise: expansion", "there is no navigation property", 6, 0},
	{"likewise: types", "there is no type", 1, 0},
	{"keys of another type or with other names", "the key ", 18, 0},
	{"the years before 1 and after 9999", "between the years 1 and 9999", 2, 0},
	{"an empty list is always a mistake", "stands where a literal should", 2, 0},
	{"$format may be given once, like every other option", "the option is given twice", 2, 0},
	{"* several times in $expand, with different options", "* is there twice", 1, 0},
	{"types that can never be equal", "cannot be compared with", 1, 0},
	{"durations are aggregated as totalseconds()", "sum and average need a number", 1, 0},
	{"within $expand a semicolon separates, encoded or not, except between quotes", "there is no option", 1, 0},
	{"totalseconds of what is an instant in other cases", "totalseconds needs an", 1, 0},
}

// lenient are inputs that the grammar does not allow and that are read all the same.
var lenient = map[string]string{
	"http//My.Org/":       "the address of the service is not looked at",
	"$filter =true":       "blanks around an option's name and value do no harm",
	"$filter= true":       "likewise",
	"0":                   "a number is an expression; it is no condition",
	"1":                   "likewise",
	"$search=#1":          "no browser sends what is behind #",
	"$search=more&more":   "it is the end of the option, and a custom option follows",
	"$search=a;b":         "decoded, it is the same as %3B",
	"\"blue%22green":      "decoded, it is a phrase and a word",
	"$skiptoken=Not&this": "it is the end of the option, and a custom option follows",
}

// TestGrammar reads the cases of OASIS: what the grammar allows is read or not
// supported, what it does not allow is refused.
func TestGrammar(t *testing.T) {
	s := grammarSchema(t)
	read, unsupported, refused := 0, 0, 0
	missing := map[string]int{}
	for _, c := range grammarCases(t) {
		tried, err := parseCase(s, c)
		if !tried {
			continue
		}
		var e *Error
		known := err == nil || errors.As(err, &e)
		switch {
		case !known:
			t.Errorf("%s: %v is no *Error", c.Input, err)
		case c.FailAt != nil && err == nil && lenient[c.Input] == "":
			t.Errorf("%s %s is read; want an error at %d (%s)", c.Rule, c.Input, *c.FailAt, c.Name)
		case c.FailAt != nil:
			refused++
		case err == nil:
			read++
		case e.Status == http.StatusNotImplemented:
			unsupported++
			missing[e.Message]++
		case !excused(e):
			t.Errorf("%s %s: %v (%s)", c.Rule, c.Input, err, c.Name)
		}
	}
	t.Logf("%d cases are read, %d are not supported, %d are refused as they should be", read, unsupported, refused)
	for _, what := range slices.Sorted(maps.Keys(missing)) {
		t.Logf("%d cases: %s", missing[what], what)
	}
	for _, o := range outside {
		if t.Logf("%d cases: %s", o.found, o.why); o.found != o.count {
			t.Errorf("%d cases are refused (%s); want %d", o.found, o.why, o.count)
		}
	}
	if read < 268 {
		t.Errorf("%d cases are read; want 268", read)
	}
}

func excused(e *Error) bool {
	for i, o := range outside {
		if strings.Contains(e.Error(), o.says) {
			outside[i].found++
			return true
		}
	}
	return false
}
