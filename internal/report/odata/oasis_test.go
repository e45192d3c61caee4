package odata

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// grammarFolder names the environment variable with the folder that holds the
// test cases of the OASIS OData Technical Committee: odata-abnf-testcases.yaml
// and odata-aggregation-testcases.yaml of its repository odata-abnf.
const grammarFolder = "GANGWAY_ODATA_GRAMMAR"

type grammarCase struct {
	Name   string `yaml:"Name"`
	Rule   string `yaml:"Rule"`
	Input  string `yaml:"Input"`
	FailAt *int   `yaml:"FailAt"`
}

func grammarCases(t *testing.T) []grammarCase {
	t.Helper()
	folder := os.Getenv(grammarFolder)
	if folder == "" {
		t.Skipf("without the grammar cases of OASIS: %s does not name their folder", grammarFolder)
	}
	var all []grammarCase
	for _, name := range []string{"odata-abnf-testcases.yaml", "odata-aggregation-testcases.yaml"} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Skipf("without the grammar cases of OASIS: %v", err)
		}
		var file struct {
			TestCases []grammarCase `yaml:"TestCases"`
		}
		if err := yaml.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
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
	add(String, "Code City code CompanyName ContactName CountryCode eyeColor FirstName LastName Name Street style Title "+
		"ZipCode message severity Spokesperson State Status AccountRepresentative Currency")
	add(Decimal, "Amount Cost Price Revenue SumAmount TaxRate X Population Budget Forecast")
	add(Int32, "Age Quantity Rating Month Year")
	add(DateTimeOffset, "BirthDate ReleaseDate Shipped LifeTime")
	add(Boolean, "Completed")
	properties = append(properties, &Property{Name: "ID", Type: Type{Kind: Int32}}, &Property{Name: "Size", Type: Type{Kind: Decimal, Precision: 9, Scale: 2}})
	var sets []*EntitySet
	names := strings.Fields("Categories Countries Customers Employees LeaveRequests Orders OrderItems People Products Sales SalesOrganizations Suppliers")
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
		for name := range strings.FieldsSeq("DirectReports Items Orders Products Sales Category Country Customer Manager Product Supplier Time Customers") {
			s.Navigations = append(s.Navigations, &Navigation{Name: name, Target: sets[8], Many: strings.HasSuffix(name, "s")})
		}
	}
	s, err := NewSchema(sets...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// parseCase reads the input of a case as its rule says; tried is false for
// rules that are about something else than requests.
func parseCase(s *Schema, c grammarCase) (tried bool, err error) {
	path, query := "Products", ""
	in := c.Input
	switch strings.ToLower(c.Rule) {
	case "commonexpr", "boolcommonexpr", "isofexpr", "anyexpr", "notexpr", "firstmemberexpr", "propertypathexpr", "singleliteral", "primitiveliteral", "stringliteral", "dateliteral", "binaryliteral", "durationliteral", "timeofdayliteral", "datetimeoffsetliteral", "decimalliteral", "doubleliteral", "int16literal", "int32literal", "int64literal", "sbyteliteral", "boolean", "date", "guid", "enumliteral":
		query = "$orderby=" + in
	case "filter", "orderby", "select", "expand", "search", "compute", "queryoptions", "systemqueryoption", "skiptoken", "deltatoken", "customqueryoption":
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

func TestGrammarExplore(t *testing.T) {
	s := grammarSchema(t)
	for _, c := range grammarCases(t) {
		tried, err := parseCase(s, c)
		var e *Error
		switch {
		case !tried:
		case c.FailAt != nil && err == nil:
			t.Logf("ACCEPTED %s | %s | %s", c.Rule, c.Input, c.Name)
		case c.FailAt == nil && errors.As(err, &e) && e.Status != http.StatusNotImplemented:
			t.Logf("REFUSED %s | %s | %v", c.Rule, c.Input, err)
		}
	}
}
