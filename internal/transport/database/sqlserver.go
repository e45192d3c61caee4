package database

import (
	"context"
	"crypto/tls"
	"database/sql"
	"database/sql/driver"
	"net/url"
	"slices"
	"time"

	"gangway/internal/gangway"

	"github.com/golang-sql/civil"
	mssql "github.com/microsoft/go-mssqldb"
	"github.com/microsoft/go-mssqldb/msdsn"
)

// sqlServer has no read-only sessions: what a statement could change is rolled back,
// and the guide tells to give the user the right to SELECT alone.
var sqlServer = &system{
	schemes: []string{"sqlserver", "mssql"}, port: 1433, redirects: true,
	parameters: map[string]string{"database": "database", "encrypt": "tls"},
	mark:       numbered("@p"),
	date:       func(d gangway.Date) any { return civil.DateOf(d.In(time.UTC)) },
	connector: func(a address, dial dialing, secure *tls.Config) (driver.Connector, error) {
		parameters := url.Values{"database": {a.database}, "ApplicationIntent": {"ReadOnly"}, "app name": {"gangway"},
			"protocol": {"tcp"}, "encrypt": {"disable"}}
		if secure != nil {
			parameters.Set("encrypt", "true")
		}
		u := url.URL{Scheme: "sqlserver", User: url.UserPassword(a.user, a.password),
			Host: a.hostPort(), RawQuery: parameters.Encode()}
		config, err := msdsn.Parse(u.String())
		if err != nil {
			return nil, invalid("url", "cannot be read")
		}
		if config.Host != a.host || config.Port != uint64(a.port) || config.Instance != "" ||
			config.FailOverPartner != "" || !slices.Equal(config.Protocols, []string{"tcp"}) {
			return nil, errElsewhere
		}
		if secure != nil {
			secure.DynamicRecordSizingDisabled = true // the server takes the handshake in packets of its own
			config.TLSConfig = secure
		}
		connector := mssql.NewConnectorConfig(config)
		connector.Dialer = hostDialer{dial, a.host}
		return connector, nil
	},
	begin: func(ctx context.Context, conn *sql.Conn, _ time.Duration) (*sql.Tx, error) {
		return conn.BeginTx(ctx, nil)
	},
}

// A hostDialer looks up names itself: the driver's own look-up knows no deadline.
type hostDialer struct {
	dialing
	host string
}

func (h hostDialer) HostName() string { return h.host }
