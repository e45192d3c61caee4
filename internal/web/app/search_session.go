package app

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"sync"
	"time"

	"gangway"
	"gangway/internal/background"
	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/store"
)

// A searchSession is the looking for flights of one search. It goes on when its page is
// left, and all who look at the search share it.
type searchSession struct {
	mu      sync.Mutex
	members []found
	done    int
	began   time.Time
	used    time.Time
	expires time.Time     // of the first offer to expire
	changed chan struct{} // closed, and made anew, whenever something is found
	reach   []book.Reach  // who can be there at all, one for each member; nil until it is known
	days    []dayCan      // how many could be there around the day
	over    bool          // nothing more comes
	longest int           // how many letters the supplier's tickets have for a name; 0: any number
}

// found is what a session has for one member so far.
type found struct {
	Offers []flight.Offer
	Done   bool
	Err    error
}

// why says in a sentence why there may be more that could not be found.
func (f found) why() string {
	if gangway.KindOf(f.Err) == gangway.Internal {
		return "The airlines could not be asked just now. Search again in a moment."
	}
	return sentenceOf(f.Err)
}

// Results are shown for so long before they are looked for again; a search may
// take so long; and so many are kept at once.
const (
	searchLife     = 10 * time.Minute
	searchPatience = 2 * time.Minute
	searchesKept   = 200
	offersKept     = 50_000 // of all sessions together, about 100 MB
)

// searchSessions are those of all accounts that are under way or done not long ago.
type searchSessions struct {
	mu   sync.Mutex
	kept map[string]*searchSession
}

func newSearchSessions() *searchSessions { return &searchSessions{kept: map[string]*searchSession{}} }

// searchSession returns the session for s, and begins it where there is none or it is too old.
func (a *App) searchSession(in store.Scoped, s gangway.Search, again bool) *searchSession {
	key, now := searchKey(in.Scope().Account, s), a.now()
	a.searches.mu.Lock()
	defer a.searches.mu.Unlock()
	ss := a.searches.kept[key]
	if ss != nil && !again && ss.fresh(now) {
		return ss
	}
	ss = &searchSession{members: make([]found, len(s.Members)), began: now, used: now, changed: make(chan struct{})}
	a.searches.kept[key] = ss
	a.searches.trim(now)
	go a.pursue(ss, in, s)
	return ss
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
func (hs *searchSessions) trim(now time.Time) {
	for len(hs.kept) > 0 {
		oldest, at, offers := "", now, 0
		for key, ss := range hs.kept {
			used, n := ss.weigh()
			if offers += n; oldest == "" || used.Before(at) {
				oldest, at = key, used
			}
		}
		if len(hs.kept) <= searchesKept && offers <= offersKept && now.Sub(at) < searchLife {
			return
		}
		delete(hs.kept, oldest)
	}
}

// weigh returns when ss was last looked at and how many offers it holds.
func (ss *searchSession) weigh() (used time.Time, offers int) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for _, m := range ss.members {
		offers += len(m.Offers)
	}
	return ss.used, offers
}

func (ss *searchSession) fresh(now time.Time) bool {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.used = now
	return now.Sub(ss.began) < searchLife && (ss.expires.IsZero() || now.Before(ss.expires))
}

func (ss *searchSession) longestName() int {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return ss.longest
}

// pursue runs a session to its end.
func (a *App) pursue(ss *searchSession, in store.Scoped, s gangway.Search) {
	ctx, cancel := context.WithTimeout(context.Background(), searchPatience)
	defer cancel()
	longest := a.desk.LongestName(ctx, in)
	ss.tell(func() { ss.longest = longest })
	scouted := make(chan struct{})
	go func() {
		defer close(scouted)
		if len(s.Members) > 1 {
			_ = background.Guard(a.log, "find out who can be there", func() error { a.scout(ctx, ss, in, s); return nil })
		}
	}()
	err := background.Guard(a.log, "search for flights", func() error { return a.desk.Search(ctx, in, s, ss.add) })
	if err != nil && !errors.Is(err, store.ErrAway) {
		a.log.Warn("a search did not come to its end", "search", s.ID, "error", err)
	}
	for i := range s.Members {
		ss.add(book.Found{Member: i, Done: true, Err: gangway.Errorf(gangway.Unavailable, "the airlines did not answer in time")})
	}
	<-scouted // usually long before; it ends with ctx
	ss.tell(func() { ss.over = true })
}

// tell changes what the session has, and lets those know who wait for more.
func (ss *searchSession) tell(change func()) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	change()
	close(ss.changed)
	ss.changed = make(chan struct{})
}

// add takes in what was found. The end of a member is taken in once.
func (ss *searchSession) add(f book.Found) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	m := &ss.members[f.Member]
	if m.Done {
		return
	}
	for _, o := range f.Offers {
		if ss.expires.IsZero() || !o.Expires.IsZero() && o.Expires.Before(ss.expires) {
			ss.expires = o.Expires
		}
	}
	m.Offers = append(m.Offers, f.Offers...)
	if f.Done {
		m.Done, m.Err = true, f.Err
		ss.done++
	}
	close(ss.changed)
	ss.changed = make(chan struct{})
}

// look returns what there is so far, how many members are done, whether
// nothing more comes, and a channel that is closed when there is more.
func (ss *searchSession) look() (members []found, done int, over bool, more <-chan struct{}) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return append([]found(nil), ss.members...), ss.done, ss.over, ss.changed
}

// wait returns when all is found, or after patience, or when the reader leaves.
func (ss *searchSession) wait(ctx context.Context, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		_, _, over, more := ss.look()
		if over {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			return
		}
	}
}
