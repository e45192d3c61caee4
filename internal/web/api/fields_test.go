package api_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/api"
)

// record is one JSON record that a test takes apart.
type record = map[string]any

func traveller() record {
	return record{
		"id": "C-1", "last_name": "Santos", "first_name": "Maria", "dob": "1990-04-30", "nationality": "PH",
		"gender":      "F",
		"doc_country": "PH", "doc_number": "P1234567A", "doc_expire": "2031-01-01", "home_airport": "MNL",
		"email": "maria@example.com", "phone": "+63 2 555 0100",
	}
}

func travelRequest() record {
	return record{
		"externalInfo": record{"requestId": "R-1", "subRequestId": "1",
			"additionalInfo": record{"MNL-AMS_departure_time": "08:30", "MNL-AMS_flight_id": "F-1"}},
		"traveler": record{
			"id": "C-1", "lastName": "Santos", "firstName": "Maria", "dob": "1990-04-30", "nationality": "PH",
			"gender":     "F",
			"docCountry": "PH", "docNumber": "P1234567A99", "docExpireDate": "2031-01-01", "homeAirport": "MNL",
			"email": "maria@example.com", "phone": "+63 2 555 0100", "customFields": record{"cost_centre": "77"},
		},
		"flight": record{
			"origin": "MNL", "destination": "AMS", "date": "2026-12-01",
			"intermediateAirports": []any{record{"airport": "DXB", "date": "2026-12-02"}},
		},
		"hotel": record{"location": "Rotterdam", "checkIn": "2026-12-02", "checkOut": "2026-12-03"},
		"details": record{"rank": "Chief Officer", "remarks": "window seat", "vehicle": record{"name": "Nordlys",
			"flag": "NO", "vehicleType": "Vessel"}},
	}
}

func crewChange() record {
	on, off := traveller(), traveller()
	on["arrive"], on["change_date"], on["metadata"] = "2026-12-01", "2026-12-02", record{"rank": "AB"}
	off["id"], off["doc_number"], off["first_name"], off["depart"] = "C-2", "P7654321", "Juan",
		record{"port": "AMS", "date": "2026-12-03"}
	return record{
		"vessel": "Nordlys", "flag": "NO", "change_date": "2026-12-02", "travel_request_id": "CC-1",
		"onsigners": []any{on}, "offsigners": []any{off},
	}
}

// A field is a row of a record table: its path, whether it is required, other good
// values, and wrong values.
type field struct {
	at       string // path in the record, with dots; numbers are positions
	path     string // how problems name it, after "[0]."
	required bool
	good     []any
	wrong    []any
}

var (
	text        = []any{7, true, []any{}, record{}}
	recordNames = append([]any{"\u200b\u200d", "\u3164", "\u2800", "\u00ad \u200b"}, text...)
	dates       = []any{"2026-02-30", "01.02.2026", "2026-13-01", "tomorrow", 20260201, "2026-02-01 ", "\t2026-02-01",
		"2026-02-01\n", " "}
	births  = append([]any{"1899-12-31", "2026-11-03", "2990-01-01"}, dates...)
	country = []any{"XX", "PHL", "P", "63", 63}
	airport = []any{"MN", "MNLA", "M1L", "12", 5}
)

func travellerFields(at, path string, docMax int) []field {
	return []field{
		{at + "id", path + "Id", false, []any{"C-99"}, text},
		{at + "last_name", path + "LastName", true, []any{"O'Brien", "Müller", "李", "\u200bSantos"}, recordNames},
		{at + "first_name", path + "FirstName", true, []any{"Ana Lucía"}, recordNames},
		{at + "dob", path + "Dob", true, []any{"2000-02-29", "1900-01-01", "2026-11-02"}, births},
		{at + "nationality", path + "Nationality", true, []any{"NO", "no"}, country},
		{at + "gender", path + "Gender", true, []any{"M"}, []any{"X", "f", "male", 1}},
		{at + "doc_country", path + "DocCountry", true, []any{"GB", "gb"}, country},
		{at + "doc_number", path + "DocNumber", true, []any{"A", strings.Repeat("7", docMax)},
			[]any{strings.Repeat("7", docMax+1), 1234567}},
		{at + "doc_expire", path + "DocExpire", true, []any{"2030-06-30"}, dates},
		{at + "home_airport", path + "HomeAirport", true, []any{"OSL", "osl", "QQQ"}, airport},
		{at + "email", path + "Email", false, []any{"a@b.example"}, text},
		{at + "phone", path + "Phone", false, []any{"0"}, text},
	}
}

// TestFields tries, for every row of the interface's record tables, a good value, a
// missing one and wrong ones, on the real surface.
func TestFields(t *testing.T) {
	tables := []struct {
		name, endpoint string
		base           func() record
		fields         []field
	}{
		{"traveller", "/passenger", traveller, travellerFields("", "", 9)},
		{"travel request", "/travelers-requests", travelRequest, []field{
			{"externalInfo", "ExternalInfo", true, nil, []any{"R-1", 4}},
			{"externalInfo.requestId", "ExternalInfo.RequestId", true, []any{"R-2"}, text},
			{"externalInfo.subRequestId", "ExternalInfo.SubRequestId", false, []any{"2"}, text},
			{"externalInfo.additionalInfo", "ExternalInfo.AdditionalInfo", false, []any{record{}, record{"note": "x"}},
				[]any{"x", 7}},
			{"externalInfo.additionalInfo.MNL-AMS_departure_time", "ExternalInfo.AdditionalInfo.MNL-AMS_departure_time",
				false, []any{"23:59"}, []any{"24:00", "8:30", "08.30", 830}},
			{"externalInfo.additionalInfo.MNL-AMS_flight_id", "ExternalInfo.AdditionalInfo.MNL-AMS_flight_id", false,
				[]any{"F-2"}, []any{9}},
			{"traveler", "Traveler", true, nil, []any{"Santos"}},
			{"traveler.id", "Traveler.Id", false, []any{"C-9"}, text},
			{"traveler.lastName", "Traveler.LastName", true, []any{"Müller"}, recordNames},
			{"traveler.firstName", "Traveler.FirstName", true, []any{"Jörg"}, recordNames},
			{"traveler.dob", "Traveler.Dob", false, []any{"1970-01-01"}, births},
			{"traveler.nationality", "Traveler.Nationality", false, []any{"no"}, country},
			{"traveler.gender", "Traveler.Gender", true, []any{"M"}, []any{"X", 1}},
			{"traveler.docCountry", "Traveler.DocCountry", false, []any{"NO"}, country},
			{"traveler.docNumber", "Traveler.DocNumber", false, []any{strings.Repeat("7", 20)},
				[]any{strings.Repeat("7", 21), 12}},
			{"traveler.docExpireDate", "Traveler.DocExpireDate", false, []any{"2030-01-01"}, dates},
			{"traveler.docExpire", "Traveler.DocExpire", false, []any{"2031-01-01"}, dates},
			{"traveler.doc_expire", "Traveler.DocExpire", false, []any{"2031-01-01"}, dates},
			{"traveler.homeAirport", "Traveler.HomeAirport", false, []any{"osl"}, airport},
			{"traveler.email", "Traveler.Email", false, []any{"a@b.example"}, text},
			{"traveler.phone", "Traveler.Phone", false, []any{"0"}, text},
			{"traveler.customFields", "Traveler.CustomFields", false, []any{record{}}, []any{"x"}},
			{"flight.origin", "Flight.Origin", false, []any{"osl"}, append([]any{"", " "}, airport...)},
			{"flight.destination", "Flight.Destination", false, []any{"SIN"}, append([]any{"", " "}, airport...)},
			{"flight.date", "Flight.Date", false, []any{"2026-12-02"}, dates},
			{"flight.intermediateAirports", "Flight.IntermediateAirports", false, []any{[]any{}},
				[]any{"DXB", record{}}},
			{"flight.intermediateAirports.0.airport", "Flight.IntermediateAirports[0].Airport", false, []any{"DOH"},
				airport},
			{"flight.intermediateAirports.0.date", "Flight.IntermediateAirports[0].Date", false,
				[]any{"2026-12-01", "2026-11-30"}, dates},
			{"hotel.location", "Hotel.Location", false, []any{"Antwerp"}, text},
			{"hotel.checkIn", "Hotel.CheckIn", false, []any{"2026-12-01"}, dates},
			{"hotel.checkOut", "Hotel.CheckOut", false, []any{"2026-12-09"}, append([]any{"2026-12-02", "2026-12-01"},
				dates...)},
			{"details", "Details", false, []any{record{}}, []any{"x"}},
			{"details.rank", "Details.Rank", false, []any{"Cook"}, text},
			{"details.remarks", "Details.Remarks", false, []any{""}, text},
			{"details.vehicle", "Details.Vehicle", false, []any{record{}}, []any{"Nordlys"}},
			{"details.vehicle.name", "Details.Vehicle.Name", false, []any{"Tern"}, text},
			{"details.vehicle.flag", "Details.Vehicle.Flag", false, []any{"pa"}, country},
			{"details.vehicle.vehicleType", "Details.Vehicle.VehicleType", false, []any{"Airplane"}, text},
		}},
		{"crew change", "/travel-requests", crewChange, append(append([]field{
			{"vessel", "Vessel", true, []any{"Ocean Tern"}, text},
			{"flag", "Flag", false, []any{"pa"}, country},
			{"change_date", "ChangeDate", true, []any{"2026-12-31"}, dates},
			{"travel_request_id", "TravelRequestId", false, []any{"CC-2"}, text},
			{"onsigners", "Onsigners", false, []any{[]any{}}, []any{"x", record{}, []any{"x"}}},
			{"offsigners", "Offsigners", false, []any{[]any{}}, []any{"x", record{}, []any{4}}},
			{"onsigners.0.arrive", "Onsigners[0].Arrive", false,
				[]any{"2026-12-02", record{"port": "sin", "date": "2026-12-01"}}, dates},
			{"onsigners.0.change_date", "Onsigners[0].ChangeDate", false, []any{"2026-12-01"}, dates},
			{"onsigners.0.metadata", "Onsigners[0].Metadata", false, []any{record{"a": "b"}}, []any{"x", []any{}}},
			{"onsigners.0.metadata.rank", "Onsigners[0].Metadata.rank", false, []any{"Cook"}, []any{4}},
			{"offsigners.0.depart", "Offsigners[0].Depart", false, []any{"2026-12-02"}, dates},
			{"offsigners.0.depart.port", "Offsigners[0].Depart.Port", false, []any{"RTM"}, airport},
			{"offsigners.0.depart.date", "Offsigners[0].Depart", false, []any{"2026-12-05"}, dates[:4]},
		}, travellerFields("onsigners.0.", "Onsigners[0].", 20)...), travellerFields("offsigners.0.", "Offsigners[0].",
			20)...)},
	}
	s := newSurface(t)
	for _, table := range tables {
		for _, f := range table.fields {
			t.Run(table.name+" "+f.at, func(t *testing.T) {
				s.wantAccepted(t, table.endpoint, table.base())
				for _, v := range f.good {
					s.wantAccepted(t, table.endpoint, with(table.base(), f.at, v))
				}
				for _, absent := range []record{without(table.base(), f.at), with(table.base(), f.at, nil)} {
					if f.required {
						s.wantRefused(t, table.endpoint, absent, f.path)
					} else {
						s.wantAccepted(t, table.endpoint, absent)
					}
				}
				for _, v := range f.wrong {
					s.wantRefused(t, table.endpoint, with(table.base(), f.at, v), f.path)
				}
			})
		}
	}
}

// TestRecordRules checks the rules that concern several fields.
func TestRecordRules(t *testing.T) {
	s := newSurface(t)
	r := without(without(travelRequest(), "flight"), "hotel")
	s.wantRefused(t, "/travelers-requests", r, "Flight")
	s.wantAccepted(t, "/travelers-requests", without(travelRequest(), "flight"))
	s.wantAccepted(t, "/travelers-requests", without(travelRequest(), "hotel"))

	r = with(travelRequest(), "traveler.doc_expire", "2031-01-01")
	s.wantAccepted(t, "/travelers-requests", r)
	s.wantRefused(t, "/travelers-requests", with(r, "traveler.doc_expire", "2032-01-01"), "Traveler.DocExpireDate")
	for _, name := range []string{"doc_expire", "docExpire", "docExpireDate"} {
		s.wantAccepted(t, "/travelers-requests", with(without(travelRequest(), "traveler.docExpireDate"), "traveler."+
			name, "2032-06-30"))
		got, err := s.in.TravelRequest(t.Context(), "R-1", "1")
		if err != nil || got.Traveller.DocExpire != "2032-06-30" || len(got.Extra) != 0 {
			t.Errorf("%s: DocExpire = %q, kept %s, %v; want it read", name, got.Traveller.DocExpire, got.Extra, err)
		}
	}

	s.wantRefused(t, "/travel-requests", without(without(crewChange(), "onsigners"), "offsigners"), "Onsigners")
	s.wantAccepted(t, "/travel-requests", without(crewChange(), "onsigners"))

	s.wantRefused(t, "/travelers-requests", with(with(travelRequest(), "flight", record{}), "hotel", record{}),
		"Flight")
	s.wantAccepted(t, "/travelers-requests", with(travelRequest(), "externalInfo.additionalInfo",
		record{"preferred_departure_time": "in the morning"}))

	s.wantAccepted(t, "/passenger", with(traveller(), "favourite_colour", record{"deep": []any{1, nil}}))
}

// TestTextFitsEveryDatabase sends text that one database or the other could not store,
// or not find again.
func TestTextFitsEveryDatabase(t *testing.T) {
	bases := map[string]func() record{"/passenger": traveller, "/travelers-requests": travelRequest,
		"/travel-requests": crewChange}
	indexed := map[string]map[string]string{
		"/passenger": {"id": "Id", "last_name": "LastName", "first_name": "FirstName", "email": "Email",
			"phone": "Phone"},
		"/travelers-requests": {"externalInfo.requestId": "ExternalInfo.RequestId",
			"externalInfo.subRequestId": "ExternalInfo.SubRequestId", "traveler.lastName": "Traveler.LastName",
			"details.vehicle.name": "Details.Vehicle.Name"},
		"/travel-requests": {"vessel": "Vessel", "travel_request_id": "TravelRequestId",
			"onsigners.0.last_name": "Onsigners[0].LastName"},
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := surfaceOn(t, db, api.Limits{})
		for endpoint, fields := range indexed {
			for at, path := range fields {
				s.wantAccepted(t, endpoint, with(bases[endpoint](), at, strings.Repeat("𝕏", 255)))
				s.wantRefused(t, endpoint, with(bases[endpoint](), at, strings.Repeat("x", 256)), path)
				s.wantRefused(t, endpoint, with(bases[endpoint](), at, "a\x00b"), path)
				s.wantRefused(t, endpoint, with(bases[endpoint](), at, "a\nb"), path)
				for _, unseen := range "\u0085\u061c\u200e\u200f\u2028\u2029\u202a\u202b" +
					"\u202c\u202d\u202e\u2066\u2067\u2068\u2069" {
					s.wantRefused(t, endpoint, with(bases[endpoint](), at, "a"+string(unseen)+"b"), path)
				}
				s.wantAccepted(t, endpoint, with(bases[endpoint](), at, "می\u200cخواهم \u0915\u094d\u200d\u0937"))
			}
		}
		all := with(with(traveller(), "last_name", strings.Repeat("𝕏", 255)), "first_name", strings.Repeat("𝕏", 255))
		s.wantAccepted(t, "/passenger", with(all, "id", strings.Repeat("𝕏", 255)))
		both := with(with(travelRequest(), "externalInfo.requestId", strings.Repeat("𝕏", 255)),
			"externalInfo.subRequestId", strings.Repeat("𝕏", 255))
		s.wantAccepted(t, "/travelers-requests", both)
		free := with(with(travelRequest(), "details.remarks", "a\x00b\n"+strings.Repeat("x", 20_000)),
			"externalInfo.additionalInfo", record{"a\x00": "b\x00"})
		s.wantAccepted(t, "/travelers-requests", free)
		s.wantAccepted(t, "/travel-requests", with(crewChange(), "onsigners.0.metadata", record{"note": "a\x00b"}))
		s.wantAccepted(t, "/passenger", with(traveller(), "unknown", "a\x00b"))
		for _, query := range []string{"?requestId=%00", "?requestId=%ff", "?requestId=R&subRequestId=a%00",
			"?requestId=%zz"} {
			if res := s.do(t, "DELETE", "/travelers-requests"+query, nil); res.status != 400 {
				t.Errorf("DELETE %s = %d %s; want 400", query, res.status, res.body)
			}
		}
		if res := s.post(t, "/passenger", []any{traveller()}, "Idempotency-Key", "\xff"); res.status != 400 {
			t.Errorf("an Idempotency-Key that is not text = %d; want 400", res.status)
		}
	})
}

// with returns a copy of r with v at path.
func with(r record, path string, v any) record {
	return edit(r, strings.Split(path, "."), func(m record, name string) { m[name] = v }).(record)
}

// without returns a copy of r with nothing at path.
func without(r record, path string) record {
	return edit(r, strings.Split(path, "."), func(m record, name string) { delete(m, name) }).(record)
}

func edit(v any, path []string, do func(record, string)) any {
	switch v := v.(type) {
	case record:
		v = maps.Clone(v)
		if len(path) == 1 {
			do(v, path[0])
			return v
		}
		v[path[0]] = edit(v[path[0]], path[1:], do)
		return v
	case []any:
		v = append([]any(nil), v...)
		v[int(path[0][0]-'0')] = edit(v[int(path[0][0]-'0')], path[1:], do)
		return v
	}
	panic("the path leads nowhere: " + strings.Join(path, "."))
}

func (s *surface) wantAccepted(t *testing.T, endpoint string, r record) {
	t.Helper()
	if res := s.post(t, endpoint, []any{r}); res.status != 200 {
		doc, _ := json.Marshal(r)
		t.Errorf("%s refused: %d %v\n%s", endpoint, res.status, res.problem.Errors, doc)
	}
}

func (s *surface) wantRefused(t *testing.T, endpoint string, r record, path string) {
	t.Helper()
	res := s.post(t, endpoint, []any{r})
	named := false
	for p := range res.problem.Errors {
		named = named || p == "[0]."+path || strings.HasPrefix(p, "[0]."+path+".") ||
			strings.HasPrefix(p, "[0]."+path+"[")
	}
	if res.status != 400 || !named || len(res.problem.Errors) != 1 {
		doc, _ := json.Marshal(r)
		t.Errorf("%s answered %d %v; want 400 naming [0].%s alone\n%s", endpoint, res.status, res.problem.Errors, path,
			doc)
	}
}
