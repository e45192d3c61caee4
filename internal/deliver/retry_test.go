package deliver

import (
	"net/http"
	"testing"
	"time"

	"gangway/internal/transport"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	tests := []struct {
		name   string
		status int
		header string
		wait   time.Duration
		asked  bool
	}{
		{"seconds", 429, "120", 2 * time.Minute, true},
		{"a date", 503, "Mon, 02 Nov 2026 09:10:00 GMT", 10 * time.Minute, true},
		{"no wait at all is a second", 429, "0", time.Second, true},
		{"a date in the past is a second", 503, "Mon, 02 Nov 2020 09:10:00 GMT", time.Second, true},
		{"a distant date is a day", 429, "Fri, 02 Nov 2096 09:10:00 GMT", 24 * time.Hour, true},
		{"many seconds are a day", 429, "99999999", 24 * time.Hour, true},
		{"a number too large to read is ignored", 429, "99999999999999999999", 0, false},
		{"a negative number is ignored", 429, "-5", 0, false},
		{"a word is ignored", 503, "soon", 0, false},
		{"no header", 503, "", 0, false},
		{"another status", 500, "120", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer := transport.Answer{Status: tt.status, Header: http.Header{"Retry-After": {tt.header}}}
			if wait, asked := retryAfter(answer, now); wait != tt.wait || asked != tt.asked {
				t.Fatalf("retryAfter(%d, %q) = %s, %v; want %s, %v", tt.status, tt.header, wait, asked, tt.wait,
					tt.asked)
			}
		})
	}
}

// The waits grow, vary, and cover the three days in a number of tries that a customer can bear.
func TestPause(t *testing.T) {
	var total time.Duration
	seen, tries := map[time.Duration]bool{}, 0
	for ; total < horizon; tries++ {
		wait := pause(tries)
		low, high := waits[min(tries, len(waits)-1)]*4/5, waits[min(tries, len(waits)-1)]*6/5
		if wait < low || wait > high {
			t.Fatalf("pause(%d) = %s; want %s to %s", tries, wait, low, high)
		}
		seen[wait] = true
		total += wait
	}
	if tries < 50 || tries > 150 {
		t.Errorf("%d tries in %s; want some dozens", tries, horizon)
	}
	if len(seen) < tries*9/10 {
		t.Errorf("%d different waits in %d tries; want them jittered", len(seen), tries)
	}
	if horizon < 75*time.Hour {
		t.Errorf("parked after %s; want at least 75 hours", horizon)
	}
}
