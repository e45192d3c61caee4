package database

import (
	"cmp"
	"crypto/x509"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gangway/internal/gangway"
	"gangway/internal/transport"
)

// An address says which database, and as whom. It is read by us and by no driver:
// theirs read files, the environment and the passwords of this machine's own user.
type address struct {
	system         *system
	host           string // empty: a file
	port           int
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
	if ip, err := netip.ParseAddr(a.host); err == nil {
		a.host = ip.Unmap().String() // as drivers write it when they connect
	}
	if err := a.readParameters(u); err != nil {
		return address{}, err
	}
	if a.authorities, err = transport.ReadAuthorities("ca", s.CA); err != nil {
		return address{}, err
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
	case a.host == "":
		return invalid("url", "must have a host, as in postgres://gangway@crew.example/crew")
	case !isHost(a.host):
		return invalid("url", "must have one host's name or IP address after the //, and nothing else there")
	case a.user == "":
		return invalid("user", "is missing")
	case a.database == "" && a.system.needsDatabase:
		return invalid("url", "must name the database after the host")
	}
	return nil
}

// isHost reports whether a text is one host to every driver: to some of them a path is
// a socket, a comma parts hosts, and what follows a backslash is an instance.
func isHost(text string) bool {
	if ip, err := netip.ParseAddr(text); err == nil {
		return ip.Zone() == ""
	}
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	})
}

// readParameters understands the parameters that people copy with an address, where
// they say what ours say; others are refused, rather than ignored. None says where to
// connect to: the query of an address is secret, so that nobody would see it.
func (a *address) readParameters(u *url.URL) error {
	parameters, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return invalid("url", "must be a URL, as in postgres://gangway@crew.example/crew")
	}
	said := map[string]bool{}
	for name, values := range parameters {
		value, known := strings.ToLower(values[0]), a.system.parameters[strings.ToLower(name)]
		if len(values) > 1 || said[known] {
			return invalid("url", "says the same twice in its parameters")
		}
		said[known] = known != ""
		switch {
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

// lacks returns the error of an address whose driver this program was built without.
func (a *address) lacks() error {
	if a.system.connector != nil {
		return nil
	}
	return invalid("url", "names an Oracle database, which this program cannot read: ask your Gangway operator for a "+
		"program built with \"make build-oracle\"")
}

// connects says what is really connected to, and as whom.
func (a *address) connects() string {
	tls := "as the network is"
	if a.tls != nil {
		tls = strconv.FormatBool(*a.tls)
	}
	return fmt.Sprintf("%s %q %d %q %q tls:%s", a.system.schemes[0], strings.ToLower(a.host), a.port, a.file(), a.user,
		tls)
}

// file is the file that a database is.
func (a *address) file() string {
	if a.system.file {
		return a.database
	}
	return ""
}

func (a *address) saysTLS(on bool) {
	if a.tls == nil {
		a.tls = &on
	}
}

func invalid(setting, why string) error {
	return gangway.Errorf(gangway.Invalid, "%s %s", setting, why)
}
