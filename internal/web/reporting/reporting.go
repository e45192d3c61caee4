// Package reporting is the reporting surface (A7): the report as an OData 4.01 service, for
// spreadsheets, BI tools and programs.
//
// It speaks the protocol: versions, formats, pages, links and errors. What is asked is read by
// package odata, what a set and its columns are says package report, and only the store reads rows.
//
// The clauses that comments name are those of OData 4.01: P is Part 1 (Protocol), U is Part 2 (URL
// Conventions), J is the JSON Format, X is CSDL XML.
//
// Spec: A7 Flight booking report.
package reporting

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/report/odata"
	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/access"
)

// service is where the service is, below reporting_url.
const service = "/v2/odata"

// Limits bound what reports may take.
type Limits struct {
	Rows    int64 // of a page, unless the client prefers another size
	Most    int64 // of any page
	Related int64 // rows that those of a page lead to, in all
	Bytes   int   // of a page, of which one more row may go beyond

	Time time.Duration // of waiting for the database and reading from it, for one request or batch

	Answers    int // to one account at a time
	AllAnswers int // and to all accounts together
}

// DefaultLimits apply where a limit is zero.
//
// Decided: docs/choices.md, "Report (A7)".
var DefaultLimits = Limits{Rows: 1000, Most: 10_000, Related: 50_000, Bytes: 8 << 20, Time: store.ReportTime,
	Answers: 16, AllAnswers: 64}

// Config is what the surface needs.
type Config struct {
	DB     *store.DB
	Now    func() time.Time
	Log    *slog.Logger
	URL    string      // reporting_url
	Limits Limits      // a zero takes the value of DefaultLimits
	Budget *web.Budget // of the whole process
}

// Reporting answers the reporting surface.
type Reporting struct {
	db       *store.DB
	now      func() time.Time
	log      *slog.Logger
	root     string // the address of the service, with its last slash
	limits   Limits
	budget   *web.Budget
	logins   *access.ReportLogins
	refusals *web.Refusals
	drains   *web.Drains
	answers  *web.ConcurrencyLimit
	ready    sync.Map // accounts of which all bookings have their rows
	keys     linkKeys
}

// New returns the surface. Paths of requests are relative to reporting_url.
func New(c Config) *Reporting {
	s := &Reporting{
		db: c.DB, now: c.Now, log: c.Log, root: c.URL + service + "/", budget: c.Budget,
		logins: access.NewReportLogins(c.DB, c.Now), refusals: web.NewRefusals(c.DB, c.Log, c.Now),
		drains: web.NewDrains(16 * int64(odata.DefaultLimits.Length)),
	}
	s.limits = Limits{Rows: cmp.Or(c.Limits.Rows, DefaultLimits.Rows), Most: cmp.Or(c.Limits.Most, DefaultLimits.Most),
		Related: cmp.Or(c.Limits.Related, DefaultLimits.Related), Bytes: cmp.Or(c.Limits.Bytes, DefaultLimits.Bytes),
		Time: cmp.Or(c.Limits.Time, DefaultLimits.Time), Answers: cmp.Or(c.Limits.Answers, DefaultLimits.Answers),
		AllAnswers: cmp.Or(c.Limits.AllAnswers, DefaultLimits.AllAnswers)}
	s.answers = web.NewConcurrencyLimit(web.Concurrency{
		Each: s.limits.Answers, All: s.limits.AllAnswers, After: 2 * time.Second,
		OfClient: fmt.Sprintf("%d requests for this report are in progress, which is as many as there may be at a "+
			"time", s.limits.Answers),
		OfAll: "too many reports are being read; ask again in a moment",
	})
	return s
}

// Routes returns the addresses of the surface. Which resources there are below the root, package odata
// knows.
func (s *Reporting) Routes() []web.Route {
	return []web.Route{
		{Method: http.MethodGet, Path: service + "/{resource...}", For: web.Reader},
		{Method: http.MethodPost, Path: service + "/{set}/$query", For: web.Reader},
		{Method: http.MethodPost, Path: service + "/$batch", For: web.Reader},
	}
}

// ServeHTTP answers a request.
func (s *Reporting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	web.Gate(s.db, s.log, s.enter, s.refuse, s.answers.Bound(web.ByAccount, s.answer)).ServeHTTP(w, r)
}

// enter finds the account whose report is asked for.
func (s *Reporting) enter(r *http.Request) (gangway.Scope, error) {
	if path := r.URL.Path; path != service && !strings.HasPrefix(path, service+"/") {
		return gangway.Scope{}, gangway.Errorf(gangway.NotFound,
			"there is nothing at this address; the report is at %s", s.root)
	}
	web.NoteRoute(r.Context(), service+"/{resource...}")
	return s.logins.Scope(r)
}

// answer answers a request for an account's report.
func (s *Reporting) answer(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	body, err := s.body(w, r)
	if err != nil {
		return err
	}
	client := web.Network(web.Client(r))
	page := s.budget.ReportPage(client)
	defer page.Release()
	var pack *packing
	if web.TakesGzip(r) {
		pack = &packing{page: s.budget.ReportPage(client), db: s.db}
		defer pack.release()
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.limits.Time) // nothing is sent before the answer is complete
	defer cancel()
	res, err := s.respond(ctx, in, request{
		method: r.Method, path: strings.TrimPrefix(r.URL.EscapedPath(), service), query: r.URL.RawQuery,
		header: r.Header, body: body, client: client, bytes: s.limits.Bytes, pack: pack,
	}, page)
	if err != nil {
		return refused(err)
	}
	return send(w, r, res, page.Bytes(), pack)
}

// A request is what a client asks, or one of what it asks in a batch.
type request struct {
	method string
	path   string // behind the root of the service, as it came
	query  string // behind the question mark, as it came
	header http.Header
	body   []byte
	client string   // whose memory the answer counts towards
	bytes  int      // of a page of rows, of which one more row may go beyond
	pack   *packing // compresses the answer while it is made; nil: nothing does
}

// A response is an answer but for its body.
type response struct {
	status int
	header http.Header
}

// bare reports whether the answer has no body.
func (r response) bare() bool {
	return r.status == http.StatusNoContent || r.status == http.StatusNotModified
}

// A call is a request that was read.
type call struct {
	request
	*odata.Request
	preferences
	changed bool   // rows are told that have changed
	version string // of OData, that is answered in
	format  format
	root    string // of the service
	key     []any  // of the row that has the property of the path, once it was found
	all     string // the options, as they came: those of the address and of the body
	in      store.Scoped
	page    *output
	header  http.Header
}

// An output takes the body of an answer. Once there is no room for more it stays full.
type output struct {
	*web.Page
	pack *packing
	full error
}

// Write is part of io.Writer.
func (o *output) Write(p []byte) (int, error) {
	if o.full != nil {
		return 0, o.full
	}
	n, err := o.Page.Write(p)
	o.full = err
	o.pack.follow(o.Page.Bytes())
	return n, err
}

// respond answers a request. The body is in page.
func (s *Reporting) respond(ctx context.Context, in store.Scoped, r request, page *web.Page) (response, error) {
	c := &call{request: r, root: s.root, in: in, page: &output{Page: page, pack: r.pack}, header: http.Header{}}
	var err error
	if c.version, err = versionFor(r.header); err != nil {
		return response{}, err
	}
	c.header["OData-Version"] = []string{c.version}
	if c.all, err = c.options(); err != nil {
		return response{}, err
	}
	if c.Request, err = odata.Parse(query.Schema, r.path, c.all, odata.Options{Now: s.now()}); err != nil {
		return response{}, err
	}
	if err := c.checkMethod(); err != nil {
		return response{}, err
	}
	if c.format, err = formatFor(c); err != nil {
		return response{}, err
	}
	if err := wantNoSnapshot(r.header); err != nil {
		return response{}, err
	}
	c.preferences = preferencesOf(r.header)
	if c.format.media != "" {
		c.header.Set("Content-Type", c.format.contentType())
	}
	status, err := s.resource(ctx, c)
	if err == nil {
		err = c.page.full
	}
	if err == nil && status == http.StatusOK && c.Path.Kind != odata.Batch {
		status, err = c.unlessMatched()
	}
	return response{status, c.header}, err
}

// resource answers a call with what its path leads to.
func (s *Reporting) resource(ctx context.Context, c *call) (status int, err error) {
	switch c.Path.Kind {
	case odata.ServiceDocument:
		return s.serviceDocument(c)
	case odata.Metadata:
		return s.metadata(c)
	case odata.Batch:
		return s.batch(ctx, c)
	}
	if err := s.wantReady(ctx, c.in); err != nil {
		return 0, err
	}
	switch c.Path.Kind {
	case odata.Collection:
		return s.collection(ctx, c)
	case odata.Count:
		return s.count(ctx, c)
	case odata.Entity:
		return s.entity(ctx, c)
	case odata.PropertyResource:
		return s.property(ctx, c)
	case odata.PropertyValue:
		return s.value(ctx, c)
	}
	return 0, gangway.Errorf(gangway.NotFound, "there is nothing at this address")
}

// checkMethod refuses what would change something.
func (c *call) checkMethod() error {
	allow := []string{http.MethodGet, http.MethodHead}
	if c.Path.Kind == odata.Batch || c.Path.Query {
		allow = []string{http.MethodPost}
	}
	if !slices.Contains(allow, c.method) {
		return web.MethodNotAllowed(allow...)
	}
	return nil
}

// wantReady refuses a report of which some bookings have no row yet: as a whole it would be wrong.
func (s *Reporting) wantReady(ctx context.Context, in store.Scoped) error {
	account := in.Scope().Account
	if _, ok := s.ready.Load(account); ok {
		return nil
	}
	ready, err := in.ReportReady(ctx)
	if err != nil {
		return err
	}
	if !ready {
		return web.Overloaded(10*time.Second, "the report is being made for the first time; ask again in a moment")
	}
	s.ready.Store(account, true)
	return nil
}
