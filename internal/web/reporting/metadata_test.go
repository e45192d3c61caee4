package reporting_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gangway/internal/report"
	"gangway/internal/web/reporting"
)

// TestMetadata holds that each column is described: its type, whether it may be unknown, its unit and what it
// means, in XML as in JSON, and that what annotations are from is named.
func TestMetadata(t *testing.T) {
	each(t, 0, reporting.Limits{}, func(t *testing.T, s *service) {
		var x struct {
			Version    string `xml:"Version,attr"`
			References []struct {
				Include struct {
					Alias string `xml:"Alias,attr"`
				}
			} `xml:"Reference"`
			Schema struct {
				Namespace  string `xml:"Namespace,attr"`
				EntityType []struct {
					Name string `xml:"Name,attr"`
					Key  struct {
						PropertyRef []struct {
							Name string `xml:"Name,attr"`
						}
					}
					Property []struct {
						Name       string `xml:"Name,attr"`
						Type       string `xml:"Type,attr"`
						Nullable   string `xml:"Nullable,attr"`
						Precision  int    `xml:"Precision,attr"`
						Scale      string `xml:"Scale,attr"`
						Annotation []struct {
							Term   string `xml:"Term,attr"`
							String string `xml:"String,attr"`
							Path   string `xml:"Path,attr"`
						}
					}
				}
				EntityContainer struct {
					EntitySet []struct {
						Name       string `xml:"Name,attr"`
						EntityType string `xml:"EntityType,attr"`
						Annotation []struct {
							Term string `xml:"Term,attr"`
						}
					}
					Annotation []struct {
						Term string `xml:"Term,attr"`
					}
				}
			} `xml:"DataServices>Schema"`
		}
		text := s.get(t, "$metadata").body
		if err := xml.Unmarshal([]byte(text), &x); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		held := x.Schema.EntityContainer
		if all := len(report.Sets); x.Version != "4.0" || len(x.Schema.EntityType) != all ||
			len(held.EntitySet) != all {
			t.Fatalf("the model is %s", text)
		}
		annotations := held.Annotation
		inXML := map[string][]string{}
		for n, set := range report.Sets {
			of, in := x.Schema.EntityType[n], held.EntitySet[n]
			key := make([]string, len(of.Key.PropertyRef))
			for i, k := range of.Key.PropertyRef {
				key[i] = k.Name
			}
			if of.Name != set.Name || in.Name != set.Name || in.EntityType != x.Schema.Namespace+"."+set.Name ||
				!slices.Equal(key, set.Key) || len(of.Property) != len(set.Columns) {
				t.Fatalf("%s is described as %+v in %+v", set.Name, of, in)
			}
			annotations = append(annotations, in.Annotation...)
			for i, p := range of.Property {
				said := map[string]string{}
				for _, a := range p.Annotation {
					said[a.Term] = a.String + a.Path
				}
				inXML[set.Name] = append(inXML[set.Name], fmt.Sprint(p.Name, p.Type, p.Nullable != "false", p.Precision,
					p.Scale, said))
				c := set.Columns[i]
				if p.Name != c.Name || !strings.HasPrefix(said["Core.Description"], c.About) ||
					!strings.Contains(said["Core.Description"], c.Unit) || (p.Nullable == "false") != c.Always {
					t.Errorf("%+v is not the column %+v", p, c)
				}
				if said["Measures.Unit"] != c.Unit || said["Measures.ISOCurrency"] != c.Currency ||
					strings.HasSuffix(c.Name, "Total") && c.Currency == "" {
					t.Errorf("%s is measured in %v; want %q, %q", c.Name, said, c.Unit, c.Currency)
				}
				if p.Type == "Edm.Decimal" && p.Scale == "" {
					t.Errorf("%s has no scale, which means none of its decimals", p.Name)
				}
			}
		}
		for _, a := range annotations {
			alias, _, _ := strings.Cut(a.Term, ".")
			if !strings.Contains(text, `<edmx:Include Namespace="Org.OData.`+alias+`.V1" Alias="`+alias+`"/>`) {
				t.Errorf("nothing says where %s is from", a.Term)
			}
		}
		var j map[string]json.RawMessage
		text = s.get(t, "$metadata?$format=json").body
		var schema map[string]map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &j); err != nil ||
			json.Unmarshal(j[x.Schema.Namespace], &schema) != nil || string(j["$Version"]) != `"4.01"` {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, set := range report.Sets {
			var inJSON []string
			for _, c := range set.Columns {
				p := struct {
					Type      string `json:"$Type"`
					Nullable  bool   `json:"$Nullable"`
					Precision int    `json:"$Precision"`
					Scale     *int   `json:"$Scale"`
					About     string `json:"@Core.Description"`
					Unit      string `json:"@Measures.Unit"`
					Currency  struct {
						Path string `json:"$Path"`
					} `json:"@Measures.ISOCurrency"`
				}{Type: "Edm.String"}
				if err := json.Unmarshal(schema[set.Name][c.Name], &p); err != nil {
					t.Fatalf("%s/%s: %v", set.Name, c.Name, err)
				}
				scale := ""
				if p.Scale != nil {
					scale = fmt.Sprint(*p.Scale)
				}
				said := map[string]string{"Core.Description": p.About}
				if p.Unit != "" {
					said["Measures.Unit"] = p.Unit
				}
				if p.Currency.Path != "" {
					said["Measures.ISOCurrency"] = p.Currency.Path
				}
				inJSON = append(inJSON, fmt.Sprint(c.Name, p.Type, p.Nullable, p.Precision, scale, said))
			}
			if !slices.Equal(inXML[set.Name], inJSON) {
				t.Errorf("in XML %q\nin JSON %q", inXML[set.Name], inJSON)
			}
		}
	})
}

// TestNames holds that no two names at one place differ only by their case, so that who writes one wrongly is told
// which is meant.
func TestNames(t *testing.T) {
	differ := func(where string, names []string) {
		seen := map[string]string{}
		for _, name := range names {
			if other, twice := seen[strings.ToLower(name)]; twice {
				t.Errorf("%s has %s and %s", where, name, other)
			}
			seen[strings.ToLower(name)] = name
		}
	}
	sets := []string{}
	for _, set := range report.Sets {
		sets = append(sets, set.Name)
		members := []string{}
		for _, c := range set.Columns {
			members = append(members, c.Name)
		}
		for _, n := range set.Navigations {
			members = append(members, n.Name)
		}
		differ(set.Name, members)
	}
	differ("the report", sets)
}

// TestFilterFunctions holds that what $metadata lists of operators and functions can be used in a filter.
func TestFilterFunctions(t *testing.T) {
	filters := map[string]string{
		"eq": "State eq null", "ne": "State ne null", "gt": "State gt 'a'", "ge": "State ge 'a'", "lt": "State lt 'z'",
		"le": "State le 'z'", "in": "State in ('a','b')", "and": "true and NoShow", "or": "NoShow or true",
		"not": "not NoShow", "add": "PriceTotal add 1 gt 2", "sub": "PriceTotal sub 1 gt 2",
		"mul": "PriceTotal mul 2 gt 2", "div": "PriceTotal div 2 gt 2", "divby": "TotalConnectionDuration divby 7 gt 2",
		"mod": "PriceTotal mod 2 eq 1", "any": "Segments/any()", "all": "Segments/all(s:s/Number gt 0)",
		"contains": "contains(State,'i')", "startswith": "startswith(State,'i')", "endswith": "endswith(State,'d')",
		"length": "length(State) gt 3", "indexof": "indexof(State,'i') eq 0", "substring": "substring(State,1) eq 's'",
		"tolower": "tolower(State) eq 's'", "toupper": "toupper(State) eq 'S'", "trim": "trim(State) eq 's'",
		"concat": "concat(State,Locator) eq 's'", "year": "year(CreatedAt) eq 2026", "month": "month(CreatedAt) eq 1",
		"day": "day(CreatedAt) eq 1", "hour": "hour(CreatedAt) eq 1", "minute": "minute(CreatedAt) eq 1",
		"second": "second(CreatedAt) eq 1", "fractionalseconds": "fractionalseconds(CreatedAt) eq 0",
		"date": "date(CreatedAt) eq 2026-01-01", "time": "time(CreatedAt) eq 10:00:00",
		"totaloffsetminutes": "totaloffsetminutes(CreatedAt) eq 0",
		"totalseconds":       "totalseconds(ArrivalAt sub DepartureAt) gt 0", "now": "CreatedAt lt now()",
		"mindatetime": "CreatedAt gt mindatetime()", "maxdatetime": "CreatedAt lt maxdatetime()",
		"round": "round(PriceTotal) eq 100", "floor": "floor(PriceTotal) eq 100",
		"ceiling": "ceiling(PriceTotal) eq 100",
		"cast":    "PriceTotal gt cast('1',Edm.Decimal)", "isof": "isof(State,Edm.String)",
		"case": "case(NoShow:1,true:2) eq 2",
	}
	each(t, 1, reporting.Limits{}, func(t *testing.T, s *service) {
		var model map[string]json.RawMessage
		var schema struct {
			Container struct {
				Functions []string `json:"@Capabilities.FilterFunctions"`
			}
		}
		must(t, json.Unmarshal([]byte(s.get(t, "$metadata?$format=json").body), &model))
		must(t, json.Unmarshal(model["Gangway.Report"], &schema))
		listed := schema.Container.Functions
		for _, name := range listed {
			filter, ok := filters[name]
			if a := s.get(t, "FlightBookingDetailed/$count?$filter="+filter); !ok || a.status != 200 {
				t.Errorf("%s is listed, and %s is answered by %d, %s", name, filter, a.status, a.body)
			}
		}
		if len(listed) != len(filters) {
			t.Errorf("%d are listed; want %d: %v", len(listed), len(filters), listed)
		}
	})
}
