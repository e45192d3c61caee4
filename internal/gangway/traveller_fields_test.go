package gangway_test

import (
	"reflect"
	"strings"
	"testing"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
)

// A travellerField says how a field of a traveller is treated in places that are
// easily forgotten. A new field is a new line; a test finds a missing one.
type travellerField struct {
	limit bool // uploads refuse what is too long
	own   bool // erasure looks for it in what others typed, because it identifies the person alone
	asked bool // forms have a field for it; otherwise it is kept as the customer sent it
	value string
}

var travellerFields = map[string]travellerField{
	"ID":            {limit: true, value: "C-1001"},
	"LastName":      {limit: true, own: true, asked: true, value: "Runztt"},
	"FirstName":     {limit: true, own: true, asked: true, value: "Bartłomieja"},
	"DOB":           {limit: true, own: true, asked: true, value: "1979-10-27"},
	"Nationality":   {limit: true, asked: true, value: "PL"},
	"Gender":        {limit: true, asked: true, value: "F"},
	"DocCountry":    {limit: true, asked: true, value: "PL"},
	"DocNumber":     {limit: true, own: true, asked: true, value: "ZQ773190X"},
	"DocExpire":     {limit: true, asked: true, value: "2035-01-01"},
	"HomeAirport":   {limit: true, value: "WAW"},
	"Email":         {limit: true, own: true, asked: true, value: "quux@example.org"},
	"Phone":         {limit: true, own: true, asked: true, value: "48225550147"},
	"OnTicket":      {own: true, asked: true}, // limited where it is typed
	"FrequentFlyer": {own: true, asked: true},
	"Extra":         {}, // limited where it is read
}

// TestNoFieldOfATravellerIsForgotten goes through the fields of the record.
func TestNoFieldOfATravellerIsForgotten(t *testing.T) {
	full := gangway.Traveller{OnTicket: gangway.TicketName{Last: "RUNZTT"},
		FrequentFlyer: gangway.FrequentFlyer{Airline: "LO", Number: "7731900044"}, Extra: []byte(`{"rank":"AB"}`)}
	for name, f := range travellerFields {
		if f.value != "" {
			reflect.ValueOf(&full).Elem().FieldByName(name).SetString(f.value)
		}
	}
	var own erasure.OwnValues
	own.Learn(full)
	kept := gangway.Traveller{}.KeepUnasked(full)
	for i, field := range reflect.VisibleFields(reflect.TypeFor[gangway.Traveller]()) {
		f, known := travellerFields[field.Name]
		if !known {
			t.Errorf("%s: a new field needs a line above, and whatever the line asks for", field.Name)
			continue
		}
		value := reflect.ValueOf(full).Field(i)
		if value.IsZero() {
			t.Errorf("%s: there is no value to test it with", field.Name)
		}
		if f.value != "" {
			if got := own.Without("INV " + f.value); (got == "INV erased") != f.own {
				t.Errorf("%s: erasing makes %q of %q; own is %v", field.Name, got, "INV "+f.value, f.own)
			}
		}
		if got := reflect.ValueOf(kept).Field(i); got.IsZero() != f.asked {
			t.Errorf("%s: KeepUnasked made %v of %v; asked is %v", field.Name, got, value, f.asked)
		}
		if f.limit {
			long := full
			reflect.ValueOf(&long).Elem().Field(i).SetString(strings.Repeat("A", 300))
			var p gangway.Problems
			long.Check(&p, gangway.ProblemPath{}, gangway.CrewTraveller,
				gangway.Today{Earliest: "2026-11-01", Latest: "2026-11-02"})
			if len(p.Fields) != 1 {
				t.Errorf("%s: with 300 letters there are the problems %v; want one", field.Name, p.Fields)
			}
		}
	}
	for name := range travellerFields {
		if _, is := reflect.TypeFor[gangway.Traveller]().FieldByName(name); !is {
			t.Errorf("%s is no longer a field", name)
		}
	}
}
