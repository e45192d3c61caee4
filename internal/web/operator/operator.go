// Package operator is the page for the operator: how all customers and all servers are doing, without anybody's
// personal data and without keys. It only reads. Nobody signs in to it: it is for a Unix socket, or an address of this
// machine, and refuses a request that was made to any other host.
package operator

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"gangway/internal/store"
)

// Config is what the page needs.
type Config struct {
	DB      *store.DB
	Now     func() time.Time
	Log     *slog.Logger
	Version string // and the commit
	Schema  int64
	Disks   func() []Fact // how much room there is
}

// patience is how long a page waits for the database.
const patience = 10 * time.Second

//go:embed page.html
var source string

//go:embed page.css
var style string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(style) },
	"since": func(now, at time.Time) string { return since(at, now) },
}).Parse(source))

// New returns the page, and the profiler below /debug/pprof/.
func New(c Config) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", c.answer)
	for path, h := range map[string]http.HandlerFunc{"": pprof.Index, "cmdline": pprof.Cmdline,
		"profile": pprof.Profile, "symbol": pprof.Symbol, "trace": pprof.Trace} {
		mux.HandleFunc("GET /debug/pprof/"+path, h)
	}
	sum := sha256.Sum256([]byte(style))
	policy := "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		switch {
		case !own(r.Host):
			http.Error(w, "this page is for this machine only: open it as localhost", http.StatusForbidden)
		case r.Header.Get("Sec-Fetch-Site") == "cross-site" && strings.HasPrefix(r.URL.Path, "/debug/"):
			http.Error(w, "a page of another site asks for this: open the address yourself", http.StatusForbidden)
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// own reports whether a host is this machine. The port may be another where ssh forwards it.
func own(host string) bool {
	name := (&url.URL{Host: host}).Hostname()
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback() || strings.EqualFold(name, "localhost")
}

func (c Config) answer(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	v, err := c.look(ctx, r.FormValue("customer"))
	if err != nil {
		if !errors.Is(err, store.ErrAway) && r.Context().Err() == nil {
			c.Log.Error("the operator's page could not be made", "error", err)
		}
		http.Error(w, "The page cannot be made: "+store.Told(err).Error(), http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := page.Execute(w, v); err != nil && r.Context().Err() == nil {
		c.Log.Warn("the operator's page broke off", "error", err)
	}
}
