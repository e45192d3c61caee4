package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"gangway/internal/accept"
	"gangway/internal/describe"
	"gangway/internal/gangway"
	"gangway/internal/schema"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/access"
)

// saysNo is the ways in which the surface says no, each with the error that says so.
func (a *API) saysNo() []describe.Refusal {
	q := func(know []string, raw string) error {
		r, _ := http.NewRequest(http.MethodGet, "/?"+raw, nil)
		return queryOf(r, know...).problems.Err()
	}
	var list []describe.Refusal
	add := func(name, about string, err error) *describe.Refusal {
		header := http.Header{}
		status, body := web.ProblemOf(header, err)
		list = append(list, describe.Refusal{Name: name, About: about, Status: status, Header: header, Body: body})
		return &list[len(list)-1]
	}
	always := func(name, about string, err error) { add(name, about, err).Always = true }

	add("wrong_uploadTravellers", "A record with two wrong fields",
		a.refusalOf(gangway.TravellersFlow, func(o schema.Object) schema.Object {
			return o.With("gender", nil).With("dob", "30.04.1990")
		}))
	add("wrong_uploadTravelRequests", "A traveller without a gender",
		a.refusalOf(gangway.TravelRequestsFlow, func(o schema.Object) schema.Object {
			return o.With("traveler", o.Of("traveler").(schema.Object).With("gender", nil))
		}))
	add("wrong_uploadCrewChanges", "A crew change of nobody",
		a.refusalOf(gangway.CrewChangesFlow, func(o schema.Object) schema.Object {
			return o.With("onsigners", nil).With("offsigners", nil)
		}))
	add("no_array", "No array of records", a.refusalOfText("{}"))
	add("not_json", "The body ends too early", a.refusalOfText(`[{"last_name":"Santos"`))
	add("name_twice", "A member twice", a.refusalOfText(`[{"last_name":"Santos","last_name":"Cruz"}]`))
	add("not_gzip", "A body that is not what Content-Encoding says", errNotGzip)
	add("long_idempotency_key", "An Idempotency-Key that is too long", errRequestName)
	add("wrong_parameter", "A parameter that is not known", q([]string{"pull", "limit"}, "colour=red"))
	add("query", "A query that cannot be read", errQuery)
	add("traveller_of_what", "No traveller is named",
		recordNames{}.either([]string{"id"}, []string{"doc_country", "doc_number"}))
	add("request_of_what", "No travel request is named", recordNames{}.require("requestId"))
	add("crew_change_of_what", "No crew change is named",
		recordNames{}.either([]string{"travel_request_id"}, []string{"vessel", "change_date"}))
	always("two_keys", "Two keys", access.ErrTwoKeys)
	always("no_key", "No key", access.ErrNoKey)
	always("bad_key", "A key that was cut off or mistyped", access.ErrBadKey)
	always("unknown_key", "A key that is not known, or was revoked", access.ErrUnknownKey)
	add("no_address", "Nothing is at the address", errNowhere)
	add("no_traveller", "There is no such traveller", errNoTraveller)
	add("no_request", "There is no such travel request", errNoRequest)
	add("no_crew_change", "There is no such crew change", errNoCrewChange)
	add("unknown_pull", "A name of ours that no pull has, or no longer", store.ErrNoPull)
	add("another_method", "A method that the address does not answer", web.MethodNotAllowed("DELETE", "POST"))
	add("still_running", "The same Idempotency-Key is still being worked on", errRunning)
	add("other_pull", "The pull took so long that another has its actions", store.ErrOtherPull)
	add("too_large", "A body that is too large", a.tooLong())
	add("too_many_records", "Too many records", a.tooMany(accept.ErrTooMany))
	add("too_many_values", "Too many values for our memory", errTooManyValues)
	add("another_format", "A format that is not taken", errFormat())
	add("another_encoding", "A compression that is not taken", errEncoding)
	add("other_body", "The Idempotency-Key had another body", errOtherBody)
	always("too_fast", "More requests in a minute than a key has", a.rate.exceeded(42*time.Second))
	add("answers_of_account", "Too many answers to the account in progress",
		web.TooManyRequests(a.answers.After, a.answers.OfClient))
	always("ours", "Something is wrong on our side", errors.New("ours"))
	add("answers_of_all", "Too many answers to all accounts in progress",
		web.Overloaded(a.answers.After, a.answers.OfAll))
	add("no_room", "More uploads at once than fit into memory", web.Full())
	add("too_slow", "A body that came too slowly while others waited", web.TooSlow())
	always("away", "The database cannot be reached", store.ErrAway)
	return list
}

// refusalOf returns how an upload of the sample record is refused that was made wrong.
func (a *API) refusalOf(flow gangway.Flow, wrong func(schema.Object) schema.Object) error {
	names := map[gangway.Flow]string{gangway.TravellersFlow: "Traveller", gangway.TravelRequestsFlow: "TravelRequest",
		gangway.CrewChangesFlow: "CrewChange"}
	record, _ := schemas().Example(schema.To(names[flow])).(schema.Object)
	return a.refusalOfDocument(flow, schema.Write([]any{wrong(record)}))
}

func (a *API) refusalOfText(doc string) error {
	return a.refusalOfDocument(gangway.TravellersFlow, []byte(doc))
}

// refusalOfDocument needs no account: what is wrong is not stored.
func (a *API) refusalOfDocument(flow gangway.Flow, doc []byte) error {
	_, err := accept.AllOrNothing(context.Background(), store.Scoped{}, flow, accept.JSON(doc, a.limits.Upload), "JSON",
		a.limits.Upload, a.now())
	return err
}
