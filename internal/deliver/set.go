package deliver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gangway/internal/accept/mapping"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
)

// A Setter sets outlets up.
type Setter struct {
	Kinds   []transport.Kind // that outlets may use
	Options transport.Options
	Now     func() time.Time

	// Confirm is asked before an outlet that is there becomes another; its error leaves it as it is. otherQuery: its
	// address is the same but for the query, which neither of them shows. Nil: nobody is asked.
	Confirm func(is, becomes gangway.Outlet, otherQuery bool) error

	Secret string // with which an outlet signs that begins to push; empty: a fresh one
}

// Readdressed says where an outlet sends to that is about to send elsewhere, or with another query, and asks whether
// it should. Empty: it is about to do neither.
func Readdressed(is, becomes gangway.Outlet, otherQuery bool) (now, question string) {
	now = fmt.Sprintf("outlet %s sends to %s", is.Name, is.Address())
	switch {
	case otherQuery:
		return now + ", with another query than is given now (neither is shown)", "Send with this one from now on?"
	case is.Address() == becomes.Address():
		return "", ""
	}
	return now, "Send to " + becomes.Address() + " from now on?"
}

// A SetOutlet is what became of setting one.
type SetOutlet struct {
	gangway.Outlet          // with its signing secrets
	Created        bool     // it was not there before
	Warnings       []string // of what will cause trouble, in sentences
	KeptQuery      bool     // its address was given without a query, and has kept the one that it had
}

// An Edit makes of an outlet as it may be shown, or of the zero one, the one that somebody wants. The
// settings of its transport are as they were given: secrets that are left out, or null, stay as they are,
// but never for another system.
type Edit func(old gangway.Outlet) (gangway.Outlet, error)

// PostTo makes an outlet one that posts to an address. What else it is stays as it is; a new one gets every
// action, as the interface has it.
func PostTo(url string) Edit {
	return func(o gangway.Outlet) (gangway.Outlet, error) {
		var settings map[string]any
		if o.Transport.Kind == gangway.EndpointTransport {
			if err := json.Unmarshal(o.Transport.Settings, &settings); err != nil {
				return o, fmt.Errorf("read settings of outlet %s: %w", o.ID, err)
			}
		}
		kept := map[string]any{"url": url} // what has secrets stays where it is left out
		if ca := settings["ca"]; ca != nil {
			kept["ca"] = ca
		}
		doc, err := json.Marshal(kept)
		o.Transport = gangway.Transport{Kind: gangway.EndpointTransport, Settings: doc}
		o.Format = cmp.Or(o.Format, gangway.JSONFormat)
		return o, err
	}
}

// Set creates the account's outlet of a name or changes the one that is there. Invalid: it cannot be so, or
// what it would send would be refused.
func (s Setter) Set(ctx context.Context, in store.Scoped, by gangway.Actor, name string, edit Edit) (SetOutlet, error) {
	// Where it leads is looked up before anything is locked; what is stored is judged again.
	old, err := in.OutletToChange(ctx, name)
	if err != nil && gangway.KindOf(err) != gangway.NotFound {
		return SetOutlet{}, err
	}
	set, err := s.completed(name, old, edit)
	if err != nil {
		return SetOutlet{}, err
	}
	kind, err := kindOf(s.Kinds, set.Transport.Kind)
	if err != nil {
		return SetOutlet{}, err
	}
	done := SetOutlet{Created: old.ID == ""}
	if kind.Reach != nil {
		if done.Warnings, err = kind.Reach(ctx, set.whole, s.Options, s.Now()); err != nil {
			return SetOutlet{}, inTransport(err)
		}
	}
	if set.Mapping != "" && set.Mapping != old.Mapping {
		if err := mappingFails(ctx, set.Outlet, s.Now()); err != nil {
			done.Warnings = append(done.Warnings,
				fmt.Sprintf("the mapping fails on an invented booking, as outlet test sends it: %v", err))
		}
	}
	if s.Confirm != nil && !done.Created {
		if err := s.Confirm(old.Outlet, set.Outlet, set.otherQuery); err != nil {
			return SetOutlet{}, err
		}
	}
	done.Outlet, err = in.SetOutlet(ctx, by, name, func(old store.StoredOutlet) (gangway.Outlet, error) {
		set, err := s.completed(name, old, edit)
		done.KeptQuery = set.keepsQuery
		return set.Outlet, err
	}, []string{cmp.Or(s.Secret, NewSecret())}, s.Now())
	return done, err
}

// A completedOutlet has its transport's settings divided.
type completedOutlet struct {
	gangway.Outlet
	whole      json.RawMessage // the settings, with what is secret
	keepsQuery bool            // see SetOutlet
	otherQuery bool            // see Setter
}

// completed returns the outlet of a name that an edit makes of old. It connects to nothing.
func (s Setter) completed(name string, old store.StoredOutlet, edit Edit) (o completedOutlet, err error) {
	shown := old.Outlet
	shown.Transport.Secrets = nil
	if o.Outlet, err = edit(shown); err != nil {
		return o, err
	}
	o.Name = name
	kind, err := kindOf(s.Kinds, o.Transport.Kind)
	if err != nil {
		return o, err
	}
	if err := o.Check(kind.Live); err != nil {
		return o, err
	}
	if o.Mapping != "" {
		if _, err := mapping.CompileReshaping(o.Mapping); err != nil {
			return o, err
		}
	}
	kept, change := json.RawMessage("{}"), kind.Change
	switch {
	case old.Transport.Kind != kind.Name:
	case old.Unopened != nil:
		kept, change = old.Transport.Settings, kind.ChangeLost
	default:
		if kept, err = transport.Merge(old.Transport.Settings, json.RawMessage(old.Transport.Secrets)); err != nil {
			return o, err
		}
	}
	o.whole, err = change(kept, o.Transport.Settings)
	if err == nil {
		_, err = kind.Send(o.whole, s.Options)
	}
	if err != nil {
		return o, inTransport(err)
	}
	o.keepsQuery = kind.KeepsQuery(o.Transport.Settings, o.whole)
	o.otherQuery = old.Unopened == nil && kind.OtherQuery(kept, o.whole)
	open, secret, err := kind.Split(o.whole)
	if err != nil {
		return o, err
	}
	o.Transport.Settings, o.Transport.Secrets = open, nil
	if string(secret) != "{}" {
		o.Transport.Secrets = gangway.SecretSettings(secret)
	}
	return o, nil
}

// inTransport names the member of an outlet that an error about settings is about.
func inTransport(err error) error {
	if gangway.KindOf(err) == gangway.Invalid {
		return gangway.Errorf(gangway.Invalid, "transport: %v", err)
	}
	return err
}
