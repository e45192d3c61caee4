// Package endpoint takes documents to addresses that customers host, by HTTP.
//
// It is the only way out of the house to such an address, and guards it: what
// it connects to is checked after the name was resolved, so that no name can
// lead it into the operator's own network.
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

// deadline is how long a customer's endpoint has for everything together:
// connecting, taking the document and answering.
//
// Decided: docs/choices.md, "Push (B5)".
const deadline = 15 * time.Second

// read is how much of an answer is read at most, to use its connection again.
const read = 64 << 10

// Config is what an endpoint needs.
type Config struct {
	Allow []netip.Prefix // private networks that may be called all the same
}

// An Endpoint is a transport.Pusher by HTTP POST.
type Endpoint struct{ client *http.Client }

// New returns an endpoint that calls public networks, and those allowed.
func New(c Config) *Endpoint { return within(deadline, c) }

// within returns an endpoint with a deadline of its own.
func within(deadline time.Duration, c Config) *Endpoint {
	var v4, v6 []netip.Prefix
	for _, p := range c.Allow {
		if p.Addr().Is4() {
			v4 = append(v4, p)
		} else {
			v6 = append(v6, p)
		}
	}
	guard := ssrf.New(ssrf.WithAnyPort(), ssrf.WithAllowedV4Prefixes(v4...), ssrf.WithAllowedV6Prefixes(v6...))
	dialer := &net.Dialer{Timeout: deadline, Control: func(network, address string, conn syscall.RawConn) error {
		if err := guard.Safe(network, address, conn); err != nil {
			return err
		}
		return safePort(address, c.Allow)
	}}
	return &Endpoint{client: &http.Client{
		Timeout: deadline,
		Transport: &http.Transport{
			DialContext:            dialer.DialContext,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
			MaxIdleConnsPerHost:    8,
			MaxIdleConns:           256,
			IdleConnTimeout:        90 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
			DisableCompression:     true, // nothing is worth unpacking in an answer
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// safePort refuses the ports of other services than the web's: a customer's
// system answers at 80, 443, or where anybody may listen. Networks that the
// operator allows may be called at any.
func safePort(address string, allow []netip.Prefix) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return ssrf.ErrInvalidHostPort
	}
	if p := to.Port(); p == 80 || p == 443 || p >= 1024 {
		return nil
	}
	if slices.ContainsFunc(allow, func(p netip.Prefix) bool { return p.Contains(to.Addr()) }) {
		return nil
	}
	return ssrf.ErrProhibitedPort
}

// Push is transport.Pusher's.
func (e *Endpoint) Push(ctx context.Context, doc transport.Document) (transport.Answer, error) {
	if err := CheckURL(doc.To); err != nil {
		return transport.Answer{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, doc.To, bytes.NewReader(doc.Body))
	if err != nil {
		return transport.Answer{}, errors.New("the address cannot be read")
	}
	for name, values := range doc.Header {
		req.Header[name] = values
	}
	res, err := e.client.Do(req)
	if err != nil {
		return transport.Answer{}, unreachable(err)
	}
	defer res.Body.Close()
	kept, err := io.ReadAll(io.LimitReader(res.Body, transport.AnswerKept))
	if err == nil {
		_, err = io.CopyN(io.Discard, res.Body, read)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return transport.Answer{}, unreachable(err)
	}
	return transport.Answer{Status: res.StatusCode, Header: res.Header, Body: kept}, nil
}

// unreachable says in words why there was no answer.
func unreachable(err error) error {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var timeout net.Error
	switch {
	case errors.Is(err, ssrf.ErrProhibitedIP), errors.Is(err, ssrf.ErrProhibitedNetwork), errors.Is(err, ssrf.ErrProhibitedPort):
		return errors.New("the address lies in a network, or has a port, that the operator has not allowed")
	case errors.As(err, &dns):
		return errors.New("the host's name is not known")
	case errors.As(err, &certificate):
		return fmt.Errorf("the host's certificate is not good: %w", certificate.Err)
	case errors.As(err, &timeout) && timeout.Timeout():
		return errors.New("no answer in time")
	}
	var op *url.Error
	if errors.As(err, &op) {
		err = op.Err
	}
	return fmt.Errorf("no answer: %w", err)
}

// CheckURL says what is wrong with an address that a customer gave us; nil when nothing is.
func CheckURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		return errors.New("the address must be a URL, as in https://crew.example.com/api/sync_flights")
	case u.Scheme != "https" && u.Scheme != "http":
		return errors.New("the address must begin with https:// or http://")
	case u.User != nil:
		return errors.New("the address must not carry a user name or password")
	case u.Fragment != "":
		return errors.New("the address must not have a fragment (#)")
	}
	return nil
}
