package integrator

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/shell"
)

// A requestPage is one request.
type requestPage struct {
	Back     string // the list that it is in
	At       string // the address of this page
	Counted  string // the request that was asked for, which is only counted in this one's entry; empty: it is this one
	Row      requestRow
	Words    string // of the status
	Errors   []remark
	Warnings []remark
	More     bool // there were further ones
	Detail   string
	Bodies   []bodyText // what was sent, and answered; none unless they are kept and somebody wants to see them
	Kept     bool       // they are
	Keeps    bool       // the account has them kept
}

// A remark is what was wrong with a field.
type remark struct {
	Field     string
	Sentences []string
}

// A bodyText is what was sent, or answered.
type bodyText struct {
	Title, Text, Note string
}

// KeyRequest shows one request of the account whose key was shown.
func (room *Room) KeyRequest(w http.ResponseWriter, r *http.Request, in store.Scoped, key store.Credential) error {
	account, err := in.Account(r.Context())
	if err != nil {
		return err
	}
	by := gangway.ByKey(key.ID, web.From(r))
	show := shell.Page{Wide: true, Stripe: stripeOf(account)}
	return room.showRequest(w, r, account, by, requestsPath, requestsPath, show)
}

// Request shows one request of either environment.
func (room *Room) Request(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	account, development, err := room.db.Accounts(r.Context(), v.User.Customer)
	if err != nil {
		return err
	}
	switch gangway.Environment(r.PathValue("environment")) {
	case gangway.Production:
	case gangway.Development:
		account = development
	default:
		return gangway.Errorf(gangway.NotFound, "an environment is production or development")
	}
	return room.showRequest(w, r, account, room.Actor(r), settingsPath, settingsPath+"/"+string(account.Environment),
		shell.Page{Section: "settings"})
}

// showRequest shows one request of an account. Its body is shown only when somebody asks for it, which is an entry in
// the audit log: bodies name people.
func (room *Room) showRequest(w http.ResponseWriter, r *http.Request, a gangway.Account, by gangway.Actor,
	back, path string, show shell.Page) error {
	room.settle(r.Context())
	in := room.db.In(a.Scope())
	req, counted, err := room.request(r.Context(), in, r.PathValue("request"))
	if err != nil {
		return err
	}
	p := requestPage{Back: back, At: path + "/" + url.PathEscape(req.ID), Row: newRequestRow(req),
		Words: http.StatusText(req.Status), Errors: remarksOf(req.Details.Errors),
		Warnings: remarksOf(req.Details.Warnings), More: req.Details.Truncated, Keeps: a.Settings.LogBodies,
		Kept: len(req.Body)+len(req.Answer) > 0}
	if counted {
		p.Counted = strings.ToLower(r.PathValue("request"))
	}
	if len(p.Errors) == 0 {
		p.Detail = gangway.Legible(shell.AsSentence(req.Details.Detail))
	}
	if p.Kept && r.Method == http.MethodPost {
		if err := in.Record(r.Context(), by, gangway.RequestShown, map[string]any{"request": req.ID},
			room.Now()); err != nil {
			return err
		}
		p.Bodies = []bodyText{newBodyText("What was sent", req.Body), newBodyText("What was answered", req.Answer)}
	}
	show.Template, show.Data = "integrator_request", p
	show.Title = req.Method + " " + p.Row.Address
	show.Answer = string(a.Environment) + " · " + req.At.UTC().Format("Mon 2 Jan 2006 15:04:05.000 UTC") + " · " +
		shell.TookWords(req.Took)
	return room.Show(w, r, show)
}

func remarksOf(fields map[string][]string) (list []remark) {
	for _, path := range slices.Sorted(maps.Keys(fields)) {
		r := remark{Field: gangway.Legible(path)}
		for _, sentence := range fields[path] {
			r.Sentences = append(r.Sentences, gangway.Legible(sentence))
		}
		list = append(list, r)
	}
	return list
}

// newBodyText is a body as people read it: JSON with its lines indented. Nothing where nothing was sent.
func newBodyText(title string, doc []byte) bodyText {
	b := bodyText{Title: title}
	if len(doc) == gangway.LoggedBody {
		b.Note = "Only the first 64 KiB are kept."
	}
	var indented bytes.Buffer
	switch {
	case len(doc) == 0:
		b.Note = "There was nothing."
	case json.Indent(&indented, doc, "", "  ") == nil:
		b.Text = indented.String()
	case utf8.Valid(trimPart(doc)) && !bytes.ContainsRune(doc, 0):
		b.Text = string(trimPart(doc))
	default:
		b.Note = shell.Plural(len(doc), "byte", "bytes") + " are kept, which are no text."
	}
	b.Text = gangway.Legible(b.Text)
	return b
}

// trimPart cuts off a letter that was cut in the middle.
func trimPart(doc []byte) []byte {
	for i := 0; i < utf8.UTFMax && len(doc) > 0; i++ {
		if r, size := utf8.DecodeLastRune(doc); r != utf8.RuneError || size > 1 {
			break
		}
		doc = doc[:len(doc)-1]
	}
	return doc
}
