package main

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// openStore opens a database until the end of the test.
func openStore(t *testing.T, database string) *store.DB {
	t.Helper()
	db := sure(store.Open(t.Context(), database))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// serverOf builds a server from parts and serves it, at an address of its own, until the test ends.
// It may call this machine, and logs only to a given log.
func serverOf(t *testing.T, p serverParts) (addresses, *server) {
	t.Helper()
	p.allow, p.push = loopback, loopback
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	l := sure(listen(t.Context(), "127.0.0.1:0"))(t)
	p.at = sure(addressesAt(l.Addr().String(), "", "", ""))(t)
	h := sure(buildServer(p))(t)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	served := make(chan error, 1)
	go func() { served <- h.serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return p.at, h
}

// ines is a person's e-mail address, and tideTables everybody's password.
const (
	ines       = "ines.paredes@halcyon.example"
	tideTables = "tide tables at six"

	// tideTablesHash is cheap to check: a hash says itself what it costs.
	tideTablesHash = "$argon2id$v=19$m=8,t=1,p=1$c2FsdCBvZiBubyBzZWNyZQ$HNcNTIALfvcSHxhahWc1ges84ZLREgZv/sivD89vZAM"
)

// hire makes a person who signs in for a customer.
func hire(t *testing.T, db *store.DB, customer, email string, role gangway.Role) gangway.User {
	t.Helper()
	u := gangway.User{ID: store.NewID("usr"), Customer: customer, Email: email, Name: "Ines Paredes", Role: role}
	must(t, db.CreateUser(t.Context(), storetest.Operator, u, tideTablesHash, time.Now()))
	return u
}

// pushTo makes an outlet that pushes to an address.
func pushTo(t testing.TB, in store.Scoped, address string, now time.Time) gangway.Outlet {
	t.Helper()
	return sure(in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet, storetest.PushTo(address),
		[]string{deliver.NewSecret()}, now))(t)
}

// finish does background work until nothing is left of it.
func finish(t testing.TB, work func(context.Context) (some bool, err error)) {
	t.Helper()
	for sure(work(t.Context()))(t) {
	}
}
