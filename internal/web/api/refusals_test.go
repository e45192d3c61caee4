package api_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/api"
)

// Unknown keys are recorded in the audit log, without the key; a flood of them does not
// fill it.
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
	if e := list[0]; e.By.ID != gangway.Unknown || e.By.From != "127.0.0.1" || e.After["path"] != "/bookings" ||
		len(e.After) != 2 {
		t.Errorf("the log says %+v; want where it was tried, and from where", e)
	}
}

// A flood of uploads for which there is no room is logged in few lines.
func TestFloodOfRefusedUploads(t *testing.T) {
	var log bytes.Buffer
	s := newSurface(t)
	s.Config.Handler = api.New(api.Config{DB: s.db, Now: func() time.Time {
		return now
	}, Log: slog.New(slog.NewTextHandler(&log, nil)), Budget: fullBudget(t)})
	for range 30 {
		if res := s.do(t, "POST", "/passenger", []byte("["+strings.Repeat(" ", 1<<20)+"]")); res.status != 503 {
			t.Fatalf("an upload = %d %s; want 503", res.status, res.body)
		}
	}
	if lines := strings.Count(log.String(), "\n"); lines != 10 || !strings.Contains(log.String(),
		"event=limit.reached") {
		t.Errorf("the log has %d lines of 30 refusals; want the first ten\n%s", lines, log.String())
	}
}
