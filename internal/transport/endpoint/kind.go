package endpoint

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/guard"
)

// Kind is an address of the customer's that is called by HTTP.
//
// Spec: Integration options 1.1, 1.2, 2.1, 3.1; decided: docs/choices.md, "Feeds".
var Kind = transport.Kind{
	Name:     "endpoint",
	About:    "An address of the customer's system, called by HTTP.",
	Settings: settings,
	Live:     true,
	Example:  `{"url": "https://hr.example/crew", "auth": {"kind": "basic", "user": "u", "password": "p"}}`,
	Open:     func(doc json.RawMessage, o transport.Options) (transport.Puller, error) { return open(doc, o) },
}

var settings = []transport.Setting{
	{Name: "url", Type: transport.Text, Required: true, System: true, Secret: transport.InURL,
		About: "the whole address; what is asked for is added as surname, from and to, or date, unless one of the " +
			"places {surname}, {from}, {to}, {date} is in it, in the body or in a header",
		Example: `"https://hr.example/crew?since={date}"`},
	{Name: "method", Type: transport.Text,
		About:   "GET, POST, PUT, SEARCH or QUERY; left out: POST with a body, else GET",
		Example: `"POST"`},
	{Name: "body", Type: transport.Lines, Secret: transport.Whole,
		About:   "what is sent, with the same places, escaped as its Content-Type demands",
		Example: `"{\"changed_on\": \"{date}\"}"`},
	{Name: "headers", Type: transport.Object, Secret: transport.Values,
		About: "further headers, with the same places", Example: `{"X-Tenant": "halcyon"}`},
	{Name: "paging", Type: transport.Text,
		About: "none: an answer is one page and has everything, whatever it says of further ones; left out: links to " +
			"the next page are followed",
		Example: `"none"`},
	{Name: "ca", Type: transport.Lines, System: true,
		About: "the certificates, in PEM, of the authorities that the host's certificate must come from, in place of " +
			"the usual ones",
		Example: `"-----BEGIN CERTIFICATE-----\n…"`},
	{Name: "auth", Type: transport.Auth,
		About: "kind none, basic (user, password), bearer (token), header (name, value) or certificate " +
			"(certificate, key: PEM)",
		Example: `{"kind": "bearer", "token": "…"}`},
}

var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, "SEARCH", "QUERY"}

// open reads settings.
func open(doc json.RawMessage, o transport.Options) (*puller, error) {
	var s struct {
		URL, Method, Body, CA, Paging string
		Headers                       map[string]string
		Auth                          json.RawMessage
	}
	if err := (transport.Kind{Settings: settings}).Read(doc, &s); err != nil {
		return nil, err
	}
	p := &puller{url: s.URL, body: s.Body, headers: http.Header{}, guard: newGuard(o.Allow),
		silence: silence, onePage: s.Paging != ""}
	p.method = cmp.Or(s.Method, map[bool]string{true: http.MethodPost, false: http.MethodGet}[s.Body != ""])
	if !slices.Contains(methods, p.method) {
		return nil, gangway.Errorf(gangway.Invalid, "method must be %s", strings.Join(methods, ", "))
	}
	if p.onePage && s.Paging != gangway.NoPaging {
		return nil, gangway.Errorf(gangway.Invalid, "paging must be %q, or left out", gangway.NoPaging)
	}
	if p.method == http.MethodGet && s.Body != "" {
		return nil, gangway.Errorf(gangway.Invalid, "body is only for another method than GET")
	}
	if err := checkURL(s.URL, p.guard); err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "url: %v", err)
	}
	for name, value := range s.Headers {
		if err := checkHeader(name, value, ofFeeds...); err != nil {
			return nil, err
		}
		p.headers[name] = []string{value}
	}
	var err error
	if p.credentials, err = transport.ReadAuth(s.Auth); err != nil {
		return nil, err
	}
	p.client, err = newClient(s.URL, p.credentials, s.CA, 0, p.guard.DialContext) // it shares connections with no other
	return p, err
}

// checkURL refuses an address that cannot be called, whatever is filled in.
func checkURL(address string, g *guard.Guard) error {
	u, err := parseForm(fillAddress(address, gangway.Ask{}))
	if err != nil {
		return err
	}
	if raw, err := url.Parse(address); err != nil || raw.Host != u.Host || raw.Scheme != u.Scheme {
		return gangway.Errorf(gangway.Invalid, "places must stand after the host")
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil {
		return g.Check(ip) // refused at once, not only when it is called
	}
	return g.CheckHost(u.Hostname())
}

// ofFeeds are headers that each call has, and a feed may set in its own way.
var ofFeeds = []string{"Content-Type", "User-Agent"}

// checkHeader refuses a header that nobody may set, but for these.
func checkHeader(name, value string, but ...string) error {
	switch {
	case !gangway.IsHeaderName(name):
		return gangway.Errorf(gangway.Invalid, "headers must have names of headers, as in X-Tenant")
	case gangway.IsOwnHeader(name) && !slices.Contains(but, http.CanonicalHeaderKey(name)):
		return gangway.Errorf(gangway.Invalid, "headers.%s must be left out: each call already has it, or must not",
			name)
	case value != inHeader(value) || len(value) > 7<<10:
		return gangway.Errorf(gangway.Invalid, "headers.%s must be one line of at most 7168 bytes", name)
	}
	return nil
}
