package transport

import (
	"crypto/x509"

	"gangway/internal/gangway"
)

// ReadAuthorities reads the certificates of authorities in PEM, which a setting has. Of an empty text it returns nil,
// which is the system's authorities.
func ReadAuthorities(setting, pem string) (*x509.CertPool, error) {
	if pem == "" {
		return nil, nil
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM([]byte(pem)) {
		return nil, gangway.Errorf(gangway.Invalid, "%s must be PEM, with a certificate that can be read", setting)
	}
	return pool, nil
}
