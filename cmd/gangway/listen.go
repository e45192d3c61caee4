package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"gangway/internal/gangway"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"
)

// unixPath returns the path of a Unix socket, if an address to listen on is one.
func unixPath(address string) (path string, is bool) { return strings.CutPrefix(address, "unix:") }

// bind opens the listeners of --listen and --http-listen; plain is nil if there is none. Sockets that systemd passes
// take their place: one called http that of --http-listen, and one with any other name that of --listen.
func (c *serveCommand) bind(ctx context.Context) (main, plain net.Listener, err error) {
	passed, _ := activation.ListenersWithNames() // its error is always nil
	for name, list := range passed {
		for _, l := range list {
			into, address := &main, &c.Listen
			if name == "http" {
				into, address = &plain, &c.HTTPListen
			}
			if *into != nil {
				return nil, nil, gangway.Errorf(gangway.Invalid, "systemd passes more sockets than there is a use "+
					"for: give one called http (FileDescriptorName=http) for plain HTTP, and one more")
			}
			*into, *address = l, l.Addr().String()
			if l.Addr().Network() == "unix" {
				*address = "unix:" + *address
			}
		}
	}
	if main == nil {
		main, err = listen(ctx, c.Listen)
	}
	if plain == nil && c.HTTPListen != "" && err == nil {
		plain, err = listen(ctx, c.HTTPListen)
	}
	return main, plain, err
}

// listen listens on an address and a port, or on a Unix socket.
func listen(ctx context.Context, address string) (net.Listener, error) {
	network := "tcp"
	path, unix := unixPath(address)
	if unix {
		network, address = "unix", path
		if err := removeStale(ctx, path); err != nil {
			return nil, err
		}
	}
	l, err := new(net.ListenConfig).Listen(ctx, network, address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen: %w", err)
	}
	if unix {
		err = os.Chmod(path, 0o660) // until here it is the umask's, which admits fewer
	}
	return l, err
}

// removeStale removes a socket that a killed program has left. One that somebody listens on stays, and so does a file,
// to which nobody can connect either.
func removeStale(ctx context.Context, path string) error {
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "unix", path)
	if err == nil {
		conn.Close()
		return gangway.Errorf(gangway.Conflict, "cannot listen: another program listens on %s", path)
	}
	if info, failed := os.Lstat(path); failed != nil || info.Mode().Type() != os.ModeSocket ||
		!errors.Is(err, syscall.ECONNREFUSED) {
		return nil // as listening will show
	}
	return os.Remove(path)
}

// tellSystemd tells systemd how the service is, if it asks for that (Type=notify).
func tellSystemd(state string) { _, _ = daemon.SdNotify(false, state) } // nobody else could be told of a failure

// watchdog tells systemd again and again that the process is alive, as /healthz does, where the unit has WatchdogSec=.
// It asks no database, since a restart mends none. It never ends, because stopping may hang, too.
func watchdog() {
	limit, err := daemon.SdWatchdogEnabled(false)
	if err != nil || limit == 0 {
		return
	}
	for range time.Tick(limit / 3) {
		tellSystemd(daemon.SdNotifyWatchdog)
	}
}
