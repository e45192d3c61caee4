// Package shell is what every page of the web application shares: the frame, the
// gate, sign-in, protection from other sites and from endless forms, and the ways
// to show a page, stream parts of it or write a file. It knows nothing of flights;
// the rooms beside it do, and each holds a Shell.
package shell

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/access"

	"golang.org/x/sync/semaphore"
)

// Config is what a Shell needs.
type Config struct {
	DB      *store.DB
	Now     func() time.Time
	Log     *slog.Logger
	Secure  bool   // people reach it over https
	BaseURL string // where integrators send to, for the hints on empty pages
	// where people reach it; empty: at any host. Its path, if it has one, is cut off before requests come here
	AppURL   string
	Begin    gangway.Environment // where people work until they switch; where their data is unless set
	Budget   *web.Budget         // for the bodies of requests, of the whole process; one of its own where nil
	Mails    bool                // there is a mail server to send mails by
	OpenPath string              // the one address that pages of other sites may send forms to
	Files    map[string][]byte   // for browsers, besides what build.sh makes

	TakesFile func(path string) bool // the addresses that take a form with a file in it; nil: none do

	// What the rooms add to the frame.
	Navigation Navigation
	Stripe     func(context.Context, Visitor) (Stripe, error) // of an account in production; nil: none
	// shown to the visitor at the top of the pages of a section; nil: none
	News func(ctx context.Context, v Visitor, section, path string) ([]News, error)

	// whether the page at a path shows something that this account has, and not every account; nil: none does
	Has func(ctx context.Context, in store.Scoped, path string) (bool, error)
}

// Shell is the part of a page that all rooms share. Pages that belong to no room are its methods.
type Shell struct {
	Now      func() time.Time
	Log      *slog.Logger
	BaseURL  string
	Sessions *access.Sessions
	FormKeys FormKeys // sign what the pages carry

	CSPReports atomic.Int64 // how many browsers have sent since the start

	db         *store.DB
	navigation Navigation

	accountStripe func(context.Context, Visitor) (Stripe, error)

	prefix   string // path of AppURL, without the slash at its end
	origin   string // of AppURL; empty: the host of each request
	openPath string
	secure   bool
	mails    bool

	takesFile func(path string) bool
	news      func(ctx context.Context, v Visitor, section, path string) ([]News, error)
	has       func(ctx context.Context, in store.Scoped, path string) (bool, error)
	signIns   *access.SignIns
	refusals  *web.Refusals
	budget    *web.Budget
	streams   *web.ConcurrencyLimit
	files     *web.ConcurrencyLimit
	large     *web.ConcurrencyLimit
	making    *semaphore.Weighted // large pages
	nobody    string              // a password hash that no password fits, for e-mail addresses that no user has
	assets    map[string]asset
	templates pageTemplates
	standings standings
	shared    sharedPages

	cspReports, cspLines *web.Limiter
}

// nobodysHash is made once: whom it was made for does not matter.
var nobodysHash = sync.OnceValue(func() string { return access.HashPassword(access.NewPassword()) })

// New returns a shell. Rooms add their pages with AddPages.
func New(c Config) (*Shell, error) {
	sh, err := Alone(c)
	if err != nil {
		return nil, err
	}
	sh.db = c.DB
	sh.navigation, sh.accountStripe, sh.news, sh.has = c.Navigation, c.Stripe, c.News, c.Has
	sh.Sessions = access.NewSessions(c.DB, c.Now, c.Log, c.Secure)
	sh.Sessions.Begin, sh.Sessions.Refuse = c.Begin, sh.refuse
	sh.refusals = web.NewRefusals(c.DB, c.Log, c.Now)
	sh.streams = web.NewConcurrencyLimit(streamLimit)
	sh.files = web.NewConcurrencyLimit(fileLimit)
	sh.large = web.NewConcurrencyLimit(pageLimit)
	sh.making = semaphore.NewWeighted(pagesMade)
	sh.nobody = nobodysHash()
	sh.signIns = sh.newSignIns()
	sh.cspReports = web.NewLimiter(cspRequests, time.Minute, sh.Now)
	sh.cspLines = web.NewLimiter(cspLines, time.Minute, sh.Now)
	if sh.FormKeys, err = c.DB.FormKeys(context.Background()); err != nil {
		return nil, err
	}
	return sh, nil
}

// Alone returns a shell without a database, which can only show pages for people who are not signed in.
func Alone(c Config) (*Shell, error) {
	at, err := url.Parse(c.AppURL)
	if err != nil {
		return nil, fmt.Errorf("read the application's address: %w", err)
	}
	sh := &Shell{
		Now:      c.Now,
		Log:      c.Log,
		BaseURL:  strings.TrimSuffix(c.BaseURL, "/"),
		prefix:   strings.TrimSuffix(at.Path, "/"),
		openPath: c.OpenPath,
		secure:   c.Secure,
		mails:    c.Mails,
		budget:   c.Budget,

		takesFile: c.TakesFile,
		templates: pageTemplates{of: map[string]pageSource{}},
	}
	if sh.budget == nil {
		sh.budget = usualBudget()
	}
	if at.Host != "" { // as browsers write it
		sh.origin = at.Scheme + "://" + strings.TrimSuffix(strings.ToLower(at.Host),
			map[string]string{"http": ":80", "https": ":443"}[at.Scheme])
	}
	if sh.assets, err = readAssets(c.Files); err != nil {
		return nil, err
	}
	return sh, sh.AddPages(templates)
}
