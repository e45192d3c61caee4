package main

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"gangway/internal/need"
)

// TestTrialInstall follows the guide on a machine of its own, by each road, with the guide's own commands: the program
// is installed, checked and started as its unit says, and has its first customer.
func TestTrialInstall(t *testing.T) {
	need.Trial(t)
	need.Packages(t)
	t.Run("package", func(t *testing.T) {
		folder := packed(t, "deb")
		first, again := onlyFile(t, folder), onlyFile(t, packed(t, "deb"))
		if !bytes.Equal(sure(os.ReadFile(first))(t), sure(os.ReadFile(again))(t)) {
			t.Error("two builds of the package differ")
		}
		onMachine(t, folder, slices.Concat(guideBlock(t, "**The package**"), configured(t),
			guideBlock(t, "### 3."), guideBlock(t, "### 4."), []string{
				`bash -uc 'source /usr/share/bash-completion/completions/gangwayctl; COMP_WORDS=(gangwayctl acc) COMP_CWORD=1
					_gangway; test "${COMPREPLY[*]}" = account'`,
				`gangwayctl account list | grep "Halcyon Tankers"`,
				`dpkg --remove gangway`,
				`test -s /var/lib/gangway/gangway.db -a -s /etc/gangway.env -a ! -e /usr/bin/gangway`,
				`dpkg --purge gangway`,
				`test ! -e /var/lib/gangway -a ! -e /etc/gangway.env -a ! -e /usr/share/gangway`,
			}))
	})
	t.Run("by hand", func(t *testing.T) {
		folder := t.TempDir()
		must(t, os.CopyFS(filepath.Join(folder, "docs", "install"), os.DirFS("../../docs/install")))
		must(t, os.Mkdir(filepath.Join(folder, "bin"), 0o755))
		copyProgram(t, filepath.Join(folder, "bin", "gangway"))
		onMachine(t, folder, slices.Concat([]string{"mkdir -p /etc/bash_completion.d"},
			guideBlock(t, "**By hand**"), configured(t), guideBlock(t, "### 3."), guideBlock(t, "### 4.")))
	})
}

// packed builds a package in a folder of its own.
func packed(t *testing.T, what string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	cmd := exec.Command("../../scripts/packages", what)
	cmd.Env = append(os.Environ(), "PROGRAM="+gangwayCommand(t).Path, "COMPRESS=none", "OUT="+folder)
	ran(t, cmd)
	return folder
}

func onlyFile(t *testing.T, folder string) string {
	t.Helper()
	names := sure(filepath.Glob(filepath.Join(folder, "*")))(t)
	if len(names) != 1 {
		t.Fatalf("%v; want one file", names)
	}
	return names[0]
}

// guideBlock returns the commands of the block that follows a heading in the operator's guide.
func guideBlock(t *testing.T, heading string) []string {
	t.Helper()
	_, rest, found := strings.Cut(string(sure(os.ReadFile("../../docs/operators.md"))(t)), "\n"+heading)
	_, rest, fenced := strings.Cut(rest, "\n```sh\n")
	block, _, _ := strings.Cut(rest, "\n```")
	if !found || !fenced {
		t.Fatalf("the guide has no commands after %q", heading)
	}
	lines := strings.Split(block, "\n")
	for i, line := range lines {
		if strings.Contains(line, "account create") {
			line += ` | tee said; customer=$(grep -o "cus_[[:alnum:]]*" said | head -n 1)`
		}
		lines[i] = strings.ReplaceAll(line, "cus_…", `"$customer"`)
	}
	return lines
}

// configured puts addresses into the environment file that this machine can reach.
func configured(t *testing.T) []string {
	listen := freePort(t)
	return []string{fmt.Sprintf(`sed -i -e 's|127.0.0.1:8080|%s|' -e 's|https://api.crew.example|http://%[1]s/api|' \
		-e 's|https://crew.example|http://%[1]s|' /etc/gangway.env`, listen)}
}

// onMachine runs commands on a machine of their own, in /install with the files of a folder. None may fail, or say
// that something is wrong.
func onMachine(t *testing.T, folder string, commands []string) {
	t.Helper()
	script := strings.Join(append(commands, "cat log"), "\n")
	must(t, os.WriteFile(filepath.Join(folder, "commands"), []byte(script), 0o600))
	cmd := exec.Command("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "testdata/machine.sh",
		t.TempDir(), folder)
	if out, err := exec.Command("unshare", "--mount", "true").CombinedOutput(); err != nil {
		need.Root(t, fmt.Errorf("%w %s", err, out))
	}
	if said := ran(t, cmd); strings.Contains(said, "WRONG") {
		t.Error(said)
	}
}

// TestTrialImage starts the container image as its user, twice on one database. It finds a temporary folder and time
// zones there, and trusts the image's authorities and mounted ones. SIGTERM drains the server and ends it in order.
func TestTrialImage(t *testing.T) {
	need.Trial(t)
	need.Packages(t)
	if os.Geteuid() != 0 {
		need.Root(t, os.ErrPermission)
	}
	folder, home := packed(t, "image"), t.TempDir()
	first := onlyFile(t, folder)
	if !bytes.Equal(sure(os.ReadFile(first))(t), sure(os.ReadFile(onlyFile(t, packed(t, "image"))))(t)) {
		t.Error("two builds of the image differ")
	}
	buildah := func(args ...string) *exec.Cmd {
		return exec.Command("buildah", append([]string{"--root", filepath.Join(home, "store"), "--runroot",
			filepath.Join(home, "run"), "--storage-driver", "vfs"}, args...)...)
	}
	name := strings.TrimSpace(string(sure(buildah("from", "--quiet", "docker-archive:"+first).Output())(t)))
	run := func(flags []string, args ...string) *exec.Cmd {
		return buildah(slices.Concat([]string{"run", "--isolation", "chroot"}, flags, []string{name, "--",
			"/usr/bin/gangway"}, args)...)
	}
	said := func(args ...string) (all string) {
		for all == "" { // buildah loses all of it once in a hundred times
			all = ran(t, run(nil, args...))
		}
		return all
	}
	listen := freePort(t)
	for _, migrates := range []bool{true, false} {
		p, _ := startCommand(t, serving, run(nil, "serve", "--drain", "1h", "--listen", listen))
		id := ran(t, exec.Command("pgrep", "--full", "^/usr/bin/gangway serve --drain 1h --listen "+listen+"$"))
		server := sure(os.FindProcess(sure(strconv.Atoi(strings.TrimSpace(id)))(t)))(t)
		t.Cleanup(func() { server.Kill() })
		checked := said("check", "--installation", "--listen", listen)
		for text, want := range map[string]bool{"temporary-folder  /tmp has": true, "SQLite": true,
			"this Gangway answers at " + listen: true, "this is root": false} {
			if strings.Contains(checked, text) != want {
				t.Errorf("it says %q: %t; want %t", text, !want, want)
			}
		}
		must(t, server.Signal(syscall.SIGTERM))
		eventually(t, "it is not ready", func() bool {
			got, _ := look(t, "http://"+listen+"/readyz")
			return got.StatusCode == http.StatusServiceUnavailable
		})
		must(t, server.Signal(syscall.SIGTERM))
		<-p.gone
		left := ran(t, exec.Command("find", home, "-name", "gangway.db-wal"))
		migrated := strings.Contains(p.said.String(), "brought up to date")
		if code := p.cmd.ProcessState.ExitCode(); code != 0 || left != "" || migrated != migrates {
			t.Errorf("it ended with %d, and left %q; it made its database: %t\n%s", code, left, migrated, p.said)
		}
	}
	if flights := said("flights", "--on", "2027-03-10", "MNL-SIN"); !strings.Contains(flights, "SIN") {
		t.Errorf("without time zones there are no flights:\n%s", flights)
	}

	var asked atomic.Bool
	system := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Store(true) }))
	t.Cleanup(system.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: system.Certificate().Raw})
	mounted := filepath.Join(t.TempDir(), "customer-ca.pem")
	must(t, os.WriteFile(mounted, ca, 0o644))
	calls := func(want bool, flags ...string) {
		t.Helper()
		all, _ := run(flags, "check", "--url", system.URL, "--allow-network", "127.0.0.0/8").CombinedOutput()
		if got := asked.Swap(false); got != want {
			t.Errorf("with %q a call by https arrives: %t; want %t\n%s", flags, got, want, all)
		}
	}
	calls(false)
	calls(true, "--volume", mounted+":/etc/ssl/certs/customer-ca.pem:ro")
	calls(true, "--volume", mounted+":/ca.pem:ro", "--env", "SSL_CERT_FILE=/ca.pem")
	own := strings.TrimSpace(ran(t, buildah("mount", name))) + "/etc/ssl/certs/ca-certificates.crt"
	must(t, os.WriteFile(own, append(sure(os.ReadFile(own))(t), ca...), 0o644))
	calls(true)
}

// TestTrialComposeFile holds that the compose file can be read, and asks for what must not be left out.
func TestTrialComposeFile(t *testing.T) {
	need.Trial(t)
	need.Packages(t)
	compose := func(env ...string) ([]byte, error) {
		cmd := exec.Command("docker-compose", "--file", "../../docs/install/compose.yaml", "config")
		cmd.Env = append(os.Environ(), env...)
		return cmd.CombinedOutput()
	}
	all := []string{"GANGWAY_VERSION=1", "POSTGRES_PASSWORD=ebb", "GANGWAY_SECRET_KEYS=k", "GANGWAY_HOST=crew.example"}
	said, err := compose(all...)
	for _, want := range []string{"postgres://gangway:ebb@database/gangway", "BASE_URL: https://crew.example/api"} {
		if err != nil || !strings.Contains(string(said), want) {
			t.Errorf("%v: %s\nwant %s", err, said, want)
		}
	}
	if said, err := compose(all[1:]...); err == nil || !strings.Contains(string(said), "GANGWAY_VERSION") {
		t.Errorf("without a version it is read: %s", said)
	}
}
