package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/scratch"

	"github.com/alecthomas/kong"
)

// warnings returns a sentence for each setting that is probably a mistake. Files is how many may be open; 0: unknown.
func (c *serveCommand) warnings(at addresses, environ []string, files uint64) (list []string) {
	for _, one := range []struct {
		flag string
		at   *url.URL
	}{{"--base-url", at.base}, {"--reporting-url", at.reporting}} {
		if at.app.Scheme == "https" && ownMachine(one.at.Hostname()) && !ownMachine(at.app.Hostname()) {
			list = append(list, fmt.Sprintf("%s is %s, which only this machine reaches, while people use %s: give "+
				"%[1]s (%[4]s) the address that others use", one.flag, one.at, at.app, variable(one.flag)))
		}
	}
	if c.any() && at.app.Scheme != "https" {
		list = append(list, fmt.Sprintf("this server speaks TLS, but --app-url is %s, so that browsers are not told "+
			"to keep to https: give --app-url (GANGWAY_APP_URL) an address with https", at.app))
	}
	if path, unix := unixPath(c.Listen); unix {
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o002 != 0 {
			list = append(list, fmt.Sprintf("everybody on this machine can connect to %s and pass for any client: let "+
				"only your proxy's group connect (SocketMode=0660 and SocketGroup= of systemd)", path))
		}
	}
	known := append(knownVariables(), secretKeys)
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "GANGWAY_") || slices.Contains(known, name) {
			continue
		}
		warning := name + " is not a variable of this program"
		if near := slices.MaxFunc(known, func(a, b string) int { return alike(name, a) - alike(name, b) }); alike(name,
			near) > 0 {
			warning += ": did you mean " + near + "?"
		}
		list = append(list, warning)
	}
	if files > 0 && files < uint64(c.Connections) {
		list = append(list, fmt.Sprintf("this process may have %d files open, which is less than --connections %d: "+
			"raise the limit (LimitNOFILE= of systemd, ulimit -n), or lower --connections", files, c.Connections))
	}
	return list
}

// knownVariables are the variables of all flags of all commands.
func knownVariables() (known []string) {
	parser := kong.Must(&commands{}, kong.DefaultEnvars("GANGWAY"))
	_ = kong.Visit(parser.Model, func(node kong.Visitable, next kong.Next) error {
		if f, ok := node.(*kong.Flag); ok {
			known = append(known, f.Envs...)
		}
		return next(nil)
	})
	return known
}

// variable is the variable of a flag.
func variable(flag string) string {
	return "GANGWAY" + strings.ToUpper(strings.ReplaceAll(strings.TrimPrefix(flag, "-"), "-", "_"))
}

// alike is how much two variables have in common, counted in pairs of letters; 0 if that is less than most of them.
func alike(a, b string) (pairs int) {
	for i := range len(a) - 1 {
		if strings.Contains(b, a[i:i+2]) {
			pairs++
		}
	}
	if 4*pairs < 3*max(len(a), len(b)) {
		return 0
	}
	return pairs*100 - len(b)
}

// usable adds to ready whether the temporary folder can be used. One that can when the server starts is not tried
// again: a full disk there would take every server out of service.
func usable(ready func(context.Context) error, log *slog.Logger) func(context.Context) error {
	err := scratch.Try()
	if err == nil {
		return ready
	}
	const says = "the temporary folder cannot be used, so that documents above 256 KiB cannot be read"
	log.Error(says, "error", err)
	return func(ctx context.Context) error {
		if err := scratch.Try(); err != nil {
			return gangway.Errorf(gangway.Unavailable, says+": the log says why")
		}
		return ready(ctx)
	}
}
