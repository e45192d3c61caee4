package decode

import (
	"os"
	"testing"

	"gangway/internal/gangway"
)

// TestNothingIsLeft holds that what is unpacked to be read from anywhere leaves no file, neither while it
// is read, nor when the document is closed or could not be opened.
func TestNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for _, sample := range []string{"crew.xlsx.gz", "zip-in-zip.zip", "zip-in-zip-in-zip.zip"} {
		doc, err := os.ReadFile("testdata/packed/" + sample)
		must(t, err)
		d, err := Open(input(sample, doc), gangway.DocumentFormat{}, Limits{})
		if err == nil {
			if left, _ := os.ReadDir(dir); len(left) != 0 {
				t.Errorf("%s: %v while it is read; want files without a name", sample, left)
			}
			err = d.Close()
			if _, again := d.Next(); again == nil || err != nil {
				t.Errorf("%s: closed with %v, and then read with %v", sample, err, again)
			}
		}
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("%s left %v", sample, left)
		}
	}
}

// TestPasswords holds that an archive with a password is named as such.
func TestPasswords(t *testing.T) {
	in := archived("x.csv", "a,b\n", "1,2\n", 100)
	doc := make([]byte, in.Size)
	must(t, did(in.ReadAt(doc, 0)))
	for i := range len(doc) - 10 {
		switch string(doc[i : i+4]) {
		case "PK\x03\x04":
			doc[i+6] |= 1
		case "PK\x01\x02":
			doc[i+8] |= 1
		}
	}
	_, err := Open(input("", doc), gangway.DocumentFormat{}, Limits{})
	if err == nil || err.Error() != "it has a password" {
		t.Errorf("Open = %v; want that it has a password", err)
	}
}
