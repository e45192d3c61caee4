package background

import (
	"context"
	"errors"
	"testing"
)

func TestSlots(t *testing.T) {
	s := NewSlots(400, 200)
	take := func(account string, n int64) (leave func()) {
		t.Helper()
		leave, err := s.Take(t.Context(), account, n)
		if err != nil {
			t.Fatal(err)
		}
		return leave
	}
	first, second := take("a", 200), take("b", 150)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Take(gone, "a", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("an account beyond its slots gets %v", err)
	}
	for account, want := range map[string]error{"a": ErrAccountFull, "c": ErrFull} {
		if _, err := s.TryTake(account, 60); err != want {
			t.Errorf("%s tries to take 60 and gets %v; want %v", account, err, want)
		}
	}
	if leave, err := s.Take(gone, "c", 50); err != nil {
		t.Errorf("slots that are free: %v", err)
	} else {
		leave()
		leave() // only the first time counts
	}
	came := make(chan func())
	go func() { came <- take("a", 300) }() // more than an account has: once it has no others
	first()
	second()
	(<-came)()
	if len(s.of) != 0 {
		t.Errorf("%d accounts are remembered; want none", len(s.of))
	}
}
