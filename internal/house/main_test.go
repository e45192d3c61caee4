package house

import (
	"log"
	"os"
	"testing"
)

// TestMain runs the tests in the repository's top folder, as all of them are about the whole tree.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		log.Fatal(err)
	}
	os.Exit(m.Run())
}
