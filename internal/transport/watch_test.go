package transport_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport"
)

func TestWanted(t *testing.T) {
	for name, want := range map[string]bool{
		"crew.csv": true, "crew": true, "CREW.CSV": true, "a.part.csv": true,
		"": false, ".crew.csv": false, "crew.csv.part": false, "crew.csv.PART": false, "crew.tmp": false, ".": false,
		"../crew.csv": false, "a/crew.csv": false, `a\crew.csv`: false,
	} {
		if got := transport.Wanted(name, ""); got != want {
			t.Errorf("Wanted(%q) = %v; want %v", name, got, want)
		}
	}
	if !transport.Wanted("crew-1.csv", "crew-*.csv") || !transport.Wanted("CREW-1.csv", "Crew-*.CSV") ||
		transport.Wanted("hotel-1.csv", "crew-*.csv") {
		t.Error("the pattern does not choose")
	}
}

// A file is taken when it has not changed for two seconds, or is older than ten; the oldest first.
func TestFinished(t *testing.T) {
	now := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	ago := func(name string, size int64, d time.Duration) transport.File {
		return transport.File{Name: name, Size: size, Time: now.Add(-d)}
	}
	before := []transport.File{ago("still", 5, 3*time.Second), ago("grows", 5, time.Second),
		ago("touched", 5, time.Second), ago("gone", 5, time.Second), ago("old", 5, time.Minute),
		ago("ahead", 5, -time.Hour), ago("oldest", 5, time.Hour)}
	after := []transport.File{ago("still", 5, 3*time.Second), ago("grows", 6, time.Second), ago("touched", 5, 0),
		ago("new", 5, 0), ago("old", 5, time.Minute), ago("ahead", 5, -time.Hour), ago("oldest", 5, time.Hour)}
	lists := [][]transport.File{before, after}
	waited := time.Duration(0)
	files, err := transport.Finished(t.Context(), now, func(_ context.Context, d time.Duration) error {
		waited += d
		return nil
	}, func() ([]transport.File, error) {
		list := lists[0]
		lists = lists[1:]
		return list, nil
	})
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); err != nil || got != "oldest old still ahead" || waited != 2*time.Second {
		t.Errorf("Finished = %s, %v, after %s; want oldest old still ahead, after 2s", got, err, waited)
	}
	_, err = transport.Finished(t.Context(), now, func(context.Context, time.Duration) error {
		t.Error("it waits though nothing is fresh")
		return nil
	}, func() ([]transport.File, error) { return []transport.File{ago("old", 5, time.Minute)}, nil })
	if err != nil {
		t.Error(err)
	}
}

func TestKey(t *testing.T) {
	f := transport.File{Name: "crew of 1 Dec.csv", Size: 7, Time: time.Unix(1796112000, 5)}
	if g, ok := transport.ReadKey(f.Key()); !ok || !f.Is(g) {
		t.Errorf("ReadKey(%q) = %v, %v; want the file", f.Key(), g, ok)
	}
	for _, bad := range []string{"", "crew.csv", "7 x crew.csv", "7 8"} {
		if _, ok := transport.ReadKey(bad); ok {
			t.Errorf("ReadKey(%q) is taken", bad)
		}
	}
}

func TestAtMost(t *testing.T) {
	for length, whole := range map[int]bool{0: true, 9: true, 10: true, 11: false, 100: false} {
		got, err := io.ReadAll(transport.AtMost(strings.NewReader(strings.Repeat("x", length)), 10))
		if (err == nil) != whole || len(got) != min(length, 10) ||
			err != nil && gangway.KindOf(err) != gangway.Invalid {
			t.Errorf("of %d bytes %d were read, %v; want all: %v", length, len(got), err, whole)
		}
	}
	broken := errors.New("broken")
	_, err := io.ReadAll(transport.AtMost(io.MultiReader(strings.NewReader("x"), failing{broken}), 10))
	if err != broken {
		t.Errorf("a broken read = %v; want its error", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
