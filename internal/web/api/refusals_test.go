package api_test

import (
	"strings"
	"testing"

	"gangway"
	"gangway/internal/store"
)

// Keys that are not known are in the audit log, without the key; a flood of
// them does not fill it.
func TestBadKeysLeaveEntries(t *testing.T) {
	s := newSurface(t)
	bad := "gw_test_" + strings.Repeat("a", 38)
	for range 50 {
		s.do(t, "GET", "/bookings", nil, "X-Api-Key", bad)
	}
	list, err := s.db.Audit(t.Context(), store.AuditQuery{What: gangway.KeyRefused}, 100)
	if err != nil || len(list) != 10 {
		t.Fatalf("Audit = %v, %v; want the first ten", list, err)
	}
	if e := list[0]; e.By.ID != gangway.Unknown || e.By.From != "127.0.0.1" || e.After["path"] != "/bookings" || len(e.After) != 2 {
		t.Errorf("the log says %+v; want where it was tried, and from where", e)
	}
}
