package gangway_test

import (
	"reflect"
	"strings"
	"testing"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
)

// TestNoFieldOfATravellerIsForgotten goes by the table of the record. What is in no line of it customers do not send.
func TestNoFieldOfATravellerIsForgotten(t *testing.T) {
	full := gangway.Traveller{OnTicket: gangway.TicketName{Last: "RUNZTT"}, FrequentFlyer: gangway.FrequentFlyer{
		Airline: "LO", Number: "7731900044"}, Extra: []byte(`{"rank":"AB"}`)}
	members := gangway.UploadedTraveller.Members
	for i := range members {
		members[i].In(reflect.ValueOf(&full).Elem()).SetString(members[i].Sample.(string))
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[gangway.Traveller]()) {
		if reflect.ValueOf(full).FieldByIndex(field.Index).IsZero() {
			t.Errorf("%s: a new field needs a line in the table of travellers", field.Name)
		}
	}
	var own erasure.OwnValues
	own.Learn(full)
	kept := gangway.Traveller{}.KeepUnasked(full)
	if string(kept.Extra) != string(full.Extra) || kept.OnTicket != (gangway.TicketName{}) {
		t.Errorf("KeepUnasked kept %+v; want what no form asks for", kept)
	}
	for i := range members {
		m := &members[i]
		identifies := m.Own || m.Form == gangway.PersonName || m.Form == gangway.BirthDay
		if got := own.Without("INV " + m.Sample.(string)); strings.Contains(got, "erased") != identifies {
			t.Errorf("%s: erasing makes %q of %q", m.Name, got, m.Sample)
		}
		if got := m.Text(&kept); (got != "") != m.Unasked {
			t.Errorf("%s: KeepUnasked kept %q; want it kept: %v", m.Name, got, m.Unasked)
		}
		long := full
		m.In(reflect.ValueOf(&long).Elem()).SetString(strings.Repeat("A", 300))
		var p gangway.Problems
		long.Check(&p, gangway.ProblemPath{}, gangway.UploadedTraveller,
			gangway.Today{Earliest: "2026-11-01", Latest: "2026-11-02"})
		if len(p.Fields) != 1 {
			t.Errorf("%s: with 300 letters there are the problems %v; want one", m.Name, p.Fields)
		}
	}
}
