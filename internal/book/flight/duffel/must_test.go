package duffel_test

import (
	"testing"
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
