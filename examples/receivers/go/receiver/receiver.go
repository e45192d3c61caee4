// Package receiver takes in what Gangway pushes (B5): it checks the signature, drops repeats, keeps the
// order of a booking's actions, and answers once the push is stored.
//
// It is an example, to be copied. It needs nothing but the standard library.
package receiver

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// A Receiver answers pushes. It is an http.Handler.
type Receiver struct {
	Secret   string              // whsec_…, as "gangway outlet set" printed it
	Unsigned bool                // take what nobody has signed, too: only to try things out
	Inbox    *Inbox              // where pushes are stored
	Took     func(Push, Outcome) // is called once a push is stored, if it is set; it must not wait for anything
	Now      func() time.Time    // time.Now unless set
}

// longest is how many bytes of a body are read, before anybody knows whose it is.
const longest = 16 << 20

// ServeHTTP answers with 204 once the push is stored. Any other answer makes Gangway push again, for three days.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, longest))
	if err != nil {
		http.Error(w, "the push could not be read", http.StatusBadRequest)
		return
	}
	now := time.Now
	if r.Now != nil {
		now = r.Now
	}
	if !r.Unsigned && !Signed(r.Secret, req.Header, body, now()) {
		http.Error(w, "the signature is wrong, or older than five minutes", http.StatusUnauthorized)
		return
	}
	push, err := read(req.Header.Get("Webhook-Id"), body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	outcome, err := r.Inbox.Keep(push)
	if err != nil {
		http.Error(w, "the push could not be stored", http.StatusInternalServerError)
		return
	}
	if r.Took != nil {
		r.Took(push, outcome)
	}
	w.WriteHeader(http.StatusNoContent)
}

// A Push is one action on a booking, with the booking as it was right after it.
type Push struct {
	ID       string // the webhook-id: a repeat has the same
	Booking  string
	Sequence int    // of the action within the booking, from 1; it grows, and may leave numbers out
	Locator  string // for people
	State    string
	Record   []byte // the body as it came
}

var errRecord = errors.New("a booking record with one action is expected")

func read(id string, body []byte) (Push, error) {
	var record struct {
		ID, Locator, State string
		Actions            []json.RawMessage
		Metadata           struct{ Sequence int }
	}
	if err := json.Unmarshal(body, &record); err != nil || record.ID == "" || len(record.Actions) != 1 ||
		record.Metadata.Sequence < 1 {
		return Push{}, errRecord
	}
	return Push{id, record.ID, record.Metadata.Sequence, record.Locator, record.State, body}, nil
}
