package integrator

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/shell"
)

const (
	requestsShown  = 500 // how many requests of an account are listed
	requestsOnPage = 100
)

// A keyLog is the page of an account, for somebody who has shown its key.
type keyLog struct {
	finding
	accountLog
}

// A bothLogs is the page of both environments, for admins.
type bothLogs struct {
	finding
	Logs []accountLog
}

// A finding is what the address of a list asks for.
type finding struct {
	Kept  string // how long requests are kept, as in "30 days"
	At    string // the address of the list
	ByKey bool   // of the account whose key was shown
	View  string // one of the views
	Find  string // the identifier of a request or a delivery; of deliveries an outlet or a booking, too
	State string // of deliveries; empty: any
	Lost  string // why nothing was found; empty: nothing was looked for, or something was found

	after string // the last request of the page before this one
}

// The views of a list.
const (
	allRequests     = ""
	refusedRequests = "refused"
	allDeliveries   = "deliveries"
)

// A view is a link to a part of what there is.
type view struct {
	Words   string
	Query   url.Values
	Current bool
}

// Views are the links to all of them.
func (f finding) Views() (list []view) {
	for _, v := range []struct{ show, words string }{{allRequests, "Requests"}, {refusedRequests, "Refused"},
		{allDeliveries, "Deliveries"}} {
		list = append(list, view{v.words, shell.Pick(url.Values{"show": {v.show}}, "show"), v.show == f.View})
	}
	return list
}

// readFinding reads the address of a list. Invalid: it asks for a view, or a state, that there is not.
func readFinding(r *http.Request, at string, kept gangway.Kept) (finding, error) {
	q := r.URL.Query()
	f := finding{At: at, Find: gangway.Legible(strings.TrimSpace(q.Get("find"))), View: q.Get("show"),
		State: q.Get("state"), after: q.Get("after"), Kept: kept.Words()}
	switch {
	case !slices.Contains([]string{allRequests, refusedRequests, allDeliveries}, f.View):
		return f, gangway.Errorf(gangway.Invalid, "show must be %s or %s, or be left out", refusedRequests,
			allDeliveries)
	case f.State != "" && !slices.Contains(deliveryStates, f.State):
		return f, gangway.Errorf(gangway.Invalid, "state must be one of %s, or be left out",
			strings.Join(deliveryStates, ", "))
	case f.State != "": // which only deliveries have
		f.View = allDeliveries
	}
	switch {
	case isWebhookID(f.Find):
		f.View = allDeliveries
	case f.View == allDeliveries && isRequestID(f.Find):
		f.View = allRequests
	}
	if f.View != allDeliveries {
		f.State = ""
	}
	return f, nil
}

// isRequestID reports whether somebody has typed the identifier of a request.
func isRequestID(text string) bool { return strings.HasPrefix(strings.ToLower(text), "req_") }

// OfDeliveries reports whether deliveries are listed.
func (f finding) OfDeliveries() bool { return f.View == allDeliveries }

// States are the states of deliveries that may be asked for.
func (f finding) States() []string { return deliveryStates }

// FindsRequest reports whether a request is looked for.
func (f finding) findsRequest() bool { return f.Find != "" && f.View != allDeliveries }

// lost says why nothing was found. delivered says that deliveries were.
func (f finding) lost(delivered bool) string {
	switch {
	case f.Find == "" || delivered:
		return ""
	case isWebhookID(f.Find):
		return "None of the latest " + shell.Number(store.DeliveriesSearched) + " deliveries has this webhook-id, " +
			"and nothing that was tried with it in the last 30 days was delivered again since."
	case f.View == allDeliveries && f.State != "":
		return "There is no delivery to an outlet of this name, and none of a booking with this locator, that is " +
			f.State + "."
	case f.View == allDeliveries:
		return "There is no delivery to an outlet of this name, and none of a booking with this locator."
	case isRequestID(f.Find):
		return "No request of the last " + f.Kept + " is called so. One that showed no key that is valid belongs to " +
			"no account, and is in the server's log only."
	}
	return "A Request-Id begins with req_, and is a header of each answer. A webhook-id begins with msg_, and is a " +
		"header of each push."
}

// An accountLog is the latest requests of an account, or the latest deliveries to its outlets.
type accountLog struct {
	Environment gangway.Environment
	Show        string
	List        string // the address of the list
	Deliveries  []deliveryRow
	Chosen      bool     // not any deliveries are asked for
	Replayed    bool     // the only one had the webhook-id that is looked for before it was replayed
	Tries       []tryRow // of the only one
	MoreTries   int      // that are not listed
	Path        string   // of a request, before its identifier
	Rows        []requestRow
	Requests    int // that are listed, on all pages
	Failed      int // of them
	Cut         bool
	First       url.Values // nil: the page begins with the latest
	Older       url.Values // nil: there are none
	Kept        string     // how long requests are, as in "30 days"
	Missing     int        // requests that could not be written down
	MissingAt   time.Time  // the latest of them
	Narrow      bool       // beside another
}

// A requestRow is one request.
type requestRow struct {
	gangway.LoggedRequest
	When    string // UTC
	Address string
	Sign    string // of the badge
	Problem string // the first, and how many more there are
}

// KeyRequests shows the requests of the account whose key was shown.
func (room *Room) KeyRequests(w http.ResponseWriter, r *http.Request, in store.Scoped, key store.Credential) error {
	f, err := readFinding(r, requestsPath, room.db.Keeps().Requests)
	if err != nil {
		return err
	}
	f.ByKey = true
	p := keyLog{finding: f}
	account, err := in.Account(r.Context())
	if err != nil {
		return err
	}
	room.settle(r.Context())
	if p.findsRequest() {
		found, err := room.find(w, r, in, requestsPath+"/", p.Find)
		if found || err != nil {
			return err
		}
	}
	if p.accountLog, err = room.accountLog(r.Context(), account, p.finding, false); err != nil {
		return err
	}
	p.Path, p.Lost = requestsPath+"/", p.lost(len(p.Deliveries) > 0)
	return room.Show(w, r, shell.Page{Template: "integrator", Wide: true, Stripe: stripeOf(account), Status: p.status(),
		Title:  "This key is for " + account.Customer.Name + ", " + string(account.Environment),
		Answer: key.Shown + " (" + key.ID + ") · " + p.answer(), Data: p})
}

// stripeOf is the stripe of a page about an account, where nobody is signed in.
func stripeOf(a gangway.Account) *shell.Stripe {
	if a.Environment == gangway.Development {
		return &shell.DevelopmentStripe
	}
	return nil
}

// Requests shows the requests of both of a customer's environments.
func (room *Room) Requests(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	f, err := readFinding(r, settingsPath, room.db.Keeps().Requests)
	if err != nil {
		return err
	}
	v, _ := shell.VisitorOf(r.Context())
	production, development, err := room.db.Accounts(r.Context(), v.User.Customer)
	if err != nil {
		return err
	}
	room.settle(r.Context())
	p, delivered := bothLogs{finding: f}, false
	for _, account := range []gangway.Account{production, development} {
		path := settingsPath + "/" + string(account.Environment) + "/"
		if p.findsRequest() {
			found, err := room.find(w, r, room.db.In(account.Scope()), path, p.Find)
			if found || err != nil {
				return err
			}
		}
		log, err := room.accountLog(r.Context(), account, p.finding, account.ID == v.Account.ID)
		if err != nil {
			return err
		}
		log.Path, log.Narrow = path, true
		p.Logs, delivered = append(p.Logs, log), delivered || len(log.Deliveries) > 0
	}
	p.Lost = p.lost(delivered)
	return room.Show(w, r, shell.Page{Template: "integrator_both", Section: "settings", Title: "Settings › Integrator",
		Status: p.status(),
		Answer: "What your programs ask of Gangway, and how it is answered, in both environments. Times are UTC.",
		Data:   p})
}

const settingsPath = "/settings/integrator"

// status is that of the answer.
func (f finding) status() int {
	if f.Lost != "" {
		return http.StatusNotFound
	}
	return http.StatusOK
}

// find leads to the page of a request if the account has it.
func (room *Room) find(w http.ResponseWriter, r *http.Request, in store.Scoped, path, id string) (bool, error) {
	id = strings.ToLower(id)
	_, _, err := room.request(r.Context(), in, id)
	switch {
	case gangway.KindOf(err) == gangway.NotFound:
		return false, nil
	case err != nil:
		return false, err
	}
	return true, room.Redirect(w, r, path+url.PathEscape(id))
}

// request returns a request of an account's log. counted: it has no entry of its own, as it came faster than the limit;
// what is returned is the one in whose entry it is counted. NotFound: the log has neither.
func (room *Room) request(ctx context.Context, in store.Scoped, id string) (req gangway.LoggedRequest, counted bool,
	err error) {
	req, err = in.LoggedRequest(ctx, id)
	if gangway.KindOf(err) != gangway.NotFound {
		return req, false, err
	}
	req, err = in.CountedRequest(ctx, id, time.Minute, web.NotedEach)
	return req, err == nil, err
}

// accountLog reads what a view of an account has. linked says that the reader may see the pages of its deliveries.
func (room *Room) accountLog(ctx context.Context, a gangway.Account, f finding, linked bool) (log accountLog,
	err error) {
	in := room.db.In(a.Scope())
	if f.View == allDeliveries {
		log, err = room.deliveries(ctx, in, f, linked)
		log.Chosen = f.Find != "" || f.State != ""
	} else {
		log, err = room.logged(ctx, in, f)
	}
	log.Environment, log.Show, log.List, log.Kept = a.Environment, f.View, f.At, f.Kept
	return log, err
}

// logged reads a page of the latest requests of an account.
func (room *Room) logged(ctx context.Context, in store.Scoped, f finding) (log accountLog, err error) {
	list, err := in.LoggedRequests(ctx, f.View == refusedRequests, requestsShown+1)
	if err != nil {
		return log, err
	}
	if log.Cut = len(list) > requestsShown; log.Cut {
		list = list[:requestsShown]
	}
	if log.Missing, log.MissingAt, err = in.MissingRequests(ctx, room.Now()); err != nil {
		return log, err
	}
	keys, err := in.Credentials(ctx, store.APIKey)
	if err != nil {
		return log, err
	}
	shown := map[string]string{}
	for _, k := range keys {
		shown[k.ID] = k.Shown
	}
	log.Requests = len(list)
	for _, r := range list {
		if r.Status >= 400 {
			log.Failed++
		}
	}
	for _, r := range log.choose(list, f) {
		row := newRequestRow(r)
		row.Key = cmp.Or(shown[r.Key], r.Key)
		log.Rows = append(log.Rows, row)
	}
	return log, nil
}

// choose returns the requests of the page that is asked for. A request that is not in the list leads to its beginning.
func (l *accountLog) choose(list []gangway.LoggedRequest, f finding) []gangway.LoggedRequest {
	of := func(after string) url.Values {
		return shell.Pick(url.Values{"show": {f.View}, "after": {after}}, "show", "after")
	}
	begin := 1 + slices.IndexFunc(list, func(r gangway.LoggedRequest) bool { return r.ID == f.after })
	if begin > 0 {
		l.First = of("")
	}
	if list = list[begin:]; len(list) > requestsOnPage {
		list = list[:requestsOnPage]
		l.Older = of(list[requestsOnPage-1].ID)
	}
	return list
}

// Later reports whether the page does not begin with the latest request.
func (l accountLog) Later() bool { return l.First != nil }

// Paged reports whether there are other pages.
func (l accountLog) Paged() bool { return l.Later() || l.Older != nil }

// answer says how an account's programs, or its outlets, are doing.
func (l accountLog) answer() string {
	switch {
	case l.Requests+len(l.Deliveries) > 0:
		return l.Counted() + ". Times are UTC."
	case l.Show != allDeliveries:
		return "Nothing was asked in the last " + l.Kept + "."
	case l.Chosen:
		return "No such delivery."
	}
	return "Nothing was to be delivered yet."
}

// Counted is how many requests or deliveries are listed, and how they did.
func (l accountLog) Counted() string {
	if l.Show == allDeliveries {
		return l.countedDeliveries()
	}
	words := shell.Plural(l.Requests, "request", "requests")
	if l.Cut {
		words = "the latest " + words
	} else {
		words += " in the last " + l.Kept
	}
	switch {
	case l.Failed == 0:
		return words + ", none refused"
	case l.Requests == 1:
		return words + ", refused"
	}
	return words + ", " + shell.Number(l.Failed) + " of them refused"
}

func newRequestRow(r gangway.LoggedRequest) requestRow {
	return requestRow{LoggedRequest: r, When: momentWords(r.At), Sign: signOf(r), Problem: problemWords(r.Details),
		Address: cmp.Or(gangway.Legible(cmp.Or(r.Details.Address, r.Path)), "an address without anything")}
}

// momentWords writes an instant in UTC.
func momentWords(at time.Time) string { return at.UTC().Format("2 Jan 15:04:05") }

// signOf is the badge of a status: good, to be mended by who asked, or to be asked again later.
func signOf(r gangway.LoggedRequest) string {
	switch {
	case r.Status < 400:
		return "good"
	case len(r.Details.Errors) > 0: // whatever the status: that of SOAP is 500
		return "act"
	case r.Status == http.StatusTooManyRequests, r.Status == http.StatusConflict, r.Status >= 500:
		return "watch"
	}
	return "act"
}

// problemShown is how many letters of a problem a list has: the request's own page has all.
const problemShown = 140

// problemWords says what was wrong first, and how much more there was.
func problemWords(d gangway.RequestDetails) string {
	first, more := "", 0
	for _, of := range []map[string][]string{d.Errors, d.Warnings} {
		for _, path := range slices.Sorted(maps.Keys(of)) {
			for _, sentence := range of[path] {
				if first == "" {
					first = path + ": " + sentence
				} else {
					more++
				}
			}
		}
	}
	first = cmp.Or(first, shell.AsSentence(d.Detail))
	first = gangway.Shortened(gangway.Legible(first), problemShown)
	switch {
	case more > 0 && d.Truncated:
		first += fmt.Sprintf(" And more than %d others.", more)
	case more > 0:
		first += fmt.Sprintf(" And %s.", shell.Plural(more, "other", "others"))
	}
	return first
}
