package audit

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// An auditPage is the customer's audit log, newest entries first. The address holds the filters, so
// that a link shows the same entries.
type auditPage struct {
	Who, What string
	From, To  shell.Day
	Events    []eventName
	People    []string // the people to choose from
	Rows      []auditRow
	Older     url.Values // empty if nothing is older
	Newest    url.Values // empty on the first page
	Export    url.Values
	Narrowed  bool
	Wrong     string // what a filter must be; empty: they can be read
}

// An auditRow is one entry.
type auditRow struct {
	Day, Clock  string // UTC
	Who, From   string
	What        string
	Environment gangway.Environment
	Details     []string
}

// An eventName is an event in words.
type eventName struct {
	Value gangway.AuditEvent
	Words string
}

// eventWords names the events, in the order of the page's filter.
var eventWords = []eventName{
	{gangway.SignedIn, "Signed in"},
	{gangway.SignedOut, "Signed out"},
	{gangway.SignInFailed, "Sign-in failed"},
	{gangway.SignInLocked, "Sign-in refused after too many tries"},
	{gangway.RequestRefused, "Request refused"},
	{gangway.UserInvited, "Person invited"},
	{gangway.UserUninvited, "Invitation withdrawn"},
	{gangway.UserCreated, "Person added"},
	{gangway.UserDisabled, "Person disabled"},
	{gangway.UserEnabled, "Person enabled"},
	{gangway.UserRemoved, "Person removed"},
	{gangway.UserRole, "Role changed"},
	{gangway.UserPasswordLink, "Link for a new password"},
	{gangway.UserPassword, "Password changed"},
	{gangway.UserMails, "Mails chosen"},
	{gangway.UserSignedOut, "Person signed out everywhere"},
	{gangway.SettingsChanged, "Settings changed"},
	{gangway.SecretSet, "Secret set"},
	{gangway.SecretRemoved, "Secret removed"},
	{gangway.KeyCreated, "API key created"},
	{gangway.KeyRevoked, "API key revoked"},
	{gangway.ReportLoginCreated, "Report login created"},
	{gangway.ReportLoginRenewed, "Report login: new password"},
	{gangway.ReportLoginRevoked, "Report login revoked"},
	{gangway.OutletSet, "Outlet set"},
	{gangway.OutletRotated, "Outlet's secret replaced"},
	{gangway.OutletOff, "Outlet switched off"},
	{gangway.OutletDeleted, "Outlet deleted"},
	{gangway.DeliveriesReplayed, "Deliveries repeated"},
	{gangway.FeedSet, "Feed changed"},
	{gangway.FeedFetched, "Feed fetched at once"},
	{gangway.FeedDocumentTaken, "Feed's document downloaded"},
	{gangway.FeedDeleted, "Feed deleted"},
	{gangway.FeedGiven, "File given to a feed"},
	{gangway.SystemChecked, "Customer's system checked"},
	{gangway.SandboxSent, "Sandbox: booking sent"},
	{gangway.SandboxAdvanced, "Sandbox: clock moved forward"},
	{gangway.SandboxDisrupted, "Sandbox: flight disrupted"},
	{gangway.DocumentShown, "Passport number shown"},
	{gangway.RequestShown, "Request's body shown"},
	{gangway.BookingsExported, "Bookings exported"},
	{gangway.ReportExported, "Report exported"},
	{gangway.ReportViewSaved, "Report view saved"},
	{gangway.ReportViewDeleted, "Report view deleted"},
	{gangway.ReportViewMailed, "Report view mailed to others"},
	{gangway.AuditExported, "Audit log exported"},
	{gangway.MoveLimitUsed, "Limit for moves used"},
	{gangway.LinkMade, "Link to an itinerary made"},
	{gangway.LinkRevoked, "Link to an itinerary revoked"},
	{gangway.ListSent, "Agent's list sent"},
	{gangway.TravellerErased, "Traveller erased"},
	{gangway.TravellerExported, "Traveller's data exported"},
	{gangway.RequestTakenBack, "Travel request taken back"},
	{gangway.CrewChangeTakenBack, "Crew change taken back"},
	{gangway.CrewChangeMoved, "Crew change moved"}, {gangway.CrewChangeAsked, "Crew change: asked whether it moved"},
	{gangway.CrewChangesTwo, "Crew change: not moved"}, {gangway.CrewChangeMoveUndone, "Crew change: move undone"},
	{gangway.CrewChangeRules, "Crew change: rules set"},
	{gangway.TravellerTakenBack, "Traveller taken back"},
	{gangway.HotelHandled, "Hotel marked as handled"},
	{gangway.HotelReopened, "Hotel mark taken back"},
	{gangway.CustomerCreated, "Customer added"},
	{gangway.CustomerRenamed, "Customer renamed"},
	{gangway.CustomerRemoved, "Customer removed"},
}

// everything is the filter that shows sign-ins, too.
const everything = "all"

// auditShown is how many entries a page has.
const auditShown = 50

// AuditLog shows the entries that match the filters.
func (room *Room) AuditLog(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	values := r.URL.Query()
	today := gangway.DateOf(room.Now().UTC())
	p, status := auditPage{From: shell.DayOf(values.Get("from"), today, gangway.Nearest),
		To: shell.DayOf(values.Get("to"), today, gangway.Nearest)}, http.StatusOK
	q, err := readAuditQuery(values, today)
	q.Customer = v.User.Customer
	var list []gangway.AuditEntry
	if err == nil {
		list, err = room.db.Audit(r.Context(), q, auditShown+1)
	}
	if gangway.KindOf(err) == gangway.Invalid {
		p.Wrong, status, err = shell.SentenceOf(err), http.StatusUnprocessableEntity, nil
	}
	if err != nil {
		return err
	}
	p.Who, p.What, p.Events = q.By, values.Get("what"), eventWords
	p.Export = shell.Pick(values, "who", "what", "from", "to")
	p.Narrowed = len(p.Export) > 0
	if values.Get("before") != "" {
		p.Newest = p.Export
		if len(p.Newest) == 0 {
			p.Newest = url.Values{"what": {""}}
		}
	}
	if len(list) > auditShown {
		list = list[:auditShown]
		p.Older = shell.Pick(values, "who", "what", "from", "to")
		p.Older.Set("before", writePlace(list[auditShown-1]))
	}
	for _, e := range list {
		p.Rows = append(p.Rows, newAuditRow(e))
	}
	users, err := room.db.Users(r.Context(), v.User.Customer)
	if err != nil {
		return err
	}
	for _, u := range users {
		p.People = append(p.People, u.Email)
	}
	answer := "Who did what, when and from where, in both environments. Times are UTC."
	if q.But != "" {
		answer += " Sign-ins that succeeded are hidden."
	}
	switch {
	case len(p.Older) > 0:
		answer += " Newest first; older entries follow on the next page."
	case len(p.Rows) > 0:
		answer += " Newest first."
	}
	return room.Show(w, r, shell.Page{Template: "audit", Section: "settings", Title: "Settings › Audit", Status: status,
		Answer: answer, Data: p})
}

// readAuditQuery reads the filters of the address. Invalid: one of them cannot be.
func readAuditQuery(values url.Values, today gangway.Date) (store.AuditQuery, error) {
	q := store.AuditQuery{By: strings.TrimSpace(values.Get("who")), What: gangway.AuditEvent(values.Get("what")),
		Newest: true, After: readPlace(values.Get("before"))}
	switch q.What {
	case "":
		q.But = gangway.SignedIn // most of a log is that
	case everything:
		q.What = ""
	}
	from, wrong := gangway.ReadDate(values.Get("from"), today, gangway.Nearest)
	to, late := gangway.ReadDate(values.Get("to"), today, gangway.Nearest)
	switch {
	case q.What != "" && !slices.Contains(gangway.AuditEvents, q.What):
		return q, gangway.Errorf(gangway.Invalid, "what must be one of the events in the list, as settings.changed")
	case wrong != nil:
		return q, gangway.Errorf(gangway.Invalid, "from: %v", wrong)
	case late != nil:
		return q, gangway.Errorf(gangway.Invalid, "to: %v", late)
	case from != "" && to != "" && to < from:
		return q, gangway.Errorf(gangway.Invalid, "to must not be before from")
	}
	if from != "" {
		q.Since = from.In(time.UTC)
	}
	if to != "" {
		q.Until = to.AddDays(1).In(time.UTC)
	}
	return q, nil
}

// writePlace writes an entry's place in the log for the address of the next page.
func writePlace(e gangway.AuditEntry) string {
	return strconv.FormatInt(e.At.UnixMilli(), 10) + "-" + e.ID
}

// readPlace reads what writePlace wrote. Anything else is the beginning of the log.
func readPlace(text string) store.AuditPlace {
	ms, id, _ := strings.Cut(text, "-")
	n, err := strconv.ParseInt(ms, 10, 64)
	if err != nil || id == "" {
		return store.AuditPlace{}
	}
	return store.AuditPlace{At: time.UnixMilli(n), ID: id}
}

func newAuditRow(e gangway.AuditEntry) auditRow {
	row := auditRow{Day: e.At.UTC().Format("2 Jan 2006"), Clock: e.At.UTC().Format("15:04:05"), Who: e.By.Who(),
		From: e.By.From, What: string(e.What), Environment: e.Environment, Details: detailsInWords(e)}
	for _, known := range eventWords {
		if known.Value == e.What {
			row.What = known.Words
		}
	}
	return row
}
