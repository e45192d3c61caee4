package shell

import (
	"bytes"
	"crypto/rand"
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
)

// A Page is what a handler shows.
type Page struct {
	Template string // its file in templates, without .html
	Section  string // the entry of the navigation that it belongs to
	Title    string
	Answer   string  // one line: what this is and how it stands; what is between ** is what matters most
	Status   int     // 200 when not set
	Stripe   *Stripe // of what the page is about, in place of the account's; an empty one shows nothing
	Wide     bool    // without the frame it is as wide as a list; with the frame every page is
	Data     any
	Waits    *store.Waits // what the page has counted, for the navigation; nil: nothing
}

// Show writes a page. It writes nothing when the template fails, so that the
// reader gets the error page and not half of this one.
func (sh *Shell) Show(w http.ResponseWriter, r *http.Request, p Page) error {
	out := sh.budget.Page(readerOf(r))
	defer out.Release()
	if err := sh.render(out, r, p); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	return web.PackPage(w, r, p.Status, func(w io.Writer) error {
		if v, ok := VisitorOf(r.Context()); ok && v.rendering == nil {
			return writeStamped(w, out.Bytes(), v.Account.Environment)
		}
		_, err := w.Write(out.Bytes())
		return err
	})
}

// readerOf names who a page's memory is counted for: the person who is signed in, or else the network.
func readerOf(r *http.Request) string {
	if v, ok := VisitorOf(r.Context()); ok && v.rendering != nil {
		return sharedBy + v.Account.ID
	} else if ok {
		return v.User.ID
	}
	return web.Network(web.Client(r))
}

// stampField is the form field that says in which environment the page was opened.
const stampField = "opened-in"

// nextPostForm returns where the content of the next POST form in html begins.
// Nothing that a customer sent can look like one, because the templates escape
// it. This runs for every page, and a regular expression costs ten times as much.
func nextPostForm(html []byte) (at int, ok bool) {
	for {
		form := bytes.Index(html[at:], []byte("<form "))
		if form < 0 {
			return 0, false
		}
		at += form
		end := bytes.IndexByte(html[at:], '>')
		if end < 0 {
			return 0, false
		}
		tag := html[at : at+end]
		at += end + 1
		if bytes.Contains(tag, []byte(` method="post"`)) {
			return at, true
		}
	}
}

// writeStamped writes a page and adds to its forms the environment it was opened
// in, so that none of them acts in the other environment after a switch in this
// tab or another, and a key by which a form that is sent twice is known.
func writeStamped(w io.Writer, html []byte, e gangway.Environment) error {
	stamp := []byte(`<input type="hidden" name="` + stampField + `" value="` + string(e) + `">` +
		`<input type="hidden" name="` + onceField + `" value="` + rand.Text() + `">`)
	for {
		at, ok := nextPostForm(html)
		if !ok {
			_, err := w.Write(html)
			return err
		}
		if _, err := w.Write(html[:at]); err != nil {
			return err
		}
		if _, err := w.Write(stamp); err != nil {
			return err
		}
		html = html[at:]
	}
}

// Part writes one named template of a page's file, for a page that is already open.
func (sh *Shell) Part(w io.Writer, page, name string, data any) error {
	return sh.PartAt(0, w, page, name, data)
}

// PartAt is Part by a clock that is so far ahead of real time.
func (sh *Shell) PartAt(ahead time.Duration, w io.Writer, page, name string, data any) error {
	set, err := sh.page(page, ahead)
	if err != nil {
		return err
	}
	if err := set.ExecuteTemplate(w, name, data); err != nil {
		return fmt.Errorf("show %s of page %s: %w", name, page, err)
	}
	return nil
}

// Redirect sends the browser on to a page of ours, by GET.
func (sh *Shell) Redirect(w http.ResponseWriter, r *http.Request, to string) error {
	http.Redirect(w, r, sh.prefix+to, http.StatusSeeOther)
	return nil
}

//go:embed templates
var templates embed.FS

// Parts are templates that several pages use, and the functions that these
// templates and pages have besides those of every page.
type Parts struct {
	Files fs.FS // with templates/parts; nil where there are none
	Funcs template.FuncMap

	// Timed are functions that compare instants with the present by the clock now. Pages with them go by the clock
	// of the account that they show, others by real time.
	Timed func(now func() time.Time) template.FuncMap
}

// AddPages adds the pages of a room, which are its files templates/*.html. Each page is a template set of its own: the
// layout, the parts of every page, the parts that the room's pages use, and the page's own file.
func (sh *Shell) AddPages(room fs.FS, with ...Parts) error {
	shared := sync.OnceValues(func() (*template.Template, error) {
		set, err := template.New("layout").Funcs(sh.functions()).Funcs(timed(sh.Now)).ParseFS(templates,
			"templates/layout.html", "templates/parts/*.html")
		for _, p := range with {
			if err != nil {
				break
			}
			if set.Funcs(p.Funcs); p.Timed != nil {
				set.Funcs(p.Timed(sh.Now))
			}
			if p.Files != nil {
				_, err = set.ParseFS(p.Files, "templates/parts/*.html")
			}
		}
		return set, err
	})
	var clocks []func(now func() time.Time) template.FuncMap
	for _, p := range with {
		if p.Timed != nil {
			clocks = append(clocks, timed, p.Timed)
		}
	}
	files, err := fs.Glob(room, "templates/*.html")
	if err != nil {
		return fmt.Errorf("find templates: %w", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(file), ".html")
		if _, twice := sh.templates.of[name]; twice {
			return fmt.Errorf("find templates: there are two pages %q", name)
		}
		sh.templates.of[name] = pageSource{clocks != nil, func(now func() time.Time) (*template.Template, error) {
			set, err := shared()
			if err == nil {
				set, err = set.Clone()
			}
			if err != nil {
				return nil, err
			}
			for _, c := range clocks {
				set.Funcs(c(now))
			}
			return set.ParseFS(room, file)
		}}
	}
	return nil
}

// CloneQuery returns a copy of a query that the caller may change.
func CloneQuery(q url.Values) url.Values {
	out := make(url.Values, len(q))
	for name, values := range q {
		out[name] = append([]string(nil), values...)
	}
	return out
}
