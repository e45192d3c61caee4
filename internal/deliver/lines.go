package deliver

import (
	"context"
	"errors"
	"time"

	"gangway/internal/background"
	"gangway/internal/store"
)

const (
	// heldAtMost is how many queues are held at a time, and eachAtOnce how many of one outlet's are served, so
	// that a customer who does not answer takes up only its own places. More of an outlet's are taken ahead, so
	// that one look finds work for a while, and again when half of them are left: most where there is much room, and
	// least where others need it.
	heldAtMost = 4096
	eachAtOnce = 16
	leastAhead = 32
	mostAhead  = 512

	// shapedAhead is for how many of an outlet's the mapping makes the bodies before it is their turn, so that many
	// are kept together, and what is sent waits for none.
	shapedAhead = 64
)

// A line is the queues of one outlet that are held. Those for which its mapping has a body to make are shaped, and
// then sent; the others are sent.
type line struct {
	shape, send stage
	refill      int       // more are taken when so many are left; 0: now
	gaveUp      time.Time // when its customer wanted nothing
}

func (l *line) held() int { return l.shape.held() + l.send.held() }

// room reports whether one more queue may be worked on at a stage.
func (l *line) room(s *stage) bool {
	if s == &l.send {
		return s.working < eachAtOnce
	}
	return s.working+len(l.send.waiting) < shapedAhead
}

// A stage is where so many workers each have a queue of a line, and others wait for one of them.
type stage struct {
	working int
	waiting []readyQueue
}

func (s *stage) held() int { return s.working + len(s.waiting) }

func (s *stage) next() (r readyQueue) {
	r, s.waiting = s.waiting[0], s.waiting[1:]
	return r
}

// A readyQueue was taken, and its oldest delivery read.
type readyQueue struct {
	store.DeliveryQueue
	next   *store.StoredDelivery // nil: it is to be read
	read   time.Time
	made   <-chan *single // next, as it is sent; not nil: it happens now, and goes ahead of what waits
	shaped consignment    // next, with its body
}

// now reports whether it happens now.
func (r readyQueue) now() bool { return r.made != nil }

// toShape reports whether a body is to be made of it before it is its turn.
func (r readyQueue) toShape() bool {
	return r.next != nil && !r.now() && r.shaped == nil && r.next.Unshaped()
}

// room returns how many more queues may be taken, how many of one outlet, and the outlets of which enough are held.
func (d *Deliverer) room() (room, each int, busy []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for outlet, l := range d.lines {
		if l.refill > 0 {
			busy = append(busy, outlet)
		}
	}
	room = heldAtMost - d.held
	most := mostAhead
	if d.busy() {
		most = leastAhead
	}
	return min(room, mostAhead), min(max(leastAhead, room/(heldAtMost/mostAhead+len(d.lines))), most), busy
}

// roomOf reports whether one more queue of an outlet may be held: what happens now goes ahead of nothing that waits.
func (d *Deliverer) roomOf(outlet string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	l := d.lines[outlet]
	return d.held < heldAtMost && (l == nil || l.held() < eachAtOnce)
}

// put has a queue served, at once or when it is its turn. not ok: its customer has wanted nothing since it was shaped.
func (d *Deliverer) put(stop, pushing context.Context, r readyQueue) (ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	l := d.lines[r.Outlet]
	if l == nil {
		l = &line{}
		d.lines[r.Outlet] = l
	}
	if r.shaped != nil && l.gaveUp.After(r.read) {
		return false
	}
	d.held++
	s := &l.send
	if r.toShape() {
		s = &l.shape
	}
	s.waiting = append(s.waiting, r)
	d.staff(stop, pushing, l)
	if len(s.waiting) > 0 && r.shaped == nil {
		l.refill = l.held() / 2
	}
	return true
}

// staff has as many of a line's queues worked on as there is room for.
func (d *Deliverer) staff(stop, pushing context.Context, l *line) {
	d.staffStage(stop, pushing, l, &l.send, d.serve)
	d.staffStage(stop, pushing, l, &l.shape, d.shapeAhead)
}

func (d *Deliverer) staffStage(stop, pushing context.Context, l *line, s *stage,
	work func(stop, pushing context.Context, r readyQueue) error) {
	for len(s.waiting) > 0 && l.room(s) {
		s.working++
		r := s.next()
		d.workers.Go(func() {
			for more := true; more; r, more = d.nextReady(stop, pushing, r.Outlet, s) {
				err := background.Guard(d.log, "deliver", func() error {
					if stop.Err() != nil || !r.Held() {
						return d.release(stop, r.DeliveryQueue)
					}
					return work(stop, pushing, r)
				})
				if err != nil && !errors.Is(err, store.ErrQueueLost) {
					d.leave(rest, r.DeliveryQueue)
				}
			}
		})
	}
}

// nextReady notes that a queue of an outlet is no longer worked on at a stage, and returns the one to work on in its
// place. Once half of the outlet's are left, the loop in Run is woken.
func (d *Deliverer) nextReady(stop, pushing context.Context, outlet string, s *stage) (r readyQueue, more bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	l := d.lines[outlet]
	d.held--
	s.working--
	if more = len(s.waiting) > 0 && l.room(s); more {
		r = s.next()
		s.working++
	}
	d.staff(stop, pushing, l)
	if half := l.refill > 0 && l.held() <= l.refill; half || d.held == heldAtMost-1 {
		l.refill = 0
		select {
		case d.freed <- struct{}{}:
		default:
		}
	}
	if l.held() == 0 {
		delete(d.lines, outlet)
	}
	return r, more
}

// giveUp releases the queues of an outlet that wait for their turn, since the customer wants nothing now.
func (d *Deliverer) giveUp(ctx context.Context, outlet string) {
	d.mu.Lock()
	var waiting []readyQueue
	if l := d.lines[outlet]; l != nil {
		waiting = append(l.shape.waiting, l.send.waiting...)
		l.shape.waiting, l.send.waiting, l.gaveUp = nil, nil, time.Now()
		d.held -= len(waiting)
	}
	d.mu.Unlock()
	if len(waiting) == 0 {
		return
	}
	queues := make([]store.DeliveryQueue, len(waiting))
	for i, r := range waiting {
		queues[i] = r.DeliveryQueue
	}
	err := d.db.In(queues[0].Scope).ReleaseQueues(ctx, queues)
	if d.logFailure(ctx, err, queues[0]); err != nil {
		d.leave(rest, queues...)
	}
}
