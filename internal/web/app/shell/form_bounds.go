package shell

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"gangway/internal/gangway"
	"gangway/internal/web"
)

// The most bytes that a field of a form or of an address may have. Fields are kept
// on pages that are shown again, in searches and in the maps of limits, so nothing
// in them may be as long as the sender likes.
//
// Decided: docs/choices.md, "What anybody may fill".
const (
	fieldBytes = 2000
	nameBytes  = 255
)

// fieldsBytes are the limits of fields that differ.
var fieldsBytes = map[string]int{
	"email":    254, // RFC 5321, section 4.5.3.1.3: a path has 256 octets, two of which are its brackets
	"password": 1024,
	"query":    8 << 10, // the filters of a page of results, to come back to it
	"to":       8 << 10, // an address of ours, with its query
	"back":     8 << 10,
	"mapping":  64 << 10,

	"night_prices": 8 << 10, "rates": 8 << 10,
	"proposed": 64 << 10,
	"tabled":   64 << 10,
	"was":      64 << 10,  // the fields that a table had
	"document": 700 << 10, // packed, to be tried again
	"sealed":   700 << 10, // settings with their secrets
}

// settingFields is what the names of fields begin with that are settings of a feed's transport: certificates and
// statements among them have some kilobytes and several lines.
const (
	settingFields = "transport."
	settingBytes  = 64 << 10
)

// formLimit is the largest form that any page takes.
//
// Decided: docs/choices.md, "Hand-off".
const formLimit = 1 << 20

// formWeight is how many bytes of memory a form takes for each byte of its own. It
// is read, unescaped and split into fields, and a hand-off is written as JSON.
const formWeight = 8

// readForms reads the form of each request before any handler sees it, and refuses
// fields that are too long. The one address that takes forms from other sites
// reads its own, because those come in any encoding and are never refused for one
// field.
func (sh *Shell) readForms(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isFile := sh.isFileForm(r)
		if !isFile {
			most := int64(formLimit)
			if r.URL.Path == CSPPath {
				most = cspBytes
			}
			r.Body = http.MaxBytesReader(w, r.Body, most)
		}
		if !isFile && r.Method == http.MethodPost {
			defer sh.budget.Count(w, r, formWeight)()
		}
		if r.Method == http.MethodPost && r.URL.Path == sh.openPath {
			next.ServeHTTP(w, r)
			return
		}
		if unreadable(r.URL.Path, "") {
			sh.refuse(w, r, gangway.Errorf(gangway.NotFound, "there is no page at this address"))
			return
		}
		read := readForm
		if isFile {
			read = leaveForm
		}
		if err := read(r); err != nil {
			sh.refuse(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// leaveForm leaves a form for WithFile to read.
func leaveForm(r *http.Request) error {
	r.Form, r.PostForm = r.URL.Query(), url.Values{}
	return boundFields(r.Form)
}

func readForm(r *http.Request) error {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil &&
		strings.HasPrefix(media, "multipart/") {
		return web.UnsupportedMedia("what was sent is not in the form that the pages of Gangway send " +
			"(application/x-www-form-urlencoded)")
	}
	if err := r.ParseForm(); err != nil {
		if errors.As(err, new(*http.MaxBytesError)) || web.Limited(err) {
			return err
		}
		return errUnreadable
	}
	return boundFields(r.Form)
}

// linesFields are the fields in which people write several lines.
var linesFields = map[string]string{"tickets": "\r\n\t", "numbers": "\r\n\t", "mapping": "\r\n\t",
	"proposed": "\r\n\t", "tabled": "\r\n\t", "columns": "\r\n\t", "night_prices": "\r\n\t", "rates": "\r\n\t"}

// unreadable reports whether a text has a character that no database keeps or that
// uploads refuse, other than those in allowed.
func unreadable(text, allowed string) bool {
	if allowed != "" {
		text = strings.Map(func(r rune) rune {
			if strings.ContainsRune(allowed, r) {
				return ' '
			}
			return r
		}, text)
	}
	return !utf8.ValidString(text) || gangway.Unprintable(text)
}

// boundFields refuses a form in which a field is too long, or has characters that
// cannot be seen and make one text look like another. The error names the field.
func boundFields(form url.Values) error {
	for name, values := range form {
		if len(name) > nameBytes {
			return gangway.Errorf(gangway.Invalid,
				"the name of a field has at most %d bytes; there is one that begins with %.40q", nameBytes, name)
		}
		most := fieldBytes
		if n, ok := fieldsBytes[name]; ok {
			most = n
		}
		lines := linesFields[name]
		if strings.HasPrefix(name, settingFields) {
			most, lines = settingBytes, "\r\n\t"
		}
		for _, value := range values {
			if name != "password" && unreadable(value, lines) {
				return web.Unprocessable(fmt.Sprintf("the field %.40q has a character in it that cannot be seen, or "+
					"is no character at all: type it again", name))
			}
			if len(value) > most {
				return web.Unprocessable(fmt.Sprintf("the field %s has at most %d bytes; here it has %d", name, most,
					len(value)))
			}
		}
	}
	return nil
}

// usualBudget is the memory for requests of a shell that shares no budget.
func usualBudget() *web.Budget { return web.NewBudget(64<<20, web.Patience) }
