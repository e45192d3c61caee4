package store

import (
	"context"
	"time"
)

// Watch returns a channel that holds a value whenever there may be news on topic, until ctx ends: when somebody
// wakes those who wait for it, on whatever replica, and every so often besides, for what nobody tells of.
func (db *DB) Watch(ctx context.Context, topic Topic, every time.Duration) <-chan struct{} {
	wake, stop := db.Await(topic)
	changed := make(chan struct{}, 1)
	go func() {
		defer stop()
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-wake:
			case <-tick.C:
			}
			select {
			case changed <- struct{}{}:
			default:
			}
		}
	}()
	return changed
}
