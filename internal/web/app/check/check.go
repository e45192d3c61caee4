package check

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"gangway/internal/background"
	"gangway/internal/doctor"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/web/app/shell"
)

// A checkPage asks what to check, and shows what was found.
type checkPage struct {
	checkForm
	Feeds  []string // whose systems can be checked
	Wrong  string   // why nothing was checked
	Report *checkReport
}

// A checkForm is what somebody asked for. Secrets are never shown again.
type checkForm struct {
	What          string // address, list (B2's whole address), or feed: and a name
	URL           string
	Flows         map[string]bool
	Auth, User    string
	Surname       string
	From, To, Day shell.Day
}

// feedsListed is how many feeds can be chosen.
const feedsListed = 100

// pageWhole is how long one examination takes at most that a page waits for.
const pageWhole = time.Minute

// Check shows the form.
func (room *Room) Check(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p := checkPage{checkForm: checkForm{What: "address", Auth: "none", Flows: map[string]bool{
		string(gangway.TravellerLookupFlow): true, string(gangway.TravelRequestsFlow): true,
		string(gangway.CrewChangesFlow): true}}}
	if feed := r.URL.Query().Get("feed"); feed != "" {
		p.What = "feed:" + feed
	}
	return room.showCheck(w, r, in, p, http.StatusOK)
}

func (room *Room) showCheck(w http.ResponseWriter, r *http.Request, in store.Scoped, p checkPage, status int) error {
	feeds, err := in.Feeds(r.Context())
	if err != nil {
		return err
	}
	for _, f := range feeds {
		if f.Transport.Kind == "endpoint" && len(p.Feeds) < feedsListed {
			p.Feeds = append(p.Feeds, f.Name)
		}
	}
	answer := "Calls your system as it is called while people book, and says what to mend."
	if p.Report != nil {
		answer = p.Report.Summary()
	}
	return room.Show(w, r, shell.Page{Template: "check", Section: "settings", Title: "Settings › Check",
		Answer: answer, Status: status, Data: p})
}

// RunCheck examines the system and shows the report. Nothing of it is stored but an entry of the
// audit log, since a system is called in the account's name, and shows its crew.
func (room *Room) RunCheck(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p := checkPage{checkForm: room.readCheckForm(r)}
	refuse := func(err error) error {
		if gangway.KindOf(err) != gangway.Invalid && gangway.KindOf(err) != gangway.NotFound {
			return err
		}
		p.Wrong = shell.SentenceOf(err)
		p.Wrong = strings.TrimSpace(p.Wrong + " " + transport.HowToAllow(p.Wrong))
		return room.showCheck(w, r, in, p, http.StatusUnprocessableEntity)
	}
	plan, err := room.checkPlan(r, in, p.checkForm)
	if err != nil {
		return refuse(err)
	}
	done, err := room.checks.TryTake(in.Scope().Account, 1)
	if err != nil {
		return checksFull[err]
	}
	defer done()
	if err := in.Record(r.Context(), room.Actor(r), gangway.SystemChecked, plan.About(), room.Now()); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), pageWhole)
	defer cancel()
	d := doctor.New(doctor.Config{Options: room.poller.Options(),
		Runner: room.poller.Workers().Trial(in.Scope().Account), Push: transport.Options{Allow: room.pushable},
		Now: room.Now, Whole: pageWhole})
	report, err := d.Examine(ctx, plan)
	if err != nil {
		return refuse(err)
	}
	p.Report = shownReport(report)
	return room.showCheck(w, r, in, p, http.StatusOK)
}

func (room *Room) readCheckForm(r *http.Request) checkForm {
	f := checkForm{What: r.PostFormValue("what"), URL: strings.TrimSpace(r.PostFormValue("url")),
		Auth: r.PostFormValue("auth"), User: r.PostFormValue("user"), Flows: map[string]bool{},
		Surname: strings.TrimSpace(r.PostFormValue("surname")), From: room.ReadDay(r, "from", gangway.Next),
		To: room.ReadDay(r, "to", gangway.Next), Day: room.ReadDay(r, "day", gangway.Next)}
	for _, flow := range r.PostForm["flow"] {
		f.Flows[flow] = true
	}
	return f
}

// checkPlan returns what is to be examined. Invalid: it cannot be, as asked for.
func (room *Room) checkPlan(r *http.Request, in store.Scoped, f checkForm) (plan doctor.Plan, err error) {
	for _, d := range []shell.Day{f.From, f.To, f.Day} {
		if d.Wrong != "" {
			return plan, gangway.Errorf(gangway.Invalid, "one of the days cannot be read")
		}
	}
	if (f.From.Date == "") != (f.To.Date == "") || f.From.Date > f.To.Date {
		return plan, gangway.Errorf(gangway.Invalid, "a period has a first and a last day, in this order")
	}
	if name, is := strings.CutPrefix(f.What, "feed:"); is {
		stored, err := in.Feed(r.Context(), name)
		if err != nil {
			return plan, err
		}
		plan, err = doctor.OfFeed(stored.Feed)
		if err != nil {
			return plan, err
		}
	} else {
		at := doctor.Address{URL: f.URL, Flows: f.flows(), Secret: strings.TrimSpace(r.PostFormValue("secret"))}
		if len(at.Flows) == 0 {
			return plan, gangway.Errorf(gangway.Invalid, "choose at least one thing to be checked")
		}
		if at.Credentials, err = checkCredentials(f, r.PostFormValue("shown")); err != nil {
			return plan, err
		}
		if plan, err = doctor.AtAddress(at); err != nil {
			return plan, err
		}
	}
	plan.Ask = gangway.Ask{Surname: f.Surname, From: f.From.Date, To: f.To.Date, Date: f.Day.Date}
	return plan, nil
}

func (f checkForm) flows() (list []gangway.Flow) {
	if f.What == "list" {
		return []gangway.Flow{gangway.TravellersFlow}
	}
	for _, flow := range doctor.Flows {
		if f.Flows[string(flow)] {
			list = append(list, flow)
		}
	}
	return list
}

// checkCredentials reads what the system is shown: of each kind a name, where it has one, and what is secret.
func checkCredentials(f checkForm, secret string) (gangway.Credentials, error) {
	members := map[string]string{"kind": f.Auth}
	switch gangway.CredentialsKind(f.Auth) {
	case gangway.BasicCredentials:
		members["user"], members["password"] = f.User, secret
	case gangway.BearerCredentials:
		members["token"] = secret
	case gangway.HeaderCredentials:
		members["name"], members["value"] = f.User, secret
	case "":
		members["kind"] = string(gangway.NoCredentials)
	}
	doc, err := json.Marshal(members)
	if err != nil {
		return gangway.Credentials{}, err
	}
	given, err := gangway.ReadCredentials(doc)
	if err != nil {
		return gangway.Credentials{}, inFormWords(err)
	}
	c, err := given.Over(gangway.Credentials{})
	return c, inFormWords(err)
}

// inFormWords says of credentials what is wrong by the names of the form's fields.
func inFormWords(err error) error {
	if gangway.KindOf(err) != gangway.Invalid {
		return err
	}
	return gangway.Errorf(gangway.Invalid, "%s", strings.NewReplacer("auth.user", "the user", "auth.password",
		"the password", "auth.token", "the token", "auth.name", "the header's name", "auth.value",
		"the header's value").Replace(err.Error()))
}

// checksAtOnce is how many systems one process examines at a time: each may take a minute and tens of MiB.
const checksAtOnce = 2

// checksFull are the answers where one more system cannot be examined now.
var checksFull = map[error]error{
	background.ErrAccountFull: gangway.Errorf(gangway.Conflict, "a system of this account is being checked already: "+
		"wait for that to end, a minute at most"),
	background.ErrFull: gangway.Errorf(gangway.Conflict, "other systems are being checked: try again in a minute"),
}
