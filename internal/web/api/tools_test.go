package api_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gangway/internal/need"
)

// TestInteropDescriptionIsUnderstood has tools that are not ours read what the surface says of itself: two linters the
// OpenAPI document, TypeScript's compiler the types that are made of it, a validator the schemas and every sample, and
// Postman's runner the collection, whose requests it sends.
func TestInteropDescriptionIsUnderstood(t *testing.T) {
	need.Interop(t)
	node := need.DescriptionTools(t)
	s := newSurface(t)
	script, err := filepath.Abs("../../describe/testdata/tools/check.mjs")
	must(t, err)
	said, err := exec.CommandContext(t.Context(), node, script, s.URL, s.key).CombinedOutput()
	if err != nil || len(said) > 0 {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestInteropGoClientCompiles has a client in Go made of the OpenAPI document.
func TestInteropGoClientCompiles(t *testing.T) {
	need.Interop(t)
	compiler, folder := need.OpenAPIClientOfGo(t), t.TempDir()
	must(t, os.CopyFS(folder, os.DirFS("../../describe/testdata/clients_go")))
	doc := newSurface(t).do(t, "GET", "/openapi.json", nil).body
	must(t, os.WriteFile(filepath.Join(folder, "openapi.json"), []byte(doc), 0o600))
	for _, args := range [][]string{
		{"tool", "oapi-codegen", "-generate", "types,client", "-package", "main", "-o", "client.go", "openapi.json"},
		{"build", "-o", "client", "."},
	} {
		run := exec.CommandContext(t.Context(), compiler, args...)
		run.Dir, run.Env = folder, append(os.Environ(), "GOPROXY=off")
		if said, err := run.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, said)
		}
	}
}
