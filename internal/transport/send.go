package transport

import (
	"context"
	"net/http"
)

// A Sender takes documents to one place. It may be used by several goroutines.
type Sender interface {
	// Send delivers a document, and returns what the system answered. An error is a sentence for people.
	Send(ctx context.Context, d Outgoing) (Answer, error)
}

// Outgoing is a document on its way to a customer.
type Outgoing struct {
	ID     string      // the webhook-id: the same on every try; of a batch, of its first
	Name   string      // of a file, as in "bkg_1-3-msg_2.json"
	Type   string      // media type
	Header http.Header // signature headers, for HTTP
	Body   []byte
}
