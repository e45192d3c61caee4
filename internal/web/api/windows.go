package api

import (
	"context"
	"net/http"
	"time"

	"gangway/internal/store"
)

// createdBookings lists the bookings made in a period, with all their actions, and hands
// out nothing.
func (a *API) createdBookings(w http.ResponseWriter, r *http.Request, in store.Scoped, q *query) error {
	for _, window := range []string{"days", "from", "to"} {
		q.alone(window, "pull", "limit")
	}
	q.alone("days", "from", "to", "after")
	var from, until time.Time
	if q.has("days") {
		account, err := in.Account(r.Context()) // with its clock as it is now
		if err != nil {
			return err
		}
		now := account.Scope().Now(a.now())
		from = now.AddDate(0, 0, -q.number("days", mostDays, 1))
		until = now.Add(time.Minute) // a booking made by another replica may be ahead of our clock
	} else {
		from, until = q.instant("from", false), q.instant("to", true)
		if q.problems.Err() == nil && until.Before(from) {
			q.wrong("to", "The to parameter is before the from parameter.")
		}
	}
	after := q.after()
	if err := q.problems.Err(); err != nil {
		return err
	}
	at, err := in.Created(r.Context(), from, until, after, a.limits.Pull+1)
	if err != nil {
		return err
	}
	return a.answerList(w, r, in, at, time.Time{}, "from", utc(from), "to", utc(until))
}

// modifiedBookings lists what happened after an instant, and hands out nothing.
//
// Spec: A5 Pull bookings.
func (a *API) modifiedBookings(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	q := queryOf(r, "from", "after")
	from, after := q.instant("from", false), q.after()
	if err := q.problems.Err(); err != nil {
		return err
	}
	at, err := in.Modified(r.Context(), from, after, a.limits.Pull+1)
	if err != nil {
		return err
	}
	return a.answerList(w, r, in, at, from, "from", utc(from))
}

// utc writes an instant as a parameter, which needs escaping only for its colons.
func utc(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }

// answerList writes the bookings at positions, each with its actions after from. If there is
// one more than an answer may have, a Link header says how the list continues, with the
// given parameters.
func (a *API) answerList(w http.ResponseWriter, r *http.Request, in store.Scoped, at []store.Position, from time.Time,
	parameters ...string) error {
	if len(at) > a.limits.Pull {
		at = at[:a.limits.Pull]
		w.Header().Set("Link", nextPage(at[len(at)-1], parameters...))
	}
	next := func(ctx context.Context) ([]store.PulledBooking, error) {
		for len(at) > 0 {
			n := min(len(at), atOnce)
			part, err := in.ActionsAfter(ctx, at[:n], from)
			at = at[n:]
			if err != nil || len(part) > 0 {
				return part, err
			}
		}
		return nil, nil
	}
	return a.answerBookings(w, r, next, func() error { return nil })
}
