package shell

import (
	"fmt"
	"net/http"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/web"
)

// policy allows a page to load from and send to this site alone. It forbids inline
// scripts and styles, and showing the page in a frame.
const policy = "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'"

// noStore keeps answers out of every cache. Pages name travellers and their
// passports, and a person who switches the environment or signs out must not see
// earlier ones again. Assets, which name nobody, say that they may be cached.
const noStore = "no-store"

// errElsewhere is the answer to a form that a page of another site sent.
var errElsewhere = &web.Refusal{Status: http.StatusForbidden,
	Msg: "this form was sent by a page of another site, and so nothing was done"}

// Protect sets the headers that keep other sites out, and refuses forms that another
// site posts, except to the one path that is meant for them.
func (sh *Shell) Protect(next http.Handler) (http.Handler, error) {
	origins := http.NewCrossOriginProtection()
	origins.AddInsecureBypassPattern("POST " + sh.openPath)
	if sh.origin != "" { // behind a proxy the host we see may differ from the browser's
		if err := origins.AddTrustedOrigin(sh.origin); err != nil {
			return nil, fmt.Errorf("the application's address: %w", err)
		}
	}
	deny := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sh.refusals.Audit(r.Context(), gangway.AuditEntry{
			By: gangway.ByNobody(web.From(r)), What: gangway.RequestRefused,
			After: map[string]any{"method": r.Method, "path": gangway.LoggedPath(r.URL.Path),
				"reason": "sent from another site"},
		})
		sh.sheltered(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sh.showError(w, r, errElsewhere)
		})).ServeHTTP(w, r)
	})
	origins.SetDenyHandler(deny)
	guarded := origins.Handler(sh.readForms(next))
	return sh.sheltered(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if sh.foreign(r) {
			deny(w, r)
			return
		}
		guarded.ServeHTTP(w, r)
	})), nil
}

// foreign reports whether a form names another origin than ours. http.CrossOriginProtection lets some of these through:
// it compares only hosts, and believes browsers that speak of their own host.
func (sh *Shell) foreign(r *http.Request) bool {
	from := r.Header.Get("Origin")
	if from == "" || from == "null" || r.Method != http.MethodPost || r.URL.Path == sh.openPath {
		return false
	}
	if sh.origin != "" {
		return from != sh.origin
	}
	_, host, _ := strings.Cut(from, "://")
	return host != r.Host
}

// Address returns the whole address of a path of ours, for people to send on.
func (sh *Shell) Address(r *http.Request, path string) string {
	origin := sh.origin
	if origin == "" {
		origin = map[bool]string{true: "https://", false: "http://"}[sh.secure] + r.Host
	}
	return origin + sh.prefix + path
}

// Secure reports whether people reach the application over https.
func (sh *Shell) Secure() bool { return sh.secure }

// sheltered sets the headers that keep other sites and caches out.
func (sh *Shell) sheltered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Content-Security-Policy", sh.reportingPolicy())
		head.Set("Cache-Control", noStore)
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "same-origin")
		head.Set("Cross-Origin-Opener-Policy", "same-origin")
		head.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		if sh.secure {
			head.Set("Strict-Transport-Security", "max-age=31536000")
			head.Set("Reporting-Endpoints", `csp="`+sh.prefix+CSPPath+`"`)
		}
		next.ServeHTTP(w, r)
	})
}
