package app

import (
	"net/http"
	"net/url"
	"strings"

	"gangway/internal/store"
	"gangway/internal/web"
)

// shownAgain are the addresses that only take forms, each with the page of its form. A
// refused form is answered at the form's address. Opening that address again, by
// reloading, from the history or from a restored tab, sends nothing and leads to the
// form. It does not carry what was typed, because names and passport numbers do not
// belong in an address.
var shownAgain = []struct{ sent, page string }{
	{"/environment", "/"},
	{"/note", "/"},
	{"/seen", "/"},
	{"/searches", "/book"},
	{"/searches/{id}/environment", "/searches/{id}"},
	{"/searches/{id}/day", "/searches/{id}"},
	{"/searches/{id}/book", "/searches/{id}"},
	{"/searches/{id}/choose", "/searches/{id}"},
	{"/searches/{id}/move", "/searches/{id}"},
	{"/bookings/{id}/enter-tickets", "/bookings/{id}"},
	{"/bookings/{id}/enter-change", "/bookings/{id}"},
	{"/bookings/{id}/refund", "/bookings/{id}"},
	{"/bookings/{id}/ask-change", "/bookings/{id}"},
	{"/bookings/{id}/confirm-change", "/bookings/{id}"},
	{"/bookings/{id}/give-up-change", "/bookings/{id}"},
	{"/bookings/{id}/reject-change", "/bookings/{id}"},
	{"/bookings/{id}/choose-other", "/bookings/{id}"},
	{"/bookings/{id}/no-show", "/bookings/{id}"},
	{"/bookings/{id}/invoices", "/bookings/{id}"},
	{"/bookings/{id}/invoices/remove", "/bookings/{id}"},
	{"/bookings/{id}/unissued", "/bookings/{id}"},
	{"/bookings/{id}/approve", "/bookings/{id}"},
	{"/bookings/{id}/decline", "/bookings/{id}"},
	{"/bookings/{id}/handled", "/bookings/{id}"},
	{"/requests/search", "/requests"},
	{"/crew-changes/search", "/crew-changes"},
	{"/crew-changes/moved", "/crew-changes"},
	{"/crew-changes/undo-move", "/crew-changes"},
	{"/agent/send", "/agent"},
	{"/agent/keep", "/agent"},
	{"/itinerary/link", "/itinerary"},
	{"/itinerary/revoke", "/itinerary"},
	{"/hotels/handled", "/hotels"},
	{"/report/views", "/report"},
	{"/report/views/delete", "/report"},
	{"/settings/feeds/{name}/fetch", "/settings/feeds/{name}"},
	{"/settings/feeds/{name}/encoding", "/settings/feeds/{name}"},
	{"/settings/feeds/{name}/switch", "/settings/feeds/{name}"},
	{"/settings/sandbox/send", "/settings/sandbox"},
	{"/settings/sandbox/advance", "/settings/sandbox"},
	{"/settings/sandbox/disrupt", "/settings/sandbox"},
	{"/settings/people/withdraw", "/settings/people"},
	{"/settings/people/{person}/change", "/settings/people/{person}"},
	{"/settings/keys/{key}/change", "/settings/keys"},
	{"/settings/account/currency", "/settings/account"},
	{"/settings/outlets/{name}/pause", "/settings/outlets/{name}"},
	{"/settings/outlets/{name}/test", "/settings/outlets/{name}"},
	{"/settings/outlets/{name}/secret/drop", "/settings/outlets/{name}"},
	{"/settings/outlets/{name}/parked", "/settings/outlets/{name}"},
	{"/settings/outlets/{name}/deliveries/{booking}/{action}/replay",
		"/settings/outlets/{name}/deliveries/{booking}/{action}"},
}

// reloads adds an address for each of them.
func (a *App) reloads(mux *web.Table) {
	for _, s := range shownAgain {
		mux.Handle("GET "+s.sent, a.shell.SignedIn(func(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
			page := s.page
			for _, of := range []string{"id", "name", "booking", "action", "person"} {
				page = strings.ReplaceAll(page, "{"+of+"}", url.PathEscape(r.PathValue(of)))
			}
			return a.shell.Redirect(w, r, page)
		}))
	}
}
