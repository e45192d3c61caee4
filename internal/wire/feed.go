package wire

import (
	"strings"
	"time"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// ReadFeed reads a feed as its integrator writes it. The settings of its
// transport are all in Transport.Settings, secrets among them, as they were
// given: package transport reads and divides them. A member that is null is as
// if it were left out, and "state", which a feed is shown with, is passed over.
// Its errors are Invalid, name the member and contain no value of the transport.
//
// Decided: docs/choices.md, "Feeds".
func ReadFeed(doc []byte) (gangway.Feed, error) {
	f := gangway.Feed{Format: gangway.DocumentFormat{Kind: gangway.AutoFormat}}
	complete := false
	given, err := readSettings(doc, "a feed", `{"name": …, "flow": …, "transport": {"kind": …}}`, []setting{
		{name: "name", what: "text", to: &f.Name},
		{name: "flow", what: "text", to: (*string)(&f.Flow)},
		{name: "every", read: readDuration("every", &f.Every)},
		{name: "transport", read: readTransport(&f.Transport)},
		{name: "format", read: func(value jsontext.Value) (err error) {
			f.Format, err = ReadDocumentFormat(value)
			return err
		}},
		{name: "mapping", what: "text: a jq program", to: &f.Mapping},
		{name: "complete", what: "true or false", to: &complete},
		{name: "removal_limit", what: "a whole number of percent", to: &f.RemovalLimit},
		{name: "off", what: "true or false", to: &f.Off},
	})
	if err != nil {
		return f, err
	}
	if given["complete"] {
		f.Complete = &complete
	}
	for _, name := range []string{"name", "flow", "transport"} {
		if !given[name] {
			return f, gangway.Errorf(gangway.Invalid, "%s is missing", name)
		}
	}
	return f, nil
}

// Feed writes a feed as ReadFeed reads it, with those settings of its transport
// that may be shown. Settings that are kept but not shown are null there, so that
// whoever sets a feed as it was shown keeps them. state, where there is one, is
// what the feed's reader passes over.
func Feed(f gangway.Feed, state any) jsontext.Value {
	w := newObject()
	w.text("name", f.Name)
	w.text("flow", string(f.Flow))
	if f.Every > 0 {
		w.text("every", Interval(f.Every))
	}
	w.member("transport", writeTransport(f.Transport))
	w.member("format", DocumentFormat(f.Format))
	w.text("mapping", f.Mapping)
	if f.Complete != nil {
		w.value("complete", *f.Complete)
	}
	if f.RemovalLimit > 0 {
		w.value("removal_limit", f.RemovalLimit)
	}
	if f.Off {
		w.value("off", true)
	}
	if state != nil {
		w.value("state", state)
	}
	return w.end()
}

// writeTransport writes what may be shown of a transport.
func writeTransport(t gangway.Transport) jsontext.Value {
	w := newObject()
	w.text("kind", t.Kind)
	for _, m := range objectMembers(jsontext.Value(t.Settings)) {
		w.member(m.name, m.value)
	}
	return w.end()
}

// Interval writes a length of time as ReadFeed reads it, without the parts that are zero: "1h", "1h30m".
func Interval(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
