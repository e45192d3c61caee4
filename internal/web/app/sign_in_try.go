package app

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"strings"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/access"
)

// failedSignIns is the subject under which replicas tell each other what failed.
const failedSignIns = "sign-ins"

// newSignIns returns the limits on trying passwords, which other replicas' tries count for too.
func (a *App) newSignIns() *access.SignIns {
	limits := access.NewSignIns(a.now, func(ctx context.Context, failed string) {
		if err := a.db.Broadcast(ctx, failedSignIns, failed); err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrAway) {
			a.log.WarnContext(ctx, "other replicas do not know of a failed sign-in", "error", err)
		}
	})
	a.db.Hear(failedSignIns, limits.Heard)
	return limits
}

// try returns what a request's attempt at the password of u, who signs in with
// email, counts for.
func (a *App) try(r *http.Request, u gangway.User, email string) (access.Try, error) {
	t := access.Try{Email: strings.ToLower(email), Network: web.Network(web.Client(r))}
	network, browser := networkPlace(t.Network), browserPlace(a.browserMark(r))
	known, err := a.db.Familiar(r.Context(), u.ID, a.now(), network, browser)
	if err != nil {
		return t, err
	}
	t.Known = known[0] || known[1]
	if known[1] {
		t.Browser = browser
	}
	return t, nil
}

// makeFamiliar notes that u has signed in from here: nobody who guesses
// elsewhere keeps u out.
func (a *App) makeFamiliar(w http.ResponseWriter, r *http.Request, u gangway.User) error {
	mark := a.browserMark(r)
	if mark == "" {
		mark = rand.Text()
	}
	http.SetCookie(w, &http.Cookie{
		Name: a.browserCookie(), Value: mark, Path: "/", MaxAge: int((180 * 24 * time.Hour).Seconds()),
		HttpOnly: true, Secure: a.secure, SameSite: http.SameSiteLaxMode,
	})
	return a.db.MakeFamiliar(r.Context(), u.ID, a.now(), networkPlace(web.Network(web.Client(r))), browserPlace(mark))
}

// browserMark returns the mark that a browser got when somebody signed in with it.
func (a *App) browserMark(r *http.Request) string {
	if c, err := r.Cookie(a.browserCookie()); err == nil && len(c.Value) == len(rand.Text()) {
		return c.Value
	}
	return ""
}

// browserCookie is the name of the cookie that holds a browser's mark.
func (a *App) browserCookie() string {
	if a.secure {
		return "__Host-gangway-browser"
	}
	return "gangway-browser"
}

func networkPlace(network string) string { return access.HashKey("network " + network) }
func browserPlace(mark string) string    { return access.HashKey("browser " + mark) }

// tryPassword reports whether the password is that of u, as far as t may be
// tried at all; hash is u's, or nobody's. It notes what failed in the audit log.
func (a *App) tryPassword(r *http.Request, t access.Try, u gangway.User, hash, password string) (bool, error) {
	if l, locked := a.signIns.Begin(t); locked {
		e := failedSignIn(u, gangway.SignInLocked, web.From(r))
		e.After["limit"] = l.By
		a.refusals.Audit(r.Context(), e)
		return false, web.TooManyRequests(l.Wait, "too many tries. Please wait "+inWords(l.Wait)+" and try again")
	}
	right, err := access.TryPassword(r.Context(), hash, password)
	if err != nil {
		a.signIns.Withdraw(t)
		return false, err
	}
	if right && u.MaySignIn() {
		a.signIns.Succeeded(t)
		return true, nil
	}
	a.signIns.Failed(r.Context(), t)
	e := failedSignIn(u, gangway.SignInFailed, web.From(r))
	e.After["reason"] = whyFailed(u, right)
	a.refusals.Audit(r.Context(), e)
	return false, nil
}

// whyFailed is the reason of a failed sign-in, for those who read the log: whoever
// tries is never told.
func whyFailed(u gangway.User, right bool) string {
	switch {
	case u.ID == "":
		return "unknown person"
	case u.Disabled && right:
		return "person disabled"
	case u.Disabled:
		return "wrong password, person disabled"
	}
	return "wrong password"
}

// inWords is a wait as people say it, rounded up.
func inWords(wait time.Duration) string {
	if wait <= time.Minute {
		return plural(max(1, int((wait+time.Second-1)/time.Second)), "second", "seconds")
	}
	return plural(int((wait+time.Minute-1)/time.Minute), "minute", "minutes")
}
