// Package endpoint takes documents to addresses that customers host, and fetches
// documents from there, by HTTP.
//
// Package guard keeps its connections out of the operator's own network; what is
// added here are the rules of the web: plain http:// and the ports of other services
// only where the operator allows the network.
package endpoint

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/guard"
)

// deadline is how long a customer's endpoint has for everything together: connecting,
// receiving the document and answering.
//
// Decided: docs/choices.md, "Push (B5)".
const deadline = 15 * time.Second

// read is how much of an answer is read at most, so that its connection can be reused.
const read = 64 << 10

// Config is what an endpoint needs.
type Config struct {
	Allow       []netip.Prefix // private networks that may be called nevertheless
	Authorities *x509.CertPool // that hosts' certificates come from; nil: the system's
}

// An Endpoint is a transport.Pusher by HTTP POST.
type Endpoint struct {
	client     *http.Client
	identities *identities
	guard      *guard.Guard
}

// New returns an endpoint that calls public networks, and those allowed.
func New(c Config) *Endpoint { return within(deadline, c) }

// within returns an endpoint with the given deadline.
func within(deadline time.Duration, c Config) *Endpoint {
	e := &Endpoint{guard: newGuard(c.Allow)}
	dial := holding(e.guard.DialContext)
	e.client = newClient(deadline, dial, nil, c.Authorities)
	e.identities = newIdentities(func(identity *tls.Certificate) *http.Client {
		return newClient(deadline, dial, identity, c.Authorities)
	})
	return e
}

// dialing opens a connection.
type dialing func(ctx context.Context, network, address string) (net.Conn, error)

// newClient returns a client that authenticates with a certificate, if there is one.
// It does so even if the host does not list the certificate's issuer among those it
// accepts, because many such lists are wrong. Authorities nil are the system's.
func newClient(deadline time.Duration, dial dialing, certificate *tls.Certificate,
	authorities *x509.CertPool) *http.Client {
	config := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: authorities}
	if certificate != nil {
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			return certificate, nil
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
	}
}

// Push implements transport.Pusher.
func (e *Endpoint) Push(ctx context.Context, doc transport.Document) (transport.Answer, error) {
	to, err := e.parse(doc.To)
	if err != nil {
		return transport.Answer{}, err
	}
	ctx = context.WithValue(ctx, schemeKey{}, to.Scheme)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, doc.To, bytes.NewReader(doc.Body))
	if err != nil {
		return transport.Answer{}, errors.New("the address cannot be read")
	}
	for name, values := range doc.Header {
		req.Header[name] = values
	}
	client, err := e.authorize(req, doc.Credentials)
	if err != nil {
		return transport.Answer{}, err
	}
	secrets := sentSecrets(doc.Credentials)
	req, seen := observe(req, shownAddress(to, gangway.Ask{}), nil, secrets)
	defer seen.end()
	res, err := client.Do(whileHeld(req))
	if err != nil {
		return transport.Answer{}, errors.New(withoutSecrets(unreachable(err).Error(), secrets))
	}
	defer res.Body.Close()
	seen.answered(res)
	most := transport.AnswerKept
	if len(secrets) > 0 {
		most += len(secrets[0]) // so that no secret is cut in two
	}
	kept, err := io.ReadAll(io.TeeReader(io.LimitReader(res.Body, int64(most)), seen))
	if err == nil {
		_, err = io.CopyN(io.Discard, res.Body, read)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return transport.Answer{}, errors.New(withoutSecrets(unreachable(err).Error(), secrets))
	}
	if len(secrets) > 0 {
		kept = []byte(withoutSecrets(string(kept), secrets))
	}
	return transport.Answer{Status: res.StatusCode, Header: res.Header,
		Body: kept[:min(len(kept), transport.AnswerKept)]}, nil
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
	return guard.Explain(err, "no answer")
}
