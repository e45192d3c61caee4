package endpoint

import (
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// longestAddress is what servers and proxies take at least, and more than
// anybody needs.
const longestAddress = 2048

// parse reads an address that a customer gave us.
func (e *Endpoint) parse(address string) (*url.URL, error) {
	if len(address) > longestAddress {
		return nil, errors.New("the address has more than 2048 characters")
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Hostname() == "":
		return nil, errors.New("the address must be a URL, as in https://crew.example.com/api/sync_flights")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("the address must begin with https://")
	case u.User != nil:
		return nil, errors.New("the address must not carry a user name or password")
	case u.Fragment != "" || strings.Contains(address, "#"):
		return nil, errors.New("the address must not have a fragment (#)")
	}
	return u, e.checkHost(u.Hostname())
}

// checkHost refuses hosts that are not what they look like: numbers that some
// resolvers take for an address and others for a name, and names of this
// machine, unless the operator allows it.
func (e *Endpoint) checkHost(host string) error {
	if _, err := netip.ParseAddr(host); err == nil {
		return nil // its network is looked at
	}
	labels := strings.Split(strings.TrimRight(plainHost(host), "."), ".")
	last := labels[len(labels)-1]
	if isNumber(last) {
		return errors.New("the address must have a host's name, or an IP address as it is usually written")
	}
	if last == "localhost" || last == "localdomain" || slices.Contains([]string{"ip6-localhost", "ip6-loopback"}, last) {
		if !slices.ContainsFunc(e.allow, func(p netip.Prefix) bool { return p.Addr().Unmap().IsLoopback() }) {
			return errors.New("the address lies in a network that the operator has not allowed with --allow-network: it names this machine")
		}
	}
	return nil
}

// plainHost is a host as resolvers read it: small letters, and wide or circled
// ones for plain ones.
func plainHost(host string) string {
	return strings.ToLower(strings.ReplaceAll(norm.NFKC.String(host), "\u3002", "."))
}

// isNumber reports whether the end of a host's name is a number, as no
// top-level domain is: digits, or hexadecimal.
//
// Source: WHATWG URL Standard, "ends in a number checker".
func isNumber(label string) bool {
	digits := "0123456789"
	if rest, ok := strings.CutPrefix(label, "0x"); ok {
		label, digits = rest+"0", digits+"abcdef"
	}
	return label == "" || strings.Trim(label, digits) == ""
}
