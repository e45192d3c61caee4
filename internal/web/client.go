package web

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

type clientKey struct{}

// FindClient lets Client, in handlers behind it, know where each request really comes from: for a
// request passed on by a trusted proxy, that is whoever connected to the proxy. The peer of a Unix
// socket has no address and is always trusted: only a proxy that the socket's mode admits can connect.
//
// Decided: docs/choices.md, "The client's address".
func FindClient(trusted []netip.Prefix, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		found := forwardedFor(peer(r), r.Header.Values("X-Forwarded-For"), trusted)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), clientKey{}, found)))
	})
}

// Client returns the address that a request comes from, for limits, logs and the audit log. It has
// no zone, and IPv4 is never written as IPv6. Nothing else in the program looks at the connection
// or at X-Forwarded-For.
func Client(r *http.Request) netip.Addr {
	if found, ok := r.Context().Value(clientKey{}).(netip.Addr); ok {
		return found
	}
	return peer(r)
}

// From returns where a request comes from in words, for the audit log.
func From(r *http.Request) string {
	if at := Client(r); at.IsValid() {
		return at.String()
	}
	return "unknown" // a proxy at a Unix socket that does not say
}

// Network returns the network of an address, as the name under which limits count. It
// covers as much as one caller can choose freely, which is half of the address with IPv6.
func Network(a netip.Addr) string {
	bits := a.BitLen()
	if a.Is6() {
		bits = 64
	}
	network, _ := a.Prefix(bits)
	if !network.IsValid() { // a proxy at a Unix socket does not say
		return "unknown"
	}
	return network.String()
}

// peer returns the address at the other end of the connection.
func peer(r *http.Request) netip.Addr {
	at, _ := address(r.RemoteAddr)
	return at
}

// forwardedFor walks from the peer back through the lines of X-Forwarded-For for as long as it
// meets proxies that are trusted: each has written the entry before it. The first address that is
// not trusted is the client; entries before it are only the client's own claim. An entry that is no
// address ends the walk: the last trusted proxy then counts as the client.
func forwardedFor(peer netip.Addr, lines []string, trusted []netip.Prefix) netip.Addr {
	among := func(a netip.Addr) bool {
		return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(a) })
	}
	if peer.IsValid() && !among(peer) {
		return peer
	}
	client := peer
	for _, line := range slices.Backward(lines) {
		for more := true; more; {
			at := strings.LastIndexByte(line, ',')
			entry := line[at+1:]
			if more = at >= 0; more {
				line = line[:at]
			}
			before, ok := address(strings.TrimSpace(entry))
			if !ok {
				return client
			}
			if client = before; !among(client) {
				return client
			}
		}
	}
	return client
}

// address reads an address as proxies write it: bare, in brackets, with a port or with
// a zone.
func address(text string) (netip.Addr, bool) {
	bare := text
	if inside, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(inside, "]") {
		bare = strings.TrimSuffix(inside, "]")
	}
	at, err := netip.ParseAddr(bare)
	if err != nil {
		withPort, err := netip.ParseAddrPort(text)
		if err != nil {
			return netip.Addr{}, false
		}
		at = withPort.Addr()
	}
	return at.Unmap().WithZone(""), true
}
