package main

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/duffel"
	"gangway/internal/book/flight/manual"
	"gangway/internal/book/flight/sim"
	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/world"
)

// suppliers are the suppliers of all accounts.
type suppliers struct {
	network *sim.Network
	factors *world.Factors // nil: the built-in ones
	duffel  string         // its address; empty: Duffel's own
	meters  *meters
	now     func() time.Time
	log     *slog.Logger

	mu     sync.Mutex
	tokens map[tokenUse]*duffel.Duffel
}

// newSuppliers returns them, with the simulated network as c says; duffel is Duffel's address, empty: its own.
func newSuppliers(c sim.Config, duffel string, m *meters, log *slog.Logger) (*suppliers, error) {
	network, err := sim.New(c)
	return &suppliers{network: network, factors: c.Factors, duffel: duffel, meters: m, now: c.Now, log: log}, err
}

// A tokenUse is a Duffel token as one account uses it.
type tokenUse struct{ account, token, phone string }

// of returns the supplier with a name, set up for an account; without a name the one that the account
// books with.
func (s *suppliers) of(ctx context.Context, in store.Scoped, name string) (flight.Supplier, error) {
	account, err := in.Account(ctx)
	if err != nil {
		return nil, err
	}
	name = cmp.Or(name, account.Settings.Supplier)
	switch name {
	case "", sim.Name:
		if account.Environment == gangway.Development {
			return s.network.Sandbox(in.Ledger(), account.Settings.Disruptions, in.Scope().Ahead), nil
		}
		return s.network.For(in.Ledger(), account.Settings.Disruptions), nil
	case flight.Elsewhere:
		return manual.New(in.Ledger(), s.factors, func() time.Time { return in.Now(s.now()) }), nil
	case duffel.Name:
		return s.ofDuffel(ctx, in, account)
	}
	return nil, gangway.Errorf(gangway.Unavailable, "this service has no supplier called %q", name)
}

// duffelSeller returns Duffel set up for an account.
func (s *suppliers) duffelSeller(ctx context.Context, in store.Scoped) (*duffel.Seller, error) {
	account, err := in.Account(ctx)
	if err != nil {
		return nil, err
	}
	return s.ofDuffel(ctx, in, account)
}

// webhookSecret returns the secret that Duffel signs an account's events with.
func webhookSecret(ctx context.Context, in store.Scoped) (string, error) {
	secret, err := in.Secret(ctx, duffel.WebhookSecret)
	return string(secret), err
}

// ofDuffel returns Duffel under the account's token.
func (s *suppliers) ofDuffel(ctx context.Context, in store.Scoped, account gangway.Account) (*duffel.Seller, error) {
	token, err := in.Secret(ctx, duffel.TokenSecret)
	if gangway.KindOf(err) == gangway.NotFound {
		return nil, gangway.Errorf(gangway.Unavailable,
			"the token for Duffel is missing: an administrator has to give it")
	}
	if err != nil {
		return nil, err
	}
	if err := checkToken(account, string(token)); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	use := tokenUse{account.ID, string(token), account.Settings.Phone}
	d, ok := s.tokens[use]
	if !ok {
		d, err = duffel.New(duffel.Config{Token: use.token, BaseURL: s.duffel, Now: s.now, Log: s.log, Phone: use.phone,
			Factors: s.factors, Watch: func(method, path string, status int, took time.Duration) {
				s.meters.supplierCalled(duffel.Name, method, path, status, took)
			}})
		if err != nil {
			return nil, err
		}
		if s.tokens == nil {
			s.tokens = map[tokenUse]*duffel.Duffel{}
		}
		s.tokens[use] = d
	}
	return d.For(in.Ledger()), nil
}

// forgetTraveller removes the traveller from a supplier's document of an order that is over. Documents
// of the simulated network name nobody.
func forgetTraveller(supplier string, doc []byte, known erasure.OwnValues) ([]byte, error) {
	switch supplier {
	case duffel.Name:
		return duffel.Forget(doc)
	case flight.Elsewhere:
		return manual.Forget(doc, known)
	}
	return nil, nil
}
