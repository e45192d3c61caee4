package store

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"gangway/internal/gangway"
)

// TestReadyOnceWritten holds that a database that can be written to again is ready at once.
func TestReadyOnceWritten(t *testing.T) {
	db, err := Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "gangway.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.guard.Outage.Refused = time.Now()
	if err := db.Ready(t.Context()); gangway.KindOf(err) != gangway.Unavailable {
		t.Fatalf("Ready = %v after a write was refused; want Unavailable", err)
	}
	err = db.write(context.Background(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE schema_oldest SET oldest = oldest`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	db.checked = db.checked.Add(-askAgain) // a second later
	if err := db.Ready(t.Context()); err != nil {
		t.Errorf("Ready = %v a second after a refused write, and after one that succeeded; want none", err)
	}
}

// TestOpenSaysWhatIsWrongWithTheFolder holds that a missing folder is named as what is wrong.
func TestOpenSaysWhatIsWrongWithTheFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "nobody")
	_, err := Open(t.Context(), "sqlite:"+filepath.Join(folder, "x.db"))
	if want := "the folder " + folder + " for the database file is not there: create it, writable for the user that " +
		"runs gangway"; err == nil || err.Error() != want {
		t.Errorf("Open = %v; want %q", err, want)
	}
}
