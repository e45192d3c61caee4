package guard

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"time"
)

// Explain says in a sentence why a system could not be reached or broke off, for a
// customer's admins: without addresses of the operator's network, and without what
// was sent. An error that is none of the network's is returned as it is, after what
// it interrupted: "no answer".
func Explain(err error, interrupted string) error {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var op *net.OpError
	var timeout net.Error
	for _, refused := range []error{ErrRefused, ErrPort, errHost, errThisMachine} {
		if errors.Is(err, refused) {
			return refused
		}
	}
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return errors.New("the host's name is not known")
	case errors.As(err, &dns):
		return errors.New("the host's name could not be looked up just now")
	case errors.As(err, &certificate):
		return aboutCertificate(certificate.Err)
	case errors.As(err, new(tls.RecordHeaderError)):
		return errors.New("the host does not speak TLS at this port")
	case errors.As(err, &op) && op.Op == "remote error": // crypto/tls uses this for an alert from the other side
		return fmt.Errorf("the host refused the TLS connection (%w): it may want a client certificate, or another one",
			op.Err)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded),
		errors.As(err, &timeout) && timeout.Timeout():
		return errors.New("no answer in time")
	case errors.Is(err, context.Canceled):
		return errors.New("it was broken off before there was an answer")
	case errors.As(err, &op) && op.Op == "dial":
		return fmt.Errorf("no connection: %w", innermost(op.Err))
	case errors.As(err, &op):
		return fmt.Errorf("the connection broke: %w", innermost(op.Err))
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s: the host closed the connection before it was complete", interrupted)
	}
	if strings.Contains(err.Error(), "server response headers exceeded") { // net/http has no type for it
		return fmt.Errorf("%s: it has more headers than are read", interrupted)
	}
	return fmt.Errorf("%s: %w", interrupted, err)
}

// aboutCertificate says what is wrong with a certificate, and what can be done about it.
func aboutCertificate(err error) error {
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return errors.New("the host's certificate was issued by an authority that is not known here; if that is the " +
			"customer's own, its certificate is needed (ca)")
	case errors.As(err, &name):
		return fmt.Errorf("the host's certificate is not for the name %q that was connected to, but for %s", name.Host,
			namesOf(name.Certificate))
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && invalid.Cert != nil:
		return fmt.Errorf("the host's certificate has expired, or is not valid yet: it is valid from %s to %s",
			invalid.Cert.NotBefore.UTC().Format(time.DateTime), invalid.Cert.NotAfter.UTC().Format(time.DateTime))
	}
	return fmt.Errorf("the host's certificate is not valid: %w", err)
}

// namesOf lists some names that a certificate is for.
func namesOf(c *x509.Certificate) string {
	const most = 5
	names := slices.Clone(c.DNSNames)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 {
		return "no name at all"
	}
	if len(names) > most {
		names = append(names[:most], "…")
	}
	return strings.Join(names, ", ")
}

// innermost returns what the operating system said, without addresses.
func innermost(err error) error {
	if call := (*os.SyscallError)(nil); errors.As(err, &call) {
		return call.Err
	}
	return err
}
