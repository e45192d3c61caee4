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

// A hunt is the looking for flights of one search. It goes on when its page is
// left, and all who look at the search share it.
type hunt struct {
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

// found is what a hunt has for one member so far.
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
	huntLife     = 10 * time.Minute
	huntPatience = 2 * time.Minute
	huntsKept    = 200
	offersKept   = 50_000 // of all hunts together, about 100 MB
)

// hunts are the searches of all accounts that are under way or done not long ago.
type hunts struct {
	mu   sync.Mutex
	kept map[string]*hunt
}

func newHunts() *hunts { return &hunts{kept: map[string]*hunt{}} }

// hunt returns the hunt for s, and begins it where there is none or it is too old.
func (a *App) hunt(in store.Scoped, s gangway.Search, again bool) *hunt {
	key, now := huntKey(in.Scope().Account, s), a.now()
	a.hunts.mu.Lock()
	defer a.hunts.mu.Unlock()
	h := a.hunts.kept[key]
	if h != nil && !again && h.fresh(now) {
		return h
	}
	h = &hunt{members: make([]found, len(s.Members)), began: now, used: now, changed: make(chan struct{})}
	a.hunts.kept[key] = h
	a.hunts.trim(now)
	go a.pursue(h, in, s)
	return h
}

// huntKey names what is looked for: a search that was mended is another hunt.
func huntKey(account string, s gangway.Search) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q %q", s.Vessel, s.Flag)
	for _, m := range s.Members {
		fmt.Fprintf(h, "\n%q %+q", m.FareType, m.Legs)
	}
	return fmt.Sprintf("%s %s %x", account, s.ID, h.Sum64())
}

// trim lets go of what is old, and of what was looked at longest ago where
// there is too much.
func (hs *hunts) trim(now time.Time) {
	for len(hs.kept) > 0 {
		oldest, at, offers := "", now, 0
		for key, h := range hs.kept {
			used, n := h.weigh()
			if offers += n; oldest == "" || used.Before(at) {
				oldest, at = key, used
			}
		}
		if len(hs.kept) <= huntsKept && offers <= offersKept && now.Sub(at) < huntLife {
			return
		}
		delete(hs.kept, oldest)
	}
}

// weigh returns when h was last looked at and how many offers it holds.
func (h *hunt) weigh() (used time.Time, offers int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.members {
		offers += len(m.Offers)
	}
	return h.used, offers
}

func (h *hunt) fresh(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.used = now
	return now.Sub(h.began) < huntLife && (h.expires.IsZero() || now.Before(h.expires))
}

func (h *hunt) longestName() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.longest
}

// pursue runs a hunt to its end.
func (a *App) pursue(h *hunt, in store.Scoped, s gangway.Search) {
	ctx, cancel := context.WithTimeout(context.Background(), huntPatience)
	defer cancel()
	longest := a.desk.LongestName(ctx, in)
	h.tell(func() { h.longest = longest })
	scouted := make(chan struct{})
	go func() {
		defer close(scouted)
		if len(s.Members) > 1 {
			_ = background.Guard(a.log, "find out who can be there", func() error { a.scout(ctx, h, in, s); return nil })
		}
	}()
	err := background.Guard(a.log, "search for flights", func() error { return a.desk.Search(ctx, in, s, h.add) })
	if err != nil && !errors.Is(err, store.ErrAway) {
		a.log.Warn("a search did not come to its end", "search", s.ID, "error", err)
	}
	for i := range s.Members {
		h.add(book.Found{Member: i, Done: true, Err: gangway.Errorf(gangway.Unavailable, "the airlines did not answer in time")})
	}
	<-scouted // usually long before; it ends with ctx
	h.tell(func() { h.over = true })
}

// tell changes what the hunt has, and lets those know who wait for more.
func (h *hunt) tell(change func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change()
	close(h.changed)
	h.changed = make(chan struct{})
}

// add takes in what was found. The end of a member is taken in once.
func (h *hunt) add(f book.Found) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := &h.members[f.Member]
	if m.Done {
		return
	}
	for _, o := range f.Offers {
		if h.expires.IsZero() || !o.Expires.IsZero() && o.Expires.Before(h.expires) {
			h.expires = o.Expires
		}
	}
	m.Offers = append(m.Offers, f.Offers...)
	if f.Done {
		m.Done, m.Err = true, f.Err
		h.done++
	}
	close(h.changed)
	h.changed = make(chan struct{})
}

// look returns what there is so far, how many members are done, whether
// nothing more comes, and a channel that is closed when there is more.
func (h *hunt) look() (members []found, done int, over bool, more <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]found(nil), h.members...), h.done, h.over, h.changed
}

// wait returns when all is found, or after patience, or when the reader leaves.
func (h *hunt) wait(ctx context.Context, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		_, _, over, more := h.look()
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
