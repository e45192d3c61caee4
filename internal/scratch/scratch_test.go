package scratch_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"gangway/internal/calltest"
	"gangway/internal/scratch"
)

func TestFileHasNoName(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	f := calltest.Must(scratch.Put(strings.NewReader("Ana Reyes")))(t)
	defer f.Close()
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("in the folder: %v, %v; want nothing", left, err)
	}
	calltest.Must(io.WriteString(f, " and Bea"))(t)
	all, err := io.ReadAll(f.Reader())
	if string(all) != "Ana Reyes and Bea" || err != nil || f.Size() != int64(len(all)) {
		t.Errorf("%q, %d bytes, %v; want all that was written", all, f.Size(), err)
	}
}

// Whose fault it is can be told: the sender's, or this machine's.
func TestFaultsOfThisMachineAreErrors(t *testing.T) {
	var own *scratch.Error
	theirs := errors.New("cut")
	if _, err := scratch.Put(iotest.ErrReader(theirs)); !errors.Is(err, theirs) || errors.As(err, &own) {
		t.Errorf("a sender that breaks off: %v; want its own error", err)
	}
	f := calltest.Must(scratch.Create())(t)
	f.Close()
	if _, err := f.Write([]byte("x")); !errors.As(err, &own) {
		t.Errorf("a write that fails: %v; want an Error", err)
	}
	t.Setenv("TMPDIR", t.TempDir()+"/not-there")
	if _, err := scratch.Put(strings.NewReader("x")); !errors.As(err, &own) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v; want an Error", err)
	}
}
