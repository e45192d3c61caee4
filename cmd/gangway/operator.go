package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gangway/internal/store"
	"gangway/internal/web/operator"
)

// checkOperator refuses an address of the operator's page that others can reach.
func (c *serveCommand) checkOperator() error {
	path, unix := strings.CutPrefix(c.OperatorListen, "unix:")
	switch {
	case c.OperatorListen == "" || unix && filepath.IsAbs(path):
		return nil
	case unix:
		return wrongUsage("--operator-listen unix:PATH needs a whole path, as in unix:/run/gangway/operator.sock")
	}
	host, _, err := splitListen("--operator-listen", c.OperatorListen)
	if err == nil && !ownMachine(host) {
		err = wrongUsage("--operator-listen %s can be reached by others, and the page asks for no password: use "+
			"127.0.0.1 or a Unix socket, and reach it through ssh", c.OperatorListen)
	}
	return err
}

// serveOperator answers the operator's page on a listener of its own until the listener is closed.
func (c *serveCommand) serveOperator(t *terminal, db *store.DB, log *slog.Logger) (net.Listener, error) {
	l, err := listenApart(t.ctx, c.OperatorListen)
	if err != nil {
		return nil, fmt.Errorf("--operator-listen: %w", err)
	}
	v, _ := thisVersion() // which says at least the schema
	page := operator.New(operator.Config{DB: db, Now: t.now, Log: log, Schema: v.Schema,
		Version: strings.TrimSpace(v.Version + " " + v.Revision),
		Disks: func() (list []operator.Fact) {
			for _, d := range disksOf(c.Database) {
				list = append(list, operator.Fact{Name: "Disk free, " + d.of, Do: "disk",
					Value: fmt.Sprintf("%d %%", 100*d.free/d.size)})
			}
			return list
		}})
	go serveBeside(l, page, "the operator's page is no longer served", log)
	return l, nil
}

// listenApart listens on an address, or on a Unix socket that its user and group may use. A socket that nobody listens
// at any more is replaced.
func listenApart(ctx context.Context, address string) (net.Listener, error) {
	path, unix := strings.CutPrefix(address, "unix:")
	if !unix {
		return listen(ctx, address)
	}
	if conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "unix", path); err == nil {
		conn.Close()
		return nil, fmt.Errorf("another program listens at %s", path)
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == os.ModeSocket {
		_ = os.Remove(path) // else listening fails, and says why
	}
	l, err := new(net.ListenConfig).Listen(ctx, "unix", path)
	if err == nil {
		err = os.Chmod(path, 0o660)
	}
	return l, err
}
