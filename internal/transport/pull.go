package transport

import (
	"context"
	"io"
	"iter"
	"net/netip"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// A Puller fetches documents from one place at a customer: an address, a folder, a
// mailbox, a database.
type Puller interface {
	// Pull yields what there is, oldest first; finding nothing is not an error. What it
	// yields can be read until the next one is requested. An error ends the pull: it is
	// a sentence for the customer's admins, without secrets. An error about a single
	// arrival is in that arrival instead. Pull connects to nothing that the operator did
	// not allow, and ends when ctx does.
	Pull(ctx context.Context, q Query) iter.Seq2[*Arrival, error]
}

// A Settler is a Puller whose documents stay where they were found until their
// outcome is known: files and mails.
type Settler interface {
	Puller
	// Settle puts a document away by its key, after Pull has yielded it, now or before a
	// restart. It is not an error if the document was put away before, or is gone.
	Settle(ctx context.Context, key string, as Outcome) error
}

// An Answerer is a Settler whose documents have a sender who can be answered: mails.
type Answerer interface {
	Settler
	// Answer sends the document's sender a text, if the settings ask for answers and the
	// sender is one to whom machines may answer; otherwise it sends nothing and is no
	// error. It calls sent once the answer was accepted, before it does anything else, so
	// that this is noted at once. It is called before Settle. After an error, or a restart,
	// it may be called again: an answer that went out before is recognised, or is repeated
	// with the same identity.
	Answer(ctx context.Context, key, text string, sent func() error) error
}

// A Query is what to fetch, and what we have already.
type Query struct {
	gangway.Ask
	Have Validators // of the last answer; the system may answer that nothing has changed
	Most int64      // bytes of one document, at most; 0: MostBytes

	// Known reports whether the document with a key was read before and only waits to be
	// settled: it is passed over, and nothing of it is fetched. Its error ends the pull as it
	// is. Nil: none was.
	Known func(ctx context.Context, key string) (bool, error)
}

// Knows reports whether the document with a key is to be passed over.
func (q Query) Knows(ctx context.Context, key string) (bool, error) {
	if q.Known == nil {
		return false, nil
	}
	return q.Known(ctx, key)
}

// MostBytes is how long a document may be where nothing else is said.
//
// Spec: Limits; decided: docs/choices.md, "Feeds".
const MostBytes = 32 << 20

// Validators identify the answer that we have already.
//
// Spec: RFC 9110, section 8.8.
type Validators struct {
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
}

// An Arrival is one document as it was fetched. Several in a row may have the same key:
// the attachments of a mail, which are settled together, once. Its validators are to be kept only
// if the pull brought no other: they say nothing of further pages.
type Arrival struct {
	Key         string // its name at its place, for as long as it is there; for a page: its number
	Name        string // of the file or attachment; empty if it has none
	ContentType string // as declared; empty if not declared
	Time        time.Time
	From        string    // for a mail: its sender's address
	Body        io.Reader // readable until the next arrival is requested; a read fails beyond Query.Most
	Unchanged   bool      // there is no body: what we have is still current
	Now         Validators
	Endless     bool // nothing but the body itself shows whether all of it came

	// Wrong says why this document alone cannot be accepted, in a sentence for the
	// customer's admins: a sender without permission, or a file that is too long.
	Wrong error
}

// An Outcome is what became of a document.
type Outcome struct {
	Failed bool   // nothing of it was stored
	Report []byte // what was refused, for the sender: text, UTF-8; empty if nothing was
}

// Options are the operator's settings for all kinds.
type Options struct {
	Allow  []netip.Prefix // private networks that may be connected to nevertheless
	Mailer Mailer         // nil: the operator has named no mail server
}

// HowToAllow says how an address is allowed, given why there was no connection; empty where it was not refused.
func HowToAllow(why string) string {
	if !strings.Contains(why, "--allow-network") {
		return ""
	}
	return "If it is right, whoever runs Gangway allows that network when starting it, as in gangway serve " +
		"--allow-network 10.20.0.0/16."
}
