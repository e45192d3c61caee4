package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/access"
	"gangway/internal/web/app"
)

// pageReaders is how many people look at a page at the same time: a coordinator and those who
// got the link.
const pageReaders = 16

// crewsOpen is how many crew changes of 40 are open at the same time, each with its results.
const crewsOpen = 50

// measurePage measures what a page costs in processor time, uncompressed and after its search,
// while several people request it.
func measurePage(ctx context.Context, p place, s scale) ([]line, error) {
	b, err := newPageBench(ctx, p)
	if err != nil {
		return nil, err
	}
	defer b.db.Close()
	var lines []line
	for _, look := range []struct {
		name    string
		people  int // of the search that is shown; none: the first page
		query   string
		most    time.Duration
		repeats int
	}{
		{"the first page", 0, "", time.Millisecond, 640},
		{"results of one traveller", 1, "", 4 * time.Millisecond, 320},
		{"results of one traveller, filtered", 1, "?stops=1&sort=arrival", 4 * time.Millisecond, 320},
		{"a crew change of 40", 40, "", 10 * time.Millisecond, 96},
		{"a crew change of 40, one opened", 40, "?member=3", 14 * time.Millisecond, 96},
		{"a crew change of 200", 200, "", 40 * time.Millisecond, 32},
	} {
		path := "/"
		if look.people > 0 {
			if path, err = b.search(ctx, look.people); err != nil {
				return nil, err
			}
			if err := b.read(path + "?wait=1"); err != nil { // until everything is found
				return nil, err
			}
		}
		took, err := profiled(s.profile, p.name+" "+look.name, func() (time.Duration, error) {
			return b.readers(path+look.query, look.repeats)
		})
		if err != nil {
			return nil, err
		}
		lines = append(lines, within("page, processor: "+look.name, took, look.most))
	}
	return b.opened(ctx, lines)
}

// profiled measures something and, if a folder is given, writes a processor profile of it there.
func profiled(folder, name string, measure func() (time.Duration, error)) (time.Duration, error) {
	if folder == "" {
		return measure()
	}
	out, err := os.Create(filepath.Join(folder, strings.ReplaceAll(name, " ", "-")+".pprof"))
	if err != nil {
		return 0, err
	}
	defer out.Close()
	if err := pprof.StartCPUProfile(out); err != nil {
		return 0, err
	}
	defer pprof.StopCPUProfile()
	return measure()
}

// opened adds the memory that crew changes take when they are open side by side.
func (b *pageBench) opened(ctx context.Context, lines []line) ([]line, error) {
	before := heapInUse()
	for range crewsOpen {
		path, err := b.search(ctx, 40)
		if err != nil {
			return nil, err
		}
		if err := b.read(path + "?wait=1"); err != nil {
			return nil, err
		}
	}
	more := (heapInUse() - before) >> 20
	return append(lines, line{
		measure: fmt.Sprintf("page: %d crew changes of 40 open, memory", crewsOpen),
		got:     fmt.Sprintf("%d MB", more), want: "≤ 256 MB", ok: more <= 256,
	}), nil
}

func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A pageBench is the web application with somebody signed in.
type pageBench struct {
	db      *store.DB
	in      store.Scoped
	handler http.Handler
	cookies []*http.Cookie
	ids     int
}

func newPageBench(ctx context.Context, p place) (*pageBench, error) {
	db, _, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	now := func() time.Time { return time.Date(2036, 11, 20, 9, 0, 0, 0, time.UTC) }
	sells, err := sim.New(sim.Config{Now: now})
	if err != nil {
		return nil, err
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	desk := book.New(book.Config{DB: db, Now: now, Log: log, Suppliers: func(_ context.Context, in store.Scoped,
		_ string) (flight.Supplier, error) {
		return sells.For(in.Ledger(), 0), nil
	}})
	pages, err := app.New(app.Config{DB: db, Desk: desk, Now: now, Log: log, BaseURL: "http://bench/api",
		AppURL: "http://bench"})
	if err != nil {
		return nil, err
	}
	account, _, err := db.CreateCustomer(ctx, operator, "Harbour Crewing", now())
	if err != nil {
		return nil, err
	}
	who := gangway.User{ID: "u_bench", Customer: account.Customer.ID, Email: "booker@example.com", Name: "Ingrid Holm",
		Role: gangway.Booker}
	if err := db.CreateUser(ctx, operator, who, access.HashPassword(benchPassword), now()); err != nil {
		return nil, err
	}
	b := &pageBench{db: db, in: db.In(account.Scope()),
		handler: web.FindClient([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, pages)}
	return b, b.signIn(who.Email)
}

const benchPassword = "grey heron on a pole"

func (b *pageBench) signIn(email string) error {
	form := url.Values{"email": {email}, "password": {benchPassword}}
	r := httptest.NewRequest(http.MethodPost, "http://bench/sign-in", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	if b.cookies = w.Result().Cookies(); len(b.cookies) == 0 {
		return fmt.Errorf("signing in is answered with %d", w.Code)
	}
	return nil
}

// search stores a search for a crew of some people and returns the address of its page.
func (b *pageBench) search(ctx context.Context, people int) (string, error) {
	b.ids++
	s := gangway.Search{
		ID: fmt.Sprintf("srch_bench%d", b.ids), By: "booker@example.com", CreatedAt: time.Date(2036, 11, 20, 9, 0, 0, 0,
			time.UTC),
		Vessel: "Nordlys", Flag: "NO", Airport: "AMS", Date: "2036-12-01",
	}
	for i := range people {
		t := crewMember(b.ids*1000 + i)
		t.HomeAirport = gangway.Airport(homes[i%len(homes)])
		m := gangway.SearchMember{Traveller: t, Rank: "Able seaman"}
		switch home := gangway.Place(t.HomeAirport); {
		case people == 1 || i%2 == 0:
			m.Side, m.Legs = gangway.OnSigner, []gangway.Leg{{Origin: home, Destination: "AMS", ArriveOn: "2036-12-01"}}
		default:
			m.Side, m.Legs = gangway.OffSigner, []gangway.Leg{{Origin: "AMS", Destination: home, Date: "2036-12-01"}}
		}
		s.Members = append(s.Members, m)
	}
	return "/searches/" + s.ID, b.in.SaveSearch(ctx, s)
}

// readers has several people request a page, so many times in all, and returns the processor
// time of one.
func (b *pageBench) readers(path string, times int) (time.Duration, error) {
	for range 2 { // warm
		if err := b.read(path); err != nil {
			return 0, err
		}
	}
	took, err := processor(func() error {
		var left atomic.Int64
		left.Store(int64(times))
		errs := make([]error, pageReaders)
		var wait sync.WaitGroup
		for i := range pageReaders {
			wait.Go(func() {
				for errs[i] == nil && left.Add(-1) >= 0 {
					if errs[i] = b.read(path); errors.Is(errs[i], errTurnedAway) { // only so many are made at once
						errs[i] = nil
						left.Add(1)
					}
				}
			})
		}
		wait.Wait()
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		return nil
	})
	return took / time.Duration(times), err
}

// errTurnedAway is a page that was not made because too many others were.
var errTurnedAway = errors.New("turned away")

// read requests a page uncompressed, as a browser would.
func (b *pageBench) read(path string) error {
	r := httptest.NewRequest(http.MethodGet, "http://bench"+path, nil)
	for _, c := range b.cookies {
		r.AddCookie(c)
	}
	w := taker{head: http.Header{}, status: http.StatusOK}
	b.handler.ServeHTTP(&w, r)
	if w.status == http.StatusServiceUnavailable {
		return errTurnedAway
	}
	if w.status != http.StatusOK || !bytes.Contains(w.end, []byte("</html>")) {
		return fmt.Errorf("the page %s is answered with %d", path, w.status)
	}
	return nil
}

// A taker receives an answer and keeps only its end: the measurement is of what a page costs,
// without a second copy in memory.
type taker struct {
	head   http.Header
	status int
	end    []byte
}

// Header is part of http.ResponseWriter.
func (t *taker) Header() http.Header { return t.head }

// WriteHeader is part of http.ResponseWriter.
func (t *taker) WriteHeader(status int) { t.status = status }

// Write is part of http.ResponseWriter.
func (t *taker) Write(p []byte) (int, error) {
	t.end = append(t.end[:0], p[max(0, len(p)-32):]...)
	return len(p), nil
}
