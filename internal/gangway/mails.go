package gangway

import "time"

// Mails are the mails about deadlines that a person wants. The zero Mails have no daily one.
type Mails struct {
	Hour      int    // of the daily mail, on the clocks of Zone
	Zone      string // empty: no daily mail
	NoEndings bool   // no mail when something ends while nobody is at work
}

// Next returns when the first daily mail after now is due, on the clocks of in, which is m's zone. The zero time: there
// is none.
func (m Mails) Next(now time.Time, in *time.Location) time.Time {
	if m.Zone == "" {
		return time.Time{}
	}
	today := now.In(in)
	for day := 0; ; day++ {
		at := time.Date(today.Year(), today.Month(), today.Day()+day, m.Hour, 0, 0, 0, in)
		if at.After(now) {
			return at
		}
	}
}

const (
	// MailedAhead is how long before something ends people are mailed, and Unattended how long nobody of the account
	// has asked for a page before they are.
	MailedAhead = 2 * time.Hour
	Unattended  = 30 * time.Minute
)

// EndsSoon reports whether people who are not at work are mailed that b ends: soon, and it will not issue itself.
//
// Decided: docs/choices.md, "Mails about deadlines".
func (b Booking) EndsSoon(now time.Time) bool {
	return b.endsUnissued(now, now.Add(MailedAhead)) && b.NextDeadline(now).At.After(now)
}

// MailedOfEndings reports whether u is mailed that something ends while nobody is at work.
func (u User) MailedOfEndings() bool { return u.mailed() && !u.Mails.NoEndings }

// MailedDaily reports whether u gets the daily mail.
func (u User) MailedDaily() bool { return u.mailed() && u.Mails.Zone != "" }

func (u User) mailed() bool { return u.MaySignIn() && u.Role.May(ToBook) && u.Email != "" }
