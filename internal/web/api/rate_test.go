package api

import (
	"net/http"
	"testing"
	"time"

	"gangway/internal/web"
)

func TestRate(t *testing.T) {
	began := time.Date(2026, 11, 2, 9, 0, 42, 0, time.UTC)
	now := began
	r := newRate(2, func() time.Time { return now })
	steps := []struct {
		name   string
		after  time.Duration
		caller string
		left   string // RateLimit
		later  string // Retry-After, when refused
	}{
		{"the minute begins with the first request", 0, "a", `"default";r=1;t=60`, ""},
		{"the last one within the limit", 20 * time.Second, "a", `"default";r=0;t=40`, ""},
		{"one too many", 30*time.Second + time.Millisecond, "a", `"default";r=0;t=30`, "30"},
		{"another caller is not affected", 31 * time.Second, "b", `"default";r=1;t=60`, ""},
		{"nor counted", 59 * time.Second, "a", `"default";r=0;t=1`, "1"},
		{"a new minute", 60 * time.Second, "a", `"default";r=1;t=60`, ""},
		{"the other caller's has not ended yet", 61 * time.Second, "b", `"default";r=0;t=30`, ""},
	}
	for _, step := range steps {
		now = began.Add(step.after)
		header := http.Header{}
		_, err := r.admit(header, r.keys, step.caller)
		if got := header.Get("RateLimit"); got != step.left || header.Get("RateLimit-Policy") != `"default";q=2;w=60` {
			t.Errorf("%s: RateLimit %s, policy %s; want %s", step.name, got, header.Get("RateLimit-Policy"), step.left)
		}
		later := ""
		if refusal, ok := err.(*web.Refusal); ok && refusal.Status == http.StatusTooManyRequests {
			later = refusal.Header.Get("Retry-After")
		}
		if later != step.later || (err == nil) != (later == "") {
			t.Errorf("%s: %v, Retry-After %q; want %q", step.name, err, later, step.later)
		}
	}
}
