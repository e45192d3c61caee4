package transport

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/netip"
	"time"

	"gangway"
)

// A Puller fetches documents from one place at a customer: an address, a
// folder, a mailbox, a database.
type Puller interface {
	// Pull yields what there is, oldest first; nothing is no error. What it
	// yields is open until the next is asked for. An error is a sentence for the
	// customer's admins, carries no secret, and ends the pull; one that is about
	// an arrival alone stands in the arrival. Pull connects to nothing that the
	// operator did not allow, and ends when ctx does.
	Pull(ctx context.Context, q Query) iter.Seq2[*Arrival, error]
}

// A Settler is a Puller whose documents stay where they were found until it is
// known what became of them: files and mails.
type Settler interface {
	Puller
	// Settle puts away a document that Pull has yielded, now or before a restart,
	// by its key. One that is put away already, or gone, is no error.
	Settle(ctx context.Context, key string, as Outcome) error
}

// A Query is what is asked for, and what is had already.
type Query struct {
	gangway.Ask
	Have Validators // of the last answer; such a system may answer that nothing changed
	Most int64      // bytes of one document, at most
}

// Validators say which answer is had already.
//
// Spec: RFC 9110, section 8.8.
type Validators struct {
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
}

// An Arrival is one document as it was fetched.
type Arrival struct {
	Key         string // what it is known by where it was found, as long as it is there; of a page: its number
	Name        string // of the file or attachment; empty where it has none
	ContentType string // as declared; empty where nothing was
	Time        time.Time
	From        string    // of a mail: its sender's address
	Body        io.Reader // until the next arrival is asked for; a read fails beyond Query.Most
	Unchanged   bool      // there is no body: what is had already is what there is
	Now         Validators

	// Wrong says why this document alone cannot be taken, in a sentence for the
	// customer's admins: a sender who may send nothing, a file that is too long.
	Wrong error
}

// An Outcome is what became of a document.
type Outcome struct {
	Failed bool   // nothing of it was stored
	Report []byte // what was refused, for whoever sent it: text, UTF-8; empty where nothing was
	Answer string // of a mail: what is answered, where the feed asks for answers
}

// A Kind is a way to fetch documents: its settings, and how it is set up.
type Kind struct {
	Name     string
	About    string // one sentence
	Settings []Setting
	Live     bool   // it can be asked while somebody waits
	Example  string // its settings as an object of JSON, without "kind"

	// Open returns a puller with these settings, an object of JSON with nothing
	// unknown in it and everything that is required. Its errors are Invalid and name the setting.
	Open func(settings json.RawMessage, o Options) (Puller, error)
}

// A Setting is a member of a transport's settings.
type Setting struct {
	Name     string
	Type     string // "text", "number", "yes or no", "list", "object"
	About    string // half a sentence
	Example  string // as JSON
	Required bool
	Secret   bool // sealed, never shown, and kept where a later change leaves it out
}

// Options are what an operator decides about all pullers.
type Options struct {
	Allow []netip.Prefix // private networks that may be connected to all the same
}
