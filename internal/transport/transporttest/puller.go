package transporttest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/netip"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/transport"
)

// Loopback is the network of the servers that tests start.
var Loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// A Source is a customer's system of some kind, as the suite needs it: with nothing in it.
type Source struct {
	Settings json.RawMessage
	Secrets  []string // that are in the settings
	Leave    func(t *testing.T, body string)

	// Hang makes it answer nothing any more, until the test ends. Nil for what is no server.
	Hang func(t *testing.T)

	// Where returns where documents are that were settled: "done", "failed", or empty if
	// they are where they were left; nil if the kind settles nothing.
	Where func(t *testing.T, body string) string
}

// A Got is what a pull brought.
type Got struct {
	transport.Arrival
	Text string
}

// Pull returns everything that a pull brings, read to its end.
func Pull(ctx context.Context, p transport.Puller, q transport.Query) (list []Got, err error) {
	for arrival, err := range p.Pull(ctx, q) {
		if err != nil {
			return list, err
		}
		got := Got{Arrival: *arrival}
		if arrival.Body != nil && arrival.Wrong == nil {
			text, err := io.ReadAll(arrival.Body)
			if err != nil {
				return list, err
			}
			got.Text = string(text)
		}
		list = append(list, got)
	}
	return list, nil
}

// Puller runs the suite on a kind of transport, each part with a source of its own.
func Puller(t *testing.T, kind transport.Kind, source func(t *testing.T) Source) {
	open := func(t *testing.T, s Source) transport.Puller {
		t.Helper()
		p, err := kind.Open(s.Settings, transport.Options{Allow: Loopback})
		if err != nil {
			t.Fatalf("Open(%s) = %v", s.Settings, err)
		}
		return p
	}
	t.Run("its settings are those of its table", func(t *testing.T) { table(t, kind, source(t)) })
	t.Run("nothing there is no error", func(t *testing.T) {
		got, err := Pull(t.Context(), open(t, source(t)), transport.Query{})
		if err != nil || len(got) > 1 || len(got) == 1 && strings.Trim(got[0].Text, "[] \n") != "" {
			t.Fatalf("Pull = %v, %v; want nothing", got, err)
		}
	})
	t.Run("a document comes as it was left", func(t *testing.T) {
		s := source(t)
		s.Leave(t, body("Sørensen"))
		got, err := Pull(t.Context(), open(t, s), transport.Query{})
		if err != nil || len(got) != 1 || !strings.Contains(got[0].Text, "Sørensen") || got[0].Key == "" {
			t.Fatalf("Pull = %v, %v; want the document, with a key", got, err)
		}
	})
	t.Run("a document that is too long is said to be", func(t *testing.T) {
		s := source(t)
		s.Leave(t, body(strings.Repeat("x", 4000)))
		got, err := Pull(t.Context(), open(t, s), transport.Query{Most: 1000})
		if len(got) == 1 && got[0].Wrong != nil {
			err = got[0].Wrong
		}
		if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), "longer") {
			t.Fatalf("Pull = %.200v, %v; want it refused as too long", got, err)
		}
	})
	t.Run("it ends when nobody waits any more", func(t *testing.T) {
		s := source(t)
		s.Leave(t, body("Santos"))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got, err := Pull(ctx, open(t, s), transport.Query{}); err == nil {
			t.Fatalf("Pull = %v with a context that has ended; want an error", got)
		}
		for range open(t, s).Pull(t.Context(), transport.Query{}) {
			break // and when its caller stops
		}
	})
	t.Run("private networks are refused", func(t *testing.T) {
		s := source(t)
		s.Leave(t, body("Santos"))
		if s.Hang == nil {
			return // it connects to nothing
		}
		p, err := kind.Open(s.Settings, transport.Options{})
		if err == nil {
			_, err = Pull(t.Context(), p, transport.Query{})
		}
		if err == nil || !strings.Contains(err.Error(), "--allow-network") {
			t.Fatalf("Pull = %v; want the address refused", err)
		}
		without(t, err, s.Secrets)
	})
	t.Run("a system that hangs is left, without a secret", func(t *testing.T) {
		s := source(t)
		s.Leave(t, body("Santos"))
		if s.Hang == nil {
			return
		}
		s.Hang(t)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		_, err := Pull(ctx, open(t, s), transport.Query{}) // which ends, or the test does not
		if err == nil {
			t.Fatal("Pull = nil; want an error")
		}
		without(t, err, s.Secrets)
	})
	t.Run("what is settled is put away once", func(t *testing.T) { settled(t, open, source(t)) })
}

// settled settles documents as stored and as failed, several times.
func settled(t *testing.T, open func(*testing.T, Source) transport.Puller, s Source) {
	if s.Where == nil {
		return
	}
	bodies := map[string]transport.Outcome{body("Santos"): {}, body("Ortiz"): {Failed: true, Report: []byte("no")}}
	for b := range bodies {
		s.Leave(t, b)
	}
	p := open(t, s)
	settler, ok := p.(transport.Settler)
	if !ok {
		t.Fatalf("%T puts nothing away", p)
	}
	got, err := Pull(t.Context(), p, transport.Query{})
	if err != nil || len(got) != 2 {
		t.Fatalf("Pull = %v, %v; want two documents", got, err)
	}
	again, err := Pull(t.Context(), p, transport.Query{})
	if err != nil || len(again) != 2 || again[0].Key != got[0].Key {
		t.Fatalf("Pull = %v, %v; want both again, as they were not settled", again, err)
	}
	known := transport.Query{Known: func(_ context.Context, key string) (bool, error) { return key == got[0].Key, nil }}
	if rest, err := Pull(t.Context(), p, known); err != nil || len(rest) != 1 || rest[0].Key != got[1].Key {
		t.Fatalf("Pull = %v, %v; want the one that is not known", rest, err)
	}
	full := errors.New("no room")
	known.Known = func(context.Context, string) (bool, error) { return false, full }
	if _, err := Pull(t.Context(), p, known); !errors.Is(err, full) {
		t.Fatalf("Pull = %v; want the error of Known", err)
	}
	for range 2 { // a second time, after a restart
		for _, g := range got {
			outcome := bodies[strings.TrimSpace(g.Text)]
			if err := open(t, s).(transport.Settler).Settle(t.Context(), g.Key, outcome); err != nil {
				t.Fatalf("Settle(%q) = %v", g.Key, err)
			}
		}
	}
	for b, outcome := range bodies {
		want := map[bool]string{true: "failed", false: "done"}[outcome.Failed]
		if at := s.Where(t, b); at != want {
			t.Errorf("%s is in %q; want it in %q", b, at, want)
		}
	}
	if left, err := Pull(t.Context(), p, transport.Query{}); err != nil || len(left) != 0 {
		t.Errorf("Pull = %v, %v; want nothing left", left, err)
	}
	if err := settler.Settle(t.Context(), "never there", transport.Outcome{}); err != nil {
		t.Errorf("Settle of what is gone = %v; want no error", err)
	}
}

// table checks that the kind's example and its table fit each other, and that it refuses the rest.
func table(t *testing.T, kind transport.Kind, s Source) {
	if err := kind.Check(json.RawMessage(kind.Example)); err != nil {
		t.Errorf("the example: %v", err)
	}
	for _, setting := range kind.Settings {
		if setting.About == "" || !json.Valid([]byte(setting.Example)) {
			t.Errorf("%s has about %q, example %q; want half a sentence and JSON", setting.Name, setting.About,
				setting.Example)
		}
	}
	for _, bad := range []string{`{}`, `[]`, `{"nothing_of_the_kind": 1}`} {
		_, err := kind.Open(json.RawMessage(bad), transport.Options{Allow: Loopback})
		if gangway.KindOf(err) != gangway.Invalid {
			t.Errorf("Open(%s) = %v; want it refused", bad, err)
		}
	}
	open, secret, err := kind.Split(s.Settings)
	calltest.Done(t, err)
	without(t, errors.New(string(open)), s.Secrets)
	whole, err := transport.Merge(open, secret)
	if err == nil {
		_, err = kind.Open(whole, transport.Options{Allow: Loopback})
	}
	if err != nil {
		t.Errorf("what was split and merged cannot be opened: %v", err)
	}
}

// without checks that a text for customers' admins tells no secret.
func without(t *testing.T, told error, secrets []string) {
	t.Helper()
	for _, secret := range secrets {
		if strings.Contains(told.Error(), secret) {
			t.Errorf("%q tells a secret", told)
		}
	}
}

func body(name string) string { return `[{"last_name": "` + name + `"}]` }
