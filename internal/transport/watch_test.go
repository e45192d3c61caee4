package transport_test

import (
	"errors"
	"io"
	"strings"
	"testing"

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
