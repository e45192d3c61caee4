package store_test

import (
	"testing"
	"time"

	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestClockApart holds that a replica can tell how far its clock is from the
// database's, which it shares with the others.
func TestClockApart(t *testing.T) {
	const hour = int64(time.Hour / time.Minute)
	apart := func(t *testing.T, db *store.DB, ahead time.Duration) int64 {
		t.Helper()
		d := sure(db.ClockApart(t.Context(), func() time.Time { return time.Now().Add(ahead) }))(t)
		return int64(d.Round(time.Minute) / time.Minute)
	}
	db := storetest.Postgres(t)
	if ahead, behind := apart(t, db, time.Hour), apart(t, db, -time.Hour); ahead != hour || behind != -hour {
		t.Errorf("an hour ahead is %d minutes apart, an hour behind %d", ahead, behind)
	}
	alone := sure(store.Open(t.Context(), storetest.SQLiteURL(t)))(t)
	defer alone.Close()
	if d := apart(t, alone, time.Hour); d != 0 {
		t.Errorf("on SQLite the clocks are %d minutes apart; want 0, because there is only one", d)
	}
}
