//go:build oracle

package database

import (
	"crypto/tls"
	"database/sql/driver"
	"errors"

	goora "github.com/sijms/go-ora/v2"
)

// connectOracle is how to connect to Oracle.
var connectOracle connecting = func(a address, dial dialing, secure *tls.Config) (driver.Connector, error) {
	options := map[string]string{"PROGRAM": "gangway", "SSL": "false", "CONNECTION TIMEOUT": "0"}
	if secure != nil {
		options["SSL"], options["SSL VERIFY"] = "true", "true"
	}
	made := goora.NewConnector(goora.BuildUrl(a.host, a.port, a.database, a.user, a.password, options))
	connector, ok := made.(*goora.OracleConnector)
	if !ok {
		return nil, errors.New("this program's Oracle driver cannot be used")
	}
	connector.Dialer(dial)
	if secure != nil {
		connector.WithTLSConfig(secure)
	}
	return connector, nil
}
