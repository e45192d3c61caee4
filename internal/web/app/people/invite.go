package people

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/web/access"
	"gangway/internal/web/app/shell"
)

// acceptPath is where invitations are accepted; the token follows.
const acceptPath = "/invitations/"

// mailsAnHour is how many invitations and links for a new password a company mails within an hour.
const mailsAnHour = 30

// An invitePage is the form that invites somebody.
type invitePage struct {
	Name, Email           string
	Role                  gangway.Role
	WrongName, WrongEmail string
	Mails                 bool // there is a mail server
}

// Roles are those to choose from.
func (invitePage) Roles() []shell.Option { return roles }

// Invite shows the form, filled in as its address says.
func (room *Room) Invite(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	return room.showInvite(w, r, invitePage{Name: r.FormValue("name"), Email: r.FormValue("email"),
		Role: knownRole(r.FormValue("role"))}, http.StatusOK)
}

func (room *Room) showInvite(w http.ResponseWriter, r *http.Request, p invitePage, status int) error {
	p.Mails = room.mailer != nil
	return room.Show(w, r, shell.Page{Template: "invite", Section: "settings", Title: "Invite somebody", Status: status,
		Answer: "They choose their own password. The invitation works once, for 72 hours.", Data: p})
}

// An invitedPage shows the address of an invitation, once.
type invitedPage struct {
	gangway.Invitation
	Address string
	Failed  string // why no mail was sent
}

// SendInvitation invites somebody.
func (room *Room) SendInvitation(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	p := invitePage{Name: strings.TrimSpace(r.PostFormValue("name")), Role: gangway.Role(r.PostFormValue("role")),
		Email: strings.TrimSpace(r.PostFormValue("email"))}
	u, err := gangway.NewUser(v.User.Customer, p.Email, p.Name, p.Role)
	if err == nil {
		err = room.send(w, r, in, u)
	}
	switch kind := gangway.KindOf(err); {
	case kind == gangway.Invalid && gangway.CheckEmail(p.Email) == nil:
		p.WrongName = shell.SentenceOf(err)
	case kind == gangway.Invalid, kind == gangway.Conflict:
		p.WrongEmail = shell.SentenceOf(err)
	default:
		return err
	}
	return room.showInvite(w, r, p, http.StatusUnprocessableEntity)
}

// send keeps an invitation of u, and mails it or shows its address. A mail is sent after the invitation is stored:
// where the mail server does not take it, the admin hands the address over.
func (room *Room) send(w http.ResponseWriter, r *http.Request, in store.Scoped, u gangway.User) error {
	v, _ := shell.VisitorOf(r.Context())
	i := gangway.Invitation{User: u, Company: v.Account.Customer.Name, At: room.Now()}
	token := access.TokenOf(room.Seed(r))
	address := room.Address(r, acceptPath+token)
	mails := room.mailer != nil && r.PostFormValue("by") == "mail"
	done, err := room.CarryOut(r, in, func(r *http.Request) (shell.Done, error) {
		err := room.db.Invite(r.Context(), room.Actor(r), i, access.HashKey(token))
		if err != nil || !mails {
			return shell.Done{}, err
		}
		return shell.Done{Said: room.mail(r, i, address)}, nil
	})
	if err != nil {
		return err
	}
	if mails && done.Said == "" {
		return room.Finish(w, r, shell.Done{To: peoplePath, Said: "The link was sent to " + u.Email + "."})
	}
	return room.Show(w, r, shell.Page{Template: "invited", Section: "settings", Title: "Link for " + u.Name,
		Answer: "Shown now, and on no page again.", Data: invitedPage{i, address, done.Said}})
}

// mail sends an invitation, and says why it could not.
func (room *Room) mail(r *http.Request, i gangway.Invitation, address string) (failed string) {
	if left, wait := room.mails.Use(i.Customer); left < 0 {
		return "Not mailed: your company mailed " + shell.Number(mailsAnHour) + " links within an hour. Hand this " +
			"one over yourself, or mail another in " + gangway.DurationWords(wait+time.Minute-1) + "."
	}
	subject, text := i.Mail(room.Actor(r).Name, address)
	if err := room.mailer.Mail(r.Context(), transport.Mail{To: []string{i.Email}, Subject: subject, Text: text}); err !=
		nil {
		return "The mail was not sent: " + err.Error()
	}
	return ""
}

// Withdraw ends an invitation.
func (room *Room) Withdraw(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	email := r.PostFormValue("email")
	return room.Once(w, r, in, func(r *http.Request) (shell.Done, error) {
		v, _ := shell.VisitorOf(r.Context())
		return shell.Done{To: peoplePath, Said: "The invitation of " + email + " is withdrawn."},
			room.db.WithdrawInvitation(r.Context(), room.Actor(r), v.User.Customer, email, room.Now())
	})
}

// again is the query of the form that invites somebody once more.
func again(i gangway.Invitation) url.Values {
	return url.Values{"name": {i.Name}, "email": {i.Email}, "role": {string(i.Role)}}
}
