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
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
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

func (b *browser) open(path string) (page, error) {
	res, err := b.client.Get(b.app + path)
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
