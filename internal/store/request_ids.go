package store

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"strings"
	"time"
)

// requestIDs write identifiers of requests: small letters and digits, in whose order the bytes are too.
var requestIDs = base32.HexEncoding.WithPadding(base32.NoPadding)

const requestIDPrefix = "req_"

// NewRequestID returns an identifier of a request that came in at an instant, as in "req_06de…". Nobody can
// guess it, as 80 bits of it are random, and identifiers are in the order of time, to the millisecond.
func NewRequestID(at time.Time) string {
	var id [16]byte
	if _, err := rand.Read(id[6:]); err != nil {
		panic(err) // crypto/rand does not fail on any system we run on
	}
	return writeRequestID(id, at)
}

// requestTime returns when the request came in that an identifier names. ok: it is one.
func requestTime(id string) (at time.Time, ok bool) {
	text, is := strings.CutPrefix(id, requestIDPrefix)
	raw, err := requestIDs.DecodeString(strings.ToUpper(text))
	if !is || err != nil || len(raw) != 16 {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(binary.BigEndian.Uint64(append(make([]byte, 2, 8), raw[:6]...)))), true
}

// firstRequestID is before every identifier of a request that came in at an instant or later, and after all others.
func firstRequestID(at time.Time) string { return writeRequestID([16]byte{}, at) }

func writeRequestID(id [16]byte, at time.Time) string {
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(max(0, at.UnixMilli())))
	copy(id[:6], ms[2:])
	return requestIDPrefix + strings.ToLower(requestIDs.EncodeToString(id[:]))
}
