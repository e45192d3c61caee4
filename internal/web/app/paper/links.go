package paper

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base32"
	"net/http"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/access"
	"gangway/internal/web/app/shell"
)

// A network may try so many addresses that open nothing in a period: as many as passwords.
const guesses, guessPeriod = 30, 5 * time.Minute

// errNoLink says that a link opens nothing.
var errNoLink = gangway.Errorf(gangway.NotFound, "this link opens nothing")

// MakeLink makes a link to an itinerary and shows it once. What is secret in its address follows from the form, so that
// a form that is sent twice shows the same link.
func (room *Room) MakeLink(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	of := subjectOf(r)
	d, err := room.document(r.Context(), in, v.Account, of, false)
	switch {
	case err != nil:
		return err
	case v.Account.Settings.NoLinks:
		return gangway.Errorf(gangway.Denied, "your company has switched links without sign-in off")
	case !d.open(in.Now(room.Now())):
		return gangway.Errorf(gangway.Conflict, "the last flight landed more than 48 hours ago: a link would "+
			"open nothing")
	}
	secret := rand.Text()
	if once := r.PostFormValue("once"); once != "" {
		follows := room.FormKeys.Secret("itinerary link", v.User.ID, of.Booking, of.Change, once)
		secret = base32.StdEncoding.EncodeToString(follows)[:len(secret)]
	}
	_, err = room.CarryOut(r, in, func(r *http.Request) (shell.Done, error) {
		return shell.Done{}, in.MakeLink(r.Context(), room.Actor(r), store.SharedLink{ID: store.NewID("lnk"),
			Booking: of.Booking, Change: of.Change, Stamp: gangway.StampOf(v.User, room.Now())}, access.HashKey(secret))
	})
	if err != nil {
		return err
	}
	return room.showItinerary(w, r, in, of, room.Address(r, "/i/"+secret))
}

// RevokeLink has a link open nothing any more.
func (room *Room) RevokeLink(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.Once(w, r, in, func(r *http.Request) (shell.Done, error) {
		l, err := in.RevokeLink(r.Context(), room.Actor(r), r.FormValue("link"), room.Now())
		return shell.Done{To: "/itinerary?" + subject{l.Booking, l.Change}.Query().Encode(),
			Said: "Link revoked. It opens nothing any more."}, err
	})
}

// open reports whether links open the document.
func (d document) open(now time.Time) bool { return now.Before(d.ends.Add(book.LinkLife)) }

// OpenLink shows an itinerary, or sends it as a file, to whoever has a link.
func (room *Room) OpenLink(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("X-Robots-Tag", "noindex, nofollow")
	network := web.Network(web.Client(r))
	if left, wait := room.guesses.Use(network); left < 0 {
		return web.TooManyRequests(wait, "too many links that open nothing were tried from here")
	}
	secret := r.PathValue("secret")
	d, link, in, err := room.linked(r.Context(), secret)
	if gangway.KindOf(err) == gangway.NotFound { // and counted; nobody learns whether there ever was one
		return room.Show(w, r, shell.Page{Template: "shared", Title: "This link opens nothing",
			Status: http.StatusNotFound, Answer: "It was revoked, has ended, or is incomplete. Ask for another one.",
			Data: map[string]any{}})
	}
	if room.guesses.GiveBack(network); err != nil {
		return err
	}
	if file := r.PathValue("file"); file != "" {
		return send(w, file, d)
	}
	if r.Method == http.MethodGet {
		if err := in.CountOpening(r.Context(), link.ID, room.Now()); err != nil {
			return err
		}
	}
	return room.Show(w, r, shell.Page{Template: "shared", Title: d.Title, Answer: d.answer, Stripe: d.stripe,
		Wide: true, Data: map[string]any{"Paper": d.Paper, "Secret": secret}})
}

// linked returns what a link opens. NotFound: it opens nothing.
func (room *Room) linked(ctx context.Context, secret string) (document, store.SharedLink, store.Scoped, error) {
	l, id, err := room.db.LinkByHash(ctx, access.HashKey(secret))
	if err != nil {
		return document{}, l, store.Scoped{}, err
	}
	account, err := room.db.Account(ctx, id)
	in := room.db.In(account.Scope())
	if err == nil && (account.Settings.NoLinks || !account.Customer.Removing.IsZero()) {
		err = errNoLink
	}
	if err != nil {
		return document{}, l, in, err
	}
	d, err := room.document(ctx, in, account, subject{l.Booking, l.Change}, false)
	if err == nil && !d.open(in.Now(room.Now())) {
		err = errNoLink
		if !d.ends.IsZero() {
			err = cmp.Or(in.EndLinks(ctx, l.Booking, l.Change), err)
		}
	}
	if account.Environment == gangway.Development {
		d.stripe = &shell.DevelopmentStripe
	}
	return d, l, in, err
}
