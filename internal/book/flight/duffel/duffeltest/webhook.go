package duffeltest

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
)

type webhook struct {
	url, secret string
	events      []string
}

type event struct {
	ID           string   `json:"id"`
	Version      string   `json:"api_version"`
	Type         string   `json:"type"`
	Data         any      `json:"data,omitempty"`
	Live         bool     `json:"live_mode"`
	Key          string   `json:"idempotency_key"`
	CreatedAt    *instant `json:"created_at"`
	Organisation string   `json:"identity_organisation_id"`
}

// emit makes an event, to be delivered after the call.
func (d *Duffel) emit(kind, key string, object map[string]any) {
	d.due = append(d.due, &event{
		ID: d.id("wev"), Version: "v2", Type: kind, Data: map[string]any{"object": object}, Key: key,
		CreatedAt: at(d.now()), Organisation: "org_0000APMFjhs4X2rJ6k7UIE",
	})
}

// deliver sends events to webhooks, without the lock: receivers may call back.
func (d *Duffel) deliver(events []*event) {
	d.mu.Lock()
	hooks, now := slices.Clone(d.webhooks), d.now()
	d.mu.Unlock()
	for _, e := range events {
		for _, hook := range hooks {
			if !slices.Contains(hook.events, e.Type) {
				continue
			}
			body := mustJSON(e)
			ask, err := http.NewRequest(http.MethodPost, hook.url, bytes.NewReader(body))
			if err != nil {
				continue
			}
			ask.Header.Set("Content-Type", "application/json")
			ask.Header.Set("X-Duffel-Signature", Sign(hook.secret, now.Unix(), body))
			if answer, err := d.delivery.Do(ask); err == nil {
				answer.Body.Close()
			}
		}
	}
}

// Sign returns the signature header of a webhook's body.
func Sign(secret string, unix int64, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%d.%s", unix, body)
	return fmt.Sprintf("t=%d,v1=%s", unix, hex.EncodeToString(mac.Sum(nil)))
}

// Subscribe subscribes a receiver to events, as Duffel's dashboard does, and returns the
// secret that they are signed with.
func (d *Duffel) Subscribe(url string, events ...string) (secret string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	sum := sha256.Sum256([]byte(url))
	hook := webhook{url: url, secret: hex.EncodeToString(sum[:12]), events: events}
	d.webhooks = append(d.webhooks, hook)
	return hook.secret
}
