package main

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/web"
)

// A sample is what the walk tries an address with.
type sample struct {
	// who may use it: written down a second time here, so that nobody opens an
	// address to others without noticing.
	who web.Audience

	at   []string   // addresses of the customer's own data; the pattern itself where it has no {names}
	form url.Values // what is sent by POST; for the interface, values[""] is the body
	ends bool       // whoever sends it has another session, or none, afterwards

	// claimed: somebody who knows the address takes what is there into their own account. It belongs to nobody yet.
	claimed bool

	leads bool // to another page of ours, and shows nothing itself
}

// saysNothing finds addresses whose answers say nothing of anybody, so that caches may keep them.
var saysNothing = regexp.MustCompile(`^/(assets/|api/(openapi\.json|reference|collection\.json|schemas/))`)

var (
	booking    = web.People(gangway.ToBook)
	approving  = web.People(gangway.ToApprove)
	administer = web.People(gangway.ToAdminister)
)

// samples has a line for every address. Whoever adds an address adds one: who
// may use it, which addresses of the customer's data it is tried with, and what
// its form sends, such that it would do something if it were let through.
func (w *walked) samples() map[string]sample {
	bookings := func(rest string) []string {
		var list []string
		for _, id := range w.bookings {
			list = append(list, "/bookings/"+id+rest)
		}
		return list
	}
	searches := func(rest string) []string {
		return []string{"/searches/" + w.crew + rest, "/searches/" + w.one + rest}
	}
	run, shorter := strconv.FormatInt(w.run.ID, 10), strconv.FormatInt(w.shorter.ID, 10)
	setUp := url.Values{"transport": {"endpoint"}, "transport.url": {"https://hr.corvina.example/crew"},
		"flow": {"travellers"}, "do": {"save"}}
	const uploads = "/settings/feeds/" + walkedUploads + "/upload"
	feed := func(rest string) []string { return []string{"/settings/feeds/" + walkedFeed + rest} }
	outlet := func(rest string) []string { return []string{"/settings/outlets/" + gangway.DefaultOutlet + rest} }
	member := "/members/" + strconv.Itoa(w.left)
	changeKey, takenRequest, travellerKey := url.Values{"key": {"id:CC-1"}}, url.Values{"request": {"R-77"},
		"sub": {"1"}}, url.Values{"key": {"id:H-001-T"}}
	flight := url.Values{"last_name": {"OTHER"}, "first_name": {"ROBIN"}, "from": {"MNL"}, "to": {"SIN"},
		"date": {"2030-01-01"}}
	s := map[string]sample{
		"GET /assets/{file}":        {who: web.Anybody, at: []string{"/assets/none.css"}},
		"POST /integrations/search": {who: web.Anybody, form: url.Values{"vessel": {"Anna"}}},
		"GET /sign-in":              {who: web.Anybody},
		"POST /sign-in": {who: web.Anybody, form: url.Values{"email": {"nobody@corvina.example"},
			"password": {"wrong"}}, ends: true},
		"GET /integrator": {who: web.Anybody},
		"POST /integrator": {who: web.Anybody,
			form: url.Values{"key": {w.stranger.Production.APIKey}}},
		"POST /integrator/leave":             {who: web.Anybody},
		"GET /integrator/requests":           {who: web.Anybody},
		"GET /integrator/requests/{request}": {who: web.Anybody, at: []string{"/integrator/requests/" + w.request}},
		"POST /integrator/requests/{request}": {who: web.Anybody,
			at: []string{"/integrator/requests/" + w.request}},

		"POST /sign-out":   {who: web.Anybody, ends: true},
		"POST /appearance": {who: web.Anybody, form: url.Values{"theme": {"dark"}}},

		"POST /environment": {who: booking, form: url.Values{"environment": {"production"},
			"back": {"/"}}, ends: true},
		"GET /password": {who: booking},
		"POST /password": {who: booking, form: url.Values{"present": {"wrong"},
			"new": {"another tide table"}, "again": {"another tide table"}}},
		"GET /{$}": {who: booking, at: []string{"/", "/?request=R-77&sub=1",
			"/?traveller=id:H-001-T"}},
		"POST /searches":                      {who: booking, form: flight},
		"GET /searches/{id}/members/{member}": {who: booking, at: searches("/members/0")},
		"POST /searches/{id}/members/{member}": {who: booking, at: append(searches("/members/0"), "/searches/"+
			w.crew+member), form: flight},
		"GET /suggest/travellers": {who: booking, at: []string{"/suggest/travellers?surname=sailor",
			"/suggest/travellers?surname=sailor&for=entry"}},
		"GET /suggest/airports": {who: booking, at: []string{"/suggest/airports?q=man"}},
		"GET /integrations/search/{token}": {who: booking, at: []string{"/integrations/search/" + w.handed},
			claimed: true},
		"GET /searches/{id}":        {who: booking, at: searches("")},
		"GET /searches/{id}/stream": {who: booking, at: searches("/stream")},
		"GET /searches/{id}/hold": {who: booking, at: []string{"/searches/" + w.crew +
			"/hold?member=" + strconv.Itoa(w.left) + "&offer=" + url.QueryEscape(w.hold.Get("offer"))}},
		"POST /searches/{id}/environment": {who: booking, at: searches("/environment"),
			form: url.Values{"environment": {"development"}}},
		"POST /searches/{id}/book": {who: booking, at: []string{"/searches/" + w.crew + "/book"},
			form: w.hold},
		"POST /searches/{id}/choose": {who: booking, at: searches("/choose"),
			form: url.Values{"member": {"0"}, "key": {"x"}}},
		"POST /searches/{id}/move": {who: booking, at: searches("/move"),
			form: url.Values{"airport": {"RTM"}, "date": {"2030-01-01"}}},
		"GET /searches/{id}/book-all": {who: booking, at: searches("/book-all")},
		"POST /searches/{id}/book-all": {who: booking, at: searches("/book-all"),
			form: url.Values{"member": {strconv.Itoa(w.left)}, "batch": {"1"}}},
		"GET /searches/{id}/batches/{batch}":        {who: booking, at: []string{w.batch}},
		"GET /searches/{id}/batches/{batch}/stream": {who: booking, at: []string{w.batch + "/stream"}},
		"GET /bookings": {who: booking, at: []string{"/bookings", "/bookings?find=sailor",
			"/bookings?state=issued"}},
		"GET /bookings.csv":   {who: booking},
		"GET /bookings/enter": {who: booking},
		"POST /bookings/enter": {who: booking, form: url.Values{"last_name": {"OTHER"},
			"traveller": {"id:H-001-T"}}},
		"GET /bookings/{id}": {who: booking, at: bookings("")},
		"POST /bookings/{id}/enter-tickets": {who: booking, at: bookings("/enter-tickets"),
			form: url.Values{"tickets": {"618-2412345678"}}},
		"POST /bookings/{id}/enter-change": {who: booking, at: bookings("/enter-change"),
			form: url.Values{"number": {"SQ 917"}, "from": {"MNL"}, "to": {"SIN"}}},
		"POST /bookings/{id}/refund": {who: booking, at: bookings("/refund"),
			form: url.Values{"refund": {"1.00 USD"}}},
		"GET /bookings/{id}/issue": {who: booking, at: bookings("/issue")},
		"POST /bookings/{id}/issue": {who: booking, at: bookings("/issue"),
			form: url.Values{"price": {"USD 1.00"}}},
		"GET /bookings/{id}/cancel": {who: booking, at: bookings("/cancel")},
		"POST /bookings/{id}/cancel": {who: booking, at: bookings("/cancel"),
			form: url.Values{"quote": {"x"}}},
		"GET /bookings/{id}/change":          {who: booking, at: bookings("/change")},
		"POST /bookings/{id}/ask-change":     {who: booking, at: bookings("/ask-change"), form: w.change},
		"POST /bookings/{id}/confirm-change": {who: booking, at: bookings("/confirm-change"), form: w.change},
		"POST /bookings/{id}/give-up-change": {who: booking, at: bookings("/give-up-change")},
		"POST /bookings/{id}/no-show": {who: booking, at: bookings("/no-show"),
			form: url.Values{"missed": {"yes"}}},
		"POST /bookings/{id}/invoices": {who: booking, at: bookings("/invoices"),
			form: url.Values{"numbers": {"INV-1"}}},
		"POST /bookings/{id}/invoices/remove": {who: booking, at: bookings("/invoices/remove"),
			form: url.Values{"number": {"INV-1"}}},
		"POST /bookings/{id}/unissued": {who: booking, at: bookings("/unissued"),
			form: url.Values{"unissued": {"issue"}}},
		"POST /bookings/{id}/approve": {who: approving, at: bookings("/approve")},
		"POST /bookings/{id}/decline": {who: approving, at: bookings("/decline"),
			form: url.Values{"reason": {"no"}}},
		"GET /approvals": {who: booking},
		"POST /approvals": {who: approving, form: url.Values{"booking": w.bookings,
			"decide": {"approve"}}},
		"GET /deadlines": {who: booking},
		"GET /attention": {who: booking},
		"POST /bookings/{id}/handled": {who: booking, at: bookings("/handled"),
			form: url.Values{"note": {"done"}}},
		"GET /requests":         {who: booking},
		"POST /requests/search": {who: booking, form: url.Values{"only": {requestKey}}},
		"GET /requests/take-back": {who: booking, at: []string{"/requests/take-back?" +
			takenRequest.Encode()}},
		"POST /requests/take-back": {who: booking, form: takenRequest},
		"GET /travellers": {who: booking, at: []string{"/travellers",
			"/travellers?name=sailor"}},
		"GET /travellers/take-back": {who: booking, at: []string{"/travellers/take-back?" +
			travellerKey.Encode()}},
		"POST /travellers/take-back": {who: booking, form: travellerKey},
		"GET /crew-changes": {who: booking, at: []string{"/crew-changes",
			"/crew-changes?vessel=halcyon"}},
		"GET /crew-changes/plan": {who: booking, at: []string{"/crew-changes/plan?" +
			changeKey.Encode()}},
		"GET /crew-changes/take-back": {who: booking, at: []string{"/crew-changes/take-back?" +
			changeKey.Encode()}},
		"POST /crew-changes/take-back": {who: booking, form: changeKey},
		"POST /crew-changes/search": {who: booking, form: url.Values{"key": {"id:CC-1"},
			"airport": {"SIN"}}},
		"POST /crew-changes/moved": {who: booking, form: url.Values{"older": {w.movedKey(40)},
			"newer": {w.movedKey(55)}, "same": {"yes"}}},
		"POST /crew-changes/undo-move": {who: booking, form: url.Values{"key": {w.movedKey(40)}}},
		"GET /hotels":                  {who: booking},
		"POST /hotels/handled": {who: booking, form: url.Values{"key": {requestKey},
			"note": {"done"}}},
		"GET /report":                       {who: booking, at: []string{"/report"}},
		"GET /report/download":              {who: booking, at: []string{"/report/download"}},
		"GET /report/connect":               {who: booking, at: []string{"/report/connect"}},
		"GET /report/connect.xlsx":          {who: booking, at: []string{"/report/connect.xlsx"}},
		"GET /report/connect.pbids":         {who: booking, at: []string{"/report/connect.pbids"}},
		"GET /report.xlsx":                  {who: booking, at: []string{"/report.xlsx"}},
		"GET /report.csv":                   {who: booking, at: []string{"/report.csv"}},
		"GET /settings":                     {who: booking, leads: true},
		"GET /settings/feeds":               {who: administer},
		"GET /settings/feeds/{name}":        {who: administer, at: feed("")},
		"GET /settings/feeds/{name}/upload": {who: booking, at: []string{uploads}},
		"POST /settings/feeds/{name}/upload": {who: booking, at: []string{uploads},
			form: url.Values{"shrunk": {"yes"}}},
		"GET /settings/feeds/{name}/upload/{run}": {who: booking, at: []string{uploads + "/" + w.given}},
		"GET /settings/feeds/{name}/upload/{run}/stream": {who: booking,
			at: []string{uploads + "/" + w.given + "/stream"}},
		"GET /settings/feeds/{name}/stream": {who: administer, at: feed("/stream")},
		"GET /settings/feeds/new":           {who: administer},
		"POST /settings/feeds/new":          {who: administer, form: setUp},
		"GET /settings/feeds/{name}/edit":   {who: administer, at: feed("/edit")},
		"POST /settings/feeds/{name}/edit":  {who: administer, at: feed("/edit"), form: setUp},
		"POST /settings/feeds/{name}/fetch": {who: administer, at: feed("/fetch")},
		"POST /settings/feeds/{name}/encoding": {who: administer, at: feed("/encoding"),
			form: url.Values{"encoding": {"utf-8"}}},
		"POST /settings/feeds/{name}/switch": {who: administer, at: feed("/switch"),
			form: url.Values{"to": {"off"}}},
		"GET /settings/feeds/{name}/runs/{id}": {who: administer, at: feed("/runs/" + run)},
		"GET /settings/feeds/{name}/runs/{id}/documents/{place}": {who: administer,
			at: feed("/runs/" + run + "/documents/0")},
		"GET /settings/feeds/{name}/runs/{id}/accept":    {who: administer, at: feed("/runs/" + shorter + "/accept")},
		"POST /settings/feeds/{name}/runs/{id}/accept":   {who: administer, at: feed("/runs/" + shorter + "/accept")},
		"GET /settings/feeds/{name}/versions":            {who: administer, at: feed("/versions")},
		"GET /settings/feeds/{name}/versions/{version}":  {who: administer, at: feed("/versions/1")},
		"POST /settings/feeds/{name}/versions/{version}": {who: administer, at: feed("/versions/1")},
		"GET /settings/feeds/{name}/delete":              {who: administer, at: feed("/delete")},
		"POST /settings/feeds/{name}/delete":             {who: administer, at: feed("/delete")},
		"GET /settings/outlets":                          {who: administer},
		"GET /settings/outlets/{name}":                   {who: administer, at: outlet("")},
		"POST /settings/outlets/{name}/pause": {who: administer, at: outlet("/pause"),
			form: url.Values{"to": {"paused"}}},
		"GET /settings/outlets/{name}/secret":       {who: administer, at: outlet("/secret")},
		"POST /settings/outlets/{name}/secret":      {who: administer, at: outlet("/secret")},
		"POST /settings/outlets/{name}/secret/drop": {who: administer, at: outlet("/secret/drop")},
		"POST /settings/outlets/{name}/parked":      {who: administer, at: outlet("/parked")},
		"GET /settings/outlets/{name}/replay":       {who: administer, at: outlet("/replay")},
		"POST /settings/outlets/{name}/replay":      {who: administer, at: outlet("/replay")},
		"GET /settings/outlets/{name}/deliveries/{booking}/{action}": {who: administer,
			at: outlet("/deliveries/" + w.bookings[0] + "/1")},
		"POST /settings/outlets/{name}/deliveries/{booking}/{action}/replay": {who: administer,
			at: outlet("/deliveries/" + w.bookings[0] + "/1/replay")},
		"GET /settings/integrator": {who: administer},
		"GET /settings/integrator/{environment}/{request}": {who: administer,
			at: []string{"/settings/integrator/production/" + w.request}},
		"POST /settings/integrator/{environment}/{request}": {who: administer,
			at: []string{"/settings/integrator/production/" + w.request}},
		"GET /settings/sandbox":          {who: booking},
		"POST /settings/sandbox/send":    {who: booking, form: url.Values{"state": {"flying"}}},
		"POST /settings/sandbox/advance": {who: booking, form: url.Values{"by": {"tomorrow"}}},
		"POST /settings/sandbox/disrupt": {who: booking, form: url.Values{"booking": {"K7Q2MX"}}},
		"GET /settings/audit":            {who: administer},
		"GET /settings/audit.csv":        {who: administer},
		"GET /settings/check":            {who: administer},
		"POST /settings/check": {who: administer,
			form: url.Values{"what": {"feed:" + walkedFeed}}},
	}
	// A form's address, opened again, leads to the page of the form.
	for line, form := range maps.Clone(s) {
		path, sent := strings.CutPrefix(line, "POST ")
		if _, answers := s["GET "+path]; sent && !answers && form.who != web.Anybody {
			s["GET "+path] = sample{who: booking, at: form.at, leads: true}
		}
	}
	for path, query := range map[string]string{"/passenger": "id=H-001-T", "/travelers-requests": "requestId=R-77",
		"/travel-requests": "travel_request_id=CC-1"} {
		s["POST /api"+path] = sample{who: web.Program, form: url.Values{"": {"[{}]"}}}
		s["DELETE /api"+path] = sample{who: web.Program, at: []string{"/api" + path + "?" + query}}
	}
	s["POST /api/soap"] = sample{who: web.Program, form: url.Values{"": {"<x/>"}}}
	s["GET /api/soap"] = sample{who: web.Anybody, at: []string{"/api/soap?wsdl"}} // the same for everybody
	for path, query := range map[string]string{"/bookings": "", "/bookings/modified": "?from=2020-01-01",
		"/bookings/pulls": ""} {
		s[http.MethodGet+" /api"+path] = sample{who: web.Program, at: []string{"/api" + path + query}}
	}
	for path, query := range map[string]string{"/bookings/modified": "?from=2020-01-01", "/bookings/pulls": ""} {
		s[http.MethodHead+" /api"+path] = sample{who: web.Program, at: []string{"/api" + path + query}}
	}
	for _, document := range []string{"openapi.json", "reference", "collection.json",
		"schemas/traveller.json", "schemas/travel-request.json",
		"schemas/crew-change.json", "schemas/crew-member.json", "schemas/booking.json", "schemas/traveller-answer.json",
		"schemas/travel-request-answer.json", "schemas/crew-change-answer.json", "schemas/crew-member-answer.json",
		"schemas/upload-answer.json", "schemas/pull.json", "schemas/problem.json"} {
		s["GET /api/"+document] = sample{who: web.Anybody}
	}
	const report = "/reporting/v2/odata/"
	s["GET "+report+"{resource...}"] = sample{who: web.Reader, at: []string{report + "FlightBookingDetailed", report,
		report + "$metadata", report + "FlightBookingDetailed('" + w.bookings[0] + "')"}}
	s["POST "+report+"$batch"] = sample{who: web.Reader, form: url.Values{"": {`{"requests":[]}`}}}
	s["POST "+report+"{set}/$query"] = sample{who: web.Reader, at: []string{report + "FlightBookingDetailed/$query"},
		form: url.Values{"$top": {"10"}}}
	s["POST /api/suppliers/duffel/{account}"] = sample{who: web.Supplier, at: []string{"/api/suppliers/duffel/" +
		w.theirs.prod.ID}, form: url.Values{"": {`{"type":"order.updated"}`}}}
	return s
}
