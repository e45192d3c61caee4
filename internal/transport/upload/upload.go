// Package upload is the transport of feeds to which people give their documents, by a page
// or by a command: nothing is fetched.
package upload

import (
	"context"
	"encoding/json"
	"iter"

	"gangway/internal/gangway"
	"gangway/internal/transport"
)

// Kind has no settings.
var Kind = transport.Kind{
	Name: gangway.UploadTransport,
	About: "documents that people give by hand, on the feed's page or with feed run --document; nothing is " +
		"fetched, and it has no settings",
	Example: `{}`,
	Open: func(settings json.RawMessage, _ transport.Options) (transport.Puller, error) {
		return puller{}, transport.Kind{}.Check(settings)
	},
}

type puller struct{}

// Pull says how the feed gets its documents.
func (puller) Pull(context.Context, transport.Query) iter.Seq2[*transport.Arrival, error] {
	return func(yield func(*transport.Arrival, error) bool) {
		yield(nil, gangway.Errorf(gangway.Invalid, "nothing is fetched for this feed: give it a document, on its page "+
			"or with feed run --document"))
	}
}
