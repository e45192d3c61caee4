package app

import (
	"net/http"

	"gangway"
	"gangway/internal/web"
)

// routes ties every address to the method that answers it and to who may use
// it: bare and open let everybody through, signedIn all people of the account,
// only those who have a right. An address that forms are only sent to has a line
// in reload.go too. Pages that show much are made in turn, files and
// streams have a bound of their own. To add a page, see doc.go, and add a line here.
//
// The walk in cmd/gangway tries every line of it as everybody who may not: it
// asks for what a new line needs.
func (a *App) routes(mux *web.Table) {
	// Without a session: no cookie is read here.
	mux.Handle("GET /assets/{file}", web.Guarded{For: web.Anybody, Handler: http.HandlerFunc(a.Asset)})
	mux.Handle("POST "+handoffPath, a.Bare(a.receiveHandoff))

	// Before signing in.
	mux.Handle("GET /sign-in", a.Open(a.SignIn))
	mux.Handle("POST /sign-in", a.Open(a.CheckSignIn))
	mux.Handle("POST /sign-out", a.Open(a.SignOut))
	mux.Handle("POST /appearance", a.Open(a.Appearance))
	mux.Otherwise(a.Open(a.noSuchPage).Handler)

	// The frame.
	mux.Handle("POST /environment", a.SignedIn(a.Environment))

	mux.Handle("GET /password", a.SignedIn(a.PasswordForm))
	mux.Handle("POST /password", a.SignedIn(a.ChangePassword))

	// Looking for flights.
	mux.Handle("GET /{$}", a.SignedIn(a.InTurn(a.book)))
	mux.Handle("POST /searches", a.SignedIn(a.startSearch))
	mux.Handle("GET /searches/{id}/members/{member}", a.SignedIn(a.member))
	mux.Handle("POST /searches/{id}/members/{member}", a.SignedIn(a.mendMember))
	mux.Handle("GET /suggest/travellers", a.SignedIn(a.suggestTravellers))
	mux.Handle("GET /suggest/airports", a.SignedIn(a.suggestAirports))

	mux.Handle("GET /integrations/search/{token}", a.SignedIn(a.claimHandoff))

	// What was found.
	mux.Handle("GET /searches/{id}", a.SignedIn(a.search))
	mux.Handle("GET /searches/{id}/stream", a.SignedIn(a.Streaming(a.searchStream)))
	mux.Handle("GET /searches/{id}/hold", a.SignedIn(a.holdPage))
	mux.Handle("POST /searches/{id}/environment", a.SignedIn(a.placeHandoff))
	mux.Handle("POST /searches/{id}/book", a.SignedIn(a.bookOffer))
	mux.Handle("POST /searches/{id}/choose", a.SignedIn(a.chooseFlight))
	mux.Handle("POST /searches/{id}/move", a.SignedIn(a.moveChange))
	mux.Handle("GET /searches/{id}/book-all", a.SignedIn(a.InTurn(a.reviewAll)))
	mux.Handle("POST /searches/{id}/book-all", a.SignedIn(a.bookAll))
	mux.Handle("GET /searches/{id}/batches/{batch}", a.SignedIn(a.InTurn(a.showBatch)))
	mux.Handle("GET /searches/{id}/batches/{batch}/stream", a.SignedIn(a.Streaming(a.batchStream)))

	// What was booked.
	mux.Handle("GET /bookings", a.SignedIn(a.InTurn(a.bookings)))
	mux.Handle("GET /bookings.csv", a.SignedIn(a.Filing(a.exportBookings)))
	mux.Handle("GET /bookings/enter", a.SignedIn(a.enter))
	mux.Handle("POST /bookings/enter", a.SignedIn(a.enterBooking))
	mux.Handle("GET /bookings/{id}", a.SignedIn(a.InTurn(a.booking)))
	mux.Handle("POST /bookings/{id}/enter-tickets", a.SignedIn(a.enterTickets))
	mux.Handle("POST /bookings/{id}/enter-change", a.SignedIn(a.enterChange))
	mux.Handle("POST /bookings/{id}/refund", a.SignedIn(a.enterRefund))
	mux.Handle("GET /bookings/{id}/issue", a.SignedIn(a.issueQuote))
	mux.Handle("POST /bookings/{id}/issue", a.SignedIn(a.issue))
	mux.Handle("GET /bookings/{id}/cancel", a.SignedIn(a.cancelQuote))
	mux.Handle("POST /bookings/{id}/cancel", a.SignedIn(a.cancel))
	mux.Handle("GET /bookings/{id}/change", a.SignedIn(a.change))
	mux.Handle("POST /bookings/{id}/ask-change", a.SignedIn(a.askChange))
	mux.Handle("POST /bookings/{id}/confirm-change", a.SignedIn(a.confirmChange))
	mux.Handle("POST /bookings/{id}/give-up-change", a.SignedIn(a.giveUpChange))
	mux.Handle("POST /bookings/{id}/no-show", a.SignedIn(a.noShow))
	mux.Handle("POST /bookings/{id}/invoices", a.SignedIn(a.addInvoices))
	mux.Handle("POST /bookings/{id}/invoices/remove", a.SignedIn(a.removeInvoice))
	mux.Handle("POST /bookings/{id}/unissued", a.SignedIn(a.chooseUnissued))
	mux.Handle("POST /bookings/{id}/approve", a.Only(gangway.ToApprove, a.approve))
	mux.Handle("POST /bookings/{id}/decline", a.Only(gangway.ToApprove, a.decline))
	mux.Handle("GET /approvals", a.SignedIn(a.InTurn(a.approvals)))
	mux.Handle("POST /approvals", a.Only(gangway.ToApprove, a.decideApprovals))
	mux.Handle("GET /deadlines", a.SignedIn(a.InTurn(a.deadlines)))
	mux.Handle("GET /attention", a.SignedIn(a.InTurn(a.attention)))
	mux.Handle("POST /bookings/{id}/handled", a.SignedIn(a.handled))

	// What customers have planned.
	mux.Handle("GET /requests", a.SignedIn(a.InTurn(a.requests)))
	mux.Handle("POST /requests/search", a.SignedIn(a.searchRequest))
	mux.Handle("GET /requests/take-back", a.SignedIn(a.takeBackRequest))
	mux.Handle("POST /requests/take-back", a.SignedIn(a.deleteRequest))
	mux.Handle("GET /travellers", a.SignedIn(a.InTurn(a.travellers)))
	mux.Handle("GET /travellers/take-back", a.SignedIn(a.takeBackTraveller))
	mux.Handle("POST /travellers/take-back", a.SignedIn(a.deleteTraveller))
	mux.Handle("GET /crew-changes", a.SignedIn(a.InTurn(a.crewChanges)))
	mux.Handle("GET /crew-changes/plan", a.SignedIn(a.InTurn(a.plannedCrewChange)))
	mux.Handle("GET /crew-changes/take-back", a.SignedIn(a.takeBackCrewChange))
	mux.Handle("POST /crew-changes/take-back", a.SignedIn(a.deleteCrewChange))
	mux.Handle("POST /crew-changes/search", a.SignedIn(a.searchCrewChange))
	mux.Handle("GET /hotels", a.SignedIn(a.InTurn(a.hotels)))
	mux.Handle("POST /hotels/handled", a.SignedIn(a.handleHotel))

	// Forms that were refused, opened again.
	a.reloads(mux)

	// Settings, for those who look after the account.
	mux.Handle("GET /settings/audit", a.Only(gangway.ToAdminister, a.InTurn(a.settings.AuditLog)))
	mux.Handle("GET /settings/audit.csv", a.Only(gangway.ToAdminister, a.Filing(a.settings.ExportAudit)))
}

// noSuchPage answers for every address that is not in routes.go, and for a
// method that an address there does not answer.
func (a *App) noSuchPage(w http.ResponseWriter, r *http.Request) error {
	if allow := a.table.Allowed(r); len(allow) > 0 {
		return web.MethodNotAllowed(allow...)
	}
	return gangway.Errorf(gangway.NotFound, "there is no page at this address")
}
