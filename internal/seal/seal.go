// Package seal keeps secrets unreadable while they are in a database: it seals
// them with the operator's key and opens them again.
//
// It stores nothing and finds no keys: package store stores what is sealed, and
// the program is given the keys.
package seal

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A sealed value is: version (1 byte), identifier of the key (5 bytes), and the
// result of AES-256-GCM (nonce, text, tag). The first six bytes and the context
// are bound to it as associated data.
const (
	version = 1
	idSize  = 5
	keySize = 32
	// HeadSize is how many bytes at the beginning of a sealed value say which key it needs.
	HeadSize = 1 + idSize
)

// A Sealer seals with its newest key and opens with any of its keys. It is safe
// for use by many goroutines.
type Sealer struct {
	keys []key // newest first
}

type key struct {
	id     []byte
	aead   cipher.AEAD
	secret []byte
}

// New returns a sealer with keys of 32 random bytes, newest first.
func New(keys ...[]byte) (*Sealer, error) {
	if len(keys) == 0 {
		return nil, errors.New("there is no key to seal secrets with")
	}
	s := &Sealer{}
	for i, secret := range keys {
		if len(secret) != keySize {
			return nil, fmt.Errorf("key %d has %d bytes; want %d", i+1, len(secret), keySize)
		}
		block, err := aes.NewCipher(secret)
		if err != nil {
			return nil, fmt.Errorf("use key %d: %w", i+1, err)
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			return nil, fmt.Errorf("use key %d: %w", i+1, err)
		}
		// The identifier tells keys apart and reveals nothing about them.
		sum := sha256.Sum256(append([]byte("gangway seal key "), secret...))
		id := sum[:idSize]
		if s.keyOf(id) != nil {
			return nil, fmt.Errorf("key %d is given twice", i+1)
		}
		s.keys = append(s.keys, key{id: id, aead: aead, secret: slices.Clone(secret)})
	}
	return s, nil
}

// Seal seals plain for a context, which says whose secret it is: it can only be
// opened with the same context.
func (s *Sealer) Seal(plain []byte, context string) []byte {
	k := s.keys[0]
	head := append([]byte{version}, k.id...)
	return k.aead.Seal(head, nil, plain, bound(head, context))
}

// Open returns what was sealed for a context.
func (s *Sealer) Open(sealed []byte, context string) ([]byte, error) {
	id, err := KeyID(sealed)
	if err != nil {
		return nil, err
	}
	head, text := sealed[:HeadSize], sealed[HeadSize:]
	k := s.keyOf(head[1:])
	if k == nil {
		return nil, fmt.Errorf("it was sealed with key %s, which is not among those given", id)
	}
	plain, err := k.aead.Open(nil, nil, text, bound(head, context))
	if err != nil {
		return nil, errors.New("it was changed since it was sealed, or belongs elsewhere")
	}
	return plain, nil
}

// Derive returns one key from each key, newest first, for a purpose other than
// sealing. A derived key reveals nothing about the key it was made from.
func (s *Sealer) Derive(purpose string) ([][]byte, error) {
	var list [][]byte
	for _, k := range s.keys {
		derived, err := hkdf.Key(sha256.New, k.secret, nil, purpose, keySize)
		if err != nil {
			return nil, fmt.Errorf("derive a key: %w", err)
		}
		list = append(list, derived)
	}
	return list, nil
}

// Newest returns the identifier of the key that s seals with.
func (s *Sealer) Newest() string { return hex.EncodeToString(s.keys[0].id) }

// Has reports whether s opens what was sealed with the key of an identifier.
func (s *Sealer) Has(id string) bool {
	b, err := hex.DecodeString(id)
	return err == nil && s.keyOf(b) != nil
}

func (s *Sealer) keyOf(id []byte) *key {
	i := slices.IndexFunc(s.keys, func(k key) bool { return bytes.Equal(k.id, id) })
	if i < 0 {
		return nil
	}
	return &s.keys[i]
}

// KeyID returns the identifier of the key that a value was sealed with; its first
// HeadSize bytes are enough.
func KeyID(sealed []byte) (string, error) {
	if len(sealed) < HeadSize || sealed[0] != version {
		return "", errors.New("it is not in a form that this program seals in")
	}
	return hex.EncodeToString(sealed[1:HeadSize]), nil
}

func bound(head []byte, context string) []byte { return append(slices.Clone(head), context...) }

// ParseKeys reads keys in the form in which operators keep them: each is 32 bytes
// in base64, newest first, separated by spaces or line breaks; comments begin with
// #. Its errors never contain any of the text.
func ParseKeys(text string) ([][]byte, error) {
	var keys [][]byte
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, word := range strings.Fields(line) {
			key, err := base64.StdEncoding.DecodeString(word)
			if err != nil || len(key) != keySize {
				return nil, fmt.Errorf("line %d is not a key, which is %d bytes in base64", i+1, keySize)
			}
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("there is no key in it")
	}
	return keys, nil
}

// NewKey makes a key in the form that ParseKeys reads.
func NewKey() string {
	key := make([]byte, keySize)
	rand.Read(key)
	return base64.StdEncoding.EncodeToString(key)
}
