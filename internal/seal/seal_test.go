package seal_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/seal"
)

func newSealer(t *testing.T, keys ...string) *seal.Sealer {
	t.Helper()
	parsed := calltest.Must(seal.ParseKeys(strings.Join(keys, "\n")))(t)
	s := calltest.Must(seal.New(parsed...))(t)
	return s
}

func TestSeal(t *testing.T) {
	s := newSealer(t, seal.NewKey())
	for _, plain := range []string{"", "duffel_live_abc", strings.Repeat("long ", 1000)} {
		sealed := s.Seal([]byte(plain), "acc_1 token")
		got, err := s.Open(sealed, "acc_1 token")
		if err != nil || string(got) != plain {
			t.Errorf("Open(Seal(%.20q)) = %.20q, %v", plain, got, err)
		}
		if plain != "" && bytes.Contains(sealed, []byte(plain)) {
			t.Errorf("the sealed form of %.20q contains it", plain)
		}
		if bytes.Equal(sealed, s.Seal([]byte(plain), "acc_1 token")) {
			t.Errorf("%.20q sealed twice gives the same bytes", plain)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	s := newSealer(t, seal.NewKey())
	sealed := s.Seal([]byte("duffel_live_abc"), "acc_1 token")
	other := newSealer(t, seal.NewKey()).Seal([]byte("duffel_live_abc"), "acc_1 token")
	id := calltest.Must(seal.KeyID(other))(t)
	tests := []struct {
		name    string
		sealed  []byte
		context string
		says    string
	}{
		{"another account's", sealed, "acc_2 token", "belongs elsewhere"},
		{"another name's", sealed, "acc_1 webhook", "belongs elsewhere"},
		{"what another key sealed", other, "acc_1 token", "sealed with key " + id + ", which is not among those given"},
		{"what is cut off", sealed[:len(sealed)-1], "acc_1 token", "changed"},
		{"the head alone", sealed[:seal.HeadSize], "acc_1 token", "changed"},
		{"less than the head", sealed[:seal.HeadSize-1], "acc_1 token", "not in a form"},
		{"nothing", nil, "acc_1 token", "not in a form"},
		{"what was never sealed", []byte(`["whsec_AAAA"]`), "acc_1 token", "not in a form"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := s.Open(tt.sealed, tt.context)
			if err == nil || got != nil || !strings.Contains(err.Error(), tt.says) ||
				strings.Contains(err.Error(), "duffel") {
				t.Errorf("Open = %q, %v; want an error with %q", got, err, tt.says)
			}
		})
	}
	t.Run("a value with any bit changed", func(t *testing.T) {
		for i := range sealed {
			for bit := range 8 {
				bad := bytes.Clone(sealed)
				bad[i] ^= 1 << bit
				if got, err := s.Open(bad, "acc_1 token"); err == nil || got != nil {
					t.Fatalf("byte %d, bit %d changed: Open = %q, %v; want an error", i, bit, got, err)
				}
			}
		}
	})
}

func TestRotation(t *testing.T) {
	old, fresh := seal.NewKey(), seal.NewKey()
	before := newSealer(t, old)
	sealed := before.Seal([]byte("token"), "c")
	during := newSealer(t, fresh, old)
	if got, err := during.Open(sealed, "c"); err != nil || string(got) != "token" {
		t.Fatalf("with both keys, what the old one sealed opens as %q, %v", got, err)
	}
	again := during.Seal([]byte("token"), "c")
	after := newSealer(t, fresh)
	if got, err := after.Open(again, "c"); err != nil || string(got) != "token" {
		t.Fatalf("with only the fresh key, what was sealed meanwhile opens as %q, %v", got, err)
	}
	if _, err := after.Open(sealed, "c"); err == nil {
		t.Fatal("the fresh key opens what the old one sealed")
	}
	for sealer, sealed := range map[*seal.Sealer][]byte{before: sealed, during: again, after: again} {
		if id, err := seal.KeyID(sealed[:seal.HeadSize]); err != nil || id != sealer.Newest() {
			t.Errorf("it was sealed with key %s, %v; want the newest, %s", id, err, sealer.Newest())
		}
	}
}

func TestNewRefuses(t *testing.T) {
	key := bytes.Repeat([]byte{7}, 32)
	for name, keys := range map[string][][]byte{
		"no key": nil, "a short key": {key[:31]}, "a long key": {append(bytes.Clone(key), 7)},
		"a key twice": {key, key},
	} {
		if s, err := seal.New(keys...); err == nil || s != nil {
			t.Errorf("%s: New = %v, %v; want an error", name, s, err)
		}
	}
}

func TestParseKeys(t *testing.T) {
	one, two := seal.NewKey(), seal.NewKey()
	tests := []struct {
		name, text string
		keys       []string
		says       string
	}{
		{"one", one, []string{one}, ""},
		{"one and a line break", one + "\n", []string{one}, ""},
		{"two, newest first", one + "\r\n" + two + "\r\n", []string{one, two}, ""},
		{"comments and empty lines", "# keys of gangway\n\n" + one + " # of May\n  " + two, []string{one, two}, ""},
		{"nothing", "", nil, "there is no key in it"},
		{"comments only", "# " + one, nil, "there is no key in it"},
		{"a short key", one + "\n" + one[:40], nil, "line 2 is not a key"},
		{"a password", "tide tables at six", nil, "line 1 is not a key"},
		{"two separated by a space", one + " " + two, []string{one, two}, ""},
		{"two without a separator", one + two, nil, "line 1 is not a key"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			keys, err := seal.ParseKeys(tt.text)
			if tt.says != "" {
				if err == nil || keys != nil || !strings.Contains(err.Error(), tt.says) {
					t.Fatalf("ParseKeys = %d keys, %v; want an error with %q", len(keys), err, tt.says)
				}
				for _, word := range strings.Fields(tt.text) {
					if len(word) > 4 && strings.Contains(err.Error(), word) {
						t.Errorf("the error contains some of the text: %v", err)
					}
				}
				return
			}
			var got []string
			for _, k := range keys {
				got = append(got, base64.StdEncoding.EncodeToString(k))
			}
			if err != nil || strings.Join(got, " ") != strings.Join(tt.keys, " ") {
				t.Errorf("ParseKeys = %d keys, %v; want %d", len(keys), err, len(tt.keys))
			}
		})
	}
}
