package shell

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
)

// Sealed encrypts a text so that addresses and forms may carry it; only people who
// are signed in to the account get it back. The same text gives the same result
// each time. purpose keeps texts of one kind from being taken for another.
func Sealed(ctx context.Context, purpose, text string) string {
	v, _ := VisitorOf(ctx)
	// The nonce is derived from the text, so that the same text gives the same result.
	nonce := mac(v.keys[0], "nonce", v.Account.ID, text)[:nonceBytes]
	return base64.RawURLEncoding.EncodeToString(sealerOf(v.keys[0], purpose).Seal(nonce, nonce, []byte(text),
		[]byte(v.Account.ID)))
}

// Unsealed returns the text that was sealed for a purpose, or nothing where it was not sealed so.
func Unsealed(ctx context.Context, purpose, text string) string {
	v, _ := VisitorOf(ctx)
	sealed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(sealed) < nonceBytes {
		return ""
	}
	for _, key := range v.keys {
		if plain, err := sealerOf(key, purpose).Open(nil, sealed[:nonceBytes], sealed[nonceBytes:],
			[]byte(v.Account.ID)); err == nil {
			return string(plain)
		}
	}
	return ""
}

// nonceBytes is how long GCM's nonces are.
const nonceBytes = 12

func sealerOf(key []byte, purpose string) cipher.AEAD {
	block, err := aes.NewCipher(mac(key, purpose))
	if err != nil {
		panic(err) // never for a key of 32 bytes
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return aead
}
