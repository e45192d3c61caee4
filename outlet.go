package gangway

import (
	"net/url"
	"strings"
	"time"
)

// An Outlet is where an account's booking records are pushed to: an address of
// the customer's that gets each action.
type Outlet struct {
	ID           string
	URL          string
	Credentials  Credentials // with which we authenticate to the customer's system
	Secrets      []string    // signing secrets, newest first; each "whsec_…"
	Off          bool        // switched off, because the customer answered 410
	OffReason    string      // why, in words
	CreatedAt    time.Time
	FailingSince time.Time // of the first failed push since the last success; zero when the last push succeeded
}

// OutletSettings are what an operator decides about an outlet.
type OutletSettings struct {
	URL         string
	Credentials CredentialsChange // members left out stay as they are
}

// CheckChange refuses settings that would send credentials where they do not
// belong: those of one system to another, or a certificate without TLS.
func (o Outlet) CheckChange(to OutletSettings) error {
	kind := o.Credentials.Kind
	if to.Credentials.Given() {
		kind = to.Credentials.kind
	}
	if o.Credentials.Any() && o.Credentials.Kind == kind && !to.Credentials.Whole() && origin(o.URL) != origin(to.URL) {
		return Errorf(Invalid, `the credentials kept are for %s: give them again in full with another system, or {"kind": "none"}`,
			origin(o.URL))
	}
	if kind == CertificateCredentials && !strings.HasPrefix(origin(to.URL), "https:") {
		return Errorf(Invalid, "a client certificate is shown over https:// only")
	}
	return nil
}

// Warnings returns what will cause trouble although the outlet's settings are valid, in sentences.
func (o Outlet) Warnings(now time.Time) []string {
	list := o.Credentials.Warnings(now)
	if to := origin(o.URL); o.Credentials.Any() && strings.HasPrefix(to, "http:") {
		list = append(list, "the credentials travel to "+to+" in clear: whoever is on the way there can read and use "+
			"them; with https:// nobody can")
	}
	return list
}

// origin returns the system that an address belongs to: scheme, host and port.
// Another port of the same host may be somebody else's.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Host)
	if standard := map[string]string{"https": ":443", "http": ":80"}[u.Scheme]; standard != "" {
		host = strings.TrimSuffix(host, standard)
	}
	return u.Scheme + "://" + host
}
