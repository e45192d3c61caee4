package app_test

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/need"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// pictures is a folder in which to keep what the pages look like:
//
//	go test ./internal/web/app -run Pages -pictures /tmp/pages
var pictures = flag.String("pictures", "", "folder to keep a picture of every page, state and width of 390, 1280 and "+
	"1440 in")

// widths are those at which the tests of every change look at pages: the narrowest, the narrowest at which lists are
// tables, and a laptop's. The trial looks at those of phones, tablets, laptops, screens and wall displays; 640 and 720
// are laptops of 1280 and 1440 at a zoom of 200 %.
func widths() []int64 {
	if need.InTrial() {
		return []int64{320, 390, 640, 720, 1001, 1024, 1280, 1440, 1920, 2560}
	}
	return []int64{320, 1001, 1440}
}

// schemes are the colour schemes in which axe-core looks at a page of that name, each at a width: both in the trial,
// and else one, which about half of the pages share.
func schemes(name string) map[string]int64 {
	switch {
	case need.InTrial():
		return map[string]int64{"dark": 390, "light": 1440}
	case len(name)%2 == 0:
		return map[string]int64{"dark": 390}
	}
	return map[string]int64{"light": 1440}
}

//go:embed testdata/whole.js
var whole string

// TestPagesInBrowser looks at every page of routes.go in every state at several widths.
// Nothing leaves the window, nothing is cut, least of all names, ranks and prices, and
// axe-core finds nothing.
func TestPagesInBrowser(t *testing.T) {
	o := newOffice(t)
	t.Run("every page is looked at", o.looksAtEveryPage)
	b := apptest.OpenTab(t)
	for _, l := range o.looks() {
		t.Run(l.name(), func(t *testing.T) { l.check(t, o, b.In(t)) })
	}
	o.Gate = apptest.NewGate() // from here on the airlines wait
	began := o.booker.Post(o.planned+"/book-all", o.review)
	o.begun, _, _ = strings.Cut(began.Path, "?")
	for _, l := range o.looksWhileWaiting() {
		t.Run(l.name(), func(t *testing.T) { l.check(t, o, b.In(t)) })
	}
	o.Gate.Pass(900)
	o.tellNews()
	for _, news := range []look{
		{route: "GET /settings/sandbox", state: "two outlets fail, another one has recovered", who: o.admin,
			at: "/settings/sandbox", shows: newsLines("act", "/settings/outlets") + ` && ` + newsLines("good")},
		{route: "GET /settings/outlets/{name}", state: "it and another one fail, a third one has recovered",
			who: o.admin, at: "/settings/outlets/" + longOutlet,
			shows: newsLines("act", "/settings/outlets/erp-of-the-manning-office") + ` && ` + newsLines("good")},
		{route: "GET /settings/outlets", state: "two fail, a third one has recovered", who: o.admin,
			at: "/settings/outlets", shows: newsLines("act") + ` && ` + newsLines("good")},
	} {
		t.Run(news.name(), func(t *testing.T) { news.check(t, o, b.In(t)) })
	}
}

// newsLines is whether the lines at the top of the page that have a sign lead to these addresses.
func newsLines(sign string, to ...string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("main > section .notice.%s a")].map(a => a.getAttribute("href"))`+
		`.join(" ") === %q`, sign, strings.Join(to, " "))
}

func (l look) name() string {
	return strings.TrimSpace(strings.ReplaceAll(strings.TrimPrefix(l.route, "GET "), "/", " ")) + ": " + l.state
}

// check brings about the state and looks at it at every width. It opens the page once and
// resizes it, as people do.
func (l look) check(t *testing.T, o *office, b *apptest.Tab) {
	b.Become(l.who)
	b.WithScript(!l.plain)
	b.Resize(1440)
	if l.stays {
		b.Do(chromedp.Navigate(o.URL + "/password")) // where the text of another can be written
		write(t, b, refresh.ReplaceAllLiteralString(l.who.In(t).Get(l.at).Body, ""))
	} else {
		b.Do(chromedp.Navigate(o.URL + l.at))
	}
	if l.until == arrived {
		b.Until(arrived)
	}
	if l.action != "" {
		b.Sends(l.action, l.fields)
	}
	if l.then != "" {
		b.Read(l.then + `; ""`)
	}
	if l.until != "" {
		b.Until(l.until)
	}
	for _, width := range widths() {
		b.Resize(width)
		if faults := faultsAt(b, width); faults != "" {
			t.Errorf("at %d:\n%s", width, faults)
		}
		if *pictures != "" && (width == 390 || width == 1280 || width == 1440) {
			b.Photograph(filepath.Join(*pictures, fmt.Sprintf("%s-%d.png", unfit.ReplaceAllString(l.name(), "-"),
				width)))
		}
	}
	if l.shows != "" {
		b.Resize(1440)
		b.Until(l.shows)
	}
	b.WithScript(true) // axe-core is one; the page's own has had its chance
	b.Read(firstOffers)
	for scheme, width := range schemes(l.name()) {
		b.Prefers(scheme)
		b.Resize(width)
		if faults := b.Read(apptest.Nameless) + apptest.Axe(t, b); faults != "" {
			t.Errorf("at %d, %s:\n%s", width, scheme, faults)
		}
	}
}

// firstOffers leaves an open offer and the first dozen of a long list, which have everything that the others have:
// axe-core would do little but look at a hundred more of the same.
const firstOffers = `for (const e of document.querySelectorAll(".offer-rows > li:nth-child(n + 13):not(:has([open])), .flown tr:nth-child(n + 15)"))
	e.remove(); ""`

// refresh leads a page on to another without a script.
var refresh = regexp.MustCompile(`<meta http-equiv="refresh"[^>]*>`)

// write replaces the page in the tab.
func write(t *testing.T, b *apptest.Tab, page string) {
	t.Helper()
	text := apptest.Must(json.Marshal(page))(t)
	b.Read(fmt.Sprintf(`document.open(); document.write(%s); document.close(); ""`, text))
	for b.Read(`document.readyState`) != "complete" {
	}
}

// faultsAt names the faults of the page at a width. A page that loads itself anew is looked at once it is there.
func faultsAt(b *apptest.Tab, width int64) string {
	const none = "no document yet"
	for {
		faults := b.Read(fmt.Sprintf(`%s; document.body ? whole(%d) : %q`, whole, width, none))
		if faults != none {
			return faults
		}
	}
}

var unfit = regexp.MustCompile(`[^A-Za-z0-9]+`)

// looksAtEveryPage holds that every page is in the list of looks. It needs no browser.
func (o *office) looksAtEveryPage(t *testing.T) {
	admin := o.admin.In(t)
	seen := map[string]bool{}
	for _, l := range o.looks() {
		seen[l.route] = true
	}
	for _, r := range routes(t) {
		line := r.Method + " " + r.Path
		if r.Method != http.MethodGet || seen[line] || noPages[line] != "" {
			continue
		}
		// The address of a form, opened by itself, leads to the form's page.
		at := regexp.MustCompile(`\{\w+\}`).ReplaceAllString(r.Path, "x")
		if a := admin.Get(at); a.Path == at {
			t.Errorf("%s is looked at in no state: looks needs a line", line)
		}
	}
}
