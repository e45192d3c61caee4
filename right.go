package gangway

import "slices"

// A Right is something that people may do in the web application, and not all of them.
type Right string

const (
	ToBook       Right = "book"       // search, hold, enter, issue, change, cancel, and look at all of it
	ToApprove    Right = "approve"    // let a booking or a price go ahead, or decline it
	ToAdminister Right = "administer" // look after the account: its settings, outlets, keys, people and audit log
)

// rights says what each role may do. It is the only place that does: handlers
// and pages ask Role.May.
var rights = map[Role][]Right{
	Booker:   {ToBook},
	Approver: {ToBook, ToApprove},
	Admin:    {ToBook, ToApprove, ToAdminister},
}

// May reports whether people of the role r may do something. A role that is not known may nothing.
func (r Role) May(right Right) bool { return slices.Contains(rights[r], right) }

// CanApprove reports whether r may approve and decline.
func (r Role) CanApprove() bool { return r.May(ToApprove) }
