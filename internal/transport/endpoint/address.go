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

// longestAddress is a length that all servers and proxies accept, and more than
// anybody needs.
const longestAddress = 2048

// resolving is how long Check waits for a name to be resolved.
const resolving = 5 * time.Second

// Check says why nothing would be sent to a customer's address; nil if it is good.
// A name that cannot be resolved now is accepted: it may be known by the time of the
// first push, and each push checks it again. In that case the warning says so;
// otherwise it is empty.
func (e *Endpoint) Check(ctx context.Context, address string) (warning string, err error) {
	u, err := e.parse(address)
	if err != nil {
		return "", err
	}
	port, err := strconv.ParseUint(cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme]), 10, 16)
	if err != nil {
		return "", errors.New("the address has a port that does not exist")
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

// unresolved describes what a push would meet at a host whose name has no address.
func unresolved(host string, err error) string {
	why := "could not be looked up just now"
	if dns := (*net.DNSError)(nil); errors.As(err, &dns) && dns.IsNotFound {
		why = "is not known to this machine's name servers now"
	}
	return fmt.Sprintf("the name %s %s: until it is, nothing reaches it, and each push is tried for three days", host,
		why)
}

// CheckForm refuses text that cannot be the address of an outlet, whatever networks are allowed.
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
// resolvers read as an address and others as a name, and names of this machine,
// unless the operator allows it.
func (e *Endpoint) checkHost(host string) error {
	if _, err := netip.ParseAddr(host); err == nil {
		return nil // its network is checked
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

// plainHost returns a host as resolvers read it: in lower case, with full-width and
// circled letters replaced by plain ones.
func plainHost(host string) string {
	return strings.ToLower(strings.ReplaceAll(norm.NFKC.String(host), "\u3002", "."))
}

// isNumber reports whether the last label of a host's name is a number, decimal or
// hexadecimal, as no top-level domain is.
//
// Source: WHATWG URL Standard, "ends in a number checker".
func isNumber(label string) bool {
	digits := "0123456789"
	if rest, ok := strings.CutPrefix(label, "0x"); ok {
		label, digits = rest+"0", digits+"abcdef"
	}
	return label == "" || strings.Trim(label, digits) == ""
}
