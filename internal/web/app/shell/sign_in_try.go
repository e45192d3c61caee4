package shell

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/access"
)

// failedSignIns is the subject under which replicas tell each other of failed sign-ins.
const failedSignIns = "sign-ins"

// newSignIns returns the limits on trying passwords, which count the tries on other replicas too.
func (sh *Shell) newSignIns() *access.SignIns {
	limits := access.NewSignIns(sh.Now, func(ctx context.Context, failed string) {
		if err := sh.db.Broadcast(ctx, failedSignIns, failed); err != nil && ctx.Err() == nil &&
			!errors.Is(err, store.ErrAway) {
			sh.Log.WarnContext(ctx, "other replicas do not know of a failed sign-in", "error", err)
		}
	})
	sh.db.Hear(failedSignIns, limits.Heard)
	return limits
}

// try returns what an attempt to sign in as u, with email, is counted by.
func (sh *Shell) try(r *http.Request, u gangway.User, email string) (access.Try, error) {
	t := access.Try{Email: strings.ToLower(email), Network: web.Network(web.Client(r))}
	network, browser := networkPlace(t.Network), browserPlace(sh.browserMark(r))
	known, err := sh.db.Familiar(r.Context(), u.ID, sh.Now(), network, browser)
	if err != nil {
		return t, err
	}
	t.Known = known[0] || known[1]
	if known[1] {
		t.Browser = browser
	}
	return t, nil
}

// makeFamiliar notes that u has signed in from this network and browser, so that
// nobody who guesses elsewhere can keep u out.
func (sh *Shell) makeFamiliar(w http.ResponseWriter, r *http.Request, u gangway.User) error {
	mark := sh.browserMark(r)
	if mark == "" {
		mark = rand.Text()
	}
	http.SetCookie(w, &http.Cookie{
		Name: sh.browserCookie(), Value: mark, Path: "/", MaxAge: int((180 * 24 * time.Hour).Seconds()),
		HttpOnly: true, Secure: sh.secure, SameSite: http.SameSiteLaxMode,
	})
	return sh.db.MakeFamiliar(r.Context(), u.ID, sh.Now(), networkPlace(web.Network(web.Client(r))), browserPlace(mark))
}

// browserMark returns the mark that the browser was given when somebody signed in with it.
func (sh *Shell) browserMark(r *http.Request) string {
	if c, err := r.Cookie(sh.browserCookie()); err == nil && len(c.Value) == len(rand.Text()) {
		return c.Value
	}
	return ""
}

// browserCookie is the name of the cookie that holds a browser's mark.
func (sh *Shell) browserCookie() string {
	if sh.secure {
		return "__Host-gangway-browser"
	}
	return "gangway-browser"
}

func networkPlace(network string) string { return access.HashKey("network " + network) }
func browserPlace(mark string) string    { return access.HashKey("browser " + mark) }

// tryPassword reports whether the password is that of u, unless a limit forbids t.
// hash is u's, or nobody's. Failures go into the audit log.
func (sh *Shell) tryPassword(r *http.Request, t access.Try, u gangway.User, hash, password string) (bool, error) {
	if l, locked := sh.signIns.Begin(t); locked {
		e := failedSignIn(u, gangway.SignInLocked, web.From(r))
		e.After["limit"] = l.By
		sh.refusals.Audit(r.Context(), e)
		return false, web.TooManyRequests(l.Wait, "too many tries. Please wait "+inWords(l.Wait)+" and try again")
	}
	right, err := access.TryPassword(r.Context(), hash, password)
	if err != nil {
		sh.signIns.Withdraw(t)
		return false, err
	}
	if right && u.MaySignIn() {
		sh.signIns.Succeeded(t)
		return true, nil
	}
	sh.signIns.Failed(r.Context(), t)
	e := failedSignIn(u, gangway.SignInFailed, web.From(r))
	e.After["reason"] = whyFailed(u, right)
	sh.refusals.Audit(r.Context(), e)
	return false, nil
}

// whyFailed is the reason of a failed sign-in, for readers of the log. The person who
// tried is never told.
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

// inWords writes a wait as people say it, rounded up.
func inWords(wait time.Duration) string {
	if wait <= time.Minute {
		return Plural(max(1, int((wait+time.Second-1)/time.Second)), "second", "seconds")
	}
	return Plural(int((wait+time.Minute-1)/time.Minute), "minute", "minutes")
}
