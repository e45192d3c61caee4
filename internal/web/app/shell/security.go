package shell

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
var errElsewhere = &web.Refusal{Status: http.StatusForbidden,
	Msg: "this form was sent by a page of another site, and so nothing was done"}

// Protect keeps other sites out by headers, and refuses forms that
// another site posts, but for those to the one path that is meant for them.
func (sh *Shell) Protect(next http.Handler) (http.Handler, error) {
	origins := http.NewCrossOriginProtection()
	origins.AddInsecureBypassPattern("POST " + sh.openPath)
	if sh.origin != "" { // a proxy may tell us another host than the browser's
		if err := origins.AddTrustedOrigin(sh.origin); err != nil {
			return nil, fmt.Errorf("the application's address: %w", err)
		}
	}
	origins.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sh.refusals.Audit(r.Context(), gangway.AuditEntry{
			By: gangway.ByNobody(web.From(r)), What: gangway.RequestRefused,
			After: map[string]any{"method": r.Method, "path": r.URL.Path, "reason": "sent from another site"},
		})
		sh.sheltered(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sh.showError(w, r, errElsewhere)
		})).ServeHTTP(w, r)
	}))
	guarded := origins.Handler(sh.readForms(next))
	return sh.sheltered(guarded), nil
}

// sheltered sets the headers that keep other sites and caches out.
func (sh *Shell) sheltered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Content-Security-Policy", policy)
		head.Set("Cache-Control", noStore)
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "same-origin")
		head.Set("Cross-Origin-Opener-Policy", "same-origin")
		head.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		if sh.secure {
			head.Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r)
	})
}
