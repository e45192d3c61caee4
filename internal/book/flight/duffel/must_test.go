package duffel_test

import (
	"testing"
)

// must returns the result of a call that has to succeed.
func must[T any](result T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
}
