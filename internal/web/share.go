package web

import (
	"context"
	"io"
	"net/http"
	"time"
)

// A Share is the part of the budget that one request has.
type Share struct {
	b      *Budget
	client string
	number int // in order of arrival

	small    int64 // of each of the budget's parts
	open     int64
	reserved int64

	line *http.ResponseController // the connection that its body comes from
	got  int64                    // how much of it has arrived
	due  time.Time                // when more has to have arrived if others wait
}

// Share returns an empty share for a request of client. The caller releases it at the end.
func (b *Budget) Share(client string) *Share {
	return &Share{b: b, client: client, number: int(b.shares.Add(1))}
}

// Grow makes the share at least as large as to. It waits for room; if there is none in
// time, or the caller leaves, the share stays as it is.
func (s *Share) Grow(ctx context.Context, to int64) error {
	freed, err := s.take(to)
	if freed == nil {
		return err
	}
	defer s.goOn()
	patience := time.NewTimer(s.b.patience)
	defer patience.Stop()
	look := time.NewTicker(max(s.b.window/10, time.Millisecond))
	defer look.Stop()
	for freed != nil {
		s.b.shed(time.Now())
		select {
		case <-freed:
		case <-look.C:
		case <-patience.C:
			return Full()
		case <-ctx.Done():
			return ctx.Err()
		}
		freed, err = s.take(to)
	}
	return err
}

// take grows the share to the size to, or returns a channel that says when to try again.
func (s *Share) take(to int64) (freed <-chan struct{}, err error) {
	b := s.b
	b.mu.Lock()
	defer b.mu.Unlock()
	if small := min(to, beginning) - s.small; small > 0 {
		if !b.small.fits(s.client, small) {
			return nil, Full() // nobody legitimately sends so many small ones at once
		}
		b.small.take(s.client, small)
		s.small += small
	}
	more := to - beginning - s.open - s.reserved
	_, waits := b.waiting[s]
	switch {
	case more <= 0:
	case waits && b.first == nil && b.isNext(s) && s.reserve(more): // and so to its end
	case b.first != s && b.open.fits(s.client, more):
		b.open.take(s.client, more)
		s.open += more
	case (b.first == s || b.first == nil && b.isNext(s)) && s.reserve(more):
	default:
		b.waiting[s] = more
		return b.freed, nil
	}
	return nil, nil
}

// isNext reports whether s is the latest of those that wait: earlier ones may have stopped sending
// long ago, and each of those would hold the reserve until it is cut.
func (b *Budget) isNext(s *Share) bool {
	for other := range b.waiting {
		if other.number > s.number {
			return false
		}
	}
	return true
}

// reserve has s grow in the reserve, with all it has; what does not fit there stays in
// the open part.
func (s *Share) reserve(more int64) bool {
	b := s.b
	all := s.open + s.reserved + more
	open := max(0, all-b.reserve)
	if open-s.open > b.open.left {
		return false
	}
	if open < s.open {
		b.free()
	}
	b.open.take(s.client, open-s.open)
	s.open, s.reserved = open, all-open
	b.first = s
	return true
}

// goOn ends a wait, and starts the pace anew: nothing could arrive while s waited.
func (s *Share) goOn() {
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	delete(s.b.waiting, s)
	s.b.free() // others may be next now
	s.due = time.Now().Add(s.b.window)
}

// free wakes those that wait, so that they try again.
func (b *Budget) free() {
	close(b.freed)
	b.freed = make(chan struct{})
}

// Release gives the share back.
func (s *Share) Release() {
	b := s.b
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.reading, s)
	if b.first == s {
		b.first = nil
	}
	if b.cut == s {
		b.cut = nil
	}
	b.small.take(s.client, -s.small)
	b.open.take(s.client, -s.open)
	if s.open+s.reserved > 0 {
		b.free()
	}
	b.tidier.Leave(s.small + s.open + s.reserved)
	s.small, s.open, s.reserved = 0, 0, 0
}

// pace says how much of a body has to arrive while others wait for room: in each window, the 32nd
// part of what has arrived so far. So a slow line passes as long as it keeps sending; a client that
// sent much and then stopped does not.
const pace = 32

// Reading says that the share's body arrives on the connection that w answers. From then
// on it is cut if it does not keep pace while others wait.
func (s *Share) Reading(w http.ResponseWriter) {
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	s.line, s.due = http.NewResponseController(w), time.Now().Add(s.b.window)
	s.b.reading[s] = true
}

// Read reads from body, which is the share's, and counts what arrives. If the body was
// cut, the error says so.
func (s *Share) Read(body io.Reader, p []byte) (int, error) {
	n, err := body.Read(p)
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	if n > 0 {
		s.came(int64(n), time.Now())
	}
	switch {
	case err == nil:
	case s.b.cut == s && err != io.EOF:
		return n, TooSlow()
	default: // the work on it now takes its own time
		delete(s.b.reading, s)
	}
	return n, err
}

// TooSlow says that a body was cut, and when to try again.
func TooSlow() error {
	return Overloaded(5*time.Second, "the body came too slowly while others waited for its room; nothing was read or "+
		"stored, so send it again in a moment")
}

// came moves the time at which more is due, to at most a whole window from now.
func (s *Share) came(n int64, now time.Time) {
	s.got += n
	if s.due.Before(now) {
		s.due = now
	}
	s.due = s.due.Add(min(s.b.window, time.Duration(float64(s.b.window)*pace*float64(n)/float64(s.got))))
	if latest := now.Add(s.b.window); s.due.After(latest) {
		s.due = latest
	}
}

// Until sets the deadline for the whole body. A connection that takes no deadline has none.
func (s *Share) Until(t time.Time) {
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	if s.b.cut != s {
		s.line.SetReadDeadline(t)
	}
}

// shed cuts one body that does not keep pace, to make room for those that wait: the one in the
// reserve, or else the one longest overdue. If that is not enough, the next is cut once the first
// has released its memory.
func (b *Budget) shed(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cut != nil {
		return
	}
	var slowest *Share
	for s := range b.reading {
		if _, waits := b.waiting[s]; waits || s.open+s.reserved == 0 || now.Before(s.due) {
			continue
		}
		if slowest == nil || s == b.first || slowest != b.first && s.due.Before(slowest.due) {
			slowest = s
		}
	}
	if slowest == nil {
		return
	}
	delete(b.reading, slowest)
	if slowest.line.SetReadDeadline(time.Unix(1, 0)) == nil {
		b.cut = slowest
	}
}
