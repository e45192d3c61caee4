package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"time"

	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/wire"
)

// atOnce is how many bookings are in memory at a time.
const atOnce = 200

// pullLease is how long writing a part of an answer may take. If a process dies
// meanwhile, the actions of a pull without a name are kept from others for that long.
const pullLease = time.Minute

// A bookingsPart returns the next bookings of an answer, a few hundred at most; none
// when there are no more.
type bookingsPart func(ctx context.Context) ([]store.PulledBooking, error)

// answerBookings writes the booking records that next returns, as they come, as one
// JSON array: an answer for a year needs no more memory than one for a minute.
//
// It returns nil only if the whole answer was written while the caller was still there,
// and an error only while nothing was written. Otherwise it cuts the connection, and the
// caller knows that the end of the array and of the transfer is missing. hold is called
// again and again: once it fails, nothing more is written. A caller who receives nothing
// for long is cut off as well.
func (a *API) answerBookings(w http.ResponseWriter, r *http.Request, next bookingsPart, hold func() error) error {
	first, err := next(r.Context())
	if err != nil {
		return err
	}
	if err := newOutput(w, r, a.limits.Patience, hold).writeAll(r.Context(), first, next); err != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}

// An output is an answer that is being sent, compressed if the caller accepts that. The
// same parts always become the same bytes.
type output struct {
	line *line
	to   io.Writer
	zip  *gzip.Writer // nil if it is not compressed
}

func newOutput(w http.ResponseWriter, r *http.Request, patience time.Duration, hold func() error) *output {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	header.Set("Vary", "Accept-Encoding")
	out := &output{line: &line{to: w, http: http.NewResponseController(w), patience: patience, hold: hold}}
	out.to = out.line
	if web.TakesGzip(r) {
		header.Set("Content-Encoding", "gzip")
		out.zip = gzip.NewWriter(out.line)
		out.to = out.zip
	}
	return out
}

// writeAll writes an array of the bookings of part, and of those that next returns.
func (o *output) writeAll(ctx context.Context, part []store.PulledBooking, next bookingsPart) error {
	defer o.line.http.SetWriteDeadline(time.Time{})
	var doc bytes.Buffer
	before := "["
	for len(part) > 0 {
		doc.Reset()
		for _, b := range part {
			record, err := wire.Booking(b.Then, b.Actions)
			if err != nil {
				return err
			}
			doc.WriteString(before)
			doc.Write(record)
			before = ","
		}
		if _, err := o.to.Write(doc.Bytes()); err != nil {
			return err
		}
		var err error
		if part, err = next(ctx); err != nil {
			return err
		}
	}
	if before == "[" {
		if _, err := o.to.Write([]byte(before)); err != nil {
			return err
		}
	}
	if err := o.flush(); err != nil {
		return err
	}
	// The last byte waits until everything before it has been sent. A caller who has
	// gone by now did not get everything; one who goes later did.
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := o.to.Write([]byte("]")); err != nil {
		return err
	}
	if o.zip != nil {
		if err := o.zip.Close(); err != nil {
			return err
		}
	}
	return o.line.flush()
}

func (o *output) flush() error {
	if o.zip != nil {
		if err := o.zip.Flush(); err != nil {
			return err
		}
	}
	return o.line.flush()
}
