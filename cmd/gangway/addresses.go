package main

import (
	"cmp"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/web"
	"gangway/internal/web/app"
)

// addresses are where the three surfaces are reached, as browsers and
// customers' programs write them.
//
// Decided: docs/choices.md, "Addresses".
type addresses struct {
	base, app, reporting *url.URL
	appGiven             string // app as the operator gave it; empty: it is the listener's
}

// addressesAt returns the given addresses, and derives empty ones from app, and that from listen.
func addressesAt(listen, base, app, reporting string) (addresses, error) {
	here := strings.TrimRight(app, "/")
	if path, unix := unixPath(listen); unix && (path == "" || app == "") {
		return addresses{}, wrongUsage("--listen unix:PATH needs the path of a socket, and --app-url, the address " +
			"that people reach its proxy at")
	} else if !unix {
		host, port, err := splitListen("--listen", listen)
		if err != nil {
			return addresses{}, err
		}
		if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
			host = "localhost"
		}
		here = cmp.Or(here, "http://"+net.JoinHostPort(host, port))
	}
	a := addresses{appGiven: app}
	for _, one := range []struct {
		into                **url.URL
		flag, given, unless string
	}{
		{&a.app, "--app-url", app, here},
		{&a.base, "--base-url", base, here + "/api"},
		{&a.reporting, "--reporting-url", reporting, here + "/reporting"},
	} {
		text := cmp.Or(one.given, one.unless)
		u, err := url.Parse(text)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" ||
			u.Fragment != "" || u.User != nil {
			return addresses{}, wrongUsage("%s is an address such as https://crew.example or "+
				"https://crew.example/path, not %q", one.flag, text)
		}
		u.Path = strings.TrimRight(u.Path, "/")
		*one.into = u
	}
	return a, nil
}

// splitListen reads where to listen, as a flag gives it.
func splitListen(flag, address string) (host, port string, err error) {
	host, port, err = net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return "", "", wrongUsage("%s is an address and a port, as in 127.0.0.1:8080, not %q", flag, address)
	}
	return host, port, nil
}

// A surface is a handler and the address that it answers at. The handler sees
// paths relative to that address.
type surface struct {
	name    string
	at      *url.URL
	handler http.Handler
	refuse  func(http.ResponseWriter, *http.Request, error) // in its own form; nil if it has none
}

// surfaceOf returns the surface whose address a request was made to: of those with its host, the
// one with the longest path. A host that belongs to no surface, such as a load balancer's own, is
// ignored. It returns nil if there is none.
func surfaceOf(surfaces []surface, r *http.Request) *surface {
	known := slices.ContainsFunc(surfaces, func(s surface) bool { return sameHost(s.at, r) })
	var best *surface
	for i, s := range surfaces {
		if (!known || sameHost(s.at, r)) && within(r.URL.Path, s.at.Path) &&
			(best == nil || len(s.at.Path) > len(best.at.Path)) {
			best = &surfaces[i]
		}
	}
	return best
}

// routeByHost returns a handler that passes each request to its surface. A request that
// matches no surface is answered by refuse.
func routeByHost(surfaces []surface, refuse func(http.ResponseWriter, *http.Request, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := surfaceOf(surfaces, r)
		if to == nil {
			refuse(w, r, gangway.Errorf(gangway.NotFound, "there is nothing at this address"))
			return
		}
		web.NoteSurface(r.Context(), to.name)
		http.StripPrefix(to.at.Path, rooted(to.handler)).ServeHTTP(w, r)
	})
}

// refusing answers requests that reach no surface: in the form of the one they were made to, if
// it has its own, and otherwise with a page for browsers and with a problem for programs.
func refusing(surfaces []surface, pages *app.App) func(http.ResponseWriter, *http.Request, error) {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		to := surfaceOf(surfaces, r)
		switch {
		case to != nil && to.refuse != nil:
			to.refuse(w, r, err)
		case strings.Contains(r.Header.Get("Accept"), "text/html"):
			pages.Refuse(w, r, err)
		default:
			web.Problem(w, r, err)
		}
	}
}

// rooted gives the address of the surface itself, whose path is empty once the prefix
// is removed, the path that routers expect: "/".
func rooted(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "" {
			r.URL.Path = "/" // StripPrefix has made a copy of r
		}
		h.ServeHTTP(w, r)
	})
}

func within(path, prefix string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '/')
}

// sameHost compares hosts without the port that the scheme implies, since browsers
// omit it.
func sameHost(at *url.URL, r *http.Request) bool {
	implied := ":80"
	if at.Scheme == "https" {
		implied = ":443"
	}
	return strings.EqualFold(strings.TrimSuffix(at.Host, implied), strings.TrimSuffix(r.Host, implied))
}
