package app_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"
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
	entries := apptest.Must(os.ReadDir(folder))(t)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Help leads from each page behind sign-in to its task in the guide that the program serves.
func TestEveryPageHasHelp(t *testing.T) {
	made, err := filepath.Glob("assets/dist/guide-*.html")
	if err != nil || len(made) != 1 {
		t.Fatalf("the guide is %v, %v", made, err)
	}
	guide := apptest.Must(os.ReadFile(made[0]))(t)
	pages, err := filepath.Glob("*/templates/*.html")
	if err != nil || len(pages) < 50 {
		t.Fatalf("there are %d pages, %v", len(pages), err)
	}
	for _, page := range pages {
		name := strings.TrimSuffix(filepath.Base(page), ".html")
		if strings.HasPrefix(page, "shell/") && name != "password" || name == "shared" || name == "integrator_key" {
			continue // nobody has signed in
		}
		if !strings.Contains(string(guide), `<a id="`+name+`"></a>`) {
			t.Errorf("docs/bookers.md has no anchor for page %s", name)
		}
	}
	for _, page := range append(pages, made[0]) {
		text, err := os.ReadFile(page)
		if file := regexp.MustCompile(`[a-z]+\.md\b`).Find(text); err != nil || file != nil {
			t.Errorf("page %s names the file %s, which its reader does not have; %v", page, file, err)
		}
	}
	for _, picture := range regexp.MustCompile(`src="([^"]*)"`).FindAllStringSubmatch(string(guide), -1) {
		if _, err := os.Stat("assets/dist/" + picture[1]); err != nil {
			t.Error(err)
		}
	}
}
