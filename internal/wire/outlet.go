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
	members, err := strictMembers(doc, "an outlet", `{"name": …, "transport": {"kind": …}}`)
	if err != nil {
		return o, err
	}
	for _, m := range members {
		if m.value.Kind() == 'n' {
			continue
		}
		if err := readOutletMember(&o, m.name, m.value); err != nil {
			return o, err
		}
	}
	if o.Transport.Kind == "" {
		return o, gangway.Errorf(gangway.Invalid, "transport is missing")
	}
	return o, nil
}

func readOutletMember(o *gangway.Outlet, name string, value jsontext.Value) (err error) {
	switch name {
	case "name":
		return readAs(name, "text", '"', value, &o.Name)
	case "states":
		return readAs(name, "a list of texts", '[', value, &o.States)
	case "mapping":
		return readAs(name, "text: a jq program", '"', value, &o.Mapping)
	case "format":
		return readAs(name, "text", '"', value, (*string)(&o.Format))
	case "batch":
		o.Batch, err = readDuration(name, value)
		return err
	case "transport":
		o.Transport, err = readTransport(value)
		return err
	case "paused":
		return readYesNo(name, value, &o.Paused)
	case "state":
		return nil
	}
	return gangway.Errorf(gangway.Invalid, "%.40q is no member of an outlet; there are name, states, mapping, format, "+
		"batch, transport and paused", name)
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
