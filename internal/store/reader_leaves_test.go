package store_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestReaderLeaves holds that a reader who leaves before the end of an answer is no outage: the connection that was
// given up with the statement is replaced, and nothing is logged.
func TestReaderLeaves(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		var log bytes.Buffer
		db, err := store.OpenWith(t.Context(), url,
			store.Options{Serve: true, Log: slog.New(slog.NewTextHandler(&log, nil))})
		must(t, err)
		defer db.Close()
		for range 5 {
			ctx, leave := context.WithCancel(t.Context())
			rows, err := db.Reports().QueryContext(ctx, `
				WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000000)
				SELECT n
				FROM numbers`)
			must(t, err)
			if !rows.Next() {
				t.Fatal(rows.Err())
			}
			leave()
			rows.Close()
		}
		if log.Len() > 0 {
			t.Errorf("it logged\n%s", &log)
		}
	})
}
