package limit

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var errLong = errors.New("too long")

// TestDo checks that whatever hangs is cut, and that the error says why.
func TestDo(t *testing.T) {
	hang := func(cut <-chan struct{}) func() error {
		return func() error { <-cut; return io.ErrClosedPipe }
	}
	for _, tt := range []struct {
		name        string
		waits, long time.Duration
		want        string
	}{
		{"too slow", time.Hour, time.Minute, "the server did not answer within 1m0s"},
		{"given up", time.Minute, time.Hour, context.DeadlineExceeded.Error()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), tt.waits)
				defer cancel()
				cut := make(chan struct{})
				if err := Do(ctx, tt.long, func() { close(cut) }, hang(cut)); err == nil || err.Error() != tt.want {
					t.Errorf("Do = %v; want %s", err, tt.want)
				}
			})
		})
	}
	t.Run("a panic is an error", func(t *testing.T) {
		cut := 0
		if err := Do(t.Context(), time.Hour, func() { cut++ }, func() error { panic("tide-tables") }); err == nil ||
			strings.Contains(err.Error(), "tide") || cut != 1 {
			t.Errorf("Do = %v, cut %d times; want a sentence and one cut", err, cut)
		}
	})
	t.Run("whoever is gone asks nothing", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := Do(ctx, time.Hour, func() {}, func() error { t.Error("called"); return nil }); err == nil {
			t.Error("Do = nil; want an error")
		}
	})
}

// TestBody checks lengths to the byte.
func TestBody(t *testing.T) {
	for _, tt := range []struct {
		most int64
		got  string
		err  error
	}{{3, "abc", errLong}, {4, "abcd", nil}, {5, "abcd", nil}, {0, "", errLong}} {
		b := NewBody(t.Context(), strings.NewReader("abcd"), func() {}, tt.most, errLong)
		got, err := io.ReadAll(b)
		if string(got) != tt.got || err != tt.err {
			t.Errorf("of abcd at most %d: %q, %v; want %q, %v", tt.most, got, err, tt.got, tt.err)
		}
		if _, again := b.Read(make([]byte, 1)); again == nil {
			t.Error("reading goes on after the end")
		}
	}
}

// TestDrip ends a document that comes a byte a second.
func TestDrip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from, to := net.Pipe()
		var dripping sync.WaitGroup
		defer dripping.Wait()
		dripping.Go(func() {
			for {
				if _, err := from.Write([]byte("x")); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		})
		b := NewBody(t.Context(), to, func() { to.Close() }, 1<<20, errLong)
		got, err := io.ReadAll(b)
		if !errors.Is(err, ErrSlow) || len(got) != 32 { // the first came at once, the last after 31 seconds
			t.Errorf("%d bytes, %v; want ErrSlow after 32", len(got), err)
		}
	})
}

// TestConn ends a connection by its bytes and by its lines.
func TestConn(t *testing.T) {
	for _, tt := range []struct {
		bytes, lines int64
		good         bool
	}{{8, 2, true}, {7, 2, false}, {8, 1, false}} {
		from, to := net.Pipe()
		c := NewConn(to)
		c.Allow(tt.bytes, tt.lines)
		go func() {
			from.Write([]byte("abc\nefg\n"))
			from.Close()
		}()
		got, err := io.ReadAll(c)
		if tt.good != (err == nil && string(got) == "abc\nefg\n") || !tt.good && !errors.Is(err, ErrTooMuch) {
			t.Errorf("with %d bytes and %d lines: %q, %v", tt.bytes, tt.lines, got, err)
		}
	}
}

// TestWords checks that what a server says stays one short line without secrets.
func TestWords(t *testing.T) {
	for said, want := range map[string]string{
		"550 No\r\nsuch\tfile\x1b[31m": "550 No such file [31m",
		"pass tide-tables wrong":       "pass … wrong",
		"\xff":                         "�",
		strings.Repeat("x", 300):       strings.Repeat("x", 200) + "…",
	} {
		if got := Words(said, "", "tide-tables"); got != want {
			t.Errorf("Words(%q) = %q; want %q", said, got, want)
		}
	}
	long := strings.Repeat("x", 195) + "tide-tables"
	if got := Words(long, "tide-tables"); bytes.Contains([]byte(got), []byte("tide")) {
		t.Errorf("Words = %q; want no part of the secret", got)
	}
}
