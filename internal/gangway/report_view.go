package gangway

import (
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
}

// MostReportViews is how many views an account may have.
const MostReportViews = 100

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
