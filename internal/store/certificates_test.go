package store_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/seal"
	"gangway/internal/store/storetest"
)

// TestCertificates holds that one replica at a time may order a certificate, that all share it, and that it is sealed:
// with the newest key, and ordered again if the key is lost.
func TestCertificates(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		old, fresh := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
		first, second := openWith(t, url, sure(seal.New(old))(t)), openWith(t, url, sure(seal.New(fresh, old))(t))
		const host, plain = "crew.example", "-----BEGIN EC PRIVATE KEY-----"
		stored := func() (sealed string) {
			must(t, raw(t, url).QueryRowContext(t.Context(), `SELECT sealed FROM certificate`).Scan(&sealed))
			return sealed
		}
		missing := func() {
			t.Helper()
			wantKind(t, gangway.NotFound, did(first.Certificate(t.Context(), host)))
		}
		now := noon
		for _, minutes := range []int{1, 2, 4, 8, 16, 16} {
			missing()
			if !sure(first.ClaimCertificate(t.Context(), host, now))(t) {
				t.Fatalf("nobody may order the certificate at %s", now)
			}
			now = now.Add(time.Duration(minutes) * time.Minute)
			if sure(second.ClaimCertificate(t.Context(), host, now.Add(-time.Millisecond)))(t) {
				t.Fatalf("two replicas order one certificate within %d minutes", minutes)
			}
		}
		must(t, first.SetCertificate(t.Context(), host, []byte(plain), now))
		before := stored()
		if !strings.HasPrefix(before, "sealed:") || sure(second.ClaimCertificate(t.Context(), host, now))(t) {
			t.Errorf("the database shows %q, or what was issued a moment ago is ordered again", before)
		}
		if got := sure(second.Certificate(t.Context(), host))(t); string(got) != plain || stored() == before {
			t.Errorf("the replica with a newer key has %q; is it sealed with that: %t", got, stored() != before)
		}
		missing() // for a replica that lacks the key
		if !sure(first.ClaimCertificate(t.Context(), host, now.Add(time.Hour)))(t) {
			t.Error("a certificate whose key is lost cannot be ordered")
		}
		must(t, first.DropCertificate(t.Context(), host))
		must(t, first.DropCertificate(t.Context(), host))
		missing()
	})
}
