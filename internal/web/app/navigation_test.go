package app_test

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// Each entry of the navigation leads to a page that marks it as current.
func TestNavigationLeadsToItsPages(t *testing.T) {
	admin := apptest.NewSite(t).SignedIn(t, gangway.Admin)
	first := admin.Get("/").Body
	_, nav, _ := strings.Cut(first, `<nav class="nav"`)
	nav, _, _ = strings.Cut(nav, "</nav>")
	links := regexp.MustCompile(`<a href="([^"]+)"`).FindAllStringSubmatch(nav, -1)
	if len(links) < 6 {
		t.Fatalf("the navigation has %v", links)
	}
	for _, link := range links {
		admin.Get(link[1]).Has(`<a href="` + link[1] + `" aria-current="page"`)
	}
	_, menu, _ := strings.Cut(first, `<div class="label">Settings</div>`)
	menu, _, _ = strings.Cut(menu, "</div>")
	for _, link := range regexp.MustCompile(`<a href="([^"]+)"`).FindAllStringSubmatch(menu, -1) {
		admin.Get(link[1]).Is(http.StatusOK)
	}
}

// The shell names only its own pages, since the links to those of rooms are in
// navigation.go, and has nothing of the trade: rooms give it their stripe, their
// troubles and their rows.
func TestShellKnowsNothingOfRooms(t *testing.T) {
	room := regexp.MustCompile(
		`["'(\x60]/(bookings|crew-changes|requests|hotels|approvals|attention|deadlines|searches|travellers|settings|integrations)\b`)
	trade := regexp.MustCompile(`(?i)gangway\.(Booking|Outlet|Traveller)|\.Outlets\(|airline|supplier|#flights|#people`)
	err := filepath.WalkDir("shell", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			code, _, _ := strings.Cut(line, "// ")
			if room.MatchString(code) || trade.MatchString(code) {
				t.Errorf("%s: %s", path, strings.TrimSpace(line))
			}
		}
		return err
	})
	apptest.Done(t, err)
}
