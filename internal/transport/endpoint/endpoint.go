// Package endpoint takes documents to addresses that customers host, and fetches
// documents from there, by HTTP.
//
// Package guard keeps its connections out of the operator's own network; what is
// added here are the rules of the web: plain http:// and the ports of other services
// only where the operator allows the network.
package endpoint

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/guard"
)

// dialing opens a connection.
type dialing func(ctx context.Context, network, address string) (net.Conn, error)

// newClient returns a client for an address, which authenticates with a certificate if credentials have one. It does so
// even if the host does not list the certificate's issuer among those it accepts, because many such lists are wrong. ca
// are the authorities, in PEM, that the host's certificate must come from; empty: the system's.
func newClient(address string, c gangway.Credentials, ca string, deadline time.Duration,
	dial dialing) (*http.Client, error) {
	authorities, err := transport.ReadAuthorities("ca", ca)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: authorities}
	if c.Kind == gangway.CertificateCredentials {
		if !strings.HasPrefix(strings.ToLower(address), "https:") {
			return nil, gangway.Errorf(gangway.Invalid, "auth: %v", errCertificatePlain)
		}
		certificate, err := c.TLSCertificate()
		if err != nil {
			return nil, gangway.Errorf(gangway.Invalid, "auth: %v", err)
		}
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			return &certificate, nil
		}
	}
	return &http.Client{
		Timeout: deadline,
		Transport: &http.Transport{
			DialContext:            dial,
			TLSClientConfig:        config,
			ForceAttemptHTTP2:      true, // a client with a dialer of its own speaks it only if told
			HTTP2:                  &http.HTTP2Config{SendPingTimeout: deadline / 3, PingTimeout: deadline / 3},
			MaxIdleConnsPerHost:    16, // as many as one outlet's queues are served at a time
			MaxIdleConns:           1024,
			IdleConnTimeout:        90 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
			DisableCompression:     true, // of pushes not worth it; of pulls it is undone within limits
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

// unreachable describes why there was no answer.
func unreachable(err error) error {
	for _, own := range []error{errPlain, transport.ErrNotHeld} {
		if errors.Is(err, own) {
			return own
		}
	}
	if op := (*url.Error)(nil); errors.As(err, &op) && !op.Timeout() {
		err = op.Err
	}
	// net/http has no types for the others.
	switch said := err.Error(); {
	case errors.Is(err, http.ErrSchemeMismatch):
		return errors.New("the host does not speak TLS at this port")
	case strings.Contains(said, "malformed"):
		return errors.New("no answer: what the host says is not HTTP")
	case strings.HasPrefix(said, "http2: "), strings.HasPrefix(said, "stream error: "),
		strings.HasPrefix(said, "connection error: "):
		return errors.New("no answer: the host broke off the HTTP/2 connection")
	}
	return guard.Explain(err, "no answer")
}
