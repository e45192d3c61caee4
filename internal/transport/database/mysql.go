package database

import (
	"context"
	"crypto/tls"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"log"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

// mySQL is MySQL, and MariaDB.
var mySQL = &system{
	schemes: []string{"mysql", "mariadb"}, port: 3306, needsDatabase: true, backslash: true,
	parameters: map[string]string{"tls": "tls", "ssl": "tls", "sslmode": "tls", "ssl-mode": "tls"},
	mark:       questionMark, date: isoDate,
	connector: func(a address, dial dialing, secure *tls.Config) (driver.Connector, error) {
		config := mysql.NewConfig()
		config.User, config.Passwd, config.DBName = a.user, a.password, a.database
		config.Net, config.Addr = "tcp", a.hostPort()
		config.DialFunc, config.TLS = dial, secure
		config.Logger = log.New(io.Discard, "", 0) // it says what the error says, too
		if err := config.Apply(mysql.Charset("utf8mb4", "")); err != nil {
			return nil, err
		}
		return mysql.NewConnector(config)
	},
	begin: func(ctx context.Context, conn *sql.Conn, limit time.Duration) (*sql.Tx, error) {
		var version string
		if err := conn.QueryRowContext(ctx, "SELECT VERSION()").Scan(&version); err != nil {
			return nil, err
		}
		set := fmt.Sprintf("SET SESSION max_execution_time = %d", limit.Milliseconds())
		if strings.Contains(strings.ToLower(version), "mariadb") {
			set = fmt.Sprintf("SET SESSION max_statement_time = %d", int(limit.Seconds()))
		}
		if _, err := conn.ExecContext(ctx, set); err != nil {
			return nil, err
		}
		return readOnly(ctx, conn)
	},
}
