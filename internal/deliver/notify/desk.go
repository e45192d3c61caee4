package notify

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/world"
)

// dailyRows is how many of each kind the daily mail lists.
const dailyRows = 50

// lookAtDesks writes the mails that are due about what ends while nobody is at work, and the daily ones.
//
// Decided: docs/choices.md, "Mails about deadlines".
func (n *Notifier) lookAtDesks(ctx context.Context) error {
	if n.Mailer == nil {
		return nil
	}
	if err := n.DB.KeepUses(ctx); err != nil {
		return err
	}
	now := n.Now()
	// Another replica may have noted a page up to lookEvery before it writes that down.
	ending, err := n.DB.EndingsToMail(ctx, now.Add(-gangway.Unattended-lookEvery), now, readAtOnce)
	for _, b := range ending {
		if err == nil {
			err = n.DB.In(b.Scope).MailEnding(ctx, b.ID, now)
		}
	}
	if err != nil {
		return err
	}
	people, err := n.DB.PeopleToMail(ctx, now, readAtOnce)
	for _, u := range people {
		var production gangway.Account
		if err == nil {
			production, _, err = n.DB.Accounts(ctx, u.Customer)
		}
		if err == nil {
			err = n.DB.In(production.Scope()).MailDaily(ctx, u, now, u.Mails.Next(now, clock(u)))
		}
	}
	if err != nil {
		return err
	}
	views, err := n.DB.ViewsToMail(ctx, now, readAtOnce)
	for _, v := range views {
		if err == nil {
			err = n.DB.In(v.Scope).MailView(ctx, v.ReportView, now)
		}
	}
	return err
}

// ofView writes the monthly mail of a view, with its workbook if there can be one.
func (n *Notifier) ofView(ctx context.Context, in store.Scoped, m store.Mail, account gangway.Account,
	person gangway.User) (mail transport.Mail, err error) {
	v, err := in.ReportView(ctx, m.View)
	if err != nil {
		return mail, err
	}
	if !v.IsMailedTo(person) {
		return mail, errNotTold
	}
	day := gangway.ViewMailDay(m.Notice.At)
	mail = transport.Mail{ID: m.ID, To: []string{person.Email}, Subject: fmt.Sprintf("Gangway: %s, %s (%s, %s)", v.Name,
		m.Notice.At.UTC().Format("2 Jan 2006"), account.Customer.Name, account.Environment)}
	mail.File, err = n.Workbook(ctx, in, person, v, day)
	said := "The workbook is attached. Periods in it are those of " + string(day) + "."
	if gangway.KindOf(err) == gangway.Invalid {
		mail.File, said, err = transport.Outgoing{}, "There is no workbook this time: "+err.Error()+".", nil
	}
	mail.Text = fmt.Sprintf("The report “%s”. %s\n\nOpen it: %s\n\nYou get this mail because %s or an administrator "+
		"chose you for it.\n", v.Name, said, n.Page("/report?"+v.Query), v.ByName)
	return mail, err
}

// clock is that of a person; UTC unless the person has chosen another.
func clock(u gangway.User) *time.Location {
	if in, err := world.Zone(u.Mails.Zone); err == nil {
		return in
	}
	return time.UTC
}

const mailTime = "Mon 2 Jan 15:04 MST"

// ends says until when a booking has what ends next.
func ends(b gangway.Booking, now time.Time, in *time.Location) string {
	e := b.NextDeadline(now)
	return map[gangway.DeadlineKind]string{gangway.PriceEnds: "fare until ", gangway.SeatsEnd: "seats until ",
		gangway.AnswerEnds: "answer until ", gangway.Leaves: "leaves "}[e.Kind] + e.At.In(in).Format(mailTime)
}

// who names a booking. Nothing of a passport is mailed.
func who(b gangway.Booking) string {
	return b.Passenger.LastName + ", " + b.Passenger.FirstName + " (" + b.Locator + ")"
}

func pathOf(b gangway.Booking) string { return "/bookings/" + url.PathEscape(b.ID) }

// ofEnding writes that a booking ends while nobody is at work.
func (n *Notifier) ofEnding(ctx context.Context, in store.Scoped, m store.Mail, account gangway.Account,
	person gangway.User) (subject, text string, err error) {
	b, err := in.Booking(ctx, m.Booking)
	now := n.Now()
	if err == nil && (!b.EndsSoon(now) || !person.MailedOfEndings()) {
		err = errNotTold
	}
	what := b.Locator + ": " + ends(b, now, clock(person))
	return fmt.Sprintf("Gangway: %s (%s)", what, account.Customer.Name), fmt.Sprintf("%s. Gangway will not issue "+
		"tickets by itself, and nobody has used it for 30 minutes.\n\n%s · %s · %s\n%s\n\n", what, who(b),
		cmp.Or(b.Purpose.Vessel, "no vessel"), b.Price.Total.Words(), n.Page(pathOf(b))), err
}

// daily writes what needs somebody now, as Today lists it above crew changes, by vessel.
func (n *Notifier) daily(ctx context.Context, in store.Scoped, m store.Mail, account gangway.Account,
	person gangway.User) (subject, text string, err error) {
	now, at := n.Now(), clock(person)
	if !person.MailedDaily() || now.Sub(m.Notice.At) > 20*time.Hour { // another one comes
		return "", "", errNotTold
	}
	until := account.Settings.Duty.NextEnd(now, world.Zone)
	need, err := book.NeededNow(ctx, in, now, until, dailyRows)
	if err != nil {
		return "", "", err
	}
	var vessels []string
	lines, sums, listed := map[string]string{}, map[string][]gangway.Money{}, 0
	add := func(b gangway.Booking, path, words string) (vessel string) {
		if vessel = cmp.Or(b.Purpose.Vessel, "No vessel"); lines[vessel] == "" {
			vessels = append(vessels, vessel)
		}
		lines[vessel] += "- " + words + ": " + who(b) + "\n  " + n.Page(path) + "\n"
		listed++
		return vessel
	}
	for _, e := range need.Ended {
		words := map[bool]string{true: "Seats lost ", false: "Issued automatically "}[e.Ending.Lost()]
		add(e.Booking, pathOf(e.Booking), words+e.EndedAt.In(at).Format(mailTime))
	}
	for _, b := range need.Answer {
		add(b, pathOf(b)+"/schedule-change", "Schedule change, "+ends(b, now, at))
	}
	for _, b := range need.Ending {
		words := strings.TrimPrefix(need.Plans.Badge(b)+", "+ends(b, now, at)+", "+b.Price.Total.Words(), ", ")
		vessel := add(b, pathOf(b), "On hold, "+words)
		sums[vessel] = gangway.AddMoney(sums[vessel], b.Price.Total)
	}
	for _, b := range need.Person {
		add(b, pathOf(b), "Needs a person")
	}
	for _, b := range need.OldPlans {
		path := pathOf(b.Booking)
		if b.Purpose.Change != "" {
			path = "/crew-changes/plan?key=" + url.QueryEscape(b.Purpose.Change)
		}
		add(b.Booking, path, fmt.Sprintf("Not booked as planned, bookings: %d", len(b.All)))
	}
	count := cmp.Or(map[int]string{0: "Nothing needs you", 1: "1 thing needs you"}[need.Waits.Today()],
		fmt.Sprint(need.Waits.Today(), " things need you"))
	text = count + " before " + until.In(at).Format(mailTime) + "\n" + n.Page("/") + "\n\n"
	for _, vessel := range vessels {
		text += vessel
		for _, m := range sums[vessel] {
			text += " · " + m.Words() + " on hold"
		}
		text += "\n" + lines[vessel] + "\n"
	}
	if more := need.Waits.Today() - listed; more > 0 {
		text += fmt.Sprintf("%d more: %s\n\n", more, n.Page("/deadlines?show=all"))
	}
	return "Gangway: " + count + " (" + account.Customer.Name + ")", text, nil
}
