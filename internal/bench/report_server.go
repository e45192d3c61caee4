package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"sync"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/reporting"
)

// The processes in which the report and its floor are served, each with memory of its own.
const (
	reportTask      = "report"
	reportFloorTask = "report floor"
	childProfile    = "GANGWAY_BENCH_PROFILE" // file for a processor profile of a child process
)

// A childServer is a process of this program that serves something at an address.
type childServer struct {
	cmd     *exec.Cmd
	stdin   io.Closer
	address string
}

// serveChild starts a process for a task with a database, and with more environment. It says where it listens.
func serveChild(ctx context.Context, task, url string, env ...string) (*childServer, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(append(os.Environ(), childTask+"="+task, childDatabase+"="+url), env...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	return &childServer{cmd, stdin, strings.TrimSpace(address)}, err
}

func (s *childServer) end() {
	s.stdin.Close()
	s.cmd.Wait()
}

// serveTask starts one for a task, with a processor profile of it where one is wanted.
func serveTask(ctx context.Context, p place, s scale, task, url string) (*childServer, error) {
	if s.profile == "" {
		return serveChild(ctx, task, url)
	}
	name := strings.ReplaceAll(p.name+" "+task, " ", "-") + ".pprof"
	return serveChild(ctx, task, url, childProfile+"="+filepath.Join(s.profile, name))
}

// withProfile does what a child process is for, and writes a processor profile of it where one is wanted.
func withProfile(do func() error) error {
	file := os.Getenv(childProfile)
	if file == "" {
		return do()
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := pprof.StartCPUProfile(out); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return do()
}

// serveUntilTold serves at an address, which it prints, until the standard input of this process ends.
func serveUntilTold(handler func(root string) (http.Handler, error)) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	root := "http://" + l.Addr().String()
	serving, err := handler(root)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: serving}
	go server.Serve(l)
	defer server.Close()
	fmt.Println(root)
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// answerReport is what the process of the report, or of its floor, does until its standard input ends.
func answerReport(ctx context.Context, bare bool) error {
	url := os.Getenv(childDatabase)
	db, err := store.OpenWith(ctx, url, store.Options{Serve: !bare})
	if err != nil {
		return err
	}
	defer db.Close()
	account, err := onlyAccount(ctx, db)
	if err != nil {
		return err
	}
	return serveUntilTold(func(root string) (http.Handler, error) {
		if bare {
			return newReportFloor(url, account.ID, account.Customer.ID)
		}
		return reportAndBookings(db, account, root), nil
	})
}

// reportAndBookings serves the report, and at /book makes bookings.
func reportAndBookings(db *store.DB, account gangway.Account, root string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/reporting/", http.StripPrefix("/reporting", reporting.New(reporting.Config{DB: db, Now: time.Now,
		Log: slog.New(slog.NewTextHandler(os.Stderr, nil)), URL: root + "/reporting",
		Budget: web.NewBudget(256<<20, 32<<20, web.Patience)})))
	maker := bookingMaker{db.In(account.Scope())}
	mux.HandleFunc("/book", func(w http.ResponseWriter, r *http.Request) {
		d, err := time.ParseDuration(r.FormValue("for"))
		if err == nil {
			var took []time.Duration
			if took, err = maker.book(r.Context(), d); err == nil {
				err = json.NewEncoder(w).Encode(took)
			}
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	return web.FindClient([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, mux)
}

// bookingsASecond are made while reports are read.
const bookingsASecond = 50

// A bookingMaker makes bookings.
type bookingMaker struct{ in store.Scoped }

// book makes bookings for as long as d, evenly spread, and returns how long it took to commit each.
// None waits for the ones before it.
func (m bookingMaker) book(ctx context.Context, d time.Duration) ([]time.Duration, error) {
	var (
		took   []time.Duration
		failed error
		mu     sync.Mutex
		making sync.WaitGroup
	)
	turn := time.NewTicker(time.Second / bookingsASecond)
	defer turn.Stop()
	for n := 0; n < int(d*bookingsASecond/time.Second); n++ {
		b := bookingOf(n, time.Now())
		b.ID, b.Locator, b.State, b.Version = store.NewID("bkg"), rand.Text()[:10], gangway.Confirmed, 1
		b.Purpose.Search, b.Tickets, b.Order = b.ID, nil, "ord_"+b.ID
		<-turn.C
		making.Go(func() {
			commit, err := m.bookOne(ctx, b)
			mu.Lock()
			defer mu.Unlock()
			if took = append(took, commit); err != nil {
				failed = err
			}
		})
	}
	making.Wait()
	return took, failed
}

// bookOne makes a booking, and returns how long its transaction took.
func (m bookingMaker) bookOne(ctx context.Context, b gangway.Booking) (time.Duration, error) {
	intent := store.Intent{ID: b.ID, Booking: b.ID, Kind: "book", Doc: []byte("{}"), CreatedAt: b.CreatedAt,
		Lease: b.CreatedAt}
	if err := m.in.BeginBooking(ctx, intent, store.Hold{Search: b.ID}); err != nil {
		return 0, err
	}
	began := time.Now()
	_, err := m.in.CreateBooking(ctx, b.ID, b, gangway.Action{Name: b.State, Seq: 1, At: b.CreatedAt,
		By: b.CreatedBy})
	return time.Since(began), err
}
