package plan

import (
	"context"
	"sync"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// A Session looks for the flights of one search. It continues when its page is left, and everybody
// who looks at the search shares it.
type Session struct {
	mu      sync.Mutex
	members []MemberResult
	offers  int // of all members
	done    int
	began   time.Time
	used    time.Time
	expires time.Time       // of the first offer to expire
	changed chan struct{}   // closed, and made anew, whenever something is found
	reach   []book.Reach    // who can be there at all, one for each member; nil until it is known
	days    []Day           // how many could be there around the day
	over    bool            // nothing more comes
	longest int             // how many letters the supplier's tickets have for a name; 0: any number
	begun   bool            // it has its turn
	again   bool            // search again instead of reading what others have found
	watched int             // how many people are looking at it
	giveUp  func()          // ends the wait for its turn
	round   int             // how often it was searched again
	choices []memberChoices // by member
	news    int             // how often somebody chose or booked in the search meanwhile

	asked   uint64      // what it looks for: see askedFor
	ways    []string    // by member: see wayOf
	least   []leastFare // by member
	follows []*Session
}

func newSession(members int, now time.Time) *Session {
	return &Session{members: make([]MemberResult, members), choices: make([]memberChoices, members),
		least: make([]leastFare, members), began: now, used: now, changed: make(chan struct{})}
}

// MemberResult is what a session has for one member so far.
type MemberResult struct {
	Offers []flight.Offer
	Done   bool
	Err    error // with Done: why there may be more that could not be found
}

// A SessionState is what a session has so far.
type SessionState struct {
	Members     []MemberResult // one for each member of the search
	Done        int            // of them, how many have all their flights
	Over        bool           // nothing more comes
	Reach       []book.Reach
	Days        []Day
	LongestName int             // how many letters the supplier's tickets have for a name; 0: any number
	More        <-chan struct{} // closed when there is more
	News        int             // it is another number when somebody has chosen or booked meanwhile

	session *Session
	round   int
}

// Look returns what there is so far.
func (s *Session) Look() SessionState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return SessionState{
		Members: append([]MemberResult(nil), s.members...), Done: s.done, Over: s.over,
		Reach: s.reach, Days: s.days, LongestName: s.longest, More: s.changed, News: s.news, session: s,
		round: s.round,
	}
}

// Watch says that somebody is looking at s: until leave is called, s is kept, and waits
// for its turn.
func (s *Session) Watch() (leave func()) {
	s.watch(1)
	return sync.OnceFunc(func() { s.watch(-1) })
}

func (s *Session) watch(more int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watched += more
}

// Wait returns when everything is found, after patience, or when the reader leaves.
func (s *Session) Wait(ctx context.Context, patience time.Duration) {
	defer s.Watch()()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		now := s.Look()
		if now.Over {
			return
		}
		select {
		case <-now.More:
		case <-ctx.Done():
			return
		}
	}
}

// tell changes what the session has, and wakes those who wait for more.
func (s *Session) tell(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	close(s.changed)
	s.changed = make(chan struct{})
}

// add adds what was found. The end of a member's search is added only once.
func (s *Session) add(f book.FoundOffers) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := &s.members[f.Member]
	if m.Done {
		return
	}
	for _, o := range f.Offers {
		if s.expires.IsZero() || !o.Expires.IsZero() && o.Expires.Before(s.expires) {
			s.expires = o.Expires
		}
	}
	m.Offers = append(m.Offers, f.Offers...)
	s.offers += len(f.Offers)
	if f.Done {
		m.Done, m.Err = true, f.Err
		s.done++
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

// weigh returns when s was last looked at and how many offers it holds.
func (s *Session) weigh(now time.Time) (used time.Time, offers int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watched > 0 {
		s.used = now
	}
	return s.used, s.offers
}

// size is how many offers s holds.
func (s *Session) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.offers
}

// begin starts the turn of s: results found from now on are current. It reports
// whether everything is to be searched again.
func (s *Session) begin(now time.Time) (again bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun, s.began = true, now
	return s.again
}

// waits reports whether s waits for its turn.
func (s *Session) waits() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.begun
}

// letGo ends the wait for a turn unless somebody is looking: s is then dropped.
func (s *Session) letGo() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.begun && s.watched == 0 && s.giveUp != nil {
		s.giveUp()
	}
}

// ends returns the instant at which the results expire.
func (s *Session) ends() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if end := s.began.Add(life); s.expires.IsZero() || end.Before(s.expires) {
		return end
	}
	return s.expires
}

// endsBy makes the results expire at an instant at the latest.
func (s *Session) endsBy(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.expires.IsZero() || at.Before(s.expires) {
		s.expires = at
	}
}

// resume drops the results of members whose search has not finished: their flights are looked for
// again.
func (s *Session) resume() {
	s.tell(func() {
		s.round++
		for i := range s.members {
			if m := &s.members[i]; !m.Done {
				s.offers -= len(m.Offers)
				m.Offers = nil
			}
		}
	})
}

// serves reports whether s is current enough for somebody who looks now, and who may
// want everything searched again. One that waits for its turn always is: it has found nothing yet.
func (s *Session) serves(now time.Time, again bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = now
	if !s.begun && !s.over {
		s.again = s.again || again
		return true
	}
	return !again && s.isCurrent(now)
}

// current reports whether what s has found may still be shown.
func (s *Session) current(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isCurrent(now)
}

func (s *Session) isCurrent(now time.Time) bool {
	return now.Sub(s.began) < life && (s.expires.IsZero() || now.Before(s.expires))
}

// end says that no more results come, including for members whose search got no answer.
func (s *Session) end() {
	for i := range s.members {
		s.add(book.FoundOffers{Member: i, Done: true, Err: gangway.Errorf(gangway.Unavailable,
			"the airlines did not answer in time")})
	}
	s.tell(func() { s.over = true })
}
