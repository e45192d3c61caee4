// Package settings has the first page of Settings, which says what is set up, and the pages of an account's policy and
// supplier.
package settings

import (
	"embed"
	"time"

	"gangway/internal/book"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/shell"
)

// Room holds what the pages need. Each page is one of its methods.
type Room struct {
	*shell.Shell
	db       *store.DB
	desk     *book.Desk
	searches *web.ConcurrencyLimit // that try a supplier
}

//go:embed templates
var templates embed.FS

// New returns the room and adds its pages to the shell.
func New(sh *shell.Shell, db *store.DB, desk *book.Desk) (*Room, error) {
	return &Room{Shell: sh, db: db, desk: desk, searches: web.NewConcurrencyLimit(web.Concurrency{
		Each: 1, All: 4, After: 3 * time.Second,
		OfClient: "the supplier of this account is being tried already; try again in a moment",
		OfAll:    "as many suppliers are being tried as can be at once; try again in a moment",
	})}, sh.AddPages(templates)
}
