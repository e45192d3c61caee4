package odata

import (
	"strings"
	"testing"
)

// TestPath checks what a path leads to.
func TestPath(t *testing.T) {
	tests := []struct {
		path, query string
		kind        PathKind
		key         string
	}{
		{"", "", ServiceDocument, ""},
		{"/", "$format=json", ServiceDocument, ""},
		{"$metadata", "", Metadata, ""},
		{"%24metadata", "sap-language=EN", Metadata, ""},
		{"$batch", "", Batch, ""},
		{"FlightBookingDetailed", "", Collection, ""},
		{"FlightBookingDetailed/", "", Collection, ""},
		{"FlightBookingDetailed()", "", Collection, ""},
		{"FlightBookingDetailed/$count", "$filter=NoShow&$top=5&$orderby=State&$expand=Segments", Count, ""},
		{"FlightBookingDetailed/$query", "", Collection, ""},
		{"FlightBookingDetailed('a')", "$select=State", Entity, "'a'"},
		{"FlightBookingDetailed(BookingId='O''B')", "", Entity, "'O'B'"},
		{"FlightBookingDetailed(%27a%2Fb%20c%27)", "", Entity, "'a/b c'"},
		{"FlightBookingDetailed('a+b')", "", Entity, "'a+b'"},
		{"FlightBookingDetailed(@k)", "@k='a'", Entity, "'a'"},
		{"FlightBookingDetailed(BookingId=@k)", "@k='a'", Entity, "'a'"},
		{"FlightBookingDetailed('a')/PriceTotal", "", PropertyResource, "'a'"},
		{"FlightBookingDetailed('a')/PriceTotal/$value", "", PropertyValue, "'a'"},
		{"FlightBookingDetailed('a')/Segments", "$filter=Km gt 5&$orderby=Km&$top=1", Collection, "'a' /"},
		{"FlightBookingDetailed('a')/Segments/$count", "$filter=Km gt 5", Count, "'a' /"},
		{"Actions(Nr=5,BookingId='a')", "", Entity, "'a' 5"},
		{"FlightBookingDetailed('a')/Segments('s')/Booking", "$expand=*", Entity, "'a' / 's' /"},
		{"FlightBookingDetailed('a')/Segments('s')/Booking/Actions/$count", "", Count, "'a' / 's' / /"},
		{"FlightBookingDetailed('a')/Actions()", "$top=1", Collection, "'a' /"},
		{"FlightBookingDetailed('a')/Actions(5)", "", Entity, "'a' / - 5"},
		{"FlightBookingDetailed('a')/Actions(Nr=5)/Name", "", PropertyResource, "'a' / - 5"},
		{"FlightBookingDetailed('a')/Actions(Nr=5,BookingId='a')/Name/$value", "", PropertyValue, "'a' / 'a' 5"},
		{"FlightBookingDetailed('a')/Segments/$ref", "$filter=Km gt 5&$top=1&$count=true", Collection, "'a' /"},
		{"Segments('s')/Booking/$ref", "", Entity, "'s' /"},
		{"Segments('s')/Booking/VesselName/$value", "", PropertyValue, "'s' /"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			r, err := parse(t, tt.path, tt.query)
			if err != nil {
				t.Fatalf("%s?%s: %v", tt.path, tt.query, err)
			}
			key := showKey(r.Path.Key)
			for _, s := range r.Path.Steps {
				key += " /"
				if s.Key != nil {
					key += " " + showKey(s.Key)
				}
			}
			if r.Path.Kind != tt.kind || key != tt.key {
				t.Errorf("%s: kind %d with key %s; want %d with %s", tt.path, r.Path.Kind, key, tt.kind, tt.key)
			}
		})
	}
}

// showKey writes the values of a key, and - for what is implied.
func showKey(key []*Literal) string {
	var all []string
	for _, l := range key {
		if l == nil {
			all = append(all, "-")
			continue
		}
		all = append(all, showLiteral(l))
	}
	return strings.Join(all, " ")
}

// TestPathErrors checks paths that lead nowhere.
func TestPathErrors(t *testing.T) {
	tests := []struct {
		path, query string
		status      int
		want        string
	}{
		{"Foo", "", 404, `there is no resource "Foo"`},
		{"flightbookingdetailed", "", 404, "did you mean FlightBookingDetailed?"},
		{"FlightBookingDetailed/Foo", "", 404, `there is no resource "Foo" here`},
		{"FlightBookingDetailed/State", "", 404, "State is a property of a single row"},
		{"FlightBookingDetailed('a')/Foo", "", 404, `there is no resource "Foo" here`},
		{"FlightBookingDetailed('a')/State/Foo", "", 404, "there is no resource"},
		{"FlightBookingDetailed//State", "", 404, "there is no resource"},
		{"FlightBookingDetailed/$count/State", "", 404, "there is no resource"},
		{"FlightBookingDetailed/$query/State", "", 404, "there is no resource"},
		{"FlightBookingDetailed(Locator='a')", "", 404, `there is no key property "Locator"`},
		{"a/b/c/d/e/f/g/h/i/j/k", "", 404, "too many segments"},
		{"FlightBookingDetailed(5)", "", 400, "the key BookingId is an Edm.String"},
		{"FlightBookingDetailed(null)", "", 400, "and not null"},
		{"FlightBookingDetailed('a'", "", 400, "it ends where ) should follow"},
		{"FlightBookingDetailed('a','b')", "", 400, "there are too many values"},
		{"FlightBookingDetailed('a')x", "", 400, "stands where the end should"},
		{"FlightBookingDetailed('a%27b')", "", 400, "at character 6: the text has no closing quote"},
		{"FlightBookingDetailed('a%zz')", "", 400, "the path has a % without"},
		{"FlightBookingDetailed('%ff')", "", 400, "the path is not UTF-8"},
		{"FlightBookingDetailed(State)", "", 400, "="},
		{"FlightBookingDetailed(@k)", "", 400, "and not null"},
		{"FlightBookingDetailed(@k)", "@k=1 add 2", 400, "the key must be a value"},
		{"FlightBookingDetailed('a')/Actions('b')", "", 400, "the key Nr is an Edm.Int32"},
		{"FlightBookingDetailed('a')/Actions(BookingId='a')", "", 400, "a value is missing"},
		{"FlightBookingDetailed('a')/Actions(5,6)", "", 400, "too many values"},
		{"FlightBookingDetailed('a')/Actions(Name='x')", "", 404, `there is no key property "Name"`},
		{"FlightBookingDetailed('a')/Segments/$ref", "$select=Km", 400, "$select: this option does not go with $ref"},
		{"FlightBookingDetailed('a')/Segments/$ref/$count", "", 501, `"$ref" in a path`},
		{"FlightBookingDetailed('a')/Segments/$count/$ref", "", 501, `"$ref" in a path`},
		{"FlightBookingDetailed('a')/Actions/Name", "", 404, "Name is a property of a single row"},
		{"FlightBookingDetailed/Actions", "", 404, `there is no resource "Actions" here`},
		{"Segments('s')/Booking('a')", "", 404, "Booking leads to one row, and takes no key"},
		{"Segments('s')/Booking/$count", "", 404, "there is no resource"},
		{"Actions('a')", "", 400, "each value of the key needs its name"},
		{"Actions(BookingId='a')", "", 400, "a value is missing"},
		{"Actions(BookingId='a',BookingId='b')", "", 400, "too many values"},
		{"Actions(BookingId='a',Nr=1.5)", "", 400, "the key Nr is an Edm.Int32"},
		{"FlightBookingDetailed('a')", "$filter=NoShow", 400, "$filter: this option does not go with this resource"},
		{"FlightBookingDetailed('a')/State", "$select=State", 400, "$select: this option does not go with"},
		{"$metadata", "$top=1", 400, "$top: this option does not go with"},
		{"$entity", "$id=1", 501, "$id"},
		{"$all", "", 501, `"$all" is not supported here`},
		{"$crossjoin(A,B)", "", 501, "is not supported here"},
		{"FlightBookingDetailed/$ref", "", 501, `"$ref" in a path`},
		{"FlightBookingDetailed/$filter(NoShow)", "", 501, "in a path"},
		{"FlightBookingDetailed('a')/$value", "", 501, "in a path"},
	}
	for _, tt := range tests {
		t.Run(tt.path+"?"+tt.query, func(t *testing.T) {
			_, err := parse(t, tt.path, tt.query)
			wantError(t, err, tt.status, tt.want)
		})
	}
}
