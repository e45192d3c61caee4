package flights

import (
	"context"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// notReal is on every page of production that sells or shows simulated tickets,
// so that nobody takes one for real.
var notReal = shell.Stripe{Label: "Supplier", Words: "Simulated airlines: these tickets are not real"}

// Stripe returns what the pages of an account in production say of the tickets that it would book.
func Stripe(db *store.DB, desk *book.Desk) func(context.Context, shell.Visitor) (shell.Stripe, error) {
	return func(ctx context.Context, v shell.Visitor) (shell.Stripe, error) {
		simulated, err := desk.Simulated(ctx, db.In(v.Account.Scope()))
		if err != nil || !simulated {
			return shell.Stripe{}, err
		}
		return notReal, nil
	}
}

// StripeOf returns the stripe of a page about one booking: its own ticket decides.
func StripeOf(b gangway.Booking) *shell.Stripe {
	if b.Simulated {
		return &notReal
	}
	return &shell.Stripe{}
}

// Simulated reports whether the account would book simulated flights though it works in production.
func (room *Room) Simulated(ctx context.Context, in store.Scoped, account gangway.Account) (bool, error) {
	if account.Environment == gangway.Development {
		return false, nil
	}
	return room.desk.Simulated(ctx, in)
}
