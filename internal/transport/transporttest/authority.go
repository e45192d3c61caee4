package transporttest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"gangway/internal/calltest"
)

// An Authority issues certificates for a test's servers and clients.
type Authority struct {
	Certificate string // its own, in PEM
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// NewAuthority returns an authority that nobody trusts yet.
func NewAuthority() (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	a := &Authority{key: key}
	a.certificate = &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "Tests of Gangway " +
			rand.Text()},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, a.certificate, a.certificate, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	a.Certificate = encode("CERTIFICATE", der)
	a.certificate, err = x509.ParseCertificate(der)
	return a, err
}

// Issue returns a certificate, with its key, that is valid until an instant, for
// clients or servers.
func (a *Authority) Issue(t testing.TB, until time.Time, usage x509.ExtKeyUsage) (certificate, key string) {
	t.Helper()
	private := calltest.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	begin := time.Now().Add(-time.Hour)
	if until.Before(begin) {
		begin = until.Add(-time.Hour)
	}
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "gangway"},
		NotBefore: begin, NotAfter: until, ExtKeyUsage: []x509.ExtKeyUsage{usage},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
	}, a.certificate, &private.PublicKey, a.key)
	calltest.Done(t, err)
	pkcs8 := calltest.Must(x509.MarshalPKCS8PrivateKey(private))(t)
	return encode("CERTIFICATE", der), encode("PRIVATE KEY", pkcs8)
}

// Serve starts an HTTPS server with a certificate issued by a. With clients, it
// accepts only clients whose certificates a has issued, too.
func (a *Authority) Serve(t testing.TB, h http.Handler, clients bool) *httptest.Server {
	t.Helper()
	pair := calltest.Must(tls.X509KeyPair(pems(a.Issue(t, time.Now().Add(time.Hour), x509.ExtKeyUsageServerAuth))))(t)
	server := httptest.NewUnstartedServer(h)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	if clients {
		server.TLS.ClientAuth, server.TLS.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		server.TLS.ClientCAs.AddCert(a.certificate)
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func pems(certificate, key string) ([]byte, []byte) { return []byte(certificate), []byte(key) }

func encode(what string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: what, Bytes: der}))
}
