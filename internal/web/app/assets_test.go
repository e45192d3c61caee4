package app_test

import (
	"os"
	"os/exec"
	"slices"
	"testing"
)

// The files committed in dist are what build.sh makes of the sources. Their names carry
// the hash of their content.
func TestAssetsAreBuilt(t *testing.T) {
	out := t.TempDir()
	if text, err := exec.CommandContext(t.Context(), "sh", "assets/build.sh", out).CombinedOutput(); err != nil {
		t.Fatalf("assets/build.sh: %v\n%s", err, text)
	}
	if made, kept := names(t, out), names(t, "assets/dist"); !slices.Equal(made, kept) {
		t.Fatalf("the sources make %q, and dist has %q: run make assets and commit what it makes", made, kept)
	}
}

func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
