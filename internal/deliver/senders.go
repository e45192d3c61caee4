package deliver

import (
	"bytes"
	"container/list"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync"

	"gangway/internal/gangway"
	"gangway/internal/transport"
)

// mostSenders is how many outlets have a sender ready for use. Others work too, but their connections are
// made again more often.
const mostSenders = 1024

// senders are the senders of outlets, by the outlet's identifier, the most recently used first.
type senders struct {
	kinds   []transport.Kind
	options transport.Options

	mu   sync.Mutex
	used *list.List // of *ready
	by   map[string]*list.Element
}

// A ready sender has the settings of its outlet as they were.
type ready struct {
	outlet string
	was    gangway.Transport
	transport.Sender
}

func newSenders(kinds []transport.Kind, o transport.Options) *senders {
	return &senders{kinds: kinds, options: o, used: list.New(), by: map[string]*list.Element{}}
}

// of returns the sender of an outlet, as its settings are now.
func (s *senders) of(o gangway.Outlet) (transport.Sender, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.by[o.ID]; known != nil {
		r := known.Value.(*ready)
		if r.was.Kind == o.Transport.Kind && bytes.Equal(r.was.Settings, o.Transport.Settings) &&
			bytes.Equal(r.was.Secrets, o.Transport.Secrets) {
			s.used.MoveToFront(known)
			return r.Sender, nil
		}
		s.drop(known)
	}
	fresh, err := newSender(s.kinds, s.options, o)
	if err != nil {
		return nil, err
	}
	s.by[o.ID] = s.used.PushFront(&ready{o.ID, o.Transport, fresh})
	if s.used.Len() > mostSenders {
		s.drop(s.used.Back())
	}
	return fresh, nil
}

// drop closes a sender's connections that are at rest.
func (s *senders) drop(e *list.Element) {
	r := s.used.Remove(e).(*ready)
	delete(s.by, r.outlet)
	if c, ok := r.Sender.(io.Closer); ok {
		_ = c.Close() // what was sent has its answer
	}
}

// newSender returns a sender of its own for an outlet.
func newSender(kinds []transport.Kind, options transport.Options, o gangway.Outlet) (transport.Sender, error) {
	kind, err := kindOf(kinds, o.Transport.Kind)
	if err != nil {
		return nil, err
	}
	whole, err := transport.Merge(o.Transport.Settings, json.RawMessage(o.Transport.Secrets))
	if err != nil {
		return nil, err
	}
	return kind.Send(whole, options)
}

// kindOf returns the kind of transport of a name.
func kindOf(kinds []transport.Kind, name string) (transport.Kind, error) {
	i := slices.IndexFunc(kinds, func(k transport.Kind) bool { return k.Name == name })
	if i < 0 {
		var names []string
		for _, k := range kinds {
			names = append(names, k.Name)
		}
		return transport.Kind{}, gangway.Errorf(gangway.Invalid, "transport.kind must be one of %s",
			strings.Join(names, ", "))
	}
	return kinds[i], nil
}
