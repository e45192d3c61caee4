package guard

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"
)

// resolving is how long name servers have to answer when settings are made.
const resolving = 5 * time.Second

// Resolve returns the addresses of a host. Where there are none the sentence says what that means for what is to be
// sent there; otherwise it is empty.
func Resolve(ctx context.Context, host string) (found []netip.Addr, unknown string) {
	ctx, cancel := context.WithTimeout(ctx, resolving)
	defer cancel()
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err == nil {
		return found, ""
	}
	why := "could not be looked up just now"
	if dns := (*net.DNSError)(nil); errors.As(err, &dns) && dns.IsNotFound {
		why = "is not known to this machine's name servers now"
	}
	return nil, fmt.Sprintf("the name %s %s: until it is, nothing reaches it, and each delivery is tried for three "+
		"days", host, why)
}

// Look refuses a host of whose addresses one must not be connected to at a port, and says which of the two is wrong. A
// name that cannot be resolved now is accepted, since each connection checks it again; then there is a warning.
func (g *Guard) Look(ctx context.Context, host string, port int) (warnings []string, err error) {
	found, unknown := Resolve(ctx, host)
	for _, ip := range found {
		err := g.checkPort(ctx, netip.AddrPortFrom(ip.Unmap(), uint16(port)))
		switch {
		case errors.Is(err, ErrPort):
			return nil, fmt.Errorf("port: %w", err)
		case err != nil:
			return nil, fmt.Errorf("host: %w", err)
		}
	}
	if unknown != "" {
		warnings = append(warnings, unknown)
	}
	return warnings, nil
}
