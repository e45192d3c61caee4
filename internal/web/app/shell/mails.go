package shell

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/world"
)

// A mailsPage is where people choose the mails that they get.
type mailsPage struct {
	Sent      bool // there is a mail server to send them by
	Hour      int  // of the daily mail; −1: there is none
	Zone      string
	Next      string // when the next daily mail is sent
	Endings   bool
	WrongZone string
}

// MailsForm shows what the person who is signed in has chosen.
func (sh *Shell) MailsForm(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	v, _ := VisitorOf(r.Context())
	m := v.User.Mails
	p := mailsPage{Hour: -1, Zone: cmp.Or(m.Zone, v.Account.Settings.Duty.Zone), Endings: !m.NoEndings}
	if in, err := world.Zone(m.Zone); err == nil && m.Zone != "" {
		p.Hour, p.Next = m.Hour, v.User.MailDue.In(in).Format("Mon 2 Jan 15:04 MST")
	}
	return sh.showMails(w, r, p, http.StatusOK)
}

func (sh *Shell) showMails(w http.ResponseWriter, r *http.Request, p mailsPage, status int) error {
	v, _ := VisitorOf(r.Context())
	p.Sent = sh.mails
	return sh.Show(w, r, Page{Template: "mails", Title: "Mails about deadlines",
		Answer: "Sent to " + v.User.Email + ", about production only", Status: status, Data: p})
}

// ChooseMails keeps which mails the person who is signed in gets.
func (sh *Shell) ChooseMails(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	v, _ := VisitorOf(r.Context())
	p := mailsPage{Hour: -1, Zone: strings.TrimSpace(r.PostFormValue("zone")), Endings: r.Form.Has("endings")}
	m, now := gangway.Mails{NoEndings: !p.Endings}, sh.Now()
	in, err := world.Zone(p.Zone)
	if hour, none := strconv.Atoi(r.PostFormValue("hour")); none == nil && hour >= 0 && hour < 24 {
		m.Hour, m.Zone, p.Hour = hour, p.Zone, hour
		if err != nil || m.Zone == "" {
			p.WrongZone = "There is no such time zone. Write a place like Europe/Oslo or Asia/Manila."
			return sh.showMails(w, r, p, http.StatusUnprocessableEntity)
		}
	}
	_, err = sh.db.UpdateUser(r.Context(), sh.Actor(r), v.User.Customer, v.User.Email, gangway.UserMails, now,
		func(u *gangway.User, _ []gangway.User) error {
			if u.Mails.Hour != m.Hour || u.Mails.Zone != m.Zone { // else one that is due now stays due
				u.MailDue = m.Next(now, in)
			}
			u.Mails = m
			return nil
		})
	if err != nil {
		return err
	}
	sh.Sessions.SetFlash(r.Context(), "Your mails are saved.")
	return sh.Redirect(w, r, "/mails")
}
