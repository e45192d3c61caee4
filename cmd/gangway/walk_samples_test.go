package main

import (
	"maps"
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

	at   []string   // addresses of the customer's own data; none: what addresses makes of the pattern
	form url.Values // what is sent by POST; for the interface, values[""] is the body
	ends bool       // whoever sends it has another session, or none, afterwards

	// claimed: somebody who knows the address takes what is there into their own account. It belongs to nobody yet.
	claimed bool

	leads bool // to another page of ours, and shows nothing itself
}

// saysNothing finds addresses whose answers say nothing of anybody, so that caches may keep them.
var saysNothing = regexp.MustCompile(`^/(assets/|api/(openapi\.json|reference|collection\.json|schemas/))`)

// forPrograms finds addresses that have no pages.
var forPrograms = regexp.MustCompile(`^/(api|reporting)/`)

// audiences are those who may use an address, as walkTable names them.
var audiences = map[string]web.Audience{"anybody": web.Anybody, "program": web.Program, "reader": web.Reader,
	"supplier": web.Supplier, "booking": web.People(gangway.ToBook), "approving": web.People(gangway.ToApprove),
	"administer": web.People(gangway.ToAdminister)}

// walkTable has a line for every address. Whoever adds an address adds one: who may use it; what its form sends, such
// that it would do something if it were let through; the addresses of the customer's data that it is tried with, where
// the pattern does not say them; and whether it ends, claims or leads as a sample has it. ~names stand for values of
// the customer's.
const walkTable = `
GET  /assets/{file} anybody /assets/none.css
POST /integrations/search anybody vessel=Anna
POST /csp-reports anybody
GET  /sign-in anybody
POST /sign-in anybody email=nobody@corvina.example&password=wrong ends
GET  /integrator anybody
POST /integrator anybody key=~stranger
POST /integrator/leave anybody
GET  /integrator/requests anybody
GET  /integrator/requests/{request} anybody
POST /integrator/requests/{request} anybody
POST /sign-out anybody ends
GET  /invitations/{token} anybody /invitations/guessed
POST /invitations/{token} anybody /invitations/guessed new=a+heron+stands+still&again=a+heron+stands+still
POST /appearance anybody theme=dark
POST /environment booking environment=production&back=/ ends
GET  /live booking
GET  /live/frame booking leads
GET  /password booking
POST /password booking present=wrong&new=another+tide+table&again=another+tide+table
GET  /mails booking
POST /mails booking hour=7&zone=Europe/Atlantis
GET  /{$} booking /
POST /note booking note=A+note&seen=0&back=/
POST /seen booking ~bookings&back=/
GET  /book booking /book /book?request=R-77&sub=1 /book?traveller=id:H-001-T
POST /searches booking ~flight
GET  /searches/{id}/members/{member} booking
POST /searches/{id}/members/{member} booking ~flight ~members /searches/~crew/members/~left
GET  /suggest/travellers booking /suggest/travellers?surname=sailor /suggest/travellers?surname=sailor&for=entry
GET  /suggest/airports booking /suggest/airports?q=man
GET  /suggest/anything booking /suggest/anything?find=sailor /suggest/anything?find=halcyon /suggest/anything?find=CC-1 /suggest/anything?find=R-77
GET  /suggest/dates booking /suggest/dates?near=next&q=28+nov
GET  /integrations/search/{token} booking claimed
GET  /searches/{id} booking
GET  /searches/{id}/stream booking
GET  /searches/{id}/hold booking /searches/~crew/hold?member=~left&offer=~offer
POST /searches/{id}/environment booking environment=development
POST /searches/{id}/day booking date=2030-01-01
POST /searches/{id}/book booking ~hold /searches/~crew/book
POST /searches/{id}/choose booking member=0&key=x
POST /searches/{id}/move booking airport=RTM&date=2030-01-01
GET  /searches/{id}/book-all booking
POST /searches/{id}/book-all booking member=~left&batch=1
GET  /searches/{id}/batches/{batch} booking
GET  /searches/{id}/batches/{batch}/stream booking
GET  /bookings booking /bookings /bookings?find=sailor /bookings?state=issued
GET  /bookings.csv booking
GET  /bookings/enter booking
POST /bookings/enter booking last_name=OTHER&traveller=id:H-001-T
GET  /bookings/together booking /bookings/together?do=issue&booking=~first
POST /bookings/together booking do=issue&run=x&ask=x&booking=~first
GET  /runs/{batch} booking
GET  /runs/{batch}/stream booking
GET  /bookings/{id} booking
POST /bookings/{id}/enter-tickets booking tickets=618-2412345678
POST /bookings/{id}/enter-change booking number=SQ+917&from=MNL&to=SIN
POST /bookings/{id}/refund booking refund=1.00+USD
GET  /bookings/{id}/issue booking
POST /bookings/{id}/issue booking price=USD+1.00
GET  /bookings/{id}/cancel booking
POST /bookings/{id}/cancel booking quote=x
GET  /bookings/{id}/hold-again booking
POST /bookings/{id}/hold-again booking id=x&price=USD+1.00
GET  /bookings/{id}/change booking
POST /bookings/{id}/ask-change booking ~change
POST /bookings/{id}/confirm-change booking ~change
POST /bookings/{id}/give-up-change booking
POST /bookings/{id}/no-show booking missed=yes
POST /bookings/{id}/invoices booking numbers=INV-1
POST /bookings/{id}/invoices/remove booking number=INV-1
POST /bookings/{id}/unissued booking unissued=issue
POST /bookings/{id}/approve approving
POST /bookings/{id}/decline approving reason=no
GET  /approvals booking
POST /approvals approving ~bookings&decide=approve
GET  /deadlines booking
GET  /attention booking leads
GET  /bookings/{id}/schedule-change booking
POST /bookings/{id}/reject-change booking notice=x&quote=y
POST /bookings/{id}/choose-other booking ~change&notice=x
POST /bookings/{id}/handled booking note=done
GET  /requests booking
POST /requests/search booking only=request%3DR-77%26sub%3D1
GET  /requests/take-back booking /requests/take-back?request=R-77&sub=1
POST /requests/take-back booking request=R-77&sub=1
GET  /travellers booking /travellers /travellers?name=sailor
GET  /travellers/take-back booking /travellers/take-back?key=id:H-001-T
GET  /travellers/{key} booking /travellers/id:H-001-T
GET  /vessels/{name} booking /vessels/Halcyon%20Dawn /vessels/halcyon%20dusk
GET  /ports/{code} booking /ports/SGSIN
POST /travellers/take-back booking key=id:H-001-T
GET  /crew-changes booking /crew-changes /crew-changes?vessel=halcyon
GET  /crew-changes/plan booking /crew-changes/plan?key=id:CC-1
GET  /crew-changes/board booking /crew-changes/board?key=id:CC-1
GET  /crew-changes/board/stream booking /crew-changes/board/stream?key=id:CC-1
POST /crew-changes/board booking key=id:CC-1&run=x&tick=x
GET  /crew-changes/rules booking /crew-changes/rules?key=id:CC-1
POST /crew-changes/rules booking key=id:CC-1&board_by=06:00
GET  /crew-changes/take-back booking /crew-changes/take-back?key=id:CC-1
POST /crew-changes/take-back booking key=id:CC-1
POST /crew-changes/search booking key=id:CC-1&airport=SIN
POST /crew-changes/moved booking older=~moved40&newer=~moved55&same=yes
POST /crew-changes/undo-move booking key=~moved40
GET  /itinerary booking /itinerary?booking=~first /itinerary?change=id:CC-1
GET  /agent booking /agent?change=id:CC-1
GET  /agent.csv booking /agent.csv?change=id:CC-1
POST /agent/send booking change=id:CC-1&to=x@elsewhere.example&confirmed=x@elsewhere.example
POST /agent/keep administer change=id:CC-1&port=SGSIN&name=Other
POST /itinerary/link booking booking=~first
POST /itinerary/revoke booking link=~link
GET  /i/{secret} anybody /i/~revoked
GET  /i/{secret}/{file} anybody /i/~revoked/itinerary.pdf
GET  /itinerary/{file} booking /itinerary/itinerary.pdf?booking=~first /itinerary/itinerary.txt?change=id:CC-1 /itinerary/itinerary.ics?booking=~first
GET  /hotels booking
POST /hotels/handled booking key=request%3DR-77%26sub%3D1&note=done
GET  /report booking
POST /report/views booking view=Walked&from=&to=
GET  /report/views/mail booking /report/views/mail?view=Walked
POST /report/views/mail booking view=Walked&person=
POST /report/views/delete booking view=Walked
GET  /report/bookings booking /report/bookings?from=&to= /report/bookings?from=&to=&of=tickets
GET  /report/download booking
GET  /report/connect booking
GET  /report/connect.xlsx booking
GET  /report/connect.pbids booking
GET  /report.xlsx booking
GET  /report.csv booking
GET  /settings booking leads
GET  /settings/overview administer
GET  /settings/moves approving
POST /settings/moves approving do=end&was=a+limit
GET  /settings/policy administer
POST /settings/policy administer approval=always&issue=yes&keep=off&payment=cash
GET  /settings/crew-rules administer
POST /settings/crew-rules administer nights=2
GET  /settings/supplier administer
POST /settings/supplier administer
GET  /settings/feeds administer
GET  /settings/feeds/{name} administer
GET  /settings/feeds/{name}/upload booking
POST /settings/feeds/{name}/upload booking shrunk=yes
GET  /settings/feeds/{name}/upload/{run} booking
GET  /settings/feeds/{name}/upload/{run}/stream booking
GET  /settings/feeds/{name}/stream administer
GET  /settings/feeds/new administer
POST /settings/feeds/new administer ~setup
GET  /settings/feeds/{name}/edit administer
POST /settings/feeds/{name}/edit administer ~setup
POST /settings/feeds/{name}/fetch administer
POST /settings/feeds/{name}/encoding administer encoding=utf-8
POST /settings/feeds/{name}/switch administer to=off
GET  /settings/feeds/{name}/runs/{id} administer
GET  /settings/feeds/{name}/runs/{id}/documents/{place} administer
GET  /settings/feeds/{name}/runs/{id}/accept administer /settings/feeds/~feed/runs/~shorter/accept
POST /settings/feeds/{name}/runs/{id}/accept administer /settings/feeds/~feed/runs/~shorter/accept
GET  /settings/feeds/{name}/versions administer
GET  /settings/feeds/{name}/versions/{version} administer
POST /settings/feeds/{name}/versions/{version} administer
GET  /settings/feeds/{name}/delete administer
POST /settings/feeds/{name}/delete administer
GET  /settings/outlets administer
GET  /settings/outlets/new administer
POST /settings/outlets/new administer ~outlet
GET  /settings/outlets/{name}/edit administer
POST /settings/outlets/{name}/edit administer ~outlet
POST /settings/outlets/{name}/test administer
GET  /settings/outlets/{name}/delete administer
POST /settings/outlets/{name}/delete administer typed=default
GET  /settings/outlets/{name} administer
POST /settings/outlets/{name}/pause administer to=paused
GET  /settings/outlets/{name}/secret administer
POST /settings/outlets/{name}/secret administer
POST /settings/outlets/{name}/secret/drop administer
POST /settings/outlets/{name}/parked administer
GET  /settings/outlets/{name}/replay administer
POST /settings/outlets/{name}/replay administer
GET  /settings/outlets/{name}/deliveries/{booking}/{action} administer
POST /settings/outlets/{name}/deliveries/{booking}/{action}/replay administer
GET  /settings/integrator administer
GET  /settings/integrator/{environment}/{request} administer
POST /settings/integrator/{environment}/{request} administer
GET  /settings/sandbox booking
POST /settings/sandbox/send booking state=flying
POST /settings/sandbox/advance booking by=tomorrow
POST /settings/sandbox/disrupt booking booking=K7Q2MX
GET  /settings/people administer
GET  /settings/people/invite administer
POST /settings/people/invite administer email=another@example.com&role=captain
POST /settings/people/withdraw administer email=nobody@example.com
GET  /settings/people/{person} administer
POST /settings/people/{person}/change administer do=role&role=booker
GET  /settings/keys administer
POST /settings/keys administer kind=wrong
POST /settings/keys/{key}/change administer do=revoke&sure=yes
GET  /settings/account administer
POST /settings/account administer name=+
POST /settings/account/currency administer currency=none&sure=yes
GET  /settings/audit administer
GET  /settings/audit.csv administer
GET  /settings/check administer
POST /settings/check administer what=feed:~feed
POST /api/passenger program =[{}]
POST /api/travelers-requests program =[{}]
POST /api/travel-requests program =[{}]
DELETE /api/passenger program /api/passenger?id=H-001-T
DELETE /api/travelers-requests program /api/travelers-requests?requestId=R-77
DELETE /api/travel-requests program /api/travel-requests?travel_request_id=CC-1
POST /api/soap program =<x/>
GET  /api/soap anybody /api/soap?wsdl
GET  /api/bookings program
GET  /api/bookings/modified program /api/bookings/modified?from=2020-01-01
GET  /api/bookings/pulls program
HEAD /api/bookings/modified program /api/bookings/modified?from=2020-01-01
HEAD /api/bookings/pulls program
GET  /api/crew-changes/impact program /api/crew-changes/impact?travel_request_id=CC-1
HEAD /api/crew-changes/impact program /api/crew-changes/impact?travel_request_id=CC-1
GET  /reporting/v2/odata/{resource...} reader ~report/ ~report/$metadata ~set ~set('~first')
POST /reporting/v2/odata/$batch reader ={"requests":[]}
POST /reporting/v2/odata/{set}/$query reader $top=10 ~set/$query
POST /api/suppliers/duffel/{account} supplier ={"type":"order.updated"} /api/suppliers/duffel/~account
`

// samples is what walkTable says.
func (w *walked) samples() map[string]sample {
	values := strings.NewReplacer("~stranger", w.stranger.Production.APIKey,
		"~flight", "last_name=OTHER&first_name=ROBIN&from=MNL&to=SIN&date=2030-01-01",
		"~crew", w.crew, "~one", w.one, "~left", strconv.Itoa(w.left), "~offer", url.QueryEscape(w.hold.Get("offer")),
		"~hold", w.hold.Encode(), "~change", w.change.Encode(), "~bookings", url.Values{"booking": w.bookings}.Encode(),
		"~moved40", url.QueryEscape(w.movedKey(40)), "~moved55", url.QueryEscape(w.movedKey(55)),
		"~setup", "transport=endpoint&transport.url=https://hr.corvina.example/crew&flow=travellers&do=save",
		"~outlet", "transport=endpoint&transport.url=https://crew.corvina.example/push&name=push&state=issued&"+
			"format=json&do=save",
		"~feed", walkedFeed, "~shorter", strconv.FormatInt(w.shorter.ID, 10), "~report", "/reporting/v2/odata",
		"~set", "/reporting/v2/odata/FlightBookingDetailed",
		"~members", "/searches/"+w.crew+"/members/0 /searches/"+w.one+"/members/0",
		"~first", w.bookings[0], "~account", w.theirs.prod.ID, "~link", walkedLink,
		"~revoked", "AAAAAAAAAAAAAAAAAAAAAAAAAA")
	s := map[string]sample{}
	for line := range strings.Lines(strings.TrimSpace(walkTable)) {
		words := strings.Fields(values.Replace(line))
		one := sample{who: audiences[words[2]]}
		for _, word := range words[3:] {
			switch word {
			case "ends":
				one.ends = true
			case "claimed":
				one.claimed = true
			case "leads":
				one.leads = true
			default:
				if strings.HasPrefix(word, "/") {
					one.at = append(one.at, word)
				} else {
					one.form = sure(url.ParseQuery(word))(w.t)
				}
			}
		}
		s[words[0]+" "+words[1]] = one
	}
	// A form's address, opened again, leads to the page of the form.
	for line, form := range maps.Clone(s) {
		path, sent := strings.CutPrefix(line, "POST ")
		if _, answers := s["GET "+path]; sent && !answers && !forPrograms.MatchString(path) &&
			form.who != web.Anybody {
			s["GET "+path] = sample{who: audiences["booking"], at: form.at, leads: true}
		}
	}
	for _, document := range []string{"openapi.json", "reference", "collection.json",
		"schemas/traveller.json", "schemas/travel-request.json",
		"schemas/crew-change.json", "schemas/crew-member.json", "schemas/booking.json", "schemas/traveller-answer.json",
		"schemas/travel-request-answer.json", "schemas/crew-change-answer.json", "schemas/crew-member-answer.json",
		"schemas/upload-answer.json", "schemas/pull.json", "schemas/problem.json",
		"schemas/crew-change-impact.json", "schemas/crew-change-person.json"} {
		s["GET /api/"+document] = sample{who: web.Anybody}
	}
	return s
}

// addresses returns the addresses that a line is tried with: those of its sample, or the pattern with the customer's
// data in the place of its {names}.
func (w *walked) addresses(s sample, r web.Route) (list []string) {
	if len(s.at) > 0 {
		return s.at
	}
	path := strings.NewReplacer("/searches/{id}/batches/{batch}", w.batch, "{batch}", walkedRun,
		"/feeds/{name}/upload", "/feeds/"+walkedUploads+"/upload", "/feeds/{name}", "/feeds/"+walkedFeed,
		"/outlets/{name}", "/outlets/"+gangway.DefaultOutlet,
		"/runs/{id}", "/runs/"+strconv.FormatInt(w.run.ID, 10), "{run}", w.given, "{place}", "0",
		"{version}", "1", "{booking}/{action}", w.bookings[0]+"/1", "{request}", w.request,
		"{person}", w.person, "{key}", w.key,
		"{environment}", "production", "{token}", w.handed, "{member}", "0").Replace(r.Path)
	ids := []string{w.crew, w.one}
	if strings.HasPrefix(path, "/bookings/") {
		ids = w.bookings
	}
	for _, id := range ids {
		list = append(list, strings.Replace(path, "{id}", id, 1))
	}
	if !strings.Contains(path, "{id}") {
		return list[:1]
	}
	return list
}
