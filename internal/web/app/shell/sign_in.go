package shell

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/web"
)

// A signInPage is the sign-in form, which also says where signing in leads.
type signInPage struct {
	To          string
	Going       string              // where To leads, in words
	Lost        bool                // the person was signed out before their form arrived
	Environment gangway.Environment // in which that form's page was opened
	Email       string
	Wrong       string
	Beside      []Link
}

// readSignIn reads what the page carries, from its address or its form.
func readSignIn(values url.Values) signInPage {
	p := signInPage{To: Local(values.Get("to")), Lost: values.Get("lost") != "",
		Environment: gangway.Environment(values.Get("environment"))}
	if !knownEnvironment(p.Environment) {
		p.Environment = ""
	}
	return p
}

// SignIn shows the form, or leads on a person who is signed in already.
func (sh *Shell) SignIn(w http.ResponseWriter, r *http.Request) error {
	p := readSignIn(r.URL.Query())
	if _, ok := VisitorOf(r.Context()); ok {
		return sh.Redirect(w, r, p.To)
	}
	return sh.showSignIn(w, r, p, http.StatusOK)
}

func (sh *Shell) showSignIn(w http.ResponseWriter, r *http.Request, p signInPage, status int) error {
	p.Going, p.Beside = sh.navigation.going(p.To), sh.navigation.Beside
	return sh.Show(w, r, Page{Template: "sign_in", Title: "Sign in", Status: status, Data: p})
}

// CheckSignIn signs the user in. For an address that no user has it takes as long as
// for a wrong password, and says the same, so that it does not tell who has access.
func (sh *Shell) CheckSignIn(w http.ResponseWriter, r *http.Request) error {
	p := readSignIn(r.PostForm)
	p.Email = strings.TrimSpace(r.PostFormValue("email"))
	u, hash, err := sh.db.UserByEmail(r.Context(), p.Email)
	if gangway.KindOf(err) == gangway.NotFound {
		hash = sh.nobody
	} else if err != nil {
		return err
	}
	t, err := sh.try(r, u, p.Email)
	if err != nil {
		return err
	}
	right, err := sh.tryPassword(r, t, u, hash, r.PostFormValue("password"))
	switch {
	case web.Limited(err):
		p.Wrong = SentenceOf(err)
		return sh.showSignIn(w, r, p, web.Answer(w.Header(), err))
	case err != nil:
		return err
	case !right:
		p.Wrong = "This e-mail address and password do not belong together."
		return sh.showSignIn(w, r, p, http.StatusUnprocessableEntity)
	}
	if err := sh.signInAs(w, r, u); err != nil {
		return err
	}
	if p.Environment != "" {
		sh.Sessions.Switch(r.Context(), p.Environment)
	} else if err := sh.begin(r.Context(), u, p.To); err != nil {
		return err
	}
	return sh.Redirect(w, r, p.To)
}

// signInAs makes the session that of u, who has shown that they are.
func (sh *Shell) signInAs(w http.ResponseWriter, r *http.Request, u gangway.User) error {
	if err := sh.makeFamiliar(w, r, u); err != nil {
		return err
	}
	if err := sh.db.Record(r.Context(), gangway.AuditEntry{
		At: sh.Now(), By: gangway.ByPerson(u, web.From(r)), Customer: u.Customer, What: gangway.SignedIn,
	}); err != nil {
		return err
	}
	return sh.Sessions.SignIn(r.Context(), u)
}

// Welcome signs somebody in who has just become a user, and leads to the first page.
func (sh *Shell) Welcome(w http.ResponseWriter, r *http.Request, u gangway.User) error {
	if err := cmp.Or(sh.signInAs(w, r, u), sh.begin(r.Context(), u, "/")); err != nil {
		return err
	}
	return sh.Redirect(w, r, "/")
}

// failedSignIn is the audit entry for a failed sign-in of u. An address that no user
// has is not kept, because it may be a password typed into the wrong field.
func failedSignIn(u gangway.User, what gangway.AuditEvent, from string) gangway.AuditEntry {
	if u.ID == "" {
		return gangway.AuditEntry{By: gangway.ByNobody(from), What: what, After: map[string]any{}}
	}
	return gangway.AuditEntry{By: gangway.ByPerson(u, from), Customer: u.Customer, What: what,
		After: map[string]any{"user": u.ID}}
}

// SignOut ends the session and tells the browser to forget the pages it has shown,
// which name travellers and their passports.
func (sh *Shell) SignOut(w http.ResponseWriter, r *http.Request) error {
	if v, ok := VisitorOf(r.Context()); ok {
		e := gangway.AuditEntry{At: sh.Now(), By: sh.Actor(r), Customer: v.User.Customer, What: gangway.SignedOut}
		if err := sh.db.Record(r.Context(), e); err != nil {
			return err
		}
	}
	if err := sh.Sessions.SignOut(r.Context()); err != nil {
		return err
	}
	w.Header().Set("Clear-Site-Data", `"cache"`)
	return sh.Redirect(w, r, "/sign-in")
}
