package access

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/web"
)

func TestPassword(t *testing.T) {
	const unfinished = "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$"
	hash := HashPassword("tide tables at six")
	tests := []struct {
		name        string
		hash, plain string
		want        bool
	}{
		{"the password itself", hash, "tide tables at six", true},
		{"another password", hash, "tide tables at seven", false},
		{"no password", hash, "", false},
		{"case counts", hash, "Tide tables at six", false},
		{"no hash", "", "tide tables at six", false},
		{"the hash is not a password", hash, hash, false},
		{"a hash of another kind", strings.Replace(hash, "argon2id", "argon2i", 1), "tide tables at six", false},
		{"a hash without its end", unfinished, "", false},
		{"a salt that was tampered with", hash[:31] + "AAAA" + hash[35:], "tide tables at six", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := TryPassword(t.Context(), tt.hash, tt.plain); got != tt.want || err != nil {
				t.Fatalf("TryPassword(%q, %q) = %v, %v; want %v", tt.hash, tt.plain, got, err, tt.want)
			}
		})
	}

	t.Run("the same password never has the same hash", func(t *testing.T) {
		if HashPassword("tide tables at six") == hash {
			t.Fatal("two hashes of one password are equal; want different salts")
		}
	})
	t.Run("the cost is what OWASP asks", func(t *testing.T) {
		if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
			t.Fatalf("hash = %s; want m=19456,t=2,p=1", hash)
		}
	})
	t.Run("passwords of ours are long and never the same", func(t *testing.T) {
		a, b := NewPassword(), NewPassword()
		if a == b || len(a) != 23 {
			t.Fatalf("NewPassword = %q, then %q; want two different ones of 23 characters", a, b)
		}
	})
}

func TestCheckNewPassword(t *testing.T) {
	about := []string{"Ines.Paredes@halcyon.example", "Ines Paredes", "Halcyon Tankers"}
	tests := []struct {
		name, plain, says string // nothing: it may be chosen
	}{
		{"eight characters, of any letters", "sjöstad1", ""},
		{"seven characters", "sjöstad", "at least 8 characters"},
		{"a sentence", "the gangway of Halcyon is wet on Mondays", ""},
		{"as long as may be", strings.Repeat("tide ", 25) + "out", ""},
		{"longer", strings.Repeat("tide ", 25) + "over", "at most 128 characters"},
		{"longer, in letters of several bytes", strings.Repeat("海", 129), "at most 128 characters"},
		{"a sentence in such letters", strings.Repeat("海港", 64), ""},
		{"what cannot be typed", "tide\x00tables", "letters, digits, signs and blanks only"},
		{"no text", "tide\xfftables", "letters, digits, signs and blanks only"},
		{"one that many people use", "password", "many people use"},
		{"in other letters", "PassWord", "many people use"},
		{"another", "1qaz2wsx", "many people use"},
		{"digits", "123456789", "many people use"},
		{"blanks", "        ", "at least 8 characters"},
		{"a short one between blanks", " tide    ", "at least 8 characters"},
		{"one that many people use, and a blank", "password1 ", "many people use"},
		{"a common word, digits and a sign", "Password123!", "many people use"},
		{"a common word and a year", "summer2026", "many people use"},
		{"a short common word and more", "Welcome1!", "many people use"},
		{"a common word and many signs", "dragon!?!?#2", "many people use"},
		{"few letters and much behind them", "tid7294!0385", ""},
		{"a rare word and a year", "gannet2026", ""},
		{"a common word among others", "summer gannet 7", ""},
		{"one that many people use, in full-width letters", "ｐａｓｓｗｏｒｄ１", "many people use"},
		{"digits in their order", "1234567890123", "in their order"},
		{"digits backwards", "9876543210987", "in their order"},
		{"letters in their order", "defghijklm", "in their order"},
		{"one character", strings.Repeat("ü", 12), "one character repeated"},
		{"the person's address", "ines.paredes@halcyon.example", "beside the person's own name"},
		{"in other letters, with more", "INES.paredes@halcyon.example1", "beside the person's own name"},
		{"the person's name", "InesParedes", "beside the person's own name"},
		{"the person's name and a year", "paredes2026!", "beside the person's own name"},
		{"the company's name", "halcyontankers", "beside the person's own name"},
		{"the company's name, twice", "Halcyon Halcyon", "beside the person's own name"},
		{"the program's", "gangway-2026", "beside the person's own name"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := CheckNewPassword(tt.plain, about...)
			if tt.says == "" && err != nil || tt.says != "" && (gangway.KindOf(err) != gangway.Invalid ||
				!strings.Contains(err.Error(), tt.says)) {
				t.Fatalf("CheckNewPassword(%q) = %v; want %q", tt.plain, err, tt.says)
			}
		})
	}
	t.Run("passwords that we generate may be chosen", func(t *testing.T) {
		calltest.Done(t, CheckNewPassword(NewPassword(), about...))
	})
	t.Run("ten thousand passwords that many people use are refused, none of them too short to be chosen",
		func(t *testing.T) {
			lines := strings.Fields(common())
			if len(lines) < 10_000 || !slices.IsSorted(lines) {
				t.Fatalf("the list has %d passwords, sorted: %t; want 10,000 at least, sorted", len(lines),
					slices.IsSorted(lines))
			}
			for _, line := range lines {
				if n := len([]rune(line)); n < minPassword || line != strings.ToLower(line) {
					t.Fatalf("%q stands in the list and cannot be found there", line)
				}
			}
		})
}

// TestMemoryIsReturned checks a password, and waits until the runtime was asked to return its memory: nothing else asks
// for that.
func TestMemoryIsReturned(t *testing.T) {
	var before, now runtime.MemStats
	const hash = "$argon2id$v=19$m=19456,t=1,p=1$c29tZXNhbHQ$bm90aGluZw"
	runtime.ReadMemStats(&before)
	calltest.Must(TryPassword(t.Context(), hash, "tide tables at six"))(t)
	for now = before; now.NumForcedGC == before.NumForcedGC && t.Context().Err() == nil; runtime.Gosched() {
		runtime.ReadMemStats(&now)
	}
}

// A flood of sign-ins has to wait, and is refused when too many wait.
func TestTryPassword(t *testing.T) {
	hash := HashPassword("tide tables at six")
	for range cap(hashing) {
		hashing <- struct{}{}
	}
	ctx, leave := context.WithCancel(t.Context())
	answers := make(chan error, cap(waiting))
	for range cap(waiting) {
		go func() {
			_, err := TryPassword(ctx, hash, "tide tables at six")
			answers <- err
		}()
	}
	for len(waiting) < cap(waiting) {
		runtime.Gosched()
	}
	if _, err := TryPassword(t.Context(), hash, "tide tables at six"); web.Status(err) !=
		http.StatusServiceUnavailable {
		t.Errorf("one more = %v; want 503", err)
	}
	leave() // a caller that has left no longer waits
	for range cap(waiting) {
		if err := <-answers; !errors.Is(err, context.Canceled) {
			t.Errorf("one that has left = %v; want %v", err, context.Canceled)
		}
	}
	for range cap(hashing) {
		<-hashing
	}
	if ok, err := TryPassword(t.Context(), hash, "tide tables at six"); !ok || err != nil {
		t.Errorf("afterwards = %t, %v; want true", ok, err)
	}
}
