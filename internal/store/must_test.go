package store_test

import (
	"testing"

	"gangway/internal/gangway"
)

// must ends the test if there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// did is the error of a call whose result nobody needs.
func did[T any](_ T, err error) error { return err }

// wantKind holds that err is of a kind.
func wantKind(t testing.TB, kind gangway.Kind, err error) {
	t.Helper()
	if gangway.KindOf(err) != kind {
		t.Errorf("%v, of kind %v; want %v", err, gangway.KindOf(err), kind)
	}
}

// sure ends the test if there is an error, and is the result of the call if there is none.
func sure[T any](result T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return result
	}
}
