package api_test

import (
	"fmt"
	"strings"
	"testing"

	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/api"
)

// TestWarnings uploads what is accepted but will cause trouble. Today is 2 November 2026.
func TestWarnings(t *testing.T) {
	s := newSurface(t)
	undated := without(travelRequest(), "flight.date")
	tests := []struct {
		name, endpoint string
		r              record
		path, want     string // no path: there is nothing to warn about
	}{
		{"all is well", "/passenger", traveller(), "", ""},
		{"a request without fault", "/travelers-requests", travelRequest(), "", ""},
		{"a crew change without fault", "/travel-requests", crewChange(), "", ""},
		{"no date of the flight", "/travelers-requests", undated, "Flight.Date",
			"The Date field is missing: the flight is listed under “no date yet” until it comes. (R-1/1)"},
		{"no date of a later flight", "/travelers-requests",
			without(travelRequest(), "flight.intermediateAirports.0.date"), "Flight.IntermediateAirports[0].Date",
			"The Date field is missing: the day of this flight is filled in by hand. (R-1/1)"},
		{"no check-in", "/travelers-requests", without(travelRequest(), "hotel.checkIn"), "Hotel.CheckIn",
			"The CheckIn field is missing: the hotel is listed under “no date yet” until it comes. (R-1/1)"},
		{"no check-out", "/travelers-requests", without(travelRequest(), "hotel.checkOut"), "Hotel.CheckOut",
			"The CheckOut field is missing: it is not known how many nights are wanted. (R-1/1)"},
		// it is still the 1st in Honolulu
		{"a flight in the past", "/travelers-requests", with(travelRequest(), "flight.date", "2026-11-01"), "", ""},
		{"a flight in the past everywhere", "/travelers-requests", with(travelRequest(), "flight.date", "2026-10-31"),
			"Flight.Date", "The Date field is in the past. (R-1/1)"},
		{"a hotel in the past", "/travelers-requests", with(travelRequest(), "hotel.checkIn", "2026-10-31"),
			"Hotel.CheckIn", "The CheckIn field is in the past. (R-1/1)"},
		{"a crew change in the past", "/travel-requests", with(crewChange(), "change_date", "2025-12-02"), "ChangeDate",
			"The ChangeDate field is in the past. (CC-1)"},
		{"an arrival in the past", "/travel-requests", with(crewChange(), "onsigners.0.arrive", "2025-12-02"),
			"Onsigners[0].Arrive", "The Arrive field is in the past. (C-1)"},
		{"dates that are not in order", "/travelers-requests", with(travelRequest(),
			"flight.intermediateAirports", []any{
				record{"airport": "DXB", "date": "2026-11-30"}, record{"airport": "LHR", "date": "2026-12-03"},
			}), "Flight.Date", "The dates of the flights are not in order: they are neither those of the flights " +
			"from each airport nor those of the flights to it. (R-1/1)"},
		{"dates of the flights to each airport", "/travelers-requests",
			with(travelRequest(), "flight.intermediateAirports.0.date", "2026-11-30"), "", ""},
		{"a passport that has expired", "/passenger", with(traveller(), "doc_expire", "2026-10-31"), "DocExpire",
			"The DocExpire field: the passport has expired. (C-1)"},
		{"a passport that ends soon", "/passenger", with(traveller(), "doc_expire", "2027-04-30"), "DocExpire",
			"The DocExpire field: the passport ends within six months of today, which many countries do not accept. " +
				"(C-1)"},
		{"a passport that ends late enough", "/passenger", with(traveller(), "doc_expire", "2027-05-01"), "", ""},
		{"a passport that ends before travel", "/travelers-requests", with(travelRequest(), "traveler.docExpireDate",
			"2026-12-01"), "Traveler.DocExpireDate",
			"The DocExpireDate field: the passport ends before travel. (R-1/1)"},
		{"a passport that ends soon after travel", "/travelers-requests",
			with(travelRequest(), "traveler.docExpireDate", "2027-06-01"), "Traveler.DocExpireDate",
			"The DocExpireDate field: the passport ends within six months of travel, which many countries do not " +
				"accept. (R-1/1)"},
		{"a joiner's passport", "/travel-requests", with(crewChange(), "onsigners.0.doc_expire", "2027-05-31"),
			"Onsigners[0].DocExpire", "The DocExpire field: the passport ends within six months of travel, which " +
				"many countries do not accept. (C-1)"},
		{"somebody who joins and leaves", "/travel-requests",
			with(crewChange(), "offsigners.0.doc_number", traveller()["doc_number"]), "Offsigners[0].LastName",
			"The LastName field: the same person is listed at Onsigners[0] already, and is booked once. (C-2)"},
		{"an arrival a year late", "/travel-requests", with(crewChange(), "onsigners.0.arrive", "2027-12-02"),
			"Onsigners[0].Arrive", "The Arrive field is 365 days from the ChangeDate, 2026-12-02. (C-1)"},
		{"a leaver's passport", "/travel-requests", with(crewChange(), "offsigners.0.doc_expire", "2026-12-02"),
			"Offsigners[0].DocExpire", "The DocExpire field: the passport ends before travel. (C-2)"},
		{"an unknown airport", "/passenger", with(traveller(), "home_airport", "QQQ"), "HomeAirport",
			"The HomeAirport field has a code that no airport or city has. (C-1)"},
		{"a city", "/travelers-requests", with(travelRequest(), "flight.origin", "LON"), "", ""},
		{"an unknown origin", "/travelers-requests", with(travelRequest(), "flight.origin", "QQQ"),
			"Flight.Origin", "The Origin field has a code that no airport or city has. (R-1/1)"},
		{"an unknown stop", "/travelers-requests", with(travelRequest(), "flight.intermediateAirports.0.airport",
			"QQQ"), "Flight.IntermediateAirports[0].Airport",
			"The Airport field has a code that no airport or city has. (R-1/1)"},
		{"no origin", "/travelers-requests", without(travelRequest(), "flight.origin"), "Flight.Origin",
			"The Origin field is missing: where the flight begins is filled in by hand. (R-1/1)"},
		{"no destination", "/travelers-requests", without(travelRequest(), "flight.destination"), "Flight.Destination",
			"The Destination field is missing: where the flight ends is filled in by hand. (R-1/1)"},
		{"a flight to where it begins", "/travelers-requests", with(travelRequest(), "flight.destination", "mnl"),
			"Flight.Destination", "The Destination field is the same as Origin. (R-1/1)"},
		{"an unknown port", "/travel-requests", with(crewChange(), "offsigners.0.depart.port", "QQQ"),
			"Offsigners[0].Depart.Port", "The Depart.Port field has a code that no airport or city has. (C-2)"},
		{"a name in Thai", "/passenger", with(traveller(), "last_name", "สมชาย"), "LastName",
			"The LastName field cannot be written in the letters of a ticket, A to Z. (C-1)"},
		{"a name with a digit in it", "/passenger", with(traveller(), "first_name", "Maria 2"), "FirstName",
			"The FirstName field cannot be written in the letters of a ticket, A to Z. (C-1)"},
		{"a name as long as a ticket takes", "/passenger", with(traveller(), "first_name",
			"Maria Magdalena Theresia Annas"[:29]), "", ""},
		{"a name that is longer", "/passenger", with(traveller(), "first_name", "Maria Magdalena Theresia Annas"),
			"FirstName", "The FirstName field has 30 letters on a ticket, where at most 29 fit: it is shortened by " +
				"hand. (C-1)"},
		{"a name that is longer in a ticket's letters", "/passenger", with(traveller(), "last_name",
			strings.Repeat("ö", 15)), "LastName", "The LastName field has 30 letters on a ticket, where at most 29 " +
			"fit: it is shortened by hand. (C-1)"},
		{"a code that an airport had before", "/passenger", with(traveller(), "home_airport", "KIV"), "", ""},
		{"a name in Cyrillic", "/passenger", with(traveller(), "first_name", "Мария"), "", ""},
		{"a name with accents", "/passenger", with(traveller(), "first_name", "Þóra Ångström"), "", ""},
		{"no e-mail address", "/passenger", with(traveller(), "email", "maria at example.com"), "Email",
			"The Email field is not an e-mail address. (C-1)"},
		{"no phone number", "/passenger", with(traveller(), "phone", "ask the agent"), "Phone",
			"The Phone field is not a phone number, as in +63 917 555 0101. (C-1)"},
		{"a passport's number that a spreadsheet rounded", "/passenger", with(traveller(), "doc_number", "5.12E+08"),
			"DocNumber", "The DocNumber field was rounded by a spreadsheet: have it written as text. (C-1)"},
		{"a phone that it rounded", "/travel-requests", with(crewChange(), "offsigners.0.phone", "6.39E+11"),
			"Offsigners[0].Phone", "The Phone field was rounded by a spreadsheet: have it written as text. (C-2)"},
		{"a passport that ends with the birth", "/passenger", with(traveller(), "doc_expire", traveller()["dob"]),
			"DocExpire", "The DocExpire field is before the first birthday. (C-1)"},
		{"a passport that ends in a lifetime", "/travelers-requests", with(travelRequest(), "traveler.docExpireDate",
			"2999-01-31"), "Traveler.DocExpireDate", "The DocExpireDate field is more than 25 years away. (R-1/1)"},
		{"a phone number as people write it", "/passenger", with(traveller(), "phone", "+31 (0)20 555-0101 ext. 7"), "",
			""},
		{"no identifier", "/passenger", with(without(traveller(), "id"), "home_airport", "QQQ"), "HomeAirport",
			"The HomeAirport field has a code that no airport or city has."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := s.post(t, tt.endpoint, []any{tt.r})
			want := map[string][]string{}
			if tt.path != "" {
				want["[0]."+tt.path] = []string{tt.want}
			}
			if res.status != 200 || fmt.Sprint(res.counts.Warnings) != fmt.Sprint(want) || res.counts.Warnings == nil ||
				res.counts.Truncated {
				t.Errorf("answer = %d %s; want 200 with %v", res.status, res.body, want)
			}
		})
	}
}

func TestManyWarnings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := surfaceOn(t, db, api.Limits{})
		old := crew(1001)
		for i := range old {
			old[i] = with(old[i].(record), "home_airport", "QQQ")
		}
		first := s.post(t, "/passenger", old, "Idempotency-Key", "night-1")
		if first.status != 200 || first.counts.Created != 1001 || len(first.counts.Warnings) != 1000 ||
			!first.counts.Truncated {
			t.Fatalf("answer = %d with %d warnings, truncated %t; want 200 with 1000, truncated", first.status,
				len(first.counts.Warnings), first.counts.Truncated)
		}
		if again := s.post(t, "/passenger", old, "Idempotency-Key", "night-1"); again.body != first.body {
			t.Error("the answer to the same Idempotency-Key differs; want it letter by letter, with its warnings")
		}
		if res := s.post(t, "/passenger", old[:1000]); len(res.counts.Warnings) != 1000 || res.counts.Truncated {
			t.Errorf("%d warnings, truncated %t; want all 1000", len(res.counts.Warnings), res.counts.Truncated)
		}
	})
}

// TestSentencesNameTheRecord checks that errors identify the record by the customer's own
// identifier, wherever in the record that is.
func TestSentencesNameTheRecord(t *testing.T) {
	s := newSurface(t)
	many := strings.Repeat("7", 256)
	tests := []struct{ name, endpoint, body, path, want string }{
		{"a traveller", "/passenger", `[{"last_name":1,"id":"C-7"}]`, "[0].LastName",
			"The LastName field must be a string. (C-7)"},
		{"one without identifier", "/passenger", `[{"last_name":1}]`, "[0].LastName",
			"The LastName field must be a string."},
		{"one whose identifier is wrong itself", "/passenger", `[{"id":"` + many + `"}]`, "[0].Id",
			"The Id field must have at most 255 characters."},
		{"a member", "/travel-requests", `[{"vessel":"A","offsigners":[{"id":"C-1"},{"id":"C-2","gender":"X"}]}]`,
			"[0].Offsigners[1].Gender", "The Gender field must be M or F. (C-2)"},
		{"a crew change", "/travel-requests", `[{"travel_request_id":"CC-9","vessel":"A"}]`, "[0].ChangeDate",
			"The ChangeDate field is required. (CC-9)"},
		{"a request", "/travelers-requests", `[{"externalInfo":{"requestId":"R-1"}}]`, "[0].Traveler",
			"The Traveler field is required. (R-1)"},
		{"where the body ends being JSON", "/passenger", `[{"id":"C-7","last_name":"a","last_name":"b"}]`,
			"[0].LastName", "The body cannot be read as JSON here, at byte 29: a name occurs twice in one object. " +
				"(C-7)"},
		{"the same record twice", "/travelers-requests",
			`[{"externalInfo":{"requestId":"R-1"},"traveler":{}},{"externalInfo":{"requestId":"R-1"},"traveler":{}}]`,
			"[1].ExternalInfo.RequestId", "This record is the same as [0]; send it once. (R-1)"},
		{"the second request without its identifier", "/travelers-requests",
			`[{"externalInfo":{},"traveler":{}},{"externalInfo":{},"traveler":{}}]`, "[1].ExternalInfo.RequestId",
			"The RequestId field is required."},
		{"the second crew change without a date", "/travel-requests", `[{"vessel":"A"},{"vessel":"A"}]`, "[1].Vessel",
			""},
		{"the second traveller without identifier", "/passenger", `[{},{}]`, "[1].DocNumber",
			"The DocNumber field is required."},
	}
	for _, tt := range tests {
		res := s.do(t, "POST", tt.endpoint, []byte(tt.body))
		if got := strings.Join(res.problem.Errors[tt.path], " "); got != tt.want {
			t.Errorf("%s: %q among %v; want %q", tt.name, got, res.problem.Errors, tt.want)
		}
	}
}
