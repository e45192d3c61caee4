package access

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"

	"golang.org/x/sync/singleflight"
)

const (
	// checkTime is how long it may take to check a report login.
	checkTime = 5 * time.Second

	// noteNetwork is how often a network from which a login is right is noted.
	noteNetwork = 24 * time.Hour

	// failedReports is the subject under which replicas tell each other of tries that failed.
	failedReports = "report sign-ins"

	basicChallenge = `Basic realm="Gangway report", charset="UTF-8"`
)

// ReportLogins finds the account whose report login a request carries. Tries are counted as those of
// people who sign in are, but apart from them. From a network where a login was right within 30 days
// its right password is accepted whatever was tried before: a forgotten spreadsheet with an old password,
// or strangers behind the same proxy, keep nobody out there. Wrong passwords stay limited. Nobody guesses
// our passwords there, which have 100 random bits.
//
// Spec: Authentication. Decided: docs/choices.md, "Report (A7)".
type ReportLogins struct {
	db      *store.DB
	now     func() time.Time
	signIns *SignIns
	checks  singleflight.Group // of the same try at the same time, which count once

	believed trusted[gangway.Scope] // by the hash of name and password
}

// NewReportLogins returns logins of the reports in db.
func NewReportLogins(db *store.DB, now func() time.Time) *ReportLogins {
	l := &ReportLogins{db: db, now: now}
	l.signIns = NewSignIns(now, func(ctx context.Context, failed string) {
		_ = db.Broadcast(ctx, failedReports, failed) // without it the other replicas count for themselves
	})
	db.Hear(failedReports, l.signIns.Heard)
	return l
}

// Scope returns the account that a request may read the report of.
func (l *ReportLogins) Scope(r *http.Request) (gangway.Scope, error) {
	switch n := len(r.Header.Values("Authorization")); {
	case n == 0:
		return gangway.Scope{}, web.Unauthorized(basicChallenge, "the report asks for a name and a password")
	case n > 1: // which one counts must not depend on the reader
		return gangway.Scope{}, gangway.Errorf(gangway.Invalid, "the header Authorization was sent more than once")
	}
	name, password, ok := r.BasicAuth()
	if !ok {
		return gangway.Scope{}, web.Unauthorized(basicChallenge,
			"the header Authorization holds no name and password as HTTP Basic has them")
	}
	both := HashKey(name + "\n" + password)
	if scope, ok := l.believed.recall(both, l.now()); ok {
		return scope, nil
	}
	t := Try{Email: name, Network: web.Network(web.Client(r))}
	found, err, _ := l.checks.Do(both+t.Network, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), checkTime)
		defer cancel()
		scope, err := l.check(ctx, t, password, both)
		if errors.Is(ctx.Err(), context.DeadlineExceeded) && gangway.KindOf(err) == gangway.Internal {
			err = fmt.Errorf("%w: %w", store.ErrAway, err)
		}
		return scope, err
	})
	if err != nil {
		return gangway.Scope{}, err
	}
	return found.(gangway.Scope), nil
}

// check tries a name and a password that are not believed yet.
func (l *ReportLogins) check(ctx context.Context, t Try, password, both string) (gangway.Scope, error) {
	if scope, ok := l.believed.recall(both, l.now()); ok { // the same try was right a moment ago
		return scope, nil
	}
	lockout, locked := l.signIns.Begin(t)
	wait := web.TooManyRequests(lockout.Wait, "too many wrong names and passwords have been tried; please wait before "+
		"trying again")
	login, err := l.find(ctx, t.Email, password)
	switch wrong := gangway.KindOf(err) == gangway.NotFound; {
	case wrong && locked:
		return gangway.Scope{}, wait
	case wrong:
		l.signIns.Failed(ctx, t)
		return gangway.Scope{}, web.Unauthorized(basicChallenge,
			"the name or the password is wrong, or the login was revoked")
	case !locked:
		l.signIns.Withdraw(t) // a right one, or nothing was checked: the wrong ones before stay counted
	}
	if err != nil {
		return gangway.Scope{}, err
	}
	scope, network, now := gangway.Scope{Account: login.Account}, HashKey(t.Network), l.now()
	in := l.db.In(scope)
	seen, err := in.ReportLoginSeen(ctx, login.ID, network, now)
	if err != nil {
		return gangway.Scope{}, err
	}
	if locked && seen.IsZero() {
		return gangway.Scope{}, wait
	}
	var also func(context.Context) error
	if now.Sub(seen) >= noteNetwork {
		also = func(ctx context.Context) error { return in.MarkReportLoginSeen(ctx, login.ID, network, now) }
	}
	if err := noteUse(ctx, in, login, now, also); err != nil {
		return gangway.Scope{}, err
	}
	l.believed.believe(both, scope, now)
	return scope, nil
}

// find returns the login of that name and password. NotFound: there is none. The password is compared
// for a name that nobody has too, so that both take the same time.
func (l *ReportLogins) find(ctx context.Context, name, password string) (store.Credential, error) {
	none := gangway.Errorf(gangway.NotFound, "there is no such login")
	if len(name) > 100 || strings.IndexFunc(name, func(c rune) bool { return c <= ' ' || c > '~' }) >= 0 {
		return store.Credential{}, none
	}
	login, hash, err := l.db.ReportLogin(ctx, name)
	if err != nil && gangway.KindOf(err) != gangway.NotFound {
		return store.Credential{}, err
	}
	if subtle.ConstantTimeCompare([]byte(HashKey(password)), []byte(hash)) != 1 || err != nil {
		return store.Credential{}, none
	}
	return login, nil
}
