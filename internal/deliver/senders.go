package deliver

import (
	"bytes"
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

// senders are the senders of outlets, by the outlet's identifier.
type senders struct {
	kinds   []transport.Kind
	options transport.Options

	mu sync.Mutex
	by map[string]ready
}

// A ready sender has the settings of its outlet as they were.
type ready struct {
	was gangway.Transport
	transport.Sender
}

func newSenders(kinds []transport.Kind, o transport.Options) *senders {
	return &senders{kinds: kinds, options: o, by: map[string]ready{}}
}

// of returns the sender of an outlet, as its settings are now.
func (s *senders) of(o gangway.Outlet) (transport.Sender, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, known := s.by[o.ID]; known {
		if r.was.Kind == o.Transport.Kind && bytes.Equal(r.was.Settings, o.Transport.Settings) &&
			bytes.Equal(r.was.Secrets, o.Transport.Secrets) {
			return r.Sender, nil
		}
		s.drop(o.ID)
	}
	fresh, err := newSender(s.kinds, s.options, o)
	if err != nil {
		return nil, err
	}
	for id := range s.by {
		if len(s.by) >= mostSenders {
			s.drop(id)
		}
	}
	s.by[o.ID] = ready{o.Transport, fresh}
	return fresh, nil
}

// drop closes a sender's connections that are at rest.
func (s *senders) drop(id string) {
	if c, ok := s.by[id].Sender.(io.Closer); ok {
		_ = c.Close() // what was sent has its answer
	}
	delete(s.by, id)
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
		names := gangway.Each(kinds, func(k transport.Kind) string { return k.Name })
		return transport.Kind{}, gangway.Errorf(gangway.Invalid, "transport.kind must be one of %s",
			strings.Join(names, ", "))
	}
	return kinds[i], nil
}
