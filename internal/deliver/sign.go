package deliver

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"gangway/internal/store"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// sign returns the headers of a push: its identifier, its time, and a signature with
// each of the outlet's secrets.
//
// Source: Standard Webhooks 1.0, HMAC-SHA256.
func sign(d store.Delivery, at time.Time, body []byte) (http.Header, error) {
	var signatures []string
	for _, secret := range d.Outlet.Secrets {
		hook, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return nil, fmt.Errorf("a signing secret of outlet %s cannot be read", d.Outlet.ID)
		}
		signature, err := hook.Sign(d.ID, at, body)
		if err != nil {
			return nil, fmt.Errorf("sign delivery %s: %w", d.ID, err)
		}
		signatures = append(signatures, signature)
	}
	header := http.Header{}
	header.Set("Content-Type", "application/json")
	header.Set("User-Agent", "Gangway")
	header.Set("Webhook-Id", d.ID)
	header.Set("Webhook-Timestamp", strconv.FormatInt(at.Unix(), 10))
	header.Set("Webhook-Signature", strings.Join(signatures, " "))
	return header, nil
}

// NewSecret returns a signing secret of 256 bits in the form of Standard Webhooks.
func NewSecret() string {
	secret := make([]byte, 32)
	rand.Read(secret)
	return "whsec_" + base64.StdEncoding.EncodeToString(secret)
}
