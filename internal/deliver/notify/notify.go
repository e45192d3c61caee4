// Package notify tells people by mail. An account's admins are told what becomes of its outlets: that one has been
// failing, is switched off or has recovered, or that deliveries are parked there. Its people are mailed once a day what
// needs them, and what ends while nobody is at work, and once a month the views of the report. What is
// told, and when, are rules of gangway.OutletNotice, gangway.Mails, gangway.ReportView and gangway.Booking.EndsSoon.
package notify

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"gangway/internal/background"
	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
)

const (
	// lookEvery is how often outlets are looked at, and mails sent that are due.
	lookEvery = 15 * time.Second

	// failingAWhile is for how long an outlet is failing before the log says so: one that refuses some bookings and
	// accepts others is for moments, again and again.
	failingAWhile = 30 * time.Second

	// readAtOnce is how many outlets are read in one statement, and sentAtOnce how many mails are sent between two
	// looks.
	readAtOnce = 500
	sentAtOnce = 50

	// lease is for how long a mail belongs to the replica that sends it: longer than that may take, with a workbook.
	lease = store.ReportTime + time.Minute

	// A mail that the server does not take is tried again after firstPause, then after twice as long as before, at
	// most mostPause, and given up after horizon. Pages say the same all the time.
	firstPause = time.Minute
	mostPause  = 30 * time.Minute
	horizon    = 3 * 24 * time.Hour

	// grace is how long a mail may take once the program is told to stop.
	grace = 5 * time.Second
)

// Config is what a Notifier needs.
type Config struct {
	DB     *store.DB
	Mailer transport.Mailer         // nil: no mails are sent, and only pages tell
	Page   func(path string) string // the address of a page of the application
	Now    func() time.Time

	// Workbook makes the workbook of a view that is mailed to somebody, with periods as they were on a day.
	Workbook func(context.Context, store.Scoped, gangway.User, gangway.ReportView, gangway.Date) (transport.Outgoing,
		error)

	Log *slog.Logger
}

// A Notifier tells people of all accounts. Any number of them may run on one database: each thing is told by one.
type Notifier struct {
	Config
	failing map[store.OutletPlace]bool // those of which the log says that they are failing
}

// New returns a notifier.
func New(c Config) *Notifier { return &Notifier{c, map[store.OutletPlace]bool{}} }

// Run tells what there is to tell until ctx ends. What is due is found while mails are sent, which may take long.
func (n *Notifier) Run(ctx context.Context) {
	sending, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	context.AfterFunc(ctx, func() { time.AfterFunc(grace, cut) })
	var both sync.WaitGroup
	both.Go(func() { n.repeat(ctx, "find what people are to be told", n.Look) })
	both.Go(func() { n.repeat(ctx, "mail people", func(ctx context.Context) error { return n.Send(ctx, sending) }) })
	both.Wait()
}

// repeat does something every lookEvery until ctx ends.
func (n *Notifier) repeat(ctx context.Context, what string, do func(context.Context) error) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for failing := false; ; {
		err := background.Guard(n.Log, what, func() error { return do(ctx) })
		// Log a lasting failure once. The store itself logs that its database is away.
		if err != nil && !failing && ctx.Err() == nil && !errors.Is(err, store.ErrAway) {
			n.Log.Error("could not "+what+"; it is tried again", "error", err)
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Look notes what people are to be told, and what the log is to say.
func (n *Notifier) Look(ctx context.Context) error {
	return errors.Join(n.lookAtOutlets(ctx), n.lookAtDesks(ctx))
}

// lookAtOutlets looks at all outlets once, and notes what admins are to be told of them, and what the log is to say.
func (n *Notifier) lookAtOutlets(ctx context.Context) error {
	failing := map[store.OutletPlace]bool{}
	for after := (store.OutletPlace{}); ; {
		list, err := n.DB.OutletsToTell(ctx, after, readAtOnce)
		if err != nil {
			return err
		}
		for _, o := range list {
			after = o.Place()
			o, err := n.judge(ctx, o)
			if err := errors.Join(err, n.tell(ctx, o), n.logFailing(ctx, o, failing)); err != nil {
				return err
			}
		}
		if len(list) < readAtOnce {
			break
		}
	}
	for place := range n.failing {
		if !failing[place] {
			n.Log.Info("an outlet is failing no more", n.DB.Whose(ctx, gangway.Scope{Account: place.Account}), "outlet",
				place.Outlet)
		}
	}
	n.failing = failing
	return nil
}

// logFailing notes that an outlet is failing, and logs it once, with what was answered last.
func (n *Notifier) logFailing(ctx context.Context, o store.NoticedOutlet, failing map[store.OutletPlace]bool) error {
	since := o.Outlet.FailingSince
	if o.Outlet.Off || since.IsZero() || n.Now().Sub(since) < failingAWhile {
		return nil
	}
	if n.failing[o.Place()] {
		failing[o.Place()] = true
		return nil
	}
	c, err := deliver.Condition(ctx, n.DB.In(o.Scope), o.Outlet, n.Now())
	if err != nil || !c.Failing() || c.Latest == nil {
		return err
	}
	failing[o.Place()] = true
	n.Log.Warn("an outlet is failing", n.DB.Whose(ctx, o.Scope), "outlet", o.Outlet.ID, "since", since, "because",
		c.Latest.Why)
	return nil
}

// judge notes that an outlet is failing of which nothing leaves any more, and returns it so. That is not asked with
// each delivery that is parked: it costs those nothing, and what was tried at the same time is known by now.
func (n *Notifier) judge(ctx context.Context, o store.NoticedOutlet) (store.NoticedOutlet, error) {
	if !o.Found.Parked || o.Found.Taken || o.Outlet.Off || !o.Outlet.FailingSince.IsZero() {
		return o, nil
	}
	since, err := n.DB.In(o.Scope).NoteUnmade(ctx, o.Outlet, n.Now())
	o.Outlet.FailingSince = since
	return o, err
}

// tell notes what admins are to be told of an outlet. It writes nothing where there is nothing new.
func (n *Notifier) tell(ctx context.Context, o store.NoticedOutlet) error {
	now := n.Now()
	if next, _ := o.Notice.Next(o.Outlet, o.Found, now); next == o.Notice {
		return nil
	}
	news, err := n.DB.In(o.Scope).TellOutlet(ctx, o.Outlet.ID, n.Mailer != nil, now)
	switch {
	case gangway.KindOf(err) == gangway.NotFound: // it was deleted, or its account removed
		return nil
	case err == nil && news != "":
		n.Log.Info("admins are told of an outlet", n.DB.Whose(ctx, o.Scope), "outlet", o.Outlet.ID, "news", news)
	}
	return err
}

// Send sends the mails that are due, until ctx ends. A mail that is being sent when ctx ends has until sending does.
func (n *Notifier) Send(ctx, sending context.Context) error {
	if n.Mailer == nil {
		return nil
	}
	for left := sentAtOnce; left > 0; {
		list, err := n.DB.OutletMails(ctx, n.Now(), left)
		more, moreErr := n.DB.DeskMails(ctx, n.Now(), left)
		if err := errors.Join(err, moreErr); err != nil || len(list)+len(more) == 0 {
			return err
		}
		for _, m := range append(list, more...) {
			if left--; ctx.Err() != nil {
				return nil
			}
			if err := n.send(sending, m); err != nil && gangway.KindOf(err) != gangway.NotFound &&
				gangway.KindOf(err) != gangway.Conflict {
				return err
			}
		}
	}
	return nil
}

// send sends a mail, unless another replica does. Conflict: one does. If this one dies before it notes that the mail
// was sent, the mail is sent once more, with the same Message-ID.
func (n *Notifier) send(ctx context.Context, m store.Mail) error {
	in := n.DB.In(m.Scope)
	m.Tries++
	m, err := in.MoveMail(ctx, m, n.Now().Add(lease))
	if err != nil {
		return err
	}
	mail, err := n.write(ctx, m)
	if gangway.KindOf(err) == gangway.NotFound { // whom or what it is about is gone
		return in.EndMail(ctx, m)
	}
	if err != nil && m.View == "" {
		return err
	}
	if err == nil {
		err = n.Mailer.Mail(ctx, mail)
	}
	log := n.Log.With(n.DB.Whose(ctx, m.Scope), "outlet", m.Outlet, "booking", m.Booking, "view", m.View,
		"user", m.Person)
	switch {
	case err == nil && mail.File.Name != "":
		ctx = context.WithoutCancel(ctx)
		return errors.Join(in.Record(ctx, gangway.BySystem(), gangway.ReportExported, map[string]any{"format": "xlsx",
			"view": m.View, "mailed_to": mail.To[0], "finished": true}, n.Now()), in.EndMail(ctx, m))
	case err == nil:
		return in.EndMail(context.WithoutCancel(ctx), m)
	case n.Now().Sub(m.Notice.At) >= horizon:
		log.Warn("a mail was never taken by the mail server, and is given up", "because", err)
		return in.EndMail(context.WithoutCancel(ctx), m)
	case m.Tries == 1:
		log.Warn("a mail was not taken by the mail server, and is tried again", "because", err)
	}
	_, err = in.MoveMail(context.WithoutCancel(ctx), m, n.Now().Add(pause(m.Tries)))
	return err
}

// pause is how long a mail waits after a number of failed tries.
func pause(tries int) time.Duration { return min(firstPause<<min(tries-1, 10), mostPause) }

// errNotTold says that a mail is not to be sent any more.
var errNotTold = gangway.Errorf(gangway.NotFound, "this person is not told of this any more")

// write writes a mail. NotFound: it is not to be sent, because what it is about is gone or over, or the person is gone,
// or may no longer do anything about it.
func (n *Notifier) write(ctx context.Context, m store.Mail) (mail transport.Mail, err error) {
	in := n.DB.In(m.Scope)
	account, err := in.Account(ctx)
	if err != nil {
		return mail, err
	}
	account.Customer.Name = gangway.MailName(account.Customer.Name)
	person, err := n.DB.User(ctx, m.Person)
	if err != nil {
		return mail, err
	}
	if person.Customer != account.Customer.ID {
		return mail, errNotTold
	}
	mail.ID, mail.To = m.ID, []string{person.Email}
	if m.View != "" {
		return n.ofView(ctx, in, m, account, person)
	}
	if m.Outlet == "" {
		tell := n.daily
		if m.Booking != "" {
			tell = n.ofEnding
		}
		mail.Subject, mail.Text, err = tell(ctx, in, m, account, person)
		mail.Text += "You get this mail because you may book for " + account.Customer.Name + ". Choose your mails: " +
			n.Page("/mails") + "\n"
		return mail, err
	}
	if !person.ToldOfOutlets() {
		return mail, errNotTold
	}
	o, err := in.FindOutlet(ctx, m.Outlet)
	if err != nil {
		return mail, err
	}
	c, err := deliver.Condition(ctx, in, o, n.Now())
	letter := gangway.OutletMail{Notice: m.Notice, Outlet: o, Condition: c, Account: account,
		Page: n.Page("/settings/outlets/" + url.PathEscape(o.Name))}
	mail.Subject, mail.Text = letter.Subject(), letter.Text()
	return mail, err
}
