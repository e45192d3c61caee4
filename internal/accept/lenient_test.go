package accept_test

import (
	"fmt"
	"strings"
	"testing"

	"gangway/internal/accept"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// A fed is what became of one record that a customer's system was asked for.
type fed struct {
	flow     gangway.Flow
	name     string
	record   string
	taken    bool
	warnings []string // "field: value"
	refused  []string
}

var fedRecords = []fed{
	{gangway.TravellersFlow, "names are enough", `{"last_name":"Reyes","first_name":"Ana"}`, true, nil, nil},
	{gangway.TravellersFlow, "what is malformed is left out",
		`{"id":"1","last_name":"Reyes","first_name":"Ana","dob":"1990-02-31","gender":"X","nationality":"Philippines",
		"doc_number":"P1234567890","home_airport":"MNLA","doc_expire":"31.12.2030"}`, true,
		[]string{"Dob: 1990-02-31", "DocExpire: 31.12.2030", "DocNumber: P1234567890", "Gender: X", "HomeAirport: MNLA",
			"Nationality: Philippines"}, nil},
	{gangway.TravellersFlow, "what is of another type is left out", `{"id":"1","last_name":"Reyes","first_name":"Ana",
		"phone":{"home":1.50},"email":[]}`, true, []string{`Email: []`, `Phone: {"home":1.50}`}, nil},
	{gangway.TravellersFlow, "what a spreadsheet rounded is left out", `{"last_name":"Reyes","first_name":"Ana",
		"doc_number":"5.12E+08","phone":"6,39e11","id":"5E10"}`, true,
		[]string{"DocNumber: 5.12E+08", "Phone: 6,39e11"}, nil},
	{gangway.TravellersFlow, "a passport that ended in infancy", `{"last_name":"Reyes","first_name":"Ana",
		"dob":"1985-02-01","doc_expire":"1986-01-31"}`, true, []string{"DocExpire: 1986-01-31"}, nil},
	{gangway.TravellersFlow, "a passport that never ends", `{"last_name":"Reyes","first_name":"Ana",
		"doc_expire":"2099-12-31"}`, true, []string{"DocExpire: 2099-12-31"}, nil},
	{gangway.TravellersFlow, "a passport that has expired stays", `{"last_name":"Reyes","first_name":"Ana",
		"dob":"1985-02-01","doc_number":"P1","doc_expire":"2001-01-31"}`, true, nil, nil},
	{gangway.TravellersFlow, "a name that lost a letter", `{"last_name":"M\ufffdller","first_name":"Ana"}`, false, nil,
		[]string{"LastName: M\ufffdller"}},
	{gangway.TravellersFlow, "a name with a control character of another encoding",
		`{"last_name":"M\u0081ller","first_name":"Ana"}`, false, nil, []string{"LastName: M\u0081ller"}},
	{gangway.CrewChangesFlow, "members whose names lost letters, and what spreadsheets did to others",
		`{"vessel":"Nordlys","onsigners":[{"last_name":"M\ufffdller","first_name":"Ana"},
		{"last_name":"Reyes","first_name":"Eva","doc_number":"5E+08"}]}`, true,
		[]string{"Onsigners[1].DocNumber: 5E+08"}, []string{"Onsigners[0].LastName: "}},
	{gangway.TravellersFlow, "no surname", `{"id":"1","first_name":"Ana","gender":"X"}`, false, nil,
		[]string{"Gender: X", "LastName: "}},
	{gangway.TravellersFlow, "a surname that is no text", `{"id":"1","last_name":7,"first_name":"Ana"}`, false, nil,
		[]string{"LastName: 7"}},
	{gangway.TravellersFlow, "no record", `"Reyes"`, false, nil, []string{": "}},
	{gangway.TravelRequestsFlow, "a flight is enough",
		`{"externalInfo":{"requestId":"R1"},"traveler":{"lastName":"Reyes","firstName":"Ana"},
		"flight":{"origin":"MNL"}}`, true, nil, nil},
	{gangway.TravelRequestsFlow, "what is malformed is left out",
		`{"externalInfo":{"requestId":"R1"},"traveler":{"lastName":"Reyes","firstName":"Ana","dob":"x","docExpire":"y"},
		"flight":{"origin":"MNL","destination":"ROTTERDAM","date":"soon","intermediateAirports":[
		{"airport":"DOH"},{"airport":"FRAX","date":"2026-13-01"}]},"hotel":{"checkIn":"tomorrow"},
		"details":{"vehicle":{"name":"Nordlys","flag":"Panama"}}}`, true,
		[]string{"Details.Vehicle.Flag: Panama", "Flight.Date: soon", "Flight.Destination: ROTTERDAM",
			"Flight.IntermediateAirports[1].Airport: FRAX", "Flight.IntermediateAirports[1].Date: 2026-13-01",
			"Hotel.CheckIn: tomorrow", "Traveler.Dob: x", "Traveler.DocExpire: y"}, nil},
	{gangway.TravelRequestsFlow, "no identifier",
		`{"externalInfo":{},"traveler":{"lastName":"Reyes","firstName":"Ana"},"flight":{"origin":"MNL"}}`, false, nil,
		[]string{"ExternalInfo.RequestId: "}},
	{gangway.TravelRequestsFlow, "neither flight nor hotel",
		`{"externalInfo":{"requestId":"R1"},"traveler":{"lastName":"Reyes","firstName":"Ana"}}`, false, nil,
		[]string{"Flight: "}},
	{gangway.CrewChangesFlow, "its date is what was asked for",
		`{"vessel":"Nordlys","onsigners":[{"last_name":"Reyes","first_name":"Ana"}]}`, true, nil, nil},
	{gangway.CrewChangesFlow, "members without names are refused alone",
		`{"vessel":"Nordlys","change_date":"2026-12-05","flag":"Panama","onsigners":[
		{"first_name":"Ana","gender":"X"},{"last_name":"Reyes","first_name":"Ana","dob":"x","arrive":"soon"},"nobody"],
		"offsigners":[{"last_name":"Cruz"}]}`, true,
		[]string{"Flag: Panama", "Onsigners[1].Arrive: soon", "Onsigners[1].Dob: x"},
		[]string{"Offsigners[0].FirstName: ", "Onsigners[0].LastName: ", "Onsigners[2]: "}},
	{gangway.CrewChangesFlow, "nobody with names", `{"vessel":"Nordlys","onsigners":[{"last_name":"Reyes"}]}`, false, nil,
		[]string{"Onsigners[0].FirstName: "}},
	{gangway.CrewChangesFlow, "a vessel that lost letters",
		`{"vessel":"M/V \ufffdresund","onsigners":[{"last_name":"Reyes","first_name":"Ana"}]}`, false, nil,
		[]string{"Vessel: M/V \ufffdresund"}},
	{gangway.CrewChangesFlow, "no vessel", `{"onsigners":[{"last_name":"Reyes","first_name":"Ana"}]}`, false, nil,
		[]string{"Vessel: "}},
}

// What people can fill in does not keep a record out, and is told of with its value; what a record
// cannot be without does.
func TestFedRecordsAreTakenAsFarAsTheyGo(t *testing.T) {
	db := storetest.New(t)
	for _, tt := range fedRecords {
		t.Run(fmt.Sprint(tt.flow, ": ", tt.name), func(t *testing.T) {
			in := db.In(storetest.Account(t, db).Scope())
			r := accept.NewRun(tt.flow, in, crewFeed, gangway.Ask{Date: "2026-12-05"}, long)
			defer r.Close()
			calltest.Done(t, r.Take(t.Context(), readJSON("["+tt.record+"]")))
			calltest.Done(t, r.Apply(t.Context()))
			got := r.Report()
			if (got.Created == 1) != tt.taken || (got.Refused == 1) == tt.taken || got.Received != 1 ||
				(got.Warned == 1) != (len(tt.warnings) > 0) {
				t.Errorf("%+v; want it taken: %v", got, tt.taken)
			}
			for _, list := range []struct {
				name string
				got  []gangway.FeedRemark
				want []string
			}{{"warnings", got.Warnings.List, tt.warnings}, {"refused", got.Problems.List, tt.refused}} {
				var said []string
				for _, r := range list.got {
					said = append(said, r.Field+": "+r.Value)
					if r.Message == "" || r.At == "" {
						t.Errorf("%s: %+v; want a sentence and a place", list.name, r)
					}
				}
				if diff := cmp.Diff(list.want, said); diff != "" {
					t.Errorf("%s (-want +got)\n%s", list.name, diff)
				}
			}
		})
	}
}

// Names whose letters were encoded twice are stored, and told of once for all of a document.
func TestNamesEncodedTwice(t *testing.T) {
	db := storetest.New(t)
	r := accept.NewRun(gangway.TravellersFlow, db.In(storetest.Account(t, db).Scope()), crewFeed, gangway.Ask{}, long)
	defer r.Close()
	var all []string
	for i, name := range []string{"MÃ¼ller", "GroÃŸ", "NuÃ±ez", "KowalczykÃ³wna", "Müller", "ÂNGELO", "Nuñez", "IRMÃ"} {
		all = append(all, fmt.Sprintf(`{"id":"%d","last_name":%q,"first_name":"Ana"}`, i, name))
	}
	calltest.Done(t, r.Take(t.Context(), readJSON("["+strings.Join(all, ",\n")+"]")))
	got := r.Report()
	const want = "Letters of names seem to have been encoded twice (4). They are stored as they came: " +
		"“MÃ¼ller” (byte 1), “GroÃŸ” (byte 56), “NuÃ±ez” (byte 109)."
	if len(got.Warnings.List) != 1 || got.Warnings.List[0].Message != want || !got.Warnings.List[0].Whole ||
		got.Refused+got.Warned > 0 {
		t.Errorf("%+v; want all taken, and\n%s", got, want)
	}
	r = accept.NewRun(gangway.CrewChangesFlow, db.In(storetest.Account(t, db).Scope()), crewFeed, gangway.Ask{}, long)
	defer r.Close()
	err := r.Take(t.Context(), readJSON(`[{"vessel":"SÃ£o Paulo","change_date":"2026-12-05","onsigners":[`+all[0]+`]}]`))
	if said := r.Report().Warnings.List; err != nil || len(said) != 1 ||
		!strings.Contains(said[0].Message, "twice (2). They are stored as they came: “SÃ£o Paulo” (byte 1), “MÃ") {
		t.Errorf("a vessel and a member: %+v, %v; want both in one warning", said, err)
	}
}

// Travellers without id and passport are the same while their names and birth dates are.
func TestFedTravellersWithoutIdentifiers(t *testing.T) {
	db := storetest.New(t)
	in := db.In(storetest.Account(t, db).Scope())
	run := func(doc string) accept.Report {
		t.Helper()
		r := accept.NewRun(gangway.TravellersFlow, in, crewFeed, gangway.Ask{}, long)
		defer r.Close()
		calltest.Done(t, r.Take(t.Context(), readJSON(doc)))
		calltest.Done(t, r.Apply(t.Context()))
		return r.Report()
	}
	const three = `[{"last_name":"Reyes","first_name":"Ana","dob":"1990-05-17"},
		{"last_name":"Reyes","first_name":"Ana","dob":"1985-01-02"},{"last_name":"REYES","first_name":"ana","dob":"1985-01-02"}]`
	if got := run(three); got.Created != 2 || got.Refused != 1 {
		t.Errorf("%+v; want two travellers, and the one who stands there twice refused", got)
	}
	if got := run(three); got.Unchanged != 2 || got.Created+got.Updated > 0 {
		t.Errorf("again: %+v; want nothing changed", got)
	}
	list, err := in.SuggestTravellers(t.Context(), "reyes", nil, 10)
	if err != nil || len(list) != 2 {
		t.Fatalf("suggested: %v, %v", list, err)
	}
	for _, tr := range list {
		if got, err := in.Traveller(t.Context(), tr.RecordKey()); err != nil || got.DOB != tr.DOB {
			t.Errorf("by key: %+v, %v; want %+v", got, err, tr)
		}
	}
}
