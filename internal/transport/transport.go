// Package transport moves documents between a customer's systems and ours.
// It does not look inside them.
//
// Documents that leave come from package deliver; documents that arrive go on
// to package accept. Each kind of transport has its own folder, reads its own
// settings and passes transporttest.
package transport

import "net/http"

// An Answer is the customer's answer to a document.
type Answer struct {
	Status int         // as in HTTP; a system that has no such numbers and took the document: 200
	Header http.Header // of HTTP
	Body   []byte      // its beginning, at most AnswerKept bytes, without any secret that was sent
}

// Accepted reports whether the customer took the document.
func (a Answer) Accepted() bool { return a.Status >= 200 && a.Status <= 299 }

// AnswerKept is how much of an answer is kept.
const AnswerKept = 2 << 10
