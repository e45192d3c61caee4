package main

import (
	"fmt"
	"log/slog"
	"net/http"
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

// operatorPage answers with the operator's page.
func (c *serveCommand) operatorPage(t *terminal, db *store.DB, log *slog.Logger) http.Handler {
	v, _ := thisVersion() // which says at least the schema
	return operator.New(operator.Config{DB: db, Now: t.now, Log: log, Schema: v.Schema,
		Version: strings.TrimSpace(v.Version + " " + v.Revision),
		Disks: func() (list []operator.Fact) {
			for _, d := range disksOf(c.Database) {
				list = append(list, operator.Fact{Name: "Disk free, " + d.of, Do: "disk",
					Value: fmt.Sprintf("%d %%", 100*d.free/d.size)})
			}
			return list
		}})
}
