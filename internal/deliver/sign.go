package deliver

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Headers returns the headers of a push: its identifier, its time, and a signature
// with each secret.
//
// Source: Standard Webhooks 1.0, HMAC-SHA256.
func Headers(id string, secrets []string, at time.Time, body []byte) (http.Header, error) {
	var signatures []string
	for _, secret := range secrets {
		hook, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return nil, errSecret
		}
		signature, err := hook.Sign(id, at, body)
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, signature)
	}
	header := http.Header{}
	header.Set("User-Agent", userAgent)
	header.Set("Webhook-Id", id)
	header.Set("Webhook-Timestamp", strconv.FormatInt(at.Unix(), 10))
	header.Set("Webhook-Signature", strings.Join(signatures, " "))
	return header, nil
}

// userAgent names us to customers' systems.
const userAgent = "Gangway"

// errSecret says nothing of the secret itself.
var errSecret = errors.New("a signing secret cannot be read: it begins with whsec_, as outlet set printed it")

// NewSecret returns a signing secret of 256 bits in the form of Standard Webhooks.
func NewSecret() string {
	secret := make([]byte, 32)
	rand.Read(secret)
	return SecretOf(secret)
}

// SecretOf writes the bytes of a signing secret in the form of Standard Webhooks.
func SecretOf(secret []byte) string { return "whsec_" + base64.StdEncoding.EncodeToString(secret) }
