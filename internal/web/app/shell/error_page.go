package shell

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/access"
)

// An errorPage says what went wrong, what to do about it and where to go from there.
type errorPage struct {
	Sentence string
	Remedy   string
	Back     string // the page before, if it is ours
	Ways     []Link
	Other    gangway.Environment // where it is instead; empty: nowhere
	At       string              // the page's own path
}

// refusals are the headings of error pages and what the reader can do, by HTTP
// status. The sentence between them is the error's own.
var refusals = map[int]struct{ title, remedy string }{
	http.StatusBadRequest: {"That cannot be done as it was asked",
		"Nothing was changed. Go back, look at what was typed or chosen, and send it again."},
	http.StatusUnauthorized: {"Please sign in", "Sign in again, then reopen the page."},
	http.StatusForbidden: {"Not for your role",
		"Nothing was changed. If your work needs it, ask an admin of your company."},
	http.StatusNotFound: {"Not found",
		"It may have been taken back, or the link may be incomplete. Begin at one of the pages below."},
	http.StatusMethodNotAllowed: {"Not in this way",
		"Nothing was changed. Open the page from the navigation or one of the buttons below, and use its form there."},
	http.StatusConflict: {"That is no longer possible",
		"Nothing was changed by this. Open the page again to see how it stands now."},
	http.StatusRequestEntityTooLarge: {"That is too large", "Nothing was saved. Go back and send less text at once."},
	http.StatusUnsupportedMediaType: {"That cannot be read here",
		"Nothing was saved. Open the page again and send the form that stands on it."},
	http.StatusUnprocessableEntity: {"Something in the form is not right",
		"Nothing was saved. Go back, correct it and send it again."},
	http.StatusTooManyRequests: {"Too much at once", ""},
	http.StatusServiceUnavailable: {"No answer just now",
		"What you sent may still be under way: check before you send it again."},
	http.StatusInternalServerError: {
		"Something went wrong on our side",
		"It has been written down for those who look after Gangway. Nothing was lost; trying again is safe.",
	},
}

// ofPages are the same where a page was asked for: nothing was sent that could have changed anything.
var ofPages = map[int]struct{ title, remedy string }{
	http.StatusBadRequest: {"That cannot be shown as it was asked",
		"Go back, or begin at one of the pages below."},
	http.StatusForbidden:           {"Not for your role", "If your work needs it, ask an admin of your company."},
	http.StatusServiceUnavailable:  {"No answer just now", "Open the page again in a moment."},
	http.StatusUnprocessableEntity: {"That cannot be looked for", "Go back and ask for something else."},
}

// elsewhere is the heading and the remedy for a form that another site's page sent.
var elsewhere = struct{ title, remedy string }{"That came from another site",
	"Use the pages of Gangway itself: open them with one of the buttons below."}

// developmentOnly is the same for what production refuses.
var developmentOnly = struct{ title, remedy string }{"Not in production",
	"Nothing was changed. Switch to development to do it there."}

// showError answers with the page of an error.
func (sh *Shell) showError(w http.ResponseWriter, r *http.Request, err error) {
	status := web.Answer(w.Header(), err)
	if access.ByItself(r) { // no person reads it, or the message that their next page has for them
		http.Error(w, SentenceOf(err), status)
		return
	}
	words := refusals[status]
	if of, there := ofPages[status]; there && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		words = of
	}
	switch {
	case errors.Is(err, errElsewhere):
		words = elsewhere
	case errors.Is(err, gangway.ErrDevelopmentOnly):
		words = developmentOnly
	}
	if words.title == "" { // a status that none of our errors has yet
		words.title = "That could not be done"
	}
	v, _ := VisitorOf(r.Context())
	p := errorPage{Sentence: SentenceOf(err), Remedy: words.remedy, Back: sh.Back(r),
		Ways: sh.navigation.ways(r.URL.Path, v.User.Role)}
	switch {
	case status == http.StatusNotFound:
		if p.Other, p.At = sh.otherEnvironment(r), r.URL.Path; p.Other != "" {
			p.Remedy = ""
		}
	case status == http.StatusInternalServerError:
		p.Sentence = ""
	case web.Limited(err):
		seconds, _ := strconv.Atoi(w.Header().Get("Retry-After"))
		p.Remedy = "Nothing was changed by this. Try again in " + inWords(time.Duration(seconds)*time.Second) + "."
	}
	show := Page{Template: "error", Title: words.title, Status: status, Data: p}
	if err = sh.Show(w, r, show); err == nil {
		return
	}
	sh.Log.ErrorContext(r.Context(), "error page", "err", err)
	if errors.Is(err, store.ErrAway) {
		sh.showAway(w, r)
		return
	}
	// The frame may be what fails.
	if err := sh.Show(w, r.WithContext(context.WithValue(r.Context(), visitorKey{}, nil)), show); err != nil {
		http.Error(w, "Something went wrong on our side.", http.StatusInternalServerError)
	}
}

// Refuse shows the page of an error that came before the request reached the
// application. Nothing is known of the person who sent it.
func (sh *Shell) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	sh.sheltered(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sh.refuse(w, r, err)
	})).ServeHTTP(w, r)
}
