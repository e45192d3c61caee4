package shell

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
)

// KindOf is the kind of an error for pages that say when a supplier does not
// answer. A database that is away is not a supplier.
func KindOf(err error) gangway.Kind {
	if errors.Is(err, store.ErrAway) {
		return gangway.Internal
	}
	return gangway.KindOf(err)
}

// refuse shows the page of a handler's error. The gate has logged it already.
func (sh *Shell) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(r.Context().Err(), context.Canceled) {
		return // whoever asked has left: nobody reads a page, and no limit was reached
	}
	if errors.Is(err, errSignIn) || errors.Is(err, store.ErrNoAccount) {
		sh.askToSignIn(w, r)
		return
	}
	if errors.Is(err, store.ErrAway) {
		sh.showAway(w, r)
		return
	}
	sh.noteRefusal(r, err)
	sh.showError(w, r, err)
}

// noteRefusal records that somebody's role did not allow a request, or that a limit was reached.
func (sh *Shell) noteRefusal(r *http.Request, err error) {
	e := gangway.AuditEntry{By: gangway.ByNobody(web.From(r)), What: gangway.RequestRefused}
	e.After = map[string]any{"method": r.Method, "path": gangway.LoggedPath(r.URL.Path)}
	if v, ok := VisitorOf(r.Context()); ok {
		e.By, e.Customer, e.Environment = sh.Actor(r), v.User.Customer, v.Account.Environment
		e.After["user"] = v.User.ID
	}
	switch {
	case web.Status(err) == http.StatusForbidden:
		sh.refusals.Audit(r.Context(), e)
	case web.Limited(err):
		e.What = gangway.LimitReached
		sh.refusals.Log(r.Context(), e)
	}
}

// KeyRefused records that an API key was shown on a page that is nobody's.
func (sh *Shell) KeyRefused(r *http.Request) {
	sh.refusals.Audit(r.Context(), gangway.AuditEntry{By: gangway.ByNobody(web.From(r)), What: gangway.KeyRefused,
		After: map[string]any{"method": r.Method, "path": gangway.LoggedPath(r.URL.Path)}})
}

// askToSignIn sends the browser to the sign-in page, which leads back afterwards. A
// posted form is not kept: it came from somebody who is not signed in, and it may
// hold passports, which are not stored for a person who may never come back. The
// sign-in page says so, and leads to the form in the environment it was opened in.
func (sh *Shell) askToSignIn(w http.ResponseWriter, r *http.Request) {
	q, to := url.Values{}, sh.Back(r)
	switch r.Method {
	case http.MethodGet:
		to = r.URL.RequestURI()
	case http.MethodPost:
		to = cmp.Or(to, r.URL.Path) // opening it leads to its form
		q.Set("lost", "yes")
		if e := r.PostFormValue(stampField); knownEnvironment(gangway.Environment(e)) {
			q.Set("environment", e)
		}
	}
	if to != "" && to != "/" {
		q.Set("to", to)
	}
	path := "/sign-in"
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	sh.Redirect(w, r, path)
}

// knownEnvironment reports whether there is such an environment.
func knownEnvironment(e gangway.Environment) bool {
	return e == gangway.Production || e == gangway.Development
}

// Back returns the path of the page that the request came from, relative to the
// application, or nothing when that page is not ours.
func (sh *Shell) Back(r *http.Request) string {
	from, err := url.Parse(r.Referer())
	if err != nil || from.Host != r.Host {
		return ""
	}
	return Local(strings.TrimPrefix(from.RequestURI(), sh.prefix))
}

// SentenceOf returns the part of err that its reader may see, as a sentence.
func SentenceOf(err error) string { return AsSentence(web.Message(err)) }

// AsSentence makes an error's message a sentence.
func AsSentence(msg string) string {
	if msg == "" {
		return ""
	}
	return Capital(strings.TrimSuffix(msg, ".")) + "."
}

// Capital makes the first letter of words a capital.
func Capital(words string) string {
	first, size := utf8.DecodeRuneInString(words)
	if first == utf8.RuneError {
		return words
	}
	return string(unicode.ToUpper(first)) + words[size:]
}
