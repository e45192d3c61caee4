package apptest

import "testing"

// Must returns the result of a call that has to succeed.
func Must[T any](result T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		Done(t, err)
		return result
	}
}

// Done fails the test if err is one.
func Done(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
