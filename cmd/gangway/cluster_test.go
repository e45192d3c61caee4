//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"gangway/internal/need"
)

// A cluster is a test's own PostgreSQL server, which can be stopped and stalled.
type cluster struct {
	t    *testing.T
	home string
	bin  string               // the folder of PostgreSQL's programs
	as   *syscall.SysProcAttr // PostgreSQL refuses to run as root
}

// startCluster makes a server and starts it.
func startCluster(t *testing.T, home string) *cluster {
	t.Helper()
	c := newCluster(t, home)
	c.start()
	return c
}

// shortFolder returns a folder whose path is short enough for that of a socket in it.
func shortFolder(t *testing.T) string {
	t.Helper()
	folder := sure(os.MkdirTemp("", "gw"))(t)
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

// newCluster makes a server that is not running yet, with its files under home.
func newCluster(t *testing.T, home string) *cluster {
	t.Helper()
	c := &cluster{t: t, home: home, bin: need.PostgreSQLPrograms(t)}
	if os.Getuid() == 0 {
		u, err := user.Lookup("postgres")
		if err != nil {
			u, err = user.Lookup("nobody")
		}
		must(t, err)
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		must(t, os.Chown(home, uid, gid))
		c.as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	c.run(c.program("initdb"), "--pgdata="+c.data(), "--username=gangway", "--auth=trust", "--encoding=UTF8",
		"--locale=C.UTF-8", "--no-sync", "--wal-segsize=1")
	settings := fmt.Sprintf("listen_addresses = ''\nunix_socket_directories = '%s'\nshared_buffers = "+
		"16MB\nmax_wal_size = 8MB\nmin_wal_size = 2MB\n", home)
	must(t, os.WriteFile(filepath.Join(c.data(), "postgresql.auto.conf"), []byte(settings), 0o600))
	t.Cleanup(func() {
		c.signal(syscall.SIGCONT)
		if c.master() != 0 {
			c.stop()
		}
	})
	return c
}

func (c *cluster) program(name string) string { return filepath.Join(c.bin, name) }

func (c *cluster) data() string { return filepath.Join(c.home, "data") }
func (c *cluster) url() string  { return "postgres://gangway@/postgres?host=" + c.home }

func (c *cluster) run(name string, args ...string) {
	c.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.SysProcAttr = "/", c.as
	ran(c.t, cmd)
}

func (c *cluster) start() {
	c.t.Helper()
	c.run(c.program("pg_ctl"), "start", "--wait", "--pgdata="+c.data(), "--log="+filepath.Join(c.home, "log"))
}

// revive starts the server if it has stopped itself, as on a full disk.
func (c *cluster) revive() {
	c.t.Helper()
	status := exec.Command(c.program("pg_ctl"), "status", "--pgdata="+c.data())
	status.Dir, status.SysProcAttr = "/", c.as
	if status.Run() != nil {
		c.start()
	}
}

// stop stops the server like a crash, as its clients see it.
func (c *cluster) stop() {
	c.t.Helper()
	c.run(c.program("pg_ctl"), "stop", "--mode=immediate", "--pgdata="+c.data())
}

// query executes statements in one session.
func (c *cluster) query(statements ...string) {
	c.t.Helper()
	args := []string{"--no-psqlrc", "--quiet", "--host=" + c.home, "--username=gangway", "--dbname=postgres"}
	for _, s := range statements {
		args = append(args, "--command="+s)
	}
	c.run(c.program("psql"), args...)
}

// master returns the process id of the server; 0 when it is not running.
func (c *cluster) master() int {
	text, err := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(first)
	return pid
}

// signal sends a signal to the server and all its processes.
func (c *cluster) signal(s syscall.Signal) {
	master := c.master()
	if master == 0 {
		return
	}
	_ = syscall.Kill(master, s)
	out, _ := exec.Command("pgrep", "-P", strconv.Itoa(master)).Output()
	for _, field := range strings.Fields(string(out)) {
		if pid, err := strconv.Atoi(field); err == nil {
			_ = syscall.Kill(pid, s)
		}
	}
}
