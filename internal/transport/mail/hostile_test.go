package mail

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/transport"
	"gangway/internal/transport/transporttest"
)

var query = transport.Query{Most: 1 << 20}

// file is a mail in a file.
func file(t *testing.T, text string) io.ReadSeeker {
	t.Helper()
	f := calltest.Must(os.CreateTemp(t.TempDir(), ""))(t)
	t.Cleanup(func() { f.Close() })
	calltest.Must(io.WriteString(f, text))(t)
	return f
}

// TestHostileMails checks mails that are broken, or made to use up time or memory.
func TestHostileMails(t *testing.T) {
	multi := "Content-Type: multipart/mixed; boundary=x\n\n"
	nested := strings.Builder{}
	for i := range 100 {
		fmt.Fprintf(&nested, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	forwarded := strings.Repeat("Content-Type: message/rfc822\n\n", 100)
	attachment := "--x\nContent-Disposition: attachment; filename=a.csv\n"
	for _, tt := range []struct{ name, mail, err, wrong string }{
		{"10,000 parts", multi + strings.Repeat("--x\n\na\n", 10_000) + "--x--\n", "1,000 parts", ""},
		{"nested 100 deep", nested.String(), "20 deep", ""},
		{"forwarded 100 times", forwarded, "20 deep", ""},
		{"a header of 10 MB", "Subject: " + strings.Repeat("x", 10<<20) + "\n\n", "256 KiB", ""},
		{"a million fields", strings.Repeat("a: b\n", 1_000_000) + "\n", "256 KiB", ""},
		{"a part with a header of 20 MB", multi + "--x\nA: " + strings.Repeat("x", 20<<20) + "\n\n--x--",
			"not well formed", ""},
		{"no boundary", "Content-Type: multipart/mixed\n\nx", "not well formed", ""},
		{"cut in the middle", multi + attachment + "\nlast_name", "not well formed", ""},
		{"nothing in it", multi + "--x\nContent-Type: image/png\n\nx\n--x--\n", "neither attachments nor text", ""},
		{"an attachment that is too long", multi + attachment + "\n" + strings.Repeat("x", 2<<20) + "\n--x--\n", "",
			"longer than"},
		{"rubbish in base64", multi + attachment + "Content-Transfer-Encoding: base64\n\nA=B=C\n--x--\n", "",
			"not encoded as it says"},
		{"a type that cannot be read", "Content-Type: ;;;/\n\nx", "neither attachments nor text", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			f := file(t, tt.mail)
			runtime.GC()
			runtime.ReadMemStats(&before)
			list, err := documentsOf(f, 1<<20)
			runtime.ReadMemStats(&after)
			if used := after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc); used > 64<<20 {
				t.Errorf("it used %d bytes", used)
			}
			switch {
			case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
				t.Errorf("documentsOf = %d, %v; want %q", len(list), err, tt.err)
			case tt.wrong != "" && (err != nil || len(list) != 1 || list[0].wrong == nil ||
				!strings.Contains(list[0].wrong.Error(), tt.wrong)):
				t.Errorf("documentsOf = %v, %v; want %q", list, err, tt.wrong)
			}
		})
	}
}

// TestNames checks what becomes of the names of attachments.
func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		`"crew.csv"`: "crew.csv", `"../../etc/passwd"`: "passwd", `"C:\\Users\\x\\crew.csv"`: "crew.csv",
		`"=?utf-8?q?Cr=C3=A8w=0A.csv?="`: "Crèw .csv", `".."`: "", `"a` + "\t" + `b"`: "a b",
	} {
		list, err := documentsOf(file(t, "Content-Disposition: attachment; filename="+name+"\n\nx"), 10)
		if err != nil || len(list) != 1 || list[0].name != want {
			t.Errorf("%s: %+v, %v; want %q", name, list, err, want)
		}
	}
}

// serve starts an IMAP server written by hand: after say has answered a command it gets its
// tag's OK, unless say returns false.
func serve(t *testing.T, say func(w io.Writer, command string) bool) map[string]any {
	t.Helper()
	port, authority := transporttest.ListenTLS(t, func(conn net.Conn) {
		if !say(conn, "CONNECT") {
			return
		}
		io.WriteString(conn, "* OK [CAPABILITY IMAP4rev1] hello\r\n")
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			tag, command, _ := strings.Cut(lines.Text(), " ")
			if say(conn, command) {
				fmt.Fprintf(conn, "%s OK done\r\n", tag)
			} else {
				fmt.Fprintf(conn, "%s NO tide-tables is wrong\r\n", tag)
			}
		}
	})
	return map[string]any{"host": "127.0.0.1", "port": port, "user": "crew", "password": "tide-tables", "ca": authority,
		"from": []string{"@example.com"}}
}

// TestHostileServers checks servers that lie, hang, or never end.
func TestHostileServers(t *testing.T) {
	listing := "* 1 FETCH (UID 1 FLAGS () INTERNALDATE \"01-Jan-2026 00:00:00 +0000\" RFC822.SIZE 3)\r\n"
	head := "* 1 FETCH (UID 1 BODY[HEADER]<0> {25}\r\nFrom: crew@example.com\r\n\r\n)\r\n"
	normal := func(w io.Writer, command string, body func(io.Writer)) bool {
		switch {
		case strings.HasPrefix(command, "SELECT"):
			io.WriteString(w, "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n")
		case strings.Contains(command, "BODY.PEEK[HEADER]"):
			io.WriteString(w, strings.Replace(head, "{25}", fmt.Sprintf("{%d}", strings.Index(head, ")\r\n")-
				strings.Index(head, "From")), 1))
		case strings.Contains(command, "BODY.PEEK[]"):
			body(w)
		case strings.Contains(command, "FETCH"):
			io.WriteString(w, listing)
		}
		return true
	}
	endless := func(w io.Writer, text string) {
		for {
			if _, err := io.WriteString(w, text); err != nil {
				return
			}
		}
	}
	for _, tt := range []struct {
		name string
		say  func(w io.Writer, command string) bool
		err  string
	}{
		{"a wrong password, which it repeats",
			func(_ io.Writer, c string) bool { return !strings.HasPrefix(c, "LOGIN") }, `does not let the user "crew" in: it says "… is wrong"`},
		{"no such mailbox", func(_ io.Writer, c string) bool { return !strings.HasPrefix(c, "SELECT") },
			`the mailbox "INBOX" cannot be opened`},
		{"a greeting without end", func(w io.Writer, c string) bool {
			endless(w, strings.Repeat("x", 1<<16))
			return false
		}, "far more than was asked for"},
		{"4 billion mails", func(w io.Writer, c string) bool {
			if strings.HasPrefix(c, "SELECT") {
				io.WriteString(w, "* 4294967295 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n")
			}
			return true
		}, "more than 100,000 mails"},
		{"a list without end", func(w io.Writer, c string) bool {
			if strings.Contains(c, "FETCH") {
				endless(w, listing)
			}
			return normal(w, c, nil)
		}, "far more than was asked for"},
		{"a text of 2 GB instead of a number", func(w io.Writer, c string) bool {
			if strings.Contains(c, "FETCH") {
				io.WriteString(w, "* 1 FETCH (UID 1 ENVELOPE ({2147483647}\r\n")
				endless(w, strings.Repeat("x", 1<<16))
			}
			return normal(w, c, nil)
		}, "far more than was asked for"},
		{"a mail that claims 3 bytes, then 2 GB", func(w io.Writer, c string) bool {
			return normal(w, c, func(w io.Writer) {
				io.WriteString(w, "* 1 FETCH (UID 1 BODY[] {2147483647}\r\n")
				endless(w, strings.Repeat("x", 1<<16))
			})
		}, "longer than"},
		{"a mail that is cut", func(w io.Writer, c string) bool {
			return normal(w, c, func(w io.Writer) {
				io.WriteString(w, "* 1 FETCH (UID 1 BODY[] {2000}\r\nx")
				w.(net.Conn).Close()
			})
		}, "closed the connection"},
		{"rubbish", func(w io.Writer, c string) bool {
			io.WriteString(w, "\x00\xff)(){}\r\n")
			return true
		}, " "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			var err error
			for a, failed := range mustOpen(t, serve(t, tt.say)).Pull(t.Context(), query) {
				if err = failed; err == nil {
					err = a.Wrong
				}
				if err == nil {
					_, err = io.Copy(io.Discard, a.Body)
				}
			}
			if err == nil || !strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "tables") ||
				len(err.Error()) > 400 {
				t.Errorf("Pull = %v; want %q", err, tt.err)
			}
			runtime.ReadMemStats(&after)
			if used := after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc); used > 64<<20 {
				t.Errorf("it used %d bytes", used)
			}
		})
	}
	for _, silent := range []string{"CONNECT", "LOGIN", "SELECT", "FETCH 1:*", "BODY.PEEK[HEADER]", "BODY.PEEK[]"} {
		t.Run("silent at "+silent, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			var err error
			for a, failed := range mustOpen(t, serve(t, func(w io.Writer, c string) bool {
				if strings.Contains(c, silent) {
					<-t.Context().Done()
				}
				return normal(w, c, func(w io.Writer) {})
			})).Pull(ctx, query) {
				if err = failed; err == nil {
					t.Errorf("brought %+v", a)
				}
			}
			if err == nil {
				t.Error("Pull = nil; want an error")
			}
		})
	}
}

// TestSettings checks the sentences about settings that cannot be.
func TestSettings(t *testing.T) {
	smtp := map[string]any{"host": "smtp.example.com", "from": "crew@example.com"}
	good := map[string]any{"host": "imap.example.com", "user": "crew", "password": "tide-tables",
		"from": []string{"@example.com"}, "smtp": smtp}
	change := func(in map[string]any, name string, value any) map[string]any {
		in = maps.Clone(in)
		in[name] = value
		return in
	}
	for want, set := range map[string]map[string]any{
		"from is missing":                       change(good, "from", nil),
		"from must name":                        change(good, "from", []string{}),
		"from must have addresses":              change(good, "from", []string{"example.com"}),
		"tls must be implicit or starttls":      change(good, "tls", "none"),
		"port must be":                          change(good, "port", 70000),
		"ca must be":                            change(good, "ca", "tide-tables"),
		"host: ":                                change(good, "host", "localhost"),
		"user must be one line":                 change(good, "user", "a\r\nb"),
		"mailbox must be one line":              change(good, "mailbox", "a\nb"),
		"smtp is missing":                       change(change(good, "smtp", nil), "answer", true),
		"smtp.tls must be":                      change(good, "smtp", change(smtp, "tls", "none")),
		"smtp.from must be an address":          change(good, "smtp", change(smtp, "from", "a@b> x: y")),
		"smtp.from must be one line":            change(good, "smtp", change(smtp, "from", "a@b>\r\nx: y")),
		"smtp.from is missing":                  change(good, "smtp", change(smtp, "from", nil)),
		"smtp.colour is none of the settings":   change(good, "smtp", change(smtp, "colour", "red")),
		"password must be a text":               change(good, "password", 7),
		"is none of the settings there are: ho": change(good, "colour", "red"),
	} {
		raw, _ := json.Marshal(set)
		_, err := Kind.Open(raw, transport.Options{})
		if err == nil || !strings.Contains(err.Error(), want) || bytes.Contains([]byte(err.Error()), []byte("tables")) {
			t.Errorf("Open = %v; want %q", err, want)
		}
	}
	if _, err := Kind.Open([]byte(Kind.Example), transport.Options{}); err != nil {
		t.Errorf("Open with the example = %v", err)
	}
}
