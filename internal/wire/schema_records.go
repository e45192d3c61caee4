package wire

import (
	"slices"

	"gangway/internal/gangway"
	"gangway/internal/schema"
)

// travellerTold is what people are told of a traveller's members, in the order of travellerFields.
var travellerTold = []told{
	{about: "The surname, as in the passport.", example: "Santos"},
	{about: "The given names, as in the passport.", example: "Maria"},
	{about: "The date of birth.", example: "1990-04-30"},
	{about: "The country of the nationality.", example: "PH"},
	{about: "M or F, as in the passport.", example: "F"},
	{about: "The country that issued the passport.", example: "PH"},
	{about: "The passport's number.", example: "P1234567A"},
	{about: "The date on which the passport expires.", example: "2031-01-01"},
	{about: "The airport closest to the traveller's home.", example: "MNL"},
	{about: "The traveller's e-mail address.", example: "maria.santos@crew.example"},
	{about: "The traveller's phone number.", example: "+63 2 555 0100"},
	{about: "Your identifier of the traveller: a record with the same one replaces it, and bookings come back with it.",
		example: "C-1001"},
}

// travellerMembers returns what people are told of a traveller's members under their names.
func travellerMembers(names []string) []told {
	list := slices.Clone(travellerTold)
	for i := range list {
		list[i].name = names[i]
	}
	return list
}

func travellerSchema() schema.Schema {
	return objectOf("A traveller, as your system knows them. Other members are kept and ignored.",
		gangway.UploadedTraveller.Fields, travellerMembers(snakeCase))
}

func travellerAnswerSchema() schema.Schema {
	return objectOf("A traveller, as your system may tell of them when it is asked: where a member is missing or "+
		"cannot be read, people fill it in.", gangway.FedTraveller.Fields, travellerMembers(snakeCase))
}

// externalInfo is what people are told of what stands in externalInfo.
var externalInfo = []told{
	{name: "requestId", about: "Your identifier of the request, shown to bookers.", example: "R-1001"},
	{name: "subRequestId", about: "A part of the request; a record with the same two identifiers replaces it.",
		example: "1"},
	{name: "additionalInfo", about: "Wishes for single legs: MNL-AMS_departure_time is a local time of departure, " +
		"MNL-AMS_flight_id your identifier of that flight, which bookings come back with.",
		example: map[string]string{"MNL-AMS_departure_time": "08:30", "MNL-AMS_flight_id": "F-17"},
		form:    additionalInfo()},
}

func additionalInfo() schema.Schema {
	s := *forms().Of("Entries")
	s.Description = ""
	s.PatternProperties = schema.Properties{{Name: "^[A-Z]{3}-[A-Z]{3}_departure_time$",
		Schema: schema.Schema{Type: "string", Pattern: "^(([01][0-9]|2[0-3]):[0-5][0-9])?$"}.OrNull()}}
	s.PatternProperties[0].Description = "When the flight of that leg should leave: HH:MM, at the airport."
	return s
}

func travelRequestSchema(rules gangway.TravellerRules) schema.Schema {
	traveller := append(travellerMembers(camelCase),
		told{name: "doc_expire", about: "The same as docExpireDate; if both are sent they must agree.", also: true,
			form: schema.To("Date")},
		told{name: "customFields", about: "Fields of your own, which bookings come back with.",
			example: map[string]string{"cost_centre": "77"}, form: schema.To("Entries")})
	traveler := objectOf("", rules.Fields, traveller)
	// Accepted too, but clients that are made of the schema cannot tell the name from doc_expire.
	traveler.PatternProperties = schema.Properties{{Name: "^docExpire$", Schema: schema.To("Date").OrNull()}}
	traveler.PatternProperties[0].Description = "The same as docExpireDate."
	stop := objectOf("", gangway.StopRules, []told{
		{name: "airport", about: "The airport.", example: "DXB"},
		{name: "destination", about: "The same as airport.", also: true, form: schema.To("Airport")},
		{name: "date", about: "When a flight leaves from there or, where flight.date is that of the last flight, to " +
			"there.",
			example: "2026-12-02"},
	})
	vehicle := objectOf("", gangway.VehicleRules, []told{
		{name: "name", about: "Its name.", example: "Nordlys"},
		{name: "flag", about: "The country of its flag.", example: "NO"},
		{name: "vehicleType", about: "What it is, for instance Vessel or Airplane.", example: "Vessel",
			form: schema.To("FreeText")},
	})
	s := objectOf("Planned travel of one traveller: a flight, a hotel or both. Other members are kept and "+
		"ignored.", nil,
		[]told{
			{name: "externalInfo", about: "How you call the request.", required: true,
				form: objectOf("", gangway.ExternalInfoRules, externalInfo)},
			{name: "traveler", about: "Who travels.", required: true, form: traveler},
			{name: "flight", about: "The flight that is wanted.", form: objectOf("", gangway.FlightRules, []told{
				{name: "origin", about: "Where the journey begins; left out if it is not known yet.", example: "MNL"},
				{name: "destination", about: "Where the journey ends; left out if it is not known " +
					"yet.", example: "AMS"},
				{name: "date", about: "When the flight leaves from origin, or the last one leaves: the order of all " +
					"dates tells which.", example: "2026-12-01"},
				{name: "intermediateAirports", about: "Airports where the journey is to be broken.",
					form: schema.Schema{Type: "array", Items: &stop, MaxItems: stops}},
			})},
			{name: "hotel", about: "The hotel that is wanted.", form: objectOf("", gangway.HotelRules, []told{
				{name: "location", about: "Where.", example: "Rotterdam", form: schema.To("FreeText")},
				{name: "checkIn", about: "The first night.", example: "2026-12-02"},
				{name: "checkOut", about: "The day of leaving, which is after checkIn.", example: "2026-12-03"},
			})},
			{name: "details", about: "What else bookers should know.", form: objectOf("", nil, []told{
				{name: "rank", about: "The traveller's rank.", example: "Chief Officer", form: schema.To("FreeText")},
				{name: "remarks", about: "Remarks for bookers.", example: "window seat", form: schema.To("FreeText")},
				{name: "vehicle", about: "The vessel, or whatever it is, that the travel is for.", form: vehicle},
			})},
		})
	s.AnyOf = []schema.Schema{asksFor("flight", "origin", "destination", "date", "intermediateAirports"),
		asksFor("hotel", "location", "checkIn", "checkOut")}
	return s
}

// asksFor says that a section is there and that one of its members says something.
func asksFor(section string, members ...string) schema.Schema {
	of := schema.Schema{Type: "object"}
	for _, name := range members {
		says := schema.Schema{Type: "string", Pattern: `\S`}
		if name == "intermediateAirports" {
			says = schema.Schema{Type: "array", MinItems: 1, Items: &schema.Schema{}}
		}
		of.AnyOf = append(of.AnyOf, schema.Schema{Required: []string{name},
			Properties: schema.Properties{{Name: name, Schema: says}}})
	}
	return schema.Schema{Required: []string{section}, Properties: schema.Properties{{Name: section, Schema: of}}}
}

// travelRequestAnswerSchema is of what systems answer, which may have what identifies a request at its top.
//
// Spec: Travel request record.
func travelRequestAnswerSchema() schema.Schema {
	s := travelRequestSchema(gangway.FedRequestTraveller)
	s.Description = "A travel request, as your system may tell of it when it is asked: with externalInfo, or with " +
		"its members at the top."
	top := objectOf("", gangway.ExternalInfoRules, externalInfo)
	for i := range top.Properties {
		if p := &top.Properties[i].Schema; !p.Null() {
			about, examples := p.Description, p.Examples
			*p = p.OrNull()
			p.AnyOf[0].Description, p.AnyOf[0].Examples, p.Description, p.Examples = "", nil, about, examples
		}
	}
	s.Properties = append(s.Properties, top.Properties...)
	s.Required = []string{"traveler"}
	return s
}

func crewChangeSchema(rules []gangway.Rule, member string) schema.Schema {
	side := func(of string) schema.Schema {
		return schema.Schema{Type: "array", Items: pointer(schema.To(of)), MaxItems: people}
	}
	s := objectOf("A vessel and a date, with those who join and those who leave. Other members are kept and ignored.",
		rules, []told{
			{name: "vessel", about: "The vessel's name.", example: "Nordlys"},
			{name: "flag", about: "The country of its flag.", example: "NO"},
			{name: "change_date", about: "The day of the change.", example: "2026-12-02"},
			{name: "travel_request_id", about: "Your identifier of the crew change: a record with the same one " +
				"replaces it. Without one it is known by vessel, flag and date.", example: "CC-7"},
			{name: "onsigners", about: "Who joins.", form: side(member)},
			{name: "offsigners", about: "Who leaves.", form: side(member), example: []any{sampleOffSigner()}},
		})
	for _, name := range []string{"onsigners", "offsigners"} {
		s.AnyOf = append(s.AnyOf, schema.Schema{Required: []string{name}, Properties: schema.Properties{
			{Name: name, Schema: schema.Schema{Type: "array", MinItems: 1, Items: &schema.Schema{}}}}})
	}
	return s
}

// sampleOffSigner is somebody else than the examples' traveller.
func sampleOffSigner() any {
	o, _ := schema.Properties(forms()).Example(travellerSchema()).(schema.Object)
	for name, value := range map[string]string{"last_name": "Cruz", "first_name": "Juan", "gender": "M",
		"dob": "1984-02-11", "doc_number": "P7654321B", "email": "juan.cruz@crew.example", "id": "C-1002"} {
		o = o.With(name, value)
	}
	return o.With("depart", "2026-12-03")
}

// crewChangeAnswerRules are those of a crew change that the customer's system was asked for, whose date may be the one
// that was asked for.
func crewChangeAnswerRules() []gangway.Rule {
	rules := slices.Clone(gangway.CrewChangeRules)
	for i := range rules {
		rules[i].Required = rules[i].Required && rules[i].Field != "ChangeDate"
	}
	return rules
}

func crewMemberSchema(rules gangway.TravellerRules) schema.Schema {
	call := func(at, date string) schema.Schema {
		return schema.Schema{AnyOf: []schema.Schema{schema.To("Date"), objectOf("", []gangway.Rule{
			{Field: "Port", Form: gangway.AirportCode}, {Field: "Date", Form: gangway.Day}}, []told{
			{name: "port", about: "The airport of the crew change.", example: at},
			{name: "date", about: "The day.", example: date},
		})}}
	}
	return objectOf("A traveller who joins or leaves a vessel.", slices.Concat(rules.Fields,
		[]gangway.Rule{{Field: "ChangeDate", Form: gangway.Day}}), append(travellerMembers(snakeCase),
		told{name: "arrive", about: "When an on-signer is wanted at the airport of the crew change: a date, or a " +
			"date with that airport.", example: "2026-12-01", form: call("AMS", "2026-12-01")},
		told{name: "depart", about: "When an off-signer may leave from the airport of the crew change: a date, or a " +
			"date with that airport.", form: call("AMS", "2026-12-03")},
		told{name: "change_date", about: "The member's own day of the change.", example: "2026-12-02"},
		told{name: "metadata", about: "Entries for other systems; bookings come back with them. rank is shown beside " +
			"the member.", example: map[string]string{"rank": "AB"}, form: schema.To("Entries")},
		told{name: "custom_fields", about: "Fields of your own; bookings come back with them.",
			form: schema.To("Entries")},
	))
}
