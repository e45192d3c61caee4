// Package storedtest checks that documents stored as JSON stay exactly as they are.
//
// A database outlives the program that filled it, and replicas of two versions
// read each other's documents for a while. So what is written may change only on
// purpose, and what was written earlier must stay readable for ever.
package storedtest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	strict "github.com/go-json-experiment/json"
)

var update = flag.Bool("update-stored", false, "rewrite the golden documents of testdata/stored")

// Keeps holds that a T, with every field set and with none, is stored as in
// testdata/stored/<name>.json and <name>-empty.json, and that reading these loses
// nothing. A field that is added shows there.
func Keeps[T any](t *testing.T, name string) {
	t.Helper()
	var empty T
	keeps(t, name, filled[T](t))
	keeps(t, name+"-empty", empty)
}

func keeps[T any](t *testing.T, name string, v T) {
	t.Helper()
	doc := written(t, v)
	if *update {
		save(t, name, doc)
	}
	want := load(t, name)
	if !bytes.Equal(doc, want) {
		t.Errorf("%s is stored as\n%s\nwant\n%s", name, doc, want)
	}
	reads[T](t, want)
}

// reads checks that doc, once read, is written as it was, with either library: lists
// of bookings are read with the faster one.
func reads[T any](t *testing.T, doc []byte) {
	t.Helper()
	for library, unmarshal := range map[string]func([]byte, any) error{
		"encoding/json": json.Unmarshal,
		"go-json-experiment/json": func(doc []byte, v any) error {
			return strict.Unmarshal(doc, v)
		},
	} {
		var v T
		if err := unmarshal(doc, &v); err != nil {
			t.Errorf("%s reads a stored %T: %v", library, v, err)
		} else if got := written(t, v); !bytes.Equal(got, doc) {
			t.Errorf("%s reads a stored %T as\n%s\nwant\n%s", library, v, got, doc)
		}
	}
}

// written returns v as it is stored, indented so that people can read it.
func written(t *testing.T, v any) []byte {
	t.Helper()
	doc, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	if err := json.Indent(&lines, doc, "", "  "); err != nil {
		t.Fatal(err)
	}
	lines.WriteByte('\n')
	return lines.Bytes()
}

func file(name string) string { return filepath.Join("testdata", "stored", name+".json") }

func load(t *testing.T, name string) []byte {
	t.Helper()
	doc, err := os.ReadFile(file(name))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func save(t *testing.T, name string, doc []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file(name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file(name), doc, 0o644); err != nil {
		t.Fatal(err)
	}
}
