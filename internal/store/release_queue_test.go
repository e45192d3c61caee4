package store_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/jackc/pgx/v5"
)

// TestAQueueIsReleasedWhileItIsFilled holds that an action that comes into a queue while it is released is counted, so
// that it is not left there for ever.
func TestAQueueIsReleasedWhileItIsFilled(t *testing.T) {
	url := storetest.PostgresURL(t)
	db := openURL(t, url)
	in := withOutlet(t, db)
	createBooking(t, in, "b1", nil)
	taken := takeOne(t, db)
	conn, watching := connect(t, url), connect(t, url)
	filling, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{`
		INSERT INTO delivery (account, outlet, booking, seq, id, state, made_at, done_at, attempts)
		SELECT account, outlet, booking, 2, 'msg_2', 'due', made_at, 0, 0
		FROM delivery`, `
		UPDATE lane
		SET pending = pending + 1`} {
		if _, err := filling.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	released := make(chan error)
	go func() { released <- in.ReleaseQueue(t.Context(), taken) }()
	untilSomebodyWaits(t, watching) // the release, for the queue
	if err := filling.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-released; err != nil {
		t.Fatal(err)
	}
	var pending int
	if err := watching.QueryRow(t.Context(), `SELECT pending FROM lane`).Scan(&pending); err != nil || pending != 2 {
		t.Errorf("%d wait in the queue, %v; want both actions", pending, err)
	}
}

// TestQueuesAreFilledInOrder holds that an action locks its queues one outlet after the other, as whoever records
// deliveries does, wherever PostgreSQL keeps the outlets: otherwise each could wait for the other.
func TestQueuesAreFilledInOrder(t *testing.T) {
	url := storetest.PostgresURL(t)
	db := openURL(t, url)
	in := withOutlet(t, db)
	if _, err := in.SetOutlet(t.Context(), storetest.Operator, "second", storetest.PushTo("https://crew.example/sync"),
		[]string{"whsec_x"}, storetest.Began); err != nil {
		t.Fatal(err)
	}
	createBooking(t, in, "b1", nil)
	conn, watching := connect(t, url), connect(t, url)
	for _, statement := range []string{
		`UPDATE outlet SET failing_since = 1 WHERE id = (SELECT min(id) FROM outlet)`, // which moves it
		`ANALYZE outlet`,
	} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	recording, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lock := `SELECT 1 FROM lane WHERE outlet = (SELECT %s(id) FROM outlet) FOR UPDATE NOWAIT`
	if _, err := recording.Exec(t.Context(), fmt.Sprintf(lock, "min")); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := in.UpdateBooking(t.Context(), "b1", "", func(b *gangway.Booking) (gangway.Action, error) {
			return b.Move(gangway.Cancel, "ana@halcyon.example", b.CreatedAt.Add(time.Hour))
		})
		done <- err
	}()
	untilSomebodyWaits(t, watching) // the action, for the first outlet's
	if _, err := recording.Exec(t.Context(), fmt.Sprintf(lock, "max")); err != nil {
		t.Errorf("the second outlet's queue is locked before the first one's: %v", err)
	}
	if err := recording.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestACommitComesThroughLate holds that a queue is given back whose taking was committed after PostgreSQL had not
// answered in time, also if others have been taken meanwhile.
func TestACommitComesThroughLate(t *testing.T) {
	url := storetest.PostgresURL(t)
	db := openURL(t, url)
	in := withOutlet(t, db)
	createBooking(t, in, "b1", nil)
	const late = "late"
	db.CommitUnheard(late)
	if err := in.ReleaseQueue(t.Context(), takeOne(t, db)); err != nil {
		t.Fatal(err)
	}
	if _, err := connect(t, url).Exec(t.Context(), `UPDATE lane SET lease = 1, holder = $1`, late); err != nil {
		t.Fatal(err)
	}
	takeOne(t, db)
}

// connect connects to a database of PostgreSQL, beside the store.
func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// untilSomebodyWaits waits until somebody waits for a lock in the database of a connection.
func untilSomebodyWaits(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	for waits := false; !waits; {
		if err := conn.QueryRow(t.Context(), `
			SELECT EXISTS (
				SELECT 1
				FROM pg_stat_activity
				WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waits); err != nil {
			t.Fatal(err)
		}
	}
}

// withOutlet returns an account with an outlet.
func withOutlet(t *testing.T, db *store.DB) store.Scoped {
	t.Helper()
	in := db.In(storetest.Account(t, db).Scope())
	if _, err := in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
		storetest.PushTo("https://crew.example/sync"), []string{"whsec_x"}, storetest.Began); err != nil {
		t.Fatal(err)
	}
	return in
}

// takeOne takes the one queue that there is.
func takeOne(t *testing.T, db *store.DB) store.DeliveryQueue {
	t.Helper()
	now := noon.Add(time.Hour)
	taken, err := db.TakeQueues(t.Context(), now, now.Add(time.Minute), 10, 10, nil)
	if err != nil || len(taken) != 1 {
		t.Fatalf("TakeQueues = %v, %v; want the one queue", taken, err)
	}
	return taken[0]
}
