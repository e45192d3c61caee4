package transporttest

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"testing"
	"time"

	"gangway/internal/calltest"
)

// Listen serves connections at a port of this machine, which it returns, until the
// test ends. Each is closed when serve returns.
func Listen(t testing.TB, serve func(net.Conn)) int {
	t.Helper()
	listener := calltest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	return accepts(t, listener, serve)
}

// ListenTLS does the same with TLS from the first byte; authority is the certificate to trust.
func ListenTLS(t testing.TB, serve func(net.Conn)) (port int, authority string) {
	t.Helper()
	a := calltest.Must(NewAuthority())(t)
	pair := calltest.Must(tls.X509KeyPair(pairOf(a.Issue(t, time.Now().Add(time.Hour), x509.ExtKeyUsageServerAuth))))(t)
	listener := calltest.Must(tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}}))(t)
	return accepts(t, listener, serve), a.Certificate
}

func pairOf(certificate, key string) (pemCertificate, pemKey []byte) {
	return []byte(certificate), []byte(key)
}

func accepts(t testing.TB, listener net.Listener, serve func(net.Conn)) (port int) {
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() })
			go func() {
				defer conn.Close()
				serve(conn)
			}()
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port
}
