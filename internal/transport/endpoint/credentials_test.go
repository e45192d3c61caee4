package endpoint_test

import (
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/endpoint"
	"gangway/internal/transport/transporttest"
)

// A guarded system accepts only requests with the right credentials.
type guarded struct {
	kind    gangway.CredentialsKind
	good    gangway.Credentials
	bad     []gangway.Credentials // that it must refuse
	clients bool                  // by TLS
	takes   func(*http.Request) bool
}

func certificate(t *testing.T, a *transporttest.Authority, until time.Time) gangway.Credentials {
	t.Helper()
	c := gangway.Credentials{Kind: gangway.CertificateCredentials}
	c.Certificate, c.Key = a.Issue(t, until, x509.ExtKeyUsageClientAuth)
	return c
}

// systems are customers' systems of each kind.
func systems(t *testing.T) []guarded {
	t.Helper()
	stranger := calltest.Must(transporttest.NewAuthority())(t)
	always := func(*http.Request) bool { return true }
	return []guarded{
		{"basic", gangway.Credentials{Kind: "basic", User: "crew", Password: `tide: "tables" & ø`},
			[]gangway.Credentials{
				{}, {Kind: "basic", User: "crew", Password: "tide"}, {Kind: "bearer", Token: "tide"},
			}, false, func(r *http.Request) bool {
				user, password, ok := r.BasicAuth()
				return ok && user == "crew" && password == `tide: "tables" & ø`
			}},
		{"bearer", gangway.Credentials{Kind: "bearer", Token: "1|tide+tables=="}, []gangway.Credentials{
			{}, {Kind: "bearer", Token: "2|tide+tables=="}, {Kind: "header", Name: "X-Token", Value: "1|tide+tables=="},
		}, false, func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer 1|tide+tables==" }},
		{"header", gangway.Credentials{Kind: "header", Name: "X-API-key", Value: "tide tables"}, []gangway.Credentials{
			{}, {Kind: "header", Name: "X-API-key", Value: "tide"}, {Kind: "basic", User: "X-API-key",
				Password: "tide tables"},
		}, false, func(r *http.Request) bool { return r.Header.Get("X-Api-Key") == "tide tables" }},
		{"certificate", certificate(t, authority, time.Now().Add(time.Hour)), []gangway.Credentials{
			{}, certificate(t, authority, time.Now().Add(-time.Minute)),
			certificate(t, stranger, time.Now().Add(time.Hour)),
		}, true, always},
	}
}

// TestCredentials pushes to systems that demand each kind: the right credentials are
// accepted, and no others.
func TestCredentials(t *testing.T) {
	for _, s := range systems(t) {
		t.Run(string(s.kind), func(t *testing.T) {
			var came atomic.Int32
			server := authority.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if !s.takes(r) || string(body) != "{}" || r.Header.Get("Webhook-Id") != "msg_1" {
					w.WriteHeader(http.StatusUnauthorized)
					return
				}
				came.Add(1)
			}), s.clients)
			push := func(c gangway.Credentials) (transport.Answer, error) {
				return post(t, settingsOf(t, server.URL, c), transport.Outgoing{
					Header: http.Header{"Webhook-Id": {"msg_1"}}, Body: []byte("{}")})
			}
			if answer, err := push(s.good); err != nil || answer.Status != http.StatusOK {
				t.Errorf("Push = %d, %v; want it taken", answer.Status, err)
			}
			for i, c := range s.bad {
				answer, err := push(c)
				if err == nil && answer.Status != http.StatusUnauthorized || (err != nil) != s.clients {
					t.Errorf("others' credentials %d: Push = %d, %v; want a refusal", i, answer.Status, err)
				}
			}
			if n := came.Load(); n != 1 {
				t.Errorf("%d documents were taken; want one", n)
			}
		})
	}
}

// TestCredentialsStay checks that credentials go nowhere else: not to the target of a
// redirect, and not into an answer that is stored.
func TestCredentialsStay(t *testing.T) {
	var reached atomic.Int32
	canary := authority.Serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }), false)
	for _, s := range systems(t) {
		t.Run(string(s.kind), func(t *testing.T) {
			for _, status := range []int{301, 302, 303, 307, 308} {
				server := authority.Serve(t, http.RedirectHandler(canary.URL, status), s.clients)
				answer, err := post(t, settingsOf(t, server.URL, s.good), transport.Outgoing{})
				if err != nil || answer.Status != status {
					t.Errorf("Push = %d, %v; want %d", answer.Status, err, status)
				}
			}
			for _, before := range []int{0, 2030, 2040, 2047, 2048} { // where the kept part of an answer ends
				server := authority.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					io.WriteString(w, strings.Repeat("-", before))
					json.NewEncoder(w).Encode(r.Header)
					fmt.Fprintln(w, r.Header)
					_, password, _ := r.BasicAuth()
					fmt.Fprintf(w, "%s %q", password, password)
				}), s.clients)
				answer, err := post(t, settingsOf(t, server.URL, s.good), transport.Outgoing{})
				if err != nil || len(answer.Body) > transport.AnswerKept {
					t.Fatalf("Push = %d bytes, %v", len(answer.Body), err)
				}
				for _, part := range []string{"tide", "tables", "Y3JldzpU", "dGlkZT"} {
					if strings.Contains(string(answer.Body), part) {
						t.Errorf("kept: %s", answer.Body[min(before, len(answer.Body)):])
					}
				}
			}
		})
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("a redirect was followed %d times", n)
	}
}

// TestCredentialsInErrors checks that a system which echoes the request instead of
// answering in HTTP does not get credentials into stored errors.
func TestCredentialsInErrors(t *testing.T) {
	server := calltest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer server.Close()
	go func() {
		for {
			conn, err := server.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				got := make([]byte, 4096)
				n, _ := conn.Read(got)
				fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\n%s", strings.ReplaceAll(string(got[:n]), ":", " "))
			}()
		}
	}()
	for _, c := range []gangway.Credentials{
		{Kind: "basic", User: "crew", Password: "tide-tables"}, {Kind: "bearer", Token: "tide-tables"},
		{Kind: "header", Name: "A", Value: "tide-tables"},
	} {
		_, err := post(t, settingsOf(t, "http://"+server.Addr().String(), c), transport.Outgoing{})
		if err == nil || strings.Contains(err.Error(), "tide-tables") || strings.Contains(err.Error(), "Y3Jldz") {
			t.Errorf("%s: Push = %v; want an error without them", c, err)
		}
	}
}

// TestClientCertificates checks that a connection is used again, and only with the same certificate.
func TestClientCertificates(t *testing.T) {
	server := authority.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.TLS.PeerCertificates[0].SerialNumber, " ", r.RemoteAddr)
	}), true)
	sender := func() transport.Sender {
		s, err := endpoint.Outlet.Send(settingsOf(t, server.URL, certificate(t, authority,
			time.Now().Add(time.Hour))), transport.Options{Allow: loopback})
		calltest.Done(t, err)
		t.Cleanup(func() { s.(io.Closer).Close() })
		return s
	}
	push := func(s transport.Sender) string {
		t.Helper()
		answer, err := s.Send(t.Context(), transport.Outgoing{})
		if err != nil || answer.Status != http.StatusOK {
			t.Fatalf("Send = %d, %v", answer.Status, err)
		}
		return string(answer.Body)
	}
	one, two := sender(), sender()
	first, second := push(one), push(two)
	if first == second || push(one) != first || push(two) != second {
		t.Errorf("they came as %s and %s; want each as itself, on a connection of its own that is used again", first,
			second)
	}
	if _, err := post(t, settingsOf(t, server.URL, gangway.Credentials{}), transport.Outgoing{}); err == nil ||
		!strings.Contains(err.Error(), "client certificate") {
		t.Errorf("without a certificate, Send = %v; want it refused with a reason", err)
	}
	if _, err := post(t, settingsOf(t, strings.Replace(server.URL, "https", "http", 1),
		certificate(t, authority, time.Now().Add(time.Hour))), transport.Outgoing{}); err == nil ||
		!strings.Contains(err.Error(), "https") {
		t.Errorf("without TLS, Send = %v; want it refused", err)
	}
}
