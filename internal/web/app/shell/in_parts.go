package shell

import (
	"bytes"
	"fmt"
	"io"
	"net/http"

	"gangway/internal/gangway"
)

// partsPlace is where the parts of a page come in its template: {{template "parts"}}. Nothing else in a page
// looks like it, because templates escape what they show.
var partsPlace = []byte(`<template id="parts"></template>`)

// ShowInParts writes a page whose template has {{template "parts"}}: all before that at once, then what parts
// shows one after the other, each as soon as it is ready, and then the rest. It is one page for browsers with
// and without a script. An error of a part after the beginning ends the connection, so that nobody takes half of
// the page for the whole.
func (sh *Shell) ShowInParts(w http.ResponseWriter, r *http.Request, p Page,
	parts func(show func(name string, data any) error) error) error {
	v, _ := VisitorOf(r.Context())
	out := sh.budget.Page(readerOf(r))
	defer out.Release()
	if err := sh.render(out, r, p); err != nil {
		return err
	}
	before, after, found := bytes.Cut(out.Bytes(), partsPlace)
	if !found {
		return fmt.Errorf("show page %s: it has no place for its parts", p.Template)
	}
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("X-Accel-Buffering", "no")
	if p.Status != 0 {
		w.WriteHeader(p.Status)
	}
	send := func(html []byte) error { return sendNow(w, html, v.Account.Environment) }
	if err := send(before); err != nil {
		return err
	}
	if err := parts(func(name string, data any) error {
		part := sh.budget.Page(readerOf(r))
		defer part.Release()
		if err := sh.PartAt(v.Account.Ahead, part, p.Template, name, data); err != nil {
			return err
		}
		return send(part.Bytes())
	}); err != nil {
		return err
	}
	return send(after)
}

// sendNow writes a part of a page, and does not wait for more to send with it.
func sendNow(w http.ResponseWriter, html []byte, e gangway.Environment) error {
	if err := writeStamped(w, html, e); err != nil {
		return err
	}
	return http.NewResponseController(w).Flush()
}

// render writes a whole page into out.
func (sh *Shell) render(out io.Writer, r *http.Request, p Page) error {
	v, _ := VisitorOf(r.Context())
	set, err := sh.page(p.Template, v.Account.Ahead)
	if err != nil {
		return err
	}
	f, err := sh.frame(r, p)
	if err != nil {
		return err
	}
	layout := "layout"
	if v.rendering != nil {
		layout = "live"
	}
	if err := set.ExecuteTemplate(out, layout, f); err != nil {
		return fmt.Errorf("show page %s: %w", p.Template, err)
	}
	return nil
}
