package endpoint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"gangway/internal/transport/transporttest"
)

// authority issues the certificates of the tests' servers; everything in this
// process trusts it, as it does the system's authorities otherwise.
var authority *transporttest.Authority

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "authority")
	if err == nil {
		defer os.RemoveAll(folder)
		authority, err = transporttest.NewAuthority()
	}
	file := filepath.Join(folder, "authority.pem")
	if err == nil {
		err = os.WriteFile(file, []byte(authority.Certificate), 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	os.Setenv("SSL_CERT_FILE", file)
	return m.Run()
}
