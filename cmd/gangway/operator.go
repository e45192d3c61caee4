package main

import (
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strings"

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
	l, err := listen(t.ctx, c.OperatorListen)
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
