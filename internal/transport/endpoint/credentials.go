package endpoint

import (
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// errCertificatePlain refuses a request that would be sent without the certificate.
var errCertificatePlain = errors.New("a client certificate is shown over https:// only")

// credentialsHeader is the header that credentials are sent in; empty: none.
func credentialsHeader(c gangway.Credentials) string {
	switch c.Kind {
	case gangway.BasicCredentials, gangway.BearerCredentials:
		return "Authorization"
	case gangway.HeaderCredentials:
		return c.Name
	}
	return ""
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
