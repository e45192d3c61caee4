package orders_test

import (
	"testing"

	"gangway/internal/gangway"
)

// must returns the result of a call that has to succeed.
func must[T any](result T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		done(t, err)
		return result
	}
}

// done fails unless what returned err was done.
func done(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused returns a check that a call is refused with a kind of error.
func refused(t testing.TB, kind gangway.Kind) func(any, error) {
	return func(_ any, err error) {
		t.Helper()
		if gangway.KindOf(err) != kind {
			t.Errorf("error %v; want one of kind %d", err, kind)
		}
	}
}
