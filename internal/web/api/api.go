// Package api is the integration surface: uploads A1, A2 and A4, the deletion
// A3, the pull A5 and how a crew change stands, for customers' programs.
//
// It reads requests and writes answers. Packages wire and gangway know what a record
// must contain, accept what becomes of it, and access who is asking.
package api

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"gangway/internal/accept"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/access"

	"golang.org/x/sync/semaphore"
)

// Limits bound what one key may ask of the service.
type Limits struct {
	Body      int64 // bytes of a body, after decompression
	Upload    accept.Limits
	PerMinute int // requests of one key
	Pull      int // bookings in an answer to a pull that sets no limit, up to 10,000

	Answers    int           // answers of A5 in progress for one account at a time
	AllAnswers int           // and to all accounts together
	Patience   time.Duration // how long a caller may receive nothing of an answer of A5 before it is cut
}

// DefaultLimits apply unless the operator sets others.
//
// Decided: docs/choices.md, "Uploads" and "Pull (A5)".
var DefaultLimits = Limits{
	Body: 32 << 20, Upload: accept.Limits{Records: 50_000, Depth: 64}, PerMinute: 6000, Pull: mostBookings,
	Answers: 4, AllAnswers: 32, Patience: pullLease / 2,
}

// RequestMemory is how many bytes all requests in progress may use together: what the
// operator has chosen or, for 0, as much as the largest uploads need.
func RequestMemory(chosen int64, limits Limits) int64 {
	if chosen > 0 {
		return chosen
	}
	return max(128<<20, 4*limits.Body)
}

// Config is what the surface needs.
type Config struct {
	DB     *store.DB
	Now    func() time.Time
	Log    *slog.Logger
	Limits Limits      // a zero takes the value of DefaultLimits
	Budget *web.Budget // of the whole process; nil: the surface makes its own

	Requests *web.RequestLog // where requests are written down; nil: the surface makes its own

	At Addresses
}

// Addresses are where the surfaces are reached, for what the surface says of itself.
type Addresses struct {
	Base      string // of the surface; empty: the host that is asked
	App       string // of the web application
	Reporting string // of the report
}

// API answers the integration surface. Endpoints are its methods.
type API struct {
	db       *store.DB
	now      func() time.Time
	log      *slog.Logger
	limits   Limits
	rate     *rate
	refusals *web.Refusals
	answers  *web.ConcurrencyLimit // of A5, by account
	budget   *web.Budget
	drains   *web.Drains
	byKey    func(*http.Request) (access.Program, error)
	requests *web.RequestLog
	handler  http.Handler
	routes   map[string]map[string]web.Handler // by path and method
	public   map[string]bool                   // "GET /path": for everybody
	large    *semaphore.Weighted               // large uploads being processed
	at       Addresses

	documents func() map[string]document // by path: what the surface says of itself
}

// New returns the surface. Paths of requests are relative to base_url.
func New(c Config) *API {
	a := &API{db: c.DB, now: c.Now, log: c.Log, limits: c.Limits, byKey: access.ByKey(c.DB, c.Now), at: c.At,
		requests: c.Requests, routes: map[string]map[string]web.Handler{}, public: map[string]bool{}}
	a.limits.Body = cmp.Or(a.limits.Body, DefaultLimits.Body)
	a.limits.Upload = cmp.Or(a.limits.Upload, DefaultLimits.Upload)
	a.limits.PerMinute = cmp.Or(a.limits.PerMinute, DefaultLimits.PerMinute)
	a.limits.Pull = cmp.Or(a.limits.Pull, DefaultLimits.Pull)
	a.limits.Answers = cmp.Or(a.limits.Answers, DefaultLimits.Answers)
	a.limits.AllAnswers = cmp.Or(a.limits.AllAnswers, DefaultLimits.AllAnswers)
	a.limits.Patience = cmp.Or(a.limits.Patience, DefaultLimits.Patience)
	if a.budget = c.Budget; a.budget == nil {
		a.budget = web.NewBudget(RequestMemory(0, a.limits), web.Patience)
	}
	a.drains = web.NewDrains(2 * a.limits.Body)
	a.answers = web.NewConcurrencyLimit(web.Concurrency{
		Each: a.limits.Answers, All: a.limits.AllAnswers, After: 2 * time.Second,
		OfClient: fmt.Sprintf("%d answers to this account are in progress, which is as many as it may have at a "+
			"time; nothing was handed out", a.limits.Answers),
		OfAll: "too many answers are in progress; nothing was handed out",
	})
	a.refusals = web.NewRefusals(c.DB, c.Log, c.Now)
	a.rate = newRate(a.limits.PerMinute, c.Now)
	// One processor stays free for callers who wait for an answer while others upload.
	a.large = semaphore.NewWeighted(int64(max(1, runtime.GOMAXPROCS(0)-1)))
	for _, e := range a.endpoints() {
		a.route(e.method, e.path, e.open, e.serve)
	}
	a.documents = sync.OnceValue(a.makeDocuments)
	for _, path := range documentPaths() {
		a.route(http.MethodGet, path, true, a.serveDocument)
		a.route(http.MethodHead, path, true, a.serveDocument)
	}
	if a.requests == nil {
		a.requests = web.NewRequestLog(c.DB, c.Log, c.Now)
	}
	a.handler = web.NameRequests(a.now, a.noting(http.HandlerFunc(a.serve)))
	return a
}

// route has an address answer a method; open: to everybody.
func (a *API) route(method, path string, open bool, serve web.Handler) {
	if a.routes[path] == nil {
		a.routes[path] = map[string]web.Handler{}
	}
	a.routes[path][method] = serve
	a.public[method+" "+path] = open
}

// What a request asks for that is not there, or cannot be read.
var (
	errNowhere = gangway.Errorf(gangway.NotFound, "there is nothing at this address")
	errQuery   = gangway.Errorf(gangway.Invalid, "the query is not percent-encoded UTF-8 text")
)

// Routes returns every address of the surface, with who may use it.
func (a *API) Routes() []web.Route {
	var list []web.Route
	for path, methods := range a.routes {
		for method := range methods {
			audience := web.Program
			switch open := a.public[method+" "+path]; {
			case open && method == http.MethodHead: // as with GET
				continue
			case open:
				audience = web.Anybody
			}
			list = append(list, web.Route{Method: method, Path: path, For: audience})
		}
	}
	return list
}

// ServeHTTP answers a request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }

func (a *API) serve(w http.ResponseWriter, r *http.Request) {
	if _, ok := a.routes[r.URL.Path]; ok {
		web.NoteRoute(r.Context(), r.URL.Path)
	}
	enter := func(r *http.Request) (gangway.Scope, error) { return a.enter(w.Header(), r) }
	web.Gate(a.db, a.log, enter, a.refuse, a.answer).ServeHTTP(w, r)
}

// refuse answers with a problem, and records unknown keys, limits that were
// reached, and what else belongs to no account.
func (a *API) refuse(w http.ResponseWriter, r *http.Request, err error) {
	err = access.Ended(err)
	n := notedOf(r.Context())
	n.fail(err)
	e := gangway.AuditEntry{By: gangway.ByNobody(web.From(r)), After: map[string]any{"method": r.Method,
		"path": gangway.LoggedPath(r.URL.Path)}}
	switch {
	case web.Status(err) == http.StatusUnauthorized && r.Header.Get("X-Api-Key") != "":
		e.What = gangway.KeyRefused
		a.refusals.Audit(r.Context(), e)
	case web.Limited(err):
		e.What = gangway.LimitReached
		a.refusals.Log(r.Context(), e)
	case n.account == "":
		e.What, e.After["status"] = gangway.RequestRefused, web.Status(err)
		a.refusals.Log(r.Context(), e)
	}
	if isSOAP(r) {
		a.drains.Answer(w, r, func() { fault(w, r, err) })
		return
	}
	a.drains.Problem(w, r, err)
}

// enter finds the account that a request belongs to, and counts the request: by its
// key, or by its network if it has no valid key.
func (a *API) enter(header http.Header, r *http.Request) (gangway.Scope, error) {
	program, err := a.byKey(r)
	scope, n := program.Scope, notedOf(r.Context())
	n.account, n.Key, n.bodies = scope.Account, scope.Key, program.Settings.LogBodies
	among, caller := a.rate.keys, r.Header.Get("X-Api-Key")
	if err != nil {
		among, caller = a.rate.strangers, web.Network(web.Client(r))
	}
	over, slower := a.rate.admit(header, among, caller)
	if slower != nil {
		n.over = over
		return scope, slower
	}
	if _, ok := a.routes[r.URL.Path]; !ok {
		return scope, errNowhere
	}
	if a.forAnybody(r) {
		return scope, nil
	}
	return scope, err
}

// forAnybody reports whether a request needs no key: it asks for what says nothing of any account, or for a method that
// an address with such a thing does not have.
func (a *API) forAnybody(r *http.Request) bool {
	method := r.Method
	if a.routes[r.URL.Path][method] == nil {
		method = http.MethodGet
	}
	return a.public[method+" "+r.URL.Path]
}

// answer passes a request to its endpoint.
func (a *API) answer(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	methods := a.routes[r.URL.Path]
	h, ok := methods[r.Method]
	if !ok {
		return web.MethodNotAllowed(slices.Sorted(maps.Keys(methods))...)
	}
	// No identifier, ours or a customer's, contains text that a database cannot store.
	if query, err := url.QueryUnescape(r.URL.RawQuery); err != nil || !utf8.ValidString(query) ||
		strings.Contains(query, "\x00") {
		return errQuery
	}
	err := h(w, r, in)
	if n := notedOf(r.Context()); err != nil && n.answered() { // and so it is not refused
		n.Details.Detail = "the answer broke off before its end"
	}
	return err
}

// bounded lets h answer only while there are not too many answers in progress. Each
// has a part of itself in memory and reads the database again and again, so a caller
// who requests many and reads none must not take either from others. A refused
// request has begun nothing.
//
// Decided: docs/choices.md, "Pull (A5)".
func (a *API) bounded(h web.Handler) web.Handler {
	return a.answers.Bound(web.ByAccount, h)
}

// write answers with a JSON body.
func write(w http.ResponseWriter, body []byte) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, err := w.Write(body)
	return err
}
