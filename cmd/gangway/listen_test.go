package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gangway/internal/need"
	"gangway/internal/store/storetest"
)

// TestUnixSocket serves a proxy at a Unix socket: clients are those that the proxy names. A socket that a killed server
// has left is replaced, and nothing else.
func TestUnixSocket(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(shortFolder(t), "gangway.sock")
	flags := func() []string {
		return []string{"serve", "--listen", "unix:" + socket, "--app-url", "https://crew.example",
			"--requests-per-minute", "100", "--connections", "8", "--database", storetest.SQLiteURL(t)}
	}
	must(t, os.WriteFile(socket, []byte("a file"), 0o600))
	refused(t, "address already in use", flags()...)
	must(t, os.Remove(socket))
	first, _ := start(t, serving, flags()...)
	if info := sure(os.Stat(socket))(t); info.Mode().Perm() != 0o660 {
		t.Errorf("the socket's mode is %v; want 0660", info.Mode())
	}
	for i, client := range []string{"203.0.113.9", "192.0.2.1, 203.0.113.9", "203.0.113.10"} { // more than one has
		conn := sure(net.Dial("unix", socket))(t)
		defer conn.Close()
		fmt.Fprintf(conn, "GET /api/bookings HTTP/1.1\r\nHost: crew.example\r\nX-Forwarded-For: %s\r\n\r\n", client)
		res := sure(http.ReadResponse(bufio.NewReader(conn), nil))(t)
		left, want := res.Header.Get("RateLimit"), fmt.Sprintf(";r=%d;", []int{99, 98, 99}[i])
		if !strings.Contains(left, want) {
			t.Errorf("the request of %s = %s, RateLimit %s; want %s", client, res.Status, left, want)
		}
	}
	refused(t, "another program listens on "+socket, flags()...)
	first.kill()
	second, _ := start(t, serving, flags()...)
	second.stop()
	if _, err := os.Stat(socket); err == nil {
		t.Error("the socket is left behind")
	}
}

// TestSystemd starts the server by systemd's own program as the first client connects, at sockets that are passed to
// it, and listens to what it tells systemd.
func TestSystemd(t *testing.T) {
	t.Parallel()
	folder, secure, plain := shortFolder(t), freePort(t), freePort(t)
	notify := filepath.Join(folder, "notify")
	systemd := sure(net.ListenUnixgram("unixgram", &net.UnixAddr{Name: notify, Net: "unixgram"}))(t)
	defer systemd.Close()
	must(t, systemd.SetReadDeadline(time.Now().Add(hang)))
	hears := func(want string) {
		t.Helper()
		for line := make([]byte, 1000); !strings.HasPrefix(string(line), want); {
			must(t, did(systemd.Read(line)))
		}
	}
	authority := certify(t, folder).Certificate
	p, _ := startCommand(t, "Listening on .* as 4", exec.Command(need.SocketActivation(t), "--listen="+secure,
		"--listen="+plain, "--fdname=gangway.socket:http", "--setenv=NOTIFY_SOCKET="+notify,
		"--setenv=WATCHDOG_USEC=300000", gangwayCommand(t).Path, "serve", "--app-url", "https://localhost",
		"--tls-cert", filepath.Join(folder, "cert.pem"), "--tls-key", filepath.Join(folder, "key.pem"), "--database",
		storetest.EmptySQLiteURL(t)))
	first := sure(visit(t, plain, "").Get("http://localhost/crew"))(t)
	first.Body.Close()
	hears("STATUS=Waiting for the database")
	hears("READY=1\nSTATUS=Serving https://localhost")
	hears("WATCHDOG=1")
	if first.Header.Get("Location") != "https://localhost/crew" ||
		visit(t, secure, authority).serial("localhost") == "" {
		t.Errorf("the first client is led to %q, or the other socket answers nobody\n%s", first.Header, p.said)
	}
	p.stop()
	hears("STOPPING=1")
}
