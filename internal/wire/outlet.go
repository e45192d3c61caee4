package wire

import (
	"time"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// ReadOutlet reads an outlet as its integrator writes it: whole, so that what is left out is as usual. The
// settings of its transport are all in Transport.Settings, secrets among them, as they were given. A member that
// is null is as if it were left out, and "state", which an outlet is shown with, is passed over. Its errors are
// Invalid, name the member and contain no value of the transport.
//
// Decided: docs/choices.md, "Push (B5)".
func ReadOutlet(doc []byte) (gangway.Outlet, error) {
	o := gangway.Outlet{Name: gangway.DefaultOutlet, Format: gangway.JSONFormat}
	_, err := readSettings(doc, "an outlet", `{"name": …, "transport": {"kind": …}}`, []setting{
		{name: "name", what: "text", to: &o.Name},
		{name: "states", what: "a list of texts", to: &o.States},
		{name: "mapping", what: "text: a jq program", to: &o.Mapping},
		{name: "format", what: "text", to: (*string)(&o.Format)},
		{name: "batch", read: readDuration("batch", &o.Batch)},
		{name: "transport", read: readTransport(&o.Transport)},
		{name: "paused", what: "true or false", to: &o.Paused},
	})
	if err == nil && o.Transport.Kind == "" {
		err = gangway.Errorf(gangway.Invalid, "transport is missing")
	}
	return o, err
}

// Outlet writes an outlet as ReadOutlet reads it, as Feed writes a feed.
func Outlet(o gangway.Outlet, state any) jsontext.Value {
	w := newObject()
	w.text("name", o.Name)
	if len(o.States) > 0 {
		w.value("states", o.States)
	}
	w.text("mapping", o.Mapping)
	w.text("format", string(o.Format))
	if o.Batch > 0 {
		w.text("batch", Interval(o.Batch.Round(time.Second)))
	}
	w.member("transport", writeTransport(o.Transport))
	if o.Paused {
		w.value("paused", true)
	}
	if state != nil {
		w.value("state", state)
	}
	return w.end()
}
