package database

import (
	"context"
	"crypto/tls"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/guard"
)

// A system is a kind of database.
type system struct {
	schemes       []string          // of its addresses
	port          int               // where it listens unless told otherwise
	parameters    map[string]string // of its addresses, and what they say: tls or database
	needsDatabase bool
	file          bool // it is a file of this machine
	redirects     bool // its servers may send to another of theirs
	backslash     bool // its texts have escapes with backslashes
	mark          func(n int) string
	date          func(gangway.Date) any // as a parameter

	connector connecting // nil: this program was built without the driver

	// begin begins a transaction in which nothing can be changed, and in which a
	// statement ends after that time, as far as the system knows such things.
	begin func(ctx context.Context, conn *sql.Conn, limit time.Duration) (*sql.Tx, error)
}

// connecting returns how to connect; secure is nil without TLS.
type connecting func(a address, dial dialing, secure *tls.Config) (driver.Connector, error)

// systems are all of them; to add one, write a file with it, and a line here.
var systems = []*system{postgreSQL, mySQL, sqlServer, oracle, sqLite}

// dialing opens connections.
type dialing func(ctx context.Context, network, address string) (net.Conn, error)

// DialContext is for drivers that want an object.
func (d dialing) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	return d(ctx, network, address)
}

// errPlain refuses a connection without TLS. What travels there names people.
var errPlain = errors.New("a connection without TLS is only for networks that the operator allows with --allow-network")

// errElsewhere refuses a connection to anything but the host and port of the settings.
var errElsewhere = errors.New("nothing is connected to but the host and the port in the url")

// hostPort is what is connected to.
func (a address) hostPort() string { return net.JoinHostPort(a.host, strconv.Itoa(a.port)) }

// plainKey is in the context of connections without TLS.
type plainKey struct{}

// newGuard returns a guard that connects without TLS only in networks that the operator allows.
func newGuard(allow []netip.Prefix) (g *guard.Guard) {
	g = guard.New(allow, func(ctx context.Context, to netip.AddrPort) error {
		if ctx.Value(plainKey{}) != nil && !g.Allows(to.Addr()) {
			return errPlain
		}
		return nil
	})
	return g
}

// connector returns how to connect, with what may come over the connection bounded:
// drivers keep whole what a server sends as one value.
func (p *puller) connector(ctx context.Context, most int64) (driver.Connector, error) {
	a := p.address
	plain := !p.usesTLS(ctx)
	whole := ctx         // of the pull: not all drivers end when theirs does
	var sent atomic.Bool // that is: whoever was connected to may have sent elsewhere
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		if err := whole.Err(); err != nil {
			return nil, err
		}
		// What is connected to decides, not how it was written: drivers read more in an address than we do.
		if network != "tcp" || address != a.hostPort() && !(a.system.redirects && sent.Load()) {
			return nil, errElsewhere
		}
		if plain {
			ctx = context.WithValue(ctx, plainKey{}, true)
		}
		conn, err := p.guard.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		sent.Store(true)
		context.AfterFunc(whole, func() { conn.Close() })
		return &bounded{Conn: conn, left: 2*most + overhead, most: most}, nil
	}
	var secure *tls.Config
	if !plain {
		secure = &tls.Config{MinVersion: tls.VersionTLS12, ServerName: a.host, RootCAs: a.authorities}
	}
	made, err := a.system.connector(a, dial, secure)
	return impatient{made}, err
}

// usesTLS reports whether to connect with TLS: where the settings do not say it,
// unless all addresses of the host lie in networks that the operator allows. If it
// has others a moment later, the guard refuses them.
func (p *puller) usesTLS(ctx context.Context) bool {
	a := p.address
	switch {
	case a.host == "":
		return false // a file
	case a.tls != nil:
		return *a.tls
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", a.host)
	if err != nil {
		return true
	}
	return slices.ContainsFunc(found, func(ip netip.Addr) bool { return !p.guard.Allows(ip) })
}

// mostValue bounds what a server may claim that one row has, in bytes.
const mostValue = 64 << 20

// overhead is what a conversation with a database has besides rows.
const overhead = 4 << 20

// A bounded connection ends if more comes over it than the document could be.
type bounded struct {
	net.Conn
	left, most int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, transport.TooLong(b.most)
	}
	n, err := b.Conn.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// readOnly begins a transaction of the kind that databases know, and runs statements
// that set its limits.
func readOnly(ctx context.Context, conn *sql.Conn, statements ...string) (*sql.Tx, error) {
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	for _, s := range statements {
		if _, err := tx.ExecContext(ctx, s); err != nil {
			return nil, errors.Join(err, tx.Rollback())
		}
	}
	return tx, nil
}

// isoDate binds a date as text, which the database compares with dates as it does with texts.
func isoDate(d gangway.Date) any { return string(d) }

func questionMark(int) string { return "?" }

// numbered returns marks such as $1.
func numbered(prefix string) func(int) string {
	return func(n int) string { return fmt.Sprint(prefix, n) }
}
