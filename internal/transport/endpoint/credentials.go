package endpoint

import (
	"container/list"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"

	"gangway"
)

// mostIdentities is how many client certificates are kept ready for use. Others work
// too, but their connections are made again more often.
const mostIdentities = 64

// errCertificatePlain refuses a request that would be sent without the certificate.
var errCertificatePlain = errors.New("a client certificate is shown over https:// only")

// authorize puts credentials on a request, and returns the client to send it with.
// Requests with a client certificate use connections of their own, because a TLS
// connection carries the identity that it was opened with.
func (e *Endpoint) authorize(req *http.Request, c gangway.Credentials) (*http.Client, error) {
	if err := setCredentials(req, c); err != nil {
		return nil, err
	}
	if c.Kind == gangway.CertificateCredentials {
		return e.identities.client(c)
	}
	return e.client, nil
}

// setCredentials puts credentials on a request, and refuses one that would be sent
// without the certificate.
func setCredentials(req *http.Request, c gangway.Credentials) error {
	switch c.Kind {
	case gangway.BasicCredentials:
		req.SetBasicAuth(c.User, c.Password)
	case gangway.BearerCredentials:
		req.Header.Set("Authorization", "Bearer "+c.Token)
	case gangway.HeaderCredentials:
		req.Header[c.Name] = []string{c.Value} // as the customer spells it: some systems are case-sensitive
	case gangway.CertificateCredentials:
		if req.URL.Scheme != "https" {
			return errCertificatePlain
		}
	}
	return nil
}

// sentSecrets are the secrets in a request, in every form in which an answer or an
// error may repeat them, the longest first.
func sentSecrets(c gangway.Credentials) (list []string) {
	if c.Kind == gangway.CertificateCredentials {
		return nil // the key is used and never sent
	}
	if c.Kind == gangway.BasicCredentials {
		list = append(list, base64.StdEncoding.EncodeToString([]byte(c.User+":"+c.Password)))
	}
	for _, secret := range append(c.Secrets(), list...) {
		list = append(list, repeated(secret)...)
	}
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return list
}

// withoutSecrets removes secrets from an answer: systems that are being set up often
// echo what they were sent.
func withoutSecrets(text string, secrets []string) string {
	for _, secret := range secrets {
		text = strings.ReplaceAll(text, secret, "…")
	}
	return text
}

// identities are the clients with certificates, the most recently used first.
type identities struct {
	make func(*tls.Certificate) *http.Client

	mu   sync.Mutex
	used *list.List // of *identity
	by   map[[sha256.Size]byte]*list.Element
}

type identity struct {
	id     [sha256.Size]byte
	client *http.Client
}

func newIdentities(make func(*tls.Certificate) *http.Client) *identities {
	return &identities{make: make, used: list.New(), by: map[[sha256.Size]byte]*list.Element{}}
}

// client returns the client that authenticates with a certificate.
func (i *identities) client(c gangway.Credentials) (*http.Client, error) {
	id := sha256.Sum256([]byte(strings.Join([]string{c.Certificate, c.Key}, "\x00")))
	i.mu.Lock()
	defer i.mu.Unlock()
	if known := i.by[id]; known != nil {
		i.used.MoveToFront(known)
		return known.Value.(*identity).client, nil
	}
	pair, err := c.TLSCertificate()
	if err != nil {
		return nil, err
	}
	fresh := &identity{id, i.make(&pair)}
	i.by[id] = i.used.PushFront(fresh)
	if i.used.Len() > mostIdentities {
		oldest := i.used.Remove(i.used.Back()).(*identity)
		delete(i.by, oldest.id)
		oldest.client.CloseIdleConnections()
	}
	return fresh.client, nil
}
