package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app"
	"gangway/internal/web/reporting"
)

// A front listens. It answers from the moment that its port is bound, though the server
// behind it may be built only later.
type front struct {
	listener net.Listener
	server   *http.Server
	behind   atomic.Pointer[http.Handler]
	failed   chan error // holds the reason why it stopped listening
	drain    time.Duration
}

// newFront listens on l and passes requests to h, until it is opened to another handler. Each has an identifier from
// here on.
func newFront(l net.Listener, h http.Handler, m *meters, now func() time.Time, log *slog.Logger) *front {
	f := &front{listener: l, failed: make(chan error, 1)}
	f.open(h)
	f.server = &http.Server{
		Handler:           web.NameRequests(now, web.Observe(m, f)),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       2 * time.Minute, // 32 MiB over a line from a ship
		WriteTimeout:      5 * time.Minute, // until the first byte, because a page may wait for a search
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    headBytes - headSlack,
		HTTP2: &http.HTTP2Config{MaxConcurrentStreams: 100, MaxReceiveBufferPerConnection: unread,
			MaxReceiveBufferPerStream: unread, WriteByteTimeout: web.AnswerPatience},
		ErrorLog: slog.NewLogLogger(quietLog{log.Handler()}, slog.LevelWarn),
	}
	go func() { f.failed <- f.server.Serve(l) }()
	return f
}

// headBytes is how long the head of a request may be, for each of thousands of connections that may be slow;
// net/http reads headSlack more than it is told.
const (
	headBytes = 16 << 10
	headSlack = 4 << 10
)

// unread is how much of its bodies a connection of HTTP/2 may send before they are read. It is memory of the program,
// and bounds the speed of an upload: to 200 kB/s over a satellite.
const unread = 128 << 10

// A quietLog leaves out failed handshakes: every scanner of the internet causes them.
type quietLog struct{ slog.Handler }

// Handle is part of slog.Handler.
func (l quietLog) Handle(ctx context.Context, line slog.Record) error {
	if strings.HasPrefix(line.Message, "http: TLS handshake error") && !l.Enabled(ctx, slog.LevelDebug) {
		return nil
	}
	return l.Handler.Handle(ctx, line)
}

// ServeHTTP answers a request as the handler that f was opened to last.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'") // pages have theirs
	(*f.behind.Load()).ServeHTTP(w, r)
}

// open passes requests to h from now on.
func (f *front) open(h http.Handler) { f.behind.Store(&h) }

// leaveBalancers has the server say for a while that it is not ready and serve all the same, so that balancers send
// their next requests elsewhere, on connections of their own. Ctrl-C does not wait for that, and a second signal ends
// the wait.
func (f *front) leaveBalancers(ctx context.Context) {
	if f.drain == 0 || strings.HasPrefix(context.Cause(ctx).Error(), os.Interrupt.String()) {
		return
	}
	again := make(chan os.Signal, 1)
	signal.Notify(again, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(again)
	stopping := func(context.Context) error { return gangway.Errorf(gangway.Unavailable, "Gangway is stopping") }
	serving := withHealth(stopping, *f.behind.Load())
	f.open(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close") // so that none is in use when the listener closes
		serving.ServeHTTP(w, r)
	}))
	select {
	case <-time.After(f.drain):
	case <-again:
	}
}

// errWaiting says that the server has no database yet.
var errWaiting = web.Starting("Gangway is starting: it waits for its database, or brings it up to date; please try " +
	"again in a moment")

// startingHandler answers while a server has no database yet: it is alive but not ready,
// and everybody is told to try again.
func startingHandler(at addresses, log *slog.Logger) (http.Handler, error) {
	pages, err := app.Away(at.app.String(), log)
	if err != nil {
		return nil, err
	}
	starting := func(refuse func(http.ResponseWriter, *http.Request, error)) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { refuse(w, r, errWaiting) })
	}
	unready := func(context.Context) error { return errWaiting }
	return withHealth(unready, routeByHost([]surface{
		{name: "api", at: at.base, handler: starting(web.Problem)}, {name: "app", at: at.app, handler: pages},
		{name: "report", at: at.reporting, handler: starting(reporting.Refuse)},
	}, web.Problem)), nil
}

// withHealth answers monitoring, whatever host it calls: /healthz says that the process is
// alive, /readyz that it reaches its database.
func withHealth(ready func(context.Context) error, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
			web.NoteSurface(r.Context(), "health")
			web.NoteRoute(r.Context(), r.URL.Path)
		}
		switch r.URL.Path {
		case "/healthz":
			fmt.Fprintln(w, "alive")
		case "/readyz":
			ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
			defer cancel()
			if err := ready(ctx); err != nil {
				if web.Answer(w.Header(), err) != http.StatusServiceUnavailable {
					w.Header().Set("Retry-After", web.RetryAfter)
				}
				http.Error(w, store.Shown(err).Error(), http.StatusServiceUnavailable)
				return
			}
			fmt.Fprintln(w, "ready")
		default:
			next.ServeHTTP(w, r)
		}
	})
}
