package app

import "net/http"

// routes ties every address to the method that answers it. To add a page, see
// page.go, and add a line here.
func (a *App) routes(mux *http.ServeMux) {
	// Without a session: no cookie is read here.
	mux.Handle("GET /assets/{file}", http.HandlerFunc(a.asset))
	mux.Handle("POST /integrations/search", a.bare(a.receiveHandoff))

	// Before signing in.
	mux.Handle("GET /sign-in", a.open(a.signIn))
	mux.Handle("POST /sign-in", a.open(a.checkSignIn))
	mux.Handle("POST /sign-out", a.open(a.signOut))
	mux.Handle("POST /appearance", a.open(a.appearance))
	mux.Handle("/", a.open(a.noSuchPage))

	// The frame.
	mux.Handle("POST /environment", a.signedIn(a.environment))

	// Looking for flights.
	mux.Handle("GET /{$}", a.signedIn(a.book))
	mux.Handle("POST /searches", a.signedIn(a.startSearch))
	mux.Handle("GET /searches/{id}/members/{member}", a.signedIn(a.member))
	mux.Handle("POST /searches/{id}/members/{member}", a.signedIn(a.mendMember))
	mux.Handle("GET /suggest/travellers", a.signedIn(a.suggestTravellers))
	mux.Handle("GET /suggest/airports", a.signedIn(a.suggestAirports))

	mux.Handle("GET /integrations/search/{token}", a.signedIn(a.claimHandoff))
	mux.Handle("GET /deadlines", a.signedIn(a.deadlines))

	// What customers have planned.
	mux.Handle("GET /requests", a.signedIn(a.requests))
	mux.Handle("POST /requests/search", a.signedIn(a.searchRequest))
	mux.Handle("GET /crew-changes", a.signedIn(a.crewChanges))
	mux.Handle("POST /crew-changes/search", a.signedIn(a.searchCrewChange))
	mux.Handle("GET /hotels", a.signedIn(a.hotels))
	mux.Handle("POST /hotels/handled", a.signedIn(a.handleHotel))
}
