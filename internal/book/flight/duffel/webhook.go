package duffel

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// skew is how old a webhook may be, and how far in the future.
const skew = 5 * time.Minute

// An Event is what Duffel reports by a webhook. It may arrive late and more than once;
// whoever stores events recognises it by its id or its key.
type Event struct {
	ID        string
	Key       string // the same for all events about the same occurrence
	Type      string // as in "order.creation_failed"
	Live      bool
	At        time.Time
	Order     string // Duffel's id of the order, if stated
	Offer     string // Duffel's id of the offer that the order was made from, if stated
	Reference string // our reference, if stated
}

// The events that we use.
const (
	OrderCreated   = "order.created"
	CreationFailed = "order.creation_failed"
	OrderChanged   = "order.airline_initiated_change_detected"
)

// Webhook reads what Duffel sent, if the signature proves that Duffel sent it recently.
// signature is the header X-Duffel-Signature. Denied: it is not from Duffel, or too old.
// Invalid: it cannot be read.
func Webhook(secret, signature string, body []byte, now time.Time) (Event, error) {
	denied := gangway.Errorf(gangway.Denied, "this was not signed by Duffel just now")
	var at, sum string
	for part := range strings.SplitSeq(signature, ",") {
		switch name, value, _ := strings.Cut(strings.TrimSpace(part), "="); name {
		case "t":
			at = value
		case "v1":
			sum = value
		}
	}
	unix, err := strconv.ParseInt(at, 10, 64)
	if err != nil || secret == "" {
		return Event{}, denied
	}
	given, err := hex.DecodeString(sum)
	if err != nil {
		return Event{}, denied
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(at + "."))
	mac.Write(body)
	if !hmac.Equal(mac.Sum(nil), given) || now.Sub(time.Unix(unix, 0)).Abs() > skew {
		return Event{}, denied
	}
	var w struct {
		ID   string    `json:"id"`
		Type string    `json:"type"`
		Key  string    `json:"idempotency_key"`
		Live bool      `json:"live_mode"`
		At   time.Time `json:"created_at"`
		Data struct {
			Object struct {
				ID       string            `json:"id"`
				Order    string            `json:"order_id"`
				Offer    string            `json:"offer_id"`
				Metadata map[string]string `json:"metadata"`
			} `json:"object"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &w); err != nil || w.ID == "" || w.Type == "" {
		return Event{}, gangway.Errorf(gangway.Invalid, "this is not a Duffel event")
	}
	o := w.Data.Object
	e := Event{ID: w.ID, Key: w.Key, Type: w.Type, Live: w.Live, At: w.At, Order: o.Order, Offer: o.Offer,
		Reference: o.Metadata[metaReference]}
	if e.Order == "" && strings.HasPrefix(o.ID, "ord_") {
		e.Order = o.ID
	}
	if e.Order == "" && strings.HasPrefix(w.Key, "ord_") {
		e.Order = w.Key
	}
	return e, nil
}

// Heard records an event and returns the account's order that it is about, which the caller
// should then look at. From here on it is certain if an order could not be made. NotFound: it
// is about none of the account's orders.
func (s *Seller) Heard(ctx context.Context, e Event) (order string, err error) {
	reference, err := s.concerns(ctx, e)
	if err != nil {
		return "", err
	}
	if e.Type != CreationFailed {
		return orderPrefix + reference, nil
	}
	r, end, err := s.lockOrder(ctx, orderPrefix+reference)
	if err != nil {
		return "", err
	}
	defer end()
	if r.Order == "" && r.Begun != nil && r.Begun.Operation == booking && e.Offer == r.Offer {
		err = s.noOrder(ctx, &r, "the airline could not make the booking after all; nothing was bought")
	}
	return orderPrefix + reference, err
}

// concerns returns the reference that an event is about: the event has it, or its offer was
// claimed under it, or its order carries it.
func (s *Seller) concerns(ctx context.Context, e Event) (string, error) {
	if e.Reference != "" {
		return e.Reference, nil
	}
	if e.Offer != "" {
		doc, _, err := s.ledger.Load(ctx, offerPrefix+e.Offer)
		var taken struct {
			Reference string `json:"reference"`
		}
		switch {
		case err == nil:
			if err := json.Unmarshal(doc, &taken); err != nil {
				return "", fmt.Errorf("read Duffel offer: %w", err)
			}
			return taken.Reference, nil
		case gangway.KindOf(err) != gangway.NotFound:
			return "", fmt.Errorf("load Duffel offer: %w", err)
		}
	}
	if e.Order != "" {
		var w wireOrder
		if _, err := s.get(ctx, "/air/orders/"+url.PathEscape(e.Order), nil, &w); err != nil {
			return "", explainError(err)
		}
		if reference := w.Metadata[metaReference]; reference != "" {
			return reference, nil
		}
	}
	return "", errOrder
}
