package api_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"gangway/internal/need"
)

// TestInteropDescriptionIsUnderstood has tools that are not ours read what the surface says of itself: a linter the
// OpenAPI document, a validator the schemas and every sample, and Postman's runner the collection, whose requests it
// sends.
func TestInteropDescriptionIsUnderstood(t *testing.T) {
	need.Interop(t)
	node := need.DescriptionTools(t)
	s := newSurface(t)
	script, err := filepath.Abs("../../describe/testdata/tools/check.mjs")
	if err != nil {
		t.Fatal(err)
	}
	said, err := exec.CommandContext(t.Context(), node, script, s.URL, s.key).CombinedOutput()
	if err != nil || len(said) > 0 {
		t.Errorf("%v\n%s", err, said)
	}
}
