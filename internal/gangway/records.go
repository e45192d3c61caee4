package gangway

import (
	"reflect"
	"slices"
	"strings"
)

// traveller is the table of the traveller record. A new field of travellers is a line here and a field of Traveller.
//
// Spec: Traveller record, Travel request record (traveler).
var traveller = Members{
	{Name: "last_name", Form: PersonName, Needed: Everywhere, Words: "last name", Sample: "Santos",
		About: "The surname, as in the passport."},
	{Name: "first_name", Form: PersonName, Needed: Everywhere, Words: "first name", Sample: "Maria",
		About: "The given names, as in the passport."},
	{Name: "dob", Form: BirthDay, Needed: Complete, Words: "date of birth", Sample: "1990-04-30",
		About: "The date of birth."},
	{Name: "nationality", Form: CountryCode, Needed: Complete, Words: "nationality", Sample: "PH",
		About: "The country of the nationality."},
	{Name: "gender", Form: GenderCode, Needed: Ticketing, Words: "gender", Sample: "F",
		About: "M or F, as in the passport."},
	{Name: "doc_country", Form: CountryCode, Needed: Complete, Words: "passport's country",
		Sample: "PH", About: "The country that issued the passport."},
	{Name: "doc_number", Needed: Complete, Own: true, Words: "passport number", Sample: "P1234567A",
		About: "The passport's number."},
	{Name: "doc_expire", Camel: "docExpireDate", Form: Day, Needed: Complete, Words: "passport's expiry date",
		Sample: "2031-01-01", About: "The date on which the passport expires."},
	{Name: "home_airport", Form: AirportCode, Needed: Complete, Unasked: true,
		Words: "home airport", Sample: "MNL", About: "The airport closest to the traveller's home."},
	{Name: "email", Form: EmailText, Own: true, Words: "e-mail address",
		Sample: "maria.santos@crew.example", About: "The traveller's e-mail address."},
	{Name: "phone", Form: PhoneText, Own: true, Words: "phone number", Sample: "+63 2 555 0100",
		About: "The traveller's phone number."},
	{Name: "id", Unasked: true, Words: "identifier", Sample: "C-1001", About: "Your identifier of the " +
		"traveller: a record with the same one replaces it, and bookings come back with it."},
}

// passportNumber returns the table of a traveller whose passport number has at most so many characters.
//
// Spec: Limits. Decided: docs/choices.md, "Uploads".
func passportNumber(most int) Members {
	list := slices.Clone(traveller)
	list.Named("doc_number").Most = most
	return list
}

// inCamelCase returns the table of a travel request's traveler, which stands in TravelRequest.Traveller. Its passport
// expiry has three names, since the interface leaves open which one counts, and it needs no airport.
func inCamelCase() Members {
	list := passportNumber(20)
	list.Named("home_airport").Needed = Optional
	list.Named("doc_expire").Also = []string{"doc_expire", "docExpire"}
	for i := range list {
		m := &list[i]
		m.in = "Traveller." + m.Name
		if name := FieldName(m.Name); m.Camel == "" {
			m.Camel = strings.ToLower(name[:1]) + name[1:]
		}
		m.Name = m.Camel
	}
	return append(list, Member{Name: "customFields", Form: Entries, Sample: map[string]string{"cost_centre": "77"},
		About: "Fields of your own, which bookings come back with."})
}

// travelRequest is the table of the travel request record.
//
// Spec: Travel request record.
var travelRequest = Members{
	{Name: "externalInfo", Form: Object, Needed: Everywhere, About: "How you call the request.", Members: Members{
		{Name: "requestId", Needed: Everywhere, Sample: "R-1001", About: "Your identifier of the request, shown to " +
			"bookers."},
		{Name: "subRequestId", Sample: "1", About: "A part of the request; a record with the same two identifiers " +
			"replaces it."},
		{Name: "additionalInfo", Form: Entries, About: "Wishes for single legs: MNL-AMS_departure_time is a local " +
			"time of departure, MNL-AMS_flight_id your identifier of that flight, which bookings come back with.",
			Sample: map[string]string{"MNL-AMS_departure_time": "08:30", "MNL-AMS_flight_id": "F-17"}},
	}},
	{Name: "traveler", Form: Object, Needed: Everywhere, About: "Who travels.", Members: inCamelCase()},
	{Name: "flight", Form: Object, About: "The flight that is wanted.", Members: Members{
		{Name: "origin", Form: AirportCode, Filled: true, Sample: "MNL", About: "Where the journey begins; left out " +
			"if it is not known yet."},
		{Name: "destination", Form: AirportCode, Filled: true, Sample: "AMS", About: "Where the journey ends; left " +
			"out if it is not known yet."},
		{Name: "date", Form: Day, Sample: "2026-12-01", About: "When the flight leaves from origin, or the last one " +
			"leaves: the order of all dates tells which."},
		{Name: "intermediateAirports", in: "Via", Form: List, Most: 50, About: "Airports where the journey is to be " +
			"broken.", Members: Members{
			// The interface's table says airport, its description destination.
			{Name: "airport", Also: []string{"destination"}, Form: AirportCode, Filled: true, Sample: "DXB",
				About: "The airport."},
			{Name: "date", Form: Day, Sample: "2026-12-02", About: "When a flight leaves from there or, where " +
				"flight.date is that of the last flight, to there."},
		}},
	}},
	{Name: "hotel", Form: Object, About: "The hotel that is wanted.", Members: Members{
		{Name: "location", Form: FreeText, Sample: "Rotterdam", About: "Where."},
		{Name: "checkIn", Form: Day, Sample: "2026-12-02", About: "The first night."},
		{Name: "checkOut", Form: Day, Sample: "2026-12-03", About: "The day of leaving, which is after checkIn."},
	}},
	{Name: "details", Form: Object, About: "What else bookers should know.", Members: Members{
		{Name: "rank", Form: FreeText, Sample: "Chief Officer", About: "The traveller's rank."},
		{Name: "remarks", Form: FreeText, Sample: "window seat", About: "Remarks for bookers."},
		{Name: "vehicle", Form: Object, About: "The vessel, or whatever it is, that the travel is for.",
			Members: Members{
				{Name: "name", Sample: "Nordlys", About: "Its name."},
				vesselFlag,
				{Name: "vehicleType", in: "Type", Form: FreeText, Sample: "Vessel", About: "What it is, for instance " +
					"Vessel or Airplane."},
			}},
	}},
}.within(reflect.TypeFor[TravelRequest]())

var vesselFlag = Member{Name: "flag", Form: CountryCode, Sample: "NO", About: "The country of its flag."}

// crewChange is the table of the crew change record.
//
// Spec: Crew change record.
var crewChange = Members{
	{Name: "vessel", Form: ShipName, Needed: Everywhere, Sample: "Nordlys", About: "The vessel's name."},
	vesselFlag,
	{Name: "change_date", Form: Day, Needed: Everywhere, Sample: "2026-12-02", About: "The day of the change."},
	{Name: "travel_request_id", Sample: "CC-7", About: "Your identifier of the crew change: a record with the same " +
		"one replaces it. Without one it is known by vessel, flag and date."},
	{Name: "onsigners", Form: List, Most: 10_000, About: "Who joins.", Members: crewMember},
	{Name: "offsigners", Form: List, Most: 10_000, About: "Who leaves.", Members: crewMember},
}.within(reflect.TypeFor[CrewChange]())

// crewMember is the table of a member of a crew change: a traveller, and more.
var crewMember = append(passportNumber(20),
	portCall("arrive", "When an on-signer is wanted at the airport of the crew change", "2026-12-01"),
	portCall("depart", "When an off-signer may leave from the airport of the crew change", "2026-12-03"),
	Member{Name: "change_date", Form: Day, Sample: "2026-12-02", About: "The member's own day of the change."},
	Member{Name: "metadata", Form: Entries, Sample: map[string]string{"rank": "AB"}, About: "Entries for other " +
		"systems; bookings come back with them. rank is shown beside the member."},
	Member{Name: "custom_fields", Form: Entries, About: "Fields of your own; bookings come back with them."},
)

func portCall(name, about, sample string) Member {
	return Member{Name: name, Form: DayAtPort, Sample: sample, About: about + ": a date, or a date with that airport.",
		Members: Members{
			{Name: "port", in: "Airport", Form: AirportCode, Sample: "AMS", About: "The airport of the crew change."},
			{Name: "date", Form: Day, Sample: sample, About: "The day."},
		}}
}

// A Record is a kind of record: its members, and how many of them it demands.
type Record struct {
	Members Members
	Demand  Demand
}

// The records that customers upload, and those that their systems are asked for: where data is missing there, people
// enter it by hand.
//
// Spec: What the service does, Traveller record, Travel request record, Crew change record; decided: docs/choices.md,
// "Uploads" and "Records taken in each for itself".
var (
	UploadedTraveller = Record{passportNumber(9).within(reflect.TypeFor[Traveller]()), Complete}
	UploadedRequest   = Record{travelRequest, Ticketing}
	UploadedChange    = Record{crewChange, Complete}

	FedTraveller = Record{UploadedTraveller.Members, Everywhere}
	FedRequest   = Record{travelRequest, Everywhere}
	FedChange    = Record{crewChange, Everywhere}
)

// MembersOf returns the members of a flow's records.
func MembersOf(flow Flow) Members {
	switch flow {
	case TravelRequestsFlow:
		return travelRequest
	case CrewChangesFlow:
		return crewChange
	}
	return UploadedTraveller.Members
}

// ColumnOrder is the order in which tables show members: what identifies a record, then the person, then the rest.
func ColumnOrder() (names []string) {
	for _, list := range []Members{travelRequest.Named("externalInfo").Members, crewChange, {{Name: "id"}}, traveller,
		travelRequest.Named("details").Members, travelRequest.Named("flight").Members,
		travelRequest.Named("hotel").Members, crewMember} {
		for _, m := range list {
			if m.Form != Object && m.Form != Entries && !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	return names
}
