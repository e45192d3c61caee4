package natural_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"gangway/internal/accept/decode"
	"gangway/internal/accept/natural"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
)

// read returns the records of a document, one a line.
func read(t *testing.T, flow gangway.Flow, kind gangway.FormatKind, text string) (string, error) {
	t.Helper()
	doc, err := decode.Open(decode.Input{ReaderAt: bytes.NewReader([]byte(text)), Size: int64(len(text))},
		gangway.DocumentFormat{Kind: kind}, decode.Limits{})
	calltest.Done(t, err)
	defer doc.Close()
	records, err := natural.New(flow, doc)
	if err != nil {
		return "", err
	}
	var all []string
	for {
		r, err := records.Next()
		var alone *decode.RecordError
		switch {
		case errors.Is(err, io.EOF):
			return strings.Join(all, "\n"), nil
		case errors.As(err, &alone):
			all = append(all, "refused: "+alone.Msg)
		case err != nil:
			return strings.Join(all, "\n"), err
		default:
			all = append(all, string(r.JSON))
		}
	}
}

func TestNatural(t *testing.T) {
	const travellers, requests, changes = gangway.TravellersFlow, gangway.TravelRequestsFlow, gangway.CrewChangesFlow
	tests := []struct {
		name string
		flow gangway.Flow
		kind gangway.FormatKind
		doc  string
		want string
	}{
		{"prefixes, namespaces and nil make no difference", travellers, gangway.XMLFormat,
			`<c:crew xmlns:c="urn:x" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><c:t xsi:type="c:T">` +
				`<c:id>1</c:id><c:phone xsi:nil="true"/><email></email><dob format="iso">1990-04-30</dob></c:t></c:crew>`,
			`{"dob":"1990-04-30","id":"1"}`},
		{"attributes are members", travellers, gangway.XMLFormat, `<crew><t id="1" gender="F"/><t/></crew>`,
			`{"gender":"F","id":"1"}` + "\n{}"},
		{"a member as an attribute and as an element", travellers, gangway.XMLFormat, `<crew><t id="1"><id>2</id></t></crew>`,
			`refused: "id" comes twice in it, under two prefixes or as an attribute and an element`},
		{"a member twice is not one text", travellers, gangway.XMLFormat, `<crew><t><id>1</id><id>2</id></t></crew>`,
			`{"id":["1","2"]}`},
		{"lists with an element for each item, or repeated", changes, gangway.XMLFormat,
			`<c><x><onsigners><m><id>1</id></m><m><id>2</id></m></onsigners><offsigners><id>3</id></offsigners>` +
				`<offsigners><id>4</id></offsigners></x><x><onsigners><m/></onsigners><offsigners/></x></c>`,
			`{"offsigners":[{"id":"3"},{"id":"4"}],"onsigners":[{"id":"1"},{"id":"2"}]}` + "\n" + `{"onsigners":[{}]}`},
		{"entries by their names and as entries", requests, gangway.XMLFormat,
			`<r><q><externalInfo><additionalInfo><MNL-AMS_flight_id>F</MNL-AMS_flight_id><entry><name>a b</name>` +
				`<value>1</value></entry><entry name="c">2</entry></additionalInfo></externalInfo><hotel><location/></hotel></q></r>`,
			`{"externalInfo":{"additionalInfo":{"MNL-AMS_flight_id":"F","a b":"1","c":"2"}}}`},
		{"an entry without a name", requests, gangway.XMLFormat,
			`<r><q><externalInfo><additionalInfo><entry><value>1</value></entry></additionalInfo></externalInfo></q></r>`,
			"refused: an entry in it has no name"},
		{"what is unknown is kept", travellers, gangway.XMLFormat, `<c><t><rank grade="2">AB</rank><a><b>1</b></a></t></c>`,
			`{"a":{"b":"1"},"rank":{"#text":"AB","grade":"2"}}`},
		{"numbers of YAML are texts where texts belong", travellers, gangway.YAMLFormat,
			"- {phone: 639171234567, doc_number: 012, seniority: 1.10, email: ''}\n- id: 5\n",
			`{"doc_number":"012","email":"","phone":"639171234567","seniority":1.10}` + "\n" + `{"id":"5"}`},
		{"columns however their words are divided", requests, gangway.CSVFormat,
			"External_Info.Request ID,TRAVELER_LAST_NAME,flight.intermediateAirports.1.airport," +
				"intermediateAirports.0.airport,customFields.cost_centre,MNL-AMS_flight_id,vehicle,date,note\n" +
				"R-1,Santos,DXB,DOH,7,F,Nordlys,2026-12-01,n\n",
			`{"details":{"vehicle":{"name":"Nordlys"}},"externalInfo":{"additionalInfo":{"MNL-AMS_flight_id":"F"},` +
				`"requestId":"R-1"},"flight":{"date":"2026-12-01","intermediateAirports":[{"airport":"DOH"},` +
				`{"airport":"DXB"}]},"note":"n","traveler":{"customFields":{"cost_centre":"7"},"lastName":"Santos"}}`},
		{"a port call in one column or in two", changes, gangway.CSVFormat,
			"vessel,side,arrive,arrive.port,depart_date\nA,on,2026-12-01,,\nA,Sign-On,2026-12-02,SIN,2026-12-03\n",
			`{"onsigners":[{"arrive":"2026-12-01"},{"arrive":{"date":"2026-12-02","port":"SIN"},` +
				`"depart":{"date":"2026-12-03"}}],"vessel":"A"}`},
		{"rows without a side", changes, gangway.CSVFormat, "vessel,id\nA,1\nB,2\n",
			`refused: its column side must say "on" or "off" for each member` + "\n" +
				`refused: its column side must say "on" or "off" for each member`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := read(t, tt.flow, tt.kind, tt.doc); err != nil || got != tt.want {
				t.Errorf("%s\n= %s, %v; want\n%s", tt.doc, got, err, tt.want)
			}
		})
	}
}

// What is wrong with the columns is wrong with all of a table.
func TestWrongColumns(t *testing.T) {
	for head, want := range map[string]string{
		"flight,origin":      `the column "flight" is a section, and its columns are called like "flight.origin", at line 2`,
		"additionalInfo,id":  `the column "additionalInfo" is a section, and its columns are called like "additionalInfo.rank", at line 2`,
		"lastName,Last Name": `the columns "lastName" and "Last Name" are the same member: send one of them, at line 2`,
		"id,traveler.id":     `the columns "id" and "traveler.id" are the same member: send one of them, at line 2`,
		"intermediateAirports,id": `the column "intermediateAirports" is a section, and its columns are called like ` +
			`"intermediateAirports.0.airport", at line 2`,
	} {
		_, err := read(t, gangway.TravelRequestsFlow, gangway.CSVFormat, head+"\nx,y\n")
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v; want %s", head, err, want)
		}
	}
}

// TestEndlessColumnName has columns whose names are a hundred thousand words. Whoever began anew at each word would
// not come to an end.
func TestEndlessColumnName(t *testing.T) {
	long := strings.Repeat("a.", 100_000) + "b"
	for _, test := range []struct {
		flow  gangway.Flow
		names string
	}{
		{gangway.TravellersFlow, "metadata." + long + ",last_name,x"},
		{gangway.TravelRequestsFlow, "flight." + long + ",lastName,x"},
		{gangway.CrewChangesFlow, long + ",last_name,side"},
	} {
		got, err := read(t, test.flow, gangway.CSVFormat, test.names+"\n1,Rey,on\n")
		if err != nil || !strings.Contains(got, "Rey") {
			t.Errorf("%s: %.100q, %v; want a record", test.flow, got, err)
		}
	}
}

// TestMembersHaveTheirLines: a problem of a member of a crew change names the member's own line.
func TestMembersHaveTheirLines(t *testing.T) {
	for _, tt := range []struct {
		flow  gangway.Flow
		kind  gangway.FormatKind
		doc   string
		wants map[string]string
	}{
		{gangway.CrewChangesFlow, gangway.XMLFormat, "<c>\n<x><vessel>A</vessel>\n<onsigners>\n" +
			"<m><id>1</id></m>\n<m><id>2</id>\n<arrive><port>SIN</port></arrive></m></onsigners>\n" +
			"<offsigners><id>3</id></offsigners></x></c>",
			map[string]string{"Vessel": "line 2", "Onsigners": "line 3", "Onsigners[0].Dob": "line 4",
				"Onsigners[1].Dob":         "line 5",
				"Onsigners[1].Arrive.Port": "line 6", "Offsigners[0].Dob": "line 7", "Onsigners[2].Dob": "line 3"}},
		{gangway.CrewChangesFlow, gangway.YAMLFormat, "- vessel: A\n  onsigners:\n  - id: 1\n  - id: 2\n    dob: x\n",
			map[string]string{"Vessel": "line 1", "Onsigners[0].Dob": "line 3", "Onsigners[1].Dob": "line 4"}},
		{gangway.TravelRequestsFlow, gangway.XMLFormat, "<c><x>\n<traveler><id>1</id></traveler>\n" +
			"<flight>\n<intermediateAirports><s><airport>X</airport></s>\n<s><airport>Y</airport></s></intermediateAirports></flight></x></c>",
			map[string]string{"Traveler.DocNumber": "line 2", "Flight.IntermediateAirports[1].Airport": "line 5",
				"ExternalInfo": "line 1"}},
	} {
		doc, err := decode.Open(decode.Input{ReaderAt: strings.NewReader(tt.doc), Size: int64(len(tt.doc))},
			gangway.DocumentFormat{Kind: tt.kind}, decode.Limits{})
		calltest.Done(t, err)
		defer doc.Close()
		records := calltest.Must(natural.New(tt.flow, doc))(t)
		record := calltest.Must(records.Next())(t)
		for field, want := range tt.wants {
			if got := records.PlaceOf(field, record.At).String(); got != want {
				t.Errorf("%s: %s is at %q; want %q", tt.kind, field, got, want)
			}
		}
	}
}

// TestAllFaultsOfARowAreSaid: a row whose side is wrong is looked at all the same, and so are the other rows.
func TestAllFaultsOfARowAreSaid(t *testing.T) {
	const table = "vessel,flag,change_date,side,id,dob\nA,NO,2026-12-01,x,1,soon\nA,PA,2026-12-01,off,2,\n" +
		"A,NO,2026-12-01,y,3,\n"
	doc, err := decode.Open(decode.Input{ReaderAt: strings.NewReader(table), Size: int64(len(table))},
		gangway.DocumentFormat{Kind: gangway.CSVFormat}, decode.Limits{})
	calltest.Done(t, err)
	defer doc.Close()
	records := calltest.Must(natural.New(gangway.CrewChangesFlow, doc))(t)
	record, err := records.Next()
	var alone *decode.RecordError
	if !errors.As(err, &alone) || !strings.Contains(alone.Msg, "(line 4)") || record.At.String() != "line 2" {
		t.Errorf("it says %v at %s; want both sides and their lines", err, record.At)
	}
	if !strings.Contains(string(record.JSON), `"dob":"soon"`) ||
		records.PlaceOf("Onsigners[0].Dob", record.At).String() != "line 2" {
		t.Errorf("the record is %s; want its wrong date to be looked at", record.JSON)
	}
}
