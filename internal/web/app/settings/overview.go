package settings

import (
	"net/http"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/outlets"
	"gangway/internal/web/app/shell"
)

// An overviewPage says what of an account is set up, what is not, and what is failing.
type overviewPage struct{ Rows []overviewRow }

// An overviewRow is a part of the settings.
type overviewRow struct {
	Name, Path  string // no Path: it has no page
	State       string // "set up", "not set up", "failing" or "look at"
	Words       string
	Do, DoWords string // the next step, where it is not set up
}

// Sign is the colour of the row's state.
func (r overviewRow) Sign() string {
	return map[string]string{"set up": "info", "failing": "act", "look at": "watch"}[r.State]
}

// First leads to the first of the settings that somebody may see: the overview, or else their own password.
func (room *Room) First(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	if v, ok := shell.VisitorOf(r.Context()); ok && v.User.Role.May(gangway.ToAdminister) {
		return room.Redirect(w, r, overviewPath)
	}
	return room.Redirect(w, r, "/password")
}

const overviewPath = "/settings/overview"

// Overview is the first page of Settings.
func (room *Room) Overview(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	var p overviewPage
	for _, part := range []func(*http.Request, store.Scoped, gangway.Account) (overviewRow, error){room.people,
		room.keys, room.feeds, room.outlets, room.supplier, room.policy} {
		row, err := part(r, in, v.Account)
		if err != nil {
			return err
		}
		if !room.Leads(row.Path) {
			row.Path = ""
		}
		if row.State != "not set up" {
			row.Do = ""
		}
		p.Rows = append(p.Rows, row)
	}
	count := map[string]int{}
	for _, row := range p.Rows {
		count[row.State]++
	}
	answer := shell.Number(len(p.Rows)-count["not set up"]) + " of " + shell.Number(len(p.Rows)) + " set up"
	if n := count["failing"]; n > 0 {
		answer += " · " + shell.Number(n) + " failing"
	}
	if n := count["look at"]; n > 0 {
		answer += " · " + shell.Number(n) + " to look at"
	}
	return room.Show(w, r, shell.Page{Template: "overview", Section: "settings", Title: "Settings", Answer: answer,
		Data: p})
}

func (room *Room) people(r *http.Request, _ store.Scoped, a gangway.Account) (overviewRow, error) {
	people, err := room.db.Users(r.Context(), a.Customer.ID)
	approvers, lacking := a.Settings.Approvers(people)
	row := overviewRow{Name: "People", Path: "/settings/people", State: "set up", Words: shell.Plural(len(people),
		"person", "people") + ", " + shell.Number(len(approvers)) + " may approve"}
	if lacking {
		row.State, row.Words = "look at", row.Words+": some bookings have nobody to approve them"
	}
	return row, err
}

func (room *Room) keys(r *http.Request, in store.Scoped, _ gangway.Account) (overviewRow, error) {
	row := overviewRow{Name: "API keys", Path: "/settings/keys", State: "not set up",
		Words: "Your programs cannot send or read anything"}
	keys, err := in.Credentials(r.Context(), store.APIKey)
	live, used := 0, false
	for _, k := range keys {
		if k.RevokedAt.IsZero() {
			live, used = live+1, used || !k.UsedAt.IsZero()
		}
	}
	if live > 0 {
		row.State, row.Words = "set up", shell.Plural(live, "key", "keys")
		if !used {
			row.Words += ", never used"
		}
	}
	return row, err
}

func (room *Room) feeds(r *http.Request, in store.Scoped, _ gangway.Account) (overviewRow, error) {
	row := overviewRow{Name: "Feeds", Path: "/settings/feeds", State: "not set up", Do: "/settings/feeds/new",
		DoWords: "New feed", Words: "Nothing is fetched from your systems"}
	list, err := in.Feeds(r.Context())
	var failing []string
	for _, f := range list {
		if !f.Failing.IsZero() && !f.Off {
			failing = append(failing, f.Name)
		}
	}
	if len(list) > 0 {
		row.State, row.Words = "set up", shell.Plural(len(list), "feed", "feeds")
	}
	row.names("failing", failing)
	return row, err
}

func (room *Room) outlets(r *http.Request, in store.Scoped, _ gangway.Account) (overviewRow, error) {
	row := overviewRow{Name: "Outlets", Path: "/settings/outlets", State: "not set up", Do: "/settings/outlets/new",
		DoWords: "New outlet", Words: "No bookings are sent to your systems"}
	list, states, err := outlets.States(r.Context(), in, room.Now())
	var unwell, look []string
	for _, o := range list {
		switch states[o.ID] {
		case gangway.IsOff, gangway.IsFailing, gangway.IsPausedFailing:
			unwell = append(unwell, o.Name)
		case gangway.IsParked, gangway.IsUntested, gangway.IsRefusing, gangway.IsBehind, gangway.IsPaused:
			look = append(look, o.Name)
		}
	}
	if len(list) > 0 {
		row.State, row.Words = "set up", shell.Plural(len(list), "outlet", "outlets")
	}
	row.names("look at", look)
	row.names("failing", unwell)
	return row, err
}

// names puts the row into a state because of some of what there is, and names the first.
func (r *overviewRow) names(state string, of []string) {
	if len(of) == 0 {
		return
	}
	first := of[0]
	if n := len(of) - 1; n > 0 {
		first += " and " + shell.Number(n) + " more"
	}
	_, all, known := strings.Cut(r.Words, ", of ")
	if !known {
		all = r.Words
	}
	r.State, r.Words = state, first+", of "+all
}

func (room *Room) supplier(_ *http.Request, _ store.Scoped, a gangway.Account) (overviewRow, error) {
	row := overviewRow{Name: "Supplier", Path: supplierPath, State: "set up", Words: supplierNames[a.Settings.Supplier]}
	if !a.SilentSince.IsZero() {
		row.State, row.Words = "failing", row.Words+" has not answered since "+gangway.NoticeTime(a.SilentSince)
	} else if a.Settings.Supplier == "" && a.Environment == gangway.Production {
		row.State, row.Words = "not set up", row.Words+": these tickets are not real. Your operator connects a supplier"
	}
	return row, nil
}

func (room *Room) policy(_ *http.Request, _ store.Scoped, a gangway.Account) (overviewRow, error) {
	s := a.Settings
	row := overviewRow{Name: "Policy", Path: policyPath, State: "set up", Words: "Approval: " + s.Approval.String() +
		" · fares: " + s.Fares.String() + " · duty: " + s.Duty.String()}
	if s.Approval.Mode == gangway.ApproveNone && s.Duty.IsZero() && s.Fares == (gangway.FareRule{}) && s.Avoid == "" {
		row.State, row.Words = "not set up", "No approval, any fare, no duty hours"
		row.Do, row.DoWords = policyPath, "Set the policy"
	}
	return row, nil
}
