package gangway

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// OutletNews is what admins are told of an outlet.
type OutletNews string

const (
	NewsFailing    OutletNews = "failing"          // for an hour
	NewsFailingDay OutletNews = "failing for long" // for a day
	NewsOff        OutletNews = "off"              // the customer's system answered 410
	NewsRecovered  OutletNews = "recovered"        // after one of these
	NewsParked     OutletNews = "parked"           // deliveries are, and nobody was told that
)

// gravity is in what order an outlet's trouble gets worse.
var gravity = []OutletNews{"", NewsFailing, NewsFailingDay, NewsOff}

const (
	// From when on admins are told of an outlet that fails: shorter breaks repair themselves.
	failingLong    = time.Hour
	failingForADay = 24 * time.Hour

	// wellFor is how long an outlet is well before admins are told that it has recovered.
	wellFor = 15 * time.Minute

	// newsAgain is how long after the latest news of an outlet trouble that is another than that is told.
	newsAgain = 6 * time.Hour

	// recentFor is how long pages say that an outlet has recovered, or that something was parked there.
	recentFor = 24 * time.Hour
)

// Trouble returns what is wrong with an outlet that admins are to know of; empty: nothing. What somebody has
// paused does not fail.
func (o Outlet) Trouble(now time.Time) OutletNews {
	failing := now.Sub(o.FailingSince)
	switch {
	case o.Untested():
		return ""
	case o.Off:
		return NewsOff
	case o.Paused || o.FailingSince.IsZero() || failing < failingLong:
		return ""
	case failing < failingForADay:
		return NewsFailing
	}
	return NewsFailingDay
}

// An OutletNotice is the latest news that admins were told of an outlet, and whether they know that deliveries are
// parked there. The zero OutletNotice says that they were told nothing.
type OutletNotice struct {
	News  OutletNews
	Since time.Time // when that trouble began
	At    time.Time // when they were told
	Well  time.Time // since when the outlet has been well again, unless they were told that; zero: it is not

	Parked   bool      // they know that deliveries are parked
	ParkedAt time.Time // when they were told that last
}

// An OutletLook is what a look at an outlet has found, beside the outlet.
type OutletLook struct {
	Taken  bool // the latest delivery that was tried there was accepted, after the trouble of the notice began
	Parked bool // something is parked there
}

// Next returns what is to be kept of the notice after a look at its outlet, and what admins are to be told now; empty:
// nothing.
//
// Decided: docs/choices.md, "What admins are told of an outlet".
func (n OutletNotice) Next(o Outlet, found OutletLook, now time.Time) (next OutletNotice, told OutletNews) {
	next, tell := n.afterTrouble(o, found.Taken, now)
	switch {
	case tell:
		return next, next.News
	case !found.Parked:
		next.Parked = false
	case !n.Parked && now.Sub(n.ParkedAt) >= newsAgain:
		next.Parked, next.ParkedAt = true, now
		return next, NewsParked
	}
	return next, ""
}

// afterTrouble is Next without what is parked.
func (n OutletNotice) afterTrouble(o Outlet, taken bool, now time.Time) (next OutletNotice, tell bool) {
	trouble := o.Trouble(now)
	switch {
	case trouble != "":
		n.Well = time.Time{}
		if !n.tells(trouble, o.FailingSince, now) {
			return n, false
		}
		n.News, n.Since, n.At = trouble, o.FailingSince, now
		return n, true
	case n.News == "" || n.News == NewsRecovered || o.Paused:
		return n, false
	case !o.FailingSince.IsZero() || !taken:
		n.Well = time.Time{}
	case n.Well.IsZero():
		n.Well = now
	case now.Sub(n.Well) >= wellFor:
		n.News, n.At, n.Well = NewsRecovered, now, time.Time{}
		return n, true
	}
	return n, false
}

// Told is the notice as admins are told it.
func (n OutletNotice) Told(news OutletNews) OutletNotice {
	if news == NewsParked {
		return OutletNotice{News: NewsParked, Since: n.ParkedAt, At: n.ParkedAt}
	}
	return n
}

// tells reports whether admins, who were told n, are to be told of trouble that began at since.
func (n OutletNotice) tells(trouble OutletNews, since, now time.Time) bool {
	switch {
	case trouble == NewsOff && n.News != NewsOff, n.News == "":
		return true
	case n.Since.Equal(since):
		return slices.Index(gravity, trouble) > slices.Index(gravity, n.News)
	}
	return now.Sub(n.At) >= newsAgain
}

// Recent reports whether pages still say that the outlet has recovered.
func (n OutletNotice) Recent(now time.Time) bool {
	return n.News == NewsRecovered && now.Sub(n.At) < recentFor
}

// ParkedRecently reports whether pages still say that something was parked.
func (n OutletNotice) ParkedRecently(now time.Time) bool {
	return n.Parked && now.Sub(n.ParkedAt) < recentFor
}

// noticeTime is how a notice writes an instant.
const noticeTime = "Mon 2 Jan 2006 15:04 UTC"

// NoticeTime writes an instant as people read it, in UTC and to the minute.
func NoticeTime(at time.Time) string { return at.UTC().Format(noticeTime) }

// GoneReason is why an outlet is switched off whose system answered 410 at a time.
func GoneReason(at time.Time) string {
	return "the customer's system answered 410 Gone on " + NoticeTime(at)
}

// Fails reports whether the news is that the outlet fails.
func (n OutletNotice) Fails() bool { return n.News == NewsFailing || n.News == NewsFailingDay }

// Sentence says the news of outlet o, which is doing as c says, in a sentence or two.
func (n OutletNotice) Sentence(o Outlet, c Condition) string {
	to := fmt.Sprintf("%s (outlet %s)", o.Address(), o.Name)
	since := n.Since.UTC().Format(noticeTime)
	switch {
	case n.Fails() && c.Unmade:
		return fmt.Sprintf("Nothing has been sent to %s since %s: of each record since then nothing could be made, "+
			"and it is parked. Nothing is lost.", to, since)
	case n.News == NewsFailing:
		return failingWords(to, since, c) + " What was sent is tried again every minute, and nothing is lost."
	case n.News == NewsFailingDay:
		return failingWords(to, since, c) + " What fails for three days is no longer tried by itself: it is parked, " +
			"and waits to be delivered again by hand. Nothing is lost."
	case n.News == NewsOff && o.OffReason != "":
		return fmt.Sprintf("Bookings are not delivered to %s: %s. They wait, and nothing is lost.", to, o.OffReason)
	case n.News == NewsOff:
		return fmt.Sprintf("Bookings are not delivered to %s. They wait, and nothing is lost.", to)
	case n.News == NewsParked:
		return fmt.Sprintf("Deliveries to %s are parked: nothing could be made of their records, or they were not "+
			"accepted for three days. They are not tried again by themselves. Nothing is lost.", to)
	}
	return fmt.Sprintf("Bookings reach %s again. What waited there is delivered by itself.", to)
}

func failingWords(to, since string, c Condition) string {
	if c.One {
		return fmt.Sprintf("One booking has not been accepted by %s since %s, and nothing else was sent there.",
			to, since)
	}
	return fmt.Sprintf("Bookings have not reached %s since %s.", to, since)
}

// advice says what is to be done about an outlet that is doing as c says.
func (n OutletNotice) advice(c Condition) string {
	switch {
	case n.Fails() && c.Unmade, n.News == NewsParked:
		return "What to do: the outlet's page shows what is parked, and why. Have the outlet's mapping mended, or " +
			"the system that receives, and then deliver it again there."
	case n.Fails():
		return "What to do: the outlet's page shows each try with what was sent and answered. Mend the system that " +
			"receives, or have the outlet's settings changed. What waits is delivered by itself as soon as it is " +
			"accepted again."
	case n.News == NewsOff:
		return "What to do: once the system that receives wants bookings again, switch the outlet on at its page. " +
			"What waits is delivered then."
	}
	return "There is nothing to do, unless the outlet's page says that deliveries are parked: those can be delivered " +
		"again there."
}

// An OutletMail is a notice as it is mailed to an admin.
type OutletMail struct {
	Notice    OutletNotice
	Outlet    Outlet
	Condition Condition
	Account   Account
	Page      string // the address of the outlet's page
}

// Subject is the mail's.
func (m OutletMail) Subject() string {
	failing := "has been failing"
	switch {
	case m.Condition.Unmade:
		failing = "has sent nothing"
	case m.Condition.One:
		failing = "has not accepted one booking"
	}
	words := map[OutletNews]string{
		NewsFailing:    failing + " for an hour",
		NewsFailingDay: failing + " for a day",
		NewsOff:        "is switched off",
		NewsParked:     "has deliveries that are parked",
		NewsRecovered:  "has recovered",
	}[m.Notice.News]
	return fmt.Sprintf("Gangway: outlet %s %s (%s, %s)", m.Outlet.Name, words, m.Account.Customer.Name,
		m.Account.Environment)
}

// Text is what the mail says. No booking is in it, nor anything that customers' systems have answered beyond a
// status.
func (m OutletMail) Text() string {
	lines := []string{m.Notice.Sentence(m.Outlet, m.Condition), m.Notice.advice(m.Condition)}
	// Why nothing could be made of a record may repeat the record.
	if latest := m.Condition.Latest; m.Notice.Fails() && m.Condition.Failing() && latest != nil && !latest.Unmade {
		lines = slices.Insert(lines, 1, "The latest try: "+latest.Why)
	}
	return strings.Join(append(lines,
		fmt.Sprintf("Customer: %s\nEnvironment: %s\nAs of: %s\n%s", m.Account.Customer.Name, m.Account.Environment,
			m.Notice.At.UTC().Format(noticeTime), m.Page),
		"You get this mail because you are an admin of this account. Admins are told when an outlet has been failing "+
			"for an hour and for a day, when it is switched off, when it has recovered, and once when deliveries are "+
			"parked."), "\n\n") + "\n"
}

// ToldOfOutlets reports whether u is told by mail when an outlet is in trouble: whoever may do something about it.
func (u User) ToldOfOutlets() bool { return u.MaySignIn() && u.Role.May(ToAdminister) && u.Email != "" }
