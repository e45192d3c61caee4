package store_test

import (
	"testing"
	"time"

	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

func TestSessions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		now := storetest.Began
		s := db.Sessions(func() time.Time { return now })
		keep := func(token, data string) {
			t.Helper()
			must(t, s.CommitCtx(t.Context(), token, []byte(data), now.Add(time.Hour)))
		}
		find := func(token, want string) {
			t.Helper()
			got, found, err := s.FindCtx(t.Context(), token)
			if err != nil || found != (want != "") || string(got) != want {
				t.Fatalf("FindCtx(%s) = %q, %t, %v; want %q", token, got, found, err, want)
			}
		}
		keep("a", `{"user":"1"}`)
		find("a", `{"user":"1"}`)
		keep("a", `{"user":"2"}`)
		find("a", `{"user":"2"}`)
		find("b", "")

		keep("b", "{}")
		must(t, s.DeleteCtx(t.Context(), "b"))
		find("b", "")

		now = now.Add(time.Hour)
		find("a", "") // expired
	})
}
