package ftp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/transport"
	"gangway/internal/transport/transporttest"
)

const oneFile = "type=file;size=3;modify=20260101000000; crew.csv\r\n"

// pull brings everything, and the error with which a pull ends.
func pull(ctx context.Context, p transport.Puller) (list []string, err error) {
	got, err := transporttest.Pull(ctx, p, transport.Query{Most: 1 << 20})
	for _, g := range got {
		if g.Wrong != nil {
			return list, g.Wrong
		}
		list = append(list, g.Name+"="+g.Text)
	}
	return list, err
}

// TestModel reads from servers that are odd, broken or malicious.
func TestModel(t *testing.T) {
	mlsd := " MLST type*;size*;modify*;"
	list := map[string]func(net.Conn){"MLSD": sends(oneFile), "RETR": sends("one")}
	with := func(command string, send func(net.Conn)) map[string]func(net.Conn) {
		all := maps.Clone(list)
		all[command] = send
		return all
	}
	for _, tt := range []struct {
		name  string
		model *model
		want  string
		err   string
	}{
		{"an inner address for data is not connected to", &model{features: mlsd, data: list}, "[crew.csv=one]", ""},
		{"a closed port for data", &model{features: mlsd, data: list,
			passive: func(int) string { return "227 Passive (127,0,0,1,0,1)" }}, "", "connect"},
		{"rubbish instead of an address", &model{features: mlsd, data: list,
			passive: func(int) string { return "227 Passive )(" }}, "", "cannot be read"},
		{"a port that does not exist", &model{features: mlsd, data: list,
			passive: func(int) string { return "227 Passive (1,2,3,4,999,999)" }}, "", "invalid port"},
		{"a server that lists as ls does", &model{data: map[string]func(net.Conn){
			"LIST": sends("drwxr-xr-x 2 0 0 4096 Jan 01 2020 done\r\n-rw-r--r-- 1 0 0 3 Jan 01 2020 crew one.csv\r\n"),
			"RETR": sends("one")}}, "[crew one.csv=one]", ""},
		{"names that lead away", &model{features: mlsd, data: with("MLSD", sends(
			strings.ReplaceAll(oneFile, "crew.csv", "../../etc/passwd")+oneFile+
				strings.ReplaceAll(oneFile, "crew.csv", "..")))}, "[crew.csv=one]", ""},
		{"a file with more in it than it should", &model{features: mlsd, data: with("RETR", sends("three"))}, "",
			"has changed while it was read"},
		{"a file with less in it", &model{features: mlsd, data: with("RETR", sends("on"))}, "",
			"has changed while it was"},
		{"a transfer that broke, with all of it", &model{features: mlsd, data: list, ends: "426 Broken"}, "",
			"426 Broken"},
		{"a list without end", &model{features: mlsd, data: with("MLSD", func(c net.Conn) {
			for i := 0; ; i++ {
				if _, err := fmt.Fprint(c, strings.Replace(oneFile, "crew", fmt.Sprint(i), 1)); err != nil {
					return
				}
			}
		})}, "", "more than 100,000 files"},
		{"a line without end", &model{features: mlsd, data: with("MLSD", func(c net.Conn) {
			for {
				if _, err := c.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		})}, "", "token too long"},
		{"an answer without end", &model{says: map[string]string{"FEAT": "211-" + strings.Repeat("x", 1<<20)}}, "",
			"far more than was asked for"},
		{"a wrong password, which it repeats", &model{says: map[string]string{"PASS": "530 tide-tables is wrong"}}, "",
			`does not let the user "crew" in: it says "530 … is wrong"`},
		{"a denied list", &model{features: mlsd, says: map[string]string{"PASV": "550 No"}}, "", `"550 No"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := pull(t.Context(), mustOpen(t, Plain, tt.model.settings(t)))
			if tt.err == "" && (err != nil || fmt.Sprint(got) != tt.want) {
				t.Errorf("Pull = %v, %v; want %s", got, err, tt.want)
			}
			if tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err) ||
				strings.Contains(err.Error(), "tables") || len(err.Error()) > 400) {
				t.Errorf("Pull = %v, %v; want %q", got, err, tt.err)
			}
		})
	}
}

// TestHanging checks that a server which stops answering holds nobody longer than the
// caller waits.
func TestHanging(t *testing.T) {
	for _, silent := range []string{"CONNECT", "USER", "PASS", "FEAT", "PASV", "MLSD", "RETR"} {
		t.Run(silent, func(t *testing.T) {
			t.Parallel() // it waits
			m := model{features: " MLST", data: map[string]func(net.Conn){"MLSD": sends(oneFile), "RETR": sends("one")},
				silent: silent}
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			if got, err := pull(ctx, mustOpen(t, Plain, m.settings(t))); err == nil {
				t.Errorf("Pull = %v; want an error", got)
			}
		})
	}
}

// Test100000 reads the list of a folder with 100,000 files.
func Test100000(t *testing.T) {
	m := model{features: " MLST", data: map[string]func(net.Conn){"MLSD": func(c net.Conn) {
		var all strings.Builder
		for i := range 100_000 {
			all.WriteString(strings.Replace(oneFile, "crew", fmt.Sprint(i), 1))
		}
		io.WriteString(c, all.String())
	}}}
	n := 0
	for _, err := range mustOpen(t, Plain, m.settings(t)).Pull(t.Context(), transport.Query{}) {
		calltest.Done(t, err)
		n++
	}
	if n != 100_000 {
		t.Errorf("%d files were brought; want 100,000", n)
	}
}

// TestStopped checks that a file which nobody reads to its end does not spoil the next.
func TestStopped(t *testing.T) {
	m := model{features: " MLST", data: map[string]func(net.Conn){
		"MLSD": sends(oneFile + strings.Replace(oneFile, "crew", "next", 1)), "RETR": sends("one")}}
	var got []string
	for a, err := range mustOpen(t, Plain, m.settings(t)).Pull(t.Context(), transport.Query{}) {
		calltest.Done(t, err)
		part := make([]byte, 1+2*len(got))
		n, _ := io.ReadFull(a.Body, part)
		got = append(got, a.Name+"="+string(part[:n]))
	}
	if fmt.Sprint(got) != "[crew.csv=o next.csv=one]" {
		t.Errorf("brought %v", got)
	}
}

// TestNoTLS signs in to no server that does not begin TLS.
func TestNoTLS(t *testing.T) {
	m := model{says: map[string]string{"AUTH": "502 No"}}
	if _, err := pull(t.Context(), mustOpen(t, Secure, m.settings(t))); err == nil {
		t.Error("a server without TLS was signed in to")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, command := range m.commands {
		if strings.HasPrefix(command, "PASS") || strings.HasPrefix(command, "USER") {
			t.Errorf("it was told %s without TLS", command)
		}
	}
}

// TestSettings checks the sentences about settings that cannot be.
func TestSettings(t *testing.T) {
	good := map[string]any{"host": "ftp.example.com", "user": "crew", "password": "tide-tables"}
	for _, tt := range []struct {
		kind  transport.Kind
		name  string
		value any
		err   string
	}{
		{Plain, "host", nil, "host is missing"},
		{Plain, "host", "127.0.0.1.", "host: "},
		{Plain, "password", nil, "password is missing"},
		{Plain, "password", "tide\r\nDELE tables", "password must be one line"},
		{Plain, "path", "a\nb", "path must be one line"},
		{Plain, "port", 70000, "port must be from 1 to 65535"},
		{Plain, "tls", "explicit", "tls is none of the settings"},
		{Secure, "tls", "none", "tls must be explicit or implicit"},
		{Secure, "ca", "tide-tables", "ca must be PEM"},
		{Secure, "pattern", "[", "pattern must be"},
	} {
		set := maps.Clone(good)
		set[tt.name] = tt.value
		raw, _ := json.Marshal(set)
		_, err := tt.kind.Open(raw, transport.Options{})
		if err == nil || !strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "tables") {
			t.Errorf("Open with %s %v = %v; want %q", tt.name, tt.value, err, tt.err)
		}
	}
}
