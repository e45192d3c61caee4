package store_test

import (
	"errors"
	"fmt"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestReadyOnceThereIsRoom holds that a database that was full is ready again once
// something of some size was written, and not after a small write, which may
// succeed on a full disk. Until then an operator is told to make room, and nothing else.
func TestReadyOnceThereIsRoom(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		must(t, db.Ready(t.Context()))
		refused, ready := fmt.Errorf("commit: %w", db.NoteFull(t.Context())), db.Ready(t.Context())
		if gangway.KindOf(ready) != gangway.Unavailable {
			t.Errorf("Ready = %v on a full disk; want Unavailable, whatever it was before", ready)
		}
		for _, err := range []error{refused, ready} {
			const want = "the disk with the database is full: make room"
			if told := store.Told(err); told.Error() != want || !errors.Is(err, store.ErrAway) {
				t.Errorf("an operator is told %q of %v; want %q", told, err, want)
			}
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
	must(t, did(db.Reader().ExecContext(t.Context(), `CREATE TABLE room_tried (doc TEXT)`)))
	_ = db.NoteFull(t.Context())
	db.ALittleLater()
	if err := db.Ready(t.Context()); err != nil {
		t.Errorf("Ready = %v; want none", err)
	}
}
