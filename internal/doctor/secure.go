package doctor

import "time"

// soon is how long before a certificate ends it is worth a word: renewing one by hand takes a while.
const soon = 30 * 24 * time.Hour

// secureConnection checks TLS by what the hosts have shown on the way.
func (e *examination) secureConnection() {
	e.check("tls", "certificate", titles["tls"], func(c *Check) {
		if len(e.hosts) == 0 {
			c.skip("Nothing was connected to.")
		}
		for _, h := range e.hosts {
			switch {
			case h.plain:
				c.say(Warning, "%s is called by http://, which everybody on the way can read. It is possible "+
					"only because "+
					"whoever runs Gangway allows this network: use https://.", h.address)
			case h.untrusted != nil && h.certificate == nil:
				c.say(Wrong, "There is no trusted connection to %s: %s Send the intermediate certificates too; of an "+
					"authority of your own, set the feed's ca.", h.address, sentence(h.untrusted))
			case h.certificate == nil:
				c.say(Wrong, "There was no connection to %s.", h.address)
			default:
				ends := h.certificate.NotAfter
				left := ends.Sub(e.report.At)
				v, words := Fine, "is trusted"
				if left < soon {
					v, words = Warning, "ends soon: renew it"
				}
				c.say(v, "The certificate of %s %s. It is valid until %s, for %d days.", h.address, words,
					ends.UTC().Format("2 January 2006"), int(left.Hours()/24))
			}
		}
	})
}
