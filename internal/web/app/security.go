package app

import (
	"fmt"
	"net/http"

	"gangway"
	"gangway/internal/web"
)

// policy lets a page load and send to nothing but ourselves, run no inline
// script or style, and stand in no frame.
const policy = "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'"

// noStore keeps answers out of every cache: pages name travellers and their
// passports, and whoever switches the environment or signs out must not be
// shown those from before. Assets, which name nobody, say that they may be kept.
const noStore = "no-store"

// errElsewhere is the answer to a form that another site's page has sent.
var errElsewhere = &web.Refusal{Status: http.StatusForbidden, Msg: "this form was sent by a page of another site, and so nothing was done"}

// protect keeps other sites out by headers, and refuses forms that
// another site posts, but for the one that is meant for it: the hand-off.
func (a *App) protect(next http.Handler) (http.Handler, error) {
	origins := http.NewCrossOriginProtection()
	origins.AddInsecureBypassPattern("POST " + handoffPath)
	if a.origin != "" { // a proxy may tell us another host than the browser's
		if err := origins.AddTrustedOrigin(a.origin); err != nil {
			return nil, fmt.Errorf("the application's address: %w", err)
		}
	}
	origins.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.refusals.Audit(r.Context(), gangway.AuditEntry{
			By: gangway.ByNobody(web.From(r)), What: gangway.RequestRefused,
			After: map[string]any{"method": r.Method, "path": r.URL.Path, "reason": "sent from another site"},
		})
		a.sheltered(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { a.showError(w, r, errElsewhere) })).ServeHTTP(w, r)
	}))
	guarded := origins.Handler(a.readForms(next))
	return a.sheltered(guarded), nil
}

// sheltered sets the headers that keep other sites and caches out.
func (a *App) sheltered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Content-Security-Policy", policy)
		head.Set("Cache-Control", noStore)
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "same-origin")
		head.Set("Cross-Origin-Opener-Policy", "same-origin")
		head.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		if a.secure {
			head.Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r)
	})
}
