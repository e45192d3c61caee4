package transporttest

import (
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// each listens on this machine and starts a program for each connection, as inetd does:
// with the connection as its standard input and output.
func each(t testing.TB, command func() *exec.Cmd) (port int) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			file, err := conn.(*net.TCPConn).File()
			conn.Close()
			if err != nil {
				continue
			}
			cmd := command()
			cmd.Stdin, cmd.Stdout = file, file
			err = cmd.Start()
			file.Close()
			if err != nil {
				t.Logf("start %s: %v", cmd.Path, err)
				continue
			}
			go cmd.Wait() // it ends with its connection
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port
}

// write makes a file for a server's own use.
func write(t testing.TB, path, content string, mode os.FileMode) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
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
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// Through listens on this machine and passes everything on to a port of it, both ways,
// until hang is called: then nothing comes any more.
func Through(t testing.TB, port int) (through int, hang func()) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	var hanging atomic.Bool
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() })
			if hanging.Load() {
				continue
			}
			to, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
			if err != nil {
				conn.Close()
				continue
			}
			pass := func(to, from net.Conn) {
				defer to.Close()
				io.Copy(to, from)
			}
			go pass(to, conn)
			go pass(conn, to)
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port, func() { hanging.Store(true) }
}
