package database_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/database"
	"gangway/internal/transport/transporttest"
)

// servers are the databases that are connected to over the network, and with its driver Oracle.
var servers = []string{"postgres", "mysql", "mariadb", "sqlserver"}

// serve is a server that says what it likes; it returns its port.
func serve(t *testing.T, say func(net.Conn)) string {
	t.Helper()
	return strconv.Itoa(transporttest.Listen(t, say))
}

func opened(t *testing.T, scheme, host string, o transport.Options, more string) transport.Puller {
	t.Helper()
	settings := fmt.Sprintf(`{"url": "%s://gangway:tide-tables@%s/crew", "query": "SELECT 1"%s}`, scheme, host, more)
	p, err := database.Kind.Open(json.RawMessage(settings), o)
	if err != nil {
		t.Fatalf("Open(%s) = %v", settings, err)
	}
	return p
}

var allowed = transport.Options{Allow: transporttest.Loopback}

// No driver connects to anything that the operator did not allow, by whatever name.
func TestGuarded(t *testing.T) {
	reached := make(chan struct{}, 100)
	port := serve(t, func(net.Conn) { reached <- struct{}{} })
	transporttest.NamesLeadHome(t)
	for _, scheme := range servers {
		for _, host := range []string{"127.0.0.1", "crew.example", "[::ffff:127.0.0.1]"} {
			for _, more := range []string{"", `, "tls": false`} {
				p := opened(t, scheme, host+":"+port, transport.Options{}, more)
				_, err := transporttest.Pull(t.Context(), p, transport.Query{})
				told := fmt.Sprint(err)
				if err == nil || !strings.Contains(told, "--allow-network") || strings.Contains(told, "tide-tables") {
					t.Errorf("%s at %s%s: Pull = %v; want it refused", scheme, host, more, err)
				}
			}
		}
	}
	if n := len(reached); n > 0 {
		t.Errorf("our own network was reached %d times", n)
	}
}

// Without TLS nothing is connected to but networks that the operator allows.
func TestPlain(t *testing.T) {
	for _, scheme := range servers {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		p := opened(t, scheme, "93.184.216.34:9", transport.Options{}, `, "tls": false`)
		if _, err := transporttest.Pull(ctx, p, transport.Query{}); err == nil || !strings.Contains(err.Error(),
			"without TLS") {
			t.Errorf("%s: Pull = %v; want it refused", scheme, err)
		}
		cancel()
	}
}

// TestHostile connects to servers that hang, hang up, or send anything: each pull ends, or the test does not, with a
// sentence.
func TestHostile(t *testing.T) {
	gone := make(chan struct{})
	t.Cleanup(func() { close(gone) })
	for what, say := range map[string]func(net.Conn){
		"hangs":    func(net.Conn) { <-gone },
		"hangs up": func(net.Conn) {},
		"sends text": func(conn net.Conn) {
			fmt.Fprint(conn, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
			<-gone
		},
		"claims much": func(conn net.Conn) {
			conn.Write(bytes.Repeat([]byte{0x7f}, 64))
			<-gone
		},
		"never ends": func(conn net.Conn) {
			for range 64 { // 4 MiB, which nobody has read in time
				if _, err := conn.Write(bytes.Repeat([]byte{'R', 0, 0, 4}, 1<<14)); err != nil {
					return
				}
			}
			<-gone
		},
		"sends a byte at a time": func(conn net.Conn) {
			tick := time.NewTicker(10 * time.Millisecond)
			defer tick.Stop()
			for range tick.C {
				if _, err := conn.Write([]byte{0}); err != nil {
					return
				}
			}
		},
	} {
		port := serve(t, say)
		for _, scheme := range servers {
			for _, more := range []string{`, "tls": true`, `, "tls": false`} {
				t.Run(what+" "+scheme+more, func(t *testing.T) {
					t.Parallel() // most of them wait
					ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
					defer cancel()
					p := opened(t, scheme, "127.0.0.1:"+port, allowed, more)
					_, err := transporttest.Pull(ctx, p, transport.Query{})
					told := fmt.Sprint(err)
					if err == nil || gangway.KindOf(err) == gangway.Internal || strings.Contains(told, "tide-tables") {
						t.Errorf("Pull = %v; want a sentence without secrets", err)
					}
				})
			}
		}
	}
}

// What SQL Server gets, up to signing in: the packets of its protocol, with the user and the database, at the
// address that was guarded.
func TestSQLServerUpToTheWire(t *testing.T) {
	signIn := make(chan []byte, 10)
	port := serve(t, func(conn net.Conn) {
		if kind, _, err := packet(conn); err != nil || kind != 0x12 { // PRELOGIN
			t.Errorf("the first packet is %#x, %v; want PRELOGIN", kind, err)
			return
		}
		answer := []byte{0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 2} // version 16, no encryption
		conn.Write(append([]byte{4, 1, 0, byte(8 + len(answer)), 0, 0, 1, 0}, answer...))
		if kind, body, err := packet(conn); err == nil && kind == 0x10 { // LOGIN7
			signIn <- body
		}
	})
	_, err := transporttest.Pull(t.Context(), opened(t, "sqlserver", "127.0.0.1:"+port, allowed, ""), transport.Query{})
	if err == nil || len(signIn) == 0 {
		t.Fatalf("Pull = %v, %d times signed in; want it tried, and to fail", err, len(signIn))
	}
	body := <-signIn
	for _, want := range []string{"gangway", "crew"} {
		if !bytes.Contains(body, wide(want)) {
			t.Errorf("signing in lacks %q", want)
		}
	}
	const options = 4 + 4 + 4 + 4 + 4 + 4 + 2 // where OptionFlags of types begin: read-only intent is one
	if body[options]&0x20 == 0 {
		t.Errorf("the flags %#x do not say that nothing is to be changed", body[options])
	}
}

// packet reads a packet of SQL Server's protocol.
//
// Source: MS-TDS, section 2.2.3.
func packet(conn net.Conn) (kind byte, body []byte, err error) {
	header := make([]byte, 8)
	if _, err := io.ReadFull(conn, header); err != nil {
		return 0, nil, err
	}
	body = make([]byte, int(binary.BigEndian.Uint16(header[2:]))-len(header))
	_, err = io.ReadFull(conn, body)
	return header[0], body, err
}

// wide is a text as SQL Server has it: UTF-16, low byte first.
func wide(text string) (doc []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		doc = binary.LittleEndian.AppendUint16(doc, unit)
	}
	return doc
}

func TestSettings(t *testing.T) {
	const query = `, "query": "SELECT 1"}`
	for settings, says := range map[string]string{
		`{"url": "crew.example"` + query:                                                "url must begin with postgres://",
		`{"url": "postgres://u:hu/sh@crew.example/crew"` + query:                        "url must be a URL",
		`{"url": "postgres://crew.example/crew"` + query:                                "user is missing",
		`{"url": "postgres://u@crew.example"` + query:                                   "must name the database",
		`{"url": "postgres:///crew", "user": "u"` + query:                               "must have a host",
		`{"url": "postgres://u@crew.example,127.0.0.1/crew"` + query:                    "one host's name",
		`{"url": "postgres://u@crew.example/crew?sslrootcert=/etc/passwd"` + query:      "parameter that is not known",
		`{"url": "mysql://u@crew.example/crew?allowAllFiles=true"` + query:              "parameter that is not known",
		`{"url": "sqlserver://u@crew.example/crew?trustservercertificate=true"` + query: "parameter that is not known",
		`{"url": "oracle://u@crew.example/crew?WALLET=/etc"` + query:                    "parameter that is not known",
		`{"url": "sqlite:crew.db"` + query:                                              "from the root on",
		`{"url": "sqlite://crew.db"` + query:                                            "from the root on",
		`{"url": "postgres://u@crew.example:99999/crew"` + query:                        "a port that does not exist",
		`{"url": "postgres://u@2130706433/crew"` + query:                                "usually written",
		`{"url": "postgres://u@localhost/crew"` + query:                                 "--allow-network",
		`{"url": "postgres://u@crew.example/crew", "ca": "x"` + query:                   "ca must be PEM",
		`{"url": "postgres://u@crew.example/crew", "query": "DELETE FROM crew"}`:        "query must be a SELECT",
	} {
		_, err := database.Kind.Open(json.RawMessage(settings), transport.Options{})
		if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), says) {
			t.Errorf("Open(%s) = %v; want %q", settings, err, says)
		}
	}
	for url, want := range map[string]bool{"sqlite:///srv/crew.db": true, "SQLite:///srv/crew.db": true,
		"postgres://u@crew.example/crew": false} {
		if got := database.Kind.Local(json.RawMessage(`{"url": "` + url + `"}`)); got != want {
			t.Errorf("Local(%s) = %v; want %v", url, got, want)
		}
	}
}

// With TLS the server's certificate is checked, against the usual authorities or the customer's own.
func TestTLS(t *testing.T) {
	own := calltest.Must(transporttest.NewAuthority())(t)
	port := transporttest.ServeMariaDB(t, own).Port
	ca, _ := json.Marshal(own.Certificate)
	for more, says := range map[string]string{
		`, "tls": true, "ca": ` + string(ca): "",
		`, "tls": true`:                      "authority that is not known here",
		`, "tls": false`:                     "",
		``:                                   "",
	} {
		got, err := transporttest.Pull(t.Context(), opened(t, "mysql", fmt.Sprint("127.0.0.1:", port), allowed, more),
			transport.Query{})
		if says == "" && (err != nil || len(got) != 1) || says != "" && !strings.Contains(fmt.Sprint(err), says) {
			t.Errorf("with %.20s: Pull = %v, %v; want %q", more, got, err, says)
		}
	}
}
