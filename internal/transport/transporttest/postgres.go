package transporttest

import (
	"io"
	"net"
	"net/url"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"gangway/internal/calltest"
)

// A Postgres is a database of the tests' server as a customer would give it: by TCP, which is all that feeds
// connect by.
type Postgres struct{ URL, User, Password string }

// OverTCP serves at a port of 127.0.0.1 the database that an address of the tests' server names, which may listen at a
// socket only.
func OverTCP(t testing.TB, address string) Postgres {
	t.Helper()
	config := calltest.Must(pgx.ParseConfig(address))(t)
	network, to := pgconn.NetworkAddress(config.Host, config.Port)
	port := Listen(t, func(in net.Conn) { relay(in, network, to) })
	u := url.URL{Scheme: "postgres", Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)),
		Path: "/" + config.Database}
	return Postgres{URL: u.String(), User: config.User, Password: config.Password}
}

// relay sends to and fro until one of both ends it.
func relay(in net.Conn, network, to string) {
	out, err := net.Dial(network, to)
	if err != nil {
		return
	}
	defer out.Close()
	go func() {
		io.Copy(out, in)
		out.Close()
	}()
	io.Copy(in, out)
}
