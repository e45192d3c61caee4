package main

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// loopback is the network of this machine's own addresses.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// pushFlags say how Gangway is reached, as serve was told, for commands that refuse at once what it would refuse to
// push to.
type pushFlags struct {
	Listen       string         `default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Where serve listens (${default})."`
	BaseURL      string         `name:"base-url" placeholder:"URL" help:"The integration surface, as serve was given it."`
	AppURL       string         `name:"app-url" placeholder:"URL" help:"The application, as serve was given it."`
	ReportingURL string         `name:"reporting-url" placeholder:"URL" help:"The report, as serve was given it."`
	TrustedProxy []netip.Prefix `placeholder:"CIDR" help:"A network of reverse proxies, as serve was given it."`
}

// pushable returns the private networks that may be pushed to if the operator allows some.
func (f pushFlags) pushable(allow []netip.Prefix) ([]netip.Prefix, error) {
	at, err := addressesAt(f.Listen, f.BaseURL, f.AppURL, f.ReportingURL)
	if err != nil {
		return nil, err
	}
	return pushable(allow, f.Listen, at, f.TrustedProxy), nil
}

// pushable returns the private networks that may be pushed to: those that the operator allows, and this machine
// while nobody but this machine reaches Gangway. Then whoever may set an address can call every service of the
// machine anyway; as soon as others can sign in, such an address would lead them to services that they cannot reach.
//
// Decided: docs/choices.md, "Addresses".
func pushable(allow []netip.Prefix, listen string, at addresses, proxies []netip.Prefix) []netip.Prefix {
	host, _, err := net.SplitHostPort(listen)
	others := []string{host, at.base.Hostname(), at.app.Hostname(), at.reporting.Hostname()}
	if err != nil || len(proxies) > 0 || slices.ContainsFunc(others, func(h string) bool { return !ownMachine(h) }) {
		return allow
	}
	return append(slices.Clone(allow), loopback...)
}

// ownMachine reports whether a host is this machine and cannot be another, however names are resolved elsewhere.
func ownMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback() || strings.EqualFold(host, "localhost")
}

// ownMachineWarning says what a push to an address depends on; it is empty where it depends on nothing.
func (pushFlags) ownMachineWarning(address string, allow []netip.Prefix) string {
	u, err := url.Parse(address)
	if err != nil || !ownMachine(u.Hostname()) || slices.ContainsFunc(allow, func(p netip.Prefix) bool {
		return p.Addr().Unmap().IsLoopback()
	}) {
		return ""
	}
	return "the address is on this machine: it is pushed to while serve listens on loopback, its addresses for " +
		"others are loopback addresses and it has no --trusted-proxy; otherwise it needs --allow-network 127.0.0.0/8"
}
