package transporttest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"
)

// A HostileSystem is one way in which a customer's HTTP system is slow, dying, lying or
// hostile.
type HostileSystem struct {
	Name  string
	Says  string // what whoever asked it is told, in part; empty: the transport takes it as a document
	Holds bool   // it lets go of nobody by itself
	say   func(conn net.Conn, gone <-chan struct{})
}

// HostileSystems are all of them. One
// redirects to inward, an address where nobody should come.
func HostileSystems(inward string) []HostileSystem {
	bomb := gzipBomb()
	return []HostileSystem{
		{"hangs", "no answer in time", true, func(_ net.Conn, gone <-chan struct{}) { <-gone }},
		{"drips its headers", "no answer in time", true, func(conn net.Conn, gone <-chan struct{}) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\n")
			Drip(conn, gone, "X-A: b\r\n")
		}},
		{"sends a byte at a time", "no answer in time", true, func(conn net.Conn, gone <-chan struct{}) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
			Drip(conn, gone, "[ ")
		}},
		{"is silent after half of it", "no answer in time", true, func(conn net.Conn, gone <-chan struct{}) {
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[{}")
			<-gone
		}},
		{"hangs up", "no answer", false, func(net.Conn, <-chan struct{}) {}},
		{"cuts the connection", "ended before it was whole", false,
			says("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[{}")},
		{"cuts a chunk", "ended before it was whole", false,
			says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n[{}")},
		{"fails", "failed (status 500)", false, says("HTTP/1.1 500 No\r\nContent-Length: 6\r\n\r\nsecret")},
		{"was asked too often", "again in 7s", false,
			says("HTTP/1.1 429 No\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n")},
		{"redirects inward", "is not followed", false,
			says("HTTP/1.1 302 Found\r\nLocation: " + inward + "\r\nContent-Length: 0\r\n\r\n")},
		{"never ends", "longer than", false, endless("HTTP/1.1 200 OK\r\n\r\n[", " ")},
		{"has headers without end", "no answer", false, endless("HTTP/1.1 200 OK\r\n",
			"X-A: "+strings.Repeat("x", 1<<10)+"\r\n")},
		{"has keys without end", "longer than", false, endless("HTTP/1.1 200 OK\r\n\r\n"+`{"links": {"next": "`,
			"x")},
		{"sends a bomb", "longer than", false, sendsPacked(bomb, len(bomb))},
		{"says gzip and is not", "cannot be unpacked", false, sendsPacked([]byte("[{}, {}, {}, {}, {}]"), 20)},
		{"has bad gzip", "cannot be unpacked", false, func(conn net.Conn, gone <-chan struct{}) {
			bad := bytes.Clone(bomb[:2000])
			copy(bad[15:], "no deflate at all, but text")
			sendsPacked(bad, len(bad))(conn, gone)
		}},
		{"cuts its gzip", "ended before it was whole", false, sendsPacked(bomb[:900], 900)},
		{"packs as it likes", "not asked for", false,
			says("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\n[]")},
		{"does not speak HTTP", "no answer", false, says("220 smtp ready\r\n")},
		{"has a page to sign in, as an image", "", false,
			says("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 22\r\n\r\n<html>Sign in</html>\r\n")},
	}
}

func says(text string) func(net.Conn, <-chan struct{}) {
	return func(conn net.Conn, _ <-chan struct{}) { fmt.Fprint(conn, text) }
}

// endless writes text as fast as it is read, far more of it than anybody should read.
func endless(begin, text string) func(net.Conn, <-chan struct{}) {
	return func(conn net.Conn, _ <-chan struct{}) {
		fmt.Fprint(conn, begin)
		more := bytes.Repeat([]byte(text), 1+(64<<10)/len(text))
		for sent := 0; sent < 256<<20; sent += len(more) {
			if _, err := conn.Write(more); err != nil {
				return
			}
		}
	}
}

func sendsPacked(doc []byte, length int) func(net.Conn, <-chan struct{}) {
	return func(conn net.Conn, _ <-chan struct{}) {
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n", length)
		conn.Write(doc)
	}
}

// Drip writes text for ever, a byte at a time. It goes on as if nothing were wrong when nobody
// reads any more.
func Drip(conn net.Conn, gone <-chan struct{}, text string) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for i := 0; ; i++ {
		conn.Write([]byte{text[i%len(text)]})
		select {
		case <-gone:
			return
		case <-tick.C:
		}
	}
}

// gzipBomb is 64 MiB of zeros, packed.
var gzipBomb = sync.OnceValue(func() []byte {
	var bomb bytes.Buffer
	packed := gzip.NewWriter(&bomb)
	for range 64 {
		packed.Write(make([]byte, 1<<20))
	}
	packed.Close()
	return bomb.Bytes()
})
