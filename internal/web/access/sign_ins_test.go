package access

import (
	"context"
	"fmt"
	"testing"
	"time"
)

func TestSignIns(t *testing.T) {
	var now time.Time
	var told []string
	begin := func() *SignIns {
		now, told = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), nil
		return NewSignIns(func() time.Time {
			return now
		}, func(_ context.Context, failed string) { told = append(told, failed) })
	}
	// guess fails at most times, and returns how many tries were checked.
	guess := func(s *SignIns, times int, try func(i int) Try) (looked int) {
		for i := range times {
			if _, locked := s.Begin(try(i)); !locked {
				s.Failed(t.Context(), try(i))
				looked++
			}
		}
		return looked
	}
	at := func(email, network string) Try { return Try{Email: email, Network: network} }
	always := func(t Try) func(int) Try { return func(int) Try { return t } }
	allowed := func(t *testing.T, s *SignIns, try Try) {
		t.Helper()
		if l, locked := s.Begin(try); locked {
			t.Fatalf("%+v is locked out by the %s for %v; want it checked", try, l.By, l.Wait)
		}
	}

	t.Run("one attacker has five tries, and five more after two and a half minutes", func(t *testing.T) {
		s := begin()
		if got := guess(s, 50, always(at("ana", "1"))); got != 5 {
			t.Fatalf("%d tries were checked; want 5", got)
		}
		l, locked := s.Begin(at("ana", "1"))
		if !locked || l.By != "pair" || l.Wait != 150*time.Second {
			t.Fatalf("Begin = %+v, %t; want locked by the pair for 2:30", l, locked)
		}
		now = now.Add(150 * time.Second)
		if got := guess(s, 50, always(at("ana", "1"))); got != 5 {
			t.Fatalf("%d tries were checked then; want 5", got)
		}
	})
	t.Run("an attacker locks nobody else out, however long the attack lasts", func(t *testing.T) {
		s := begin()
		for range 100 {
			guess(s, 20, always(at("ana", "1")))
			allowed(t, s, at("ana", "2"))
			s.Succeeded(at("ana", "2"))
			now = now.Add(10 * time.Second)
		}
	})
	t.Run("spraying from one network is slowed down, and locks nobody out elsewhere", func(t *testing.T) {
		s := begin()
		if got := guess(s, 200, func(i int) Try { return at(fmt.Sprint("person", i), "1") }); got != 30 {
			t.Fatalf("%d accounts were tried; want 30", got)
		}
		allowed(t, s, at("person7", "2"))
		known := at("person7", "1")
		known.Known = true
		allowed(t, s, known)
	})
	t.Run("guessing at one account from many networks is slowed down, and does not lock the person out where they "+
		"signed in before",
		func(t *testing.T) {
			s := begin()
			if got := guess(s, 200, func(i int) Try { return at("ana", fmt.Sprint(i)) }); got != 15 {
				t.Fatalf("%d networks could try; want 15", got)
			}
			l, locked := s.Begin(at("ana", "new"))
			if !locked || l.By != "account" || l.Wait != time.Minute {
				t.Fatalf("Begin = %+v, %t; want locked by the account for a minute", l, locked)
			}
			allowed(t, s, Try{Email: "ana", Network: "hers", Known: true})
		})
	t.Run("a known browser counts by itself, even if somebody guesses in the same network", func(t *testing.T) {
		s := begin()
		guess(s, 50, always(at("ana", "office")))
		guess(s, 50, always(Try{Email: "ana", Network: "office", Known: true}))
		hers := Try{Email: "ana", Network: "office", Browser: "mark", Known: true}
		allowed(t, s, hers)
		s.Succeeded(hers)
		if got := guess(s, 50, always(hers)); got != 5 {
			t.Fatalf("in the known browser %d tries were checked; want 5", got)
		}
	})
	t.Run("parallel tries are counted before they are checked", func(t *testing.T) {
		s := begin()
		for i := range 6 {
			if _, locked := s.Begin(at("ana", "1")); locked != (i == 5) {
				t.Fatalf("try %d, with none decided: locked = %t", i+1, locked)
			}
		}
	})
	t.Run("having an account gives no tries at others'", func(t *testing.T) {
		s := begin()
		looked := 0
		for i := range 100 {
			looked += guess(s, 1, func(int) Try { return at(fmt.Sprint("person", i), "1") })
			if _, locked := s.Begin(at("own", "1")); !locked {
				s.Succeeded(at("own", "1"))
			}
		}
		if looked > 30 {
			t.Fatalf("%d accounts were tried; want at most 30", looked)
		}
	})
	t.Run("a try that was not checked does not count", func(t *testing.T) {
		s := begin()
		for range 50 {
			allowed(t, s, at("ana", "1"))
			s.Withdraw(at("ana", "1"))
		}
	})
	t.Run("a failure at one replica counts at the others", func(t *testing.T) {
		s := begin()
		guess(s, 5, always(at("ana", "1")))
		words := told
		other := begin()
		for _, word := range words {
			other.Heard(word)
		}
		if _, locked := other.Begin(at("ana", "1")); !locked {
			t.Fatal("at another replica the attacker may go on; want a lock-out")
		}
		allowed(t, other, at("ana", "2"))
	})
}
