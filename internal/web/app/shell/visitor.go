package shell

import (
	"context"
	"errors"
	"net/http"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/access"
	"gangway/internal/world"
)

// A Visitor is the person who is signed in, and the account that person works in.
type Visitor struct {
	User    gangway.User
	Account gangway.Account
	keys    FormKeys // sign what the pages carry

	news      store.News // of the account, from before anything was read
	rendering *rendering // of parts that several people may see; nil: of this visitor's own page
}

// Person returns the person who is signed in, for a page that shows each person something else. What has changed of
// such a page is rendered for each of its readers; in that of other pages nobody is named.
func (v Visitor) Person() gangway.User {
	if v.rendering == nil {
		return v.User
	}
	v.rendering.asked.Store(true)
	return v.rendering.reader
}

// DutyEnds returns when the duty ends before which everything that ends has to be seen to now, by the account's clock
// as now is.
func (v Visitor) DutyEnds(now time.Time) time.Time {
	return v.Account.Settings.Duty.NextEnd(now, world.Zone)
}

type visitorKey struct{}

// VisitorOf returns who is signed in. Behind SignedIn and Only somebody always is.
func VisitorOf(ctx context.Context) (Visitor, bool) {
	v, ok := ctx.Value(visitorKey{}).(Visitor)
	return v, ok
}

// Settings returns the settings of the account that the visitor works in.
func Settings(ctx context.Context) gangway.Settings {
	v, _ := VisitorOf(ctx)
	return v.Account.Settings
}

// Actor returns the person who is signed in, for the audit log.
func (sh *Shell) Actor(r *http.Request) gangway.Actor {
	v, _ := VisitorOf(r.Context())
	return gangway.ByPerson(v.User, web.From(r))
}

// errSignIn is the error of a page that is only for people who are signed in.
var errSignIn = gangway.Errorf(gangway.Denied, "nobody is signed in")

// meet finds out who is signed in. A person who was removed or disabled, or whose
// sessions were ended, is not.
func (sh *Shell) meet(next http.Handler) http.Handler {
	return sh.Sessions.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := sh.Sessions.User(r.Context())
		if id == "" {
			next.ServeHTTP(w, r)
			return
		}
		v, err := sh.visitor(r.Context(), id)
		if gangway.KindOf(err) == gangway.NotFound {
			next.ServeHTTP(w, r)
			return
		}
		if err != nil {
			sh.refuse(w, r, err)
			return
		}
		sh.noteSeen(r, v)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), visitorKey{}, v)))
	}))
}

// noteSeen notes that somebody uses the pages of an account. None of these fails for that, or waits long.
func (sh *Shell) noteSeen(r *http.Request, v Visitor) {
	if access.ByItself(r) {
		return
	}
	sh.db.In(v.Account.Scope()).NoteUse(sh.Now())
	ctx, cancel := context.WithTimeout(r.Context(), time.Second)
	defer cancel()
	if err := sh.db.NoteSeen(ctx, v.User, sh.Now()); err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrAway) {
		sh.Log.WarnContext(ctx, "it is not known when a person was seen last", "user", v.User.ID, "error", err)
	}
}

func (sh *Shell) visitor(ctx context.Context, id string) (Visitor, error) {
	u, err := sh.db.User(ctx, id)
	if err != nil {
		return Visitor{}, err
	}
	if !sh.Sessions.Holds(ctx, u) {
		return Visitor{}, gangway.Errorf(gangway.NotFound, "this session was ended")
	}
	production, development, err := sh.db.Accounts(ctx, u.Customer)
	if err != nil {
		return Visitor{}, err
	}
	v := Visitor{User: u, Account: production, keys: sh.FormKeys}
	if sh.Sessions.Environment(ctx) == gangway.Development {
		v.Account = development
	}
	v.news = sh.db.News(store.AccountNews(v.Account.ID))
	return v, nil
}

// SignedIn lets people through to h who are signed in, and sends others to the sign-in page first.
func (sh *Shell) SignedIn(h web.Handler) web.Guarded { return sh.Only(gangway.ToBook, h) }

// Only lets people through to h who are signed in and have the permission.
func (sh *Shell) Only(right gangway.Permission, h web.Handler) web.Guarded {
	auth := func(r *http.Request) (gangway.Scope, error) {
		v, ok := VisitorOf(r.Context())
		switch {
		case !ok:
			return gangway.Scope{}, errSignIn
		case !v.User.Role.May(right):
			return gangway.Scope{}, gangway.Errorf(gangway.Denied, "people with the role %s may not %s", v.User.Role,
				right)
		}
		return v.Account.Scope(), nil
	}
	return web.Guarded{For: web.People(right), Handler: sh.meet(web.Gate(sh.db, sh.Log, auth, sh.refuse,
		func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
			if err := sh.sameEnvironment(r); err != nil {
				return err
			}
			return h(w, r, in)
		}))}
}

// sameEnvironment refuses a form whose page was opened in the environment that its
// reader has left since: a customer's own keys are the same in both.
//
// Decided: docs/choices.md, "Made while building".
func (sh *Shell) sameEnvironment(r *http.Request) error {
	v, _ := VisitorOf(r.Context())
	if r.Method != http.MethodPost || r.URL.Path == "/environment" {
		return nil
	}
	opened := gangway.Environment(r.PostFormValue(stampField))
	if opened == "" || opened == v.Account.Environment {
		return nil
	}
	return gangway.Errorf(gangway.Conflict, "this page was opened in %s, and you work in %s now: nothing was done. "+
		"Switch back, or open the page again", opened, v.Account.Environment)
}

// Gate lets those through to h for whom auth finds an account, without looking at a session.
func (sh *Shell) Gate(auth func(*http.Request) (gangway.Scope, error), h web.Handler) http.Handler {
	return web.Gate(sh.db, sh.Log, auth, sh.refuse, h)
}

// Open lets everybody through to h, which can tell who is signed in, if anybody is.
func (sh *Shell) Open(h func(http.ResponseWriter, *http.Request) error) web.Guarded {
	return web.Guarded{For: web.Anybody, Handler: sh.meet(sh.Bare(h).Handler)}
}

// Bare lets everybody through to h without looking at a session.
func (sh *Shell) Bare(h func(http.ResponseWriter, *http.Request) error) web.Guarded {
	nobody := func(*http.Request) (gangway.Scope, error) { return gangway.Scope{}, nil }
	return web.Guarded{For: web.Anybody, Handler: web.Gate(sh.db, sh.Log, nobody, sh.refuse, func(w http.ResponseWriter,
		r *http.Request, _ store.Scoped) error {
		return h(w, r)
	})}
}

// Environment switches between production and development.
func (sh *Shell) Environment(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	e := gangway.Environment(r.FormValue("environment"))
	if !knownEnvironment(e) {
		return gangway.Errorf(gangway.Invalid, "an environment is production or development")
	}
	sh.Sessions.Switch(r.Context(), e)
	return sh.Redirect(w, r, Local(r.FormValue("back")))
}

// NameOf returns the name of the person with an e-mail address, or the address where there is none.
func (sh *Shell) NameOf(ctx context.Context, email string) string {
	if u, _, err := sh.db.UserByEmail(ctx, email); err == nil && u.Name != "" {
		return u.Name
	}
	return email
}
