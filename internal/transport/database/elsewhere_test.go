package database_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/database"
	"gangway/internal/transport/transporttest"
)

// Nothing written in an address leads to anything but its one host: not the parameters of a driver, not a path, not
// a list, although the operator allows all of this machine.
func TestAddressNamesOneHost(t *testing.T) {
	folder := t.TempDir()
	socket := calltest.Must(net.Listen("unix", filepath.Join(folder, ".s.PGSQL.5432")))(t)
	defer socket.Close()
	reached := make(chan struct{}, 1000)
	go func() {
		for {
			conn, err := socket.Accept()
			if err != nil {
				return
			}
			conn.Close()
			reached <- struct{}{}
		}
	}()
	port := serve(t, func(net.Conn) { reached <- struct{}{} })
	canary := "127.0.0.1:" + port
	path := strings.ReplaceAll(folder, "/", "%2F")
	var addresses []string
	for scheme, tails := range map[string][]string{
		"postgres": {"?host=" + folder, "?host=127.0.0.1", "?HOST=127.0.0.1&port=" + port, "?host=127.0.0.1,127.0.0.1",
			"?hostaddr=127.0.0.1&port=" + port, "?port=" + port, "?service=x&servicefile=/tmp/x",
			"?passfile=/etc/passwd",
			"?options=-c%20x%3Dy", "?target_session_attrs=any",
			"?sslrootcert=/etc/passwd", "?user=root",
			"?dbname=x", "?sslmode=disable&sslmode=require", "?sslmode=disable&host=127.0.0.1"},
		"mysql": {"?socket=" + folder + "/.s.PGSQL.5432", "?host=127.0.0.1", "?net=unix&addr=" + folder,
			"?allowAllFiles=true", "?server=127.0.0.1"},
		"sqlserver": {"?server=" + canary, "?failoverpartner=127.0.0.1&failoverport=" + port, "?protocol=np",
			"?pipe=x", "?serverspn=x", "?addr=" + canary, "?data%20source=" + canary, "?database=a&database=b"},
		"oracle": {"?SERVER=" + canary, "?TNS=x", "?UNIX%20SOCKET=" + folder + "/.s.PGSQL.5432", "?WALLET=/etc",
			"?connStr=(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=127.0.0.1)(PORT=" + port + ")))"},
	} {
		for _, tail := range tails {
			addresses = append(addresses, scheme+"://u:p@127.0.0.9:9/crew"+tail)
		}
	}
	for _, scheme := range servers {
		for _, host := range []string{"", path, path + ":5432", "127.0.0.9:9,127.0.0.1:" + port, "127.0.0.9,127.0.0.1",
			"unix(" + folder + ")", "tcp(" + canary + ")", "np:127.0.0.1", "127.0.0.9%5Ccrew", "(HOST=127.0.0.1)",
			"[127.0.0.1]@", "[fe80::1%25lo]"} {
			addresses = append(addresses, scheme+"://u:p@"+host+"/crew", scheme+"://u:p@"+host+"/crew?host="+folder)
		}
	}
	for _, address := range addresses {
		doc, _ := json.Marshal(map[string]any{"url": address, "query": "SELECT 1", "tls": false})
		p, err := database.Kind.Open(doc, allowed)
		if err == nil {
			transporttest.Pull(t.Context(), p, transport.Query{})
		}
		if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), "url") {
			t.Errorf("%s = %v; want it refused when it is set", address, err)
		}
	}
	// What is no parameter to us is none to a driver either.
	for _, address := range []string{
		"oracle://u:p@127.0.0.9:9/crew%3FSERVER=" + canary + "&x=",
		"oracle://u%3Ap%40" + strings.ReplaceAll(canary, ":", "%3A") + "%2F:p@127.0.0.9:9/crew",
		"sqlserver://u%40127.0.0.1%3A" + port + ":p@127.0.0.9:9/crew?database=a%26server%3D" + canary,
		"postgres://u:p@127.0.0.9:9/crew%3Fhost=" + path,
		"postgres://u:p@127.0.0.9:9/crew%20host=127.0.0.1%20port=" + port,
		"mysql://u:p@127.0.0.9:9/crew@tcp(" + canary + ")", "mysql://u%40unix(" + path + "):p@127.0.0.9:9/crew",
	} {
		doc, _ := json.Marshal(map[string]any{"url": address, "query": "SELECT 1", "tls": false})
		if p, err := database.Kind.Open(doc, allowed); err == nil {
			transporttest.Pull(t.Context(), p, transport.Query{})
		}
	}
	if n := len(reached); n > 0 {
		t.Errorf("another system than the address names was reached %d times", n)
	}
}

// sending are the servers that send elsewhere, to a host and a port.
var sending = map[string]func(host, port string) func(net.Conn){"sqlserver": routing}

// A server that sends elsewhere leads to nothing that the operator has not allowed.
func TestSentElsewhere(t *testing.T) {
	reached := make(chan struct{}, 100)
	canary := serve(t, func(net.Conn) { reached <- struct{}{} })
	only := transport.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.9/32")}}
	for scheme, say := range sending {
		sent := make(chan struct{}, 10)
		port := serveAt(t, "127.0.0.9:0", func(conn net.Conn) { sent <- struct{}{}; say("127.0.0.1", canary)(conn) })
		p := opened(t, scheme, "127.0.0.9:"+port, only, `, "tls": false`)
		_, err := transporttest.Pull(t.Context(), p, transport.Query{})
		if err == nil || !strings.Contains(err.Error(), "--allow-network") || len(sent) == 0 {
			t.Errorf("%s, sent elsewhere %d times: Pull = %v; want that refused", scheme, len(sent), err)
		}
	}
	if n := len(reached); n > 0 {
		t.Errorf("our own network was reached %d times", n)
	}
}

// A kept password goes nowhere but where it was given for, however that is written.
func TestKeptPassword(t *testing.T) {
	const kept = `{"url": "postgres://u@crew.example/crew?sslmode=require", "password": "tide-tables", ` +
		`"query": "SELECT 1"}`
	for given, again := range map[string]bool{
		`"url": "postgres://u@crew.example/crew"`:                          false, // as it is shown
		`"url": "postgres://u@crew.example/other?sslmode=require"`:         true,
		`"url": "postgres://u@crew.example:5432/crew?sslmode=verify-full"`: true, // the host with a port: another text
		`"url": "postgres://u@crew.example/crew?sslmode=disable"`:          true,
		`"url": "postgres://u@crew.example/crew?"`:                         true,
		`"url": "postgres://u@crew.example/crew", "tls": false`:            true,
		`"url": "postgres://u@crew.example/crew", "user": "v"`:             true,
		`"url": "postgres://v@crew.example/crew"`:                          true,
		`"url": "postgres://u@crew.example/crew?host=evil.example"`:        true,
		`"url": "postgres://u@crew.example/crew?host=/tmp"`:                true,
		`"url": "postgres://u@crew.example,evil.example/crew"`:             true,
		`"url": "mysql://u@crew.example/crew?ssl=true"`:                    true,
		`"url": "postgres://u@evil.example/crew?sslmode=require"`:          true,
		`"url": "postgres://u@crew.example:5433/crew?sslmode=require"`:     true,
		`"url": "postgres://u@CREW.example/crew?sslmode=require"`:          false,
		`"url": "postgres://u:p@crew.example/crew?sslmode=require"`:        false,
	} {
		got, err := database.Kind.Change(json.RawMessage(kept), json.RawMessage("{"+given+`, "query": "SELECT 1"}`))
		if again && (gangway.KindOf(err) != gangway.Invalid || got != nil) || !again && err != nil {
			t.Errorf("with %s: %v; want the password asked for again: %v", given, err, again)
		}
		if err != nil && strings.Contains(fmt.Sprint(err), "tide-tables") {
			t.Errorf("%v tells the password", err)
		}
	}
}

// serveAt is serve at another address of this machine.
func serveAt(t *testing.T, address string, say func(net.Conn)) (port string) {
	l := calltest.Must(net.Listen("tcp", address))(t)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			say(conn)
			conn.Close()
		}
	}()
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port
}

// routing signs anybody in to SQL Server, and sends them elsewhere.
//
// Source: MS-TDS, sections 2.2.7.9 (ENVCHANGE, type 20), 2.2.7.6 and 2.2.7.14.
func routing(host, port string) func(net.Conn) {
	return func(conn net.Conn) {
		reply := func(body []byte) {
			conn.Write(append([]byte{4, 1, 0, byte(8 + len(body)), 0, 0, 1, 0}, body...))
		}
		if _, _, err := packet(conn); err != nil {
			return
		}
		reply([]byte{0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 2})
		if _, _, err := packet(conn); err != nil {
			return
		}
		number, _ := strconv.Atoi(port)
		value := binary.LittleEndian.AppendUint16([]byte{0}, uint16(number))
		value = binary.LittleEndian.AppendUint16(value, uint16(len(host)))
		value = append(value, wide(host)...)
		routed := append(binary.LittleEndian.AppendUint16([]byte{20}, uint16(len(value))), value...)
		routed = append(routed, 0, 0)
		body := append(binary.LittleEndian.AppendUint16([]byte{0xe3}, uint16(len(routed))), routed...)
		body = append(body, 0xad, 10, 0, 1, 0x74, 0, 0, 4, 0, 16, 0, 0, 0)
		reply(append(body, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
	}
}
