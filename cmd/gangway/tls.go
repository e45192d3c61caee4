package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// tlsFlags say how serve speaks TLS itself, without a proxy in front.
type tlsFlags struct {
	TLSCert       string   `name:"tls-cert" placeholder:"FILE" help:"Serve TLS with the certificate in this file (PEM, followed by its intermediates), read again when it changes."`
	TLSKey        string   `name:"tls-key" placeholder:"FILE" help:"The key of --tls-cert."`
	ACMEEmail     string   `name:"acme-email" placeholder:"ADDRESS" help:"Serve TLS with certificates that an authority issues by ACME, whose terms you agree to; it may write to this address."`
	ACMEHost      []string `name:"acme-host" placeholder:"HOST" help:"A host to have a certificate for. Those of --app-url, --base-url and --reporting-url when none is given. Can be given several times."`
	ACMEDirectory string   `name:"acme-directory" default:"https://acme-v02.api.letsencrypt.org/directory" placeholder:"URL" help:"The authority (${default})."`
	ACMECA        string   `name:"acme-ca" placeholder:"FILE" help:"The certificate (PEM) that the authority's own server is trusted by, if the system does not trust it."`
	HTTPListen    string   `name:"http-listen" placeholder:"ADDRESS" help:"Address and port to answer plain HTTP at, such as :80: it leads to https, and answers the authority."`
}

func (f tlsFlags) byFiles() bool { return f.TLSCert != "" || f.TLSKey != "" }
func (f tlsFlags) byACME() bool  { return f.ACMEEmail != "" || len(f.ACMEHost) > 0 }
func (f tlsFlags) any() bool     { return f.byFiles() || f.byACME() }

func (f tlsFlags) check(appURL string) error {
	switch {
	case f.byFiles() && (f.TLSCert == "" || f.TLSKey == "" || f.byACME()):
		return wrongUsage("give --tls-cert with --tls-key, or --acme-email without them")
	case f.any() && appURL == "":
		return wrongUsage("TLS needs --app-url, the address that people reach this at, as in https://crew.example")
	case f.HTTPListen != "" && !f.any():
		return wrongUsage("--http-listen leads to https: give --tls-cert and --tls-key, or --acme-email, too")
	}
	return nil
}

// A tlsDoor has the certificates that a server speaks TLS with.
type tlsDoor struct {
	at    addresses
	now   func() time.Time
	log   *slog.Logger
	files *certificateFiles // or else
	acme  *autocert.Manager
	cache *certificateCache // acme's
	hosts []string          // that acme has certificates for

	said sync.Map // what is not said again for a while
}

// tlsDoor returns nil if the server speaks no TLS.
func (c *serveCommand) tlsDoor(at addresses, now func() time.Time, log *slog.Logger) (*tlsDoor, error) {
	d := &tlsDoor{at: at, now: now, log: log}
	switch err := c.tlsFlags.check(c.AppURL); {
	case err != nil:
		return nil, err
	case c.byFiles():
		d.files = &certificateFiles{cert: c.TLSCert, key: c.TLSKey, log: log}
		return d, d.files.read(at)
	case !c.byACME():
		return nil, nil
	}
	d.hosts = c.ACMEHost
	for _, u := range []*url.URL{at.app, at.base, at.reporting} {
		if host := u.Hostname(); len(c.ACMEHost) == 0 && u.Scheme == "https" && !slices.Contains(d.hosts, host) {
			d.hosts = append(d.hosts, host)
		}
	}
	if len(d.hosts) == 0 || slices.ContainsFunc(d.hosts, func(host string) bool {
		return net.ParseIP(host) != nil || !strings.Contains(host, ".")
	}) {
		return nil, wrongUsage("authorities issue certificates for names such as crew.example, not for %q: give "+
			"--app-url such an address with https, or --acme-host", d.hosts)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if c.ACMECA != "" {
		roots, err := os.ReadFile(c.ACMECA)
		transport.TLSClientConfig = &tls.Config{RootCAs: x509.NewCertPool()}
		if err != nil || !transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(roots) {
			return nil, gangway.Errorf(gangway.Invalid, "--acme-ca %s has no certificate (PEM) that can be read: %v",
				c.ACMECA, err)
		}
	}
	d.cache = &certificateCache{log: log, now: now}
	listed := autocert.HostWhitelist(d.hosts...)
	d.acme = &autocert.Manager{
		Prompt: autocert.AcceptTOS, Cache: d.cache, Email: c.ACMEEmail,
		HostPolicy: func(ctx context.Context, host string) error {
			return listed(ctx, strings.ToLower((&url.URL{Host: host}).Hostname()))
		},
		Client: &acme.Client{DirectoryURL: c.ACMEDirectory, UserAgent: "gangway",
			HTTPClient: &http.Client{Transport: transport, Timeout: 30 * time.Second}},
	}
	return d, nil
}

// over returns a listener that speaks TLS on l. A nil door changes nothing.
func (d *tlsDoor) over(l *web.Connections) net.Listener {
	if d == nil {
		return l
	}
	l.Silent = true
	return tls.NewListener(l, &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: d.certificate,
		NextProtos: []string{"h2", "http/1.1", acme.ALPNProto}})
}

// open lets the door use the database, where replicas share certificates, and orders the missing ones.
func (d *tlsDoor) open(db *store.DB) error {
	if d == nil || d.acme == nil {
		return nil
	}
	if err := db.CanSeal(); err != nil {
		return gangway.Errorf(gangway.Invalid, "certificates by ACME are kept sealed in the database: %v", err)
	}
	d.cache.db.Store(db)
	for _, host := range d.hosts {
		go d.certificate(&tls.ClientHelloInfo{ServerName: host,
			CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}}) // which says what is wrong by itself
	}
	return nil
}

// certificate returns the certificate for a client. It logs what is wrong with certificates, and nothing that is wrong
// with clients, such as unknown names.
func (d *tlsDoor) certificate(hello *tls.ClientHelloInfo) (cert *tls.Certificate, err error) {
	host := hello.ServerName
	if d.files != nil {
		cert = d.files.current()
	} else {
		host = cmp.Or(host, d.hosts[0]) // a balancer that looks at /readyz may name none
		hello.ServerName = host
		if d.acme.HostPolicy(context.Background(), host) != nil {
			return nil, nil // the client is told that the name is not known
		}
		// A client waits for another replica's order for nearly as long as a handshake may take.
		for began := time.Now(); ; time.Sleep(250 * time.Millisecond) {
			cert, err = d.acme.GetCertificate(hello)
			if !errors.Is(err, errOrdered) || time.Since(began) > 9*time.Second {
				break
			}
		}
	}
	switch {
	case err != nil && d.say("missing "+host, time.Minute):
		d.log.Error("there is no certificate for a host; it is ordered again while clients ask for it", "host", host,
			"because", store.Told(err))
	case err == nil && cert.Leaf != nil && d.now().After(cert.Leaf.NotAfter.Add(-cert.Leaf.NotAfter.Sub(
		cert.Leaf.NotBefore)/6)) && d.say("ends "+host, 24*time.Hour):
		d.log.Warn("a certificate was not renewed and ends soon", "host", host, "ends", cert.Leaf.NotAfter)
	}
	return cert, err
}

// say reports whether it is time to say something again.
func (d *tlsDoor) say(what string, every time.Duration) bool {
	_, said := d.said.LoadOrStore(what, true)
	if !said {
		time.AfterFunc(every, func() { d.said.Delete(what) })
	}
	return !said
}

// plain answers on the port of plain HTTP: it answers the authority and health checks, and leads browsers to https. It
// refuses everything else, because others could read and change it on its way.
func (d *tlsDoor) plain(health http.Handler) http.Handler {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := (&url.URL{Host: r.Host}).Hostname()
		known := []*url.URL{d.at.app, d.at.base, d.at.reporting}
		i := slices.IndexFunc(known, func(u *url.URL) bool {
			return u.Scheme == "https" && strings.EqualFold(u.Hostname(), asked)
		})
		switch {
		case r.URL.Path == "/healthz" || r.URL.Path == "/readyz":
			health.ServeHTTP(w, r)
		case i < 0:
			http.Error(w, "there is nothing at this address", http.StatusNotFound)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			http.Error(w, "this address is not encrypted: send it to https://"+known[i].Host, http.StatusForbidden)
		default:
			to := url.URL{Scheme: "https", Host: known[i].Host, Path: r.URL.Path, RawPath: r.URL.RawPath,
				RawQuery: r.URL.RawQuery} // whatever else the request's target has
			http.Redirect(w, r, to.String(), http.StatusPermanentRedirect)
		}
	})
	if d.acme == nil {
		return h
	}
	return d.acme.HTTPHandler(h)
}

// certificateFiles is a certificate and its key in files that somebody else renews.
type certificateFiles struct {
	cert, key string
	log       *slog.Logger

	mu    sync.Mutex
	stamp string
	pair  tls.Certificate
}

// read reads the files before the server starts, and warns of hosts that the certificate is not for.
func (f *certificateFiles) read(at addresses) (err error) {
	f.stamp = f.stampNow()
	if f.pair, err = tls.LoadX509KeyPair(f.cert, f.key); err != nil {
		return gangway.Errorf(gangway.Invalid, "the certificate in %s and its key in %s cannot be used: %v", f.cert,
			f.key, err)
	}
	for _, u := range []*url.URL{at.app, at.base, at.reporting} {
		if err := f.pair.Leaf.VerifyHostname(u.Hostname()); err != nil {
			f.log.Warn("the certificate is not for an address of this server", "address", u, "because", err)
		}
	}
	return nil
}

// current returns the certificate, read again if the files have changed. New ones that cannot be used change nothing.
func (f *certificateFiles) current() *tls.Certificate {
	f.mu.Lock()
	defer f.mu.Unlock()
	if stamp := f.stampNow(); stamp != f.stamp {
		f.stamp = stamp
		if pair, err := tls.LoadX509KeyPair(f.cert, f.key); err != nil {
			f.log.Error("the new certificate cannot be used: the old one stays", "file", f.cert, "because", err)
		} else {
			f.pair = pair
			f.log.Info("a new certificate is used", "file", f.cert, "ends", pair.Leaf.NotAfter)
		}
	}
	pair := f.pair
	return &pair
}

// stampNow differs when one of the files is another than before.
func (f *certificateFiles) stampNow() (stamp string) {
	for _, name := range []string{f.cert, f.key} {
		if info, err := os.Stat(name); err == nil {
			stamp += fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size(), " ")
		}
	}
	return stamp
}

// A certificateCache keeps in the database what the authority was told and has issued, for all replicas.
type certificateCache struct {
	db  atomic.Pointer[store.DB]
	log *slog.Logger
	now func() time.Time
}

// errOrdered says why a certificate is not there yet.
var errOrdered = errors.New("another replica orders it, or an order has failed a moment ago")

// Get is part of autocert.Cache. A certificate that is missing is missing for one replica at a time, which orders it.
func (c *certificateCache) Get(ctx context.Context, name string) ([]byte, error) {
	db := c.db.Load()
	if db == nil {
		return nil, errWaiting
	}
	data, err := db.Certificate(ctx, name)
	switch {
	case gangway.KindOf(err) != gangway.NotFound:
		return data, err
	case !isCertificate(name):
		return nil, autocert.ErrCacheMiss
	}
	if mine, err := db.ClaimCertificate(ctx, name, c.now()); err != nil || !mine {
		return nil, cmp.Or(err, errOrdered)
	}
	c.log.Info("ordering a certificate", "host", name)
	return nil, autocert.ErrCacheMiss
}

// isCertificate reports whether a name is a certificate's, which is its host's, and not an account's or a challenge's.
func isCertificate(name string) bool {
	return !strings.ContainsAny(strings.TrimSuffix(name, "+rsa"), "+_")
}

// Put is part of autocert.Cache.
func (c *certificateCache) Put(ctx context.Context, name string, data []byte) error {
	err := c.db.Load().SetCertificate(ctx, name, data, c.now())
	if err != nil { // which autocert would keep to itself
		c.log.Error("a certificate could not be stored", "name", name, "error", err)
	} else if isCertificate(name) {
		c.log.Info("a certificate was issued", "host", name)
	}
	return err
}

// Delete is part of autocert.Cache.
func (c *certificateCache) Delete(ctx context.Context, name string) error {
	return c.db.Load().DropCertificate(ctx, name)
}
