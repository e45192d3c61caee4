package storetest

import (
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Book stores a booking that is confirmed as it is created, under an intent of its own.
func Book(t testing.TB, in store.Scoped, b gangway.Booking) gangway.Booking {
	t.Helper()
	action := calltest.Must(b.Move(gangway.Book, b.CreatedBy, b.CreatedAt))(t)
	intent := store.Intent{ID: b.ID, Booking: b.ID, Kind: "book", By: b.CreatedBy, Doc: []byte("{}"),
		CreatedAt: b.CreatedAt, Lease: b.CreatedAt}
	calltest.Done(t, in.BeginBooking(t.Context(), intent, store.Hold{Search: "search of " + b.ID}))
	return calltest.Must(in.CreateBooking(t.Context(), b.ID, b, action))(t)
}
