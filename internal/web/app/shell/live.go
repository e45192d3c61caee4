package shell

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/access"
)

// A page behind InTurn stays true while it is open. Its script, live.js, hears from Live that the account has news,
// asks for the page's own address once more, and puts what has changed in place. All readers of an address with the
// same account and role get one rendering: shared.go.

// livePause is the least time between two news of a stream, and liveBeat how often a page hears that the stream is
// alive.
const (
	livePause = 200 * time.Millisecond
	liveBeat  = 10 * time.Second
)

// Live tells an open page when there is news of its account: as a stream, or, of browsers and proxies without streams,
// once.
func (sh *Shell) Live(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	ctx, topic := r.Context(), store.AccountNews(in.Scope().Account)
	v, _ := VisitorOf(ctx)
	if err := sh.samePage(v, r.FormValue("for")); err != nil {
		return err
	}
	if !strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, err := fmt.Fprint(w, sh.db.News(topic))
		return err
	}
	changed, stop := sh.db.Await(topic)
	defer stop()
	beat := time.NewTicker(liveBeat)
	defer beat.Stop()
	out := sh.NewStream(w, r)
	fmt.Fprint(w, "retry: 1000\n") // another replica takes over when this one is gone
	for {
		if err := out.send("", []byte(sh.db.News(topic).String())); err != nil {
			return nil // the reader has left
		}
		if !sh.pause(ctx, changed, beat.C, livePause) || sh.standing(ctx).moved {
			return nil
		}
	}
}

// LiveFrame is what stays true of the frame of a page that shows something that does not change while it is open, as a
// quote.
func (sh *Shell) LiveFrame(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	if v, _ := VisitorOf(r.Context()); v.rendering == nil {
		return sh.Redirect(w, r, "/")
	}
	of := r.WithContext(r.Context())
	of.URL = &url.URL{Path: strings.TrimPrefix(r.FormValue("at"), sh.prefix)}
	return sh.Show(w, of, Page{Template: "error", Section: r.FormValue("section"), Title: "Gangway", Data: errorPage{}})
}

// mark stands for the account, role and person a page was opened with. Only a reader with the same may ask for what
// has changed of it: another account's parts must not come into it after a switch in another tab.
func (sh *Shell) mark(v Visitor) string {
	return sh.FormKeys.Sign("live", v.Account.ID, string(v.User.Role), v.User.ID)
}

func (sh *Shell) samePage(v Visitor, mark string) error {
	if !sh.FormKeys.Signed(mark, "live", v.Account.ID, string(v.User.Role), v.User.ID) {
		return gangway.Errorf(gangway.Conflict, "this page was opened by somebody else, in another role or "+
			"environment: open it again")
	}
	return nil
}

// IsLive reports whether an open page asks for what has changed of it.
func IsLive(r *http.Request) bool { return r.Header.Get(access.LiveHeader) != "" }
