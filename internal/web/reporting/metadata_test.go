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
				EntityType struct {
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
						Annotation struct {
							Term   string `xml:"Term,attr"`
							String string `xml:"String,attr"`
						}
					}
				}
				EntityContainer struct {
					EntitySet struct {
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
		if x.Version != "4.0" || x.Schema.EntityType.Name != "FlightBookingDetailed" ||
			held.EntitySet.EntityType != x.Schema.Namespace+".FlightBookingDetailed" ||
			x.Schema.EntityType.Key.PropertyRef[0].Name != "BookingId" {
			t.Errorf("the model is %+v", x)
		}
		for _, a := range append(held.Annotation, held.EntitySet.Annotation...) {
			alias, _, _ := strings.Cut(a.Term, ".")
			if !strings.Contains(text, `<edmx:Include Namespace="Org.OData.`+alias+`.V1" Alias="`+alias+`"/>`) {
				t.Errorf("nothing says where %s is from", a.Term)
			}
		}
		var inXML []string
		for i, p := range x.Schema.EntityType.Property {
			inXML = append(inXML, fmt.Sprint(p.Name, p.Type, p.Nullable != "false", p.Precision, p.Scale,
				p.Annotation.String))
			c := report.FlightBookings.Columns[i]
			if p.Name != c.Name || !strings.HasPrefix(p.Annotation.String, c.About) ||
				!strings.Contains(p.Annotation.String, c.Unit) || (p.Nullable == "false") != c.Always {
				t.Errorf("%+v is not the column %+v", p, c)
			}
			if p.Type == "Edm.Decimal" && p.Scale == "" {
				t.Errorf("%s has no scale, which means none of its decimals", p.Name)
			}
		}
		if len(inXML) != 40 {
			t.Errorf("there are %d columns", len(inXML))
		}
		var j map[string]json.RawMessage
		text = s.get(t, "$metadata?$format=json").body
		var schema map[string]map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &j); err != nil ||
			json.Unmarshal(j[x.Schema.Namespace], &schema) != nil || string(j["$Version"]) != `"4.01"` {
			t.Fatalf("%v\n%s", err, text)
		}
		var inJSON []string
		for _, c := range report.FlightBookings.Columns {
			p := struct {
				Type      string `json:"$Type"`
				Nullable  bool   `json:"$Nullable"`
				Precision int    `json:"$Precision"`
				Scale     *int   `json:"$Scale"`
				About     string `json:"@Core.Description"`
			}{Type: "Edm.String"}
			if err := json.Unmarshal(schema["FlightBookingDetailed"][c.Name], &p); err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			scale := ""
			if p.Scale != nil {
				scale = fmt.Sprint(*p.Scale)
			}
			inJSON = append(inJSON, fmt.Sprint(c.Name, p.Type, p.Nullable, p.Precision, scale, p.About))
		}
		if !slices.Equal(inXML, inJSON) {
			t.Errorf("in XML %q\nin JSON %q", inXML, inJSON)
		}
	})
}
