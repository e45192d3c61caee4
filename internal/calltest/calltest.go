// Package calltest ends a test where a call that has to succeed has failed.
package calltest

// T is the part of testing.TB that this package needs.
type T interface {
	Helper()
	Fatal(why ...any)
}

// Must returns the result of a call that has to succeed.
func Must[R any](result R, err error) func(T) R {
	return func(t T) R {
		t.Helper()
		Done(t, err)
		return result
	}
}

// Done fails the test if err is one.
func Done(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
