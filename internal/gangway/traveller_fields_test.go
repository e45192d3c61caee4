package gangway

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// notSent are the fields of a traveller that customers' systems do not send.
var notSent = []string{"OnTicket", "FrequentFlyer", "Extra"}

// TestNoFieldOfATravellerIsForgotten goes by the table of the record. What is in no line of it customers do not send.
func TestNoFieldOfATravellerIsForgotten(t *testing.T) {
	full := Traveller{OnTicket: TicketName{Last: "RUNZTT"}, FrequentFlyer: FrequentFlyer{Airline: "LO",
		Number: "7731900044"}, Extra: []byte(`{"rank":"AB"}`)}
	known := slices.Clone(notSent)
	for i := range UploadedTraveller.Members {
		m := &UploadedTraveller.Members[i]
		m.In(reflect.ValueOf(&full).Elem()).SetString(m.Sample.(string))
		known = append(known, reflect.TypeFor[Traveller]().FieldByIndex(m.index).Name)
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Traveller]()) {
		if !slices.Contains(known, field.Name) {
			t.Errorf("%s: a new field needs a line in the table of travellers", field.Name)
		}
	}
	var own OwnValues
	own.Learn(full)
	kept := Traveller{}.KeepUnasked(full)
	if string(kept.Extra) != string(full.Extra) || kept.OnTicket != (TicketName{}) {
		t.Errorf("KeepUnasked kept %+v; want what no form asks for", kept)
	}
	for i := range UploadedTraveller.Members {
		m := &UploadedTraveller.Members[i]
		identifies := m.Own || m.Form == PersonName || m.Form == BirthDay
		if got := own.Without("INV " + m.Sample.(string)); strings.Contains(got, "erased") != identifies {
			t.Errorf("%s: erasing makes %q of %q", m.Name, got, m.Sample)
		}
		if got := m.Text(&kept); (got != "") != m.Unasked {
			t.Errorf("%s: KeepUnasked kept %q; want it kept: %v", m.Name, got, m.Unasked)
		}
		long := full
		m.In(reflect.ValueOf(&long).Elem()).SetString(strings.Repeat("A", 300))
		var p Problems
		long.Check(&p, ProblemPath{}, UploadedTraveller, Today{Earliest: "2026-11-01", Latest: "2026-11-02"})
		if len(p.Fields) != 1 {
			t.Errorf("%s: with 300 letters there are the problems %v; want one", m.Name, p.Fields)
		}
	}
}
