package shell

import (
	"context"
	"net/http"

	"gangway/internal/gangway"
)

// begin lets a person who signs in work where the page that they asked for has something to show, or else where
// their company's data is.
//
// Decided: docs/choices.md, "Environments".
func (sh *Shell) begin(ctx context.Context, u gangway.User, to string) error {
	if sh.Sessions.Begin != "" {
		return nil
	}
	production, development, err := sh.db.Accounts(ctx, u.Customer)
	if err != nil {
		return err
	}
	for _, account := range []gangway.Account{production, development} {
		shown, err := sh.shows(ctx, account, to)
		if err != nil {
			return err
		}
		if shown {
			sh.Sessions.Switch(ctx, account.Environment)
			return nil
		}
	}
	var used [2]bool
	for i, account := range []gangway.Account{production, development} {
		if used[i], err = sh.db.In(account.Scope()).Used(ctx); err != nil {
			return err
		}
	}
	sh.Sessions.Switch(ctx, gangway.Begin(used[0], used[1]))
	return nil
}

// shows reports whether the page at a path shows something that an account has, and not every account.
func (sh *Shell) shows(ctx context.Context, account gangway.Account, path string) (bool, error) {
	if sh.has == nil {
		return false, nil
	}
	return sh.has(ctx, sh.db.In(account.Scope()), path)
}

// otherEnvironment returns the other environment if what a visitor looked for in vain is there; otherwise it is empty.
func (sh *Shell) otherEnvironment(r *http.Request) gangway.Environment {
	v, ok := VisitorOf(r.Context())
	if !ok || r.Method != http.MethodGet {
		return ""
	}
	production, development, err := sh.db.Accounts(r.Context(), v.User.Customer)
	if err != nil {
		return ""
	}
	other := production
	if v.Account.Environment == gangway.Production {
		other = development
	}
	if shown, err := sh.shows(r.Context(), other, r.URL.Path); err != nil || !shown {
		return ""
	}
	return other.Environment
}
