package store

import (
	"context"
	"database/sql"
	"time"
)

// A Replica is a server that runs on the database.
type Replica struct {
	ID                string
	Machine           string // and its process
	Version, Revision string
	Schema            int64 // the newest that it knows
	Began, Seen       time.Time
}

const (
	// ReplicaBeat is how often a replica says that it runs.
	ReplicaBeat = 30 * time.Second

	// replicaSilent is after which silence a replica has probably ended, and replicaForgotten when it is forgotten.
	replicaSilent    = 4 * ReplicaBeat
	replicaForgotten = 10 * time.Minute
)

// Gone reports whether a replica has been silent for so long that it has probably ended.
func (r Replica) Gone(now time.Time) bool { return now.Sub(r.Seen) > replicaSilent }

// NoteReplica notes that a replica runs, and forgets those that have not for long.
func (db *DB) NoteReplica(ctx context.Context, r Replica) error {
	err := db.write(harmless(ctx), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			DELETE FROM replica
			WHERE id = $1 OR seen < $2`,
			r.ID, millis(r.Seen.Add(-replicaForgotten)))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO replica (id, machine, version, revision, schema, began, seen)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			r.ID, r.Machine, r.Version, r.Revision, r.Schema, millis(r.Began), millis(r.Seen))
		return err
	})
	return wrapf(err, "note replica %s", r.ID)
}

// ForgetReplica notes that a replica has ended.
func (db *DB) ForgetReplica(ctx context.Context, id string) error {
	_, err := db.writer.ExecContext(ctx, `DELETE FROM replica WHERE id = $1`, id)
	return wrapf(err, "forget replica %s", id)
}

// Replicas returns the replicas that were seen lately, the newest first.
func (db *DB) Replicas(ctx context.Context) ([]Replica, error) {
	list, err := selectAll(ctx, db.reader, func(row scanner) (r Replica, err error) {
		err = row.Scan(&r.ID, &r.Machine, &r.Version, &r.Revision, &r.Schema, when(&r.Began), when(&r.Seen))
		return r, err
	}, `
		SELECT id, machine, version, revision, schema, began, seen
		FROM replica
		ORDER BY began DESC, id
		LIMIT 100`)
	return list, wrapf(err, "list replicas")
}
