package main

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/access"
	"gangway/internal/web/app/apptest"
)

// A walked is a server with a customer that has something in every state, and everybody who may or
// may not look at it.
type walked struct {
	t        *testing.T
	at       addresses
	server   *server
	db       *store.DB
	database string
	now      time.Time

	theirs   newCustomer // whose data is to be seen by nobody else
	stranger newCustomer // another customer
	people   map[string]*browser

	bookings []string // identifiers, one in each state
	crew     string   // a search for many; its last member is not booked
	left     int      // that member
	hold     url.Values
	one      string // a search for one
	batch    string // the booking of many
	handed   string // token of a hand-off that nobody has claimed
	run      gangway.FeedRun
	shorter  gangway.FeedRun // of the same feed: its list was not believed
	given    string          // the run of a file that somebody gave to a feed
	request  string          // that a program has made
	person   string          // the customer's booker
	key      string          // the customer's API key
	change   url.Values
}

// marks are texts that only the customer's own data has, and that its people are shown.
var marks = []string{"Sailor", "Halcyon Dawn", "Halcyon Dusk", "H-00", "CC-1", "CC-2", "R-77", colleague}

// colleague was invited, to both environments.
const colleague = "Robin Penwright"

// walkedLink identifies a link to an itinerary.
const walkedLink = "lnk_walked"

// requestKey is how pages name the travel request.
const requestKey = "request=R-77&sub=1"

func newWalked(t *testing.T, database string) *walked {
	t.Helper()
	db := openStore(t, database)
	w := &walked{t: t, db: db, database: database, now: time.Now().Truncate(time.Second), people: map[string]*browser{}}
	w.at, w.server = serverOf(t, serverParts{db: db, now: func() time.Time { return w.now }})
	for name, into := range map[string]*newCustomer{"Halcyon Tankers": &w.theirs, "Corvina Lines": &w.stranger} {
		*into = sure(createCustomer(t.Context(), storetest.Operator, db, name, w.now))(t)
		for _, role := range []gangway.Role{gangway.Booker, gangway.Approver, gangway.Admin} {
			hire(t, db, into.Customer, email(name, role), role)
		}
	}
	for _, role := range []gangway.Role{gangway.Booker, gangway.Approver, gangway.Admin} {
		w.people["own "+string(role)] = w.signIn("Halcyon Tankers", role)
	}
	w.fill()
	w.invited()
	w.asked()
	w.strangers()
	w.rest()
	return w
}

// invited leaves somebody who was invited and has not accepted.
func (w *walked) invited() {
	w.t.Helper()
	u := sure(gangway.NewUser(w.theirs.Customer, "new@halcyon.example", colleague, gangway.Booker))(w.t)
	must(w.t, w.db.Invite(w.t.Context(), storetest.Operator, gangway.Invitation{User: u, At: w.now}, "hash"))
	booker, _, err := w.db.UserByEmail(w.t.Context(), email("Halcyon Tankers", gangway.Booker))
	must(w.t, err)
	w.person = booker.ID
	keys := sure(w.db.In(w.theirs.prod.Scope()).Credentials(w.t.Context(), store.APIKey))(w.t)
	w.key = keys[0].ID
}

// asked finds a request that the customer's program has made.
func (w *walked) asked() {
	w.t.Helper()
	must(w.t, w.server.requests.Settle(w.t.Context()))
	list, err := w.db.In(w.theirs.prod.Scope()).LoggedRequests(w.t.Context(), false, 1)
	if err != nil || len(list) != 1 {
		w.t.Fatalf("the log has %v, %v", list, err)
	}
	w.request = list[0].ID
}

// rest waits for background work on the customer's data, so that it is not taken for something that a visitor did.
func (w *walked) rest() {
	w.t.Helper()
	finish(w.t, w.db.WriteTravellerWords)
	finish(w.t, w.db.Trace)
}

// movedKey is the key of the crew change that was first sent for the day in so many days.
func (w *walked) movedKey(days int) string {
	return "on:" + w.now.AddDate(0, 0, days).Format(time.DateOnly) + ":PA:halcyon noon"
}

func email(customer string, role gangway.Role) string {
	first, _, _ := strings.Cut(strings.ToLower(customer), " ")
	return string(role) + "@" + first + ".example"
}

func (w *walked) signIn(customer string, role gangway.Role) *browser {
	w.t.Helper()
	b := newBrowser(w.t, w.at.app.String())
	must(w.t, b.signIn(email(customer, role), tideTables))
	return b
}

// strangers are those who may not see the customer's production account.
func (w *walked) strangers() {
	w.people["another customer's admin"] = w.signIn("Corvina Lines", gangway.Admin)
	w.people["another customer's booker"] = w.signIn("Corvina Lines", gangway.Booker)
	other := w.signIn("Halcyon Tankers", gangway.Admin)
	w.send(other, "/environment", url.Values{"environment": {"development"}, "back": {"/"}})
	w.people["the same person in development"] = other
	w.people["nobody"] = newBrowser(w.t, w.at.app.String())
}

// fill makes everything that the customer has.
func (w *walked) fill() {
	w.t.Helper()
	day := w.now.AddDate(0, 0, 10).Format(time.DateOnly)
	many, few := crewOf(9, w.now), crewOf(2, w.now.AddDate(0, 0, 20))
	few["travel_request_id"], few["vessel"] = "CC-2", "Halcyon Dusk"
	request := map[string]any{
		"externalInfo": map[string]any{"requestId": "R-77", "subRequestId": "1"},
		"traveler": map[string]any{"lastName": "Sailorzz", "firstName": "Robin", "gender": "M",
			"dob": "1990-04-30"},
		"flight": map[string]any{"date": day, "origin": "MNL", "destination": "SIN"},
		"hotel": map[string]any{"city": "Singapore", "checkIn": day, "checkOut": w.now.AddDate(0, 0,
			11).Format(time.DateOnly), "name": "Harbour Inn"},
	}
	traveller := map[string]any{
		"id": "H-001-T", "last_name": "Sailoryy", "first_name": "Robin", "dob": "1990-04-30", "nationality": "PH",
		"gender":      "M",
		"doc_country": "PH", "doc_number": "P0000999A", "doc_expire": "2045-01-01", "home_airport": "MNL",
	}
	for path, body := range map[string]any{"/travel-requests": []any{many, few}, "/travelers-requests": []any{request},
		"/passenger": []any{traveller}} {
		if _, _, err := call(http.MethodPost, w.at.base.String()+path, w.theirs.Production.APIKey, body); err != nil {
			w.t.Fatal(err)
		}
	}
	for _, days := range []int{40, 43, 55} { // it moves, and then nobody knows
		moves := crewOf(2, w.now.AddDate(0, 0, days-10))
		delete(moves, "travel_request_id")
		moves["vessel"] = "Halcyon Noon"
		if _, _, err := call(http.MethodPost, w.at.base.String()+"/travel-requests", w.theirs.Production.APIKey,
			[]any{moves}); err != nil {
			w.t.Fatal(err)
		}
	}
	b := w.people["own booker"]
	w.send(b, "/report/views", url.Values{"view": {"Walked"}, "from": {""}, "to": {""}})
	w.crew = strings.TrimPrefix(w.send(b, "/crew-changes/search", url.Values{"key": {"id:CC-1"}, "airport": {"SIN"}}).
		path, "/searches/")
	w.one = strings.TrimPrefix(w.send(b, "/requests/search", url.Values{"only": {requestKey}}).path, "/searches/")
	w.outlet()
	w.states()
	must(w.t, w.db.In(w.theirs.prod.Scope()).MakeLink(w.t.Context(), storetest.Operator, store.SharedLink{
		ID: walkedLink, Booking: w.bookings[0], Stamp: gangway.Stamp{At: w.now}}, access.HashKey("walked")))
	all := w.send(b, "/crew-changes/search", url.Values{"key": {"id:CC-2"}, "airport": {"SIN"}}).path
	review := w.open(b, all+"/book-all")
	to, form, ok := review.form("/book-all")
	for attempt := 0; ok && attempt < 2; attempt++ { // the second time it is confirmed that this is another journey
		for i := range 2 {
			for field, value := range map[string]string{"dob": "1990-04-30", "gender": "M"} {
				form.Set(fmt.Sprintf("m%d.%s", i, field), value)
			}
		}
		page := w.send(b, to, form)
		if strings.Contains(page.path, "/batches/") {
			w.batch = page.path
			break
		}
		_, form, ok = page.form("/book-all")
	}
	if w.batch == "" {
		w.t.Fatal("nobody was booked at once")
	}
	for p := w.open(b, w.batch); strings.Contains(p.html, "data-stream="); p = w.open(b, w.batch) {
		if w.t.Context().Err() != nil {
			return
		}
	}
	w.actTogether()
	stranger := newBrowser(w.t, w.at.app.String())
	handed := w.send(stranger, "/integrations/search", url.Values{"vessel": {"Anna"}, "flag": {"PA"},
		"change_airport": {"SIN"}, "onsigners[0][last_name]": {"Nobody"}, "onsigners[0][arrive]": {day}})
	token := regexp.MustCompile(`integrations/search/([A-Za-z0-9_-]+)`).FindStringSubmatch(handed.html)
	if token == nil {
		w.t.Fatalf("a hand-off ended at %s with %d:\n%s", handed.path, handed.status, handed.html)
	}
	w.handed = token[1]
	w.feed()
}

// walkedRun identifies what was done to many bookings at once.
const walkedRun = "run-of-the-walk"

// actTogether leaves a run that has ended.
func (w *walked) actTogether() {
	w.t.Helper()
	in := w.db.In(w.theirs.prod.Scope())
	item := store.BatchItem{Booking: "asked", ActsOn: w.bookings[0], Doc: []byte("{}")}
	_, _, err := in.BeginBatch(w.t.Context(), store.Batch{ID: walkedRun, Kind: "release", CreatedAt: w.now,
		Items: []store.BatchItem{item}}, w.now.Add(time.Hour))
	must(w.t, err)
	must(w.t, in.SettleItem(w.t.Context(), walkedRun, item.Booking, store.ItemRefused, "it has tickets"))
}

// walkedFeed is the name of the customer's feed.
const walkedFeed = "personnel"

// walkedUploads is the name of the feed to which the customer's people give files.
const walkedUploads = "office"

// feed makes a feed that has been fetched, and of which something was refused.
func (w *walked) feed() {
	w.t.Helper()
	in := w.db.In(w.theirs.prod.Scope())
	f := gangway.Feed{Name: walkedFeed, Flow: gangway.TravellersFlow, Mapping: ".[] # of the Halcyon Dawn",
		Transport: gangway.Transport{Kind: "endpoint",
			Settings: []byte(`{"url":"https://crew.halcyon.example/personnel"}`)}}
	for range 2 { // versions
		apptest.SetFeed(w.t, in, f, w.now.Add(time.Hour)) // the server is not to fetch it
	}
	run := gangway.FeedRun{Feed: walkedFeed, At: w.now, Received: 1, Refused: 1,
		Refusals: []gangway.FeedRemark{{Field: "FirstName", Value: "Sailorvv", Message: "a first name is needed"}}}
	apptest.SetUploadFeed(w.t, in, walkedUploads, gangway.TravellersFlow)
	given := run
	given.Feed, given.GivenBy = walkedUploads, apptest.Maya
	w.given = strconv.FormatInt(apptest.RunFeed(w.t, in, given, time.Time{}).ID, 10)
	w.run = apptest.RunFeed(w.t, in, run, w.now.Add(time.Hour), `[{"last_name": "Sailorvv"}]`)
	w.shorter = apptest.RunFeed(w.t, in, gangway.FeedRun{Feed: walkedFeed, At: w.now, Received: 1,
		Error:   "it lacks 9 of the 10 records that it had: nothing was changed",
		Shorter: gangway.ShorterList{Now: 1, Before: 10}}, w.now.Add(time.Hour))
}

// outlet makes an outlet at which all that happens waits.
func (w *walked) outlet() {
	w.t.Helper()
	in := w.db.In(w.theirs.prod.Scope())
	pushTo(w.t, in, "https://crew.halcyon.example/bookings", w.now)
	must(w.t, in.PauseOutlet(w.t.Context(), storetest.Operator, gangway.DefaultOutlet, w.now))
}

// states makes a booking in each state, and leaves one member of the crew without.
func (w *walked) states() {
	w.t.Helper()
	b, approver := w.people["own booker"], w.people["own approver"]
	in := w.db.In(w.theirs.prod.Scope())
	for i, become := range []func(path string){
		func(string) {}, // confirmed
		func(path string) { b.press(w.t, path+"/issue", "/issue") },
		func(path string) { b.press(w.t, path+"/issue", "/issue"); b.press(w.t, path+"/cancel", "/cancel") },
		func(path string) { b.press(w.t, path+"/cancel", "/cancel") },
		func(path string) {
			later := w.now.AddDate(0, 0, 12).Format(time.DateOnly)
			to, form, ok := w.open(b, path+"/change?date0="+later).form("/ask-change")
			if !ok {
				w.t.Fatalf("booking %s has no other flights", path)
			}
			w.send(b, to, form)
			w.change = form
			w.change.Del("opened-in") // which would already be a reason to refuse it
		},
		func(string) {}, // approval required
		func(path string) { w.send(approver, path+"/decline", url.Values{"reason": {"too dear"}}) },
	} {
		if i == 5 {
			storetest.Settings(w.t, in, gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
		}
		path := w.book(b, i)
		become(path)
		w.bookings = append(w.bookings, strings.TrimPrefix(path, "/bookings/"))
		w.left = i + 1
	}
	storetest.Settings(w.t, in, gangway.Settings{})
	_, entry, _ := w.open(b, "/bookings/enter").form("/bookings/enter")
	day := w.now.AddDate(0, 1, 0).Format(time.DateOnly)
	for field, value := range map[string]string{
		"last_name": "Sailorxx", "first_name": "Robin", "dob": "1985-03-12", "gender": "M", "number": "SQ 917",
		"from": "MNL", "to": "SIN",
		"departs": day + "T14:20", "arrives": day + "T18:10", "total": "812.50 USD", "agency": "Halcyon Dusk Travel",
		"pnrs":      "ABC234",
		"fare_type": "marine", "cancellations": "refundable", "changes": "free-change", "vessel": "Halcyon Dusk",
		"flag": "PA",
	} {
		entry[field] = []string{value}
	}
	entered := w.send(b, "/bookings/enter", entry)
	if !strings.HasPrefix(entered.path, "/bookings/") || entered.path == "/bookings/enter" {
		w.t.Fatalf("entering a booking ended at %s with %d:\n%s", entered.path, entered.status, entered.html)
	}
	w.bookings = append(w.bookings, strings.TrimPrefix(entered.path, "/bookings/"))
	_, w.hold, _ = w.open(b, fmt.Sprintf("/searches/%s?wait=1&member=%d", w.crew, w.left)).form("/book")
	if w.hold == nil {
		w.t.Fatal("the member that is left has no flight")
	}
	w.hold.Del("opened-in")
}

// book holds a flight for a member of the crew and returns its booking's path.
func (w *walked) book(b *browser, member int) string {
	w.t.Helper()
	made := b.press(w.t, fmt.Sprintf("/searches/%s?wait=1&member=%d&fare=marine&rule=change", w.crew, member), "/book")
	if !strings.HasPrefix(made.path, "/bookings/") {
		w.t.Fatalf("holding for member %d ended at %s with %d", member, made.path, made.status)
	}
	return made.path
}

func (w *walked) open(b *browser, path string) page {
	w.t.Helper()
	return sure(b.open(path))(w.t)
}

func (w *walked) send(b *browser, path string, form url.Values) page {
	w.t.Helper()
	return sure(b.send(path, form))(w.t)
}

// dump returns every row that belongs to the customer's production account, and the customer's
// people, as text, without the audit log and the request log, which grow with whatever anybody does.
func (w *walked) dump() []string {
	w.t.Helper()
	ask := `SELECT table_name FROM information_schema.columns WHERE table_schema = current_schema() AND column_name = 'account'`
	if strings.HasPrefix(w.database, "sqlite:") {
		ask = `SELECT t.name FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND c.name = 'account'`
	}
	db := openSQL(w.t, w.database)
	tables := map[string]string{"person": "customer", "account": "customer"}
	for _, table := range rowsOf(w.t, db, ask) {
		if !slices.Contains([]string{"audit", "logged_request", "request_log"}, table) {
			tables[table] = "account"
		}
	}
	var list []string
	for table, column := range tables {
		of := map[string]string{"customer": w.theirs.Customer, "account": w.theirs.prod.ID}[column]
		for _, row := range rowsOf(w.t, db, `SELECT * FROM `+table+` WHERE `+column+` = $1`, of) {
			list = append(list, table+" "+row)
		}
	}
	return list
}
