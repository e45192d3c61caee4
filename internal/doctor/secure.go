package doctor

import (
	"crypto/tls"
	"errors"
	"time"
)

// soon is how long before a certificate ends it is worth a word: renewing one by hand takes a while.
const soon = 30 * 24 * time.Hour

// hostsFirst checks the hosts by what they have shown on the way, before all that rests on them.
func (e *examination) hostsFirst() {
	flows := e.report.Checks
	e.report.Checks = nil
	e.connections()
	e.secureConnection()
	e.report.Checks = append(e.report.Checks, flows...)
}

// connections checks that the hosts can be connected to at all.
func (e *examination) connections() {
	e.check("host", "connection", "The host can be connected to", func(c *Check) {
		if len(e.hosts) == 0 {
			c.skip("Nothing was connected to.")
		}
		for _, h := range e.hosts {
			if h.connected {
				continue
			}
			if how := h.howToAllow(); how != "" {
				c.say(Wrong, "%s is not called. %s %s", h.address, h.why, how)
				continue
			}
			cure := "Is that the host and its port, and does it let this machine in?"
			if h.nameless {
				cure = "Is the name written right, and do the name servers of the machine that Gangway runs on know it?"
			}
			c.say(Wrong, "There was no connection to %s. %s %s", h.address, h.why, cure)
		}
	})
}

// secureConnection checks TLS.
func (e *examination) secureConnection() {
	e.check("tls", "certificate", "Secure connection", func(c *Check) {
		if len(e.hosts) == 0 {
			c.skip("Nothing was connected to.")
		}
		for _, h := range e.hosts {
			switch {
			case h.plain && h.howToAllow() != "":
				c.because("host.connection", "")
			case h.plain:
				c.say(Warning, "%s is called by http://, which everybody on the way can read. It is possible "+
					"only on this machine, and in a network that whoever runs Gangway allows: use https://.", h.address)
			case h.untrusted != nil && h.certificate == nil:
				c.say(Wrong, "There is no trusted connection to %s. %s %s", h.address, h.why, h.howToTrust())
			case h.certificate == nil && h.connected:
				c.say(Wrong, "%s took the connection, and showed no certificate. %s", h.address, h.why)
			case h.certificate == nil:
				c.because("host.connection", "")
			default:
				e.validity(c, h)
			}
		}
	})
}

// howToTrust says what to do about a host to which there is no TLS connection.
func (h host) howToTrust() string {
	if record := (tls.RecordHeaderError{}); errors.As(h.untrusted, &record) { // what it said is no TLS
		return "Give the port at which it does, or call it by http://, which is possible on this machine, and in a " +
			"network that whoever runs Gangway allows."
	}
	return "Send the intermediate certificates too; of an authority of your own, give its certificate (--ca, or ca " +
		"of a feed)."
}

// validity checks how long a host's certificate is valid.
func (e *examination) validity(c *Check, h host) {
	left := h.certificate.NotAfter.Sub(e.report.At)
	v, words := Fine, "is trusted"
	if left < soon {
		v, words = Warning, "ends soon: renew it"
	}
	c.say(v, "The certificate of %s %s. It is valid until %s, for %d days.", h.address, words,
		h.certificate.NotAfter.UTC().Format("2 January 2006"), int(left.Hours()/24))
}
