package transport

import (
	"context"
	"encoding/json"
	"time"
)

// A Kind is a way to fetch documents, or to send them: its settings, and how it is set up.
type Kind struct {
	Name     string
	About    string // one sentence
	Settings []Setting
	Live     bool   // it is quick enough to be used while somebody waits
	Example  string // its settings as an object of JSON, without "kind"

	// Open returns a puller with these settings: a JSON object that has everything
	// required and nothing unknown. Its errors are Invalid and name the setting.
	// Nil: nothing is fetched this way.
	Open func(settings json.RawMessage, o Options) (Puller, error)

	// Send returns a sender with these settings, in the same way. Nil: nothing leaves this way.
	Send func(settings json.RawMessage, o Options) (Sender, error)

	// Reach looks at where a sender with such settings would send to, and sends nothing. Invalid: it would
	// be refused, and the error says why. The warnings, in sentences, are of what will cause trouble
	// although the settings are right. Nil: there is nothing to look at.
	Reach func(ctx context.Context, settings json.RawMessage, o Options, now time.Time) (warnings []string, err error)

	// Connects says, of settings that are whole, what is really connected to, and as
	// whom, where more than one setting tells it. Secrets that are kept go nowhere
	// else. Nil: each setting that is System tells it by itself.
	Connects func(settings json.RawMessage) (string, error)

	// Lacks returns the error of settings that only another build of the program can use. Nil: there are none.
	Lacks func(settings json.RawMessage) error

	// Caution says in a sentence what an admin should know of such settings, although they are right. Nil, or empty:
	// nothing.
	Caution func(settings json.RawMessage) string

	// Local reports whether settings name files of the machine that the program runs
	// on. Only its operator may make such feeds, by command: a page must refuse them,
	// or a customer could have our own files read and moved. Nil: none do.
	Local func(settings json.RawMessage) bool
}

// A Setting is a member of a transport's settings.
type Setting struct {
	Name     string
	Type     Type
	About    string // half a sentence
	Example  string // as JSON
	Required bool
	Secret   Secret
	Members  []Setting // of an object that has members of its own; without them its members are texts

	// System says that this setting tells which system secrets are shown to, and as
	// whom: a host, a port, a user, how it proves that it is itself. If one changes,
	// secrets that were kept are not used any more.
	System bool
}

// A Type is what a setting may be in JSON.
type Type string

const (
	Text   Type = "text" // of one line
	Lines  Type = "text of lines"
	Number Type = "number" // whole, not below 0
	YesNo  Type = "yes or no"
	List   Type = "list"         // of texts
	Texts  Type = "text or list" // of texts
	Object Type = "object"       // with members of its own, or of texts by name
	Auth   Type = "auth"         // gangway.Credentials
)

// A Secret says what of a setting is sealed, never shown, and kept if a later change
// leaves it out. What is secret in Auth, and in members of objects, needs no saying here.
type Secret int

const (
	NotSecret Secret = iota
	Whole            // all of it
	Values           // of an object of texts: each text, not its name
	InURL            // of an address: its query, and a password before its host
)
