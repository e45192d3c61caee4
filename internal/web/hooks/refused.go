package hooks

import (
	"net/http"

	"gangway/internal/gangway"
	"gangway/internal/web"
)

// refuse answers with a problem, and has the server's log tell of it as it does
// of a flood of anything: an operator whose supplier signs with another secret
// sees it there, and who makes events up fills no disk. Nothing of the body is in it.
func (c Config) refuse(refusals *web.Refusals) func(http.ResponseWriter, *http.Request, error) {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		status := web.Status(err)
		e := gangway.AuditEntry{By: gangway.ByNobody(web.From(r)), What: gangway.WebhookRefused}
		e.After = map[string]any{"method": r.Method, "path": logExcerpt(gangway.LoggedPath(r.URL.Path)),
			"status": status}
		switch {
		case web.Limited(err):
			e.What = gangway.LimitReached
			refusals.Log(r.Context(), e)
		case status < http.StatusInternalServerError: // of the others the gate or the store tells
			e.Customer = logExcerpt(r.PathValue("account")) // each account's are counted apart
			e.After["reason"] = err.Error()
			refusals.Log(r.Context(), e)
		}
		web.Problem(w, r, err)
	}
}

// logExcerpt is as much of what a stranger sent as a log has room for.
func logExcerpt(text string) string { return text[:min(len(text), 100)] }
