package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"gangway/internal/accept"
	"gangway/internal/accept/poll"
	"gangway/internal/book"
	"gangway/internal/book/flight/sim"
	"gangway/internal/book/plan"
	"gangway/internal/deliver"
	"gangway/internal/deliver/notify"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
	"gangway/internal/web"
	"gangway/internal/web/api"
	"gangway/internal/web/app"
	"gangway/internal/web/hooks"
	"gangway/internal/web/reporting"
	"gangway/internal/world"
)

type serveCommand struct {
	Listen string `default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Address and port to listen on, or a Unix socket, as in unix:/run/gangway/gangway.sock (${default})."`
	storeFlags
	erasureFlags
	mailFlags
	logFlags
	tlsFlags
	keepFlags
	BaseURL           string         `name:"base-url" placeholder:"URL" help:"Where customers' programs reach the integration surface. --app-url with /api when it is not given."`
	AppURL            string         `name:"app-url" placeholder:"URL" help:"Where people reach the web application. The listener itself when it is not given."`
	ReportingURL      string         `name:"reporting-url" placeholder:"URL" help:"Where the report is read. --app-url with /reporting when it is not given."`
	AllowNetwork      []netip.Prefix `placeholder:"CIDR" help:"A private network that customers' addresses may be in, as in 10.20.0.0/16. Without it only public addresses are called. Can be given several times."`
	TrustedProxy      []netip.Prefix `placeholder:"CIDR" help:"A network of reverse proxies whose X-Forwarded-For is trusted, as in 127.0.0.1/32. Without it, whoever connects is the client. Can be given several times."`
	UploadBytes       int64          `default:"33554432" placeholder:"BYTES" help:"The largest upload, decompressed (${default})."`
	UploadRecords     int            `default:"50000" placeholder:"N" help:"The most records in one upload (${default})."`
	UploadDepth       int            `default:"64" placeholder:"N" help:"How deep the values of an upload may be nested (${default})."`
	RequestsPerMinute int            `default:"6000" placeholder:"N" help:"The most requests of one API key in a minute (${default})."`
	RequestMemory     int64          `default:"0" placeholder:"BYTES" help:"The memory that the bodies of all requests in progress may take together, at least four of the largest uploads; beyond it they wait, and then are told to try again. 0: 134217728, or four of the largest uploads."`
	Connections       int            `default:"2048" placeholder:"N" help:"The most connections at a time, a quarter of them from one network (${default})."`
	PullBookings      int            `default:"10000" placeholder:"N" help:"The most bookings in an answer to a customer's pull that sets no limit, up to 10000 (${default})."`
	PullAnswers       int            `default:"4" placeholder:"N" help:"The most answers to pulls in progress for one account at a time (${default})."`
	PullAnswersInAll  int            `default:"32" placeholder:"N" help:"The most answers to pulls in progress at a time in all (${default})."`
	MetricsListen     string         `placeholder:"ADDRESS" help:"Address and port to answer /metrics at, for monitoring, without a password; such as 127.0.0.1:9464. Nowhere when it is not given."`
	EmissionFactors   string         `placeholder:"FILE" help:"Emission factors to use instead of the built-in ones; docs/operators.md describes the file."`
	OperatorListen    string         `placeholder:"unix:PATH|ADDRESS" help:"Where the operator's page and the profiler answer, without a password: a Unix socket, as in unix:/run/gangway/operator.sock, or an address of this machine only, as in 127.0.0.1:9465. Nowhere when it is not given."`
	Drain             time.Duration  `default:"5s" placeholder:"DURATION" help:"How long a server that SIGTERM stops is not ready, and still serves, until balancers have noticed (${default}). Ctrl-C does not wait."`
	DuffelURL         string         `name:"duffel-url" hidden:"" help:"Where Duffel is, for tests."`
	NetworkDelay      time.Duration  `hidden:"" help:"How long the simulated airline network takes to answer."`
}

// Help tells what customers' systems are called at.
func (serveCommand) Help() string {
	return "While only this machine reaches Gangway (--listen, --base-url, --app-url and --reporting-url are " +
		"loopback addresses, and there is no --trusted-proxy), bookings are pushed to this machine too, without " +
		"--allow-network.\n"
}

func (c *serveCommand) check() error {
	for _, n := range []struct {
		flag  string
		value int64
	}{
		{"--upload-bytes", c.UploadBytes}, {"--upload-records", int64(c.UploadRecords)},
		{"--upload-depth", int64(c.UploadDepth)},
		{"--requests-per-minute", int64(c.RequestsPerMinute)}, {"--connections", int64(c.Connections)},
		{"--pull-answers", int64(c.PullAnswers)}, {"--pull-answers-in-all", int64(c.PullAnswersInAll)},
	} {
		if n.value < 1 {
			return wrongUsage("%s is a number from 1", n.flag)
		}
	}
	if most := api.DefaultLimits.Pull; c.PullBookings < 1 || c.PullBookings > most {
		return wrongUsage("--pull-bookings is a number from 1 to %d", most)
	}
	for _, network := range c.TrustedProxy {
		if network.Bits() == 0 {
			return wrongUsage("--trusted-proxy %s would believe everybody: name the networks of your proxies", network)
		}
	}
	if c.RequestMemory != 0 && c.RequestMemory/4 < c.UploadBytes {
		return wrongUsage("--request-memory is at least four of the largest uploads, of %d bytes each, or 0 for what "+
			"is usual", c.UploadBytes)
	}
	if _, err := c.keep(); err != nil {
		return err
	}
	if err := c.checkOperator(); err != nil {
		return err
	}
	_, err := addressesAt(c.Listen, c.BaseURL, c.AppURL, c.ReportingURL)
	return cmp.Or(err, c.tlsFlags.check(c.AppURL))
}

// Run serves until the program is told to stop.
func (c *serveCommand) Run(t *terminal) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	listener, plain, err := c.bind(t.ctx)
	if err != nil {
		return err
	}
	defer listener.Close()
	at, err := addressesAt(boundAddress(c.Listen, listener), c.BaseURL, c.AppURL, c.ReportingURL)
	if err != nil {
		return err
	}
	log, meters := c.logFlags.open(t.err)
	for _, warning := range c.warnings(at, os.Environ(), fileLimit()) {
		log.Warn(warning)
	}
	away, err := startingHandler(at, log)
	if err != nil {
		return err
	}
	door, err := c.tlsDoor(at, t.now, log)
	if err != nil {
		return err
	}
	front := newFront(door.over(web.BoundConnections(listener, c.Connections, c.TrustedProxy)), away, meters, t.now,
		log)
	defer front.server.Close()
	front.drain = c.Drain
	if plain != nil {
		beside := newFront(web.BoundConnections(plain, c.Connections, c.TrustedProxy), door.plain(front),
			meters, t.now, log)
		defer beside.server.Close()
	}
	go watchdog()
	tellSystemd("STATUS=Waiting for the database, or bringing it up to date")
	factors, err := readFactors(c.EmissionFactors)
	if err != nil {
		return err
	}
	mailer, err := c.mailer(t)
	if err != nil {
		return err
	}
	h, err := c.open(t, at, factors, mailer, meters, log)
	if err != nil && t.ctx.Err() != nil {
		return nil // told to stop while it waited
	}
	if err != nil {
		return err
	}
	defer h.db.Close()
	if err := door.open(h.db); err != nil {
		return err
	}
	if c.MetricsListen != "" {
		figures, err := listen(t.ctx, c.MetricsListen)
		if err != nil {
			return fmt.Errorf("--metrics-listen: %w", err)
		}
		defer figures.Close()
		go meters.serve(figures, h.db, c.Database, log)
	}
	if c.OperatorListen != "" {
		l, err := c.serveOperator(t, h.db, log)
		if err != nil {
			return err
		}
		defer l.Close()
	}
	front.open(h.handler)
	context.AfterFunc(t.ctx, func() { // another replica, or the next start, continues what does not finish
		time.AfterFunc(c.Drain+farewell, func() { os.Exit(0) })
	})
	log.Info("serving", "listen", listener.Addr(), "app", at.app, "integration", at.base, "report", at.reporting)
	tellSystemd("READY=1\nSTATUS=Serving " + at.app.String())
	return h.serveAt(t.ctx, front)
}

// open waits for the database, opens it, and builds the server on it. If the database goes away
// meanwhile, it starts again from the beginning.
func (c *serveCommand) open(t *terminal, at addresses, factors *world.Factors, mailer transport.Mailer,
	meters *meters, log *slog.Logger) (*server, error) {
	for {
		db, err := c.openWith(t, store.Options{Log: log, Serve: true, Slow: c.LogSlow})
		if err != nil {
			return nil, err
		}
		h, err := c.buildOn(t, db, at, factors, mailer, meters, log)
		if err == nil {
			return h, nil
		}
		db.Close()
		if !errors.Is(err, store.ErrAway) {
			return nil, err
		}
		log.Warn("waiting for the database, which went away again", "because", store.Told(err))
		select {
		case <-t.ctx.Done():
			return nil, err
		case <-time.After(time.Second):
		}
	}
}

func (c *serveCommand) buildOn(t *terminal, db *store.DB, at addresses, factors *world.Factors,
	mailer transport.Mailer, meters *meters, log *slog.Logger) (*server, error) {
	keep, err := c.keep()
	if err != nil {
		return nil, err
	}
	db.KeepFor(keep)
	if err := c.giveKeys(t.ctx, db); err != nil {
		return nil, err
	}
	c.sayOpen(t, db)
	if err := c.sealAll(t.ctx, db, log); err != nil {
		return nil, err
	}
	if err := onlyRead(t.ctx, db, log); err != nil {
		return nil, err
	}
	switch noted, err := c.logTo(c.storeFlags, db); {
	case !noted:
		log.Warn("erasures are not noted outside the database, for a restore to repeat them: give --erasure-log")
	case err != nil:
		log.Error("the erasure log cannot be written: nobody can be erased", "error", err)
	}
	return buildServer(serverParts{
		db: db, at: at, allow: c.AllowNetwork, push: pushable(c.AllowNetwork, c.Listen, at, c.TrustedProxy),
		proxies: c.TrustedProxy, delay: c.NetworkDelay, duffel: c.DuffelURL,
		factors: factors, mailer: mailer, meters: meters, now: t.now, log: log,
		memory: c.RequestMemory, connections: c.Connections,
		limits: api.Limits{
			Body: c.UploadBytes, Upload: accept.Limits{Records: c.UploadRecords, Depth: c.UploadDepth},
			PerMinute: c.RequestsPerMinute,
			Pull:      c.PullBookings, Answers: c.PullAnswers, AllAnswers: c.PullAnswersInAll,
		},
	})
}

// garbage is how much unused memory may pile up before it is collected, in percent of what is in
// use: large uploads leave as much garbage as their own size.
const garbage = 50

// readFactors reads emission factors from a file; nil if none is given.
func readFactors(file string) (*world.Factors, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "the emission factors cannot be read: %v", err)
	}
	defer f.Close()
	factors, err := world.ReadFactors(f)
	if err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "the emission factors in %s: %v", file, err)
	}
	return factors, nil
}

// boundAddress returns address with the port that l got, in case address asked for any port.
func boundAddress(address string, l net.Listener) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil || port != "0" {
		return address
	}
	return net.JoinHostPort(host, strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
}

// serverParts are what the server is built from.
type serverParts struct {
	db      *store.DB
	at      addresses
	begin   gangway.Environment // the environment people start in; production unless set
	allow   []netip.Prefix      // private networks that feeds may be fetched from
	push    []netip.Prefix      // and that may be pushed to
	proxies []netip.Prefix      // whose X-Forwarded-For is trusted
	delay   time.Duration
	duffel  string         // Duffel's address; its own unless set
	factors *world.Factors // of emissions; the built-in ones unless set
	mailer  transport.Mailer
	limits  api.Limits // the defaults unless set
	memory  int64      // for the bodies of requests; the default unless set
	meters  *meters    // of its own where nil
	now     func() time.Time
	log     *slog.Logger

	connections int // at a time; the default unless set
}

// usualConnections is how many connections there may be at a time unless the operator sets another
// number.
const usualConnections = 2048

// A server is all packages wired together on one database.
type server struct {
	handler   http.Handler
	surfaces  []surface
	desk      *book.Desk
	batches   *plan.Batches
	deliverer *deliver.Deliverer
	notifier  *notify.Notifier
	poller    *poll.Poller
	requests  *web.RequestLog
	meters    *meters
	db        *store.DB
	now       func() time.Time
	log       *slog.Logger
}

func buildServer(p serverParts) (*server, error) {
	if p.meters == nil {
		p.meters = newMeters(nil)
	}
	sellers, err := newSuppliers(sim.Config{Now: p.now, Delay: p.delay, Factors: p.factors}, p.duffel, p.meters, p.log)
	if err != nil {
		return nil, err
	}
	poller := newPoller(p.db, p.allow, p.now, p.log)
	desk := book.New(book.Config{
		DB:        p.db,
		Suppliers: sellers.of,
		Now:       p.now,
		Log:       p.log,
		Forget:    forgetTraveller,
		Asker:     poller,
	})
	if p.limits == (api.Limits{}) {
		p.limits = api.DefaultLimits
	}
	connections := cmp.Or(p.connections, usualConnections)
	budget := web.NewBudget(api.RequestMemory(p.memory, p.limits), web.Patience)
	batches := plan.New(plan.Config{DB: p.db, Desk: desk, Now: p.now, Log: p.log})
	requests := web.NewRequestLog(p.db, p.log, p.now)
	sending := transport.Options{Allow: p.push, Mailer: p.mailer}
	pages, err := app.New(app.Config{
		Outlets: deliver.Setter{Kinds: kinds.Outlets, Options: sending, Now: p.now},
		DB:      p.db, Desk: desk, Batches: batches, Now: p.now, Log: p.log,
		Secure: p.at.app.Scheme == "https", BaseURL: p.at.base.String(), AppURL: p.at.appGiven, Begin: p.begin,
		Mails:  p.mailer != nil,
		Poller: poller, Pushable: p.push, Budget: budget, ReportingURL: p.at.reporting.String(), Requests: requests,
		Mailer: p.mailer,
	})
	if err != nil {
		return nil, err
	}
	surfaces := []surface{
		{name: "hooks", at: p.at.base.JoinPath("suppliers"), handler: hooks.New(hooks.Config{
			DB: p.db, Now: p.now, Log: p.log, Secret: webhookSecret, Duffel: sellers.duffelSeller,
			LookAtOrder: desk.LookAtOrder, Budget: budget,
		})},
		{name: "api", at: p.at.base, handler: api.New(api.Config{DB: p.db, Now: p.now, Log: p.log, Limits: p.limits,
			Budget: budget, Requests: requests, At: api.Addresses{Base: p.at.base.String(), App: p.at.app.String(),
				Reporting: p.at.reporting.String()}})},
		{name: "app", at: p.at.app, handler: pages},
		{name: "report", at: p.at.reporting, handler: reporting.New(reporting.Config{DB: p.db, Now: p.now, Log: p.log,
			URL: p.at.reporting.String(), Budget: budget}), refuse: reporting.Refuse},
	}
	refuse := refusing(surfaces, pages)
	return &server{
		surfaces: surfaces,
		handler: identified(p.db, web.FindClient(p.proxies, withHealth(usable(p.db.Ready, p.log),
			web.BoundRequests(max(1, connections/4), connections, refuse, readsOnly(p.db, refuse,
				web.WantProgress(web.AnswerPatience, routeByHost(surfaces, refuse))))))),
		desk:    desk,
		batches: batches,
		deliverer: deliver.New(deliver.Config{DB: p.db, Kinds: kinds.Outlets, Workers: poller.Workers(),
			Options: sending, Now: p.now, Log: p.log}),
		notifier: notify.New(notify.Config{DB: p.db, Mailer: p.mailer, Now: p.now,
			Log: p.log, Workbook: pages.Report().Workbook,
			Page: func(path string) string { return strings.TrimSuffix(p.at.app.String(), "/") + path }}),
		poller:   poller,
		requests: requests,
		meters:   p.meters,
		db:       p.db,
		now:      p.now,
		log:      p.log,
	}, nil
}

// farewell is how long requests and work in progress get when the program is told to stop. Then it ends whatever runs:
// with --drain within ten seconds.
const farewell = 4800 * time.Millisecond

// serve answers requests on l and does the work that is due, until ctx ends.
func (h *server) serve(ctx context.Context, l net.Listener) error {
	return h.serveAt(ctx, newFront(web.BoundConnections(l, usualConnections, nil), h.handler, h.meters, h.now, h.log))
}

// serveAt is serve on a front that was opened already. When told to stop, it is not ready for a while and still
// serves; then requests and work in progress may finish.
func (h *server) serveAt(ctx context.Context, f *front) error {
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	var workers sync.WaitGroup
	workers.Go(func() {
		h.awaitConfirmation(working)
		for _, run := range []func(context.Context){h.desk.Run, h.desk.RunErasing, h.batches.Run, h.deliverer.Run,
			h.notifier.Run, h.poller.Run, h.requests.Run} {
			workers.Go(func() { run(working) })
		}
		workers.Go(func() { watchClock(working, h.db, h.now, h.log) })
		for _, c := range maintenance {
			workers.Go(func() { c.run(working, h.db, h.log) })
		}
	})
	defer workers.Wait()
	defer stop()

	select {
	case err := <-f.failed:
		return fmt.Errorf("serve on %s: %w", f.listener.Addr(), err)
	case <-ctx.Done():
	}
	tellSystemd("STOPPING=1\nSTATUS=Stopping; requests and work in progress may finish")
	f.leaveBalancers(ctx)
	h.log.Info("stopping; requests and work in progress may finish")
	stop()
	parting, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	if err := f.server.Shutdown(parting); err != nil {
		f.server.Close()
	}
	_ = h.db.ForgetReplica(parting, thisReplica().ID) // else it is silent, and forgotten in a while
	return nil
}
