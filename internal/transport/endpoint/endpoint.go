// Package endpoint takes documents to addresses that customers host, by HTTP.
//
// It is the only way out of the program to such an address, and guards it: the
// address is checked after the name was resolved, so that no name can lead a
// connection into the operator's own network.
package endpoint

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"

	"gangway/internal/transport"

	"code.dny.dev/ssrf"
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
	Allow []netip.Prefix // private networks that may be called nevertheless
}

// An Endpoint is a transport.Pusher by HTTP POST.
type Endpoint struct {
	client     *http.Client
	identities *identities
	allow      []netip.Prefix
	guard      *ssrf.Guardian
}

// New returns an endpoint that calls public networks, and those allowed.
func New(c Config) *Endpoint { return within(deadline, c) }

// within returns an endpoint with the given deadline.
func within(deadline time.Duration, c Config) *Endpoint {
	var v4, v6 []netip.Prefix
	for _, p := range c.Allow {
		if p.Addr().Is4() {
			v4 = append(v4, p)
		} else {
			v6 = append(v6, p)
		}
	}
	e := &Endpoint{allow: c.Allow, guard: ssrf.New(ssrf.WithAnyPort(), ssrf.WithAllowedV4Prefixes(v4...),
		ssrf.WithAllowedV6Prefixes(v6...))}
	dialer := &net.Dialer{Timeout: deadline, ControlContext: func(ctx context.Context, _, address string,
		_ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return ssrf.ErrInvalidHostPort
		}
		scheme, _ := ctx.Value(schemeKey{}).(string)
		return e.safe(scheme, to)
	}}
	e.client = newClient(deadline, dialer, nil)
	e.identities = newIdentities(func(c *tls.Certificate) *http.Client { return newClient(deadline, dialer, c) })
	return e
}

// newClient returns a client that authenticates with a certificate, if there is one.
// It does so even if the host does not list the certificate's issuer among those it
// accepts, because many such lists are wrong.
func newClient(deadline time.Duration, dialer *net.Dialer, certificate *tls.Certificate) *http.Client {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if certificate != nil {
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			return certificate, nil
		}
	}
	return &http.Client{
		Timeout: deadline,
		Transport: &http.Transport{
			DialContext:            dialer.DialContext,
			TLSClientConfig:        config,
			MaxIdleConnsPerHost:    8,
			MaxIdleConns:           256,
			IdleConnTimeout:        90 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
			DisableCompression:     true, // answers are not worth decompressing
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// schemeKey is where the context of a call has the scheme of its address.
type schemeKey struct{}

// errPlain refuses http://. What we send names people and their journeys.
var errPlain = errors.New("the address must begin with https://: plain http:// is only for networks that the " +
	"operator allows with --allow-network")

// safe says why nothing is sent to an address; nil if it may be called. Networks that
// the operator allows may be called at any port, and without TLS. Otherwise only
// public addresses are called, and not at ports of services other than the web: a
// customer's system answers at 443, or at a port that any user may listen on.
func (e *Endpoint) safe(scheme string, to netip.AddrPort) error {
	if err := e.guard.SafeAddr(to.Addr()); err != nil {
		return err
	}
	if slices.ContainsFunc(e.allow, func(p netip.Prefix) bool { return p.Contains(to.Addr().Unmap()) }) {
		return nil
	}
	if scheme != "https" {
		return errPlain
	}
	if p := to.Port(); p == 80 || p == 443 || p >= 1024 {
		return nil
	}
	return ssrf.ErrProhibitedPort
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
	res, err := client.Do(req)
	if err != nil {
		return transport.Answer{}, errors.New(withoutSecrets(unreachable(err).Error(), secrets))
	}
	defer res.Body.Close()
	most := transport.AnswerKept
	if len(secrets) > 0 {
		most += len(secrets[0]) // so that no secret is cut in two
	}
	kept, err := io.ReadAll(io.LimitReader(res.Body, int64(most)))
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
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var alert *net.OpError
	var timeout net.Error
	switch {
	case errors.Is(err, ssrf.ErrProhibitedIP), errors.Is(err, ssrf.ErrProhibitedNetwork),
		errors.Is(err, ssrf.ErrProhibitedPort):
		return errors.New("the address lies in a network, or has a port, that the operator has not allowed with " +
			"--allow-network")
	case errors.Is(err, errPlain):
		return errPlain
	case errors.As(err, &dns):
		return errors.New("the host's name is not known")
	case errors.As(err, &certificate):
		return fmt.Errorf("the host's certificate is not valid: %w", certificate.Err)
	case errors.As(err, &alert) && alert.Op == "remote error": // crypto/tls uses this for an alert from the other side
		return fmt.Errorf("the host refused the TLS connection (%w): it may want a client certificate, or another one",
			alert.Err)
	case errors.As(err, &timeout) && timeout.Timeout():
		return errors.New("no answer in time")
	}
	var op *url.Error
	if errors.As(err, &op) {
		err = op.Err
	}
	return fmt.Errorf("no answer: %w", err)
}
