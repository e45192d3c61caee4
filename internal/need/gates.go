package need

import (
	"os"
	"strconv"
	"testing"
)

// Trial skips a test that takes too long for every change unless it runs in "make trial", the gate before a
// release, which runs every test. Such a test is called TestTrial…, so that -run TestTrial finds them all.
func Trial(t testing.TB) {
	t.Helper()
	if !InTrial() {
		t.Skip("runs in make trial")
	}
}

// InTrial reports whether the tests run in "make trial". A test of both asks it how much to try.
func InTrial() bool { return os.Getenv("GANGWAY_TRIAL") != "" }

// Count returns how often a test repeats what it tries: the number in the environment variable GANGWAY_name, which
// make trial sets, or usual if it is not set.
func Count(name string, usual int) int {
	n, err := strconv.Atoi(os.Getenv("GANGWAY_" + name))
	if err != nil || n < 1 {
		return usual
	}
	return n
}

// Interop skips a test with programs that are not ours (clients, validators, other languages' receivers) unless it
// runs in "make interop". Such a test is called TestInterop…, which is how make finds it.
func Interop(t testing.TB) {
	t.Helper()
	if os.Getenv("GANGWAY_INTEROP") == "" {
		t.Skip("runs in make interop")
	}
}
