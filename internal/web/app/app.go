// Package app is the web application: the pages for the people who book, and
// the hand-off A6 from a customer's own application.
//
// It holds no rule of the trade and no SQL: pages read what the store has, ask
// the desk (package book) to act, and say what came of it. Package web lends
// the gate in front of every handler, package access signs people in.
package app

import (
	"context"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gangway"
	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/access"

	"golang.org/x/sync/semaphore"
)

// Config is what the application needs.
type Config struct {
	DB      *store.DB
	Desk    *book.Desk
	Batches *plan.Batches
	Now     func() time.Time
	Log     *slog.Logger
	Secure  bool                // people reach it over https
	BaseURL string              // where integrators send to, for the hints on empty pages
	AppURL  string              // where people reach it; its path, if it has one, is cut off before requests come here
	Begin   gangway.Environment // where people work until they switch; production unless set
	Budget  *web.Budget         // for the bodies of requests, of the whole process; one of its own where nil
}

// App is the web application. Pages are its methods.
type App struct {
	db       *store.DB
	desk     *book.Desk
	now      func() time.Time
	log      *slog.Logger
	baseURL  string
	prefix   string // path of AppURL, without the slash at its end
	origin   string // scheme and host of AppURL
	secure   bool
	sessions *access.Sessions
	signIns  *access.SignIns
	handoffs *web.Limiter
	refusals *web.Refusals
	budget   *web.Budget
	streams  *web.ConcurrencyLimit
	files    *web.ConcurrencyLimit
	large    *web.ConcurrencyLimit
	making   *semaphore.Weighted // large pages
	searches *plan.Sessions      // searches under way
	batches  *plan.Batches       // bookings for many
	laid     *laidOffers         // offers as lists show them
	nobody   string              // a password hash that no password fits, for e-mails nobody has
	assets   map[string]asset
	pages    map[string]*template.Template
	formKeys formKeys
	table    web.Table
	handler  http.Handler
}

// ServeHTTP answers a request.
func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }

// Routes returns every address of the application, with who may use it.
func (a *App) Routes() []web.Route { return a.table.Routes() }

// usualBudget is what requests may take where they share with nobody.
func usualBudget() *web.Budget { return web.NewBudget(64<<20, formLimit, web.Patience) }

// New returns the application. Paths of requests are relative to AppURL.
func New(c Config) (*App, error) {
	at, err := url.Parse(c.AppURL)
	if err != nil {
		return nil, fmt.Errorf("read the application's address: %w", err)
	}
	a := &App{
		db:       c.DB,
		desk:     c.Desk,
		now:      c.Now,
		log:      c.Log,
		baseURL:  strings.TrimSuffix(c.BaseURL, "/"),
		prefix:   strings.TrimSuffix(at.Path, "/"),
		secure:   c.Secure,
		sessions: access.NewSessions(c.DB, c.Now, c.Log, c.Secure),
		handoffs: web.NewLimiter(60, time.Minute, c.Now),
		refusals: web.NewRefusals(c.DB, c.Log, c.Now),
		budget:   c.Budget,
		streams:  web.NewConcurrencyLimit(streamLimit),
		files:    web.NewConcurrencyLimit(fileLimit),
		large:    web.NewConcurrencyLimit(pageLimit),
		making:   semaphore.NewWeighted(pagesMade),
		searches: plan.NewSessions(c.Desk, c.Now, c.Log),
		batches:  c.Batches,
		nobody:   access.HashPassword(access.NewPassword()),
	}
	a.laid = a.newLaidOffers()
	if a.budget == nil {
		a.budget = usualBudget()
	}
	a.signIns = a.newSignIns()
	if at.Host != "" {
		a.origin = at.Scheme + "://" + at.Host
	}
	a.sessions.Begin, a.sessions.Refuse = c.Begin, a.refuse
	if a.formKeys, err = c.DB.FormKeys(context.Background()); err != nil {
		return nil, err
	}
	if a.assets, err = readAssets(); err != nil {
		return nil, err
	}
	if a.pages, err = a.readTemplates(); err != nil {
		return nil, err
	}
	a.routes(&a.table)
	if a.handler, err = a.protect(&a.table); err != nil {
		return nil, err
	}
	return a, nil
}
