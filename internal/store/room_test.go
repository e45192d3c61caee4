package store_test

import (
	"testing"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A database that had no room for something is ready again once something of a
// size was written, not once something small was, which may fit all the while.
func TestReadyOnceThereIsRoom(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if err := db.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		db.NoteFull(t.Context())
		if err := db.Ready(t.Context()); gangway.KindOf(err) != gangway.Unavailable {
			t.Errorf("Ready = %v once there was no room; want Unavailable, whatever it was before", err)
		}
		storetest.Account(t, db) // something small
		if !db.IsFull() {
			t.Error("after something small was written, there is room")
		}
		db.ALittleLater()
		if err := db.Ready(t.Context()); err != nil || db.IsFull() {
			t.Errorf("Ready = %v, full %v; want ready, for there is room", err, db.IsFull())
		}
	})
}

// A database where no table can be made is ready by what is small.
func TestReadyWhereNoTableMayBeMade(t *testing.T) {
	db := storetest.Postgres(t)
	if _, err := db.Reader().ExecContext(t.Context(), `CREATE TABLE room_tried (doc TEXT)`); err != nil {
		t.Fatal(err)
	}
	db.NoteFull(t.Context())
	db.ALittleLater()
	if err := db.Ready(t.Context()); err != nil {
		t.Errorf("Ready = %v; want none", err)
	}
}
