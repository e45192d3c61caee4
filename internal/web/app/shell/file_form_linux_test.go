package shell_test

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/web/app/apptest"
)

// A full disk is no fault of whoever sends a file.
func TestFileFormOnAFullDisk(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=64k"); err != nil {
		need.Root(t, fmt.Errorf("a small disk cannot be mounted: %w", err))
	}
	t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Admin)
	t.Setenv("TMPDIR", folder)
	a := sendFile(t, s, c, "/settings/feeds/new", strings.NewReader("--b\r\nContent-Disposition: form-data; "+
		"name=\"sample\"; filename=\"crew.csv\"\r\n\r\n"+strings.Repeat("x", 1<<20)+"\r\n--b--\r\n"), 0)
	if a.Status != http.StatusInternalServerError || !strings.Contains(a.Body, "on our side") {
		t.Errorf("%d: %s; want it to be our fault", a.Status, a.Body)
	}
}
