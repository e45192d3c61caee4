package duffeltest

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

type webhook struct {
	ID        string   `json:"id"`
	Live      bool     `json:"live_mode"`
	Active    bool     `json:"active"`
	URL       string   `json:"url"`
	Events    []string `json:"events"`
	CreatedAt *instant `json:"created_at"`
	UpdatedAt *instant `json:"updated_at"`
	secret    string
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
	only         string   // the one webhook that it is for
}

type delivery struct {
	ID        string   `json:"id"`
	Webhook   string   `json:"endpoint_id"`
	Event     string   `json:"event_id"`
	Type      string   `json:"type"`
	URL       string   `json:"url"`
	Live      bool     `json:"live_mode"`
	Success   bool     `json:"delivery_success"`
	Status    int      `json:"response_status_code"`
	Body      string   `json:"response_body"`
	CreatedAt *instant `json:"created_at"`
}

// emit records an event, to be delivered after the call.
func (d *Duffel) emit(kind, key string, object map[string]any) *event {
	e := &event{
		ID: d.id("wev"), Version: "v2", Type: kind, Data: map[string]any{"object": object}, Key: key,
		CreatedAt: at(d.now()), Organisation: "org_0000APMFjhs4X2rJ6k7UIE",
	}
	d.events = append(d.events, e)
	d.due = append(d.due, e)
	return e
}

// deliver sends events to webhooks, without the lock: receivers may call back.
func (d *Duffel) deliver(events []*event) {
	for _, e := range events {
		d.mu.Lock()
		hooks := slices.Clone(d.webhooks)
		now := d.now()
		d.mu.Unlock()
		for _, hook := range hooks {
			if e.only != "" && e.only != hook.ID || e.only == "" &&
				(!hook.Active || !slices.Contains(hook.Events, e.Type)) {
				continue
			}
			body := mustJSON(e)
			ask, err := http.NewRequest(http.MethodPost, hook.URL, bytes.NewReader(body))
			if err != nil {
				continue
			}
			ask.Header.Set("Content-Type", "application/json")
			ask.Header.Set("X-Duffel-Signature", Sign(hook.secret, now.Unix(), body))
			done := &delivery{Webhook: hook.ID, Event: e.ID, Type: e.Type, URL: hook.URL, Live: hook.Live,
				CreatedAt: at(now)}
			if answer, err := d.delivery.Do(ask); err == nil {
				text, _ := io.ReadAll(io.LimitReader(answer.Body, 1024))
				answer.Body.Close()
				done.Status, done.Body, done.Success = answer.StatusCode, string(text), answer.StatusCode < 300
			}
			d.mu.Lock()
			done.ID = d.id("wde")
			d.deliveries = append([]*delivery{done}, d.deliveries...)
			d.mu.Unlock()
		}
	}
}

// Sign returns the signature header of a webhook's body.
func Sign(secret string, unix int64, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%d.%s", unix, body)
	return fmt.Sprintf("t=%d,v1=%s", unix, hex.EncodeToString(mac.Sum(nil)))
}

// addWebhook subscribes a receiver to events, signed with a secret of its own.
func (d *Duffel) addWebhook(now time.Time, live bool, url string, events []string) *webhook {
	sum := sha256.Sum256([]byte(url))
	hook := &webhook{ID: d.id("sev"), Live: live, Active: true, URL: url, Events: events, CreatedAt: at(now),
		UpdatedAt: at(now), secret: hex.EncodeToString(sum[:12])}
	d.webhooks = append([]*webhook{hook}, d.webhooks...)
	return hook
}

// Subscribe subscribes a receiver to events, as Duffel's dashboard does, and returns the
// secret that they are signed with.
func (d *Duffel) Subscribe(url string, events ...string) (secret string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.addWebhook(d.now(), false, url, events).secret
}

func (d *Duffel) createWebhook(c *call) (any, error) {
	var ask struct {
		URL    string   `json:"url"`
		Events []string `json:"events"`
	}
	if err := c.read(&ask); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(ask.URL, "http") {
		return nil, invalid("url", "validation_format", "url has to be an address")
	}
	if len(ask.Events) == 0 {
		return nil, invalid("events", "validation_required", "events can't be blank")
	}
	hook := d.addWebhook(c.now, c.live, ask.URL, ask.Events)
	c.status = http.StatusCreated
	return struct {
		*webhook
		Secret string `json:"secret"` // shown only now
	}{hook, hook.secret}, nil
}

func (d *Duffel) listWebhooks(c *call) (any, error) {
	return page(c, d.webhooks, func(w *webhook) string { return w.ID })
}

func (d *Duffel) webhook(id string) (int, error) {
	i := slices.IndexFunc(d.webhooks, func(w *webhook) bool { return w.ID == id })
	if i < 0 {
		return 0, errNotFound
	}
	return i, nil
}

func (d *Duffel) updateWebhook(c *call) (any, error) {
	var ask struct {
		Active *bool    `json:"active"`
		URL    *string  `json:"url"`
		Events []string `json:"events"`
	}
	if err := c.read(&ask); err != nil {
		return nil, err
	}
	i, err := d.webhook(c.r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	hook := d.webhooks[i]
	if ask.Active != nil {
		hook.Active = *ask.Active
	}
	if ask.URL != nil {
		hook.URL = *ask.URL
	}
	if ask.Events != nil {
		hook.Events = ask.Events
	}
	hook.UpdatedAt = at(c.now)
	return hook, nil
}

func (d *Duffel) deleteWebhook(c *call) (any, error) {
	i, err := d.webhook(c.r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	d.webhooks = slices.Delete(d.webhooks, i, i+1)
	c.status = http.StatusNoContent
	return nil, nil
}

func (d *Duffel) pingWebhook(c *call) (any, error) {
	i, err := d.webhook(c.r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	e := d.emit("ping.triggered", d.id("png"), map[string]any{})
	e.only = d.webhooks[i].ID
	c.status = http.StatusNoContent
	return nil, nil
}

func (d *Duffel) getEvent(c *call) (any, error) {
	for _, e := range d.events {
		if e.ID == c.r.PathValue("id") {
			return e, nil
		}
	}
	return nil, errNotFound
}

func (d *Duffel) redeliver(c *call) (any, error) {
	e, err := d.getEvent(c)
	if err != nil {
		return nil, err
	}
	d.due = append(d.due, e.(*event))
	c.status = http.StatusNoContent
	return nil, nil
}

func (d *Duffel) listDeliveries(c *call) (any, error) {
	q, list := c.r.URL.Query(), []*delivery{}
	for _, one := range d.deliveries {
		if q.Get("endpoint_id") != "" && q.Get("endpoint_id") != one.Webhook || q.Get("type") != "" && q.Get("type") !=
			one.Type || q.Has("delivery_success") && (q.Get("delivery_success") == "true") != one.Success {
			continue
		}
		list = append(list, one)
	}
	return page(c, list, func(d *delivery) string { return d.ID })
}
