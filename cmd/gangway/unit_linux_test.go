package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gangway/internal/need"
)

// TestUnitOfSystemd runs the server as the documented unit and environment file do, in a mount namespace with the same
// folders read-only: a feed's document of more than 256 KiB is read, and nothing is warned of. Without PrivateTmp the
// log and /readyz say what is missing.
func TestUnitOfSystemd(t *testing.T) {
	unit := sure(os.ReadFile("../../docs/install/gangway.service"))(t)
	if !strings.Contains(string(unit), "\nProtectSystem=strict\nReadWritePaths=/var/lib/gangway\n") {
		t.Fatalf("the unit is not what this test plays:\n%s", unit)
	}
	const crew = 2000
	system := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		var list []string
		for i := range crew {
			list = append(list, fmt.Sprintf(`{"id": "C-%d", "last_name": "Santos", "first_name": "Maria", "gender": "F",
				"dob": "1990-01-31", "nationality": "PH", "doc_country": "PH", "doc_number": "P%07d",
				"doc_expire": "2045-01-01", "home_airport": "MNL"}`, i, i))
		}
		fmt.Fprintf(w, "[%s]", strings.Join(list, ","))
	}))
	defer system.Close()
	t.Run("as documented", func(t *testing.T) {
		p, v, ready := underUnit(t, string(unit))
		if got := ready(); got != "ready\n" || strings.Contains(p.said.String(), "WARN") {
			t.Errorf("/readyz says %s, and the log\n%s", got, p.said)
		}
		v.setFeed(`{"name": "crew", "flow": "travellers", "transport": {"kind": "endpoint", "url": "`+system.URL+`"}}`,
			"--allow-network", "127.0.0.0/8")
		db, _ := v.open()
		eventually(t, "the crew is there", func() bool {
			has, err := db.Belongings(t.Context(), v.customer)
			if strings.Contains(p.said.String(), "read-only") {
				t.Fatalf("%s", p.said)
			}
			return err == nil && has.Travellers == crew
		})
	})
	t.Run("without PrivateTmp", func(t *testing.T) {
		p, _, ready := underUnit(t, strings.Replace(string(unit), "PrivateTmp=yes", "", 1))
		got := ready()
		if !strings.HasPrefix(got, "the temporary folder cannot be used") || strings.Contains(got, os.TempDir()) ||
			!strings.Contains(p.said.String(), "read-only file system") {
			t.Errorf("/readyz says %s, and the log\n%s", got, p.said)
		}
	})
}

// underUnit starts the server as a unit says. What it asks at /readyz is its third result.
func underUnit(t *testing.T, unit string) (*program, *vault, func() string) {
	t.Helper()
	home, err := os.MkdirTemp("/var/lib", "gangway-unit-") // not in /tmp, which the unit hides
	if err != nil {
		need.Root(t, err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	copyProgram(t, filepath.Join(home, "gangway"))
	env := sure(os.ReadFile("../../docs/install/gangway.env"))(t)
	listen := freePort(t)
	given := strings.NewReplacer("/var/lib/gangway", home, "127.0.0.1:8080", listen).Replace(string(env)) +
		"GANGWAY_ALLOW_NETWORK=127.0.0.0/8\n"
	v := newCustomerOf(t, "sqlite:"+filepath.Join(home, "gangway.db"))
	tmp := "mount --bind /tmp /tmp && mount -o remount,bind,ro /tmp"
	if strings.Contains(unit, "\nPrivateTmp=yes\n") {
		tmp = "mount -t tmpfs tmpfs /tmp"
	}
	cmd := exec.Command("unshare", "--mount", "sh", "-ec", "mount --bind "+home+" "+home+"; "+tmp+`
		mount -o remount,bind,ro /
		exec "$@"`, "sh", filepath.Join(home, "gangway"), "serve")
	_, given, _ = strings.Cut(given, "\n") // the first line is a comment
	cmd.Dir, cmd.Env = home, append(strings.Fields(given), "PATH="+os.Getenv("PATH"))
	if out, err := exec.Command("unshare", "--mount", "true").CombinedOutput(); err != nil {
		need.Root(t, fmt.Errorf("%w %s", err, out))
	}
	p, _ := startCommand(t, serving, cmd)
	return p, v, func() string {
		_, said := look(t, "http://"+listen+"/readyz")
		return said
	}
}
