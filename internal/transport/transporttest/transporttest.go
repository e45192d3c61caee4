// Package transporttest checks what every transport must do. A new transport is
// finished when the suite passes on a real server.
package transporttest

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"gangway"
	"gangway/internal/transport"
)

// A Receiver is a customer's system, as the suite needs it.
type Receiver struct {
	To       string                                            // address
	Answer   func(status int, header http.Header, body string) // sets its answers from now on
	Received func() []transport.Document                       // what has arrived so far
}

// Pusher runs the suite against p, each part with a receiver of its own.
func Pusher(t *testing.T, p transport.Pusher, receiver func(t *testing.T) Receiver) {
	doc := func(r Receiver) transport.Document {
		return transport.Document{
			To: r.To, Header: http.Header{"Webhook-Id": {"msg_1"}}, Body: []byte(`{"secret":"P1234567"}`),
			Credentials: gangway.Credentials{Kind: gangway.BasicCredentials, User: "crew", Password: "tide-tables"},
		}
	}
	t.Run("a document arrives unchanged, with its header", func(t *testing.T) {
		r := receiver(t)
		r.Answer(http.StatusAccepted, nil, "thank you")
		answer, err := p.Push(t.Context(), doc(r))
		if err != nil || answer.Status != http.StatusAccepted || string(answer.Body) != "thank you" {
			t.Fatalf("Push = %d %q, %v; want 202 and the answer", answer.Status, answer.Body, err)
		}
		got := r.Received()
		if len(got) != 1 || string(got[0].Body) != `{"secret":"P1234567"}` || got[0].Header.Get("Webhook-Id") !=
			"msg_1" {
			t.Fatalf("received %d documents, the first %q; want it once and unchanged", len(got), got)
		}
	})
	t.Run("a refusal is an answer, not an error", func(t *testing.T) {
		r := receiver(t)
		for _, status := range []int{301, 307, 400, 410, 429, 500, 503} {
			r.Answer(status, http.Header{"Location": {r.To}, "Retry-After": {"7"}}, "no")
			answer, err := p.Push(t.Context(), doc(r))
			if err != nil || answer.Status != status || answer.Header.Get("Retry-After") != "7" {
				t.Errorf("Push answered with %d = %d, %v", status, answer.Status, err)
			}
		}
		if n := len(r.Received()); n != 7 {
			t.Errorf("%d documents came; want one each, and no redirect followed", n)
		}
	})
	t.Run("of a long answer only the beginning is kept", func(t *testing.T) {
		r := receiver(t)
		r.Answer(http.StatusOK, nil, strings.Repeat("x", 1<<20))
		answer, err := p.Push(t.Context(), doc(r))
		if err != nil || len(answer.Body) != transport.AnswerKept {
			t.Fatalf("Push kept %d bytes, %v; want %d", len(answer.Body), err, transport.AnswerKept)
		}
	})
	t.Run("no answer is an error without secrets", func(t *testing.T) {
		r := receiver(t)
		ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
		defer cancel()
		_, err := p.Push(ctx, doc(r))
		if err == nil {
			t.Fatal("Push = nil; want an error")
		}
		for _, told := range []string{"P1234567", "msg_1", "tide-tables"} {
			if strings.Contains(err.Error(), told) {
				t.Errorf("Push = %v; want an error without header, body or credentials", err)
			}
		}
	})
}
