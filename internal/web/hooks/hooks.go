// Package hooks is where suppliers tell us that something happened to an order.
//
// It believes nothing but who is speaking: an order that is told of is looked
// at, by asking the supplier how it stands. So an event that comes twice, late
// or out of order does no harm.
package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"gangway/internal/book/flight/duffel"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
)

// Config is what the hooks need.
type Config struct {
	DB  *store.DB
	Now func() time.Time
	Log *slog.Logger
	// of Duffel's webhook; NotFound: the account has none
	Secret func(ctx context.Context, in store.Scoped) (string, error)
	Duffel func(ctx context.Context, in store.Scoped) (*duffel.Seller, error) // as the account sees it
	// for what is read of events, of the whole process
	Budget *web.Budget
	// has an order's booking looked at
	LookAtOrder func(ctx context.Context, in store.Scoped, supplier, order string) error
}

// most bounds what is read of an event.
const most = 1 << 20

// weight is how many bytes of memory an event takes for each of its bytes,
// while it is read and once it is understood.
const weight = 4

// New returns the handler of all hooks: POST /duffel/{account}, where account
// is the account's identifier. An event that is not signed with the account's
// secret is answered 401, whether or not there is such an account.
func New(c Config) *web.Table {
	mux := &web.Table{}
	refuse := c.refuse(web.NewRefusals(c.DB, c.Log, c.Now))
	account := func(r *http.Request) (gangway.Scope, error) {
		return gangway.Scope{Account: r.PathValue("account")}, nil
	}
	mux.Handle("POST /duffel/{account}", web.Guarded{For: web.Supplier, Handler: web.Gate(c.DB, c.Log, account, refuse,
		c.duffel)})
	mux.Otherwise(web.Gate(c.DB, c.Log, account, refuse, func(_ http.ResponseWriter, r *http.Request,
		_ store.Scoped) error {
		if allow := mux.Allowed(r); len(allow) > 0 {
			return web.MethodNotAllowed(allow...)
		}
		return gangway.Errorf(gangway.NotFound, "no supplier tells us anything here")
	}))
	return mux
}

// errSigned is the answer to whoever is not the supplier.
var errSigned = web.Unauthorized("Signature", "this was not signed with the account's secret")

func (c Config) duffel(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	r.Body = http.MaxBytesReader(w, r.Body, most)
	if c.Budget != nil {
		defer c.Budget.Count(w, r, weight)()
	}
	body, err := io.ReadAll(r.Body)
	if web.Limited(err) {
		return err
	}
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return web.TooLarge("an event has at most 1 MiB")
	}
	if err != nil {
		return gangway.Errorf(gangway.Invalid, "the event did not arrive whole")
	}
	secret, err := c.Secret(r.Context(), in)
	if gangway.KindOf(err) == gangway.NotFound {
		return fmt.Errorf("there is no such account, or it has no webhook secret: %w", errSigned)
	}
	if err != nil {
		return err
	}
	event, err := duffel.Webhook(secret, r.Header.Get("X-Duffel-Signature"), body, c.Now())
	if gangway.KindOf(err) == gangway.Denied {
		return fmt.Errorf("the signature or its time is wrong: %w", errSigned)
	}
	if err != nil {
		return err
	}
	seller, err := c.Duffel(r.Context(), in)
	if err != nil {
		return err
	}
	order, err := seller.Heard(r.Context(), event)
	if gangway.KindOf(err) == gangway.NotFound {
		w.WriteHeader(http.StatusNoContent) // it is about nothing of ours, and need not come again
		return nil
	}
	if err != nil {
		return err
	}
	if err := c.LookAtOrder(r.Context(), in, duffel.Name, order); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
