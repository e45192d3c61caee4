// Package chance makes numbers that look random but depend only on their inputs: they are
// the same on every machine and at every time.
package chance

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// Mix combines several numbers into one, so that a change in any of them changes all of it.
func Mix(parts ...uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, p := range parts {
		h += p + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// Code packs a short code into a number.
func Code(s string) uint64 {
	var n uint64
	for i := range len(s) {
		n = n<<8 | uint64(s[i])
	}
	return n
}

// Draw returns a number that looks random and depends only on its arguments.
func Draw(what, of string, try int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %s", what, try, of))
	return binary.BigEndian.Uint64(sum[:8])
}
