package endpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// longestAddress is what servers and proxies take at least, and more than
// anybody needs.
const longestAddress = 2048

// resolving is how long Check waits for the addresses of a name.
const resolving = 5 * time.Second

// Check says why nothing would be sent to an address that a customer gave us;
// a nil error when it would be. A name that cannot be resolved now is taken: it
// may be known when the first document is sent, and is looked at again with
// each. The warning says so, in words; it is empty where the name is known.
func (e *Endpoint) Check(ctx context.Context, address string) (warning string, err error) {
	u, err := e.parse(address)
	if err != nil {
		return "", err
	}
	port, err := strconv.ParseUint(cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme]), 10, 16)
	if err != nil {
		return "", errors.New("the address has no port that there is")
	}
	ctx, cancel := context.WithTimeout(ctx, resolving)
	defer cancel()
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", u.Hostname())
	if err != nil && u.Scheme != "https" && len(e.allow) == 0 {
		return "", errPlain
	}
	for _, ip := range found {
		if err := e.safe(u.Scheme, netip.AddrPortFrom(ip.Unmap(), uint16(port))); err != nil {
			return "", unreachable(err)
		}
	}
	if err != nil {
		return unresolved(u.Hostname(), err), nil
	}
	return "", nil
}

// unresolved says what a push would meet at a host whose name has no address.
func unresolved(host string, err error) string {
	why := "could not be looked up just now"
	if dns := (*net.DNSError)(nil); errors.As(err, &dns) && dns.IsNotFound {
		why = "is not known to this machine's name servers now"
	}
	return fmt.Sprintf("the name %s %s: until it is, nothing reaches it, and each push is tried for three days", host,
		why)
}

// CheckForm refuses what is no address of an outlet, whatever networks are allowed.
func CheckForm(address string) error {
	_, err := parseForm(address)
	return err
}

// parse reads an address that a customer gave us.
func (e *Endpoint) parse(address string) (*url.URL, error) {
	u, err := parseForm(address)
	if err != nil {
		return nil, err
	}
	return u, e.checkHost(u.Hostname())
}

func parseForm(address string) (*url.URL, error) {
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
	return u, nil
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
	thisMachine := slices.Contains([]string{"localhost", "localdomain", "ip6-localhost", "ip6-loopback"}, last)
	if thisMachine && !slices.ContainsFunc(e.allow, func(p netip.Prefix) bool {
		return p.Addr().Unmap().IsLoopback()
	}) {
		return errors.New("the address lies in a network that the operator has not allowed with --allow-network: it " +
			"names this machine")
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
