package outlets

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/web/app/feeds"
	"gangway/internal/web/app/shell"
	"gangway/internal/wire"
)

// An outletSetupPage is the page on which an admin sets an outlet up, or changes one.
type outletSetupPage struct {
	Editing string // the outlet that is changed; empty: a new one
	Version string // of the outlet that is changed
	Copied  string // the outlet of the other environment whose settings the page began with
	Other   gangway.Environment
	addressNotice
	Copies []string // outlets of the other environment, of a new one
	Action string

	Name, Kind, Format, Batch, Mapping string
	States                             []gangway.State // the actions that it gets; none: all

	Kinds    []choice
	About    string // of the kind
	Live     bool   // the kind gets each action at once
	Signs    bool   // what it sends
	Local    bool   // only whoever operates Gangway may change it
	untested bool   // it is a copy
	Sealed   string // the settings with their secrets, as nobody can read them
	feeds.SettingsForm

	Refused string // what is wrong, but with no field
	Asks    string // before it sends elsewhere
	Wrong   map[string]string
	Tried   []triedShape
}

// kindAbout says of a kind of transport what Gangway does with it.
var kindAbout = map[string]string{
	"endpoint": "An address of your system. Gangway posts each action there.",
	"sftp":     "A folder at your SFTP server. Gangway writes a file there.",
	"ftps":     "A folder at your FTP server. Gangway writes a file there.",
	"ftp": "A folder at your FTP server. Without TLS others on the way can read the password and the bookings: " +
		"choose “FTP server, with TLS” where your server has it.",
	"mail": "A file attached to a mail, sent by your operator’s mail server.",
}

// A choice is a button, or a line of a select.
type choice struct{ Value, Words string }

// A triedShape is what would be sent of a booking.
type triedShape struct {
	Locator      string // empty: of an invented one
	Given, Sends shownBody
	LeftOut      bool
	Wrong        string // why nothing can be made of it
}

// outletMembers are the members of an outlet that an error may be about.
var outletMembers = []string{"transport", "format", "name", "states", "batch", "mapping"}

// sealedFor keeps the settings of one kind of transport from being taken for those of another.
func sealedFor(kind string) string { return "settings of an outlet: " + kind }

// kind returns the kind of transport of a name. Invalid: a page may not set one up.
func (room *Room) kind(name string) (transport.Kind, error) {
	i := slices.IndexFunc(room.setter.Kinds, func(k transport.Kind) bool { return k.Name == name })
	if i < 0 || feeds.OnlyLocal(room.setter.Kinds[i]) {
		return transport.Kind{}, gangway.Errorf(gangway.Invalid, "an outlet of this kind is set up by your operator, "+
			"by command (gangway outlet set)")
	}
	return room.setter.Kinds[i], nil
}

// NewOutlet shows the empty page, or a copy of an outlet of the other environment.
func (room *Room) NewOutlet(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p := newSetup(r.FormValue("kind"))
	p.Other = otherOf(r.Context())
	list, err := room.outletsThere(r.Context())
	if err != nil {
		return err
	}
	var settings json.RawMessage
	for _, o := range list {
		if _, err := room.kind(o.Transport.Kind); err != nil {
			continue
		}
		if len(p.Copies) < copiesListed {
			p.Copies = append(p.Copies, o.Name)
		}
		if o.Name == r.FormValue("copy") {
			p.of(o)
			p.Copied, settings = o.Name, withoutSecrets(o.Transport.Settings)
		}
	}
	return room.showSetup(w, r, p, settings, 0)
}

// copiesListed is how many outlets of the other environment are offered; others are copied by their name in the
// address.
const copiesListed = 50

// otherOf is the environment that the visitor does not work in.
func otherOf(ctx context.Context) gangway.Environment {
	if v, _ := shell.VisitorOf(ctx); v.Account.Environment == gangway.Development {
		return gangway.Production
	}
	return gangway.Development
}

// outletsThere are the customer's outlets in the environment that the visitor does not work in.
func (room *Room) outletsThere(ctx context.Context) ([]gangway.Outlet, error) {
	v, _ := shell.VisitorOf(ctx)
	there, development, err := room.db.Accounts(ctx, v.Account.Customer.ID)
	if otherOf(ctx) == gangway.Development {
		there = development
	}
	if err != nil {
		return nil, err
	}
	return room.db.In(there.Scope()).Outlets(ctx)
}

// An addressNotice says that an outlet still has an address of the other environment.
type addressNotice struct{ CopiedFrom gangway.Environment }

// addressOf is the notice for an outlet; none: it was tested, or is no copy.
func (room *Room) addressOf(ctx context.Context, o gangway.Outlet) (n addressNotice, err error) {
	if !o.Untested() {
		return n, nil
	}
	there, err := room.outletsThere(ctx)
	address := func(o gangway.Outlet) string { return strings.TrimSuffix(o.Address(), "?…") }
	if slices.ContainsFunc(there, func(other gangway.Outlet) bool { return address(other) == address(o) }) {
		n.CopiedFrom = otherOf(ctx)
	}
	return n, err
}

// withoutSecrets leaves out of the settings that may be shown what is kept and secret: a null, and of credentials all
// but their kind and the name of their header.
func withoutSecrets(open json.RawMessage) json.RawMessage {
	var m map[string]any
	if json.Unmarshal(open, &m) != nil {
		return nil
	}
	if auth, is := m["auth"].(map[string]any); is {
		maps.DeleteFunc(auth, func(name string, _ any) bool { return name != "kind" && name != "name" })
	}
	for name, value := range m {
		inner, _ := value.(map[string]any)
		for _, v := range inner {
			if v == nil {
				value = nil
			}
		}
		if value == nil {
			delete(m, name)
		}
	}
	doc, err := json.Marshal(m)
	if err != nil {
		return nil
	}
	return doc
}

func newSetup(kind string) outletSetupPage {
	return outletSetupPage{Wrong: map[string]string{}, Action: outletsPath + "/new", Kind: kind,
		Format: string(gangway.JSONFormat)}
}

// of fills in what the form shows of an outlet, but for its settings.
func (p *outletSetupPage) of(o gangway.Outlet) {
	p.Name, p.Kind, p.States, p.Format, p.Mapping = o.Name, o.Transport.Kind, o.States, string(o.Format), o.Mapping
	if o.Batch > 0 {
		p.Batch = wire.Interval(o.Batch)
	}
}

// EditOutlet shows the page of an outlet that there is.
func (room *Room) EditOutlet(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p, kept, err := room.setupOf(r.Context(), in, r.PathValue("name"))
	if err != nil {
		return err
	}
	p.seal(r.Context(), kept)
	return room.showSetup(w, r, p, kept, 0)
}

// setupOf is the page of an outlet as it is, and its settings with their secrets, if these can be opened.
func (room *Room) setupOf(ctx context.Context, in store.Scoped, name string) (outletSetupPage, json.RawMessage, error) {
	o, err := in.OutletToChange(ctx, name)
	if err != nil {
		return outletSetupPage{}, nil, err
	}
	p := newSetup("")
	p.of(o.Outlet)
	p.Editing, p.Version, p.Action = o.Name, versionOf(o.Outlet), OutletPath(o.Name)+"/edit"
	p.untested = o.Untested()
	if _, err := room.kind(p.Kind); err != nil {
		p.Local = true
		return p, nil, nil
	}
	if o.Unopened != nil {
		return p, withoutSecrets(o.Transport.Settings), nil
	}
	kept, err := transport.Merge(o.Transport.Settings, json.RawMessage(o.Transport.Secrets))
	return p, kept, err
}

// versionOf tells an outlet from what becomes of it.
func versionOf(o gangway.Outlet) string { return fmt.Sprint(o.ID, "-", o.SetAt.UnixMilli()) }

func (p *outletSetupPage) seal(ctx context.Context, whole json.RawMessage) {
	if p.Sealed = ""; len(whole) > 0 {
		p.Sealed = shell.Sealed(ctx, sealedFor(p.Kind), string(whole))
	}
}

// SetUpOutlet saves what was typed, or tries its mapping.
func (room *Room) SetUpOutlet(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p := newSetup("")
	if name := r.PathValue("name"); name != "" {
		of, _, err := room.setupOf(r.Context(), in, name)
		if err != nil {
			return err
		}
		p.Editing, p.Action, p.Local, p.untested = of.Editing, of.Action, of.Local, of.untested
	}
	p.read(r)
	kind, err := room.kind(p.Kind)
	if p.Local || err != nil {
		p.Local = true
		return room.showSetup(w, r, p, nil, http.StatusUnprocessableEntity)
	}
	if to, err := room.kind(r.PostFormValue("turn")); err == nil {
		p.Kind = to.Name
		return room.showSetup(w, r, p, nil, 0)
	}
	kept := json.RawMessage(shell.Unsealed(r.Context(), sealedFor(p.Kind), r.PostFormValue("sealed")))
	whole, open, err := feeds.GivenSettings(r.PostForm, kind, kept)
	if p.seal(r.Context(), whole); err != nil {
		p.seal(r.Context(), kept)
	}
	if r.PostFormValue("do") == "try" {
		return room.tryMapping(w, r, in, p, kind, open)
	}
	if err == nil && len(p.Wrong) == 0 {
		var done shell.Done
		if done, err = room.saveOutlet(r, in, &p, kind, whole); err == nil {
			return room.saved(w, r, in, p, done)
		}
	}
	status := http.StatusUnprocessableEntity
	switch kind := gangway.KindOf(err); {
	case err == nil, errors.Is(err, errAsks):
	case kind == gangway.Conflict:
		status = http.StatusConflict
		p.note(err)
	case kind == gangway.Invalid:
		p.note(err)
	default:
		return err
	}
	return room.showSetup(w, r, p, open, status)
}

// note notes what is wrong at its field, or for the page where it names none.
func (p *outletSetupPage) note(err error) {
	field, wrong := feeds.FieldOf(err, outletMembers)
	if wrong = strings.TrimSpace(wrong + " " + transport.HowToAllow(wrong)); field == "" {
		p.Refused = wrong
		return
	}
	p.Wrong[field] = wrong
}

// errAsks leaves an outlet as it is until somebody has agreed that it sends elsewhere.
var errAsks = errors.New("asks first")

// read reads what was typed, but for the settings of the transport.
func (p *outletSetupPage) read(r *http.Request) {
	v := func(name string) string { return strings.TrimSpace(r.PostFormValue(name)) }
	p.Name, p.Kind, p.Format, p.Batch, p.Version, p.Copied = v("name"), v("transport"), v("format"), v("batch"),
		v("version"), v("copied")
	p.Mapping = strings.ReplaceAll(v("mapping"), "\r\n", "\n")
	if p.Name = cmp.Or(p.Editing, p.Name, gangway.DefaultOutlet); p.Copied != "" {
		p.Other = otherOf(r.Context())
	}
	if len(r.PostForm["state"]) == 0 {
		p.Wrong["states"] = "Choose at least one."
	}
	for _, s := range gangway.States {
		if slices.Contains(r.PostForm["state"], string(s)) {
			p.States = append(p.States, s)
		}
	}
	if len(p.States) == len(gangway.States) {
		p.States = nil
	}
}

// outlet is what was typed, with settings.
func (p outletSetupPage) outlet(o gangway.Outlet, kind transport.Kind, whole json.RawMessage) (gangway.Outlet, error) {
	o.Transport = gangway.Transport{Kind: p.Kind, Settings: whole}
	o.States, o.Format, o.Mapping, o.Batch = p.States, gangway.FormatKind(p.Format), p.Mapping, 0
	if p.Batch != "" && !kind.Live {
		var err error
		if o.Batch, err = time.ParseDuration(p.Batch); err != nil {
			return o, gangway.Errorf(gangway.Invalid, `batch must be a length of time such as "15m" or "1h"`)
		}
	}
	return o, nil
}

// saveOutlet stores what was typed. Conflict: somebody has changed the outlet since, or its name is another's.
func (room *Room) saveOutlet(r *http.Request, in store.Scoped, p *outletSetupPage, kind transport.Kind,
	whole json.RawMessage) (shell.Done, error) {
	setter := room.setter
	setter.Secret = room.firstSecret(r)
	setter.Confirm = func(is, becomes gangway.Outlet, otherQuery bool) error {
		now, question := deliver.Readdressed(is, becomes, otherQuery)
		if question == "" || r.PostFormValue("do") == "save-anyway" {
			return nil
		}
		p.Asks = gangway.Sentence(now) + " " + question
		return errAsks
	}
	edit := func(old gangway.Outlet) (gangway.Outlet, error) {
		switch {
		case p.Editing == "" && old.ID != "":
			return old, gangway.Errorf(gangway.Conflict, "name: an outlet of this name exists already; choose another")
		case p.Editing != "" && versionOf(old) != p.Version:
			p.Version = versionOf(old)
			return old, gangway.Errorf(gangway.Conflict, "somebody has changed this outlet since you opened the page; "+
				"saving it again replaces that with what you see")
		case p.Editing == "" && p.Copied != "":
			old = old.AsCopy()
		}
		return p.outlet(old, kind, whole)
	}
	return room.CarryOut(r, in, func(r *http.Request) (shell.Done, error) {
		set, err := setter.Set(r.Context(), in, room.Actor(r), p.Name, edit)
		if err != nil {
			return shell.Done{}, err
		}
		said := "Outlet " + set.Name + " was saved."
		for _, warning := range set.Warnings {
			said += " " + gangway.Sentence(warning)
		}
		return shell.Done{To: OutletPath(set.Name), Said: said}, nil
	})
}

// firstSecret is the signing secret of an outlet that a form makes: it follows from the form, as that of RotateOutlet.
func (room *Room) firstSecret(r *http.Request) string {
	once := r.PostFormValue("once")
	if once == "" {
		return deliver.NewSecret()
	}
	return deliver.SecretOf(room.FormKeys.Secret("signing secret", room.Actor(r).ID, r.URL.Path, once))
}

// saved leads to the outlet. The signing secret of one that begins to push is shown on the way, once.
func (room *Room) saved(w http.ResponseWriter, r *http.Request, in store.Scoped, p outletSetupPage,
	done shell.Done) error {
	o, err := in.Outlet(r.Context(), p.Name)
	if err != nil {
		return err
	}
	secrets, err := in.OutletSecrets(r.Context(), o.ID)
	if err != nil || len(secrets) != 1 || secrets[0] != room.firstSecret(r) {
		return room.Finish(w, r, done)
	}
	shown := secretPage{Name: o.Name, Secret: secrets[0], First: true}
	if shown.addressNotice, err = room.addressOf(r.Context(), o); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return room.Show(w, r, shell.Page{Template: "outlet_secret", Section: "settings",
		Title: "Signing secret of outlet " + o.Name, Answer: done.Said, Data: shown})
}

// tryMapping shows what would be sent of the latest bookings. Nothing is sent or stored.
func (room *Room) tryMapping(w http.ResponseWriter, r *http.Request, in store.Scoped, p outletSetupPage,
	kind transport.Kind, open json.RawMessage) error {
	release, err := room.tries.Acquire(in.Scope().Account)
	if err != nil {
		return err
	}
	defer release()
	status := 0
	o, err := p.outlet(gangway.Outlet{Name: "trial"}, kind, nil)
	if err == nil {
		err = o.Check(kind.Live)
	}
	var list []deliver.Shape
	if err == nil {
		list, err = room.setter.Shapes(r.Context(), in, o)
	}
	if gangway.KindOf(err) == gangway.Invalid {
		p.note(err)
		status, err = http.StatusUnprocessableEntity, nil
	}
	if err != nil {
		return err
	}
	for _, s := range list {
		t := triedShape{Given: newShownBody(s.Record), Sends: newShownBody(s.Sent), LeftOut: s.LeftOut}
		if s.Booking.CreatedBy != gangway.System {
			t.Locator = s.Booking.Locator
		}
		if s.Err != nil {
			t.Wrong = gangway.Sentence(shell.SentenceOf(s.Err))
		}
		p.Tried = append(p.Tried, t)
	}
	return room.showSetup(w, r, p, open, status)
}

// showSetup shows the page. settings are those that there are, with their secrets or with null in their place.
func (room *Room) showSetup(w http.ResponseWriter, r *http.Request, p outletSetupPage, settings json.RawMessage,
	status int) error {
	kind, err := room.kind(p.Kind)
	if err != nil && !p.Local {
		kind, err = room.setter.Kinds[0], nil
		p.Kind = kind.Name
	}
	if err == nil {
		p.About, p.Live, p.Signs = kindAbout[kind.Name], kind.Live, kind.Name == gangway.EndpointTransport
		kept := json.RawMessage(shell.Unsealed(r.Context(), sealedFor(p.Kind), p.Sealed))
		form, refused, err := feeds.NewSettingsForm(kind, "", settings, kept, p.Wrong)
		if err != nil {
			return err
		}
		p.SettingsForm, p.Refused = form, strings.TrimSpace(p.Refused+" "+refused)
	}
	o := gangway.Outlet{Transport: gangway.Transport{Kind: p.Kind, Settings: settings}}
	if p.untested || p.Copied != "" {
		o = o.AsCopy()
	}
	if p.addressNotice, err = room.addressOf(r.Context(), o); err != nil {
		return err
	}
	for _, k := range room.setter.Kinds {
		if !feeds.OnlyLocal(k) {
			p.Kinds = append(p.Kinds, choice{k.Name, outletKind(k.Name)})
		}
	}
	title, answer := "Settings › Outlets › New", "Say where bookings go, and save. Then send a test booking."
	if p.Editing != "" {
		title, answer = "Settings › Outlets › "+p.Editing, "What is saved applies to what is sent from then on."
	}
	if n := len(p.Wrong); n > 0 {
		answer = shell.Plural(n, "field", "fields") + " to correct; nothing was saved"
	}
	return room.Show(w, r, shell.Page{Template: "outlet_setup", Section: "settings", Title: title, Answer: answer,
		Status: status, Data: p})
}

// Gets reports whether the outlet gets the actions that lead to a state.
func (p outletSetupPage) Gets(s gangway.State) bool { return gangway.Outlet{States: p.States}.Wants(s) }

// AllStates are those that can be chosen.
func (outletSetupPage) AllStates() []gangway.State { return gangway.States }

// Often are the lengths of time for which actions may be put together.
func (p outletSetupPage) Often() []choice {
	list := []choice{{"", "At once, one by one"}}
	for _, every := range []string{"5m", "15m", "1h", "6h", "24h", p.Batch} {
		d, err := time.ParseDuration(every)
		if every == "" || slices.ContainsFunc(list, func(c choice) bool { return c.Value == every }) {
			continue
		}
		words := every
		if err == nil {
			words = "Together, " + feeds.IntervalWords(d)
		}
		list = append(list, choice{every, words})
	}
	return list
}
