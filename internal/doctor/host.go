package doctor

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/url"
	"slices"
	"time"

	"gangway/internal/transport"
	"gangway/internal/transport/endpoint"
)

// A host is a system's host, as it showed itself.
type host struct {
	address     string
	plain       bool // it is called without TLS
	connected   bool // once at least
	certificate *x509.Certificate
	untrusted   error
	nameless    bool   // its name led to no address
	why         string // there was no connection
}

// hostAt returns the host of an address.
func (e *examination) hostAt(address string) *host {
	u, err := url.Parse(address)
	if err != nil {
		u = &url.URL{Host: address}
	}
	i := slices.IndexFunc(e.hosts, func(h *host) bool { return h.address == u.Host })
	if i < 0 {
		i = len(e.hosts)
		e.hosts = append(e.hosts, &host{address: u.Host, plain: u.Scheme == "http"})
	}
	return e.hosts[i]
}

// hostOf returns the host that a call went to; nil: it did not come to that.
func (e *examination) hostOf(c *Call) *host {
	if len(c.Requests) == 0 {
		return nil
	}
	return e.hostAt(c.Requests[0].Address)
}

// met notes what an exchange showed of its host.
func (e *examination) met(x endpoint.Exchange) {
	h := e.hostAt(x.Address)
	h.connected = h.connected || x.Status != 0 || x.Connected > 0
	h.nameless = h.nameless || x.Nameless
	if h.certificate == nil {
		h.certificate = x.Certificate
	}
	if h.untrusted == nil {
		h.untrusted = x.Untrusted
	}
}

// checkHosts checks the hosts by what they have shown on the way, before all that rests on them.
func (e *examination) checkHosts() {
	flows := e.report.Checks
	e.report.Checks = nil
	of := func(judge func(*Check, *host)) func(*Check) {
		return func(c *Check) {
			if len(e.hosts) == 0 {
				c.skip("Nothing was connected to.")
			}
			for _, h := range e.hosts {
				judge(c, h)
			}
		}
	}
	e.check("host", step{"connection", "The host can be connected to", of(checkConnection)})
	e.check("tls", step{"certificate", "Secure connection", of(e.checkCertificate)})
	e.report.Checks = append(e.report.Checks, flows...)
}

// howToAllow says how the host is allowed; empty: it was not refused.
func (h *host) howToAllow() string {
	if h.connected {
		return ""
	}
	return transport.HowToAllow(h.why)
}

func checkConnection(c *Check, h *host) {
	how := h.howToAllow()
	switch {
	case h.connected:
	case how != "":
		c.say(Wrong, "%s is not called. %s %s", h.address, h.why, how)
	case h.nameless:
		c.say(Wrong, "There was no connection to %s. %s Is the name written right, and do the name servers of the "+
			"machine that Gangway runs on know it?", h.address, h.why)
	default:
		c.say(Wrong, "There was no connection to %s. %s Is that the host and its port, and does it let this machine "+
			"in?", h.address, h.why)
	}
}

// soon is how long before a certificate ends it is worth a word: renewing one by hand takes a while.
const soon = 30 * 24 * time.Hour

func (e *examination) checkCertificate(c *Check, h *host) {
	switch {
	case h.certificate != nil:
		left := h.certificate.NotAfter.Sub(e.report.At)
		v, words := Fine, "is trusted"
		if left < soon {
			v, words = Warning, "ends soon: renew it"
		}
		c.say(v, "The certificate of %s %s. It is valid until %s, for %d days.", h.address, words,
			h.certificate.NotAfter.UTC().Format("2 January 2006"), int(left.Hours()/24))
	case h.plain && h.howToAllow() == "":
		c.say(Warning, "%s is called by http://, which everybody on the way can read. It is possible "+
			"only on this machine, and in a network that whoever runs Gangway allows: use https://.", h.address)
	case !h.plain && errors.As(h.untrusted, new(tls.RecordHeaderError)): // what it said is no TLS
		c.say(Wrong, "There is no trusted connection to %s. %s Give the port at which it does, or call it by http://, "+
			"which is possible on this machine, and in a network that whoever runs Gangway allows.", h.address, h.why)
	case !h.plain && h.untrusted != nil:
		c.say(Wrong, "There is no trusted connection to %s. %s Send the intermediate certificates too; of an "+
			"authority of your own, give its certificate (--ca, or ca of a feed).", h.address, h.why)
	case !h.plain && h.connected:
		c.say(Wrong, "%s took the connection, and showed no certificate. %s", h.address, h.why)
	default:
		c.because("host.connection", "")
	}
}
