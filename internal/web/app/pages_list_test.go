package app_test

import (
	"net/url"
	"path/filepath"
	"strings"

	"gangway/internal/web/app/apptest"
)

// A look is a page in one of its states.
type look struct {
	route string          // the line of routes.go
	state string          // in words
	who   *apptest.Client // the reader; nil: nobody is signed in
	at    string          // address
	then  string          // a script to run there
	until string          // an expression that is true once the state is reached
	shows string          // an expression that must be true at 1440 by 900
	plain bool            // the browser runs no script
	stays bool            // the page leads on at once, and is looked at as if it did not

	action string            // a form of the page that is sent, so that the answer is what is looked at
	fields map[string]string // what it is sent with
}

// noPages are addresses that show no page of their own.
var noPages = map[string]string{
	"GET /searches/{id}/stream":                 "parts of the search's page, which is looked at while they come",
	"GET /searches/{id}/batches/{batch}/stream": "parts of the batch's page, which is looked at while they come",
	"GET /crew-changes/board/stream":            "parts of the board, which is looked at",
	"GET /live":                                 "news for open pages",
	"GET /live/frame":                           "the frame of open pages, which is looked at on them",
	"GET /runs/{batch}/stream":                  "parts of the run's page, which is looked at while they come",
	"GET /suggest/travellers":                   "a list below its field, which is looked at open",
	"GET /suggest/airports":                     "a list below its field, which is looked at open",
	"GET /suggest/anything":                     "a list below its field, which is looked at open",
	"GET /suggest/dates":                        "a list below its field, which is looked at open",
	"GET /settings/feeds/{name}/stream":         "parts of the feed's page, which is looked at while they come",
	"GET /attention":                            "leads to the first page",
	"GET /bookings.csv":                         "a file",
	"GET /itinerary/{file}":                     "files",
	"GET /agent.csv":                            "a file",
	"GET /i/{secret}/{file}":                    "files",
	"GET /settings/audit.csv":                   "a file",
	"GET /report.xlsx":                          "a file",
	"GET /report.csv":                           "a file",
	"GET /report/connect.xlsx":                  "a file",
	"GET /report/connect.pbids":                 "a file",

	"GET /settings/feeds/{name}/runs/{id}/documents/{place}": "a file",
	"GET /settings/feeds/{name}/upload/{run}/stream":         "parts of the file's page, looked at while they come",
}

const (
	arrived   = `document.querySelector("[data-stream]") === null`
	newSecret = `document.querySelector("main pre")?.textContent.startsWith("whsec_")`
	refused   = `document.querySelector('main [role="alert"]') !== null`
	listed    = `document.querySelector("[role=option], .none:not([hidden])")?.checkVisibility()`
	fifteen   = `[...document.querySelectorAll(".audit tbody tr")].filter(e => e.getBoundingClientRect().bottom <= innerHeight).length >= 15`
	openOffer = `document.querySelector("details.offer").open = true`
	openRow   = `document.querySelector(".offer a[data-row]").click()`
	opened    = `document.querySelector(".opened") !== null`
	legsApart = `[...document.querySelectorAll(".flown .offer")].every(row => [...row.querySelectorAll(".leg")].every(
		(leg, i, all) => leg.scrollWidth <= leg.clientWidth &&
			leg.getBoundingClientRect().top === all[i % 2].getBoundingClientRect().top))`
	openAll = `for (const e of document.querySelectorAll("details")) { e.removeAttribute("name"); e.open = true; }`
)

// doubted is a page that lost its connection, with a row that is gone.
const doubted = `(() => {
	document.documentElement.classList.add("stale");
	document.querySelector("main tbody tr:not(.group)").classList.add("gone");
})(); ` + newsLine

// newsLine is the line at the foot of the window.
const newsLine = `(() => {
	const line = Object.assign(document.createElement("p"), {className: "fresh", role: "status"});
	line.append("Not updated since 02:13: ", Object.assign(document.createElement("button"), {className: "button tight",
		textContent: "open again"}));
	document.body.append(line);
})()`

// newsBesideBulk is whether that line leaves the buttons for what is ticked free.
const newsBesideBulk = `[...document.querySelectorAll(".bulk button")].every(e => {
	const [a, b] = [e, document.querySelector(".fresh")].map(e => e.getBoundingClientRect());
	return a.right <= b.left || a.bottom <= b.top || b.bottom <= a.top;
})`

const tried = `document.querySelector("#trial[data-tried][aria-busy=false]") !== null`

// wrongMapping types into the mapping once there are records, and waits for what is said of that.
const wrongMapping = ` && (() => {
	const e = document.querySelector("#mapping");
	if (!e.dataset.typed) {
		e.dataset.typed = "yes";
		e.value += " | nothing";
		e.dispatchEvent(new InputEvent("input", {bubbles: true}));
	}
	return document.querySelector("#mapping-wrong .wrong") !== null;
})()`

// dropsSample drops a file of a customer's system on the page.
const dropsSample = `(() => {
	const data = new DataTransfer();
	const rows = ["Pers-Nr;Nachname;Vorname;Geb;Geschl;Nationalität;Pass-Nr;gültig bis;Bemerkung"];
	for (let i = 1; i < 30; i++) rows.push([4700 + i, i % 7 ? "Villanueva-Oyelaran" : "", "Bartholomea Anastasia",
		"0" + (1 + i % 9) + "/0" + (1 + i % 7) + "/198" + i % 10, i % 5 ? "W" : "q", "Philippinen", "P123456" + i,
		"31.12.2039", "kommt aus dem Urlaub zurück und fliegt, sobald die Ablösung feststeht, über Amsterdam"].join(";"));
	data.items.add(new File([rows.join("\n")], "Personalliste der gesamten Flotte 2036.csv", {type: "text/csv"}));
	document.querySelector("#setup").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true,
		cancelable: true}));
})()`

// types types into a field as a person does, so that suggestions open.
func types(field, text string) string {
	return `(() => { const e = document.querySelector("` + field + `"); e.focus(); e.value = "` + text +
		`"; e.dispatchEvent(new InputEvent("input", {bubbles: true})); })()`
}

// looks are all pages in all their states while airlines answer. A new page gets a line
// here, and another for each state that looks different.
func (o *office) looks() []look {
	key := func(path, key string) string { return path + "?key=" + url.QueryEscape(key) }
	a := o.admin
	return []look{
		// Nobody has signed in.
		{route: "GET /sign-in", state: "signed out", at: "/sign-in"},
		{route: "GET /sign-in", state: "on the way to a page", at: "/bookings?state=issued"},
		{route: "GET /sign-in", state: "for a hand-off", at: o.claims["signed out"]},
		{route: "GET /sign-in", state: "wrong password", at: "/sign-in", action: "/sign-in",
			fields: map[string]string{"email": "nobody@example.com", "password": "wrong"}, until: refused},
		{route: "GET /sign-in", state: "without script", at: "/sign-in", plain: true},
		{route: "/", state: "signed out, no such page", at: "/nothing-here"},

		// Searching for flights.
		{route: "GET /book", state: "as it opens", who: a, at: "/book"},
		{route: "GET /book", state: "details by hand, example and account menu open", who: o.trial, at: "/book",
			then: openAll},
		{route: "GET /book", state: "travellers suggested", who: a, at: "/book?on=2036-12-01",
			then: types("#name", "san"), until: listed},
		{route: "GET /book", state: "nobody suggested", who: a, at: "/book",
			then: types("#name", "xyz"), until: listed},
		{route: "GET /book", state: "places suggested", who: a, at: "/book",
			then: types("#to0", "rott"), until: listed},
		{route: "GET /book", state: "no place suggested", who: a, at: "/book",
			then: types("#to0", "qqqq"), until: listed},
		{route: "GET /book", state: "a request with two flights filled in", who: a,
			at: "/book?request=TR-2&sub=&on=2036-12-01"},
		{route: "GET /book", state: "refused", who: a, at: "/book", action: "/searches",
			fields: map[string]string{"name": "Nobody", "from": "Atlantis"}, until: refused},
		{route: "GET /book", state: "which of them", who: a, at: "/book", action: "/searches",
			fields: map[string]string{"name": "San", "from": "MNL", "to": "London", "date": "2036-12-01"},
			until:  refused},
		{route: "GET /book", state: "without script", who: a, at: "/book?on=2036-12-01", plain: true},
		{route: "GET /password", state: "as it opens", who: a, at: "/password"},
		{route: "GET /password", state: "refused", who: a, at: "/password", action: "/password",
			fields: map[string]string{"present": "wrong", "new": "short", "again": "other"}, until: refused},
		{route: "GET /mails", state: "as it opens", who: a, at: "/mails"},
		{route: "GET /mails", state: "refused", who: a, at: "/mails", action: "/mails",
			fields: map[string]string{"hour": "7", "zone": "Europe/Atlantis"}, until: refused},
		{route: "/", state: "no such page", who: a, at: "/nothing-here"},
		{route: "/", state: "not allowed", who: o.booker, at: "/settings/audit"},

		// What was found.
		{route: "GET /searches/{id}", state: "for one", who: a, at: o.one, until: arrived},
		{route: "GET /searches/{id}", state: "for one, an offer and the filters open", who: a, at: o.one +
			"?wait=1&sort=spare", then: openRow + `; document.querySelector("#show-filters").checked = true`, until: opened},
		{route: "GET /searches/{id}", state: "for one, with the days around", who: a, at: o.one + "?days=7&wait=1",
			until: arrived + ` && document.querySelectorAll(".week [data-state=found]").length === 7`},
		{route: "GET /searches/{id}", state: "for one, a fare open that crew may not use", who: a, at: o.barred,
			until: arrived + ` && document.querySelector("[data-state=not-for-crew]") !== null`},
		{route: "GET /searches/{id}", state: "of two legs, one open", who: a, at: o.legs + "?wait=1", then: openRow,
			until: opened, shows: legsApart},
		{route: "GET /searches/{id}", state: "three side by side", who: a, at: o.one + "?wait=1",
			then:  `location.search = [...document.querySelectorAll(".fare")].slice(0, 3).map(e => "compare=" + e.id.slice(2)).join("&")`,
			until: `document.querySelectorAll(".compared [name=compare]").length === 3`},
		{route: "GET /searches/{id}", state: "filters that leave none", who: a, at: o.one +
			"?stops=0&airline=ZZ&price=1", until: arrived},
		{route: "GET /searches/{id}", state: "nobody flies there", who: a, at: o.nowhere, until: arrived},
		{route: "GET /searches/{id}", state: "for one, without script", who: a, at: o.one + "?wait=1", plain: true},
		{route: "GET /searches/{id}", state: "for a crew", who: a, at: o.all + "?wait=1", until: arrived},
		{route: "GET /searches/{id}", state: "for a crew, one open, with map and filters", who: a, at: o.all +
			"?wait=1&member=3&view=map", then: `document.querySelector("#show-filters").checked = true`, until: arrived},
		{route: "GET /searches/{id}", state: "for a crew, the ship has moved", who: a, at: o.all + "?wait=1&view=move",
			until: arrived},
		{route: "GET /searches/{id}", state: "for a crew, one open and an offer in it", who: a, at: o.all +
			"?wait=1&member=3", then: openRow, until: opened},
		{route: "GET /searches/{id}", state: "for a crew, a booked one open", who: a, at: o.moved +
			"?wait=1&member=0", until: arrived},
		{route: "GET /searches/{id}", state: "for a crew, one for whom nothing was found", who: a, at: o.all +
			"?wait=1&member=2", until: arrived},
		{route: "GET /searches/{id}", state: "for a crew, without script", who: a, at: o.all + "?wait=1&member=0",
			plain: true},
		{route: "GET /searches/{id}", state: "booked before the ship moved", who: a, at: o.moved + "?wait=1",
			until: arrived},
		{route: "GET /searches/{id}", state: "handed over", who: o.booker, at: o.handed + "?wait=1", then: openAll,
			until: arrived},
		{route: "GET /searches/{id}", state: "no such search", who: a, at: "/searches/none"},
		{route: "GET /integrations/search/{token}", state: "letters that cannot be read", who: a,
			at: o.claims["unread"], until: arrived},
		{route: "GET /searches/{id}/members/{member}", state: "of a crew", who: a, at: o.all + "/members/1"},
		{route: "GET /searches/{id}/members/{member}", state: "handed over with faults", who: o.booker, at: o.handed +
			"/members/0"},
		{route: "GET /searches/{id}/members/{member}", state: "refused", who: a, at: o.all + "/members/1",
			action: o.all + "/members/1", fields: map[string]string{"from": "Atlantis", "last_name": ""},
			until: refused},
		{route: "GET /searches/{id}/hold", state: "to be held", who: a, at: o.one + "/hold?offer=" +
			url.QueryEscape(o.offer)},
		{route: "GET /searches/{id}/hold", state: "a fare that crew may not use", who: a, at: o.question,
			until: `document.querySelector("#unmet") !== null`},
		{route: "GET /searches/{id}/hold", state: "no longer offered", who: a, at: o.one + "/hold?offer=gone"},
		{route: "GET /searches/{id}/book-all", state: "a crew", who: a, at: o.all + "/book-all"},
		{route: "GET /searches/{id}/book-all", state: "everybody is booked", who: a, at: o.moved + "/book-all"},
		{route: "GET /searches/{id}/book-all", state: "refused", who: a, at: o.all + "/book-all", action: o.all +
			"/book-all", fields: map[string]string{"batch": "other"}, until: refused},
		{route: "GET /searches/{id}/batches/{batch}", state: "done", who: a, at: o.batch},

		// What was booked.
		{route: "GET /bookings", state: "all", who: a, at: "/bookings"},
		{route: "GET /bookings", state: "of one state", who: a, at: "/bookings?state=declined"},
		{route: "GET /bookings", state: "none found", who: a, at: "/bookings?find=nobody"},
		{route: "GET /bookings", state: "none yet", who: o.trial, at: "/bookings"},
		{route: "GET /bookings", state: "some ticked", who: a, at: "/bookings",
			then:  `for (const e of [...document.querySelectorAll(".tick input[form]")].slice(0, 3)) e.click(); ` + newsLine,
			until: `document.querySelector(".bulk").checkVisibility()`, shows: newsBesideBulk},
		{route: "GET /bookings", state: "without script", who: a, at: "/bookings", plain: true},
		{route: "GET /bookings/together", state: "to issue", who: a, at: o.ticked + "&do=issue"},
		{route: "GET /bookings/together", state: "to release", who: a, at: o.ticked + "&do=release"},
		{route: "GET /bookings/together", state: "to cancel", who: a, at: o.ticked + "&do=cancel"},
		{route: "GET /bookings/together", state: "nothing ticked", who: a, at: "/bookings/together?do=issue"},
		{route: "GET /runs/{batch}", state: "with every result", who: a, at: o.acted},
		{route: "GET /runs/{batch}", state: "of moves, one to settle", who: a, at: o.movedRun},
		{route: "GET /bookings/enter", state: "as it opens", who: a, at: "/bookings/enter"},
		{route: "GET /bookings/enter", state: "refused", who: a, at: "/bookings/enter", action: "/bookings/enter",
			fields: map[string]string{"last_name": "O3", "dob": "2040-01-01", "total": "much"}, until: refused},
		{route: "GET /bookings/{id}", state: "held", who: a, at: o.held},
		{route: "GET /bookings/{id}", state: "issued", who: a, at: o.issued},
		{route: "GET /bookings/{id}", state: "other flights chosen", who: a, at: o.changed},
		{route: "GET /bookings/{id}", state: "paid, changed, cancelled", who: a, at: o.paid},
		{route: "GET /bookings/{id}", state: "changed by its airline", who: a, at: o.rerouted},
		{route: "GET /bookings/{id}", state: "cancelled by its airline", who: a, at: o.lost},
		{route: "GET /bookings/{id}", state: "made elsewhere, the refund is asked for", who: a, at: o.elsewhere},
		{route: "GET /bookings/{id}", state: "waits for an approver", who: a, at: o.waits},
		{route: "GET /bookings/{id}", state: "waits for another approver", who: a, at: o.own},
		{route: "GET /bookings/{id}", state: "declined", who: a, at: o.declined},
		{route: "GET /bookings/{id}", state: "decline without a reason", who: a, at: o.waits, action: o.waits +
			"/decline", fields: map[string]string{"reason": " "}, until: refused},
		{route: "GET /bookings/{id}", state: "no such booking", who: a, at: "/bookings/none"},
		{route: "GET /bookings/{id}", state: "sent to many outlets, without script", who: a, at: o.sent,
			then: openAll, plain: true},
		{route: "GET /itinerary", state: "of a booking on hold", who: a, at: "/itinerary?booking=" +
			strings.TrimPrefix(o.held, "/bookings/")},
		{route: "GET /itinerary", state: "of a crew change", who: a, at: "/itinerary?change=id%3AGEN-00"},
		{route: "GET /itinerary", state: "a link is made", who: a, at: "/itinerary?change=id%3AGEN-00",
			action: "/itinerary/link", until: `document.querySelector("#link") !== null`},
		{route: "GET /agent", state: "of a crew change", who: a, at: "/agent?change=id%3AGEN-00"},
		{route: "GET /agent", state: "an address that nobody listed", who: a, at: "/agent?change=id%3AGEN-00",
			action: "/agent/send", fields: map[string]string{"to": "crew@elsewhere.example"}, until: refused},
		{route: "GET /i/{secret}", state: "of a crew change", at: o.link},
		{route: "GET /assets/{file}", state: "the guide", at: "/assets/" + filepath.Base(apptest.Must(filepath.Glob(
			"assets/dist/guide-*.html"))(o.t)[0])},
		{route: "GET /i/{secret}", state: "opens nothing", at: "/i/AAAAAAAAAAAAAAAAAAAAAAAAAA"},
		{route: "GET /bookings/{id}/issue", state: "quoted", who: a, at: o.held + "/issue"},
		{route: "GET /bookings/{id}/issue", state: "refused", who: a, at: o.held + "/issue", action: o.held + "/issue",
			fields: map[string]string{"price": "USD 1.00"}, until: refused},
		{route: "GET /bookings/{id}/cancel", state: "quoted", who: a, at: o.issued + "/cancel"},
		{route: "GET /bookings/{id}/hold-again", state: "quoted", who: a, at: o.declined + "/hold-again"},
		{route: "GET /bookings/{id}/hold-again", state: "the price moved", who: a, at: o.declined + "/hold-again",
			action: o.declined + "/hold-again", fields: map[string]string{"offer": "", "price": "USD 1.00"},
			until: refused},
		{route: "GET /bookings/{id}/hold-again", state: "not sold any more", who: a, at: o.lost + "/hold-again"},
		{route: "GET /bookings/{id}/change", state: "as it opens", who: a, at: o.held + "/change"},
		{route: "GET /bookings/{id}/change", state: "ways to change it, one open", who: a, at: o.issued +
			"/change?date0=2036-12-05", then: openOffer},
		{route: "GET /approvals", state: "for who decides", who: a, at: "/approvals"},
		{route: "GET /approvals", state: "all ticked, one being declined", who: a, at: "/approvals",
			then: `document.querySelectorAll(".tick input").forEach((box) => box.click());
				document.querySelector("details.pop summary").click()`,
			until: `document.activeElement.matches(".pop .input") && /^Approve 2 · USD [\d,]+\.\d\d$/.test(
				document.querySelector("[value=approve]").textContent.trim())`},
		{route: "GET /approvals", state: "for who does not", who: o.booker, at: "/approvals"},
		{route: "GET /approvals", state: "refused", who: a, at: "/approvals", action: "/approvals", until: refused},
		{route: "GET /approvals", state: "nothing waits", who: o.trial, at: "/approvals"},
		{route: "GET /deadlines", state: "some", who: a, at: "/deadlines"},
		{route: "GET /deadlines", state: "none", who: o.trial, at: "/deadlines"},
		{route: "GET /deadlines", state: "no longer true", who: a, at: "/deadlines", then: doubted},
		{route: "GET /deadlines", state: "all holds", who: a, at: "/deadlines?show=all"},
		{route: "GET /{$}", state: "much to do", who: a, at: "/", then: openAll},
		{route: "GET /{$}", state: "without script", who: a, at: "/", plain: true},
		{route: "GET /{$}", state: "nothing to do", who: o.trial, at: "/"},
		{route: "GET /bookings/{id}/schedule-change", state: "to be answered", who: a, at: o.rerouted +
			"/schedule-change"},

		// What customers have planned.
		{route: "GET /requests", state: "a day", who: a, at: "/requests?date=2036-12-01"},
		{route: "GET /requests", state: "a week", who: a, at: "/requests?date=2036-12-01&week=on"},
		{route: "GET /requests", state: "none", who: o.trial, at: "/requests"},
		{route: "GET /requests", state: "none this week", who: a, at: "/requests?date=2036-11-11&week=on"},
		{route: "GET /requests/take-back", state: "asked", who: a, at: "/requests/take-back?request=TR-2"},
		{route: "GET /travellers", state: "some", who: a, at: "/travellers"},
		{route: "GET /travellers", state: "none", who: o.trial, at: "/travellers"},
		{route: "GET /travellers/{key}", state: "with journeys", who: a, at: "/travellers/id:1"},
		{route: "GET /travellers/{key}", state: "passport expired", who: a, at: "/travellers/id:2"},
		{route: "GET /travellers", state: "anything found", who: a, at: "/travellers", then: types("#find", "san"),
			until: listed},
		{route: "GET /travellers", state: "keys shown", who: a, at: "/travellers",
			then: `document.querySelector("[data-keys-help]").click()`, until: `document.querySelector("dialog[open]")`},
		{route: "GET /vessels/{name}", state: "with crew changes", who: a, at: "/vessels/NORTHERN%20LIGHT"},
		{route: "GET /vessels/{name}", state: "without crew changes", who: a, at: "/vessels/Nordlys"},
		{route: "GET /ports/{code}", state: "with crew changes", who: a, at: "/ports/SGSIN"},
		{route: "GET /ports/{code}", state: "without crew changes", who: o.trial, at: "/ports/NLRTM"},
		{route: "GET /travellers/take-back", state: "asked", who: a, at: key("/travellers/take-back", "id:1")},
		{route: "GET /crew-changes", state: "some", who: a, at: "/crew-changes"},
		{route: "GET /crew-changes/plan", state: "no such place", who: a, at: key("/crew-changes/plan", plan),
			action: "/crew-changes/search", fields: map[string]string{"airport": "Atlantis"}, until: refused},
		{route: "GET /crew-changes", state: "none", who: o.trial, at: "/crew-changes"},
		{route: "GET /crew-changes/plan", state: "as it was sent", who: a, at: key("/crew-changes/plan", plan)},
		{route: "GET /crew-changes/plan", state: "with some who were dropped", who: a, at: key("/crew-changes/plan",
			"id:GEN-00")},
		{route: "GET /crew-changes", state: "whether one moved", who: a, at: "/crew-changes?from=2037-01-01"},
		{route: "GET /crew-changes/plan", state: "moved, perhaps again", who: a, at: key("/crew-changes/plan",
			"on:2037-01-03:NO:sea sparrow")},
		{route: "GET /crew-changes/board", state: "moved", who: a, at: key("/crew-changes/board", "id:GEN-00") +
			"&wait=1", until: `!document.querySelector("main [data-stream]")`},
		{route: "GET /crew-changes/board", state: "moved, without script", who: a,
			at: key("/crew-changes/board", "id:GEN-00") + "&aim=wait&wait=1", plain: true},
		{route: "GET /crew-changes/rules", state: "as it opens", who: a, at: key("/crew-changes/rules", plan)},
		{route: "GET /crew-changes/rules", state: "refused", who: a, at: key("/crew-changes/rules", plan),
			action: "/crew-changes/rules", fields: map[string]string{"board_by": "noon", "nights": "many"},
			until: refused},
		{route: "GET /crew-changes/plan", state: "moved by an upload", who: a, at: key("/crew-changes/plan",
			"id:GEN-99")},
		{route: "GET /crew-changes/take-back", state: "asked", who: a, at: key("/crew-changes/take-back", "id:GEN-00")},
		{route: "GET /hotels", state: "some", who: a, at: "/hotels?from=2036-12-01&to=2036-12-31"},
		{route: "GET /hotels", state: "none", who: o.trial, at: "/hotels?show=handled"},
		{route: "GET /report", state: "a year and a quarter", who: o.fleet, at: "/report?from=&to="},
		{route: "GET /report", state: "all tables open", who: o.fleet, at: "/report", then: openAll},
		{route: "GET /report", state: "of one vessel, by departure, without script", who: o.fleet, at: "/report?by=" +
			"departure&rank=Co2Kg&vessel=lady", plain: true},
		{route: "GET /report", state: "nothing fits", who: o.fleet, at: "/report?airline=none"},
		{route: "GET /report", state: "no bookings", who: o.trial, at: "/report"},
		{route: "GET /report", state: "filters that make no sense", who: a, at: "/report?origin=Manila&to=soon"},
		{route: "GET /report", state: "by a field of the customer's own", who: o.fleet,
			at: "/report?field=rank&rank=Bookings"},
		{route: "GET /report/bookings", state: "a page of them", who: o.fleet,
			at: "/report/bookings?from=&to=&of=tickets"},
		{route: "GET /report/bookings", state: "none", who: o.fleet, at: "/report/bookings?vessel=Nowhere"},
		{route: "GET /report/connect", state: "as it opens", who: a, at: "/report/connect"},
		{route: "GET /report", state: "a view to change", who: a, at: "/report?from=&to=", then: openAll},
		{route: "GET /report/views/mail", state: "two people", who: a, at: "/report/views/mail?view=Fleet"},
		{route: "GET /report/download", state: "some rows", who: a, at: "/report/download?from=&to="},
		{route: "GET /report/download", state: "another set", who: a, at: "/report/download?from=&to=&set=Actions"},
		{route: "GET /report/download", state: "none", who: a, at: "/report/download?from=&to=&vessel=Nowhere"},
		{route: "GET /settings/outlets", state: "some", who: a, at: "/settings/outlets"},
		{route: "GET /settings/overview", state: "some", who: a, at: "/settings/overview"},
		{route: "GET /settings/overview", state: "little", who: o.trial, at: "/settings/overview"},
		{route: "GET /settings/policy", state: "as it opens", who: a, at: "/settings/policy"},
		{route: "GET /settings/policy", state: "refused", who: a, at: "/settings/policy", action: "/settings/policy",
			fields: map[string]string{"avoid": "Q9", "hours": "always", "keep": "long"}, until: refused},
		{route: "GET /settings/policy", state: "asks", who: o.trial, at: "/settings/policy", action: "/settings/policy",
			fields: map[string]string{"keep": "24mo"}, until: refused},
		{route: "GET /settings/moves", state: "as it opens", who: a, at: "/settings/moves"},
		{route: "GET /settings/moves", state: "refused", who: a, at: "/settings/moves", action: "/settings/moves",
			fields: map[string]string{"person": "400.00 USD", "change": "12.00 USD", "until": "2099-01-01"},
			until:  refused},
		{route: "GET /settings/crew-rules", state: "as it opens", who: a, at: "/settings/crew-rules"},
		{route: "GET /settings/crew-rules", state: "refused", who: a, at: "/settings/crew-rules",
			action: "/settings/crew-rules", fields: map[string]string{"board_by": "noon", "short": "4",
				"night_prices": "NLXXX 10", "transits": "Dubai", "rates": "1 EUR"}, until: refused},
		{route: "GET /settings/supplier", state: "as it opens", who: a, at: "/settings/supplier"},
		{route: "GET /settings/supplier", state: "tried", who: a, at: "/settings/supplier",
			action: "/settings/supplier", until: `document.querySelector("[data-state=answered]")`},
		{route: "GET /settings/outlets", state: "none yet", who: o.trial, at: "/settings/outlets"},
		{route: "GET /settings/outlets/new", state: "as it opens", who: a, at: "/settings/outlets/new"},
		{route: "GET /settings/outlets/new", state: "SFTP, everything open, without script", who: a,
			at: "/settings/outlets/new?kind=sftp", then: openAll, plain: true},
		{route: "GET /settings/outlets/new", state: "a copy", who: o.trial, at: "/settings/outlets/new?copy=erp",
			then: openAll},
		{route: "GET /settings/outlets/new", state: "refused", who: a, at: "/settings/outlets/new",
			action: "/settings/outlets/new", fields: map[string]string{"name": "two words", "transport.url": "crew"},
			until: refused, then: `scrollTo(0, 0)`},
		{route: "GET /settings/outlets/{name}/edit", state: "an outlet", who: a,
			at: "/settings/outlets/" + longOutlet + "/edit", then: openAll},
		{route: "GET /settings/outlets/{name}/edit", state: "its mapping tried", who: a,
			at: "/settings/outlets/erp/edit", then: openAll + `document.querySelector("#mapping").value = ".";
				document.querySelector("[value=try]").click()`, until: `document.querySelector("#tried-0")`},
		{route: "GET /settings/outlets/{name}/edit", state: "asks before it sends elsewhere", who: a,
			at: "/settings/outlets/erp/edit", action: "/settings/outlets/erp/edit",
			fields: map[string]string{"transport.url": "https://8.8.8.8/sync"}, until: refused},
		{route: "GET /settings/outlets/{name}", state: "tested", who: a, at: "/settings/outlets/erp",
			action: "/settings/outlets/erp/test", until: `document.querySelector("dl [data-state]")`},
		{route: "GET /settings/outlets/{name}/delete", state: "something waits", who: a,
			at: "/settings/outlets/" + longOutlet + "/delete"},
		{route: "GET /settings/outlets/{name}/delete", state: "another name was typed", who: a,
			at: "/settings/outlets/" + longOutlet + "/delete", action: "/settings/outlets/" + longOutlet + "/delete",
			fields: map[string]string{"typed": "erp"}, until: refused},
		{route: "GET /settings/outlets/{name}", state: "on", who: a, at: "/settings/outlets/erp"},
		{route: "GET /settings/outlets/{name}", state: "failing", who: a,
			at: "/settings/outlets/" + longOutlet},
		{route: "GET /settings/outlets/{name}", state: "paused", who: a, at: "/settings/outlets/archive"},
		{route: "GET /settings/outlets/{name}", state: "a new secret", who: a, at: "/settings/outlets/archive",
			action: "/settings/outlets/archive/secret", until: newSecret},
		{route: "GET /settings/outlets/{name}", state: "two secrets", who: a, at: "/settings/outlets/archive"},
		{route: "GET /settings/outlets/{name}/secret", state: "to be dropped", who: a,
			at: "/settings/outlets/archive/secret?drop=old"},
		{route: "GET /settings/outlets/{name}/replay", state: "as it opens", who: a,
			at: "/settings/outlets/erp/replay"},
		{route: "GET /settings/outlets/{name}/replay", state: "some", who: a,
			at: "/settings/outlets/erp/replay?from=2036-01-01T00:00&to=2037-01-01T00:00"},
		{route: "GET /settings/outlets/{name}/replay", state: "times that make no sense", who: a,
			at: "/settings/outlets/erp/replay?from=soon&to=later"},
		{route: "GET /settings/outlets/{name}/deliveries/{booking}/{action}", state: "delivered", who: a,
			at: o.delivered},
		{route: "GET /settings/outlets/{name}/deliveries/{booking}/{action}", state: "tried", who: a,
			at: o.refusedThere},
		{route: "GET /settings/outlets/{name}/deliveries/{booking}/{action}", state: "waiting", who: a, at: o.kept},
		{route: "GET /settings/feeds", state: "some", who: a, at: "/settings/feeds"},
		{route: "GET /settings/feeds", state: "none yet, example open", who: o.trial, at: "/settings/feeds",
			then: openAll},
		{route: "GET /settings/feeds/{name}", state: "fine", who: a, at: "/settings/feeds/crew"},
		{route: "GET /settings/feeds/{name}", state: "failing, and about to be fetched", who: a,
			at: "/settings/feeds/crew-changes-of-the-fleet"},
		{route: "GET /settings/feeds/{name}", state: "being fetched", who: a, at: "/settings/feeds/busy"},
		{route: "GET /settings/feeds/{name}", state: "asked when needed", who: a, at: "/settings/feeds/lookup"},
		{route: "GET /settings/feeds/{name}", state: "switched off", who: a, at: "/settings/feeds/old"},
		{route: "GET /settings/feeds/{name}", state: "a folder, not fetched yet", who: a, at: "/settings/feeds/fresh"},
		{route: "GET /settings/feeds/{name}", state: "no such feed", who: a, at: "/settings/feeds/none"},
		{route: "GET /settings/feeds/{name}", state: "older runs, of which there are none", who: a,
			at: "/settings/feeds/crew?before=1"},
		{route: "GET /settings/feeds/{name}/runs/{id}", state: "some refused", who: a, at: o.fedRun},
		{route: "GET /settings/feeds/{name}/runs/{id}", state: "failed, and long lists", who: a, at: o.badRun},
		{route: "GET /settings/feeds/{name}/runs/{id}", state: "its documents are gone", who: a, at: o.oldRun},
		{route: "GET /settings/feeds/{name}/runs/{id}/accept", state: "fetched", who: a, at: o.badRun + "/accept"},
		{route: "GET /settings/feeds/{name}", state: "a list is too short, and can be accepted", who: a,
			at: "/settings/feeds/joiners-and-leavers-of-the-manning-office-in-Manila"},
		{route: "GET /settings/feeds/{name}/runs/{id}", state: "documents failed", who: a, at: o.failedRun},
		{route: "GET /settings/feeds/{name}/runs/{id}/accept", state: "given, and not kept", who: a,
			at: o.failedRun + "/accept"},
		{route: "GET /settings/feeds/{name}/versions", state: "some", who: a, at: "/settings/feeds/crew/versions"},
		{route: "GET /settings/feeds/{name}/versions/{version}", state: "an earlier one", who: a,
			at: "/settings/feeds/crew/versions/1"},
		{route: "GET /settings/feeds/{name}/versions/{version}", state: "another mapping only", who: a,
			at: "/settings/feeds/crew/versions/2"},
		{route: "GET /settings/feeds/{name}/versions/{version}", state: "the present one", who: a,
			at: "/settings/feeds/crew/versions/3"},
		{route: "GET /settings/feeds/{name}/versions/{version}", state: "cannot be gone back to", who: a,
			at: "/settings/feeds/crew/versions/1", action: "/settings/feeds/crew/versions/1", until: refused},
		{route: "GET /settings/feeds/{name}/delete", state: "nothing goes with it", who: a,
			at: "/settings/feeds/crew/delete"},
		{route: "GET /settings/feeds/{name}/delete", state: "being fetched", who: a, at: "/settings/feeds/busy/delete"},
		{route: "GET /settings/feeds/new", state: "as it opens", who: a, at: "/settings/feeds/new"},
		{route: "GET /settings/feeds/new", state: "everything open", who: a, at: "/settings/feeds/new", then: openAll},
		{route: "GET /settings/feeds/new", state: "mailbox, everything open", who: a,
			at: "/settings/feeds/new?kind=mail", then: openAll},
		{route: "GET /settings/feeds/new", state: "database", who: a, at: "/settings/feeds/new?kind=database"},
		{route: "GET /settings/feeds/new", state: "SFTP, without script", who: a, at: "/settings/feeds/new?kind=sftp",
			plain: true},
		{route: "GET /settings/feeds/new", state: "a folder", who: a, at: "/settings/feeds/new?kind=folder"},
		{route: "GET /settings/feeds/new", state: "a sample was dropped", who: a, at: "/settings/feeds/new",
			then: dropsSample, until: tried},
		{route: "GET /settings/feeds/new", state: "a sample was dropped, and the mapping is wrong", who: a,
			at: "/settings/feeds/new", then: dropsSample, until: tried + wrongMapping},
		{route: "GET /settings/feeds/new", state: "refused", who: a, at: "/settings/feeds/new",
			action: "/settings/feeds/new", fields: map[string]string{"name": "two words", "transport.url": "crew"},
			until: refused, then: `scrollTo(0, 0)`},
		{route: "GET /settings/feeds/new", state: "nothing can be saved", who: a, at: "/settings/feeds/new",
			action: "/settings/feeds/new", fields: map[string]string{"delimiter": "xx", "every": "often"},
			until: refused, then: `scrollTo(0, 0)`},
		{route: "GET /settings/feeds/new", state: "asks before it saves", who: a, at: "/settings/feeds/new",
			then: `document.querySelector("#s-url").value = "https://hr.corvina.example/crew";
				document.querySelector("#trial-top").innerHTML = '<input type="hidden" name="none" value="yes">';
				document.querySelector("#save").click()`, until: refused},
		{route: "GET /settings/feeds/{name}/edit", state: "a feed", who: a, at: "/settings/feeds/crew/edit"},
		{route: "GET /settings/feeds/{name}/edit", state: "a long name", who: a,
			at: "/settings/feeds/crew-changes-of-the-fleet/edit", then: openAll},
		{route: "GET /settings/feeds/{name}/edit", state: "a folder", who: a, at: "/settings/feeds/fresh/edit"},
		{route: "GET /settings/check", state: "as it opens", who: a, at: "/settings/check"},
		{route: "GET /settings/check", state: "refused", who: a, at: "/settings/check", action: "/settings/check",
			fields: map[string]string{"url": "https://10.1.2.3"}, until: refused},
		{route: "GET /settings/check", state: "a report, all unfolded", who: a, at: "/settings/check",
			action: "/settings/check", fields: map[string]string{"url": o.system},
			then:  `for (const e of document.querySelectorAll(".checks details")) e.open = true`,
			until: `document.querySelector("#report") !== null`},
		{route: "GET /settings/feeds/{name}", state: "files given by hand", who: a, at: "/settings/feeds/office"},
		{route: "GET /settings/feeds/{name}/upload", state: "of a feed that is fetched", who: a,
			at: "/settings/feeds/crew/upload"},
		{route: "GET /settings/feeds/{name}/upload", state: "for bookers", who: o.booker,
			at: "/settings/feeds/office/upload"},
		{route: "GET /settings/feeds/{name}/upload", state: "sending", who: a, at: "/settings/feeds/crew/upload",
			then: `document.querySelector(".sending").hidden = false`},
		{route: "GET /settings/feeds/{name}/upload", state: "refused", who: a, at: "/settings/feeds/crew/upload",
			action: "/settings/feeds/crew/upload", until: refused, plain: true},
		{route: "GET /settings/feeds/{name}/upload/{run}", state: "being read", who: o.booker, at: o.reading},
		{route: "GET /settings/feeds/{name}/upload/{run}", state: "stored, with remarks", who: o.booker, at: o.read},
		{route: "GET /crew-changes", state: "files can be uploaded", who: o.booker, at: "/crew-changes"},
		{route: "GET /integrator", state: "as it opens", at: "/integrator"},
		{route: "GET /integrator", state: "no key", at: "/integrator", action: "/integrator",
			fields: map[string]string{"key": "gw_live_not"}, until: refused},
		{route: "GET /integrator/requests", state: "some", who: o.program, at: "/integrator/requests"},
		{route: "GET /integrator/requests", state: "no such request", who: o.program,
			at: "/integrator/requests?show=refused&find=req_06h0cl47ejlc3f2ml187ihsbss"},
		{route: "GET /integrator/requests", state: "deliveries", who: o.program,
			at: "/integrator/requests?show=deliveries"},
		{route: "GET /integrator/requests", state: "a delivery", who: o.program,
			at: "/integrator/requests?find=" + o.pushed},
		{route: "GET /integrator/requests", state: "no such delivery", who: o.program,
			at: "/integrator/requests?find=msg_EXOPEHBRDMA3W5YFAVSHYEXW2C"},
		{route: "GET /settings/integrator", state: "deliveries", who: a, at: "/settings/integrator?show=deliveries"},
		{route: "GET /integrator/requests", state: "without script", who: o.program, at: "/integrator/requests",
			plain: true},
		{route: "GET /integrator/requests/{request}", state: "refused", who: o.program,
			at: "/integrator/requests/" + o.asked[1]},
		{route: "GET /integrator/requests/{request}", state: "no such address", who: o.program,
			at: "/integrator/requests/" + o.asked[3]},
		{route: "GET /settings/integrator", state: "both environments", who: a, at: "/settings/integrator"},
		{route: "GET /settings/integrator/{environment}/{request}", state: "with warnings", who: a,
			at: "/settings/integrator/production/" + o.asked[2]},
		{route: "GET /settings/integrator/{environment}/{request}", state: "with its body", who: a,
			at:     "/settings/integrator/production/" + o.asked[0],
			action: "/settings/integrator/production/" + o.asked[0]},
		{route: "GET /settings/sandbox", state: "in production", who: a, at: "/settings/sandbox"},
		{route: "GET /settings/sandbox", state: "in development", who: o.trial, at: "/settings/sandbox"},
		{route: "GET /settings/sandbox", state: "refused", who: o.trial, at: "/settings/sandbox",
			action: "/settings/sandbox/disrupt", fields: map[string]string{"booking": "NOSUCH"}, until: refused},
		{route: "GET /settings/people", state: "some, two invited", who: a, at: "/settings/people"},
		{route: "GET /settings/people/invite", state: "refused", who: a, at: "/settings/people/invite",
			action: "/settings/people/invite", until: refused,
			fields: map[string]string{"email": "booker@example.com"}},
		{route: "GET /settings/people/invite", state: "a link", who: a, action: "/settings/people/invite",
			at: "/settings/people/invite?email=new@example.com", until: `document.querySelector("main pre") !== null`},
		{route: "GET /settings/people/{person}", state: "active", who: a, at: "/settings/people/u_booker"},
		{route: "GET /settings/people/{person}", state: "refused", who: a, at: "/settings/people/u_admin",
			action: "/settings/people/u_admin/change", fields: map[string]string{"do": "role"},
			until: refused},
		{route: "GET /settings/people/{person}", state: "to be switched off", who: a, at: "/settings/people/u_booker",
			action: "/settings/people/u_booker/change", fields: map[string]string{"do": "off"},
			until: `document.querySelector("[name=sure]") !== null`},
		{route: "GET /settings/keys", state: "some", who: a, at: "/settings/keys"},
		{route: "GET /settings/keys", state: "a key", who: o.trial, at: "/settings/keys", action: "/settings/keys",
			until: `document.querySelector("main pre") !== null`},
		{route: "GET /settings/keys", state: "refused", who: o.trial, at: "/settings/keys", action: "/settings/keys",
			fields: map[string]string{"kind": "captain"}, until: refused},
		{route: "GET /settings/account", state: "as it opens", who: a, at: "/settings/account"},
		{route: "GET /settings/account", state: "refused", who: a, at: "/settings/account", action: "/settings/account",
			fields: map[string]string{"name": " "}, until: refused},
		{route: "GET /settings/account", state: "another currency", who: o.trial, at: "/settings/account",
			action: "/settings/account/currency", fields: map[string]string{"currency": "EUR"},
			until: `document.querySelector("[name=sure]") !== null`},
		{route: "GET /invitations/{token}", state: "signed out", at: "/invitations/invited"},
		{route: "GET /invitations/{token}", state: "refused", at: "/invitations/invited",
			action: "/invitations/invited", until: refused,
			fields: map[string]string{"new": "short", "again": "other"}},
		{route: "GET /invitations/{token}", state: "signed in", who: a, at: "/invitations/invited"},
		{route: "GET /invitations/{token}", state: "used", at: "/invitations/used"},
		{route: "GET /settings/audit", state: "some", who: a, at: "/settings/audit", shows: fifteen},
		{route: "GET /settings/audit", state: "none fits", who: a, at: "/settings/audit?who=nobody"},
	}
}

// looksWhileWaiting are the pages that differ while an airline has not answered.
func (o *office) looksWhileWaiting() []look {
	one, crew := o.Keep(o.t, apptest.Maria), o.Keep(o.t, apptest.Joiners()...)
	return []look{
		{route: "GET /searches/{id}", state: "search for one under way", who: o.admin, at: "/searches/" + one.ID},
		{route: "GET /searches/{id}", state: "search for a crew under way", who: o.admin, at: "/searches/" + crew.ID},
		{route: "GET /searches/{id}", state: "search under way, without script", who: o.admin, at: "/searches/" +
			one.ID, plain: true, stays: true},
		{route: "GET /searches/{id}/batches/{batch}", state: "under way", who: o.booker, at: o.begun},
		{route: "GET /searches/{id}", state: "booking is under way", who: o.admin, at: o.planned + "?wait=1"},
		{route: "GET /searches/{id}/book-all", state: "booking is under way", who: o.admin, at: o.planned +
			"/book-all"},
		{route: "GET /crew-changes", state: "booking is under way", who: o.admin, at: "/crew-changes"},
		{route: "GET /crew-changes/plan", state: "booking is under way", who: o.admin, at: "/crew-changes/plan?key=" +
			url.QueryEscape(plan)},
	}
}
