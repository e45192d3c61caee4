package settings

import (
	"cmp"
	"net/http"
	"strings"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

const policyPath = "/settings/policy"

// A policyPage is what of an account an admin decides about bookings.
type policyPage struct {
	Mode, Limit            string // who is asked: "none", "always" or "above" a limit
	OwnApproval, AutoIssue bool
	Links                  bool // that open an itinerary without sign-in
	Bag, Change            bool // that crew need of a fare
	Avoid                  string
	Hours, Zone            string // of duty; empty: not known
	Keep, Payment          string
	Was                    string // the policy that the form changes
	Asks                   []string
	Refused                string
	Wrong                  map[string]string
}

// Policy shows the account's policy.
func (room *Room) Policy(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.showPolicy(w, r, room.policyOf(shell.Settings(r.Context())), 0)
}

func (room *Room) policyOf(s gangway.Settings) policyPage {
	p := policyPage{Mode: cmp.Or(string(s.Approval.Mode), "none"), OwnApproval: s.OwnApproval, AutoIssue: s.AutoIssue,
		Links: !s.NoLinks, Bag: s.Fares.Bag, Change: s.Fares.Change, Keep: s.Keep.String(), Was: room.policyKey(s),
		Payment: cmp.Or(s.PaymentMethod, gangway.ByInvoice), Avoid: strings.Join(s.Avoid.Codes(), ", ")}
	if s.Approval.Mode == gangway.ApproveAbove {
		p.Limit = s.Approval.Above.Decimal() + " " + s.Approval.Above.Currency
	}
	if !s.Duty.IsZero() {
		at := strings.LastIndex(s.Duty.String(), " ")
		p.Hours, p.Zone = s.Duty.String()[:at], s.Duty.Zone
	}
	return p
}

// policyKey tells a policy from others.
func (room *Room) policyKey(s gangway.Settings) string {
	flags := ""
	for _, flag := range []bool{s.OwnApproval, s.AutoIssue, s.NoLinks} {
		flags += shell.ValueWords(flag)
	}
	return room.FormKeys.Sign("policy", s.Approval.String(), flags, s.Fares.String(), s.Avoid.String(), s.Duty.String(),
		s.Keep.String(), s.PaymentMethod)
}

func (room *Room) showPolicy(w http.ResponseWriter, r *http.Request, p policyPage, status int) error {
	answer := "Holds, approval, fares and duty hours. It applies to what is booked from now on."
	if n := len(p.Wrong); n > 0 {
		answer = shell.Plural(n, "field", "fields") + " to correct; nothing was saved"
	}
	return room.Show(w, r, shell.Page{Template: "policy", Section: "settings", Title: "Settings › Policy",
		Answer: answer, Data: p, Status: status})
}

// readPolicy reads what was typed, and what it changes by the fields' names.
func readPolicy(r *http.Request) (p policyPage, fields map[string]book.PolicyChange) {
	v := func(name string) string { return strings.TrimSpace(r.PostFormValue(name)) }
	is := func(name string) bool { return v(name) == "yes" }
	p = policyPage{Mode: v("approval"), Limit: v("limit"), OwnApproval: is("own"), AutoIssue: is("issue"),
		Links: is("links"), Bag: is("bag"), Change: is("changeable"), Avoid: v("avoid"), Hours: v("hours"),
		Zone: v("zone"), Keep: v("keep"), Payment: v("payment"), Was: v("was"), Wrong: map[string]string{}}
	approval, duty := p.Mode, strings.TrimSpace(p.Hours+" "+p.Zone)
	if p.Mode == string(gangway.ApproveAbove) {
		approval += " " + strings.ToUpper(p.Limit)
		if currency := shell.Settings(r.Context()).Currency; strings.Trim(p.Limit, "0123456789.") == "" {
			approval += " " + currency // the account's
		}
	}
	return p, map[string]book.PolicyChange{"limit": {Approval: cmp.Or(approval, "?")},
		"own": {OwnApproval: &p.OwnApproval}, "issue": {AutoIssue: &p.AutoIssue}, "links": {Links: &p.Links},
		"fares": {Fares: gangway.FareRule{Bag: p.Bag, Change: p.Change}.String()},
		"avoid": {Avoid: cmp.Or(p.Avoid, "none")}, "hours": {Duty: cmp.Or(duty, "off")},
		"keep":    {Keep: cmp.Or(p.Keep, "?")},
		"payment": {PaymentMethod: cmp.Or(p.Payment, gangway.ByInvoice)}}
}

// SavePolicy changes the account's policy. It asks before that erases data, buys tickets or leaves nobody to approve.
func (room *Room) SavePolicy(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p, fields := readPolicy(r)
	was := shell.Settings(r.Context())
	is := was
	if p.Payment == gangway.ByInvoice && was.PaymentMethod == "" {
		delete(fields, "payment") // it is so already
	}
	for name, change := range fields {
		if err := change.Apply(&is); err != nil {
			if name == "hours" && (book.PolicyChange{Duty: p.Hours + " UTC"}).Apply(new(gangway.Settings)) == nil {
				name = "zone"
			}
			p.Wrong[name] = shell.SentenceOf(err)
		}
	}
	if len(p.Wrong) > 0 {
		return room.showPolicy(w, r, p, http.StatusUnprocessableEntity)
	}
	v, _ := shell.VisitorOf(r.Context())
	people, err := room.db.Users(r.Context(), v.User.Customer)
	if err != nil {
		return err
	}
	p.Asks = book.PolicyWarnings(was, is, people, in.Now(room.Now()))
	if len(p.Asks) > 0 && r.PostFormValue("do") != "save-anyway" {
		return room.showPolicy(w, r, p, http.StatusUnprocessableEntity)
	}
	done, err := room.CarryOut(r, in, func(r *http.Request) (shell.Done, error) {
		_, err := in.UpdateSettings(r.Context(), room.Actor(r), room.Now(), func(s *gangway.Settings) error {
			if now := room.policyKey(*s); now != p.Was {
				p.Was, p.Asks = now, nil
				return gangway.Errorf(gangway.Conflict, "somebody has changed the policy since you opened the page; "+
					"saving it again replaces that with what you see")
			}
			for _, change := range fields {
				if err := change.Apply(s); err != nil {
					return err
				}
			}
			return nil
		})
		return shell.Done{To: policyPath, Said: "The policy of " + string(v.Account.Environment) + " was saved."}, err
	})
	if gangway.KindOf(err) == gangway.Conflict {
		p.Refused = shell.SentenceOf(err)
		return room.showPolicy(w, r, p, http.StatusConflict)
	}
	if err != nil {
		return err
	}
	return room.Finish(w, r, done)
}
