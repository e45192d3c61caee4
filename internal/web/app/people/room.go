// Package people has the pages on which a company's admins manage who gets in: people, API keys and report logins, and
// the account itself.
package people

import (
	"embed"
	"html/template"
	"time"

	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/web"
	"gangway/internal/web/app/shell"
)

// Room holds what the pages need. Each page is one of its methods.
type Room struct {
	*shell.Shell
	db     *store.DB
	mailer transport.Mailer // nil: admins hand invitations over themselves
	mails  *web.Limiter     // of invitations and links for a new password, by company
}

//go:embed templates
var templates embed.FS

// New returns the room and adds its pages to the shell.
func New(sh *shell.Shell, db *store.DB, mailer transport.Mailer) (*Room, error) {
	return &Room{sh, db, mailer, web.NewLimiter(mailsAnHour, time.Hour, sh.Now)}, sh.AddPages(templates,
		shell.Parts{Files: templates, Funcs: template.FuncMap{"again": again}})
}

// A question is asked before something is done that somebody may miss. Its form is sent again with the answer.
type question struct {
	At, Back string // where the form goes, and the page that it came from
	Does     []string
	Used     bool         // what somebody may miss is in use
	Fields   []shell.Link // of the form: names and values
	Button   string
}
