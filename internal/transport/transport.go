// Package transport moves documents between a customer's systems and ours.
// It does not look inside them.
//
// Documents that leave come from package deliver; documents that arrive go on
// to package accept. Each kind of transport has its own folder, reads its own
// settings and passes transporttest.
package transport

import (
	"context"
	"net/http"

	"gangway"
)

// A Document is something to be sent to a customer.
type Document struct {
	To          string // address at the customer
	Credentials gangway.Credentials
	Header      http.Header
	Body        []byte
}

// An Answer is the customer's answer to a document.
type Answer struct {
	Status int // HTTP status
	Header http.Header
	Body   []byte // its beginning, at most AnswerKept bytes, without any secret that was sent
}

// AnswerKept is how much of an answer is kept.
const AnswerKept = 2 << 10

// A Pusher sends documents to a customer.
type Pusher interface {
	// Push sends one document to its address and returns the answer, whatever it is. An
	// error means that there was no answer: the document may have arrived or not. Push
	// follows no redirect, calls no address that the operator did not allow, sends
	// credentials to that address only, and ends within its deadline. Its errors are
	// sentences for the customer's admins, and contain no header, no body and no
	// credentials.
	Push(ctx context.Context, doc Document) (Answer, error)
}
