package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/jackc/pgx/v5"
)

// TestAQueueIsReleasedWhileItIsFilled holds that an action that comes into a queue while the one before it is settled
// is seen, so that it is not left there for ever.
func TestAQueueIsReleasedWhileItIsFilled(t *testing.T) {
	url := storetest.PostgresURL(t)
	db := openURL(t, url)
	in := withOutlet(t, db)
	createBooking(t, in, "b1", nil)
	l, d := storetest.TakeDelivery(t, db, noon)
	conn, watching := connect(t, url), connect(t, url)
	filling := sure(conn.Begin(t.Context()))(t)
	for _, statement := range []string{`
		INSERT INTO delivery (account, outlet, booking, seq, id, state, made_at, done_at, attempts)
		SELECT account, outlet, booking, 2, 'msg_2', 'due', made_at, 0, 0
		FROM delivery`, `
		UPDATE lane
		SET pending = 1`} {
		must(t, did(filling.Exec(t.Context(), statement)))
	}
	settled := make(chan error)
	go func() { settled <- storetest.SettleTry(t, db, l, d, "done", store.Attempt{At: noon, Status: 200}, nil) }()
	untilSomebodyWaits(t, watching) // the outcome, for the queue
	must(t, filling.Commit(t.Context()))
	must(t, <-settled)
	var pending int
	if err := watching.QueryRow(t.Context(), `SELECT pending FROM lane`).Scan(&pending); err != nil || pending != 1 {
		t.Errorf("pending is %d, %v; want the second action to wait", pending, err)
	}
}

// TestQueuesAreLockedInOrder holds that everybody locks queues in the order of their outlets and bookings, wherever
// PostgreSQL keeps them: otherwise each could wait for the other.
func TestQueuesAreLockedInOrder(t *testing.T) {
	tests := []struct {
		name, moves, lock string
		locks             func(store.Scoped, gangway.Outlet) error
	}{
		{"an action for two outlets", `UPDATE outlet SET failing_since = 1 WHERE id = (SELECT min(id) FROM outlet)`,
			`booking = 'b1' AND outlet = (SELECT %s(id) FROM outlet)`,
			func(in store.Scoped, _ gangway.Outlet) error {
				_, err := in.UpdateBooking(t.Context(), "b1", "", func(b *gangway.Booking) (gangway.Action, error) {
					return b.Move(gangway.Cancel, "ana@halcyon.example", b.CreatedAt.Add(time.Hour))
				})
				return err
			}},
		{"what rests is made due", `UPDATE lane SET tries = 2 WHERE booking = 'b1'`,
			`outlet = (SELECT min(id) FROM outlet) AND booking = (SELECT %s(booking) FROM lane)`,
			func(in store.Scoped, o gangway.Outlet) error {
				return in.OutletAnswers(t.Context(), o.ID, noon.Add(-time.Hour), true)
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			url := storetest.PostgresURL(t)
			db := openURL(t, url)
			in := withOutlet(t, db)
			if _, err := in.SetOutlet(t.Context(), storetest.Operator, "second",
				storetest.PushTo("https://crew.example/sync"), []string{"whsec_x"}, storetest.Began); err != nil {
				t.Fatal(err)
			}
			for _, id := range []string{"b1", "b2"} {
				createBooking(t, in, id, nil)
			}
			outlets := sure(in.Outlets(t.Context()))(t)
			first := slices.MinFunc(outlets, func(a, b gangway.Outlet) int { return strings.Compare(a.ID, b.ID) })
			conn, watching := connect(t, url), connect(t, url)
			for _, statement := range []string{tt.moves, `ANALYZE`} { // behind the others
				must(t, did(conn.Exec(t.Context(), statement)))
			}
			recording := sure(conn.Begin(t.Context()))(t)
			lock := func(which string) error {
				_, err := recording.Exec(t.Context(), `SELECT 1 FROM lane WHERE `+fmt.Sprintf(tt.lock, which)+
					` FOR UPDATE NOWAIT`)
				return err
			}
			must(t, lock("min"))
			done := make(chan error)
			go func() { done <- tt.locks(in, first) }()
			untilSomebodyWaits(t, watching) // for the first queue
			if err := lock("max"); err != nil {
				t.Errorf("the second queue is locked before the first one: %v", err)
			}
			must(t, recording.Rollback(t.Context()))
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

// connect connects to a database of PostgreSQL, beside the store.
func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn := sure(pgx.Connect(t.Context(), url))(t)
	t.Cleanup(func() { conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// untilSomebodyWaits waits until somebody waits for a lock in the database of a connection.
func untilSomebodyWaits(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	for waits := false; !waits; {
		must(t, conn.QueryRow(t.Context(), `
			SELECT EXISTS (
				SELECT 1
				FROM pg_stat_activity
				WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waits))
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
