package access

import (
	"testing"
	"time"
)

func TestAttempts(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	a := NewAttempts(3, time.Minute, func() time.Time { return now })
	try := func(name string, want bool) {
		t.Helper()
		if got := a.Allow(name); got != want {
			t.Fatalf("Allow(%q) = %t; want %t", name, got, want)
		}
	}
	for range 3 {
		try("a", true)
	}
	try("a", false)
	try("b", true) // one name does not hold up another

	now = now.Add(time.Minute)
	try("a", true)
	try("a", false)

	a.Forgive("a")
	try("a", true)

	now = now.Add(3 * time.Hour)
	try("c", true)
	if len(a.names) != 1 {
		t.Fatalf("%d names are remembered after hours of quiet; want 1", len(a.names))
	}
}
