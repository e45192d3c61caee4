package gangway

import (
	"fmt"
	"time"
)

// InvitationLife is how long somebody can accept an invitation.
const InvitationLife = 72 * time.Hour

// An Invitation lets somebody become a user, with a password of their own choice that nobody else knows. That of a user
// who has an identifier already lets them choose another password.
type Invitation struct {
	User
	Company string
	At      time.Time
	By      string // who made it: an admin's e-mail, or the operator
}

// Ends returns when i can no longer be accepted.
func (i Invitation) Ends() time.Time { return i.At.Add(InvitationLife) }

// Mail returns the mail that invites somebody to accept i at an address.
func (i Invitation) Mail(by, address string) (subject, text string) {
	by = MailName(by)
	subject = "Your invitation to Gangway"
	begins := fmt.Sprintf("%s invites you to Gangway, where %s books travel.", by, MailName(i.Company))
	if i.ID != "" {
		subject, begins = "A new password for Gangway", by+" has made a link with which you choose a new password."
	}
	return subject, fmt.Sprintf(`%s

Choose your password here:
%s

You sign in as %s. The link works once, until %s. If you did not expect this mail, ignore it.
`, begins, address, i.Email, i.Ends().UTC().Format(noticeTime))
}
