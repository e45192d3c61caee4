package api

import (
	"net/http"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
)

// An endpoint is a call that the surface answers. openapi.yaml of package describe says what it is.
type endpoint struct {
	method, path string
	serve        web.Handler
	open         bool // needs no key
}

// endpoints is every call of the surface, apart from its description.
func (a *API) endpoints() []endpoint {
	modified, pulls, impact := a.bounded(a.modifiedBookings), a.bounded(a.listPulls), a.bounded(a.crewChangeImpact)
	return []endpoint{
		{"POST", "/passenger", a.uploads(gangway.TravellersFlow), false},
		{"DELETE", "/passenger", a.deleteTraveller, false},
		{"POST", "/travelers-requests", a.uploads(gangway.TravelRequestsFlow), false},
		{"DELETE", "/travelers-requests", a.deleteTravelRequest, false},
		{"POST", "/travel-requests", a.uploads(gangway.CrewChangesFlow), false},
		{"DELETE", "/travel-requests", a.deleteCrewChange, false},
		{"POST", soapPath, a.soap, false},
		{"GET", soapPath, a.describe, true},
		{"HEAD", soapPath, a.describe, true},
		{"GET", "/bookings", a.bounded(a.pullBookings), false},
		{"GET", "/bookings/modified", modified, false},
		{"HEAD", "/bookings/modified", modified, false},
		{"GET", "/bookings/pulls", pulls, false},
		{"HEAD", "/bookings/pulls", pulls, false},
		{"GET", "/crew-changes/impact", impact, false},
		{"HEAD", "/crew-changes/impact", impact, false},
	}
}

// uploads stores records of a flow: travellers, who are suggested from then on, or planned travel and crew changes, to
// book from.
//
// Spec: A1 Upload travellers.
// Spec: A2 Upload travel requests.
// Spec: A4 Upload crew changes.
func (a *API) uploads(flow gangway.Flow) web.Handler {
	return func(w http.ResponseWriter, r *http.Request, in store.Scoped) error { return a.upload(w, r, in, flow) }
}
