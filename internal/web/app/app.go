// Package app is the web application: the pages for the people who book, and
// the hand-off A6 from a customer's own application.
//
// It holds no rule of the trade and no SQL: pages read from the store, ask the desk
// (package book) to act, and say what came of it. Package web provides the gate in
// front of every handler, and package access signs people in.
package app

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"gangway/internal/accept/poll"
	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/book/sandbox"
	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/web"
	"gangway/internal/web/app/audit"
	"gangway/internal/web/app/bookings"
	"gangway/internal/web/app/check"
	"gangway/internal/web/app/crew"
	"gangway/internal/web/app/feeds"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/inbox"
	"gangway/internal/web/app/integrator"
	"gangway/internal/web/app/outlets"
	"gangway/internal/web/app/paper"
	"gangway/internal/web/app/people"
	"gangway/internal/web/app/report"
	sandboxpage "gangway/internal/web/app/sandbox"
	"gangway/internal/web/app/settings"
	"gangway/internal/web/app/shell"
	"gangway/internal/web/app/today"
)

//go:generate sh assets/build.sh

// Config is what the application needs.
type Config struct {
	DB          *store.DB
	Desk        *book.Desk
	Batches     *plan.Batches
	Now         func() time.Time
	Log         *slog.Logger
	Secure      bool                // people reach it over https
	BaseURL     string              // where integrators send to, for the hints on empty pages
	AppURL      string              // where people reach it; its path is cut off before; empty: at any host
	Begin       gangway.Environment // where people work until they switch; where their data is unless set
	Poller      *poll.Poller        // fetches and asks the feeds
	Pushable    []netip.Prefix      // private networks that bookings may be pushed to
	Outlets     deliver.Setter      // sets outlets up
	AskPatience time.Duration       // with which pages wait for customers' systems; 0: flights.AskPatience
	Budget      *web.Budget         // for the bodies of requests, of the whole process; one of its own where nil

	Mailer transport.Mailer // sends invitations and lists to ships' agents; nil: pages say that there is none

	ReportingURL string // where other programs read the report
	Mails        bool   // there is a mail server to send mails by

	Requests *web.RequestLog // where what programs ask is noted; one of its own where nil
}

// App is the web application: a shell and the rooms in it.
type App struct {
	shell    *shell.Shell
	flights  *flights.Room
	crew     *crew.Room
	bookings *bookings.Room
	inbox    *inbox.Room
	today    *today.Room
	report   *report.Room
	feeds    *feeds.Room
	outlets  *outlets.Room
	settings *settings.Room
	audit    *audit.Room
	people   *people.Room
	check    *check.Room
	sandbox  *sandboxpage.Room
	paper    *paper.Room

	integrator *integrator.Room

	table   web.Table
	handler http.Handler
}

// ServeHTTP answers a request.
func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }

// Routes returns every address of the application, with who may use it.
func (a *App) Routes() []web.Route { return a.table.Routes() }

// Report returns the room that makes the workbooks which are mailed.
func (a *App) Report() *report.Room { return a.report }

// CSPReports is how many reports of refused content browsers have sent since the start.
func (a *App) CSPReports() int64 { return a.shell.CSPReports.Load() }

// Refuse shows the page of an error that came before the request reached the
// application. Nothing is known of the person who sent it.
func (a *App) Refuse(w http.ResponseWriter, r *http.Request, err error) { a.shell.Refuse(w, r, err) }

// New returns the application. Paths of requests are relative to AppURL.
func New(c Config) (*App, error) {
	sh, err := shell.New(shell.Config{
		DB: c.DB, Now: c.Now, Log: c.Log, Secure: c.Secure, BaseURL: c.BaseURL, AppURL: c.AppURL, Begin: c.Begin,
		Budget: c.Budget, Navigation: navigation, Mails: c.Mails,
		Stripe: flights.Stripe(c.DB, c.Desk), News: settings.News(outlets.News(c.DB, c.Now)),
		TakesFile: feeds.TakesFile, Has: bookings.Has,
		OpenPath: inbox.HandoffPath, Files: map[string][]byte{"land.svg": crew.Land()},
	})
	if err != nil {
		return nil, err
	}
	a, searches := &App{shell: sh}, plan.NewSessions(c.DB, c.Desk, c.Now, c.Log)
	a.flights = must(flights.New(sh, c.Desk, searches, cmp.Or(c.AskPatience, flights.AskPatience)))
	a.crew = must(crew.New(sh, a.flights, c.Desk, searches, c.Batches))
	a.bookings = must(bookings.New(sh, a.flights, c.Desk, c.Batches))
	a.inbox = must(inbox.New(sh, a.flights, c.DB))
	a.paper = must(paper.New(sh, a.flights, c.DB, c.Mailer))
	a.today = must(today.New(sh, a.flights, c.Desk))
	a.report = must(report.New(sh, c.DB, c.ReportingURL, c.Mailer != nil))
	a.feeds = must(feeds.New(sh, c.DB, c.Poller))
	a.outlets = must(outlets.New(sh, c.DB, c.Outlets))
	a.settings = must(settings.New(sh, c.DB, c.Desk))
	a.audit = must(audit.New(sh, c.DB))
	a.people = must(people.New(sh, c.DB, c.Mailer))
	a.check = must(check.New(sh, c.Poller, c.Pushable))
	a.sandbox = must(sandboxpage.New(sh, sandbox.New(c.Desk, c.Now, c.Log)))
	if c.Requests == nil {
		c.Requests = web.NewRequestLog(c.DB, c.Log, c.Now)
	}
	a.integrator = must(integrator.New(sh, c.DB, c.Requests))
	a.routes(&a.table)
	a.handler, err = sh.Protect(&a.table)
	return a, err
}

// must returns a room whose pages could be read: they are part of the program.
func must[R any](room R, err error) R {
	if err != nil {
		panic(err)
	}
	return room
}

// Away returns the handler for the application's address until there is a database
// for the application to run on.
func Away(appURL string, log *slog.Logger) (http.Handler, error) { return shell.Away(appURL, log) }
