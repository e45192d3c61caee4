package transporttest

import (
	"context"
	"crypto/x509"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/need"

	"github.com/go-sql-driver/mysql"
)

// A MariaDB is a real server with a database "crew" in it, read by the user "gangway"
// with the password "tide-tables".
type MariaDB struct {
	Port  int
	Admin *sql.DB // may do anything
}

// ServeMariaDB starts a server. It has TLS with certificates of an authority, if there is one.
func ServeMariaDB(t testing.TB, a *Authority) MariaDB {
	t.Helper()
	program := need.MariaDB(t)
	home := t.TempDir()
	data, socket := filepath.Join(home, "data"), filepath.Join(home, "s")
	own := []string{"--no-defaults", "--datadir=" + data, "--user=" + userName(t)}
	run(t, "mariadb-install-db", append(own, "--auth-root-authentication-method=normal", "--skip-test-db")...)
	port := freePort(t)
	args := append(own, "--bind-address=127.0.0.1", fmt.Sprint("--port=", port), "--socket="+socket,
		"--innodb-flush-log-at-trx-commit=0", "--skip-log-bin")
	if a != nil {
		certificate, key := a.Issue(t, time.Now().Add(time.Hour), x509.ExtKeyUsageServerAuth)
		args = append(args, "--ssl-cert="+write(t, filepath.Join(home, "cert.pem"), certificate, 0o600),
			"--ssl-key="+write(t, filepath.Join(home, "key.pem"), key, 0o600))
	}
	log := calltest.Must(os.Create(filepath.Join(home, "log")))(t)
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	calltest.Done(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		log.Close()
	})
	config := mysql.NewConfig()
	config.User, config.Net, config.Addr = "root", "unix", socket
	connector := calltest.Must(mysql.NewConnector(config))(t)
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	for _, statement := range []string{"CREATE DATABASE crew CHARACTER SET utf8mb4",
		"CREATE USER gangway@'127.0.0.1' IDENTIFIED BY 'tide-tables'",
		"GRANT ALL ON crew.* TO gangway@'127.0.0.1'", // that nothing is changed is up to the session
	} {
		err := ready(t, db)
		if err == nil {
			_, err = db.ExecContext(t.Context(), statement)
		}
		if err != nil {
			t.Fatalf("%s: %v: %s", statement, err, read(t, filepath.Join(home, "log")))
		}
	}
	return MariaDB{port, db}
}

// ready waits until a database answers.
func ready(t testing.TB, db *sql.DB) error {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		err := db.PingContext(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-again.C:
		}
	}
}
