package transport

import (
	"context"
	"net/http"
)

// A Sender takes documents to one place at a customer. Several goroutines may use it at once. One that is
// an io.Closer keeps connections, and is closed once it is not used any more.
type Sender interface {
	// Send takes one document there and returns the answer, whatever it is. The same document may be sent
	// again: it replaces the one before, or the receiver knows it by its ID. An error means that there was
	// no answer: the document may have arrived or not. Send follows no redirect, connects to nothing that
	// the operator did not allow, gives credentials to that place only, and ends within its deadline. Its
	// errors are sentences for the customer's admins, and contain no header, no body and no secret.
	Send(ctx context.Context, d Outgoing) (Answer, error)
}

// Outgoing is a document on its way to a customer.
type Outgoing struct {
	ID     string // the webhook-id, the same on every try; of a batch, of its first action
	Name   string // as a file is called: "bkg_1-3-msg_2.json"
	Type   string // media type
	Header http.Header
	Body   []byte
}
