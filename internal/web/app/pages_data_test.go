package app_test

import (
	"errors"
	"fmt"
	"html"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"gangway/internal/deliver/notify"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/access"
	"gangway/internal/web/app/apptest"
)

// An office is a customer with something of everything that pages show, and with names
// and ranks as long as real ones get.
type office struct {
	*apptest.Site
	t                       *testing.T
	admin, approver, booker *apptest.Client
	trial                   *apptest.Client // an admin in the development environment, which is empty
	fleet                   *apptest.Client // a booker of another customer, whose report has much to say

	one, all, nowhere string // searches: for one traveller, a crew, and where nobody flies
	legs              string // search: of a journey of two legs
	offer             string // of the one
	barred, question  string // a fare of it that crew may not use, open and to be held
	planned, moved    string // searches of crew changes: found, and booked before the ship moved
	// a search that a customer's system has handed over, with what it says of it
	handed                            string
	fedRun, badRun, oldRun, failedRun string            // runs of feeds
	held, issued, changed, paid       string            // bookings
	rerouted, lost, elsewhere         string            // bookings
	waits, own, declined              string            // bookings that need or needed somebody else's word
	batch, begun                      string            // bookings of a crew: done, and under way
	ticked, acted, movedRun           string            // quotes for many bookings, and runs that are over
	review                            url.Values        // the form of a batch
	claims                            map[string]string // one-time addresses of hand-offs
	system                            string            // the address of a customer's system that can be checked
	reading, read                     string            // files that were given to a feed
	delivered, refusedThere, kept     string            // deliveries
	link                              string            // opens the itinerary of a crew change
	sent                              string            // the booking that was sent to many outlets
	pushed                            string            // the webhook-id of what one of them refused
	archive                           *apptest.Receiver // of what is in the outlet of that name

	program *apptest.Client // somebody with an API key
	asked   []string        // identifiers of what a program has asked: well, wrongly, with warnings
}

// inviteTwo leaves two people who were invited, one of them too long ago.
func (o *office) inviteTwo() {
	o.t.Helper()
	for token, ago := range map[string]time.Duration{"invited": time.Hour, "forgotten": 100 * time.Hour} {
		u := gangway.User{Customer: o.Production.Customer.ID, Email: token + "@example.com", Name: longName,
			Role: gangway.Approver}
		apptest.Done(o.t, o.DB.Invite(o.t.Context(), storetest.Operator, gangway.Invitation{User: u,
			At: o.Now().Add(-ago)}, access.HashKey(token)))
	}
}

// askByProgram has a program ask much, some of it wrongly, and shows its key.
func (o *office) askByProgram() {
	o.t.Helper()
	plain, hash, shown := access.NewKey(gangway.Production)
	in := apptest.Production(o.Site)
	if err := in.CreateCredential(o.t.Context(), storetest.Operator, store.Credential{Kind: store.APIKey,
		ID: store.NewID("key"), Shown: shown, CreatedAt: o.Now()}, hash); err != nil {
		o.t.Fatal(err)
	}
	storetest.Settings(o.t, in, gangway.Settings{LogBodies: true})
	if _, err := in.SetOutlet(o.t.Context(), storetest.Operator, "erp-of-the-manning-office", storetest.PushTo(
		"https://erp.of-the-manning-office.corvina.example/api/bookings/incoming"),
		[]string{"whsec_MDEyMzQ1Njc4OWFiY2RlZg"}, o.Now()); err != nil {
		o.t.Fatal(err)
	}
	wrong := map[string][]string{}
	for i := range 30 {
		wrong[fmt.Sprintf("[%d].Onsigners[%d].DocExpireDate", 4711+i, i)] = []string{
			"The DocExpireDate field must be a calendar date written YYYY-MM-DD, not 31 November. (" + longName + ")"}
	}
	well := gangway.LoggedRequest{Method: "POST", Path: "/travelers-requests", Status: 200, Key: "key_1",
		Took: 1340 * time.Millisecond, Received: 31 << 20, Sent: 160, Body: []byte(`[{"a": "` + longName + `"}]`),
		Answer: []byte(`{"isSuccess": true}`)}
	refused, warned := well, well
	refused.Status, refused.Details = 400, gangway.RequestDetails{Errors: wrong}
	warned.Details, warned.Body, warned.Answer = gangway.RequestDetails{Warnings: wrong}, nil, nil
	lost := gangway.LoggedRequest{Method: "DELETE", Status: 404, Details: gangway.RequestDetails{
		Address: "/travellers-request/of-the-manning-office/in-Manila?requestId=…&subRequestId=…&after=…",
		Detail:  "there is nothing at this address"}}
	slow := gangway.LoggedRequest{Method: "GET", Path: "/bookings", Status: 429, Key: "key_2", Took: 12 * time.Second,
		Details: gangway.RequestDetails{Detail: "more than 6000 requests in a minute"}}
	for i, r := range []gangway.LoggedRequest{well, refused, warned, lost, slow, well, refused} {
		r.At = o.Now().Add(-time.Duration(i) * 9 * time.Hour)
		r.ID = store.NewRequestID(r.At)
		o.asked = append(o.asked, r.ID)
		o.Requests.Note(in.Scope().Account, r)
	}
	o.program = o.Client(o.t)
	o.program.Post("/integrator", url.Values{"key": {plain}}).Has(o.asked[0])
}

// giveFiles gives a feed two files, of which one is still being read.
func (o *office) giveFiles() {
	o.t.Helper()
	in := apptest.Production(o.Site)
	apptest.SetUploadFeed(o.t, in, "office", gangway.CrewChangesFlow)
	apptest.SetUploadFeed(o.t, in, "joiners-and-leavers-of-the-manning-office-in-Manila", gangway.CrewChangesFlow)
	short := apptest.RunFeed(o.t, in, gangway.FeedRun{Feed: "joiners-and-leavers-of-the-manning-office-in-Manila",
		At: o.Now(), GivenBy: apptest.Maya, Received: 3,
		Error:   "it lacks 12407 of the 12410 records that it had: nothing was changed",
		Shorter: gangway.ShorterList{Now: 3, Before: 12410}, FailedDocuments: 2, Failures: []gangway.DocumentFailure{
			{Document: "Zwischenlandungen_der_Mannschaft_im_Dezember_zweitausendsechsunddreißig_zur_Ansicht.csv",
				Message: "it is a web page, not a document: whoever wrote it was perhaps not signed in"},
			{Document: "b.json", Message: "after record 2: it ends too early, at byte 49"}}}, time.Time{})
	o.failedRun = fmt.Sprintf("/settings/feeds/%s/runs/%d", short.Feed, short.ID)
	for i, to := range []*string{&o.read, &o.reading} {
		run := apptest.GiveFile(o.t, o.Site, "office", wrongList())
		*to = apptest.UploadPath("office", run)
		if i == 0 {
			apptest.ReadFile(o.t, o.Site, "office", run)
			continue
		}
		l, err := in.TakeFeed(o.t.Context(), "office", o.Now(), o.Now().Add(time.Hour))
		if err != nil {
			o.t.Fatal(err)
		}
		l.Given.Tries++
		if err := in.NoteFeedProgress(o.t.Context(), l, store.FeedProgress{Read: 31_400_000, Size: 88_000_000,
			Records: 120_000}); err != nil {
			o.t.Fatal(err)
		}
	}
}

// sendOut has an outlet that delivers all but one booking, one that fails and one that is paused.
func (o *office) sendOut() {
	o.t.Helper()
	erp := apptest.Receive(o.t, o.Site, "erp")
	theirs := apptest.Receive(o.t, o.Site, longOutlet)
	o.archive = apptest.Receive(o.t, o.Site, "archive")
	in := apptest.Production(o.Site)
	if err := in.PauseOutlet(o.t.Context(), apptest.Maya, "archive", o.Now()); err != nil {
		o.t.Fatal(err)
	}
	theirs.Status.Store(http.StatusBadGateway)
	theirs.Says = strings.Repeat("Überlast", 60) + "\u202e " + strings.Repeat("die Warteschlange ist voll, ", 30)
	took, refused := o.Outlet(o.t, "erp"), o.Outlet(o.t, longOutlet)
	var id string
	for _, status := range []int32{http.StatusUnprocessableEntity, http.StatusOK} {
		erp.Status.Store(status)
		id = strings.TrimPrefix(o.booker.Booked("fare=marine"), "/bookings/")
		o.Deliver(o.t, o.Now(), apptest.Private, func(in store.Scoped) bool {
			list, err := in.DeliveryStatuses(o.t.Context(), id)
			if err != nil {
				o.t.Fatal(err)
			}
			tried := map[string]bool{}
			for _, d := range list {
				tried[d.Outlet] = d.Attempts > 0
			}
			return tried[took.ID] && tried[refused.ID]
		})
	}
	o.delivered = "/settings/outlets/erp/deliveries/" + id + "/1"
	o.refusedThere = "/settings/outlets/" + longOutlet + "/deliveries/" + id + "/1"
	o.sent = "/bookings/" + id
	d, err := in.Delivery(o.t.Context(), longOutlet, id, 1)
	if err != nil {
		o.t.Fatal(err)
	}
	o.pushed = d.ID
	o.kept = "/settings/outlets/archive/deliveries/" + id + "/1"
}

// tellNews lets hours pass in which one outlet fails, and another one recovers.
func (o *office) tellNews() {
	o.t.Helper()
	in := apptest.Production(o.Site)
	teller := notify.New(notify.Config{DB: o.DB, Now: o.Now, Log: slog.New(slog.DiscardHandler)})
	if err := in.ResumeOutlet(o.t.Context(), apptest.Maya, "archive", o.Now()); err != nil {
		o.t.Fatal(err)
	}
	for _, is := range []struct {
		status int32
		until  func(gangway.Outlet) bool
		pass   time.Duration
	}{
		{http.StatusServiceUnavailable, func(a gangway.Outlet) bool { return !a.FailingSince.IsZero() }, time.Hour},
		{http.StatusOK, func(a gangway.Outlet) bool { return a.FailingSince.IsZero() }, 15 * time.Minute},
	} {
		o.archive.Status.Store(is.status)
		o.Deliver(o.t, o.Now(), apptest.Private, func(store.Scoped) bool { return is.until(o.Outlet(o.t, "archive")) })
		for range 2 {
			if err := teller.Look(o.t.Context()); err != nil {
				o.t.Fatal(err)
			}
			o.Passed.Add(int64(is.pass))
		}
	}
}

// wrongList is an office's list in which much is wrong, some of it over and over.
func wrongList() string {
	list := "vessel;change_date;side;id;last_name;first_name;gender;dob;home_airport;rank;rank\n"
	for i := range 45 {
		list += fmt.Sprintf("Aurora %d;2036-12-01;on;K%04d;Santos;Maria;F;1985-02-01;Kustendorf an der See;AB;\n", i, i)
	}
	return list + "Borealis;2036-12-01;on;K8001;Cruz;Ana;F;31.02.1985;MNL;AB;\n" +
		"Corvus;2036-12-01;off;K8002;Cruz;Bea;" + longName + ";1985-02-01;MNL;AB;\n" +
		"Corvus;2036-12-01;off;K8003;;Carla;F;1985-02-01;MNL;AB;\n" +
		";2036-12-01;off;K8004;Lim;Dora;F;1985-02-01;MNL;AB;\n"
}

const (
	longOutlet = "CrewPlanningSystemOfTheManningOfficeInManilaSecondFloorRoom12345"

	longName = "Wiśniewska-Dimaculangan"
	plan     = "on:2036-12-03:PA:northern light"
)

// ranks are written as crew systems write them.
var ranks = []string{"Second Assistant Engineer", "Able Seaman", "Master", "Chief Officer, Dynamic Positioning",
	"Messman", "Third Officer", "Electro-Technical Officer", "Chief Cook"}

// newOffice fills a site.
func newOffice(t *testing.T) *office {
	s, _ := apptest.NewMailingSite(t)
	in := apptest.Production(s)
	o := &office{Site: s, t: t, admin: s.SignedIn(t, gangway.Admin), approver: s.SignedIn(t, gangway.Approver),
		booker: s.SignedIn(t, gangway.Booker), trial: s.SignedIn(t, gangway.Admin)}
	o.fleet = apptest.ReportedClient(t, s, 400)
	o.inviteTwo()
	o.admin.Post("/report/views", url.Values{"view": {"Fleet"}, "from": {""}, "to": {""}})
	o.admin.Post("/report/views/mail", url.Values{"view": {"Fleet"}, "person": {"u_admin", "u_booker"}})
	o.askByProgram()
	o.trial.Post("/environment", url.Values{"environment": {"development"}, "back": {"/"}})
	apptest.PlanCrew(t, in)
	for i, date := range []gangway.Date{"2037-01-03", "2037-01-08", "2037-01-20"} { // it moves, and then nobody knows
		moves := gangway.CrewChange{Vessel: "SEA SPARROW", Flag: "NO", ChangeDate: date, OnSigners: apptest.Sailors(3)}
		_, err := in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{moves}, apptest.Today.Add(time.Duration(i)))
		apptest.Done(t, err)
	}
	pole := gangway.Traveller{LastName: longName, FirstName: "Konstantinos Alexandros", Nationality: "PL"}
	moves := gangway.CrewChange{Vessel: "Corvina Dolomite Endeavour of the Seas", Flag: "BS", ChangeDate: "2036-12-03",
		TravelRequestID: "GEN-99", ChangeAirport: "SIN", OnSigners: []gangway.CrewMember{{Traveller: pole}}}
	o.SendChanges(t, apptest.Today, moves)
	defer func() { // once the hotel is asked for
		moves.ChangeDate, moves.ChangeAirport = "2036-12-06", "RTM"
		o.SendChanges(t, apptest.Today.Add(time.Hour), moves)
		for apptest.Must(s.DB.Trace(t.Context()))(t) {
		}
	}()
	if _, err := in.UpsertTravelRequests(t.Context(), []gangway.TravelRequest{
		{
			RequestID: "TR-2036-0001", Traveller: pole, Rank: ranks[3],
			Vehicle: &gangway.Vehicle{Name: "Corvina Dolomite Endeavour of the Seas", Flag: "BS"},
			Remarks: "Simulator course in the week before, needs a visa letter and a letter of guarantee",
			Hotel:   &gangway.HotelNeed{Location: "Port of Rotterdam", CheckIn: "2036-12-02", CheckOut: "2036-12-26"},
			Flight:  &gangway.FlightNeed{Origin: "GDN", Destination: "NLRTM", Date: "2036-12-01"},
		},
		{RequestID: "TR-2036-0002", Traveller: gangway.Traveller{LastName: "Okafor", FirstName: "Boris"},
			Flight:  &gangway.FlightNeed{Origin: "LOS", Destination: "SIN"},
			Vehicle: &gangway.Vehicle{Name: "OCEAN PIONEER", Flag: "LR"}},
	}); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if err := s.DB.Record(t.Context(), gangway.AuditEntry{
			At: apptest.Today, By: gangway.ByCommand("root", "vm"), Customer: s.Production.Customer.ID,
			Environment: gangway.Production, What: gangway.UserCreated,
			After: map[string]any{"email": "mara.lindqvist@corvina.example", "name": "Mara Lindqvist", "role": "booker",
				"user": "usr_lfmt4hzxjibsjqr56h7cflralj"},
		}); err != nil {
			t.Fatal(err)
		}
	}
	runs := apptest.SetFeeds(t, s)
	at := func(run gangway.FeedRun) string { return fmt.Sprintf("/settings/feeds/%s/runs/%d", run.Feed, run.ID) }
	o.fedRun, o.badRun, o.oldRun = at(runs.Last), at(runs.Bad), at(runs.Old)
	apptest.SetBusyFeed(t, s)
	o.system = apptest.CheckedSystem(t, s).URL
	o.giveFiles()
	o.sendOut()
	o.search()
	o.bookCrew()
	o.book()
	o.actTogether()
	o.handOver()
	o.setPolicy()
	return o
}

var notForCrew = regexp.MustCompile(`class="fare off" id="o-([^"]*)"`)

// setPolicy has crew need a checked bag, and an airline not be used.
func (o *office) setPolicy() {
	in := apptest.Production(o.Site)
	account, err := in.Account(o.t.Context())
	if err != nil {
		o.t.Fatal(err)
	}
	account.Settings.Fares, account.Settings.Avoid = gangway.FareRule{Bag: true}, "SQ"
	account.Settings.Transits, account.Settings.Rates = "DXB", "1 EUR = 1.0845 USD, 19 Nov 2036, ECB"
	account.Settings.Crew.NightPrices = "BKK 60.00 USD\nNLRTM 160.00 USD"
	storetest.Settings(o.t, in, account.Settings)
	o.barred = o.one + "?wait=1&open=" + notForCrew.FindStringSubmatch(o.booker.Get(o.one + "?wait=1").Body)[1]
	hold := regexp.MustCompile(`data-key="h" href="([^"]*)"`).FindStringSubmatch(o.booker.Get(o.barred).Body)
	o.question = html.UnescapeString(hold[1])
}

// search makes four searches: for one traveller, for many with distant homes, to a place where nobody flies, and of a
// journey of two legs.
func (o *office) search() {
	crew := apptest.Joiners()
	for i, home := range []gangway.Airport{"ILO", "COK", "CMB", "TBS", "RIX", "ACC", "DLC", "CGK"} {
		who := apptest.Maria
		who.ID, who.LastName, who.FirstName, who.HomeAirport, who.DocNumber = fmt.Sprintf("C-20%d", i), longName,
			"Maria Cristina", home, fmt.Sprintf("P765432%dZ", i)
		crew = append(crew, who)
	}
	crew[1].DOB, crew[2].HomeAirport = "", "XQX"
	far := crew[3]
	far.ID, far.DocNumber, far.Email = "C-3000", "P7654321Z", "crew.298@corvina.example"
	one, all := o.Keep(o.t, far), o.Keep(o.t, crew...)
	for i := range all.Members {
		all.Members[i].Rank = ranks[i%len(ranks)]
	}
	nowhere := o.Keep(o.t, apptest.Maria)
	nowhere.Members[0].Legs[0].Destination = "XQX"
	legs := o.Keep(o.t, far)
	legs.Members[0].Legs = []gangway.Leg{{Origin: "ILO", Destination: "LHR", Date: "2036-12-01"},
		{Origin: "LHR", Destination: "PUS", Date: "2036-12-03"}}
	for _, s := range []gangway.Search{all, nowhere, legs} {
		if err := apptest.Production(o.Site).SaveSearch(o.t.Context(), s); err != nil {
			o.t.Fatal(err)
		}
	}
	o.one, o.all, o.nowhere = "/searches/"+one.ID, "/searches/"+all.ID, "/searches/"+nowhere.ID
	o.legs = "/searches/" + legs.ID
	o.offer = o.booker.Get(o.one).Form(o.one + "/book").Get("offer")
}

// bookCrew books a crew, then moves the ship and drops some of the crew.
func (o *office) bookCrew() {
	people := apptest.Sailors(8)
	for i := range people {
		people[i].Metadata, people[i].LastName, people[i].FirstName = map[string]string{"rank": ranks[i]}, longName,
			"Konstantinos "+string(rune('A'+i))
	}
	o.Upload(o.t, "2036-12-01", people)
	o.moved = o.booker.SearchEverybody("NLRTM")
	o.booker.Get(o.moved + "?wait=1")
	review := o.booker.Get(o.moved + "/book-all")
	began := o.booker.Post(o.moved+"/book-all", review.Form(o.moved+"/book-all"))
	o.batch, _, _ = strings.Cut(began.Path, "?")
	o.booker.Finish(began)
	o.booker.Post("/agent/send", url.Values{"change": {"id:GEN-00"}, "to": {"operations@maas-agency.example"},
		"confirmed": {"operations@maas-agency.example"}}).Has("The list was sent")
	o.Upload(o.t, "2036-12-04", people[:6])
	const itinerary = "/itinerary?change=id%3AGEN-00"
	made := o.booker.Post("/itinerary/link", o.booker.Get(itinerary).Form("/itinerary/link")).Body
	o.link = made[strings.Index(made, "/i/"):][:len("/i/")+26]
	o.planned, _, _ = strings.Cut(o.booker.Post("/crew-changes/search", url.Values{"key": {plan}, "airport": {"SIN"}}).
		Path, "?")
	o.booker.Get(o.planned + "?wait=1")
	// Which replica's page finds the flights for those who wait below.
	o.review = o.booker.Get(o.planned + "/book-all").Form(o.planned + "/book-all")
}

// book makes a booking of every kind.
func (o *office) book() {
	const change = "fare=marine&rule=change"
	o.held, o.issued = o.booker.Booked(change), o.booker.Booked("fare=marine")
	o.booker.Submit(o.issued + "/issue")
	o.changed, o.paid = o.booker.Booked(change), o.booker.Booked(change)
	o.booker.Post(o.changed+"/ask-change", o.booker.Get(o.changed+"/change?date0=2036-12-04").Form(o.changed+
		"/ask-change")).Has("to pay with the tickets")
	o.booker.Submit(o.paid + "/issue")
	asked := o.booker.Post(o.paid+"/ask-change", o.booker.Get(o.paid+"/change?date0=2036-12-04").Form(o.paid+
		"/ask-change"))
	o.booker.Post(o.paid+"/confirm-change", asked.Form(o.paid+"/confirm-change"))
	o.booker.Submit(o.paid + "/cancel")
	o.lost, o.rerouted = o.booker.Booked(""), o.booker.Disturbed()
	o.booker.Lost(strings.TrimPrefix(o.lost, "/bookings/"))
	entered := o.booker.Post("/bookings/enter", o.booker.Entry())
	o.elsewhere, _, _ = strings.Cut(entered.Path, "?")
	o.booker.Submit(o.elsewhere + "/cancel")
	storetest.Settings(o.t, apptest.Production(o.Site),
		gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
	o.waits, o.own, o.declined = o.booker.Booked(""), o.admin.Booked(""), o.booker.Booked("")
	o.approver.Post(o.declined+"/decline",
		url.Values{"reason": {"The seafarer has found a cheaper flight, please look at it again before you ask for " +
			"this one."}})
}

// actTogether ticks many bookings, and leaves a run with every result.
func (o *office) actTogether() {
	ticks, in := url.Values{}, apptest.Production(o.Site)
	run := store.Batch{ID: "run", Kind: "release", By: gangway.User{Name: "Ingrid Holm"}, CreatedAt: apptest.Today}
	for i, b := range o.Bookings(o.t) {
		ticks.Add("booking", b.ID)
		item := store.BatchItem{Booking: fmt.Sprint("asked-", i), ActsOn: b.ID, Doc: []byte("{}")}
		run.Items = append(run.Items, item)
	}
	o.ticked, o.acted = "/bookings/together?"+ticks.Encode(), "/runs/"+run.ID
	_, _, err := in.BeginBatch(o.t.Context(), run, apptest.Today)
	for i, item := range run.Items {
		state, why := store.ItemDone, ""
		if i%3 == 0 {
			state, why = store.ItemRefused,
				"it does not fit the plan: arrives on Tue 2 Dec; the ship is there on Sat 29 Nov"
		}
		err = errors.Join(err, in.SettleItem(o.t.Context(), run.ID, item.Booking, state, why))
	}
	if err != nil {
		o.t.Fatal(err)
	}
	o.moveTogether(in, run)
}

// moveTogether leaves a run of moves in which one person has two bookings, and the others wait as they do.
func (o *office) moveTogether(in store.Scoped, run store.Batch) {
	run.ID, run.Kind, o.movedRun = "moves", "move", "/runs/moves"
	two := strings.TrimPrefix(o.held, "/bookings/")
	for i, item := range run.Items {
		run.Items[i].Booking += "-move"
		if item.ActsOn == two {
			_, err := in.UpdateBooking(o.t.Context(), two, "", func(b *gangway.Booking) (gangway.Action, error) {
				b.Replaces = &gangway.Replacing{Booking: run.Items[0].ActsOn, Locator: "ABC234", Person: "ABC234 and " +
					"its replacement DEF567 are both live: ABC234 can no longer be voided, and cancelling it brings " +
					"back USD 1,729.08."}
				return gangway.Action{}, nil
			})
			apptest.Done(o.t, err)
		}
	}
	_, _, err := in.BeginBatch(o.t.Context(), run, apptest.Today)
	for _, item := range run.Items {
		err = errors.Join(err, in.SettleItem(o.t.Context(), run.ID, item.Booking, store.ItemDone, ""))
	}
	apptest.Done(o.t, err)
}

// handOver has a customer's system send forms.
func (o *office) handOver() {
	form := url.Values{
		"vessel": {"NORTHERN LIGHT"}, "flag": {"PA"}, "change_airport": {"SIN"}, "environment": {"staging"},
		"onsigners[0][last_name]": {"O'Brien-Smith"}, "onsigners[0][first_name]": {"Mary-Jane"},
		"onsigners[0][dob]":        {"1985-03-12"},
		"onsigners[0][doc_number]": {strings.Repeat("P", 40)}, "onsigners[0][email]": {"nope"},
		"onsigners[0][home_airport]": {"DUB"}, "onsigners[0][arrive]": {"2020-12-01"},
		"onsigners[1][last_name]": {"Santiago"}, "onsigners[1][first_name]": {"Jose"},
		"onsigners[1][home_airport]": {"CEB"},
		"offsigners[0][last_name]":   {"SANTIAGO"}, "offsigners[0][first_name]": {"JOSE"},
		"offsigners[0][home_airport]": {"CEB"}, "offsigners[0][arrive]": {"3 December"},
	}
	o.handed, _, _ = strings.Cut(o.booker.Landed(form).Path, "?")
	unread := maps.Clone(form)
	unread.Set("onsigners[0][last_name]", "M\xefller\x81")
	o.claims = map[string]string{
		"signed out": apptest.HandOver(o.t, o.Site, form).Header.Get("Location"),
		"unread":     apptest.HandOver(o.t, o.Site, unread).Header.Get("Location"),
	}
}
