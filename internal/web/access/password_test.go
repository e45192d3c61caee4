package access

import (
	"strings"
	"testing"

	"gangway"
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
			if got := CheckPassword(tt.hash, tt.plain); got != tt.want {
				t.Fatalf("CheckPassword(%q, %q) = %v; want %v", tt.hash, tt.plain, got, tt.want)
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
	t.Run("a person's password has eight characters", func(t *testing.T) {
		if err := CheckNewPassword("sjöstad"); gangway.KindOf(err) != gangway.Invalid {
			t.Errorf("CheckNewPassword of 7 characters = %v; want Invalid", err)
		}
		if err := CheckNewPassword("sjöstad1"); err != nil {
			t.Errorf("CheckNewPassword of 8 characters = %v; want nil", err)
		}
	})
}
