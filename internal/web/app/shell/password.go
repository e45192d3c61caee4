package shell

import (
	"net/http"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/access"
)

// A passwordPage is where people change their password. Errors stand beside their
// field; what was typed is never shown again.
type passwordPage struct {
	Email                         string
	WrongPresent, WrongNew, Again string
}

// PasswordForm shows the form to change a password.
func (sh *Shell) PasswordForm(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	return sh.showPassword(w, r, passwordPage{}, http.StatusOK)
}

func (sh *Shell) showPassword(w http.ResponseWriter, r *http.Request, p passwordPage, status int) error {
	v, _ := VisitorOf(r.Context())
	p.Email = v.User.Email
	return sh.Show(w, r, Page{Template: "password", Title: "Change password",
		Answer: "You stay signed in here, and are signed out everywhere else.", Status: status, Data: p})
}

// ChangePassword changes the password of the person who is signed in. It asks for
// the present one, which somebody at an unlocked screen does not know, and counts
// wrong tries as it counts failed sign-ins.
func (sh *Shell) ChangePassword(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	v, _ := VisitorOf(r.Context())
	chosen := r.PostFormValue("new")
	var p passwordPage
	if err := access.CheckNewPassword(chosen, v.User.Email, v.User.Name, v.Account.Customer.Name); err != nil {
		p.WrongNew = SentenceOf(err)
	} else if r.PostFormValue("again") != chosen {
		p.Again = "This is not the same as the new password."
	}
	if p == (passwordPage{}) && chosen == r.PostFormValue("present") {
		p.WrongNew = "This is the present password: choose another."
	}
	if p != (passwordPage{}) {
		return sh.showPassword(w, r, p, http.StatusUnprocessableEntity)
	}
	u, hash, err := sh.db.UserByEmail(r.Context(), v.User.Email)
	if err != nil {
		return err
	}
	t := access.Try{Email: strings.ToLower(u.Email), Network: "signed in", Known: true}
	right, err := sh.tryPassword(r, t, u, hash, r.PostFormValue("present"))
	switch {
	case web.Limited(err):
		return sh.showPassword(w, r, passwordPage{WrongPresent: SentenceOf(err)}, web.Answer(w.Header(), err))
	case err != nil:
		return err
	case !right:
		return sh.showPassword(w, r, passwordPage{WrongPresent: "This is not your present password."},
			http.StatusUnprocessableEntity)
	}
	by := gangway.ByPerson(u, web.Client(r).String())
	if u, err = sh.db.SetPassword(r.Context(), by, u.Customer, u.Email, access.HashPassword(chosen), sh.Now()); err !=
		nil {
		return err
	}
	if err := sh.Sessions.SignIn(r.Context(), u); err != nil { // under a new token; all other sessions are over
		return err
	}
	sh.Sessions.SetFlash(r.Context(), "Your password was changed. Wherever else you were signed in, you are not any "+
		"more.")
	return sh.Redirect(w, r, "/password")
}
