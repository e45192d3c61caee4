package store

import (
	"context"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
)

// silence is how long a connection that nothing comes by may be dead before
// that is noticed.
var silence = net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 2 * time.Second, Count: 3}

// connecting is how long one attempt to reach PostgreSQL may take.
const connecting = patience

// keepAlive makes the connections of config notice a server that is gone without
// a word, as one that was cut off is.
func keepAlive(config *pgx.ConnConfig) {
	dialer := &net.Dialer{Timeout: connecting, KeepAliveConfig: silence, Control: unanswered}
	config.DialFunc = dialer.DialContext
	if config.ConnectTimeout == 0 || config.ConnectTimeout > connecting {
		config.ConnectTimeout = connecting
	}
}

// answers reports whether PostgreSQL answers on a connection of its own.
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
