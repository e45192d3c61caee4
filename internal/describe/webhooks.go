package describe

import (
	"strings"

	"gangway/internal/schema"
)

// Webhooks are the calls that we make, to addresses that the customer gives us.
//
// Spec: B1, B2, B3, B4, B5.
func Webhooks() Group {
	day := schema.Schema{Type: "string", Format: "date"}
	return Group{
		Name: "What we call",
		About: "Requests that Gangway makes to your system, at addresses that you give: the paths are the usual " +
			"ones. Each is shown the credentials that you ask for (Basic, a bearer token, a header, a client " +
			"certificate). What you answer may be in any format that a feed reads; here is what it is in JSON. An " +
			"answer comes within 3 seconds, because somebody is waiting; nothing found is an empty list.",
		Calls: []Call{
			{ID: "suggestTravellers", Spec: "B1", Method: "GET", Path: "/api/suggest_traveller", Ours: true,
				Title: "Suggest travellers",
				About: "Asked while somebody types a traveller's surname.",
				Parameters: []Parameter{{Name: "surname", Required: true, Example: "san",
					Schema: schema.Schema{Type: "string"},
					About:  "The first letters of the surname, as they were typed."}},
				Answers: listOf("TravellerAnswer", "The travellers whose surnames begin so.")},
			{ID: "listTravellers", Spec: "B2", Method: "GET", Path: "/your/travellers", Ours: true,
				Title:   "List travellers",
				About:   "Fetched regularly, every hour unless you ask for another interval: all travellers.",
				Answers: listOf("TravellerAnswer", "All travellers.")},
			{ID: "listTravelRequests", Spec: "B3", Method: "GET", Path: "/api/travel_request", Ours: true,
				Title: "List travel requests", About: "Asked when somebody picks a day or a week.",
				Parameters: []Parameter{
					{Name: "from", Required: true, Example: "2026-12-01", Schema: day, About: "The first day."},
					{Name: "to", Required: true, Example: "2026-12-07", Schema: day,
						About: "The last day, which counts too."}},
				Answers: listOf("TravelRequestAnswer", "All requests of these days.")},
			{ID: "listCrewChanges", Spec: "B4", Method: "GET", Path: "/api/crew_change", Ours: true,
				Title: "List crew changes", About: "Asked when somebody picks a day.",
				Parameters: []Parameter{{Name: "date", Required: true, Example: "2026-12-02", Schema: day,
					About: "The day."}},
				Answers: listOf("CrewChangeAnswer", "The crew changes of that day.")},
			pushed(),
		},
	}
}

func listOf(record, about string) []Answer {
	one := schema.To(record)
	return []Answer{
		{Status: 200, About: about, Body: []Media{{Type: "application/json",
			Schema: &schema.Schema{Type: "array", Items: &one}}}},
		{Status: 204, About: "There are none."},
	}
}

// pushed is what an outlet pushes.
func pushed() Call {
	text := schema.Schema{Type: "string"}
	one := schema.To("Booking")
	media := Media{Type: "application/json", Schema: &one}
	for _, b := range BookingSamples() {
		media.Examples = append(media.Examples, Example{strings.ReplaceAll(string(b.Event), " ", "_"), b.About, b.Body})
	}
	return Call{
		ID: "syncFlights", Spec: "B5", Method: "POST", Path: "/api/sync_flights", Ours: true, Title: "Receive bookings",
		About: "Each action on a booking is one request, with the booking as it was right after that action; those " +
			"of one booking come in order. An action may come twice, always with the same webhook-id. An outlet may " +
			"be set up to send something else in place of this body (a mapping), or only the actions of some states, " +
			"which leaves gaps in metadata.sequence. Outlets to files and mailboxes take the same record.",
		Headers: []Parameter{
			{Name: "webhook-id", Required: true, Schema: text, Example: "msg_2xkq3vbn7tz4",
				About: "The delivery's identifier, the same on every try."},
			{Name: "webhook-timestamp", Required: true, Schema: schema.Schema{Type: "string", Pattern: "^[0-9]+$"},
				Example: "1796119200", About: "When this try was made, in seconds since 1970."},
			{Name: "webhook-signature", Required: true,
				Schema:  schema.Schema{Type: "string", Pattern: "^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$"},
				Example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
				About: "v1, and the base64 of HMAC-SHA256 over webhook-id.webhook-timestamp.body with the outlet's " +
					"secret (Standard Webhooks); two of them, with a space between, while a secret is changed."},
		},
		Body: []Media{media},
		Answers: []Answer{
			{Status: 200, About: "Any 2xx within 15 seconds says that you have it."},
			{Status: 410, About: "Switches the outlet off."},
			{Status: 429, About: "Tried again, after Retry-After where you send one.", Headers: []Parameter{
				{Name: "Retry-After", Schema: text, About: "Seconds, or a date."}}},
			{Status: 503, About: "Tried again, after Retry-After where you send one.", Headers: []Parameter{
				{Name: "Retry-After", Schema: text, About: "Seconds, or a date."}}},
			{Status: 500, About: "Anything else is tried again for three days, and then parked: nothing is dropped."},
		},
	}
}
