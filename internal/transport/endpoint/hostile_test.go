package endpoint

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/transport"
	"gangway/internal/transport/transporttest"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// raw is a customer's system that sends whatever say writes, byte by byte if it likes.
func raw(t *testing.T, say func(conn net.Conn, gone <-chan struct{})) (address string) {
	t.Helper()
	gone := make(chan struct{})
	port := transporttest.Listen(t, func(conn net.Conn) {
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
			say(conn, gone)
		}
	})
	t.Cleanup(func() { close(gone) })
	return fmt.Sprint("http://127.0.0.1:", port)
}

// push posts a document to an address, which has as long as deadline.
func push(t *testing.T, to string, deadline time.Duration) (transport.Answer, error) {
	t.Helper()
	s, err := newSender(json.RawMessage(fmt.Sprintf(`{"url": %q}`, to)), transport.Options{Allow: loopback}, deadline)
	calltest.Done(t, err)
	defer s.Close()
	return s.Send(t.Context(), transport.Outgoing{Body: []byte("{}")})
}

// How long these tests wait for a system that ends the exchange by itself, however busy the machine is, and for one
// that holds whoever asks it for ever: only the deadline ends that.
const (
	patient = 5 * time.Minute
	soon    = 500 * time.Millisecond
)

// TestHostile pushes to customers' systems that are broken or malicious. Each push
// ends, with little memory, and only a complete answer counts.
func TestHostile(t *testing.T) {
	cut := []string{"hangs up", "cuts the connection", "cuts a chunk", "has headers without end", "does not speak HTTP"}
	for _, tt := range transporttest.HostileSystems("http://169.254.169.254/") {
		t.Run(tt.Name, func(t *testing.T) {
			system := transporttest.NewHostileServer(t, nil)
			system.Turn(tt)
			deadline := patient
			if tt.Holds {
				deadline = soon
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			answer, err := push(t, system.URL, deadline)
			runtime.ReadMemStats(&after)
			answered := !tt.Holds && !slices.Contains(cut, tt.Name)
			if (err == nil) != answered || len(answer.Body) > transport.AnswerKept {
				t.Errorf("Send = %d with %d bytes, %v; want an answer: %v", answer.Status, len(answer.Body), err,
					answered)
			}
			for _, internals := range []string{"http: ", "net/http", "http2", "EOF", "malformed", " tcp "} {
				if err != nil && strings.Contains(err.Error(), internals) {
					t.Errorf("Send = %v; want words for the customer's admins", err)
				}
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
				t.Errorf("it used %d MiB", used>>20)
			}
			if sent := system.Sent(); sent > 64<<20 {
				t.Errorf("%d MiB of its answer were taken", sent>>20)
			}
		})
	}
}
