package web

import (
	"strconv"
	"testing"
	"time"
)

func TestLimiter(t *testing.T) {
	began := time.Date(2026, 11, 2, 9, 0, 42, 0, time.UTC)
	now := began
	l := NewLimiter(2, time.Minute, func() time.Time { return now })
	use := func(name string, left int, ends time.Duration) {
		t.Helper()
		if gotLeft, gotEnds := l.Use(name); gotLeft != left || gotEnds != ends {
			t.Fatalf("Use(%s) = %d, %v; want %d, %v", name, gotLeft, gotEnds, left, ends)
		}
	}
	use("a", 1, time.Minute) // the period begins with the first use
	now = began.Add(20 * time.Second)
	use("a", 0, 40*time.Second)
	use("a", -1, 40*time.Second)
	use("b", 1, time.Minute) // one name does not hold up another

	now = began.Add(time.Minute)
	use("a", 1, time.Minute)
	use("b", 0, 20*time.Second)

	l.GiveBack("b")
	use("b", 0, 20*time.Second)
	l.Forget("b")
	use("b", 1, time.Minute)
	l.GiveBack("nobody")
	l.Forget("nobody")

	now = began.Add(time.Hour)
	use("c", 1, time.Minute)
	if len(l.used) != 1 || l.order.Len() != 1 {
		t.Fatalf("%d names are remembered long after; want the last", len(l.used))
	}
}

// A flood of long names is remembered only as far as there is room.
func TestLimiterIsBounded(t *testing.T) {
	now := time.Date(2026, 11, 2, 9, 0, 42, 0, time.UTC)
	l := NewLimiter(1, time.Hour, func() time.Time { return now })
	for i := range remembered + 100 {
		l.Use(strconv.Itoa(i))
	}
	if len(l.used) != remembered || l.order.Len() != remembered {
		t.Fatalf("%d names are remembered; want %d", len(l.used), remembered)
	}
	for _, name := range []string{"100", strconv.Itoa(remembered + 99)} {
		if left, _ := l.Use(name); left >= 0 {
			t.Errorf("the name %s is forgotten although there is room for it", name)
		}
	}
	if left, _ := l.Use("99"); left < 0 {
		t.Error("a name whose period ends first is still remembered")
	}
}
