package transporttest

import (
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"gangway/internal/calltest"
)

// each listens on this machine and starts a program for each connection, as inetd does:
// with the connection as its standard input and output.
func each(t testing.TB, command func() *exec.Cmd) (port int) {
	t.Helper()
	return Listen(t, func(conn net.Conn) {
		file, err := conn.(*net.TCPConn).File()
		conn.Close()
		if err != nil {
			return
		}
		cmd := command()
		cmd.Stdin, cmd.Stdout = file, file
		err = cmd.Start()
		file.Close()
		if err != nil {
			t.Logf("start %s: %v", cmd.Path, err)
			return
		}
		cmd.Wait() // it ends with its connection
	})
}

// write makes a file for a server's own use.
func write(t testing.TB, path, content string, mode os.FileMode) string {
	t.Helper()
	calltest.Done(t, os.WriteFile(path, []byte(content), mode))
	return path
}

// run runs a program to its end, which must be a good one.
func run(t testing.TB, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v: %s", name, strings.Join(args, " "), err, out)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	content := calltest.Must(os.ReadFile(path))(t)
	return string(content)
}

// Through listens on this machine and passes everything on to a port of it, both ways,
// until hang is called: then nothing comes any more.
func Through(t testing.TB, port int) (through int, hang func()) {
	t.Helper()
	var hanging atomic.Bool
	return Listen(t, func(conn net.Conn) {
		if hanging.Load() {
			<-t.Context().Done()
			return
		}
		pass(conn, port, math.MaxInt64)
	}), func() { hanging.Store(true) }
}

// Breaking listens on this machine and passes everything on to a port of it. It breaks the first
// connection over which the server has sent so many bytes.
func Breaking(t testing.TB, port int, after int64) int {
	t.Helper()
	var broken atomic.Bool
	return Listen(t, func(conn net.Conn) {
		if broken.Load() {
			pass(conn, port, math.MaxInt64)
		} else if pass(conn, port, after) {
			broken.Store(true)
		}
	})
}

// pass passes a conversation with a port of this machine on, until either side ends it, or
// the server has said most bytes, which it reports.
func pass(conn net.Conn, port int, most int64) (all bool) {
	to, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return false
	}
	go func() {
		io.Copy(to, conn)
		to.Close()
	}()
	n, _ := io.CopyN(conn, to, most)
	to.Close()
	return n == most
}
