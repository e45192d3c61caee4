package gate

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
)

// PostgresConfig reads the address of a PostgreSQL database. Its connections
// carry the name as, which PostgreSQL's operator sees, unless the address has one.
func PostgresConfig(url, as string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		// pgx's message may contain the password
		return nil, fmt.Errorf("%w, and this address of PostgreSQL cannot be read", ErrNoDatabase)
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = cmp.Or(as, "gangway")
	}
	// A statement of a program that was killed ends too, and releases its locks:
	// this is how often, in milliseconds, PostgreSQL checks that the client is there.
	config.RuntimeParams["client_connection_check_interval"] = "5000"
	return config, nil
}

// silence is how long a connection may be dead before that is noticed if nothing
// is sent on it.
var silence = net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 2 * time.Second, Count: 3}

// connecting is how long one attempt to reach PostgreSQL may take.
const connecting = Patience

// KeepAlive makes the connections of config notice a server that is gone without
// closing them, as after the network was cut.
func KeepAlive(config *pgx.ConnConfig) {
	dialer := &net.Dialer{Timeout: connecting, KeepAliveConfig: silence, Control: unanswered}
	config.DialFunc = dialer.DialContext
	if config.ConnectTimeout == 0 || config.ConnectTimeout > connecting {
		config.ConnectTimeout = connecting
	}
}

// ConnectApart opens a connection that is in no pool, so that it waits for nobody.
func ConnectApart(ctx context.Context, url, as string) (*pgx.Conn, error) {
	config, err := PostgresConfig(url, as)
	if err != nil {
		return nil, err
	}
	KeepAlive(config)
	return pgx.ConnectConfig(ctx, config)
}

// answers reports whether PostgreSQL answers on a new connection.
func answers(ctx context.Context, config *pgx.ConnConfig) bool {
	ctx, cancel := context.WithTimeout(ctx, asking)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, config.Copy())
	if err != nil {
		return false
	}
	defer conn.Close(ctx)
	return conn.Ping(ctx) == nil
}
