package api

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/wire"
)

// pullLease is how long the answer of a pull may take to be written before its
// actions count as not handed out.
const pullLease = 2 * time.Minute

// pullBookings hands out what happened since the last pull, or, with ?pull=,
// what an earlier pull handed out.
//
// Spec: A5 Pull bookings.
func (a *API) pullBookings(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	if r.URL.Query().Has("pull") {
		id := r.URL.Query().Get("pull")
		list, err := in.Pull(r.Context(), id, a.now())
		if err != nil {
			return err
		}
		w.Header().Set("Pull-Id", id)
		return writeBookings(w, list)
	}
	id, now := "pull_"+strings.ToLower(rand.Text()), a.now()
	list, err := in.BeginPull(r.Context(), id, now, now.Add(pullLease))
	if err != nil {
		return err
	}
	w.Header().Set("Pull-Id", id)
	err = writeBookings(w, list)
	if err == nil {
		// Only what has left counts as handed out.
		err = http.NewResponseController(w).Flush()
	}
	if err == nil {
		err = r.Context().Err()
	}
	// Also when the caller has gone: that is when it matters.
	if endErr := in.EndPull(context.WithoutCancel(r.Context()), id, err == nil); endErr != nil {
		return endErr
	}
	return err
}

// modifiedBookings lists what happened after an instant, and hands out nothing.
func (a *API) modifiedBookings(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	from, err := time.Parse(time.RFC3339, r.URL.Query().Get("from"))
	if err != nil {
		var p gangway.Problems
		p.Add("From", "The from parameter is required: an instant as in 2026-12-01T08:00:00Z.")
		return p.Err()
	}
	list, err := in.Modified(r.Context(), from)
	if err != nil {
		return err
	}
	return writeBookings(w, list)
}

func writeBookings(w http.ResponseWriter, list []store.PulledBooking) error {
	pulled := make([]wire.Pulled, len(list))
	for i, p := range list {
		pulled[i] = wire.Pulled{Booking: p.Booking, Actions: p.Actions}
	}
	body, err := wire.Bookings(pulled)
	if err != nil {
		return err
	}
	return write(w, body)
}
