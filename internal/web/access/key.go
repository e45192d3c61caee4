// Package access finds out who is asking: a customer's program by its API key, or a
// person by a session.
//
// It does not answer requests; packages api and app do, and use it through the gate
// of package web.
package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"math/big"
	"strings"

	"gangway/internal/gangway"
)

const (
	base62      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	keyRandom   = 32 // characters; 190 bits
	keyChecksum = 6  // characters; holds a CRC-32
)

// keyPrefixes tell people, and programs that search for leaked keys, what a key opens.
var keyPrefixes = map[gangway.Environment]string{
	gangway.Production:  "gw_live_",
	gangway.Development: "gw_test_",
}

// NewKey returns a new API key, to be shown once; the hash to store; and the part of
// it that identifies it in lists.
func NewKey(environment gangway.Environment) (plain, hash, shown string) {
	random := make([]byte, keyRandom)
	for i := range random {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(base62))))
		if err != nil {
			panic(err) // crypto/rand does not fail on any system we run on
		}
		random[i] = base62[n.Int64()]
	}
	body := keyPrefixes[environment] + string(random)
	plain = body + checksum(body)
	return plain, HashKey(plain), plain[:len(keyPrefixes[environment])+4] + "…"
}

// HashKey returns what is stored of a key or of a report password. Both are long and
// random, so a plain hash cannot be reversed by guessing, and is cheap enough for
// every request.
func HashKey(plain string) string {
	sum := sha256.Sum256([]byte(plain))
	return hex.EncodeToString(sum[:])
}

// WellFormed reports whether plain can be one of our keys at all. A key that was
// mistyped or cut off is refused without asking the database.
func WellFormed(plain string) bool {
	for _, prefix := range keyPrefixes {
		if strings.HasPrefix(plain, prefix) && len(plain) == len(prefix)+keyRandom+keyChecksum {
			body := plain[:len(plain)-keyChecksum]
			return plain[len(body):] == checksum(body)
		}
	}
	return false
}

// checksum returns the CRC-32 of body in six base-62 digits.
func checksum(body string) string {
	n := crc32.ChecksumIEEE([]byte(body))
	digits := make([]byte, keyChecksum)
	for i := range digits {
		digits[keyChecksum-1-i] = base62[n%62]
		n /= 62
	}
	return string(digits)
}
