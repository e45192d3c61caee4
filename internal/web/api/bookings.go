package api

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// ours begins the names of pulls that the customer did not name.
const ours = "pull_"

// emptyPull begins the names of pulls that found nothing. They are not stored, because
// their answer is known.
const emptyPull = ours + "0_"

var emptyPullName = regexp.MustCompile(`^` + emptyPull + `[a-z2-7]{26}$`)

// lastPull stands for the latest pull that returned something.
const lastPull = "last"

// mostPulls is how many pulls are listed.
const mostPulls = 1000

// pullBookings hands out what happened since the last pull or, with the name of an
// earlier pull, what that one handed out. With ?days= or ?from=&to= it shows the
// bookings made in that time and hands out nothing.
//
// Spec: A5 Pull bookings.
func (a *API) pullBookings(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	q := queryOf(r, "pull", "limit", "days", "from", "to", "after")
	if q.has("days") || q.has("from") || q.has("to") {
		return a.createdBookings(w, r, in, q)
	}
	name, limit := q.pull(), q.number("limit", mostBookings, a.limits.Pull)
	if q.has("after") {
		q.wrong("after", "The after parameter is given only beside from and to.")
	}
	if err := q.problems.Err(); err != nil {
		return err
	}
	p, found, err := a.findPull(r.Context(), in, name)
	lease := time.Time{}
	if err == nil && !found {
		lease = a.now().Add(pullLease)
		p, err = a.beginPull(r.Context(), in, store.PullAsk{ID: name, Named: name != "", Limit: limit, Now: a.now(),
			Lease: lease})
	}
	if err != nil {
		return err
	}
	return a.answerPull(w, r, in, p, lease)
}

// findPull finds an earlier pull; found is false if one has to begin. A pull that
// returned nothing has no bookings.
func (a *API) findPull(ctx context.Context, in store.Scoped, name string) (p store.Pull, found bool, err error) {
	switch {
	case name == "":
		return store.Pull{}, false, nil
	case emptyPullName.MatchString(name):
		return store.Pull{ID: name}, true, nil
	case name == lastPull:
		last, err := in.Pulls(ctx, a.now(), 1)
		if err != nil || len(last) == 0 {
			return store.Pull{ID: emptyPull + newPullName()}, true, err
		}
		return last[0], true, nil
	}
	p, err = in.Pull(ctx, name, a.now())
	if gangway.KindOf(err) == gangway.NotFound && !strings.HasPrefix(name, ours) {
		return store.Pull{}, false, nil
	}
	return p, true, err
}

// beginPull begins a pull under the customer's name for it, or without one.
func (a *API) beginPull(ctx context.Context, in store.Scoped, ask store.PullAsk) (store.Pull, error) {
	random := newPullName()
	if !ask.Named {
		ask.ID = ours + random
	}
	found, err := in.BeginPull(ctx, ask)
	switch {
	case err != nil && !ask.Named: // it may have begun nevertheless
		a.abandonPull(ctx, in, ask.ID, ask.Lease)
		return store.Pull{}, err
	case err != nil:
		return store.Pull{}, err
	case !found && ask.Named:
		return store.Pull{ID: ask.ID}, nil
	case !found:
		return store.Pull{ID: emptyPull + random}, nil
	}
	// The pull begins even if the caller has gone; that is noticed when it is answered.
	return in.Pull(context.WithoutCancel(ctx), ask.ID, ask.Now)
}

func newPullName() string { return strings.ToLower(rand.Text()) }

// answerPull writes what a pull handed out. lease is how long it may be written; zero
// if somebody else began it.
func (a *API) answerPull(w http.ResponseWriter, r *http.Request, in store.Scoped, p store.Pull, lease time.Time) error {
	w.Header().Set("Pull-Id", p.ID)
	if p.Bookings == 0 {
		return write(w, []byte("[]"))
	}
	written, held := false, time.Now()
	if p.Open {
		defer func() {
			// Also if the caller has gone, because that is when it matters.
			ctx := context.WithoutCancel(r.Context())
			if !written {
				a.abandonPull(ctx, in, p.ID, lease)
			} else if err := in.EndPull(ctx, p.ID); err != nil {
				a.log.ErrorContext(ctx, "a pull could not be ended; its actions will be handed out again", "pull",
					p.ID, "error", err)
			}
		}()
	}
	hold := func() (err error) {
		if p.Open && (lease.IsZero() || time.Since(held) > pullLease/4) {
			held = time.Now()
			lease, err = in.HoldPull(r.Context(), p.ID, a.now().Add(pullLease))
		}
		return err
	}
	if err := hold(); err != nil {
		return err
	}
	more, err := in.PullWaits(r.Context(), a.now())
	if err != nil {
		return err
	}
	if more {
		w.Header().Set("Pull-More", "true")
	}
	read := 0
	next := func(ctx context.Context) ([]store.PulledBooking, error) {
		part, err := in.PullPart(ctx, p.ID, read, atOnce)
		if read += len(part); err == nil && len(part) == 0 && read < p.Bookings {
			err = gangway.Errorf(gangway.Conflict, "another pull has the actions of this one")
		}
		return part, err
	}
	if err := a.answerBookings(w, r, next, hold); err != nil {
		return err
	}
	written = true
	return nil
}

// abandonPull gives the actions of a pull whose answer was not written back.
func (a *API) abandonPull(ctx context.Context, in store.Scoped, id string, lease time.Time) {
	if err := in.AbandonPull(context.WithoutCancel(ctx), id, lease); err != nil {
		a.log.ErrorContext(ctx, "a pull could not be given up; its actions will be handed out again when its "+
			"lease ends", "pull",
			id, "error", err)
	}
}

// A pull is one of the list of pulls.
type pull struct {
	ID        string `json:"id"`
	CreatedAt int64  `json:"created_at"`
	Bookings  int    `json:"bookings"`
	Actions   int    `json:"actions"`
}

// listPulls lists the pulls of the last 30 days that returned something.
//
// Spec: A5 Pull bookings.
func (a *API) listPulls(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	if err := queryOf(r).problems.Err(); err != nil {
		return err
	}
	pulls, err := in.Pulls(r.Context(), a.now(), mostPulls)
	if err != nil {
		return err
	}
	list := make([]pull, len(pulls))
	for i, p := range pulls {
		list[i] = pull{p.ID, p.CreatedAt.Unix(), p.Bookings, p.Actions}
	}
	doc, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("list pulls: %w", err)
	}
	return write(w, doc)
}
