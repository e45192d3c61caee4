// Package guard opens connections to customers' systems, whatever is spoken there,
// and refuses those that would lead into the operator's own networks.
//
// The address is checked after the name was resolved, when it is about to be
// connected to, so that no name, no redirect and no changing answer of a name server
// leads around it. Every transport dials with a Guard, and with nothing else.
package guard

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"code.dny.dev/ssrf"
	"golang.org/x/text/unicode/norm"
)

// ErrRefused is what a connection ends with that the operator did not allow.
var ErrRefused = errors.New("the address lies in a network, or has a port, that the operator has not allowed with " +
	"--allow-network")

// ErrPort is what a connection ends with to a port at which something else is served.
var ErrPort = errors.New("below 1024 only the usual port is connected to, unless the operator allows the network " +
	"with --allow-network")

// A Rule refuses addresses that the guard would connect to: one that a kind of
// transport has besides.
type Rule func(ctx context.Context, to netip.AddrPort) error

// A Guard connects to public addresses, and to those in networks that the operator allows.
type Guard struct {
	allow  []netip.Prefix
	public *ssrf.Guardian
	rules  []Rule
	dialer net.Dialer
}

// New returns a guard with the networks that the operator allows, and further rules.
func New(allow []netip.Prefix, rules ...Rule) *Guard {
	var v4, v6 []netip.Prefix
	for _, p := range allow {
		if p.Addr().Is4() {
			v4 = append(v4, p)
		} else {
			v6 = append(v6, p)
		}
	}
	g := &Guard{allow: allow, rules: rules, public: ssrf.New(ssrf.WithAnyPort(), ssrf.WithAllowedV4Prefixes(v4...),
		ssrf.WithAllowedV6Prefixes(v6...))}
	g.dialer.ControlContext = func(ctx context.Context, _, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return ErrRefused
		}
		return g.checkPort(ctx, to)
	}
	return g
}

// checkPort refuses an address and a port that nothing may connect to.
func (g *Guard) checkPort(ctx context.Context, to netip.AddrPort) error {
	if err := g.Check(to.Addr()); err != nil {
		return err
	}
	for _, rule := range g.rules {
		if err := rule(ctx, to); err != nil {
			return err
		}
	}
	return nil
}

// NewFor returns a guard for what is served at certain ports. Where the operator has not allowed the network by itself,
// it connects to these and to those that any user may listen on, but not at ports of other services.
func NewFor(allow []netip.Prefix, ports ...uint16) (g *Guard) {
	g = New(allow, func(_ context.Context, to netip.AddrPort) error {
		if p := to.Port(); p >= 1024 || slices.Contains(ports, p) || g.Allows(to.Addr()) {
			return nil
		}
		return ErrPort
	})
	return g
}

// DialContext connects by TCP, and by nothing else: a socket of this machine may be
// our own database's. It is the dialing function of whatever speaks to a customer.
func (g *Guard) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	switch network {
	case "tcp", "tcp4", "tcp6":
		if host, _, err := net.SplitHostPort(address); err == nil {
			if err := g.CheckHost(host); err != nil {
				return nil, err
			}
		}
		return g.dialer.DialContext(ctx, network, address)
	}
	return nil, ErrRefused
}

// Check refuses an address that nothing may connect to.
func (g *Guard) Check(ip netip.Addr) error {
	if g.public.SafeAddr(ip) != nil {
		return ErrRefused
	}
	return nil
}

// Allows reports whether an address lies in a network that the operator allows by itself.
func (g *Guard) Allows(ip netip.Addr) bool {
	return slices.ContainsFunc(g.allow, func(p netip.Prefix) bool { return p.Contains(ip.Unmap()) })
}

// AllowsAny reports whether the operator allows any network besides this machine's own.
func (g *Guard) AllowsAny() bool {
	return slices.ContainsFunc(g.allow, func(p netip.Prefix) bool { return !p.Addr().Unmap().IsLoopback() })
}

func (g *Guard) allowsThisMachine() bool {
	return slices.ContainsFunc(g.allow, func(p netip.Prefix) bool { return p.Addr().Unmap().IsLoopback() })
}

// CheckHost refuses hosts that are not what they look like: numbers that some
// resolvers read as an address and others as a name, and names of this machine,
// unless the operator allows it. Whoever reads settings asks it, too, so that they
// are refused when they are made.
func (g *Guard) CheckHost(host string) error {
	if _, err := netip.ParseAddr(host); err == nil {
		return nil // its network is checked
	}
	if strings.ContainsAny(host, "[]()/\\,:@?#% ") || strings.ContainsFunc(host, unicode.IsControl) {
		return errHost // an address in brackets, a path, or more than one host
	}
	labels := strings.Split(strings.TrimRight(plainHost(host), "."), ".")
	last := labels[len(labels)-1]
	if isNumber(last) {
		return errHost
	}
	thisMachine := slices.Contains([]string{"localhost", "localdomain", "ip6-localhost", "ip6-loopback"}, last)
	if thisMachine && !g.allowsThisMachine() {
		return errThisMachine
	}
	return nil
}

var (
	errHost        = errors.New("the address must have a host's name, or an IP address as it is usually written")
	errThisMachine = errors.New("the address lies in a network that the operator has not allowed with " +
		"--allow-network: it names this machine")
)

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
