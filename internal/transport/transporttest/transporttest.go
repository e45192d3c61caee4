// Package transporttest checks what every transport must do. A new transport is
// finished when the suite passes on a real server.
package transporttest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"gangway/internal/transport"
)

// A Receiver is a customer's system, as the suite needs it.
type Receiver struct {
	Settings json.RawMessage                                   // of its place, with credentials
	Secrets  []string                                          // in them
	Answer   func(status int, header http.Header, body string) // sets its answers from now on
	Received func() []transport.Outgoing                       // what has arrived so far, bodies and headers
}

// Pusher runs the suite on a kind of transport that posts documents, each part with a receiver of its own.
func Pusher(t *testing.T, kind transport.Kind, receiver func(t *testing.T) Receiver) {
	doc := transport.Outgoing{ID: "msg_1", Name: "b1-1-msg_1.json", Type: "application/json",
		Header: http.Header{"Webhook-Id": {"msg_1"}}, Body: []byte(`{"secret":"P1234567"}`)}
	opened := func(t *testing.T, r Receiver) transport.Sender {
		t.Helper()
		s, err := kind.Send(r.Settings, transport.Options{Allow: Loopback})
		if err != nil {
			t.Fatalf("Send(%s) = %v", r.Settings, err)
		}
		if c, ok := s.(io.Closer); ok {
			t.Cleanup(func() { c.Close() })
		}
		return s
	}
	t.Run("a document arrives unchanged, with its header", func(t *testing.T) {
		r := receiver(t)
		r.Answer(http.StatusAccepted, nil, "thank you")
		answer, err := opened(t, r).Send(t.Context(), doc)
		if err != nil || answer.Status != http.StatusAccepted || string(answer.Body) != "thank you" {
			t.Fatalf("Send = %d %q, %v; want 202 and the answer", answer.Status, answer.Body, err)
		}
		got := r.Received()
		if len(got) != 1 || string(got[0].Body) != `{"secret":"P1234567"}` || got[0].Header.Get("Webhook-Id") !=
			"msg_1" || got[0].Header.Get("Content-Type") != "application/json" {
			t.Fatalf("received %d documents, the first %q; want it once and unchanged", len(got), got)
		}
	})
	t.Run("a refusal is an answer, not an error", func(t *testing.T) {
		r := receiver(t)
		to := opened(t, r)
		for _, status := range []int{301, 307, 400, 410, 429, 500, 503} {
			r.Answer(status, http.Header{"Location": {"/elsewhere"}, "Retry-After": {"7"}}, "no")
			answer, err := to.Send(t.Context(), doc)
			if err != nil || answer.Status != status || answer.Header.Get("Retry-After") != "7" || answer.Accepted() {
				t.Errorf("Send answered with %d = %d, %v", status, answer.Status, err)
			}
		}
		if n := len(r.Received()); n != 7 {
			t.Errorf("%d documents came; want one each, and no redirect followed", n)
		}
	})
	t.Run("of a long answer only the beginning is kept", func(t *testing.T) {
		r := receiver(t)
		r.Answer(http.StatusOK, nil, strings.Repeat("x", 1<<20))
		answer, err := opened(t, r).Send(t.Context(), doc)
		if err != nil || len(answer.Body) != transport.AnswerKept {
			t.Fatalf("Send kept %d bytes, %v; want %d", len(answer.Body), err, transport.AnswerKept)
		}
	})
	t.Run("an answer that repeats secrets is kept without them", func(t *testing.T) {
		r := receiver(t)
		r.Answer(http.StatusForbidden, nil, "you sent "+strings.Join(r.Secrets, " and "))
		answer, err := opened(t, r).Send(t.Context(), doc)
		if err != nil || !strings.HasPrefix(string(answer.Body), "you sent …") {
			t.Fatalf("Send = %q, %v; want it without secrets", answer.Body, err)
		}
	})
	t.Run("no answer is an error without secrets", func(t *testing.T) {
		r := receiver(t)
		ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
		defer cancel()
		_, err := opened(t, r).Send(ctx, doc)
		if err == nil {
			t.Fatal("Send = nil; want an error")
		}
		for _, told := range append(r.Secrets, "P1234567", "msg_1") {
			if strings.Contains(err.Error(), told) {
				t.Errorf("Send = %v; want an error without header, body or secrets", err)
			}
		}
	})
}
