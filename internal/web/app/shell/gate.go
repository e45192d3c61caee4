package shell

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web"
)

// KindOf is the kind of an error for pages that tell a supplier who does not
// answer from what went wrong: a database that is away is no supplier.
func KindOf(err error) gangway.Kind {
	if errors.Is(err, store.ErrAway) {
		return gangway.Internal
	}
	return gangway.KindOf(err)
}

// refuse turns the error of a handler into a page of ours. The gate has logged it.
func (sh *Shell) refuse(w http.ResponseWriter, r *http.Request, err error) {
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

// noteRefusal writes down what was not for the role of whoever asked, and limits.
func (sh *Shell) noteRefusal(r *http.Request, err error) {
	e := gangway.AuditEntry{By: gangway.ByNobody(web.From(r)), What: gangway.RequestRefused}
	e.After = map[string]any{"method": r.Method, "path": r.URL.Path}
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

// askToSignIn sends the browser to the sign-in page, which knows where to go
// on. What was posted is not kept: nobody may post who is not signed in, and
// passports are kept nowhere for somebody who may never come back. The page
// says so, and leads to the form again, in the environment that it was opened in.
func (sh *Shell) askToSignIn(w http.ResponseWriter, r *http.Request) {
	q, to := url.Values{}, sh.back(r)
	switch r.Method {
	case http.MethodGet:
		to = r.URL.RequestURI()
	case http.MethodPost:
		if to == "" {
			to = r.URL.Path // whoever opens it is led to its form
		}
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

// back returns the path of the page that the request came from, relative to
// the application; empty when it is not ours.
func (sh *Shell) back(r *http.Request) string {
	from, err := url.Parse(r.Referer())
	if err != nil || from.Host != r.Host {
		return ""
	}
	return Local(strings.TrimPrefix(from.RequestURI(), sh.prefix))
}

// SentenceOf returns what whoever asked is told of err, as a sentence.
func SentenceOf(err error) string { return AsSentence(web.Message(err)) }

// AsSentence makes a sentence of an error's message.
func AsSentence(msg string) string {
	if msg == "" {
		return ""
	}
	return Capital(strings.TrimSuffix(msg, ".")) + "."
}

// Capital begins words with a capital letter.
func Capital(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
