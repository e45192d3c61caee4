package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"gangway/internal/store"
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
	s := records{next: next}
	first, err := s.read(r.Context())
	if err != nil {
		return err
	}
	out := newOutput(w, r, a.limits.Patience, hold)
	if err := out.writeAll(r.Context(), first, s.read); err != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}

// records turns the parts of an answer into JSON.
type records struct {
	next  bookingsPart
	begun bool
	buf   bytes.Buffer
}

// read returns the next part of the array, all but its last byte; nil at the end. Its
// result is valid until the next call.
func (s *records) read(ctx context.Context) ([]byte, error) {
	list, err := s.next(ctx)
	if err != nil {
		return nil, err
	}
	s.buf.Reset()
	if !s.begun && len(list) == 0 {
		s.buf.WriteByte('[')
	}
	for i, b := range list {
		record, err := wire.Booking(b.Then, b.Actions)
		if err != nil {
			return nil, err
		}
		if s.begun || i > 0 {
			s.buf.WriteByte(',')
		} else {
			s.buf.WriteByte('[')
		}
		s.buf.Write(record)
	}
	s.begun = true
	return s.buf.Bytes(), nil
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
	if takesGzip(r) {
		header.Set("Content-Encoding", "gzip")
		out.zip = gzip.NewWriter(out.line)
		out.to = out.zip
	}
	return out
}

func (o *output) writeAll(ctx context.Context, part []byte, next func(context.Context) ([]byte, error)) error {
	defer o.line.http.SetWriteDeadline(time.Time{})
	for len(part) > 0 {
		if _, err := o.to.Write(part); err != nil {
			return err
		}
		var err error
		if part, err = next(ctx); err != nil {
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

// takesGzip reports whether the caller says that it accepts gzip (RFC 9110, 12.5.3).
func takesGzip(r *http.Request) bool {
	takes := false
	for _, list := range r.Header.Values("Accept-Encoding") {
		for coding := range strings.SplitSeq(list, ",") {
			name, parameter, _ := strings.Cut(coding, ";")
			name = strings.ToLower(strings.TrimSpace(name))
			if name != "gzip" && name != "*" {
				continue
			}
			_, weight, weighed := strings.Cut(parameter, "=")
			q, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
			takes = !weighed || err == nil && q > 0
			if name != "*" {
				return takes
			}
		}
	}
	return takes
}
