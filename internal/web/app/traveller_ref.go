package app

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"gangway"
	"gangway/internal/store"
)

// A traveller whom the customer's system has sent without an identifier is
// known by the passport. Addresses and forms name travellers, and a passport
// number stands in neither: there it is sealed, with the keys that forms are
// signed with.

// documentKey and sealedKey begin the key of such a traveller, and what stands for it.
const (
	documentKey = "doc:"
	sealedKey   = "ref:"
)

// travellerRef returns what names t in addresses and forms, the same each time.
func travellerRef(ctx context.Context, t gangway.Traveller) string {
	key := t.Key()
	if !strings.HasPrefix(key, documentKey) {
		return key
	}
	v, _ := visitorOf(ctx)
	// The nonce is made of what is sealed: two of the same are the same.
	nonce := derive(v.keys[0], "nonce", v.Account.ID, key)[:12]
	sealed := sealerOf(v.keys[0]).Seal(nonce, nonce, []byte(key), []byte(v.Account.ID))
	return sealedKey + base64.RawURLEncoding.EncodeToString(sealed)
}

// travellerKey returns the key of the traveller whom ref names.
func travellerKey(ctx context.Context, ref string) string {
	text, ok := strings.CutPrefix(ref, sealedKey)
	if !ok {
		return ref
	}
	v, _ := visitorOf(ctx)
	sealed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(sealed) < 12 {
		return ""
	}
	for _, key := range v.keys {
		if plain, err := sealerOf(key).Open(nil, sealed[:12], sealed[12:], []byte(v.Account.ID)); err == nil {
			return string(plain)
		}
	}
	return ""
}

// travellerBy returns the stored traveller whom ref names. NotFound: the account has none.
func travellerBy(ctx context.Context, in store.Scoped, ref string) (gangway.Traveller, error) {
	return in.Traveller(ctx, travellerKey(ctx, ref))
}

func sealerOf(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(derive(key, "traveller"))
	if err != nil {
		panic(err) // a key of 32 bytes is always taken
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return aead
}

func derive(key []byte, values ...string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(strings.Join(values, "\x00")))
	return h.Sum(nil)
}
