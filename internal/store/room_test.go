package store_test

import (
	"testing"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestReadyOnceThereIsRoom holds that a database that was full is ready again once
// something of some size was written, and not after a small write, which may
// succeed on a full disk.
func TestReadyOnceThereIsRoom(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if err := db.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		db.NoteFull(t.Context())
		if err := db.Ready(t.Context()); gangway.KindOf(err) != gangway.Unavailable {
			t.Errorf("Ready = %v on a full disk; want Unavailable, whatever it was before", err)
		}
		storetest.Account(t, db) // something small
		if !db.IsFull() {
			t.Error("after a small write the disk no longer counts as full")
		}
		db.ALittleLater()
		if err := db.Ready(t.Context()); err != nil || db.IsFull() {
			t.Errorf("Ready = %v, full %v; want ready, because there is room", err, db.IsFull())
		}
	})
}

// TestReadyWhereNoTableMayBeMade holds that where no table can be created, small writes are enough to be ready.
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
