package api

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/wire"
)

// pullLease is how long a part of a pull's answer may take to be written. A
// process that dies meanwhile keeps its actions from other pulls for as long.
const pullLease = time.Minute

// emptyPull begins the names of pulls that found nothing. They are not kept:
// what they answered is known.
const emptyPull = "pull_0_"

// pullBookings hands out what happened since the last pull, or, with ?pull=,
// what an earlier pull handed out.
//
// Spec: A5 Pull bookings.
func (a *API) pullBookings(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	id, again := r.URL.Query().Get("pull"), r.URL.Query().Has("pull")
	if !again {
		now := a.now()
		id = "pull_" + strings.ToLower(rand.Text())
		found, err := in.BeginPull(r.Context(), id, now, now.Add(pullLease))
		if err != nil {
			return err
		}
		if !found {
			id = emptyPull + id[len("pull_"):]
		}
	}
	if strings.HasPrefix(id, emptyPull) {
		w.Header().Set("Pull-Id", id)
		return write(w, []byte("[]"))
	}
	written, hold := false, func() error { return in.HoldPull(r.Context(), id, a.now().Add(pullLease)) }
	if again {
		hold = nil
	}
	defer func() {
		if again && !written {
			return // whoever writes it at first says what came of it
		}
		// Also when the caller has gone: that is when it matters.
		if err := in.EndPull(context.WithoutCancel(r.Context()), id, written); err != nil {
			a.log.ErrorContext(r.Context(), "a pull could not be ended; its actions come again", "pull", id, "error", err)
		}
	}()
	list, err := in.Pull(r.Context(), id, a.now())
	if err != nil {
		return err
	}
	w.Header().Set("Pull-Id", id)
	if err := answerBookings(w, r, in, list, hold); err != nil {
		return err
	}
	written = true
	return nil
}

// modifiedBookings lists what happened after an instant, and hands out nothing.
//
// Spec: A5 Pull bookings.
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
	return answerBookings(w, r, in, list, nil)
}

// answerBookings writes the booking records of list. It returns nil only when
// the whole answer was written while the caller was still there, an error only
// while nothing was written; otherwise it cuts the connection. hold, where it
// is given, is called now and then while a long answer is being written.
//
// The records are made twice, once to count their bytes: so a pull of a whole
// year needs no more memory than one of a minute, and a caller who gets less
// than Content-Length says knows it.
func answerBookings(w http.ResponseWriter, r *http.Request, in store.Scoped, list []store.PulledBooking, hold func() error) error {
	var size counter
	if err := writeRecords(r.Context(), &size, in, list, nil); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Length", strconv.Itoa(int(size)+len("]")))
	if err := answerInFull(w, r, in, list, hold); err != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}

func answerInFull(w http.ResponseWriter, r *http.Request, in store.Scoped, list []store.PulledBooking, hold func() error) error {
	out := http.NewResponseController(w)
	defer out.SetWriteDeadline(time.Time{})
	// What has no deadline of its own is still bounded by the lease.
	out.SetWriteDeadline(time.Now().Add(pullLease / 2))
	err := writeRecords(r.Context(), w, in, list, func() error {
		out.SetWriteDeadline(time.Now().Add(pullLease / 2))
		if hold == nil {
			return nil
		}
		return hold()
	})
	if err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	// The last byte waits until all before it has left. A caller who has gone
	// by now did not get everything; one who goes later did.
	if err := r.Context().Err(); err != nil {
		return err
	}
	if _, err := io.WriteString(w, "]"); err != nil {
		return err
	}
	return out.Flush()
}

// atOnce is how many bookings are in memory at a time.
const atOnce = 200

// writeRecords writes the booking records of list as a JSON array, but for its
// last byte. It calls between before each part but the first.
func writeRecords(ctx context.Context, w io.Writer, in store.Scoped, list []store.PulledBooking, between func() error) error {
	separator := "["
	if len(list) == 0 {
		_, err := io.WriteString(w, separator)
		return err
	}
	for part := range slices.Chunk(list, atOnce) {
		if between != nil && separator == "," {
			if err := between(); err != nil {
				return err
			}
		}
		bookings, err := in.Snapshots(ctx, part)
		if err != nil {
			return err
		}
		for i, b := range bookings {
			record, err := wire.Booking(b, part[i].Actions)
			if err != nil {
				return err
			}
			if _, err := io.WriteString(w, separator); err != nil {
				return err
			}
			if _, err := w.Write(record); err != nil {
				return err
			}
			separator = ","
		}
	}
	return nil
}

// A counter counts what is written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
