package describe

import (
	"cmp"

	"gangway/internal/schema"
	"gangway/internal/wire"
)

// Handoff is the form by which a customer's page begins a search.
//
// Spec: A6 Start a search from the customer's browser application.
func Handoff(app string) Group {
	form := wire.HandoffSchema()
	example := schema.Object{{Name: "vessel", Value: "Nordlys"}, {Name: "flag", Value: "NO"},
		{Name: "change_airport", Value: "AMS"}, {Name: "onsigners[0][last_name]", Value: "Santos"},
		{Name: "onsigners[0][first_name]", Value: "Maria"}, {Name: "onsigners[0][home_airport]", Value: "MNL"},
		{Name: "onsigners[0][arrive]", Value: "2026-12-01"}}
	var body []Media
	for _, media := range []string{"application/x-www-form-urlencoded", "multipart/form-data"} {
		body = append(body, Media{Type: media, Schema: &form,
			Examples: []Example{{Name: "one_on_signer", About: "One on-signer", Body: example}}})
	}
	return Group{
		Name: "From a browser",
		About: "Your own page posts an HTML form to the web application, and the user lands on the flights that were " +
			"found. Its answers are pages for people.",
		Calls: []Call{{
			ID: "startSearch", Spec: "A6", Method: "POST", Path: "/integrations/search", Open: true,
			Server: cmp.Or(app, "/"),
			Title:  "Start a search",
			About: "The user signs in if necessary. A field that is missing or wrong never refuses the form: the " +
				"user is shown what is missing and fills it in. At most 200 people and 1 MiB.",
			Body: body,
			Answers: []Answer{
				{Status: 303, About: "The search, after signing in.", Headers: []Parameter{{Name: "Location",
					Schema: schema.Schema{Type: "string"}, About: "Where the user goes on."}}},
				{Status: 400, About: "A page: what was sent is no form, or has nobody in it."},
				{Status: 413, About: "A page: more than one hand-off can hold."},
				{Status: 429, About: "A page: too many hand-offs at once."},
			},
		}},
	}
}
