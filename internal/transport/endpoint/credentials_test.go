package endpoint_test

import (
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway"
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
	stranger, err := transporttest.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
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
				doc := transport.Document{To: server.URL, Credentials: c, Header: http.Header{"Webhook-Id": {"msg_1"}},
					Body: []byte("{}")}
				return endpoint.New(endpoint.Config{Allow: loopback}).Push(t.Context(), doc)
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
				answer, err := endpoint.New(endpoint.Config{Allow: loopback}).Push(t.Context(),
					transport.Document{To: server.URL, Credentials: s.good})
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
				answer, err := endpoint.New(endpoint.Config{Allow: loopback}).Push(t.Context(),
					transport.Document{To: server.URL, Credentials: s.good})
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
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
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
		_, err := endpoint.New(endpoint.Config{Allow: loopback}).Push(t.Context(), transport.Document{To: "http://" +
			server.Addr().String(), Credentials: c})
		if err == nil || strings.Contains(err.Error(), "tide-tables") || strings.Contains(err.Error(), "Y3Jldz") {
			t.Errorf("%s: Push = %v; want an error without them", c, err)
		}
	}
}

// TestClientCertificates checks that a connection is reused only with the same
// certificate.
func TestClientCertificates(t *testing.T) {
	server := authority.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.TLS.PeerCertificates[0].SerialNumber, " ", r.RemoteAddr)
	}), true)
	e := endpoint.New(endpoint.Config{Allow: loopback})
	push := func(c gangway.Credentials) string {
		t.Helper()
		answer, err := e.Push(t.Context(), transport.Document{To: server.URL, Credentials: c})
		if err != nil || answer.Status != http.StatusOK {
			t.Fatalf("Push = %d, %v", answer.Status, err)
		}
		return string(answer.Body)
	}
	one, two := certificate(t, authority, time.Now().Add(time.Hour)),
		certificate(t, authority, time.Now().Add(time.Hour))
	first, second := push(one), push(two)
	if first == second || push(one) != first || push(two) != second {
		t.Errorf("they came as %s and %s; want each as itself, on a connection of its own that is used again", first,
			second)
	}
	if _, err := e.Push(t.Context(), transport.Document{To: server.URL}); err == nil || !strings.Contains(err.Error(),
		"client certificate") {
		t.Errorf("without a certificate, Push = %v; want it refused with a reason", err)
	}
	if _, err := e.Push(t.Context(), transport.Document{To: strings.Replace(server.URL, "https", "http", 1),
		Credentials: one}); err == nil || !strings.Contains(err.Error(), "https") {
		t.Errorf("without TLS, Push = %v; want it refused", err)
	}

	t.Run("of many certificates only some are kept ready", func(t *testing.T) {
		before := runtime.NumGoroutine()
		for range 200 {
			push(certificate(t, authority, time.Now().Add(time.Hour)))
		}
		// A connection at rest takes two goroutines here and one at the server.
		if now := runtime.NumGoroutine(); now > before+4*80 {
			t.Errorf("%d goroutines; before there were %d", now, before)
		}
	})
}
