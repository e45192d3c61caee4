package sftp

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/transporttest"
	"gangway/internal/transport/watch"

	"github.com/pkg/sftp"
)

// leave puts an old file of a size into a folder.
func leave(t *testing.T, path string, size int) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	if err := errors.Join(os.WriteFile(path+"/crew.csv", make([]byte, size), 0o644),
		os.Chtimes(path+"/crew.csv", old, old)); err != nil {
		t.Fatal(err)
	}
}

// TestHanging checks that a server which stops answering, at any point, holds nobody
// longer than the caller waits.
func TestHanging(t *testing.T) {
	path := t.TempDir()
	leave(t, path, 3)
	m := model{password: "tide-tables", sftp: files(path)}
	real := m.serve(t)
	// The server is silent after it has sent so many bytes.
	for _, after := range []int64{0, 10, 500, 1500, 2200, 2400, 2600, 2800} {
		t.Run(fmt.Sprint(after), func(t *testing.T) {
			t.Parallel() // it waits
			port := transporttest.Listen(t, func(conn net.Conn) {
				to, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", real))
				if err != nil {
					return
				}
				defer to.Close()
				go io.Copy(to, conn)
				io.CopyN(conn, to, after)
				<-t.Context().Done()
			})
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			p := mustOpen(t, m.settings(port))
			for a, err := range p.Pull(ctx, transport.Query{Most: 1 << 20}) {
				if err == nil {
					io.Copy(io.Discard, a.Body)
				}
			}
			if err := p.Settle(ctx, "3 0 crew.csv", transport.Outcome{}); err == nil {
				t.Error("Settle = nil; want an error")
			}
		})
	}
}

// packets answers SFTP by hand: say is called for each request after the first, with its
// type and number.
func packets(say func(kind byte, id uint32, send func(kind byte, body []byte))) func(io.ReadWriteCloser) {
	return func(c io.ReadWriteCloser) {
		defer c.Close()
		send := func(kind byte, body []byte) {
			packet := binary.BigEndian.AppendUint32(nil, uint32(len(body)+1))
			c.Write(append(append(packet, kind), body...))
		}
		for {
			head := make([]byte, 9)
			if _, err := io.ReadFull(c, head); err != nil {
				return
			}
			if _, err := io.CopyN(io.Discard, c, int64(binary.BigEndian.Uint32(head))-5); err != nil {
				return
			}
			if head[4] == 1 { // what version?
				send(2, []byte{0, 0, 0, 3})
				continue
			}
			say(head[4], binary.BigEndian.Uint32(head[5:]), send)
		}
	}
}

func text(s string) []byte { return append(binary.BigEndian.AppendUint32(nil, uint32(len(s))), s...) }

// entry is one file in a list: an old one of a size.
func entry(name string, size uint64) []byte {
	e := append(text(name), text("")...)
	e = binary.BigEndian.AppendUint32(e, 1|4|8) // size, permissions, times
	e = binary.BigEndian.AppendUint64(e, size)
	e = binary.BigEndian.AppendUint32(e, 0o100644)
	return append(e, 0, 0, 0, 9, 0, 0, 0, 9)
}

// lister answers requests for a list with names, a packet at a time, until there are none.
func lister(names func(packet int) [][]byte) func(io.ReadWriteCloser) {
	packet := 0
	return packets(func(kind byte, id uint32, send func(byte, []byte)) {
		number := binary.BigEndian.AppendUint32(nil, id)
		switch kind {
		case 11: // open a folder
			send(102, append(number, text("h")...))
		case 12: // read it
			entries := names(packet)
			packet++
			if entries == nil {
				send(101, append(append(number, 0, 0, 0, 1), append(text(""), text("")...)...))
				return
			}
			body := binary.BigEndian.AppendUint32(number, uint32(len(entries)))
			for _, e := range entries {
				body = append(body, e...)
			}
			send(104, body)
		default:
			send(101, append(append(number, 0, 0, 0, 4), append(text("no"), text("")...)...))
		}
	})
}

// TestLongLists checks a folder with 100,000 files, one with more, and one without end.
func TestLongLists(t *testing.T) {
	const packetOf = 100
	list := func(packets int) func(int) [][]byte {
		return func(packet int) (entries [][]byte) {
			for i := range packetOf {
				if packet < packets || packets < 0 {
					entries = append(entries, entry(fmt.Sprintf("%07d.csv", packet*packetOf+i), 3))
				}
			}
			return entries
		}
	}
	pull := func(names func(int) [][]byte) (n int, err error) {
		m := model{password: "tide-tables", sftp: lister(names)}
		p := mustOpen(t, m.settings(m.serve(t)))
		for _, failed := range p.Pull(t.Context(), transport.Query{Most: 1 << 20}) {
			if failed != nil {
				err = failed
				break
			}
			n++
		}
		return n, err
	}
	if n, err := pull(list(1000)); n != 100_000 || err != nil {
		t.Errorf("of 100,000 files %d were brought, %v", n, err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for _, packets := range []int{1001, -1} {
		if n, err := pull(list(packets)); n != 0 || err == nil || !strings.Contains(err.Error(), "100,000 files") {
			t.Errorf("of a longer list %d files were brought, %v", n, err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if more := int64(after.HeapAlloc) - int64(before.HeapAlloc); more > 32<<20 {
		t.Errorf("%d bytes are still held", more)
	}
}

// TestLyingNames checks names that lead out of the folder, or into a list's next line.
func TestLyingNames(t *testing.T) {
	m := model{password: "tide-tables", sftp: lister(func(packet int) [][]byte {
		if packet > 0 {
			return nil
		}
		return [][]byte{entry("../../etc/passwd", 3), entry("a\nb.csv", 3), entry("..", 3), entry("x\\y", 3),
			entry("", 3)}
	})}
	var names []string
	for a, err := range mustOpen(t, m.settings(m.serve(t))).Pull(t.Context(), transport.Query{Most: 1 << 20}) {
		calltest.Done(t, err)
		if a.Name == "a\nb.csv" && (a.Wrong == nil || !strings.Contains(a.Wrong.Error(), `"a\nb.csv"`)) {
			t.Errorf("%q is wrong for %v", a.Name, a.Wrong)
		}
		names = append(names, a.Name)
	}
	if got := fmt.Sprintf("%q", names); got != `["a\nb.csv" "passwd"]` {
		t.Errorf("brought %s", got)
	}
}

// TestLyingSize checks a file that has more or less in it than the list says.
func TestLyingSize(t *testing.T) {
	for _, real := range []int{2, 4, 1 << 22} {
		path := t.TempDir()
		leave(t, path, real)
		server := files(path)
		var asked atomic.Int32
		m := model{password: "tide-tables", sftp: func(c io.ReadWriteCloser) {
			server(shrunk{c, uint64(real), &asked})
		}}
		err := pullError(t, mustOpen(t, m.settings(m.serve(t))))
		if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), "which is not what it sends") ||
			asked.Load() == 0 {
			t.Errorf("a file of %d bytes: %v", real, err)
		}
	}
}

// shrunk says of files of one size that they have three bytes.
type shrunk struct {
	io.ReadWriteCloser
	size  uint64
	asked *atomic.Int32
}

func (s shrunk) Write(p []byte) (int, error) {
	size := binary.BigEndian.AppendUint64(nil, s.size)
	if i := strings.Index(string(p), string(size)); i >= 0 && len(p) < 4096 {
		s.asked.Add(1)
		changed := append([]byte{}, p...)
		binary.BigEndian.PutUint64(changed[i:], 3)
		return s.ReadWriteCloser.Write(changed)
	}
	return s.ReadWriteCloser.Write(p)
}

// TestBrokenAnswers checks servers that do not speak SSH, or no SFTP that makes sense.
func TestBrokenAnswers(t *testing.T) {
	for name, say := range map[string]string{"nothing": "", "web": "HTTP/1.1 400 Bad Request\r\n\r\n",
		"rubbish": strings.Repeat("\xff", 1<<20), "old": "SSH-1.5-x\r\n"} {
		port := transporttest.Listen(t, func(conn net.Conn) { io.WriteString(conn, say) })
		m := model{password: "tide-tables"}
		_, m.key = newKey(t)
		if err := pullError(t, mustOpen(t, m.settings(port))); err == nil || len(err.Error()) > 300 {
			t.Errorf("%s: Pull = %v; want a sentence", name, err)
		}
	}
	huge := binary.BigEndian.AppendUint32(nil, 2<<30)
	for name, say := range map[string]func(io.ReadWriteCloser){
		"a packet of 2 GB": func(c io.ReadWriteCloser) { c.Write(append(huge, 2)) },
		"2 billion names": packets(func(kind byte, id uint32, send func(byte, []byte)) {
			send(map[byte]byte{11: 102, 12: 104}[kind],
				append(binary.BigEndian.AppendUint32(nil, id), map[byte][]byte{11: text("h"), 12: huge}[kind]...))
		}),
		"a refusal that echoes the password": packets(func(kind byte, id uint32, send func(byte, []byte)) {
			send(101, append(append(binary.BigEndian.AppendUint32(nil, id), 0, 0, 0, 4),
				append(text("pw=tide-tables\n"+strings.Repeat("x", 10_000)), text("")...)...))
		}),
	} {
		m := model{password: "tide-tables", sftp: say}
		err := pullError(t, mustOpen(t, m.settings(m.serve(t))))
		if err == nil || strings.Contains(err.Error(), "tables") || len(err.Error()) > 400 {
			t.Errorf("%s: Pull = %v; want a sentence without secrets", name, err)
		}
	}
}

// TestNoRenameOver puts files away at a server that has no extensions of the protocol and
// refuses to rename to a name that is taken.
func TestNoRenameOver(t *testing.T) {
	handlers := sftp.InMemHandler()
	handlers.FileCmd = plainRename{handlers.FileCmd}
	_, server, f := plainServer(t, handlers)
	for i, content := range []string{"one", "two!", "three"} {
		calltest.Done(t, f.Write(t.Context(), "crew.csv", []byte(content)))
		old := func() time.Time { return time.Now().Add(time.Hour) }
		dial := func(ctx context.Context) (watch.Folder, error) { return server.connect(ctx) }
		s := watch.New(watch.Config{Dial: dial, Now: old})
		for a, err := range s.Pull(t.Context(), transport.Query{}) {
			calltest.Done(t, err)
			if err := s.Settle(t.Context(), a.Key, transport.Outcome{}); err != nil {
				t.Errorf("%d: Settle = %v", i, err)
			}
		}
		if left, err := f.List(t.Context()); err != nil || len(left) != 1 || left[0].Name != "done" {
			t.Errorf("%d: the folder has %v, %v; want done/ alone", i, left, err)
		}
	}
}

// TestReplaceWithoutExtensions replaces a file at such a server.
func TestReplaceWithoutExtensions(t *testing.T) {
	calltest.Done(t, sftp.SetSFTPExtensions())
	t.Cleanup(func() {
		sftp.SetSFTPExtensions("hardlink@openssh.com", "posix-rename@openssh.com", "statvfs@openssh.com")
	})
	raw, _, f := plainServer(t, sftp.InMemHandler())
	s := calltest.Must(Outlet.Send(raw, loopback))(t)
	if _, can := f.sftp.HasExtension("posix-rename@openssh.com"); can {
		t.Fatal("the server has the extension")
	}
	for _, content := range []string{"longer", "two"} {
		doc := transport.Outgoing{Name: "a.json", Body: []byte(content)}
		if _, err := s.Send(t.Context(), doc); err != nil {
			t.Fatalf("Send(%s): %v", content, err)
		}
		list, err := f.List(t.Context())
		if err != nil || len(list) != 1 || list[0].Name != "a.json" || list[0].Size != int64(len(content)) {
			t.Errorf("the folder has %v, %v; want %s", list, err, content)
		}
	}
}

// plainServer connects to a server in memory, and returns the settings for it, the server and the connection.
func plainServer(t *testing.T, handlers sftp.Handlers) (json.RawMessage, *server, *folder) {
	t.Helper()
	m := model{password: "tide-tables", sftp: func(c io.ReadWriteCloser) { sftp.NewRequestServer(c, handlers).Serve() }}
	raw := calltest.Must(json.Marshal(with(m.settings(m.serve(t)), "path", "/")))(t)
	to := calltest.Must(newServer(watched, raw, loopback))(t)
	f := calltest.Must(to.connect(t.Context()))(t)
	t.Cleanup(func() { f.Close() })
	return raw, to, f
}

// plainRename refuses everything but the protocol's own rename, to a free name.
type plainRename struct{ sftp.FileCmder }

func (p plainRename) Filecmd(r *sftp.Request) error {
	if r.Method == "PosixRename" {
		return errors.ErrUnsupported
	}
	return p.FileCmder.Filecmd(r)
}
