package web_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/web"
)

func TestWantProgress(t *testing.T) {
	// Each writes for as long as its reader receives.
	large := bytes.Repeat([]byte("x"), 64*mib) // more than any system keeps for a connection
	for _, tt := range []struct {
		name  string
		write func(w http.ResponseWriter) error
	}{
		{"a page", func(w http.ResponseWriter) error {
			_, err := w.Write(large)
			return err
		}},
		{"a stream", func(w http.ResponseWriter) error {
			flow := http.NewResponseController(w)
			for {
				if _, err := w.Write(large[:1000]); err != nil {
					return err
				}
				if err := flow.Flush(); err != nil {
					return err
				}
			}
		}},
	} {
		t.Run("a client that receives nothing is cut off: "+tt.name, func(t *testing.T) {
			ended := make(chan error, 1)
			s := httptest.NewServer(web.WantProgress(10*time.Millisecond,
				http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					ended <- tt.write(w)
				})))
			defer s.Close()
			conn := dial(t, s, "127.0.0.1")
			fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("writing ended with %v; want a timeout", err)
			}
		})
	}

	t.Run("a client that keeps receiving gets everything, whatever the server's write timeout", func(t *testing.T) {
		s := httptest.NewUnstartedServer(web.WantProgress(time.Hour,
			http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Write(large)
			})))
		s.Config.WriteTimeout = time.Nanosecond
		s.Start()
		defer s.Close()
		res := calltest.Must(http.Get(s.URL))(t)
		defer res.Body.Close()
		if n, err := io.Copy(io.Discard, res.Body); err != nil || n != int64(len(large)) {
			t.Errorf("%d bytes came, %v; want %d", n, err, len(large))
		}
	})
	t.Run("by HTTP/2 a stream may be silent for longer, and a client that receives nothing is cut", func(t *testing.T) {
		const patience = 500 * time.Millisecond
		s := httptest.NewUnstartedServer(web.WantProgress(patience,
			http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				http.NewResponseController(w).Flush()
				<-time.After(2 * patience)
				w.Write(large)
			})))
		s.EnableHTTP2 = true
		s.StartTLS()
		res, err := s.Client().Get(s.URL)
		if err != nil || res.ProtoMajor != 2 {
			t.Fatal(res, err)
		}
		defer res.Body.Close()
		s.Config.Shutdown(t.Context()) // when the answer has ended
		if n, err := io.Copy(io.Discard, res.Body); n < 1000 || err == nil {
			t.Errorf("%d bytes came, %v; want the stream to go on after its silence, and to be cut", n, err)
		}
	})
	t.Run("a handler may set a deadline of its own", func(t *testing.T) {
		var failed error
		s := httptest.NewServer(web.WantProgress(time.Hour,
			http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				http.NewResponseController(w).SetWriteDeadline(time.Unix(0, 1))
				_, failed = w.Write(large)
			})))
		if res, err := http.Get(s.URL); err == nil {
			res.Body.Close()
		}
		s.Close()
		if !errors.Is(failed, os.ErrDeadlineExceeded) {
			t.Errorf("Write = %v; want a timeout", failed)
		}
	})
}

func TestBudgetOfPages(t *testing.T) {
	b := web.NewBudget(4*mib, 0) // 1 MiB for pages
	write := func(client string, bytes int) (*web.Page, error) {
		p := b.Page(client)
		for range bytes / 1000 {
			if _, err := p.Write(make([]byte, 1000)); err != nil {
				return p, err
			}
		}
		return p, nil
	}
	var all []*web.Page
	for range 100 { // one person, who reads nothing
		p, err := write("ines", 100_000)
		if all = append(all, p); err != nil {
			if !refused(err) {
				t.Fatalf("Write = %v; want 503 with Retry-After", err)
			}
			break
		}
	}
	if n := len(all); n < 2 || n > 6 {
		t.Errorf("one person has %d pages of 100 kB; want as many as fit into half of 1 MiB", n)
	}
	if _, err := write("ines", 10_000); err != nil {
		t.Errorf("the page that says that there is no room: %v; want room for it", err)
	}
	other, err := write("jon", 100_000)
	if err != nil || len(other.Bytes()) != 100_000 {
		t.Errorf("a page for somebody else: %v, %d bytes; want all of it", err, len(other.Bytes()))
	}
	for _, p := range all {
		p.Release()
	}
	if _, err := write("ines", 200_000); err != nil {
		t.Errorf("after they were received: %v; want room", err)
	}
}

// TestReportsFillNoPages: those who ask for reports and read nothing are in the way of no page, and of no other reader
// of reports than those of their own network.
func TestReportsFillNoPages(t *testing.T) {
	b := web.NewBudget(4*mib, 0) // 1 MiB for reports
	for _, client := range []string{"slow", "slower"} {
		for full := false; !full; {
			_, err := b.ReportPage(client).Write(make([]byte, 100_000))
			if full = err != nil; full && !refused(err) {
				t.Fatalf("Write = %v; want 503 with Retry-After", err)
			}
		}
		if client == "slow" {
			if _, err := b.ReportPage("somebody").Write(make([]byte, 100_000)); err != nil {
				t.Errorf("an answer for somebody else: %v; want room", err)
			}
		}
	}
	if _, err := b.Page("ines").Write(make([]byte, 400_000)); err != nil {
		t.Errorf("a page beside reports that nobody reads: %v; want room", err)
	}
}
