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

// KeyOf returns the API key that follows from 32 random bytes, to be shown once; the hash to store; and the part of it
// that identifies it in lists.
func KeyOf(environment gangway.Environment, random []byte) (plain, hash, shown string) {
	prefix := keyPrefixes[environment]
	body := prefix + digits(new(big.Int).SetBytes(random), keyRandom)
	plain = body + checksum(body)
	return plain, HashKey(plain), plain[:len(prefix)+4] + "…"
}

// NewKey is KeyOf for a key that nobody asks for twice.
func NewKey(environment gangway.Environment) (plain, hash, shown string) {
	return KeyOf(environment, newSeed())
}

// newSeed returns 32 random bytes.
func newSeed() []byte {
	seed := make([]byte, 32)
	rand.Read(seed)
	return seed
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

// checksum returns the CRC-32 of body in base-62 digits.
func checksum(body string) string {
	return digits(big.NewInt(int64(crc32.ChecksumIEEE([]byte(body)))), keyChecksum)
}

// digits returns the last n base-62 digits of a number.
func digits(number *big.Int, n int) string {
	text, base, digit := make([]byte, n), big.NewInt(int64(len(base62))), new(big.Int)
	for i := range text {
		number.DivMod(number, base, digit)
		text[n-1-i] = base62[digit.Int64()]
	}
	return string(text)
}
