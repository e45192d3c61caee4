package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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

// TestTrialImage starts the container image as its user, and finds there a temporary folder, certificates and time
// zones.
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
	run := func(args ...string) *exec.Cmd {
		return buildah(append([]string{"run", "--isolation", "chroot", "--env", "GANGWAY_DRAIN=0s", name, "--",
			"/usr/bin/gangway"}, args...)...)
	}
	listen := freePort(t)
	p, _ := startCommand(t, serving, run("serve", "--listen", listen))
	said := ran(t, run("check", "--installation", "--listen", listen))
	for _, want := range []string{"temporary-folder  /tmp has", "SQLite", "this Gangway answers at " + listen} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	if strings.Contains(said, "this is root") {
		t.Error("it runs as root")
	}
	if flights := ran(t, run("flights", "--on", "2027-03-10", "MNL-SIN")); !strings.Contains(flights, "SIN") {
		t.Errorf("without time zones there are no flights:\n%s", flights)
	}
	must(t, p.cmd.Process.Signal(syscall.SIGTERM)) // buildah ends with 1 then
	<-p.gone
	if !strings.Contains(p.said.String(), "exited on killed") && !strings.Contains(p.said.String(), "stopping") {
		t.Errorf("it was not ended:\n%s", p.said)
	}
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
