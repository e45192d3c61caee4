package orders

import (
	"context"
	"errors"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/chance"
	"gangway/internal/gangway"
)

// errDone tells update that there is nothing left to do.
var errDone = errors.New("done already")

// tries is how often a change is tried when others write first. It is large because a whole crew
// may want seats on one flight at once.
const tries = 200

// pause waits a little, and differently for each caller, so that those who wrote at the same time
// do not collide again. Conflict: it was tried often enough.
func pause(ctx context.Context, who string, try int) error {
	if try == tries {
		return gangway.Errorf(gangway.Conflict, "too many people are booking these flights right now: try again")
	}
	most := time.Duration(min(2*try+1, 20)) * time.Millisecond
	select {
	case <-time.After(time.Duration(chance.Draw("pause", who, try) % uint64(most))):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// update changes an order. It calls change again on the newest version if another was written
// meanwhile; the documents that change returns are saved with the order.
func (s *Seller) update(
	ctx context.Context, id string, change func(*record) ([]gangway.Document, error),
) (flight.Order, error) {
	return s.retried(ctx, id, func() (record, []gangway.Document, error) {
		r, err := s.load(ctx, id)
		if err != nil {
			return r, nil, err
		}
		with, err := change(&r)
		return r, with, err
	})
}

// retried saves the order that write returns, with its documents, and calls write again where another was saved
// meanwhile. An error of write ends it; errDone is no error.
func (s *Seller) retried(ctx context.Context, who string, write func() (record, []gangway.Document, error)) (
	flight.Order, error) {
	for try := 0; ; try++ {
		r, with, err := write()
		switch {
		case errors.Is(err, errDone):
			return s.shown(ctx, r)
		case err != nil:
			return flight.Order{}, err
		}
		if err = s.save(ctx, r, with...); err == nil {
			return s.shown(ctx, r)
		}
		if gangway.KindOf(err) != gangway.Conflict {
			return flight.Order{}, err
		}
		if err := pause(ctx, who, try); err != nil {
			return flight.Order{}, err
		}
	}
}

// shown returns an order as its buyer sees it.
func (s *Seller) shown(ctx context.Context, r record) (flight.Order, error) {
	if err := r.unanswered(s.now()); err != nil {
		return flight.Order{}, err
	}
	var err error
	r.Notice, _, err = s.notice(ctx, r, s.now())
	return r.Order, err
}
