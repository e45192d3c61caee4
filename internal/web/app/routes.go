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
// streams have a bound of their own. To add a page, see page.go, and add a line here.
//
// The walk in cmd/gangway tries every line of it as everybody who may not: it
// asks for what a new line needs.
func (a *App) routes(mux *web.Table) {
	// Without a session: no cookie is read here.
	mux.Handle("GET /assets/{file}", web.Guarded{For: web.Anybody, Handler: http.HandlerFunc(a.asset)})
	mux.Handle("POST "+handoffPath, a.bare(a.receiveHandoff))

	// Before signing in.
	mux.Handle("GET /sign-in", a.open(a.signIn))
	mux.Handle("POST /sign-in", a.open(a.checkSignIn))
	mux.Handle("POST /sign-out", a.open(a.signOut))
	mux.Handle("POST /appearance", a.open(a.appearance))
	mux.Otherwise(a.open(a.noSuchPage).Handler)

	// The frame.
	mux.Handle("POST /environment", a.signedIn(a.environment))

	mux.Handle("GET /password", a.signedIn(a.passwordForm))
	mux.Handle("POST /password", a.signedIn(a.changePassword))

	// Looking for flights.
	mux.Handle("GET /{$}", a.signedIn(a.inTurn(a.book)))
	mux.Handle("POST /searches", a.signedIn(a.startSearch))
	mux.Handle("GET /searches/{id}/members/{member}", a.signedIn(a.member))
	mux.Handle("POST /searches/{id}/members/{member}", a.signedIn(a.mendMember))
	mux.Handle("GET /suggest/travellers", a.signedIn(a.suggestTravellers))
	mux.Handle("GET /suggest/airports", a.signedIn(a.suggestAirports))

	mux.Handle("GET /integrations/search/{token}", a.signedIn(a.claimHandoff))

	// What was found.
	mux.Handle("GET /searches/{id}", a.signedIn(a.search))
	mux.Handle("GET /searches/{id}/stream", a.signedIn(a.streaming(a.searchStream)))
	mux.Handle("GET /searches/{id}/hold", a.signedIn(a.holdPage))
	mux.Handle("POST /searches/{id}/environment", a.signedIn(a.placeHandoff))
	mux.Handle("POST /searches/{id}/book", a.signedIn(a.bookOffer))
	mux.Handle("POST /searches/{id}/choose", a.signedIn(a.chooseFlight))
	mux.Handle("POST /searches/{id}/move", a.signedIn(a.moveChange))
	mux.Handle("GET /searches/{id}/book-all", a.signedIn(a.inTurn(a.reviewAll)))
	mux.Handle("POST /searches/{id}/book-all", a.signedIn(a.bookAll))
	mux.Handle("GET /searches/{id}/batches/{batch}", a.signedIn(a.inTurn(a.showBatch)))
	mux.Handle("GET /searches/{id}/batches/{batch}/stream", a.signedIn(a.streaming(a.batchStream)))

	// What was booked.
	mux.Handle("GET /bookings", a.signedIn(a.inTurn(a.bookings)))
	mux.Handle("GET /bookings.csv", a.signedIn(a.filing(a.exportBookings)))
	mux.Handle("GET /bookings/enter", a.signedIn(a.enter))
	mux.Handle("POST /bookings/enter", a.signedIn(a.enterBooking))
	mux.Handle("GET /bookings/{id}", a.signedIn(a.inTurn(a.booking)))
	mux.Handle("POST /bookings/{id}/enter-tickets", a.signedIn(a.enterTickets))
	mux.Handle("POST /bookings/{id}/enter-change", a.signedIn(a.enterChange))
	mux.Handle("POST /bookings/{id}/refund", a.signedIn(a.enterRefund))
	mux.Handle("GET /bookings/{id}/issue", a.signedIn(a.issueQuote))
	mux.Handle("POST /bookings/{id}/issue", a.signedIn(a.issue))
	mux.Handle("GET /bookings/{id}/cancel", a.signedIn(a.cancelQuote))
	mux.Handle("POST /bookings/{id}/cancel", a.signedIn(a.cancel))
	mux.Handle("GET /bookings/{id}/change", a.signedIn(a.change))
	mux.Handle("POST /bookings/{id}/ask-change", a.signedIn(a.askChange))
	mux.Handle("POST /bookings/{id}/confirm-change", a.signedIn(a.confirmChange))
	mux.Handle("POST /bookings/{id}/give-up-change", a.signedIn(a.giveUpChange))
	mux.Handle("POST /bookings/{id}/no-show", a.signedIn(a.noShow))
	mux.Handle("POST /bookings/{id}/invoices", a.signedIn(a.addInvoices))
	mux.Handle("POST /bookings/{id}/invoices/remove", a.signedIn(a.removeInvoice))
	mux.Handle("POST /bookings/{id}/unissued", a.signedIn(a.chooseUnissued))
	mux.Handle("POST /bookings/{id}/approve", a.only(gangway.ToApprove, a.approve))
	mux.Handle("POST /bookings/{id}/decline", a.only(gangway.ToApprove, a.decline))
	mux.Handle("GET /approvals", a.signedIn(a.inTurn(a.approvals)))
	mux.Handle("POST /approvals", a.only(gangway.ToApprove, a.decideApprovals))
	mux.Handle("GET /deadlines", a.signedIn(a.inTurn(a.deadlines)))
	mux.Handle("GET /attention", a.signedIn(a.inTurn(a.attention)))
	mux.Handle("POST /bookings/{id}/handled", a.signedIn(a.handled))

	// What customers have planned.
	mux.Handle("GET /requests", a.signedIn(a.inTurn(a.requests)))
	mux.Handle("POST /requests/search", a.signedIn(a.searchRequest))
	mux.Handle("GET /requests/take-back", a.signedIn(a.takeBackRequest))
	mux.Handle("POST /requests/take-back", a.signedIn(a.deleteRequest))
	mux.Handle("GET /travellers", a.signedIn(a.inTurn(a.travellers)))
	mux.Handle("GET /travellers/take-back", a.signedIn(a.takeBackTraveller))
	mux.Handle("POST /travellers/take-back", a.signedIn(a.deleteTraveller))
	mux.Handle("GET /crew-changes", a.signedIn(a.inTurn(a.crewChanges)))
	mux.Handle("GET /crew-changes/plan", a.signedIn(a.inTurn(a.plannedCrewChange)))
	mux.Handle("GET /crew-changes/take-back", a.signedIn(a.takeBackCrewChange))
	mux.Handle("POST /crew-changes/take-back", a.signedIn(a.deleteCrewChange))
	mux.Handle("POST /crew-changes/search", a.signedIn(a.searchCrewChange))
	mux.Handle("GET /hotels", a.signedIn(a.inTurn(a.hotels)))
	mux.Handle("POST /hotels/handled", a.signedIn(a.handleHotel))

	// Forms that were refused, opened again.
	a.reloads(mux)

	// Settings, for those who look after the account.
	mux.Handle("GET /settings/audit", a.only(gangway.ToAdminister, a.inTurn(a.auditLog)))
	mux.Handle("GET /settings/audit.csv", a.only(gangway.ToAdminister, a.filing(a.exportAudit)))
}
