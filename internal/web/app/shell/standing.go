package shell

import (
	"context"
	"fmt"
	"sync"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"

	"golang.org/x/sync/singleflight"
)

// standings remembers for the sessions of open streams that they still hold, so that any number of streams of a
// session cost one look at the database: when a person or session has changed, and every standingLife besides.
type standings struct {
	asking singleflight.Group
	mu     sync.Mutex
	known  map[standingOf]standing
}

type standingOf struct {
	token string
	role  gangway.Role
	env   gangway.Environment
}

type standing struct {
	news  store.News // of people, as it was read
	until time.Time
	ends  time.Time // the session, by the clock of the application
	stays bool      // is signed in, with the same role
	moved bool      // works in the other environment by now
}

const (
	// standingLife is how long it takes at most to notice what nobody has told of.
	standingLife = 10 * time.Second

	standingsKept = 1000
)

// mayStay reports whether the reader of a page that stays open is still signed in, with the same role. When that
// cannot be found out now, the reader may stay.
func (sh *Shell) mayStay(ctx context.Context) bool { return sh.standing(ctx).stays }

func (sh *Shell) standing(ctx context.Context) standing {
	v, _ := VisitorOf(ctx)
	of := standingOf{sh.Sessions.Token(ctx), v.User.Role, v.Account.Environment}
	all, news := &sh.standings, sh.db.News(store.People)
	all.mu.Lock()
	s, known := all.known[of]
	all.mu.Unlock()
	if known && s.news == news && time.Now().Before(s.until) && sh.Now().Before(s.ends) {
		return s
	}
	once := fmt.Sprint(of, news)
	found, _, _ := all.asking.Do(once, func() (any, error) {
		s := sh.lookAtStanding(ctx, v)
		s.news, s.until = news, time.Now().Add(standingLife)
		all.mu.Lock()
		defer all.mu.Unlock()
		if all.known == nil || len(all.known) >= standingsKept {
			all.known = map[standingOf]standing{}
		}
		all.known[of] = s
		return s, nil
	})
	return found.(standing)
}

func (sh *Shell) lookAtStanding(ctx context.Context, v Visitor) standing {
	ctx, err := sh.Sessions.Again(ctx)
	if err != nil {
		return standing{stays: true, ends: sh.Now().Add(standingLife)}
	}
	s := standing{ends: sh.Sessions.Ends(ctx), stays: true}
	u, err := sh.db.User(ctx, sh.Sessions.User(ctx))
	switch {
	case gangway.KindOf(err) == gangway.NotFound:
		s.stays = false
	case err == nil:
		s.stays = sh.Sessions.Holds(ctx, u) && u.ID == v.User.ID && u.Role == v.User.Role
		s.moved = sh.Sessions.Environment(ctx) != v.Account.Environment
	}
	return s
}
