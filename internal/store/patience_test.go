package store_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestLongWorkIsNotGivenUp holds that work that takes long, such as erasing and
// taking what is due, is not mistaken for a database that hangs as long as the
// database answers others, and that what a person waits for is given up.
func TestLongWorkIsNotGivenUp(t *testing.T) {
	url := storetest.PostgresURL(t)
	db := openURL(t, url)
	in := db.In(storetest.Account(t, db).Scope())
	traveller := gangway.Traveller{ID: "1", LastName: "Okonjo", FirstName: "Ada", DOB: "1990-04-30"}
	must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{traveller})))
	now := time.Now()
	capacity := store.WorkCapacity{All: 1, Each: 1}
	work := map[string]func(context.Context) error{
		"erase old data": func(ctx context.Context) error { _, err := in.EraseOld(ctx, now, now, nil); return err },
		"expire":         func(ctx context.Context) error { _, err := db.Expire(ctx, now); return err },
		"take due bookings": func(ctx context.Context) error {
			_, err := db.TakeDue(ctx, now, now, capacity)
			return err
		},
		"take unsettled intents": func(ctx context.Context) error {
			_, err := db.TakeUnsettledIntents(ctx, now, now, capacity)
			return err
		},
		"take batches": func(ctx context.Context) error {
			_, err := db.TakeBatches(ctx, now, now, 1)
			return err
		},
		"take queues": func(ctx context.Context) error {
			_, err := db.TakeQueues(ctx, now, 1, 1, nil)
			return err
		},
		"write words": func(ctx context.Context) error { _, err := db.WriteTravellerWords(ctx); return err },
		"begin a pull": func(ctx context.Context) error {
			_, err := in.BeginPull(ctx, store.PullAsk{ID: "p", Limit: 1, Now: now})
			return err
		},
		"an outlet answers": func(ctx context.Context) error { return in.OutletAnswers(ctx, "out_1", now, true) },
		"reseal":            func(ctx context.Context) error { _, err := db.Reseal(ctx); return err },
		"upload travellers": func(ctx context.Context) error {
			_, err := in.UpsertTravellers(ctx, []gangway.Traveller{traveller})
			return err
		},
		"end a written pull":   func(ctx context.Context) error { return in.EndPull(ctx, "p") },
		"count what is sealed": func(ctx context.Context) error { _, _, err := db.CountSecrets(ctx); return err },
	}
	other := sure(sql.Open("pgx", url))(t)
	defer other.Close()
	lock := sure(other.BeginTx(t.Context(), nil))(t)
	defer lock.Rollback()
	tables := "traveller, booking, intent, lane, outlet, secret, unworded, waiting, pull, search, travel_request, " +
		"crew_change, batch"
	must(t, did(lock.ExecContext(t.Context(), `LOCK TABLE `+tables+` IN ACCESS EXCLUSIVE MODE`)))
	db.SetPatience(50 * time.Millisecond)
	done := map[string]chan error{}
	for name, do := range work {
		ended := make(chan error, 1)
		done[name] = ended
		go func() { ended <- do(t.Context()) }()
	}
	waiting := func() (n int) {
		must(t, other.QueryRowContext(t.Context(),
			`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).
			Scan(&n))
		return n
	}
	for waiting() < len(work) {
		for name, ended := range done {
			select {
			case err := <-ended:
				t.Fatalf("%s ended while its table was locked: %v", name, err)
			default:
			}
		}
	}
	for range 3 {
		if _, err := in.Traveller(t.Context(), "id:1"); !errors.Is(err, store.ErrAway) {
			t.Fatalf("a look at a traveller ended with %v; want it given up", err)
		}
	}
	must(t, lock.Rollback())
	for name, ended := range done {
		if err := <-ended; err != nil {
			t.Errorf("%s: %v; want it done once the tables were free", name, err)
		}
	}
}

// TestDeadlocksBeyondTriesAreAway holds that a transaction that loses to others
// again and again ends with ErrAway, which asks the caller to try again.
func TestDeadlocksBeyondTriesAreAway(t *testing.T) {
	db := storetest.Postgres(t)
	in := db.In(storetest.Account(t, db).Scope())
	for _, statement := range []string{
		`CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$`,
		`CREATE TRIGGER lose BEFORE INSERT ON traveller FOR EACH ROW EXECUTE FUNCTION lose()`,
		`CREATE TRIGGER lose BEFORE INSERT ON search FOR EACH ROW EXECUTE FUNCTION lose()`,
	} {
		must(t, did(db.Reader().ExecContext(t.Context(), statement)))
	}
	_, err := in.UpsertTravellers(t.Context(), []gangway.Traveller{{ID: "1", LastName: "Okonjo", FirstName: "Ada"}})
	if !errors.Is(err, store.ErrAway) {
		t.Errorf("an upload that loses ends with %v; want %v", err, store.ErrAway)
	}
	if err := in.SaveSearch(t.Context(), gangway.Search{ID: "s1"}); !errors.Is(err, store.ErrAway) {
		t.Errorf("a search that loses ends with %v; want %v", err, store.ErrAway)
	}
}

// TestServerNeedsItsLock holds that a server does not start if it cannot take its lock.
func TestServerNeedsItsLock(t *testing.T) {
	url := storetest.SQLiteURL(t)
	blocked(t, strings.TrimPrefix(url, "sqlite:")+".lock")
	_, err := store.OpenWith(t.Context(), url, store.Options{Serve: true})
	if err == nil || !strings.Contains(err.Error(),
		"the lock that keeps a second server from the database file cannot be taken") {
		t.Fatalf("a server without its lock: %v; want it refused", err)
	}
	db, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatalf("a command, which needs no lock: %v", err)
	}
	db.Close()
}

// blocked makes a folder in the place of a file, so that nobody can open the file for writing.
func blocked(t *testing.T, name string) {
	t.Helper()
	must(t, os.Mkdir(name, 0o700))
}
