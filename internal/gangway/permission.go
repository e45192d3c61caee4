package gangway

import "slices"

// A Permission is something in the web application that not everybody may do.
type Permission string

const (
	ToBook       Permission = "book"       // search, hold, enter, issue, change, cancel, and look at all of it
	ToApprove    Permission = "approve"    // let a booking or a price go ahead, or decline it
	ToAdminister Permission = "administer" // manage the account: its settings, outlets, keys, people and audit log
)

// permissions says what each role may do, and nothing else does: handlers and
// pages ask Role.May.
var permissions = map[Role][]Permission{
	Booker:   {ToBook},
	Approver: {ToBook, ToApprove},
	Admin:    {ToBook, ToApprove, ToAdminister},
}

// May reports whether people of the role r have the permission p. An unknown role has none.
func (r Role) May(p Permission) bool { return slices.Contains(permissions[r], p) }

// check returns Invalid for a role that does not exist.
func (r Role) check() error {
	if permissions[r] == nil {
		return Errorf(Invalid, "a role is booker, approver or admin")
	}
	return nil
}

// CanApprove reports whether r may approve and decline.
func (r Role) CanApprove() bool { return r.May(ToApprove) }
