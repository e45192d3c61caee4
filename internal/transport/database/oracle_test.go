//go:build oracle

package database_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"strings"
	"testing"

	"gangway/internal/transport"
	"gangway/internal/transport/transporttest"
)

// With the driver every test of a server is one of Oracle, too.
func init() {
	servers = append(servers, "oracle")
	sending["oracle"] = redirecting
}

// What Oracle gets: a packet that asks to connect to the service, at the address that was guarded; and where it
// sends elsewhere, that is guarded, too.
func TestOracleUpToTheWire(t *testing.T) {
	asked := make(chan string, 10)
	port := serve(t, func(conn net.Conn) {
		header := make([]byte, 8)
		if _, err := io.ReadFull(conn, header); err != nil || header[4] != 1 { // CONNECT
			t.Errorf("the first packet is %v, %v; want CONNECT", header, err)
			return
		}
		body := make([]byte, int(binary.BigEndian.Uint16(header))-len(header))
		io.ReadFull(conn, body)
		for err := error(nil); err == nil && !bytes.Contains(body, []byte("SERVICE_NAME=crew")); {
			more, n := make([]byte, 4<<10), 0 // long descriptions follow in a packet of their own
			n, err = conn.Read(more)
			body = append(body, more[:n]...)
		}
		asked <- string(body)
		conn.Write(redirect("10.0.0.1", "1521"))
	})
	_, err := transporttest.Pull(t.Context(), opened(t, "oracle", "127.0.0.1:"+port, allowed, ""), transport.Query{})
	if err == nil || len(asked) == 0 {
		t.Fatalf("Pull = %v, %d times asked; want it tried, and to fail", err, len(asked))
	}
	if text := <-asked; !strings.Contains(text, "SERVICE_NAME=crew") {
		t.Errorf("it asked for %q; want the service", text)
	}
	if !strings.Contains(err.Error(), "--allow-network") {
		t.Errorf("sent elsewhere, Pull = %v; want that refused", err)
	}
}

// redirect is the packet by which a listener of Oracle sends elsewhere.
func redirect(host, port string) []byte {
	to := "(ADDRESS=(PROTOCOL=tcp)(HOST=" + host + ")(PORT=" + port + "))"
	return append([]byte{0, byte(10 + len(to)), 0, 0, 5, 0, 0, 0, 0, byte(len(to))}, to...)
}

func redirecting(host, port string) func(net.Conn) {
	return func(conn net.Conn) {
		conn.Read(make([]byte, 4<<10))
		conn.Write(redirect(host, port))
		conn.Read(make([]byte, 4<<10)) // until it has gone
	}
}
