package plan

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"sync"
	"time"

	"gangway"
	"gangway/internal/background"
	"gangway/internal/book"
	"gangway/internal/store"
)

// Results are shown for so long before they are looked for again; a search may
// take so long; and so many are kept at once.
const (
	life         = 10 * time.Minute
	Patience     = 2 * time.Minute
	sessionsKept = 200
	offersKept   = 50_000 // of all sessions together, about 100 MB
)

// Sessions are those of all accounts that are under way or done not long ago.
type Sessions struct {
	desk *book.Desk
	now  func() time.Time
	log  *slog.Logger

	mu   sync.Mutex
	kept map[string]*Session
}

// NewSessions returns sessions in which a desk looks for flights.
func NewSessions(desk *book.Desk, now func() time.Time, log *slog.Logger) *Sessions {
	return &Sessions{desk: desk, now: now, log: log, kept: map[string]*Session{}}
}

// Of returns the session for s, and begins it where there is none, it is too
// old, or it is to be looked again.
func (ss *Sessions) Of(in store.Scoped, s gangway.Search, again bool) *Session {
	key, now := searchKey(in.Scope().Account, s), ss.now()
	ss.mu.Lock()
	defer ss.mu.Unlock()
	session := ss.kept[key]
	if session != nil && !again && session.fresh(now) {
		return session
	}
	session = newSession(len(s.Members), now)
	ss.kept[key] = session
	ss.trim(now)
	go ss.pursue(session, in, s)
	return session
}

// searchKey names what is looked for: a search that was corrected has another session.
func searchKey(account string, s gangway.Search) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q %q", s.Vessel, s.Flag)
	for _, m := range s.Members {
		fmt.Fprintf(h, "\n%q %+q", m.FareType, m.Legs)
	}
	return fmt.Sprintf("%s %s %x", account, s.ID, h.Sum64())
}

// trim lets go of what is old, and of what was looked at longest ago where
// there is too much.
func (ss *Sessions) trim(now time.Time) {
	for len(ss.kept) > 0 {
		oldest, at, offers := "", now, 0
		for key, session := range ss.kept {
			used, n := session.weigh()
			if offers += n; oldest == "" || used.Before(at) {
				oldest, at = key, used
			}
		}
		if len(ss.kept) <= sessionsKept && offers <= offersKept && now.Sub(at) < life {
			return
		}
		delete(ss.kept, oldest)
	}
}

// pursue runs a session to its end.
func (ss *Sessions) pursue(session *Session, in store.Scoped, s gangway.Search) {
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	longest := ss.desk.LongestName(ctx, in)
	session.tell(func() { session.longest = longest })
	scouted := make(chan struct{})
	go func() {
		defer close(scouted)
		if len(s.Members) > 1 {
			_ = background.Guard(ss.log, "find out who can be there", func() error { ss.scout(ctx, session, in, s); return nil })
		}
	}()
	err := background.Guard(ss.log, "search for flights", func() error { return ss.desk.Search(ctx, in, s, session.add) })
	if err != nil && !errors.Is(err, store.ErrAway) {
		ss.log.Warn("a search did not come to its end", "search", s.ID, "error", err)
	}
	session.unanswered()
	<-scouted // usually long before; it ends with ctx
	session.tell(func() { session.over = true })
}

// scout finds out how many can be there at all, long before their flights are
// found. It is a help only: when it fails the search still says everything.
func (ss *Sessions) scout(ctx context.Context, session *Session, in store.Scoped, s gangway.Search) {
	reach, err := ss.desk.Reach(ctx, in, s)
	if err == nil && reach != nil {
		session.tell(func() { session.reach = reach })
		var days []Day
		if days, err = DaysAround(ctx, ss.desk, in, s, s.Airport, s.Date); err == nil {
			session.tell(func() { session.days = days })
		}
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrAway) {
		ss.log.Warn("it could not be found out who can be there", "search", s.ID, "error", err)
	}
}
