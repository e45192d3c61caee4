package gangway

import (
	"net/url"
	"strings"
	"time"
)

// An Outlet is one way out for an account's booking records: an address of the
// customer's that each action is pushed to.
type Outlet struct {
	ID           string
	URL          string
	Credentials  Credentials // what the customer's system is shown
	Secrets      []string    // signing secrets, newest first; each "whsec_…"
	Off          bool        // switched off, because the customer answered 410
	OffReason    string      // why, in words
	CreatedAt    time.Time
	FailingSince time.Time // of the first failed push since the last that went well; zero when all is well
}

// OutletSettings are what somebody decides about an outlet.
type OutletSettings struct {
	URL         string
	Credentials CredentialsChange // what is left out stays as it is
}

// CheckChange refuses settings that would show credentials to somebody whom
// they are not for: those kept for one system to another, or a certificate
// without TLS.
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

// Warnings says what of an outlet that may be had will hurt all the same, in sentences.
func (o Outlet) Warnings(now time.Time) []string {
	list := o.Credentials.Warnings(now)
	if to := origin(o.URL); o.Credentials.Any() && strings.HasPrefix(to, "http:") {
		list = append(list, "the credentials travel to "+to+" in clear: whoever is on the way there can read and use "+
			"them; with https:// nobody can")
	}
	return list
}

// origin is what an address says of the system behind it: scheme, host and
// port. Whoever listens at another port may be somebody else.
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
