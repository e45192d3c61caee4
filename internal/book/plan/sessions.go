package plan

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"sync"
	"time"

	"gangway/internal/background"
	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// How long results are shown before they are searched again, how long a search may
// take, and how much is kept at once.
const (
	life         = 10 * time.Minute
	Patience     = 2 * time.Minute
	sessionsKept = 200
	offersKept   = 50_000 // of all sessions together, about 100 MB
	offersOfOne  = 50_000 // of one session
	offersUnused = 15_000 // of those that nobody has looked at for a while
	unused       = time.Minute
)

// How many travellers are searched for at a time: for one account, and for all. Further searches wait, so that nobody
// fills the memory or keeps the processors from others by starting many large searches.
const (
	turnsOfAccount = 200
	turnsOfAll     = 400
)

// Sessions are those of all accounts that are in progress or ended recently. Replicas
// share them: one searches, and the others read what it has found.
type Sessions struct {
	db   *store.DB
	desk *book.Desk
	now  func() time.Time
	log  *slog.Logger

	turns   *background.Slots // a slot for each traveller who is searched for
	quoting *background.Slots // a slot for each board that is quoted for

	mu      sync.Mutex
	kept    map[string]*Session
	boards  map[string]*Board
	tidying bool // tidy will be called
}

// NewSessions returns sessions in which a desk looks for flights.
func NewSessions(db *store.DB, desk *book.Desk, now func() time.Time, log *slog.Logger) *Sessions {
	ss := &Sessions{db: db, desk: desk, now: now, log: log, turns: background.NewSlots(turnsOfAll, turnsOfAccount),
		quoting: background.NewSlots(boardsQuoted, boardsOfAccount), boards: map[string]*Board{},
		kept: map[string]*Session{}}
	db.Hear(anew, ss.forget)
	return ss
}

// anew is the event by which replicas tell each other that a search is to be repeated.
const anew = "searches"

// forget drops the results for key. A session that has not begun yet stays, because
// it will find the new results.
func (ss *Sessions) forget(key string) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if session := ss.kept[key]; session != nil && !session.waits() {
		delete(ss.kept, key)
	}
}

// Of returns the session for s. It begins one if there is none, if it is too old, or
// if again is set.
func (ss *Sessions) Of(in store.Scoped, s gangway.Search, again bool) *Session {
	key, now := searchKey(in.Scope(), s), ss.now()
	ss.mu.Lock()
	defer ss.mu.Unlock()
	session := ss.kept[key]
	if session != nil && session.serves(now, again) {
		return session
	}
	session = newSession(len(s.Members), now)
	session.again, session.asked = again, askedFor(in.Scope(), s)
	for i := range s.Members {
		session.ways = append(session.ways, wayOf(in.Scope(), s, i))
	}
	ss.kept[key] = session
	ss.trim(now)
	ctx, cancel := context.WithCancel(context.Background())
	session.giveUp = cancel
	go func() {
		defer cancel()
		ss.run(ctx, session, in, s, key)
	}()
	return session
}

// Kept returns the session for s, however old: a page that stays open does not search again by itself. It begins one
// only to read what another replica has found just now. nil: the flights are no longer known.
func (ss *Sessions) Kept(in store.Scoped, s gangway.Search) *Session {
	now, begun := ss.now(), s.CreatedAt
	if s.Moved != nil {
		begun = s.Moved.At
	}
	ss.mu.Lock()
	session := ss.kept[searchKey(in.Scope(), s)]
	ss.mu.Unlock()
	switch {
	case session != nil:
		session.serves(now, false) // it is looked at
		return session
	case now.Sub(begun) < life:
		return ss.Of(in, s, false)
	}
	return nil
}

// Begin stores the search of a crew change, or returns the one that somebody has begun for the same
// flights while they are still shown: pressing the button again, or second, joins that search.
func (ss *Sessions) Begin(ctx context.Context, in store.Scoped, s gangway.Search) (gangway.Search, error) {
	return in.BeginSearch(ctx, s, ss.now().Add(-life))
}

// searchKey identifies the request: a search that was corrected gets another session, and so does one after the
// account's clock was moved.
func searchKey(of gangway.Scope, s gangway.Search) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q %q %d", s.Vessel, s.Flag, of.Ahead)
	for _, m := range s.Members {
		fmt.Fprintf(h, "\n%q %+q", m.FareType, m.Legs)
	}
	return fmt.Sprintf("%s %s %x", of.Account, s.ID, h.Sum64())
}

// trim drops old sessions and, if too much is kept, those that were looked at longest
// ago. It returns how many offers are left.
func (ss *Sessions) trim(now time.Time) int {
	for len(ss.kept) > 0 {
		oldest, at, offers := "", now, 0
		for key, session := range ss.kept {
			used, n := session.weigh(now)
			if offers += n; oldest == "" || used.Before(at) {
				oldest, at = key, used
			}
		}
		idle := now.Sub(at)
		if len(ss.kept) <= sessionsKept && offers <= offersKept && idle < life && (offers <= offersUnused ||
			idle < unused) {
			return offers
		}
		ss.kept[oldest].letGo()
		delete(ss.kept, oldest)
	}
	return 0
}

// tidy trims, and does so again after a while as long as much is kept.
func (ss *Sessions) tidy() {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if ss.trim(ss.now()) <= offersUnused || ss.tidying {
		return
	}
	ss.tidying = true
	time.AfterFunc(unused, func() {
		ss.mu.Lock()
		ss.tidying = false
		ss.mu.Unlock()
		ss.tidy()
	})
}

// run takes a session to its end: once it has its turn it searches for the flights,
// or reads what another replica finds.
func (ss *Sessions) run(ctx context.Context, session *Session, in store.Scoped, s gangway.Search, key string) {
	defer session.end()
	defer ss.hearNews(session, in, s)()
	release, err := ss.turns.Take(ctx, in.Scope().Account, int64(min(len(s.Members), turnsOfAccount)))
	if err != nil {
		return // nobody looks any more, and others wait
	}
	defer release()
	again := session.begin(ss.now())
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Patience)
	defer cancel()
	err = background.Guard(ss.log, "search for flights", func() error {
		return ss.join(ctx, session, in, s, key, again)
	})
	if err != nil && !errors.Is(err, store.ErrAway) {
		ss.log.Warn("a search did not come to its end", "search", s.ID, "error", err)
	}
	ss.tidy()
}

// hearNews tells all who look at a session when somebody chooses or books in its search, until stop
// is called: one wait for all of them, which asks the database nothing.
func (ss *Sessions) hearNews(session *Session, in store.Scoped, s gangway.Search) (stop func()) {
	wake, forget := ss.db.Await(store.NewsTopic(in.Scope().Account, s.Change, s.ID))
	over := make(chan struct{})
	go func() {
		for {
			select {
			case <-wake:
				session.tell(func() { session.news++ })
			case <-over:
				return
			}
		}
	}()
	return func() { close(over); forget() }
}

// join searches for the flights if nobody else does, and otherwise follows whoever
// does. If that process dies, it searches itself.
func (ss *Sessions) join(ctx context.Context, session *Session, in store.Scoped, s gangway.Search, key string,
	again bool) error {
	for {
		now := ss.now()
		l, err := in.JoinSearch(ctx, key, now, now.Add(lease), session.ends(), again)
		if err != nil {
			return err
		}
		if l.Mine && again {
			if err := ss.db.Broadcast(ctx, anew, key); err != nil && !errors.Is(err, store.ErrAway) {
				ss.log.Warn("other replicas still show the earlier results", "search", s.ID, "error", err)
			}
		}
		if l.Mine {
			return ss.pursue(ctx, session, in, s, l)
		}
		ended, err := ss.follow(ctx, session, in, key, l)
		switch {
		case ended:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		}
		session.resume()
		if err != nil { // reading it again would fail again
			ss.log.Warn("the results of another replica cannot be read; this one searches itself", "search", s.ID,
				"error", err)
			return ss.pursue(ctx, session, in, s, store.SearchAlone())
		}
		again = false
	}
}

// pursue searches for the flights of s, and shares what it finds.
func (ss *Sessions) pursue(ctx context.Context, session *Session, in store.Scoped, s gangway.Search,
	l store.SearchLease) error {
	pub := newPublisher(in, l, session, ss.now, ss.log)
	go func() {
		if err := background.Guard(ss.log, "share what was found", func() error { return pub.write(ctx) }); err != nil {
			ss.log.Warn("other replicas will search for these flights themselves", "search", s.ID, "error", err)
		}
	}()
	defer pub.end()
	tell := func(f sessionUpdate) {
		session.take(f)
		pub.tell(f)
	}
	for i, m := range session.Look().Members { // found by another process before it died
		if m.Done {
			pub.tell(flightsFound(book.FoundOffers{Member: i, Offers: m.Offers, Done: true, Err: m.Err}))
		}
	}
	longest := ss.desk.LongestName(ctx, in)
	tell(sessionUpdate{Longest: &longest})
	scouted := make(chan struct{})
	go func() {
		defer close(scouted)
		if len(s.Members) > 1 {
			_ = background.Guard(ss.log, "find out who can be there", func() error {
				ss.scout(ctx, tell, in, s)
				return nil
			})
		}
	}()
	searching, enough := context.WithCancel(ctx)
	defer enough()
	err := ss.desk.Search(searching, in, s, func(f book.FoundOffers) {
		session.add(f)
		pub.tell(flightsFound(f))
		if session.size() > offersOfOne {
			enough()
		}
	})
	if searching.Err() != nil && ctx.Err() == nil {
		tooMany := gangway.Errorf(gangway.Unavailable, "so many flights were found for the others that there is no "+
			"room for more: look for this traveller in a search of fewer")
		for i, m := range session.Look().Members {
			if !m.Done {
				f := book.FoundOffers{Member: i, Done: true, Err: tooMany}
				session.add(f)
				pub.tell(flightsFound(f))
			}
		}
		err = nil
	}
	<-scouted     // usually long before; it ends with ctx
	session.end() // before the other replicas learn of it
	return err
}

// scout finds out who can be there at all, long before their flights are found. It is
// only a help: if it fails the search still shows everything.
func (ss *Sessions) scout(ctx context.Context, tell func(sessionUpdate), in store.Scoped, s gangway.Search) {
	reach, err := ss.desk.Reach(ctx, in, s)
	if err == nil && reach != nil {
		tell(sessionUpdate{Reach: reach})
		var days []Day
		if days, err = DaysAround(ctx, ss.desk, in, s, s.Airport, s.Date); err == nil {
			tell(sessionUpdate{Days: days})
		}
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrAway) {
		ss.log.Warn("could not find out who can be there", "search", s.ID, "error", err)
	}
}
