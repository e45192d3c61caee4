package endpoint

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"gangway/internal/transport/guard"
)

// longestAddress is a length that all servers and proxies accept, and more than
// anybody needs.
const longestAddress = 2048

// check says why nothing would be sent to a customer's address; nil if it is good.
// A name that cannot be resolved now is accepted: it may be known by the time of the
// first push, and each push checks it again. In that case the warning says so;
// otherwise it is empty.
func check(ctx context.Context, u *url.URL, g *guard.Guard) (warning string, err error) {
	port, err := strconv.ParseUint(cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme]), 10, 16)
	if err != nil {
		return "", errors.New("the address has a port that does not exist")
	}
	found, unknown := guard.Resolve(ctx, u.Hostname())
	switch { // where the name leads is not known: it may be allowed later, unless nothing is
	case unknown == "" || g.AllowsAny():
	case u.Scheme != "https":
		return "", errPlain
	case !ofWeb(uint16(port)):
		return "", guard.ErrRefused
	}
	for _, ip := range found {
		if err := safe(g, u.Scheme, netip.AddrPortFrom(ip.Unmap(), uint16(port))); err != nil {
			return "", err
		}
	}
	return unknown, nil
}

// CheckForm refuses text that cannot be the address of an outlet, whatever networks are allowed.
func CheckForm(address string) error {
	_, err := parseForm(address)
	return err
}

// parse reads an address that a customer gave us.
func parse(address string, g *guard.Guard) (*url.URL, error) {
	u, err := parseForm(address)
	if err != nil {
		return nil, err
	}
	return u, g.CheckHost(u.Hostname())
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

// schemeKey is where the context of a call has the scheme of its address.
type schemeKey struct{}

// errPlain refuses http://. What we send names people and their journeys.
var errPlain = errors.New("the address must begin with https://: plain http:// is only for networks that the " +
	"operator allows with --allow-network")

// newGuard returns a guard with the rules of the web.
func newGuard(allow []netip.Prefix) (g *guard.Guard) {
	g = guard.New(allow, func(ctx context.Context, to netip.AddrPort) error {
		scheme, _ := ctx.Value(schemeKey{}).(string)
		return safe(g, scheme, to)
	})
	return g
}

// safe says why nothing is sent to an address; nil if it may be called. Networks that
// the operator allows may be called at any port, and without TLS. Otherwise only
// public addresses are called, and not at ports of services other than the web: a
// customer's system answers at 443, or at a port that any user may listen on.
func safe(g *guard.Guard, scheme string, to netip.AddrPort) error {
	if err := g.Check(to.Addr()); err != nil {
		return err
	}
	if g.Allows(to.Addr()) {
		return nil
	}
	if scheme != "https" {
		return errPlain
	}
	if ofWeb(to.Port()) {
		return nil
	}
	return guard.ErrRefused
}

// ofWeb reports whether a customer's system may answer at a port.
func ofWeb(port uint16) bool { return port == 80 || port == 443 || port >= 1024 }
