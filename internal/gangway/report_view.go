package gangway

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A ReportView is a report that somebody has saved under a name, for everybody who works in the account.
type ReportView struct {
	Name       string
	Query      string // of the report's address
	By, ByName string // who saved it last
	At         time.Time
	MailedTo   []string  // the ids of people to whom it is mailed each month, as a workbook
	MailDue    time.Time // when next; zero: it is not mailed
}

// MostReportViews is how many views an account may have.
const MostReportViews = 100

// mostMailed is to how many people a view may be mailed.
const mostMailed = 20

// The longest name of a view in characters, and the longest query in bytes.
const (
	viewName  = 60
	viewQuery = 4 << 10
)

// Check returns Invalid for a view that cannot be saved.
func (v ReportView) Check() error {
	n := utf8.RuneCountInString(v.Name)
	if n == 0 || n > viewName || v.Name != strings.TrimSpace(v.Name) || Unprintable(v.Name) {
		return Errorf(Invalid, "a view needs a name of 1 to %d characters", viewName)
	}
	if len(v.Query) > viewQuery {
		return Errorf(Invalid, "the filters of a view are too long to be saved")
	}
	return nil
}

// MayChange returns Denied unless somebody may replace or delete the view: who saved it, and administrators.
func (v ReportView) MayChange(email string, role Role) error {
	if v.By == email || role.May(ToAdminister) {
		return nil
	}
	return Errorf(Denied, "only %s and administrators may change the view “%s”", v.ByName, v.Name)
}

// MailTo has the view be mailed each month to some people, of all of a company's. Invalid: one may not get it.
func (v *ReportView) MailTo(ids []string, company []User, now time.Time) error {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(ids) > mostMailed {
		return Errorf(Invalid, "a view is mailed to %d people at most", mostMailed)
	}
	for _, id := range ids {
		if !slices.ContainsFunc(company, func(u User) bool { return u.ID == id && u.MaySignIn() }) {
			return Errorf(Invalid, "a view is mailed only to people of this company who may sign in")
		}
	}
	v.MailedTo = ids
	if len(ids) == 0 {
		v.MailDue = time.Time{}
	} else if v.MailDue.IsZero() {
		v.MailDue = NextViewMail(now)
	}
	return nil
}

// IsMailedTo reports whether somebody gets the view by mail.
func (v ReportView) IsMailedTo(u User) bool {
	return u.MaySignIn() && slices.Contains(v.MailedTo, u.ID)
}

// NextViewMail is when views are mailed next: on the first of the month at 06:00 UTC, as days of the report are UTC.
func NextViewMail(now time.Time) time.Time {
	next := time.Date(now.UTC().Year(), now.UTC().Month(), 1, 6, 0, 0, 0, time.UTC)
	if !next.After(now) {
		next = next.AddDate(0, 1, 0)
	}
	return next
}

// ViewMailDay is the last day of the month before a mail was due, from which periods such as "this month" are counted.
func ViewMailDay(due time.Time) Date { return DateOf(due.UTC().AddDate(0, 0, -due.UTC().Day())) }
