package api

import (
	"net/http"
	"reflect"

	"gangway/internal/describe"
	"gangway/internal/schema"
	"gangway/internal/web"
	"gangway/internal/web/access"
	"gangway/internal/wire"
)

// An endpoint is a call that the surface answers, as it is described and by whom it is answered.
type endpoint struct {
	describe.Call
	serve web.Handler
	head  bool // answers HEAD as well
}

// A group is endpoints that belong together.
type group struct {
	name, about string
	endpoints   []endpoint
}

// groups is every endpoint of the surface, apart from its description: requests are passed on by this table, and the
// description is made from it.
func (a *API) groups() []group {
	return []group{
		{"Uploads", "What you send replaces what you sent before with the same identifier; one that has not changed " +
			"costs nothing. One wrong record rejects the whole array, and nothing is stored.", []endpoint{
			a.upload1("uploadTravellers", "A1", "/passenger", "Upload travellers",
				"Stores travellers, who are suggested to bookers at once.", operations[0], a.uploadTravellers),
			a.upload1("uploadTravelRequests", "A2", "/travelers-requests", "Upload travel requests",
				"Stores planned travel, which bookers see at once.", operations[1], a.uploadTravelRequests),
			a.upload1("uploadCrewChanges", "A4", "/travel-requests", "Upload crew changes",
				"Stores crew changes, which bookers see at once.", operations[2], a.uploadCrewChanges),
			a.soapEndpoint(),
			{describe.Call{ID: "describeSOAP", Method: "GET", Path: soapPath, Open: true, Title: "Describe SOAP " +
				"operations",
				About: "The description of the SOAP operations (WSDL 1.1).",
				Answers: []describe.Answer{{Status: 200, About: "The description.",
					Headers: everyAnswers, Body: []describe.Media{{Type: "text/xml"}}}}}, a.describe, true},
		}},
		{"Taking back", "Takes records back that were uploaded. Bookings stay.", []endpoint{
			takeBack("deleteTraveller", "", "/passenger", "Take a traveller back",
				"The traveller is named as in the upload: by id, or by passport if there was "+
					"none.", travellerParameters,
				a.deleteTraveller, "no_traveller", "traveller_of_what"),
			takeBack("deleteTravelRequest", "A3", "/travelers-requests", "Delete a travel request",
				"Without subRequestId all records of the request go.", requestParameters,
				a.deleteTravelRequest, "no_request", "request_of_what"),
			takeBack("deleteCrewChange", "", "/travel-requests", "Take a crew change back",
				"The crew change is named as in the upload: by travel_request_id, or by vessel, flag and date if "+
					"there was none.", crewChangeParameters, a.deleteCrewChange, "no_crew_change",
				"crew_change_of_what"),
		}},
		{"Bookings", "What happened to bookings, for those who ask. Whoever would rather be told has it pushed (B5).",
			[]endpoint{
				{describe.Call{ID: "pullBookings", Spec: "A5", Method: "GET", Path: "/bookings", Title: "Pull bookings",
					About: "Hands out what happened since the last pull: each action in exactly one pull. Give each " +
						"pull a name, and ask again with the same name if the answer was lost: for 30 days it is the " +
						"same. With days, or with from and to, it shows the bookings made in that time and hands out " +
						"nothing.",
					Parameters: bookingsParameters,
					Answers: []describe.Answer{{Status: 200, About: "Booking records with all their actions since " +
						"the last pull.",
						Headers: append([]describe.Parameter{pullID, pullMore}, listHeaders...), Body: bookingsBody()}},
					Refusals: append([]string{"unknown_pull", "other_pull", "wrong_parameter"}, answering...)},
					a.bounded(a.pullBookings), false},
				{describe.Call{ID: "listModifiedBookings", Spec: "A5", Method: "GET", Path: "/bookings/modified",
					Title: "List modified bookings",
					About: "Bookings with an action after an instant, each with all its actions after it. Hands " +
						"out nothing.",
					Parameters: modifiedParameters,
					Answers: []describe.Answer{{Status: 200, About: "Booking records.", Headers: listHeaders,
						Body: bookingsBody()}},
					Refusals: append([]string{"wrong_parameter"}, answering...)}, a.bounded(a.modifiedBookings), true},
				{describe.Call{ID: "listPulls", Spec: "A5", Method: "GET", Path: "/bookings/pulls", Title: "List pulls",
					About: "The latest 1,000 pulls of 30 days that handed something out, newest first.",
					Answers: []describe.Answer{{Status: 200, About: "The pulls.", Headers: everyAnswers,
						Body: []describe.Media{arrayOf("Pull", describe.Example{Name: "pulls", About: "One pull",
							Body: []pull{{"night-2026-12-01", 1796115600, 212, 340}}})}}},
					Refusals: append([]string{"wrong_parameter"}, answering...)}, a.bounded(a.listPulls), true},
			}},
	}
}

// upload1 is an upload of the records that a SOAP operation uploads, too.
func (a *API) upload1(id, spec, path, title, about string, as operation, serve web.Handler) endpoint {
	sample := as.sample()
	json := arrayOf(as.schema, describe.Example{Name: id, About: "One record", Body: []any{sample}})
	json.Schema.MaxItems = a.limits.Upload.Records
	body := []describe.Media{json}
	for _, f := range bodyFormats[1:] {
		media := describe.Media{Type: f.types[0]}
		if text := as.sampleIn(f.format, sample); text != "" {
			media.Examples = []describe.Example{{Name: id, About: "The same", Body: text}}
		}
		body = append(body, media)
	}
	return endpoint{describe.Call{
		ID: id, Spec: spec, Method: "POST", Path: path, Title: title, About: about + " Bodies in other formats than " +
			"JSON have the same names.",
		Headers: uploadHeaders, Body: body,
		Answers: []describe.Answer{{Status: 200, About: "Everything is stored.", Headers: everyAnswers,
			Body: []describe.Media{answerMedia()}}},
		Refusals: append([]string{"wrong_" + id}, uploading...),
	}, serve, false}
}

func (a *API) soapEndpoint() endpoint {
	var body, answer, faults []describe.Media
	for _, version := range []soapVersion{soap11, soap12} {
		_, fault := version.faultOf(http.Header{}, "", access.ErrNoKey)
		var sent, answered []describe.Example
		for _, o := range operations {
			sent = append(sent, describe.Example{Name: o.name, About: o.name, Body: o.sampleMessage(version)})
			answered = append(answered, describe.Example{Name: o.name, About: o.name, Body: o.sampleAnswer(version)})
		}
		body = append(body, describe.Media{Type: version.media, Examples: sent})
		answer = append(answer, describe.Media{Type: version.media, Examples: answered})
		faults = append(faults, describe.Media{Type: version.media, Examples: []describe.Example{
			{Name: "no_key", About: "No key", Body: string(fault)}}})
	}
	return endpoint{describe.Call{ID: "soap", Spec: "A1, A2, A4", Method: "POST", Path: soapPath,
		Title: "Upload by SOAP",
		About: "The three uploads as operations of SOAP 1.1 and 1.2, which the WSDL at the same address describes. " +
			"What is refused is a fault with the same problem in it.",
		Headers: uploadHeaders, Body: body,
		Answers:  []describe.Answer{{Status: 200, About: "Everything is stored.", Headers: everyAnswers, Body: answer}},
		Refusals: uploading, Faults: faults,
	}, a.soap, false}
}

func takeBack(id, spec, path, title, about string, parameters []describe.Parameter, serve web.Handler,
	refusals ...string) endpoint {
	return endpoint{describe.Call{ID: id, Spec: spec, Method: "DELETE", Path: path, Title: title, About: about,
		Parameters: parameters, Answers: []describe.Answer{{Status: 204, About: "It is gone.", Headers: everyAnswers}},
		Refusals: append([]string{"wrong_parameter", "query"}, refusals...)}, serve, false}
}

// uploading and answering are what uploads, and answers with bookings, may be refused with.
var (
	uploading = []string{"no_array", "not_json", "name_twice", "not_gzip", "long_idempotency_key", "still_running",
		"too_large", "too_many_records", "too_many_values", "another_format", "another_encoding", "other_body",
		"no_room", "wrong_parameter", "query"}
	answering = []string{"query", "answers_of_account", "answers_of_all"}
)

func arrayOf(record string, examples ...describe.Example) describe.Media {
	one := schema.To(record)
	return describe.Media{Type: "application/json", Schema: &schema.Schema{Type: "array", Items: &one},
		Examples: examples}
}

func bookingsBody() []describe.Media {
	return []describe.Media{arrayOf("Booking",
		describe.Example{Name: "booked_and_issued", About: "Two actions since the last " +
			"pull", Body: describe.PulledSample()},
		describe.Example{Name: "nothing", About: "Nothing has happened", Body: []any{}})}
}

func answerMedia() describe.Media {
	one := schema.To("UploadAnswer")
	return describe.Media{Type: "application/json", Schema: &one, Examples: []describe.Example{
		{Name: "stored", About: "Three " +
			"records", Body: uploadAnswer{IsSuccess: true, Received: 3, Created: 1, Updated: 1,
			Unchanged: 1, Warnings: map[string][]string{"[2].HomeAirport": {
				"The HomeAirport field has a code that no airport or city has. (C-1003)"}}}},
	}}
}

// schemas are those of records, and of what the surface answers.
func schemas() schema.Properties {
	return append(wire.Schemas(),
		schema.Property{Name: "UploadAnswer", Schema: schema.Describer{Words: map[string]string{
			"":          "What became of an upload.",
			"isSuccess": "Always true.", "received": "How many records came.", "created": "How many were new.",
			"updated": "How many replaced another.", "unchanged": "How many were stored already.",
			"warnings": "What was accepted and will cause trouble when somebody books: sentences by the path of the " +
				"field, as in errors.",
			"truncated": "There are more warnings than the fields that are listed.",
		}}.Of(reflect.TypeFor[uploadAnswer]())},
		schema.Property{Name: "Pull", Schema: schema.Describer{Words: map[string]string{
			"": "A pull that handed something out.", "id": "Its name.", "created_at": "When, in seconds since 1970.",
			"bookings": "How many bookings it had.", "actions": "How many actions.",
		}}.Of(reflect.TypeFor[pull]())},
		schema.Property{Name: "Problem", Schema: web.ProblemSchema()})
}

// namesOf returns the names of parameters.
func namesOf(list []describe.Parameter) (names []string) {
	for _, p := range list {
		names = append(names, p.Name)
	}
	return names
}

var text = schema.Schema{Type: "string"}

// The parameters of each query.
var (
	requestParameters = []describe.Parameter{
		{Name: "requestId", Required: true, Schema: text, Example: "R-1001", About: "Your identifier of the request."},
		{Name: "subRequestId", Schema: text, About: "Its part; left out, all parts go."},
	}
	travellerParameters = []describe.Parameter{
		{Name: "id", Schema: text, Example: "C-1001", About: "Your identifier of the traveller."},
		{Name: "doc_country", Schema: text, About: "In place of id: the country of the passport."},
		{Name: "doc_number", Schema: text, About: "And its number."},
	}
	crewChangeParameters = []describe.Parameter{
		{Name: "travel_request_id", Schema: text, Example: "CC-7", About: "Your identifier of the crew change."},
		{Name: "vessel", Schema: text, About: "In place of it: the vessel's name."},
		{Name: "flag", Schema: text, About: "The country of its flag, if one was sent."},
		{Name: "change_date", Schema: schema.Schema{Type: "string", Format: "date"}, About: "And the day of the " +
			"change."},
	}
	bookingsParameters = []describe.Parameter{
		{Name: "pull", Schema: schema.Schema{Type: "string", Pattern: pullName.String()}, Example: "night-2026-12-01",
			About: "A name for the pull, of 1 to 64 letters, digits and . _ ~ - characters. last is the latest one " +
				"that handed something out; names that begin with pull_ are ours."},
		{Name: "limit", Schema: numberTo(mostBookings), About: "How many bookings to hand out at most."},
		{Name: "days", Schema: numberTo(mostDays), About: "In place of pull: shows the bookings made in so many days."},
		{Name: "from", Schema: text, About: "In place of pull: shows the bookings made from a date or an instant on, " +
			"in UTC unless it says another offset."},
		{Name: "to", Schema: text, About: "Until when: an included date, or an instant."},
		after,
	}
	modifiedParameters = []describe.Parameter{
		{Name: "from", Required: true, Schema: text, Example: "2026-12-01T08:00:00Z",
			About: "A date or an instant, in UTC unless it says another offset."},
		after,
	}
	after = describe.Parameter{Name: "after", Schema: schema.Schema{Type: "string", Pattern: `^[0-9]+\..+$`},
		About: "Where a list goes on, from its Link header."}
)

func numberTo(most int) schema.Schema {
	return schema.Schema{Type: "integer", Minimum: 1, Maximum: most}
}

// The headers of requests and answers.
var (
	uploadHeaders = []describe.Parameter{
		{Name: "Idempotency-Key", Schema: schema.Schema{Type: "string", MaxLength: 255},
			About: "A name for the request: the same one within 24 hours gets the first one's answer."},
		{Name: "Content-Encoding", Schema: schema.Schema{Type: "string", Enum: []string{"gzip", "x-gzip", "identity"}},
			About: "How the body is compressed."},
	}
	everyAnswers = []describe.Parameter{
		{Name: "Request-Id", Schema: text, About: "Names the request: tell it to whoever looks for it."},
		{Name: "RateLimit", Schema: text, About: "How many requests are left (r), and for how many seconds (t)."},
		{Name: "RateLimit-Policy", Schema: text, About: "How many requests a key has in how many seconds."},
	}
	pullID = describe.Parameter{Name: "Pull-Id", Schema: text,
		About: "The name of the pull, given or ours; not where nothing was handed out by from, to or days."}
	pullMore = describe.Parameter{Name: "Pull-More", Schema: schema.Schema{Type: "string", Enum: []string{"true"}},
		About: "There when more waits: go on with the next name."}
	listHeaders = append([]describe.Parameter{{Name: "Link", Schema: text,
		About: `There when a list is cut: <?…>; rel="next" is where it goes on.`}}, everyAnswers...)
)
