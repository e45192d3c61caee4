package shell

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
)

// FormKeys sign with the first key and accept the signature of any.
type FormKeys [][]byte

// Sign returns a code over values that nobody can make without the keys.
func (k FormKeys) Sign(values ...string) string { return tokenCode(k[0], values) }

// Signed reports whether mark is the code over values.
func (k FormKeys) Signed(mark string, values ...string) bool {
	return slices.ContainsFunc(k, func(key []byte) bool {
		return hmac.Equal([]byte(mark), []byte(tokenCode(key, values)))
	})
}

// Attach returns an identifier together with the code over it and values, for a form to carry.
func (k FormKeys) Attach(id string, values ...string) string {
	return id + "." + k.Sign(append(values, id)...)
}

// Detach returns the identifier that Attach was given, or none where the code does not fit.
func (k FormKeys) Detach(carried string, values ...string) string {
	at := strings.LastIndex(carried, ".")
	if at < 0 || !k.Signed(carried[at+1:], append(values, carried[:at])...) {
		return ""
	}
	return carried[:at]
}

// Secret returns what follows from values, and nobody can tell without the keys.
func (k FormKeys) Secret(values ...string) []byte { return mac(k[0], values...) }

func tokenCode(key []byte, values []string) string {
	return base64.RawURLEncoding.EncodeToString(mac(key, values...)[:18])
}

func mac(key []byte, values ...string) []byte {
	h := hmac.New(sha256.New, key)
	for _, v := range values { // each with its length, so that "ab", "c" differs from "a", "bc"
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(v))))
		h.Write([]byte(v))
	}
	return h.Sum(nil)
}
