package gangway

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// longestPEM bounds a certificate with its chain, and a key.
const longestPEM = 64 << 10

// soonExpired is how long before a certificate expires a warning is given.
const soonExpired = 30 * 24 * time.Hour

var (
	errLongPEM        = fmt.Errorf("has more than %d bytes", longestPEM)
	errNoCertificate  = errors.New(`must be PEM, and begin with "-----BEGIN CERTIFICATE-----"`)
	errBadCertificate = errors.New("holds a certificate that cannot be read")
	errKeyInIt        = errors.New("must not hold the private key, which belongs in auth.key")
	errNoKey          = errors.New(`must be PEM with one private key, as in "-----BEGIN PRIVATE KEY-----"`)
	errLockedKey      = errors.New(
		`is locked by a pass phrase: unlock it first, as by "openssl pkey -in key.pem -out open.pem"`)
)

// TLSCertificate returns a client certificate as crypto/tls uses it.
func (c Credentials) TLSCertificate() (tls.Certificate, error) {
	pair, err := tls.X509KeyPair([]byte(c.Certificate), []byte(c.Key))
	if err != nil {
		// without the error, which may quote them
		return pair, errors.New("the client certificate and its key cannot be used")
	}
	return pair, nil
}

// Warnings returns what will cause trouble although the credentials are valid,
// in sentences. Credentials of which only the kind is known, as in lists, give none.
func (c Credentials) Warnings(now time.Time) (list []string) {
	if c.Kind != CertificateCredentials || c.Certificate == "" {
		return nil
	}
	pair, err := c.TLSCertificate()
	if err != nil {
		return []string{err.Error()}
	}
	leaf := pair.Leaf
	const day = time.DateOnly
	switch {
	case now.After(leaf.NotAfter):
		list = append(list, fmt.Sprintf("the client certificate expired on %s: no system accepts it any more",
			leaf.NotAfter.UTC().Format(day)))
	case now.Before(leaf.NotBefore):
		list = append(list, fmt.Sprintf("the client certificate is not valid before %s",
			leaf.NotBefore.UTC().Format(day)))
	case now.Add(soonExpired).After(leaf.NotAfter):
		list = append(list, fmt.Sprintf("the client certificate expires on %s", leaf.NotAfter.UTC().Format(day)))
	}
	forClients := len(leaf.ExtKeyUsage)+len(leaf.UnknownExtKeyUsage) == 0 ||
		slices.Contains(leaf.ExtKeyUsage, x509.ExtKeyUsageClientAuth) || slices.Contains(leaf.ExtKeyUsage,
		x509.ExtKeyUsageAny)
	if !forClients {
		list = append(list, "the client certificate was not issued for clients (extended key usage): many systems "+
			"refuse it")
	}
	return list
}

func checkCertificate(text string) error {
	if text == "" {
		return errEmpty
	}
	found := 0
	err := eachBlock(text, func(block *pem.Block) error {
		if strings.HasSuffix(block.Type, "PRIVATE KEY") {
			return errKeyInIt
		}
		if block.Type != "CERTIFICATE" {
			return errNoCertificate
		}
		if _, err := x509.ParseCertificate(block.Bytes); err != nil {
			return errBadCertificate
		}
		found++
		return nil
	})
	if err == nil && found == 0 {
		return errNoCertificate
	}
	return err
}

func checkKey(text string) error {
	if text == "" {
		return errEmpty
	}
	found := 0
	err := eachBlock(text, func(block *pem.Block) error {
		switch {
		case block.Type == "ENCRYPTED PRIVATE KEY" || strings.Contains(block.Headers["Proc-Type"], "ENCRYPTED"):
			return errLockedKey
		case strings.HasSuffix(block.Type, "PRIVATE KEY"):
			found++
		case block.Type != "EC PARAMETERS": // openssl ecparam writes them before the key
			return errNoKey
		}
		return nil
	})
	if err == nil && found != 1 {
		return errNoKey
	}
	return err
}

func eachBlock(text string, do func(*pem.Block) error) error {
	if len(text) > longestPEM {
		return errLongPEM
	}
	for block, rest := pem.Decode([]byte(text)); block != nil; block, rest = pem.Decode(rest) {
		if err := do(block); err != nil {
			return err
		}
	}
	return nil
}

// checkPair refuses a key that does not belong to the certificate.
func (c Credentials) checkPair() error {
	_, err := tls.X509KeyPair([]byte(c.Certificate), []byte(c.Key))
	switch {
	case err == nil:
		return nil
	case strings.Contains(err.Error(), "does not match"):
		return Errorf(Invalid, "auth.key is not the key of the certificate in auth.certificate, which must be the "+
			"first where there are several")
	}
	return Errorf(Invalid, "auth.key cannot be read, or is of a kind that TLS does not use")
}
