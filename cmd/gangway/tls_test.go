package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/need"
	"gangway/internal/seal"
	"gangway/internal/store/storetest"
	"gangway/internal/transport/transporttest"
)

// A visitor reaches any host at one port of this machine, and trusts one authority.
type visitor struct{ *http.Client }

func visit(t testing.TB, at, trusts string) visitor {
	t.Helper()
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM([]byte(trusts))
	return visitor{&http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true,
			DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, "tcp", at)
			}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// serial is that of a host's certificate, which must be trusted; empty if it is not, or nobody answers by HTTP/2.
func (v visitor) serial(host string) string {
	res, err := v.Get("https://" + host + "/readyz")
	if err != nil {
		return ""
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK || res.ProtoMajor != 2 {
		return ""
	}
	return res.TLS.PeerCertificates[0].SerialNumber.String()
}

// certify puts the certificate of a server of this machine into a folder, cert.pem and key.pem, and returns who has
// issued it.
func certify(t testing.TB, folder string) *transporttest.Authority {
	t.Helper()
	authority := sure(transporttest.NewAuthority())(t)
	cert, key := authority.Issue(t, time.Now().Add(time.Hour), x509.ExtKeyUsageServerAuth)
	must(t, os.WriteFile(filepath.Join(folder, "cert.pem"), []byte(cert), 0o600))
	must(t, os.WriteFile(filepath.Join(folder, "key.pem"), []byte(key), 0o600))
	return authority
}

// TestTLSFromFiles serves a certificate from files that change: a pair that does not belong together is not used, and
// the next one is, without a restart.
func TestTLSFromFiles(t *testing.T) {
	t.Parallel()
	folder, at := t.TempDir(), freePort(t)
	certFile, keyFile := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	authority := certify(t, folder)
	p, _ := start(t, serving, "serve", "--listen", at, "--database", storetest.EmptySQLiteURL(t), "--app-url",
		"https://localhost", "--tls-cert", certFile, "--tls-key", keyFile)
	v := visit(t, at, authority.Certificate)
	first := v.serial("localhost")
	if first == "" {
		t.Fatalf("nobody answers\n%s", p.said)
	}
	cert, key := authority.Issue(t, time.Now().Add(time.Minute), x509.ExtKeyUsageServerAuth)
	must(t, os.WriteFile(certFile, []byte(cert), 0o600))
	eventually(t, "the pair is refused", func() bool {
		return v.serial("localhost") == first && strings.Contains(p.said.String(), "the old one stays")
	})
	must(t, os.WriteFile(keyFile, []byte(key), 0o600))
	eventually(t, "the new pair is used", func() bool {
		got := v.serial("localhost")
		return got != "" && got != first
	})
	eventually(t, "its end is told", func() bool {
		return v.serial("localhost") != "" && strings.Contains(p.said.String(), "was not renewed and ends soon")
	})
	if said := p.said.String(); strings.Contains(said, "handshake error") || strings.Contains(said, "PRIVATE") {
		t.Errorf("the log says\n%s", said)
	}
}

// A realAuthority is pebble, which looks at servers at two ports of this machine, whatever their hosts. It is reached
// through a gate that counts orders, and holds them until it is opened.
type realAuthority struct {
	flags  []string // begin the command line of a server that asks it for certificates
	root   string
	orders atomic.Int32
	gate   chan struct{}
}

func startAuthority(t *testing.T, plain, secure string) *realAuthority {
	t.Helper()
	pebble := need.ACMEAuthority(t)
	a := &realAuthority{gate: make(chan struct{})}
	folder, listen, manage, names := t.TempDir(), freePort(t), freePort(t), freePort(t)
	own := certify(t, folder)
	portOf := func(address string) string { _, port, _ := net.SplitHostPort(address); return port }
	must(t, os.WriteFile(filepath.Join(folder, "config.json"), fmt.Appendf(nil, `{"pebble": {"listenAddress": %q,
		"managementListenAddress": %q, "certificate": "cert.pem", "privateKey": "key.pem", "httpPort": %s,
		"tlsPort": %s}}`, listen, manage, portOf(plain), portOf(secure)), 0o600))
	startCommand(t, "Starting management server", exec.Command(pebble+"-challtestsrv", "-defaultIPv6", "",
		"-dns01", names, "-http01", "", "-https01", "", "-tlsalpn01", "", "-management", freePort(t)))
	cmd := exec.Command(pebble, "-config", "config.json", "-dnsserver", names)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "PEBBLE_VA_NOSLEEP=1", "PEBBLE_AUTHZREUSE=0",
		"PEBBLE_WFE_NONCEREJECT=0") // else one request in twenty is sent again, and counted twice
	startCommand(t, "ACME directory available", cmd)

	eventually(t, "the authority tells its own certificate", func() bool {
		res, err := visit(t, manage, own.Certificate).Get("https://" + manage + "/roots/0")
		if err == nil {
			defer res.Body.Close()
			a.root = string(sure(io.ReadAll(res.Body))(t))
		}
		return err == nil
	})
	through := visit(t, listen, own.Certificate).Transport
	gate := httptest.NewTLSServer(&httputil.ReverseProxy{Transport: through, Rewrite: func(r *httputil.ProxyRequest) {
		if r.In.URL.Path == "/order-plz" {
			a.orders.Add(1)
			<-a.gate
		}
		r.SetURL(&url.URL{Scheme: "https", Host: listen})
		r.Out.Host = r.In.Host
	}})
	t.Cleanup(gate.Close)
	trusted := filepath.Join(folder, "authority.pem")
	must(t, os.WriteFile(trusted, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: gate.Certificate().Raw}),
		0o600))
	a.flags = []string{"serve", "--app-url", "https://crew.example", "--acme-email", "ops@crew.example",
		"--acme-directory", gate.URL + "/dir", "--acme-ca", trusted}
	return a
}

// serial waits for a certificate that a server has.
func (a *realAuthority) serial(t *testing.T, at string) (got string) {
	t.Helper()
	eventually(t, "there is a certificate", func() bool {
		got = visit(t, at, a.root).serial("crew.example")
		return got != ""
	})
	return got
}

// TestReplicasShareACertificate has one replica order a certificate, and the authority look for the answer at another.
// Both serve it, and so does one that is started again.
func TestReplicasShareACertificate(t *testing.T) {
	t.Parallel()
	database, keys := storetest.PostgresURL(t), filepath.Join(t.TempDir(), "keys")
	must(t, os.WriteFile(keys, []byte(seal.NewKey()), 0o600))
	first, second := freePort(t), freePort(t)
	a := startAuthority(t, freePort(t), second)
	refused(t, "are kept sealed in the database", append(a.flags, "--listen", first, "--database", database)...)
	run := func(at, until string) *program {
		p, _ := start(t, until, append(a.flags, "--listen", at, "--database", database, "--secret-key-file", keys)...)
		return p
	}
	killed := run(first, "ordering a certificate")
	run(second, serving)
	close(a.gate)
	one, two := a.serial(t, first), a.serial(t, second)
	killed.kill()
	run(first, serving)
	if again, orders := a.serial(t, first), a.orders.Load(); two != one || again != one || orders != 1 {
		t.Errorf("the replicas have certificates %s and %s, and %s after a restart, by %d orders; want one", one, two,
			again, orders)
	}
	if _, err := tls.Dial("tcp", second, &tls.Config{ServerName: "other.example"}); err == nil ||
		!strings.Contains(err.Error(), "unrecognized name") {
		t.Errorf("another host = %v; want it unrecognized", err)
	}
}

// TestPlainHTTP has an authority that only reaches the port of plain HTTP. Everything else there is led to https, or
// refused.
func TestPlainHTTP(t *testing.T) {
	t.Parallel()
	plain, at := freePort(t), freePort(t)
	a := startAuthority(t, plain, freePort(t))
	close(a.gate)
	p, _ := start(t, serving, append(a.flags, "--listen", at, "--http-listen", plain, "--database",
		storetest.EmptySQLiteURL(t))...)
	if serial, orders := a.serial(t, at), a.orders.Load(); orders != 2 {
		t.Errorf("%d orders for %s; want one for each way to answer\n%s", orders, serial, p.said)
	}
	v := visit(t, plain, "")
	for _, tt := range []struct {
		method, url string
		status      int
		to          string
	}{
		{"GET", "http://crew.example/crew?find=a%20b", 308, "https://crew.example/crew?find=a%20b"},
		{"HEAD", "http://CREW.example/api/bookings", 308, "https://crew.example/api/bookings"},
		{"POST", "http://crew.example/api/passenger", 403, ""},
		{"GET", "http://other.example/", 404, ""},
		{"GET", "http://other.example/readyz", 200, ""},
		{"GET", "http://crew.example/.well-known/acme-challenge/x", 404, ""},
	} {
		req := sure(http.NewRequestWithContext(t.Context(), tt.method, tt.url, nil))(t)
		res := sure(v.Do(req))(t)
		res.Body.Close()
		if got := res.Header.Get("Location"); res.StatusCode != tt.status || got != tt.to {
			t.Errorf("%s %s = %d %s; want %d %s", tt.method, tt.url, res.StatusCode, got, tt.status, tt.to)
		}
	}
}
