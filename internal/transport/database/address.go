package database

import (
	"cmp"
	"crypto/x509"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gangway"
)

// An address says which database, and as whom. It is read by us and by no driver:
// theirs read files, the environment and the passwords of this machine's own user.
type address struct {
	system         *system
	host           string // empty: a file, or a socket of this machine
	port           int
	socket         string // the folder of a socket (PostgreSQL), or its path (MySQL)
	database       string // of Oracle: the service; of SQLite: the file
	user, password string
	tls            *bool
	authorities    *x509.CertPool // nil: the system's
}

// readAddress reads the url and what stands beside it.
func readAddress(s settings) (address, error) {
	u, err := url.Parse(s.URL)
	if err != nil {
		return address{}, invalid("url", "must be a URL, as in postgres://gangway@crew.example/crew")
	}
	i := slices.IndexFunc(systems, func(y *system) bool { return slices.Contains(y.schemes, u.Scheme) })
	if i < 0 {
		return address{}, invalid("url", "must begin with postgres://, mysql://, mariadb://, sqlserver://, "+
			"oracle:// or sqlite://")
	}
	a := address{system: systems[i], host: u.Hostname(), port: systems[i].port,
		database: strings.TrimPrefix(u.Path, "/"), user: cmp.Or(s.User, u.User.Username()), tls: s.TLS}
	password, _ := u.User.Password()
	a.password = cmp.Or(s.Password, password)
	if u.Port() != "" {
		if a.port, err = strconv.Atoi(u.Port()); err != nil || a.port < 1 || a.port > 65535 {
			return address{}, invalid("url", "has a port that does not exist")
		}
	}
	if err := a.readParameters(u); err != nil {
		return address{}, err
	}
	if s.CA != "" {
		a.authorities = x509.NewCertPool()
		if !a.authorities.AppendCertsFromPEM([]byte(s.CA)) {
			return address{}, invalid("ca", `must be PEM, and begin with "-----BEGIN CERTIFICATE-----"`)
		}
	}
	return a, a.check(u)
}

func (a *address) check(u *url.URL) error {
	if a.system.file {
		a.database = u.Path
		if u.Host != "" || !strings.HasPrefix(u.Path, "/") {
			return invalid("url", "must name the file from the root on, as in sqlite:///srv/crew.db")
		}
		return nil
	}
	switch {
	case u.Fragment != "" || u.Opaque != "":
		return invalid("url", "must be a URL, as in postgres://gangway@crew.example/crew")
	case a.host == "" && a.socket == "":
		return invalid("url", "must have a host")
	case a.user == "":
		return invalid("user", "is missing")
	case a.database == "" && a.system.needsDatabase:
		return invalid("url", "must name the database after the host")
	}
	return nil
}

// readParameters understands the parameters that people copy with an address, where
// they say what ours say; others are refused, rather than ignored.
func (a *address) readParameters(u *url.URL) error {
	for name, values := range u.Query() {
		value := strings.ToLower(values[0])
		switch known := a.system.parameters[strings.ToLower(name)]; {
		case known == "socket":
			a.socket = values[0]
			a.host = ""
			if !strings.HasPrefix(a.socket, "/") {
				a.host, a.socket = values[0], ""
			}
		case known == "database":
			a.database = values[0]
		case known == "tls" && slices.Contains([]string{"disable", "false", "no", "0", "disabled"}, value):
			a.saysTLS(false)
		case known == "tls" && slices.Contains([]string{"prefer", "allow", "preferred"}, value):
		case known == "tls" && slices.Contains([]string{"require", "required", "verify-ca", "verify-full", "true",
			"yes", "1", "enable", "mandatory", "strict"}, value):
			a.saysTLS(true)
		default:
			return invalid("url", "has a parameter that is not known here; what there is are the settings tls, ca, "+
				"time_limit and row_limit")
		}
	}
	return nil
}

func (a *address) saysTLS(on bool) {
	if a.tls == nil {
		a.tls = &on
	}
}

func invalid(setting, why string) error {
	return gangway.Errorf(gangway.Invalid, "%s %s", setting, why)
}
