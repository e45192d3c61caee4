package app

import (
	"context"
	"net/http"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web"
)

// A visitor is the person who is signed in and the account that is worked in.
type visitor struct {
	User    gangway.User
	Account gangway.Account
	keys    formKeys // of what the pages carry
}

type visitorKey struct{}

// visitorOf returns who is signed in; behind signedIn there always is someone.
func visitorOf(ctx context.Context) (visitor, bool) {
	v, ok := ctx.Value(visitorKey{}).(visitor)
	return v, ok
}

// settings returns those of the account that is worked in.
func settings(ctx context.Context) gangway.Settings {
	v, _ := visitorOf(ctx)
	return v.Account.Settings
}

// actor is who is signed in, for the audit log.
func (a *App) actor(r *http.Request) gangway.Actor {
	v, _ := visitorOf(r.Context())
	return gangway.ByPerson(v.User, web.From(r))
}

// errSignIn says that the page is only for people who are signed in.
var errSignIn = gangway.Errorf(gangway.Denied, "nobody is signed in")

// meet finds out who is signed in. Whoever was removed or disabled, or whose
// sessions were ended, is not.
func (a *App) meet(next http.Handler) http.Handler {
	return a.sessions.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := a.sessions.User(r.Context())
		if id == "" {
			next.ServeHTTP(w, r)
			return
		}
		v, err := a.visitor(r.Context(), id)
		if gangway.KindOf(err) == gangway.NotFound {
			next.ServeHTTP(w, r)
			return
		}
		if err != nil {
			a.refuse(w, r, err)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), visitorKey{}, v)))
	}))
}

func (a *App) visitor(ctx context.Context, id string) (visitor, error) {
	u, err := a.db.User(ctx, id)
	if err != nil {
		return visitor{}, err
	}
	if !a.sessions.Holds(ctx, u) {
		return visitor{}, gangway.Errorf(gangway.NotFound, "this session was ended")
	}
	production, development, err := a.db.Accounts(ctx, u.Customer)
	if err != nil {
		return visitor{}, err
	}
	if a.sessions.Environment(ctx) == gangway.Development {
		return visitor{u, development, a.formKeys}, nil
	}
	return visitor{u, production, a.formKeys}, nil
}

// signedIn lets people through to h who are signed in, and others by way of the sign-in page.
func (a *App) signedIn(h web.Handler) web.Guarded { return a.only(gangway.ToBook, h) }

// only lets people through to h who are signed in and have a right.
func (a *App) only(right gangway.Right, h web.Handler) web.Guarded {
	auth := func(r *http.Request) (gangway.Scope, error) {
		v, ok := visitorOf(r.Context())
		switch {
		case !ok:
			return gangway.Scope{}, errSignIn
		case !v.User.Role.May(right):
			return gangway.Scope{}, gangway.Errorf(gangway.Denied, "people with the role %s may not %s", v.User.Role, right)
		}
		return v.Account.Scope(), nil
	}
	return web.Guarded{For: web.People(right), Handler: a.meet(web.Gate(a.db, a.log, auth, a.refuse, func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		if err := a.sameEnvironment(r); err != nil {
			return err
		}
		return h(w, r, in)
	}))}
}

// sameEnvironment refuses a form whose page was opened in another environment
// than its reader works in by now: a customer's own keys are the same in both.
//
// Decided: docs/choices.md, "Made while building".
func (a *App) sameEnvironment(r *http.Request) error {
	v, _ := visitorOf(r.Context())
	if r.Method != http.MethodPost || r.URL.Path == "/environment" {
		return nil
	}
	opened := gangway.Environment(r.PostFormValue(stampField))
	if opened == "" || opened == v.Account.Environment {
		return nil
	}
	return gangway.Errorf(gangway.Conflict, "this page was opened in %s, and you work in %s now: nothing was done. Switch back, or open the page anew", opened, v.Account.Environment)
}

// open lets everybody through to h, and says who is signed in if somebody is.
func (a *App) open(h func(http.ResponseWriter, *http.Request) error) web.Guarded {
	return web.Guarded{For: web.Anybody, Handler: a.meet(a.bare(h).Handler)}
}

// bare lets everybody through to h without looking at a session.
func (a *App) bare(h func(http.ResponseWriter, *http.Request) error) web.Guarded {
	nobody := func(*http.Request) (gangway.Scope, error) { return gangway.Scope{}, nil }
	return web.Guarded{For: web.Anybody, Handler: web.Gate(a.db, a.log, nobody, a.refuse, func(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
		return h(w, r)
	})}
}

// environment switches between production and development.
func (a *App) environment(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	e := gangway.Environment(r.FormValue("environment"))
	if !known(e) {
		return gangway.Errorf(gangway.Invalid, "an environment is production or development")
	}
	a.sessions.Switch(r.Context(), e)
	return a.redirect(w, r, local(r.FormValue("back")))
}
