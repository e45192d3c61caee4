package wire

import (
	"fmt"
	"net/url"
	"reflect"
	"testing"

	"gangway"

	"github.com/google/go-cmp/cmp"
)

// aHandoff returns a form with one on-signer and one off-signer without fault.
func aHandoff() url.Values {
	form := url.Values{"vessel": {"Halcyon Spirit"}, "flag": {"mt"}, "change_airport": {"sin"}}
	for _, side := range []string{"onsigners", "offsigners"} {
		for name, value := range map[string]string{
			"arrive": "2026-12-01", "last_name": "Reyes", "first_name": "Ana", "dob": "1990-05-17", "nationality": "PH", "gender": "F",
			"doc_country": "PH", "doc_number": "P1234567A", "doc_expire": "2030-01-31", "home_airport": "MNL",
			"email": "ana@crew.example", "phone": "+63 2 555 0101", "id": "C-" + side,
		} {
			form.Set(side+"[0]["+name+"]", value)
		}
	}
	form.Set("onsigners[0][custom_fields][Cost centre [main]]", "4711")
	return form
}

func TestReadHandoff(t *testing.T) {
	got, err := ReadHandoff(aHandoff())
	ana := gangway.Traveller{
		LastName: "Reyes", FirstName: "Ana", DOB: "1990-05-17", Nationality: "PH", Gender: "F", DocCountry: "PH", DocNumber: "P1234567A",
		DocExpire: "2030-01-31", HomeAirport: "MNL", Email: "ana@crew.example", Phone: "+63 2 555 0101",
	}
	on, off := gangway.CrewMember{Traveller: ana, Arrive: gangway.PortCall{Date: "2026-12-01"}}, gangway.CrewMember{Traveller: ana, Arrive: gangway.PortCall{Date: "2026-12-01"}}
	on.ID, off.ID = "C-onsigners", "C-offsigners"
	on.CustomFields = map[string]string{"Cost centre [main]": "4711"}
	want := Handoff{
		Change:    gangway.CrewChange{Vessel: "Halcyon Spirit", Flag: "MT", ChangeAirport: "SIN", OnSigners: []gangway.CrewMember{on}, OffSigners: []gangway.CrewMember{off}},
		OnSigners: [][]string{nil}, OffSigners: [][]string{nil},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Fatalf("ReadHandoff: %v, (-want +got)\n%s", err, diff)
	}
}

func TestReadHandoffNeverRefusesAField(t *testing.T) {
	tests := []struct {
		name, field, value string
		warning            string
		empty              func(gangway.CrewMember) any // what is left empty
	}{
		{"no surname", "last_name", "", "the last name is missing", func(m gangway.CrewMember) any { return m.LastName }},
		{"a surname without a letter", "last_name", "'.-", "the last name is missing", func(m gangway.CrewMember) any { return m.LastName }},
		{"no given name", "first_name", "", "the first name is missing", func(m gangway.CrewMember) any { return m.FirstName }},
		{"a day that no month has", "dob", "1990-02-30", `the date of birth "1990-02-30" is no date written YYYY-MM-DD`, func(m gangway.CrewMember) any { return m.DOB }},
		{"a date the other way round", "doc_expire", "31/01/2030", `the passport's expiry date "31/01/2030" is no date written YYYY-MM-DD`, func(m gangway.CrewMember) any { return m.DocExpire }},
		{"a country in full", "nationality", "Philippines", `the nationality "PHILIPPINES" is no country code`, func(m gangway.CrewMember) any { return m.Nationality }},
		{"a country that is not assigned", "doc_country", "XX", `the passport's country "XX" is no country code`, func(m gangway.CrewMember) any { return m.DocCountry }},
		{"no passport", "doc_number", "", "the passport number is missing", func(m gangway.CrewMember) any { return m.DocNumber }},
		{"a gender in full", "gender", "female", `the gender "FEMALE" is neither M nor F`, func(m gangway.CrewMember) any { return m.Gender }},
		{"an airport in full", "home_airport", "Manila", `the home airport "MANILA" is no airport code`, func(m gangway.CrewMember) any { return m.HomeAirport }},
		{"born too long ago", "dob", "1890-04-30", `the date of birth "1890-04-30" must not be before 1900`, func(m gangway.CrewMember) any { return m.DOB }},
		{"no arrival", "arrive", "", "the arrival date is missing", func(m gangway.CrewMember) any { return m.Arrive.Date }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			form := aHandoff()
			form.Set("onsigners[0]["+tt.field+"]", tt.value)
			got, err := ReadHandoff(form)
			if err != nil || got.Change.Size() != 2 {
				t.Fatalf("ReadHandoff with %s %q: %v, %d members; want both", tt.field, tt.value, err, got.Change.Size())
			}
			if want := [][]string{{tt.warning}}; !reflect.DeepEqual(got.OnSigners, want) {
				t.Errorf("warnings = %q; want %q", got.OnSigners, want)
			}
			if v := tt.empty(got.Change.OnSigners[0]); !reflect.ValueOf(v).IsZero() {
				t.Errorf("%s = %q; want it left empty", tt.field, v)
			}
			if got.OffSigners[0] != nil {
				t.Errorf("the off-signer is warned about: %q", got.OffSigners[0])
			}
		})
	}
}

func TestReadHandoffNames(t *testing.T) {
	tests := []struct{ sent, want string }{
		{"O'Brien", "OBrien"}, {"St. John,", "St John"}, {"Núñez", "Núñez"}, {"Nguyễn  Thị", "Nguyễn Thị"}, {"Anne-Marie", "AnneMarie"},
		{"Иванов", "Иванов"}, {" de la Cruz\t2nd ", "de la Cruz nd"}, {"Mu\u0308ller", "Mu\u0308ller"}, {"Re\xffyes\x00", "Reyes"},
	}
	for _, tt := range tests {
		form := aHandoff()
		form.Set("onsigners[0][last_name]", tt.sent)
		if got, err := ReadHandoff(form); err != nil || got.Change.OnSigners[0].LastName != tt.want {
			t.Errorf("last name %q is read as %q, %v; want %q", tt.sent, got.Change.OnSigners[0].LastName, err, tt.want)
		}
	}
}

func TestReadHandoffLists(t *testing.T) {
	t.Run("members come in the order of their numbers, gaps or not", func(t *testing.T) {
		form := url.Values{"onsigners[10][last_name]": {"Ten"}, "onsigners[2][last_name]": {"Two"}, "onsigners[0][last_name]": {"Zero"}}
		got, err := ReadHandoff(form)
		var names []string
		for _, m := range got.Change.OnSigners {
			names = append(names, m.LastName)
		}
		if want := []string{"Zero", "Two", "Ten"}; err != nil || !reflect.DeepEqual(names, want) {
			t.Fatalf("on-signers %v, %v; want %v", names, err, want)
		}
	})
	t.Run("what looks like no member is none", func(t *testing.T) {
		form := url.Values{}
		for _, key := range []string{"onsigners", "onsigners[", "onsigners[]", "onsigners[x][last_name]", "onsigners[-1][last_name]", "onsigners[0]last_name", "others[0][last_name]"} {
			form.Set(key, "Reyes")
		}
		got, err := ReadHandoff(form)
		if err != nil || got.Change.Size() != 0 {
			t.Fatalf("ReadHandoff = %d members, %v; want none", got.Change.Size(), err)
		}
		if want := []string{"the vessel is missing", "the flag is missing", "the airport of the crew change is missing"}; !reflect.DeepEqual(got.Warnings, want) {
			t.Errorf("warnings = %q; want %q", got.Warnings, want)
		}
	})
	t.Run("200 members and no more", func(t *testing.T) {
		form := url.Values{}
		for i := range 200 {
			form.Set(fmt.Sprintf("offsigners[%d][last_name]", i), "Reyes")
		}
		if got, err := ReadHandoff(form); err != nil || got.Change.Size() != 200 {
			t.Fatalf("200 members: %d read, %v", got.Change.Size(), err)
		}
		form.Set("onsigners[0][last_name]", "Reyes")
		if _, err := ReadHandoff(form); gangway.KindOf(err) != gangway.Invalid {
			t.Fatalf("201 members: %v; want Invalid", err)
		}
	})
	t.Run("an off-signer's departure may stand in either field", func(t *testing.T) {
		form := aHandoff()
		form.Del("offsigners[0][arrive]")
		got, err := ReadHandoff(form)
		if want := [][]string{{"the departure date is missing"}}; err != nil || !reflect.DeepEqual(got.OffSigners, want) {
			t.Fatalf("warnings = %q, %v; want %q", got.OffSigners, err, want)
		}
		form.Set("offsigners[0][depart]", "2026-12-02")
		got, err = ReadHandoff(form)
		if err != nil || got.OffSigners[0] != nil || got.Change.OffSigners[0].Depart.Date != "2026-12-02" {
			t.Fatalf("off-signer %+v, warnings %q, %v; want her departure", got.Change.OffSigners[0].Depart, got.OffSigners, err)
		}
	})
}
