package erasure_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
)

// runztt has values that nobody else has.
var runztt = gangway.Traveller{ID: "E-77", LastName: "Runztt", FirstName: "Ilja", DOB: "1979-10-07", DocCountry: "RU",
	DocNumber: "RU77019"}

// typed contains all of runztt's values, in the ways people might type them.
const typed = "INV Runztt/Ilja RU 77019 07.10.1979 417"

// codes are the texts of a booking that nobody types: our identifiers and codes
// and those of suppliers, suppliers' words about fares, and which colleague did
// what. For a new text, decide: can a person type it, or a customer send it?
var codes = strings.Fields(`
	ID Locator Supplier Order Plating Tickets CreatedBy CreatedByID CreatedByName CancelledBy CancelledByName
	Itinerary.Segments.Carrier Itinerary.Segments.FlightNumber Itinerary.Segments.Operator Itinerary.Segments.OriginTerminal
	Itinerary.Segments.DestinationTerminal Itinerary.Segments.Aircraft
	Baggage.URL Terms.Brand Terms.NoShow Emissions.Method Emissions.FactorSet
	Purpose.Search Approval.DecidedBy Approval.DecidedByName Change.Offer Change.AskedBy Notice.ID Attention.HandledBy
	AutoIssueSet.By AutoIssueSet.ByName NoShow.By NoShow.ByName Invoices.By Invoices.ByName Invoices.Removed.By Invoices.Removed.ByName
	Replaces.Booking Replaces.Locator Replaces.By Replaces.ByID Replaces.ByName ReplacedBy`)

// write puts typed into every text of v that is not among codes, and counts them.
// Named types such as State are skipped, because they have fixed values.
func write(v reflect.Value, name string, done map[string]bool) {
	for _, code := range codes {
		if name == code || strings.HasSuffix(name, "."+code) {
			return
		}
	}
	switch {
	case v.Type() == reflect.TypeFor[time.Time](), v.Type() == reflect.TypeFor[gangway.Traveller](), v.Type() ==
		reflect.TypeFor[gangway.Money]():
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			part := name + "." + f.Name
			if f.Anonymous {
				part = name
			}
			write(v.Field(i), strings.TrimPrefix(part, "."), done)
		}
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		write(v.Elem(), name, done)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		write(v.Index(0), name, done)
		write(v.Index(1), name, done)
	case v.Type() == reflect.TypeFor[map[string]string]():
		v.Set(reflect.ValueOf(map[string]string{"a": typed}))
		done[name] = true
	case v.Type() == reflect.TypeFor[string]():
		v.SetString(typed)
		done[name] = true
	}
}

// TestNothingTypedIsLeft types a traveller's values wherever a booking has a text.
func TestNothingTypedIsLeft(t *testing.T) {
	var b gangway.Booking
	done := map[string]bool{}
	write(reflect.ValueOf(&b).Elem(), "", done)
	for _, name := range []string{"Agency", "Invoices.Number", "PNRs", "Purpose.Vessel", "Purpose.FlightIDs",
		"Purpose.Metadata", "Approval.Reason", "Notice.Why"} {
		if !done[name] {
			t.Errorf("nothing was typed into %s: the test looks at less than it says", name)
		}
	}
	b.Passenger = runztt
	erasure.EraseBooking(&b, time.Unix(1e9, 0), erasure.OwnValues{})
	doc, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"Runztt", "Ilja", "RU 77019", "77019", "1979", "07.10"} {
		if i := strings.Index(string(doc), word); i >= 0 {
			t.Errorf("%s was not erased: …%s…", word, doc[max(0, i-80):min(len(doc), i+20)])
		}
	}
	if got := b.Invoices[1].Number + ", " + b.Agency; got != "INV erased 417, INV erased 417" {
		t.Errorf("of what was typed %s is left; want everything but the values", got)
	}
}

func TestErasingKeepsFigures(t *testing.T) {
	b := gangway.Booking{Passenger: runztt, Agency: "Harbour Travel", PNRs: []string{"ABC234"},
		Invoices: []gangway.Invoice{{Number: "INV-2026-00417"}}}
	b.Purpose = gangway.Purpose{Vessel: "Runztt Star", RequestID: "R-1", Change: "id:CC-1",
		FlightIDs: map[string]string{"MNL-SIN_flight_id": "77"}}
	is := b
	erasure.EraseBooking(&is, time.Unix(1e9, 0), erasure.OwnValues{})
	if fmt.Sprint(is.Agency, is.PNRs, is.Invoices, is.Purpose) != fmt.Sprint(b.Agency, b.PNRs, b.Invoices, b.Purpose) {
		t.Errorf("erased, the booking has %v; want its figures as they were", is)
	}
}

func TestErasingFromRecordsOfOthers(t *testing.T) {
	other := gangway.Traveller{LastName: "Runztt", FirstName: "Oleg"}
	said := map[string]string{"with": "her brother Ilja Runztt, RU77019", "name": "Oleg Runztt"}
	var known erasure.OwnValues
	known.Learn(runztt)
	s := gangway.Search{Vessel: "Nordlys", Members: []gangway.SearchMember{{Traveller: runztt},
		{Traveller: other, Metadata: said, CustomFields: said}}}
	erasure.EraseMember(&s, 0, known)
	c := gangway.CrewChange{OnSigners: []gangway.CrewMember{{Traveller: runztt}, {Traveller: other, Metadata: said,
		CustomFields: said}}}
	erasure.EraseMembers(&c, func(t gangway.Traveller) bool { return t.ID == runztt.ID }, known)
	want := "map[name:Oleg Runztt with:her brother erased]"
	for _, got := range []map[string]string{s.Members[1].Metadata, s.Members[1].CustomFields, c.OnSigners[0].Metadata,
		c.OnSigners[0].CustomFields} {
		if fmt.Sprint(got) != want {
			t.Errorf("the other traveller's record says %v; want %s", got, want)
		}
	}
	if s.Vessel != "Nordlys" || fmt.Sprint(said) == want {
		t.Errorf("the vessel is %q, and the notes say %v; want both as they were", s.Vessel, said)
	}
}
