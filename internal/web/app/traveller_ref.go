package app

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
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
	nonce := mac(v.keys[0], "nonce", v.Account.ID, key)[:nonceBytes]
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
	if err != nil || len(sealed) < nonceBytes {
		return ""
	}
	for _, key := range v.keys {
		if plain, err := sealerOf(key).Open(nil, sealed[:nonceBytes], sealed[nonceBytes:], []byte(v.Account.ID)); err == nil {
			return string(plain)
		}
	}
	return ""
}

// travellerBy returns the stored traveller whom ref names. NotFound: the account has none.
func travellerBy(ctx context.Context, in store.Scoped, ref string) (gangway.Traveller, error) {
	return in.Traveller(ctx, travellerKey(ctx, ref))
}

// nonceBytes is how long GCM's nonces are.
const nonceBytes = 12

func sealerOf(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(mac(key, "traveller"))
	if err != nil {
		panic(err) // a key of 32 bytes is always taken
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return aead
}
