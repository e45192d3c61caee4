package transporttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/need"
	"gangway/internal/transport"
)

// A Target is a customer's folder that files are left in, as the suite needs it.
type Target struct {
	Settings json.RawMessage
	Secrets  []string

	// Mistakes are settings that do not work, by what the sentence about them says.
	Mistakes map[string]json.RawMessage

	// Dies is asked before anything reaches the server, which then dies if it says so, and is back
	// at once. Nil: there is no server.
	Dies func(now func() bool)
}

// document returns one of so many bytes; it never ends with a part of itself.
func document(name string, size int) transport.Outgoing {
	return transport.Outgoing{ID: "msg_2", Name: name, Type: "application/json",
		Body: []byte(strings.Repeat("[{}]\n", size/5) + "end")}
}

// Dropped runs the suite of what every transport does that leaves files in folders. make serves a
// folder of this machine.
func Dropped(t *testing.T, kind transport.Kind, make func(t *testing.T, path string) Target) {
	open := func(t *testing.T, settings json.RawMessage) transport.Sender {
		t.Helper()
		s, err := kind.Send(settings, transport.Options{Allow: Loopback})
		if err != nil {
			t.Fatalf("Send(%s): %v", kind.Name, err)
		}
		return s
	}
	mustSend := func(t *testing.T, s transport.Sender, doc transport.Outgoing) {
		t.Helper()
		if answer, err := s.Send(t.Context(), doc); err != nil || answer.Status != http.StatusOK {
			t.Fatalf("Send(%s) = %d, %v; want 200", doc.Name, answer.Status, err)
		}
	}
	// there checks that a folder has this document and nothing else.
	there := func(t *testing.T, path string, doc transport.Outgoing) {
		t.Helper()
		same(t, "the folder", WatchedFolder{Path: path}.names(t, ""), doc.Name)
		if got := read(t, filepath.Join(path, doc.Name)); got != string(doc.Body) {
			t.Errorf("%s has %d bytes; want the %d of the document", doc.Name, len(got), len(doc.Body))
		}
	}
	served := make(t, t.TempDir()).Dies != nil
	atServer := func(promise string, hold func(*testing.T)) {
		if served {
			t.Run(promise, hold)
		}
	}
	doc := document("bkg_1-3-msg_2.json", 20_000)

	t.Run("a file is there whole, and nothing beside it", func(t *testing.T) {
		path := t.TempDir()
		mustSend(t, open(t, make(t, path).Settings), doc)
		there(t, path, doc)
	})
	t.Run("an empty one and a long one as well", func(t *testing.T) {
		for _, doc := range []transport.Outgoing{{Name: "empty.csv"}, document("long.csv", 3<<20)} {
			path := t.TempDir()
			mustSend(t, open(t, make(t, path).Settings), doc)
			there(t, path, doc)
		}
	})
	t.Run("a repeat replaces what is there, by another sender as well", func(t *testing.T) {
		path := t.TempDir()
		target := make(t, path)
		longer := document(doc.Name, 2*len(doc.Body))
		first := open(t, target.Settings)
		mustSend(t, first, longer)
		mustSend(t, first, doc)
		there(t, path, doc)
		mustSend(t, open(t, target.Settings), longer)
		mustSend(t, first, doc)
		there(t, path, doc)
	})
	t.Run("what an earlier try has left unfinished is replaced", func(t *testing.T) {
		path := t.TempDir()
		write(t, filepath.Join(path, doc.Name+".part"), strings.Repeat("x", 2*len(doc.Body)), 0o600)
		mustSend(t, open(t, make(t, path).Settings), doc)
		there(t, path, doc)
	})
	t.Run("what another replica delivers gets no name", func(t *testing.T) {
		path := t.TempDir()
		ctx := transport.WithHeld(t.Context(), func() bool { return false })
		if _, err := open(t, make(t, path).Settings).Send(ctx, doc); !errors.Is(err, transport.ErrNotHeld) {
			t.Errorf("Send = %v; want it not sent", err)
		}
		same(t, "the folder", WatchedFolder{Path: path}.names(t, ""))
	})
	t.Run("many at once", func(t *testing.T) {
		path := t.TempDir()
		s := open(t, make(t, path).Settings)
		const many = 20
		var sending sync.WaitGroup
		for i := range many {
			sending.Go(func() {
				doc := document(fmt.Sprintf("%d.json", i), 1000)
				if _, err := s.Send(t.Context(), doc); err != nil {
					t.Errorf("Send(%s): %v", doc.Name, err)
				}
			})
		}
		sending.Wait()
		if names := (WatchedFolder{Path: path}).names(t, ""); len(names) != many {
			t.Errorf("there are %q; want %d files", names, many)
		}
	})
	atServer("a server that dies before a file has its name loses and doubles nothing", func(t *testing.T) {
		// It dies at the next thing it is asked once the file is whole, or the one after it, …, until
		// it has nothing more to be asked.
		for after := int64(0); ; after++ {
			path := t.TempDir()
			target := make(t, path)
			var asked atomic.Int64
			target.Dies(func() bool {
				info, err := os.Stat(filepath.Join(path, doc.Name+".part"))
				return err == nil && info.Size() == int64(len(doc.Body)) && asked.Add(1) == after+1
			})
			s := open(t, target.Settings)
			_, err := s.Send(t.Context(), doc)
			if err == nil && after > 0 {
				there(t, path, doc)
				break
			}
			if names := (WatchedFolder{Path: path}).names(t, ""); err == nil || len(names) != 1 ||
				names[0] != doc.Name+".part" {
				t.Fatalf("Send = %v, with %q in the folder; want an error, and the file without its name", err, names)
			}
			mustSend(t, s, doc)
			there(t, path, doc)
		}
	})
	atServer("a connection that the server has ended meanwhile fails nothing", func(t *testing.T) {
		path := t.TempDir()
		target := make(t, path)
		s := open(t, target.Settings)
		mustSend(t, s, document(doc.Name, 10))
		var died atomic.Bool
		target.Dies(func() bool { return died.CompareAndSwap(false, true) })
		mustSend(t, s, doc)
		if there(t, path, doc); !died.Load() {
			t.Error("the connection was not used again")
		}
	})
	atServer("a server that hangs is not waited for longer than the caller waits", func(t *testing.T) {
		target := make(t, t.TempDir())
		s := open(t, target.Settings)
		mustSend(t, s, doc)
		target.Dies(func() bool {
			<-t.Context().Done()
			return true
		})
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := s.Send(ctx, doc); err == nil || !strings.Contains(err.Error(), "no answer in time") {
			t.Errorf("Send = %v; want no answer in time", err)
		}
	})
	t.Run("a full disk is an error, and the next try has room", func(t *testing.T) {
		path := smallDisk(t, "64k")
		target := make(t, path)
		s := open(t, target.Settings)
		full := filepath.Join(path, "full")
		write(t, full, strings.Repeat("x", 60<<10), 0o600)
		_, err := s.Send(t.Context(), doc)
		if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), doc.Name) {
			t.Errorf("Send = %v; want a sentence that names the file", err)
		}
		same(t, "the folder", (WatchedFolder{Path: path}).names(t, ""), "full")
		calltest.Done(t, os.Remove(full))
		mustSend(t, s, doc)
		there(t, path, doc)
	})
	t.Run("settings that do not work are an error without secrets", func(t *testing.T) {
		target := make(t, t.TempDir())
		for says, settings := range target.Mistakes {
			_, err := open(t, settings).Send(t.Context(), doc)
			if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("Send = %v; want one line that says %q", err, says)
				continue
			}
			for _, secret := range append(target.Secrets, "[{}]") {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("Send = %v; want no secret in it", err)
				}
			}
		}
	})
	atServer("what the operator has not allowed is not connected to", func(t *testing.T) {
		target := make(t, t.TempDir())
		s, err := kind.Send(target.Settings, transport.Options{})
		if err == nil {
			_, err = s.Send(t.Context(), doc)
		}
		if err == nil || !strings.Contains(err.Error(), "--allow-network") {
			t.Errorf("Send = %v; want it refused", err)
		}
	})
}

// smallDisk returns a folder on a disk of its own. That needs root.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	path := t.TempDir()
	out, err := exec.Command("mount", "-t", "tmpfs", "-o", "mode=777,size="+size, "tmpfs", path).CombinedOutput()
	if err != nil {
		need.Root(t, fmt.Errorf("a small disk cannot be mounted: %w %s", err, out))
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", path).Run() })
	return path
}

// Mortal listens on this machine and passes everything on to a port of it, both ways. What dies is
// given is asked before anything reaches that port: where it says so, the connection breaks instead.
func Mortal(t testing.TB, port int) (mortal int, dies func(now func() bool)) {
	t.Helper()
	var now atomic.Pointer[func() bool]
	return Listen(t, func(conn net.Conn) {
		to, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			return
		}
		go func() {
			defer to.Close()
			for said := make([]byte, 64<<10); ; {
				n, err := conn.Read(said)
				if ask := now.Load(); err != nil || ask != nil && (*ask)() {
					return
				}
				if _, err := to.Write(said[:n]); err != nil {
					return
				}
			}
		}()
		io.Copy(conn, to)
	}), func(ask func() bool) { now.Store(&ask) }
}
