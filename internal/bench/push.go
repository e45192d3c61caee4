package main

import (
	"context"
	"time"

	"gangway/internal/gangway"
)

// pushed is how many actions wait in each round.
const pushed = 500

// pushContest has actions wait at an outlet that is paused, and times how long it takes after it is resumed until all
// are delivered and that is recorded.
func pushContest(_ context.Context, p *place) (contest, error) {
	o := p.outlet
	return contest{5, func(ctx context.Context, _ int) (time.Duration, error) {
		if err := o.in.PauseOutlet(ctx, operator, gangway.DefaultOutlet, time.Now()); err != nil {
			return 0, err
		}
		if err := o.make(ctx, pushed); err != nil {
			return 0, err
		}
		if err := p.vacuum(ctx); err != nil {
			return 0, err
		}
		began := time.Now()
		if err := o.in.ResumeOutlet(ctx, operator, gangway.DefaultOutlet, began); err != nil {
			return 0, err
		}
		for {
			left, err := o.in.OutletBacklog(ctx, o.id)
			if err != nil || left.Waiting == 0 {
				return time.Since(began), err
			}
			time.Sleep(5 * time.Millisecond)
		}
	}}, nil
}
