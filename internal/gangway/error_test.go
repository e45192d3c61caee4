package gangway

import (
	"errors"
	"fmt"
	"testing"
)

func TestKindOf(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want Kind
	}{
		{"no error has no kind, and is not our fault", nil, NoError},
		{"an error that is not ours is our fault", errors.New("disk full"), Internal},
		{"an error without a kind shows nobody any detail", &Error{Msg: "a detail"}, Internal},
		{"an error keeps its kind when it is wrapped",
			fmt.Errorf("load: %w", Errorf(NotFound, "no such booking")), NotFound},
		{"problems of records are invalid", &ProblemsError{}, Invalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := KindOf(tt.err); got != tt.want {
				t.Fatalf("KindOf(%v) = %d; want %d", tt.err, got, tt.want)
			}
		})
	}
}

// Two versions run side by side for a while and exchange kinds of errors as numbers.
func TestKindsKeepTheirNumbers(t *testing.T) {
	for want, kind := range []Kind{Internal, Invalid, NotFound, Conflict, Denied, Unavailable} {
		if int(kind) != want {
			t.Errorf("kind %d; want %d", kind, want)
		}
	}
}
