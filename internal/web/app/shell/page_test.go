package shell

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
)

// TestEveryPostFormIsStamped holds that every POST form, and no other, says in which
// environment its page was opened.
func TestEveryPostFormIsStamped(t *testing.T) {
	for html, want := range map[string]string{
		`<form method="post"><button>`:                            `<form method="post">STAMP<button>`,
		`<p><form class="x" method="post" action="/a">b`:          `<p><form class="x" method="post" action="/a">STAMPb`,
		`<form action="/a" data-swap="x" method="post">b</form>`:  `<form action="/a" data-swap="x" method="post">STAMPb</form>`,
		`<form action="/a"><form method="post">b</form>`:          `<form action="/a"><form method="post">STAMPb</form>`,
		`<form method="post">a</form><form method="post">b`:       `<form method="post">STAMPa</form><form method="post">STAMPb`,
		`<form action="/a">method="post"</form>`:                  `<form action="/a">method="post"</form>`,
		`<textarea>&lt;form method="post"&gt;</textarea><form x>`: `<textarea>&lt;form method="post"&gt;</textarea><form x>`,
		`<formless method="post">`:                                `<formless method="post">`,
		`<form method="post"`:                                     `<form method="post"`,
		`<form `:                                                  `<form `,
		``:                                                        ``,
	} {
		if got := stamped(t, html); got != want {
			t.Errorf("%s is written as %s; want %s", html, got, want)
		}
	}
}

// stamped returns html with its forms stamped, each stamp as STAMP.
func stamped(t *testing.T, html string) string {
	t.Helper()
	var out strings.Builder
	calltest.Done(t, writeStamped(&out, []byte(html), gangway.Production))
	return stamp.ReplaceAllString(out.String(), "STAMP")
}

// stamp is what forms are stamped with.
var stamp = regexp.MustCompile(`<input type="hidden" name="` + stampField + `" value="production">` +
	`<input type="hidden" name="` + onceField + `" value="[A-Z2-7]{26}">`)

var (
	formTag   = regexp.MustCompile(`(?is)<form\b[^>]*>`)
	posts     = regexp.MustCompile(`(?is)\bmethod\s*=\s*["']?post`)
	otherText = regexp.MustCompile(`(?is)<!--.*?-->|<script\b.*?</script>|<textarea\b.*?</textarea>`)
)

// TestTemplatesWriteFormsAsTheyAreFound holds that every template writes its forms
// as stamping looks for them, on one line and where they are forms.
func TestTemplatesWriteFormsAsTheyAreFound(t *testing.T) {
	found := 0
	app := os.DirFS("..")
	err := fs.WalkDir(app, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == "node_modules" {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || path.Ext(name) != ".html" {
			return err
		}
		text, err := fs.ReadFile(app, name)
		if err != nil {
			return err
		}
		html, forms := string(text), 0
		for _, tag := range formTag.FindAllString(html, -1) {
			if posts.MatchString(tag) {
				forms++
			}
			if strings.Contains(tag, "\n") {
				t.Errorf("%s: %q takes more than one line", name, tag)
			}
		}
		if got := strings.Count(stamped(t, html), "STAMP"); got != forms {
			t.Errorf("%s: %d forms are stamped; want all %d", name, got, forms)
		}
		if n := len(posts.FindAllString(html, -1)); n != forms {
			t.Errorf("%s: %d times something is posted, but by %d forms", name, n, forms)
		}
		if strings.Contains(strings.ToLower(html), "formmethod") {
			t.Errorf("%s: a button says how its form is sent", name)
		}
		for _, other := range otherText.FindAllString(html, -1) {
			if formTag.MatchString(other) {
				t.Errorf("%s: a form stands where it is none: %s", name, other)
			}
		}
		found += forms
		return nil
	})
	if err != nil || found < 30 {
		t.Errorf("%d forms were found, %v; want those of all pages", found, err)
	}
}
