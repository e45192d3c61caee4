package store_test

import (
	"context"
	"testing"
	"time"

	"gangway"
	"gangway/internal/store/storetest"

	"github.com/jackc/pgx/v5"
)

// TestAQueueIsReleasedWhileItIsFilled holds that an action that comes into a queue while it is released is counted, so
// that it is not left there for ever.
func TestAQueueIsReleasedWhileItIsFilled(t *testing.T) {
	url := storetest.PostgresURL(t)
	db := openURL(t, url)
	in := db.In(storetest.Account(t, db).Scope())
	if _, err := in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
		storetest.PushTo("https://crew.example/sync"), []string{"whsec_x"}, storetest.Began); err != nil {
		t.Fatal(err)
	}
	createBooking(t, in, "b1", nil)
	now := noon.Add(time.Hour)
	taken, err := db.TakeQueues(t.Context(), now, now.Add(time.Minute), 10, 10, nil)
	if err != nil || len(taken) != 1 {
		t.Fatalf("TakeQueues = %v, %v; want the booking's queue", taken, err)
	}
	connect := func() *pgx.Conn {
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close(context.WithoutCancel(t.Context())) })
		return conn
	}
	conn, watching := connect(), connect()
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
	go func() { released <- in.ReleaseQueue(t.Context(), taken[0]) }()
	for waits := false; !waits; { // until the release waits for the queue
		if err := watching.QueryRow(t.Context(), `
			SELECT EXISTS (
				SELECT 1
				FROM pg_stat_activity
				WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waits); err != nil {
			t.Fatal(err)
		}
	}
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
