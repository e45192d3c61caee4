package store

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestWrittenGoesFirst: long work waits until nothing has been written for a moment, and does not wait where
// nothing is written.
func TestWrittenGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := new(DB)
		work := db.GivingWay()
		took := func() time.Duration {
			began := time.Now()
			work.Give(t.Context())
			return time.Since(began)
		}
		time.Sleep(time.Second)
		if d := took(); d != 0 {
			t.Errorf("it waited %s for nothing", d)
		}
		end := db.precedence.write()
		time.AfterFunc(3*time.Millisecond, end)
		time.AfterFunc(4*time.Millisecond, func() { time.AfterFunc(time.Millisecond, db.precedence.write()) })
		if d := took(); d != 7*time.Millisecond {
			t.Errorf("it waited %s for two that ended after 5 ms; want 7 ms", d)
		}
		if d := took(); d != 0 {
			t.Errorf("it waited %s for nothing", d)
		}
	})
}

// TestWorkGoesOn: where something is written all the time, long work takes no more than twice as long.
func TestWorkGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := new(DB)
		defer db.precedence.write()()
		work, began := db.GivingWay(), time.Now()
		const each, parts = 100 * time.Microsecond, 1000
		for range parts {
			time.Sleep(each)
			work.Give(t.Context())
		}
		if d := time.Since(began); d <= parts*each || d > 2*parts*each {
			t.Errorf("what takes %s took %s; want more, and at most twice as much", parts*each, d)
		}
	})
}
