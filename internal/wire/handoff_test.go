package wire

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"

	"github.com/google/go-cmp/cmp"
)

var today = gangway.TodayAt(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))

// aHandoff returns a valid form with one on-signer and one off-signer.
func aHandoff() url.Values {
	form := url.Values{"vessel": {"Halcyon Spirit"}, "flag": {"mt"}, "change_airport": {"sin"}}
	for _, side := range []string{"onsigners", "offsigners"} {
		for name, value := range map[string]string{
			"arrive": "2026-12-01", "last_name": "Reyes", "first_name": "Ana", "dob": "1990-05-17", "nationality": "PH",
			"gender":      "F",
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
	got, err := ReadHandoff(aHandoff(), today)
	ana := gangway.Traveller{
		LastName: "Reyes", FirstName: "Ana", DOB: "1990-05-17", Nationality: "PH", Gender: "F", DocCountry: "PH",
		DocNumber: "P1234567A",
		DocExpire: "2030-01-31", HomeAirport: "MNL", Email: "ana@crew.example", Phone: "+63 2 555 0101",
	}
	on, off := gangway.CrewMember{Traveller: ana, Arrive: gangway.PortCall{Date: "2026-12-01"}},
		gangway.CrewMember{Traveller: ana, Arrive: gangway.PortCall{Date: "2026-12-01"}}
	on.ID, off.ID = "C-onsigners", "C-offsigners"
	on.CustomFields = map[string]string{"Cost centre [main]": "4711"}
	want := Handoff{
		Change: gangway.CrewChange{Vessel: "Halcyon Spirit", Flag: "MT", ChangeAirport: "SIN",
			OnSigners: []gangway.CrewMember{on}, OffSigners: []gangway.CrewMember{off}},
		OnSigners: [][]string{nil}, OffSigners: [][]string{nil},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Fatalf("ReadHandoff: %v, (-want +got)\n%s", err, diff)
	}
}

// A hand-off may say more than the interface asks of it: the crew change it belongs to, and ranks.
func TestReadHandoffReferenceAndRanks(t *testing.T) {
	form := aHandoff()
	form.Set("travel_request_id", " CC-7 ")
	form.Set("change_date", "2026-12-02")
	form.Set("onsigners[0][rank]", "Master")
	form.Set("onsigners[0][custom_fields][Rank]", "Chief Officer")
	form.Set("offsigners[0][custom_fields][RANK]", "Cook")
	h, err := ReadHandoff(form, today)
	if err != nil || len(h.Warnings) > 0 || h.Change.Key() != "id:CC-7" || h.Change.ChangeDate != "2026-12-02" {
		t.Fatalf("ReadHandoff = %+v, %v; want the crew change CC-7 on 2 December", h, err)
	}
	on, off := h.Change.OnSigners[0], h.Change.OffSigners[0]
	if on.Metadata["rank"] != "Master" || off.Metadata["rank"] != "Cook" || off.CustomFields["RANK"] != "Cook" {
		t.Errorf("the ranks are %v and %v; want Master and Cook, and the custom field kept", on.Metadata, off.Metadata)
	}
	form.Set("travel_request_id", strings.Repeat("x", 300))
	if h, err := ReadHandoff(form, today); err != nil || h.Change.TravelRequestID != "" || len(h.Warnings) != 1 {
		t.Errorf("with a reference of 300 characters: %+v, %v; want it left out, and said", h, err)
	}
}

// A field that is missing or malformed is left empty, with a warning; some wrong values are kept, for a person to
// correct.
func TestReadHandoffNeverRefusesAField(t *testing.T) {
	tests := []struct {
		field, value string
		warning      string
		kept         bool
	}{
		{"last_name", "", "the last name is missing", false},
		{"last_name", "'.-", `the last name "'.-" has no letters`, false},
		{"first_name", "", "the first name is missing", false},
		{"dob", "1990-02-30", `the date of birth "1990-02-30" is not a date written YYYY-MM-DD`, false},
		{"doc_expire", "31/01/2030", `the passport's expiry date "31/01/2030" is not a date written YYYY-MM-DD`, false},
		{"nationality", "Philippines", `the nationality "PHILIPPINES" is not a country code`, false},
		{"doc_country", "XX", `the passport's country "XX" is not a country code`, false},
		{"doc_number", "", "the passport number is missing", false},
		{"gender", "female", `the gender "FEMALE" is neither M nor F`, false},
		{"home_airport", "Manila", `the home airport "MANILA" is not an airport code`, false},
		{"dob", "1890-04-30", `the date of birth "1890-04-30" must not be before 1900`, false},
		{"dob", "2027-01-01", `the date of birth "2027-01-01" must not be in the future`, false},
		{"arrive", "", "the arrival date is missing", false},
		{"doc_number", strings.Repeat("P", 40),
			"the passport number has 40 characters; a passport's has at most 20", true},
		{"email", "nope", `the e-mail address "nope" is not valid`, true},
		{"phone", "nope", `the phone number "nope" is not valid`, true},
		{"arrive", "2020-12-01", "the arrival date 2020-12-01 is in the past", true},
	}
	for _, tt := range tests {
		form := aHandoff()
		form.Set("onsigners[0]["+tt.field+"]", tt.value)
		got, err := ReadHandoff(form, today)
		if err != nil || got.Change.Size() != 2 || !reflect.DeepEqual(got.OnSigners, [][]string{{tt.warning}}) ||
			got.OffSigners[0] != nil {
			t.Errorf("ReadHandoff with %s %q: %v, warnings %q, %q; want %q", tt.field, tt.value, err, got.OnSigners,
				got.OffSigners, tt.warning)
			continue
		}
		value := string(got.Change.OnSigners[0].Arrive.Date)
		if tt.field != "arrive" {
			value = gangway.UploadedTraveller.Members.Named(tt.field).Text(&got.Change.OnSigners[0].Traveller)
		}
		if want := map[bool]string{true: tt.value}[tt.kept]; value != want {
			t.Errorf("%s %q is read as %q; want %q", tt.field, tt.value, value, want)
		}
	}
}

func TestReadHandoffNames(t *testing.T) {
	tests := []struct{ sent, want, warning string }{
		{"O'Brien", "OBrien", ""}, {"St. John,", "St John", ""}, {"Núñez", "Núñez", ""}, {"Nguyễn  Thị", "Nguyễn Thị",
			""},
		{"Cruz,Jr.", "Cruz Jr", ""}, {"Иванов", "Иванов", ""}, {"Mu\u0308ller", "Mu\u0308ller", ""},
		{"王\u200b", "王", ""},
		{"O'Brien-Smith", "OBrien Smith",
			`the last name "O'Brien-Smith" became "OBrien Smith": an apostrophe was dropped, a hyphen became a space`},
		{"Cruz-Reyes", "Cruz Reyes", `the last name "Cruz-Reyes" became "Cruz Reyes": a hyphen became a space`},
		{"Cruz 2.0", "Cruz",
			`the last name "Cruz 2.0" became "Cruz": a dot was dropped, characters other than letters were dropped`},
		{"Cruz-Reyes 2nd", "Cruz Reyes nd", `the last name "Cruz-Reyes 2nd" became "Cruz Reyes nd": ` +
			`a hyphen became a space, characters other than letters were dropped`},
		{" de la Cruz\t2nd ", "de la Cruz nd",
			`the last name "de la Cruz 2nd" became "de la Cruz nd": characters other than letters were dropped`},
		{"Re\xffyes\x00", "Re\ufffdyes", "the last name \"Re\ufffdyes\" could not be read: correct what is shown as " +
			"\ufffd"},
	}
	for _, tt := range tests {
		form := aHandoff()
		form.Set("onsigners[0][last_name]", tt.sent)
		got, err := ReadHandoff(form, today)
		if err != nil || got.Change.OnSigners[0].LastName != tt.want {
			t.Errorf("last name %q is read as %q, %v; want %q", tt.sent, got.Change.OnSigners[0].LastName, err, tt.want)
		}
		if warning := strings.Join(got.OnSigners[0], "; "); warning != tt.warning {
			t.Errorf("last name %q is warned about as %s; want %s", tt.sent, warning, tt.warning)
		}
	}
}

// A page shows every text of a hand-off as it is stored.
func TestHandoffShowsItsTextAsStored(t *testing.T) {
	if got, err := ReadHandoff(aHandoff(), today); err != nil || got.Notes != nil {
		t.Fatalf("an ordinary hand-off has notes: %q, %v", got.Notes, err)
	}
	form := aHandoff()
	form.Set("vessel", "\u202eMV\u2066 Tern\u2069\u200e")
	form.Set("onsigners[0][last_name]", "Rey\u202ees")
	form.Set("onsigners[0][id]", "C-\u061c7\u200f")
	form.Set("onsigners[0][first_name]", "می\u200cخواهم")
	form.Set("onsigners[0][custom_fields][Note]", "one\u2028two")
	got, err := ReadHandoff(form, today)
	on := got.Change.OnSigners[0]
	if err != nil || got.Change.Vessel != "MV Tern" || on.LastName != "Reyes" || on.ID != "C-7" ||
		on.CustomFields["Note"] != "one two" {
		t.Errorf("read as %q, %q, %q, %q, %v", got.Change.Vessel, on.LastName, on.ID, on.CustomFields["Note"], err)
	}
	want := "Your system sent invisible characters that change how text looks in " +
		"“onsigners[0][custom_fields][Note]”, “onsigners[0][id]”, “onsigners[0][last_name]”, “vessel”; they were " +
		"removed. Please check these fields."
	if strings.Join(got.Notes, "") != want {
		t.Errorf("notes = %q; want %q", got.Notes, want)
	}
}

func TestReadHandoffEnvironment(t *testing.T) {
	tests := []struct {
		named string
		want  gangway.Environment
		notes int
	}{
		{"", "", 0}, {"development", gangway.Development, 0}, {"Production ", gangway.Production, 0},
		{"staging", "", 1},
	}
	for _, tt := range tests {
		form := aHandoff()
		form.Set("environment", tt.named)
		got, err := ReadHandoff(form, today)
		if err != nil || got.Environment != tt.want || len(got.Notes) != tt.notes {
			t.Errorf("environment %q is read as %q with notes %q, %v; want %q", tt.named, got.Environment, got.Notes,
				err, tt.want)
		}
	}
}

func TestReadHandoffLists(t *testing.T) {
	t.Run("members come in the order of their numbers, gaps or not", func(t *testing.T) {
		form := url.Values{"onsigners[10][last_name]": {"Ten"}, "onsigners[2][last_name]": {"Two"},
			"onsigners[0][last_name]": {"Zero"}}
		got, err := ReadHandoff(form, today)
		var names []string
		for _, m := range got.Change.OnSigners {
			names = append(names, m.LastName)
		}
		if want := []string{"Zero", "Two", "Ten"}; err != nil || !reflect.DeepEqual(names, want) {
			t.Fatalf("on-signers %v, %v; want %v", names, err, want)
		}
	})
	t.Run("a field that names no member is ignored", func(t *testing.T) {
		form := url.Values{}
		for _, key := range []string{"onsigners", "onsigners[", "onsigners[]", "onsigners[x][last_name]",
			"onsigners[-1][last_name]", "onsigners[0]last_name", "others[0][last_name]"} {
			form.Set(key, "Reyes")
		}
		got, err := ReadHandoff(form, today)
		if err != nil || got.Change.Size() != 0 {
			t.Fatalf("ReadHandoff = %d members, %v; want none", got.Change.Size(), err)
		}
		if want := []string{"the vessel is missing", "the flag is missing",
			"the airport of the crew change is missing"}; !reflect.DeepEqual(got.Warnings, want) {
			t.Errorf("warnings = %q; want %q", got.Warnings, want)
		}
	})
	t.Run("200 members and no more", func(t *testing.T) {
		form := url.Values{}
		for i := range 200 {
			form.Set(fmt.Sprintf("offsigners[%d][last_name]", i), "Reyes")
		}
		if got, err := ReadHandoff(form, today); err != nil || got.Change.Size() != 200 {
			t.Fatalf("200 members: %d read, %v", got.Change.Size(), err)
		}
		form.Set("onsigners[0][last_name]", "Reyes")
		if _, err := ReadHandoff(form, today); gangway.KindOf(err) != gangway.Invalid {
			t.Fatalf("201 members: %v; want Invalid", err)
		}
	})
	t.Run("an off-signer's departure may stand in either field", func(t *testing.T) {
		form := aHandoff()
		form.Del("offsigners[0][arrive]")
		got, err := ReadHandoff(form, today)
		if want := [][]string{{"the departure date is missing"}}; err != nil || !reflect.DeepEqual(got.OffSigners,
			want) {
			t.Fatalf("warnings = %q, %v; want %q", got.OffSigners, err, want)
		}
		form.Set("offsigners[0][depart]", "2026-12-02")
		got, err = ReadHandoff(form, today)
		if err != nil || got.OffSigners[0] != nil || got.Change.OffSigners[0].Depart.Date != "2026-12-02" {
			t.Fatalf("off-signer %+v, warnings %q, %v; want the departure date", got.Change.OffSigners[0].Depart,
				got.OffSigners, err)
		}
	})
}
