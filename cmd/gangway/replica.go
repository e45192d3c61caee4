package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"sync"
	"time"

	"gangway/internal/store"
)

// thisReplica is this process, as others see it in the database.
var thisReplica = sync.OnceValue(func() store.Replica {
	v, _ := thisVersion() // which says at least the schema
	machine, _ := os.Hostname()
	return store.Replica{ID: rand.Text(), Machine: fmt.Sprintf("%s, process %d", machine, os.Getpid()),
		Version: v.Version, Revision: v.Revision, Schema: v.Schema, Began: time.Now()}
})

// announce has the database know that this server runs, and which program it is.
func announce(db *store.DB, ctx context.Context) (some bool, err error) {
	r := thisReplica()
	r.Seen = time.Now()
	return false, db.NoteReplica(ctx, r)
}
