package app

// How to add a page
//
//  1. Write bookings.go with a struct that holds exactly what the page shows,
//     already in words or in types that a template function formats, and a
//     handler that fills it:
//
//     type bookingsPage struct { Rows []bookingRow }
//
//     func (a *App) bookings(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
//         …
//         return a.show(w, r, page{Template: "bookings", Section: "bookings",
//             Title: "Bookings", Answer: "25 of 310", Data: bookingsPage{rows}})
//     }
//
//  2. Write templates/bookings.html. It defines "content", and "actions" when
//     the page head has a main action; both get Data as their dot. A file
//     templates/parts/*.html is shared by all pages. Template functions are
//     listed in functions.go; addresses are always written {{href "/bookings/" .ID}}.
//
//  3. Add a line to routes.go, and a stylesheet assets/css/pages/bookings.css
//     with its line in app.css, if it needs one; then run assets/build.sh.
//     No style attributes and no inline scripts: the page forbids them.
//
// Who is signed in: visitorOf(r.Context()). After a POST: a.sessions.Tell to have
// the next page say what was done, and return a.redirect(w, r, "/bookings/"+id).
// A failure is returned; gate.go makes it a page. To show a form again with what
// was typed, show the page with Status 422 and the sentences beside the fields.
//
// What the script offers to any page (assets/js): data-suggest (a field that
// suggests), data-swap (parts that change in place), data-stream (parts that
// arrive), data-row (rows one can walk with arrow keys), <time data-left>.
// Parts to be sent by data-stream are rendered with a.part.

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"gangway"
	"gangway/internal/web"
)

// A page is what a handler shows.
type page struct {
	Template string // its file in templates, without .html
	Section  string // the entry of the navigation that it belongs to
	Title    string
	Answer   string           // one line: what this is and how it stands
	Status   int              // 200 when not set
	Booking  *gangway.Booking // the one that the page is about, if it is about one
	Data     any
}

// show writes a page. Nothing is written when its template fails, so that the
// reader gets the error page and not half of this one.
func (a *App) show(w http.ResponseWriter, r *http.Request, p page) error {
	set, ok := a.pages[p.Template]
	if !ok {
		return fmt.Errorf("show page: there is no template %q", p.Template)
	}
	f, err := a.frame(r, p)
	if err != nil {
		return err
	}
	out := a.budget.Page(reader(r))
	defer out.Release()
	if err := set.ExecuteTemplate(out, "layout", f); err != nil {
		return fmt.Errorf("show page %s: %w", p.Template, err)
	}
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	if p.Status != 0 {
		w.WriteHeader(p.Status)
	}
	if v, ok := visitorOf(r.Context()); ok {
		return writeStamped(w, out.Bytes(), v.Account.Environment)
	}
	_, err = w.Write(out.Bytes())
	return err
}

// reader is for whom a page takes memory: the person who is signed in, else the network.
func reader(r *http.Request) string {
	if v, ok := visitorOf(r.Context()); ok {
		return v.User.ID
	}
	return web.Network(web.Client(r))
}

// stampField says in a form in which environment its page was opened.
const stampField = "opened-in"

// nextPostForm returns where the next form of html that does something begins
// its content. Nothing that a customer has sent can look so: the templates
// escape it. It is on every page, and a regular expression costs ten times as much.
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

// writeStamped writes a page whose forms say in which environment it was
// opened, so that none of them acts in the other one after a switch, in this tab
// or another.
func writeStamped(w io.Writer, html []byte, e gangway.Environment) error {
	stamp := []byte(`<input type="hidden" name="` + stampField + `" value="` + string(e) + `">`)
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

// part writes one named template of a page's file, to put into a page that is
// already there.
func (a *App) part(w io.Writer, page, name string, data any) error {
	set, ok := a.pages[page]
	if !ok {
		return fmt.Errorf("show part: there is no template %q", page)
	}
	if err := set.ExecuteTemplate(w, name, data); err != nil {
		return fmt.Errorf("show %s of page %s: %w", name, page, err)
	}
	return nil
}

// redirect sends the browser on to a page of ours, by GET.
func (a *App) redirect(w http.ResponseWriter, r *http.Request, to string) error {
	http.Redirect(w, r, a.prefix+to, http.StatusSeeOther)
	return nil
}

//go:embed templates
var templates embed.FS

// readTemplates makes one set for each page: the layout, the shared parts and
// the page's own file.
func (a *App) readTemplates() (map[string]*template.Template, error) {
	shared, err := template.New("layout").Funcs(a.functions()).ParseFS(templates, "templates/layout.html", "templates/parts/*.html")
	if err != nil {
		return nil, fmt.Errorf("read templates: %w", err)
	}
	files, err := fs.Glob(templates, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("read templates: %w", err)
	}
	pages := map[string]*template.Template{}
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(file), ".html")
		if name == "layout" {
			continue
		}
		set, err := shared.Clone()
		if err != nil {
			return nil, fmt.Errorf("read templates: %w", err)
		}
		if pages[name], err = set.ParseFS(templates, file); err != nil {
			return nil, fmt.Errorf("read templates: %w", err)
		}
	}
	return pages, nil
}
