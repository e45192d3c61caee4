package natural

import "gangway/internal/gangway"

// A shape is that of a value of our records. The zero shape is a text; nil is that of what our records do
// not name.
type shape struct {
	members map[string]*shape // of an object
	items   *shape            // of a list
	entries bool              // an object of texts under any names
	orText  string            // of an object: the member that a text instead of it is
}

func (s *shape) isText() bool { return s != nil && s.members == nil && s.items == nil && !s.entries }

var (
	text    = &shape{}
	entries = &shape{entries: true}
	call    = &shape{members: texts("port", "date"), orText: "date"}
)

func texts(names ...string) map[string]*shape {
	all := map[string]*shape{}
	for _, name := range names {
		all[name] = text
	}
	return all
}

// object returns the shape of an object with these texts and these members.
func object(members map[string]*shape, names ...string) *shape {
	all := texts(names...)
	for name, s := range members {
		all[name] = s
	}
	return &shape{members: all}
}

// travellerNames are the members of the traveller record.
var travellerNames = []string{"id", "last_name", "first_name", "dob", "nationality", "gender", "doc_country",
	"doc_number", "doc_expire", "home_airport", "email", "phone"}

var crewMember = object(map[string]*shape{"arrive": call, "depart": call, "metadata": entries,
	"custom_fields": entries}, append([]string{"change_date"}, travellerNames...)...)

// shapes are our records, as package wire reads them.
//
// Spec: Traveller record, Travel request record, Crew change record.
var shapes = map[gangway.Flow]*shape{
	gangway.TravellersFlow: object(nil, travellerNames...),
	gangway.TravelRequestsFlow: object(map[string]*shape{
		"externalInfo": object(map[string]*shape{"additionalInfo": entries}, "requestId", "subRequestId"),
		"traveler": object(map[string]*shape{"customFields": entries}, "id", "lastName", "firstName", "dob",
			"nationality", "gender", "docCountry", "docNumber", "docExpireDate", "docExpire", "doc_expire",
			"homeAirport", "email", "phone"),
		"flight": object(map[string]*shape{
			"intermediateAirports": {items: object(nil, "airport", "destination", "date")},
		}, "origin", "destination", "date"),
		"hotel": object(nil, "location", "checkIn", "checkOut"),
		"details": object(map[string]*shape{"vehicle": object(nil, "name", "flag", "vehicleType")},
			"rank", "remarks"),
	}),
	gangway.CrewChangesFlow: object(map[string]*shape{"onsigners": {items: crewMember},
		"offsigners": {items: crewMember}}, "vessel", "flag", "change_date", "travel_request_id"),
}
