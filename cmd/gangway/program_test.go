package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json"
)

// gangwayCommand returns a command that runs the real program in a process of its own: this test program acts as
// gangway when started this way (see TestMain).
func gangwayCommand(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	self := sure(os.Executable())(t)
	name := filepath.Join(t.TempDir(), "gangway")
	must(t, os.Symlink(self, name))
	return exec.Command(name, args...)
}

// verifies holds that gangway verify finds nothing.
func verifies(t testing.TB, database string, flags ...string) {
	t.Helper()
	out, err := gangwayCommand(t, append([]string{"verify", "--database", database}, flags...)...).CombinedOutput()
	if err != nil {
		t.Errorf("gangway verify: %v\n%s", err, out)
	}
}

// answer runs a command to its end and reads its JSON answer.
func answer[T any](t testing.TB, args ...string) T {
	t.Helper()
	cmd := gangwayCommand(t, append(args, "--json")...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("gangway %s: %v\n%s", strings.Join(args, " "), err, &complaint)
	}
	var v T
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatalf("gangway %s answered %s: %v", strings.Join(args, " "), out, err)
	}
	return v
}

// ran runs a command, which must succeed, and returns what it said.
func ran(t testing.TB, cmd *exec.Cmd) string {
	t.Helper()
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, said)
	}
	return string(said)
}

// refused runs gangway and wants it to fail with a sentence that contains want.
func refused(t testing.TB, want string, args ...string) {
	t.Helper()
	out, err := gangwayCommand(t, args...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), want) {
		t.Fatalf("gangway %s: %v, %s; want it refused with %q", strings.Join(args, " "), err, out, want)
	}
}

// A program is a running gangway.
type program struct {
	t    testing.TB
	cmd  *exec.Cmd
	said *transcript // everything it printed, on both outputs
	gone chan struct{}
}

// start runs gangway and waits until it prints a line that matches until,
// whose groups it returns. What is still running at the end of the test is killed.
func start(t testing.TB, until string, args ...string) (*program, []string) {
	t.Helper()
	return startCommand(t, until, gangwayCommand(t, args...))
}

// startCommand does the same with any program.
func startCommand(t testing.TB, until string, cmd *exec.Cmd) (*program, []string) {
	t.Helper()
	p := &program{t: t, cmd: cmd, said: &transcript{}, gone: make(chan struct{})}
	r, w, err := os.Pipe()
	must(t, err)
	p.cmd.Stdout, p.cmd.Stderr = w, w
	must(t, p.cmd.Start())
	w.Close()
	t.Cleanup(p.kill)
	found, pattern := make(chan []string, 1), regexp.MustCompile(until)
	go func() {
		defer close(p.gone)
		defer p.cmd.Wait()
		for lines := bufio.NewReader(r); ; {
			line, err := lines.ReadString('\n')
			io.WriteString(p.said, line)
			if groups := pattern.FindStringSubmatch(line); groups != nil {
				select {
				case found <- groups:
				default:
				}
			}
			if err != nil {
				return
			}
		}
	}()
	select {
	case groups := <-found:
		return p, groups
	case <-p.gone:
		t.Fatalf("%s ended before it said %q:\n%s", strings.Join(cmd.Args, " "), until, p.said)
		return nil, nil
	}
}

// serving matches the line that a server logs once it serves; its groups are the addresses of the web application
// and of the interface.
const serving = `msg=serving .*app=(\S+) integration=(\S+)`

// serve runs a server on a database, at a port of its own.
func serve(t testing.TB, database string, flags ...string) (p *program, app, base string) {
	t.Helper()
	p, at := start(t, serving, append([]string{"serve", "--listen", "127.0.0.1:0", "--database", database},
		flags...)...)
	return p, at[1], at[2]
}

// freePort returns an address that nobody listens at, below the ports from which systems take one for whoever names
// none: one of these may be somebody's before it is listened at.
func freePort(t testing.TB) string {
	t.Helper()
	for {
		address := fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000))
		if l, err := net.Listen("tcp", address); err == nil {
			l.Close()
			return address
		}
	}
}

// kill ends the program as a power cut does, and returns when it is gone.
func (p *program) kill() {
	p.cmd.Process.Signal(syscall.SIGKILL)
	<-p.gone
}

// stop asks the program to end and waits for it; its exit code must be 0.
func (p *program) stop() {
	p.t.Helper()
	p.cmd.Process.Signal(syscall.SIGTERM)
	<-p.gone
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		p.t.Fatalf("gangway ended with %d; want 0\n%s", code, p.said)
	}
}

// A transcript is a buffer that may be read while it is written.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *transcript) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *transcript) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
