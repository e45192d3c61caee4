package main

import (
	"testing"
	"time"

	"gangway/internal/need"
	"gangway/internal/store/storetest"
)

// TestTrialRebuildIsKilled kills a command that writes the report anew, in the middle. The server goes on where
// it was, and in the end every row is right.
func TestTrialRebuildIsKilled(t *testing.T) {
	need.Trial(t)
	storetest.EachURL(t, func(t *testing.T, database string) {
		db := openStore(t, database)
		_, dev := storetest.Accounts(t, db)
		of := []string{"--database", database, "--customer", dev.Customer.ID, "--environment", "development"}
		answer[sampleAnswer](t, append([]string{"sample", "bookings", "--count", "3000"}, of...)...)
		operator := openSQL(t, database)
		count := func(query string) (n int) {
			t.Helper()
			if err := operator.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		const wrong = `SELECT count(*) FROM report_booking WHERE members = 'wrong'`
		if _, err := operator.ExecContext(t.Context(), `UPDATE report_booking SET members = 'wrong'`); err != nil {
			t.Fatal(err)
		}
		rebuild := gangwayCommand(t, append([]string{"report", "rebuild"}, of...)...)
		if err := rebuild.Start(); err != nil {
			t.Fatal(err)
		}
		end := time.Now().Add(hang)
		for count(wrong) == 3000 && time.Now().Before(end) {
		}
		rebuild.Process.Kill()
		_ = rebuild.Wait()
		left := count(wrong)
		if left == 0 || left == 3000 {
			t.Fatalf("%d of 3000 rows were wrong when it was killed; want some", left)
		}
		p, _, _ := serve(t, database)
		defer p.stop()
		eventually(t, "the server has written the rest", func() bool {
			return count(wrong) == 0 && count(`SELECT count(*) FROM report_build`) == 0
		})
		if n := count(`SELECT count(*) FROM report_booking`); n != 3000 {
			t.Errorf("there are %d rows; want 3000", n)
		}
	})
}
