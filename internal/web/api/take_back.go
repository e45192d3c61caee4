package api

import (
	"net/http"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// What is not there to be taken back.
var (
	errNoRequest             = gangway.Errorf(gangway.NotFound, "there is no such travel request")
	errNoTraveller           = gangway.Errorf(gangway.NotFound, "there is no such traveller")
	errNoTravellerByPassport = gangway.Errorf(gangway.NotFound,
		"there is no such traveller; a traveller sent with an id is identified by it")
	errNoCrewChange       = gangway.Errorf(gangway.NotFound, "there is no such crew change")
	errNoCrewChangeByDate = gangway.Errorf(gangway.NotFound,
		"there is no such crew change; one sent with a travel_request_id is identified by it")
)

// deleteTravelRequest takes a travel request back; bookings made from it stay.
//
// Spec: A3 Delete travel request.
func (a *API) deleteTravelRequest(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	q, err := parameters(r, "requestId", "subRequestId")
	if err != nil {
		return err
	}
	if err := q.require("requestId"); err != nil {
		return err
	}
	var sub *string
	if s, ok := q["subRequestId"]; ok {
		sub = &s
	}
	n, err := in.DeleteTravelRequests(r.Context(), q["requestId"], sub)
	return answerTakenBack(w, n, err, errNoRequest)
}

// deleteTraveller takes a traveller back. It is identified as in uploads: by the
// identifier, or by the passport if there was none.
//
// Decided: docs/choices.md, "Taking records back".
func (a *API) deleteTraveller(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	q, err := parameters(r, "id", "doc_country", "doc_number")
	if err != nil {
		return err
	}
	t := gangway.Traveller{ID: q["id"], DocCountry: gangway.Country(strings.ToUpper(q["doc_country"])),
		DocNumber: q["doc_number"]}
	absent := errNoTravellerByPassport
	if err := q.either([]string{"id"}, []string{"doc_country", "doc_number"}); err != nil {
		return err
	}
	if t.ID != "" {
		absent = errNoTraveller
	}
	n, err := in.DeleteTraveller(r.Context(), t.Key())
	return answerTakenBack(w, n, err, absent)
}

// deleteCrewChange takes a crew change back. It is identified as in uploads, where the
// flag may be missing. Bookings made from it stay.
//
// Decided: docs/choices.md, "Taking records back".
func (a *API) deleteCrewChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	c, err := crewChangeNamed(r)
	if err != nil {
		return err
	}
	absent := errNoCrewChangeByDate
	if c.TravelRequestID != "" {
		absent = errNoCrewChange
	}
	n, err := in.DeleteCrewChangeNamed(r.Context(), c)
	return answerTakenBack(w, n, err, absent)
}

// crewChangeNamed returns what the parameters say of a crew change: its identifier, or vessel, flag and date.
func crewChangeNamed(r *http.Request) (c gangway.CrewChange, err error) {
	q, err := parameters(r, "travel_request_id", "vessel", "flag", "change_date")
	if err != nil {
		return c, err
	}
	if err := q.either([]string{"travel_request_id"}, []string{"vessel", "change_date"}, "flag"); err != nil {
		return c, err
	}
	c = gangway.CrewChange{
		TravelRequestID: q["travel_request_id"], Vessel: q["vessel"], Flag: gangway.Country(strings.ToUpper(q["flag"])),
		ChangeDate: gangway.Date(q["change_date"]),
	}
	if c.TravelRequestID == "" && !c.ChangeDate.Valid() {
		var p gangway.Problems
		p.Add("change_date", "The change_date parameter must be a calendar date written YYYY-MM-DD.")
		return c, p.Err()
	}
	return c, nil
}

// answerTakenBack answers that n records were taken back.
func answerTakenBack(w http.ResponseWriter, n int, err, absent error) error {
	switch {
	case err != nil:
		return err
	case n == 0:
		return absent
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// recordNames holds the parameters that say which records to take back, with surrounding
// blanks removed.
type recordNames map[string]string

// parameters returns the parameters of a query. Only known ones are allowed, each once,
// so that nothing is taken back by half a name.
func parameters(r *http.Request, known ...string) (recordNames, error) {
	q := queryOf(r, known...)
	given := recordNames{}
	for name, values := range q.values {
		given[name] = strings.TrimSpace(values[0])
	}
	return given, q.problems.Err()
}

// require fails when one of the parameters is missing or empty.
func (q recordNames) require(list ...string) error {
	var p gangway.Problems
	for _, name := range list {
		if q[name] == "" {
			p.Add(name, "The %s parameter is required.", name)
		}
	}
	return p.Err()
}

// either fails unless the record is named in the one way, or completely in the other, and
// not in both. beside lists what may be given with the other.
func (q recordNames) either(one, other []string, beside ...string) error {
	has := func(list []string) bool {
		return slices.ContainsFunc(list, func(name string) bool { _, ok := q[name]; return ok })
	}
	first, second := has(one), has(append(slices.Clone(other), beside...))
	if first == second {
		var p gangway.Problems
		p.Add(one[0], "Either the %s parameter is required, or %s; not both.", strings.Join(one, ", "),
			strings.Join(other, " and "))
		return p.Err()
	}
	if first {
		return q.require(one...)
	}
	return q.require(other...)
}
