package main

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A browser reads pages and sends their forms, as a browser without scripts does.
type browser struct {
	client *http.Client
	app    string // the web application's address
}

// A page is what a browser shows.
type page struct {
	status int
	path   string // where it ended up, after redirects
	html   string
}

func newBrowser(t testing.TB, app string) *browser {
	t.Helper()
	jar := sure(cookiejar.New(nil))(t)
	return &browser{client: &http.Client{Jar: jar, Timeout: hang}, app: app}
}

// signIn signs a person in. It returns an error instead of failing the test, since the program
// may have been killed.
func (b *browser) signIn(email, password string) error {
	p, err := b.send("/sign-in", url.Values{"email": {email}, "password": {password}})
	if err == nil && (p.status != http.StatusOK || p.path == "/sign-in") {
		err = fmt.Errorf("signing in ended at %s with %d", p.path, p.status)
	}
	return err
}

// newPerson adds a person by command, and returns the browser in which the person is signed in.
func newPerson(t testing.TB, app, database, customer, role string) *browser {
	t.Helper()
	who := answer[newUser](t, "user", "create", "--customer", customer, "--email", ines, "--role", role, "--database",
		database)
	b := newBrowser(t, app)
	must(t, b.signIn(who.Email, who.Password))
	return b
}

// searchFor uploads a crew of n with a key, starts a search for their flights and returns its path.
func (b *browser) searchFor(t testing.TB, n int, base, key string, now time.Time) string {
	t.Helper()
	_, _, err := call(http.MethodPost, base+"/travel-requests", key, []any{crewOf(n, now)})
	must(t, err)
	p, err := b.send("/crew-changes/search", url.Values{"key": {"id:CC-1"}, "airport": {"SIN"}})
	if err != nil || !strings.HasPrefix(p.path, "/searches/") {
		t.Fatalf("the search ended at %s with %d, %v; want results", p.path, p.status, err)
	}
	return p.path
}

// press opens a page, and sends the form on it whose address ends in action.
func (b *browser) press(t testing.TB, path, action string) page {
	t.Helper()
	p := sure(b.open(path))(t)
	to, fields, ok := p.form(action)
	if !ok {
		t.Fatalf("%s has no form for %s: %d %.500s", path, action, p.status, p.text())
	}
	sent, err := b.send(to, fields)
	if err != nil || sent.status != http.StatusOK {
		t.Fatalf("%s is answered %d, %v", to, sent.status, err)
	}
	return sent
}

// open opens a page; where it lists flights, with the first of them open, whose form holds it.
func (b *browser) open(path string) (page, error) {
	res, err := b.client.Get(b.app + path)
	p, err := read(res, err)
	flight := flightLink.FindStringSubmatch(p.html)
	if err != nil || flight == nil || strings.Contains(p.html, `class="stack hold"`) {
		return p, err
	}
	res, err = b.client.Get(b.app + html.UnescapeString(flight[1]))
	return read(res, err)
}

func (b *browser) send(path string, form url.Values) (page, error) {
	res, err := b.client.PostForm(b.app+path, form)
	return read(res, err)
}

func read(res *http.Response, err error) (page, error) {
	if err != nil {
		return page{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return page{res.StatusCode, res.Request.URL.Path, string(body)}, err
}

var (
	formTag   = regexp.MustCompile(`(?s)<form([^>]*)>(.*?)</form>`)
	fieldTag  = regexp.MustCompile(`<input([^>]*)>`)
	anyTag    = regexp.MustCompile(`<[^>]*>`)
	attribute = regexp.MustCompile(`([a-z-]+)="([^"]*)"`)

	flightLink = regexp.MustCompile(`<a data-row +id="r-[^"]*" href="([^"#]*\bopen=[^"#]*)`)
)

// text returns the text of the page, without its frame.
func (p page) text() string {
	_, main, _ := strings.Cut(p.html, "<main")
	return strings.Join(strings.Fields(anyTag.ReplaceAllString("<main"+main, " ")), " ")
}

// form returns the fields, as on the page, of the first form whose address ends in action.
func (p page) form(action string) (to string, fields url.Values, ok bool) {
	for _, form := range formTag.FindAllStringSubmatch(p.html, -1) {
		to := attributes(form[1])["action"]
		if !strings.HasSuffix(to, action) {
			continue
		}
		fields := url.Values{}
		for _, field := range fieldTag.FindAllStringSubmatch(form[2], -1) {
			if a := attributes(field[1]); a["name"] != "" {
				fields.Add(a["name"], a["value"])
			}
		}
		return to, fields, true
	}
	return "", nil, false
}

func attributes(tag string) map[string]string {
	m := map[string]string{}
	for _, a := range attribute.FindAllStringSubmatch(tag, -1) {
		m[a[1]] = html.UnescapeString(a[2])
	}
	return m
}
