package main

import (
	"context"
	"time"

	"gangway/internal/gangway"

	"golang.org/x/sync/errgroup"
)

// receiptContest commits actions at a steady pace and returns the median time from a commit to the receipt.
func receiptContest(_ context.Context, p *place) (contest, error) {
	o := p.outlet
	return contest{9, func(ctx context.Context, _ int) (time.Duration, error) {
		var bookings [committed]gangway.Booking
		if err := atOnce(committed, func(i int) (err error) {
			bookings[i], err = o.begin(ctx)
			return err
		}); err != nil {
			return 0, err
		}
		return steadily(func(i int) (time.Duration, error) {
			b := bookings[i]
			came := o.system.expect(b.ID)
			if err := o.commit(ctx, b); err != nil {
				return 0, err
			}
			since := time.Now()
			at, err := came(ctx)
			return max(at.Sub(since), time.Microsecond), err // it may come before the commit returns
		})
	}}, nil
}

// committed is how many actions a round has.
const committed = 100

// steadily does something so many times, a hundred times a second, and returns the median of the times. None waits for
// the ones before it.
func steadily(do func(i int) (time.Duration, error)) (time.Duration, error) {
	turn := time.NewTicker(10 * time.Millisecond)
	defer turn.Stop()
	var working errgroup.Group
	var took [committed]time.Duration
	for i := range committed {
		<-turn.C
		working.Go(func() (err error) { took[i], err = do(i); return err })
	}
	err := working.Wait()
	return median(took[:]), err
}
