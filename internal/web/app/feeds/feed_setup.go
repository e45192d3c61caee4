package feeds

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/accept/mapping"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/web/app/shell"
	"gangway/internal/wire"
)

// A feedSetupPage is the page on which an integrator sets a feed up: where documents come from, how one looks, and
// what a mapping makes of it.
type feedSetupPage struct {
	feedForm
	Editing string // the feed that is changed; empty: a new one
	Version int64  // of the feed that is changed
	Action  string
	Kinds   []choice
	About   string // of the kind
	SettingsForm
	Carried carried
	Sealed  string // the settings with their secrets, as nobody can read them
	Others  string // those of kinds that were chosen before, in the same way
	Changed bool   // another kind was chosen: its first field has the focus
	Live    bool   // the kind can be asked while somebody waits
	ByHand  bool   // documents are given by hand
	Refused string // what is wrong, but with no field
	Asks    string // how the feed is saved once somebody has said that it may
	AskWhy  string
	removes bool // runs of the feed that there is remove what they do not bring
	Wrong   map[string]string
	Trial   *trialView
	Part    bool // the browser has the document already
	Local   bool // only whoever operates Gangway may change it
	Flows   []choice
	Helpers []mapping.HelperExample
	Often   []choice
	Missing []choice                // what becomes of records that a run does not bring any more
	Names   map[gangway.Flow]string // what a feed is called that nobody names
}

// A feedForm is what was typed, but for the settings of the transport.
type feedForm struct {
	Name, Kind, Every, Complete string
	Flow                        gangway.Flow
	Mapping                     string
	Proposed                    string           // the mapping that was proposed last
	choices                     []mapping.Choice // of the table
	over                        bool             // they replace a program that no table can express
	Format                      formatForm
	Ask                         gangway.Ask
	Off                         bool
	RemovalLimit                int // which only a command sets
}

// NewFeed shows the empty page.
func (room *Room) NewFeed(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.showSetup(w, r, in, room.emptySetup(r.FormValue("kind")), nil, 0)
}

func (room *Room) emptySetup(kind string) feedSetupPage {
	today := gangway.DateOf(room.Now())
	if !slices.ContainsFunc(room.poller.Kinds(), func(k transport.Kind) bool { return k.Name == kind }) {
		kind = room.poller.Kinds()[0].Name
	}
	return feedSetupPage{Wrong: map[string]string{}, Action: "/settings/feeds/new", feedForm: feedForm{Kind: kind,
		Flow: gangway.TravellersFlow, Format: formatForm{Kind: string(gangway.AutoFormat)},
		Ask: gangway.Ask{From: today, To: today.AddDays(6), Date: today}}}
}

// EditFeed shows the page of a feed that there is.
func (room *Room) EditFeed(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p, kept, err := room.setupOf(r.Context(), in, r.PathValue("name"))
	if err != nil {
		return err
	}
	if kind := r.FormValue("kind"); kind != "" && kind != p.Kind {
		p.Kind, kept = room.emptySetup(kind).Kind, nil
	}
	p.seal(r.Context(), kept)
	return room.showSetup(w, r, in, p, kept, 0)
}

// setupOf is the page of a feed as it is, and its settings with their secrets.
func (room *Room) setupOf(ctx context.Context, in store.Scoped, name string) (feedSetupPage, json.RawMessage, error) {
	f, err := in.Feed(ctx, name)
	if err != nil {
		return feedSetupPage{}, nil, err
	}
	p := room.emptySetup(f.Transport.Kind)
	p.Editing, p.Version, p.Action = f.Name, f.Version, "/settings/feeds/"+url.PathEscape(f.Name)+"/edit"
	p.Name, p.Flow, p.Mapping, p.Off, p.RemovalLimit = f.Name, f.Flow, f.Mapping, f.Off, f.RemovalLimit
	p.Format = formatFormOf(f.Format)
	if f.Every > 0 {
		p.Every = wire.Interval(f.Every)
	}
	if f.Complete != nil {
		p.Complete = map[bool]string{true: "yes", false: "no"}[*f.Complete]
	}
	kept, err := transport.Merge(f.Transport.Settings, json.RawMessage(f.Transport.Secrets))
	if err != nil {
		return p, nil, err
	}
	kind, err := room.poller.Kind(f.Transport.Kind)
	p.removes = f.BringsAll(kind.Live)
	p.Local = err == nil && isLocal(kind, kept)
	return p, kept, err
}

// isLocal reports whether only whoever operates Gangway may make a feed with these settings.
func isLocal(kind transport.Kind, settings json.RawMessage) bool {
	return kind.Local != nil && kind.Local(settings)
}

// OnlyLocal reports whether only whoever operates Gangway may make feeds or outlets of a kind, whatever their settings.
func OnlyLocal(kind transport.Kind) bool { return isLocal(kind, json.RawMessage("{}")) }

// SetUpFeed tries what was typed, and saves it when that is asked for.
func (room *Room) SetUpFeed(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	release, err := room.tries.Acquire(in.Scope().Account)
	if err != nil {
		return err
	}
	defer release()
	p, kept := room.emptySetup(r.PostFormValue("transport")), json.RawMessage(nil)
	if name := r.PathValue("name"); name != "" {
		of, stored, err := room.setupOf(r.Context(), in, name)
		if err != nil {
			return err
		}
		kept = stored
		if of.Kind != p.Kind {
			kept = nil
		}
		p.Editing, p.Action, p.Off, p.Local, p.RemovalLimit = of.Editing, of.Action, of.Off, of.Local, of.RemovalLimit
		p.removes = of.removes
		p.Version, _ = strconv.ParseInt(r.PostFormValue("version"), 10, 64)
	}
	room.read(&p, r)
	if kind, err := room.poller.Kind(p.Kind); err == nil && !(gangway.Feed{Flow: p.Flow,
		Transport: gangway.Transport{Kind: p.Kind}}).Scheduled(kind.Live) {
		p.Every = "" // its field is not shown
	}
	if p.Local {
		return room.showSetup(w, r, in, p, nil, http.StatusUnprocessableEntity)
	}
	if was := shell.Unsealed(r.Context(), sealedFor(p.Kind), r.PostFormValue("sealed")); was != "" {
		kept = json.RawMessage(was)
	}
	to := r.PostFormValue("turn")
	if kind, err := room.poller.Kind(to); err == nil && !OnlyLocal(kind) {
		return room.changeKind(w, r, in, p, kept, to)
	}
	do, anyway := strings.CutSuffix(r.PostFormValue("do"), "-anyway")
	if do == "save-upload" && p.Editing == "" {
		p.Kind, p.Every, kept = gangway.UploadTransport, "", nil
		return room.saveFeed(w, r, in, p, kept, anyway)
	} else if do == "save" {
		return room.saveFeed(w, r, in, p, kept, anyway)
	}
	return room.tryFeed(w, r, in, p, kept)
}

// sealedFor keeps the settings of one kind of transport from being taken for those of another.
func sealedFor(kind string) string { return "settings of a feed: " + kind }

// read reads what was typed, but for the settings of the transport.
func (room *Room) read(p *feedSetupPage, r *http.Request) {
	v := func(name string) string { return strings.TrimSpace(r.PostFormValue(name)) }
	p.Name, p.Flow, p.Every, p.Complete = v("name"), gangway.Flow(v("flow")), v("every"), v("complete")
	if p.Editing != "" {
		p.Name = p.Editing
	}
	p.Mapping, p.Proposed = lines(r.PostFormValue("mapping")), lines(r.PostFormValue("proposed"))
	p.choices, p.over = readChoices(*p, r)
	p.Format = readFormatForm(r.PostForm)
	p.Ask = gangway.Ask{Surname: v("surname")}
	for name, date := range map[string]*gangway.Date{"from": &p.Ask.From, "to": &p.Ask.To, "date": &p.Ask.Date} {
		day := room.ReadDay(r, name, gangway.Next)
		if *date = cmp.Or(day.Date, gangway.Date(day.Typed)); day.Wrong != "" {
			p.Wrong[name] = day.Wrong
		}
	}
	p.Carried = carried{Packed: v("document"), Name: v("document_name"), ContentType: v("document_type"),
		Fetched: v("document_from") == "fetched"}
	p.Part = r.Header.Get("Gangway-Part") != ""
}

// askedDays are the fields of the days that a flow's system is asked for.
var askedDays = map[gangway.Flow][]string{gangway.TravelRequestsFlow: {"from", "to"}, gangway.CrewChangesFlow: {"date"}}

// asked is what a flow's system is asked for.
func (f feedForm) asked() gangway.Ask {
	switch f.Flow {
	case gangway.TravellerLookupFlow:
		return gangway.Ask{Surname: f.Ask.Surname}
	case gangway.TravelRequestsFlow:
		return gangway.Ask{From: f.Ask.From, To: f.Ask.To}
	case gangway.CrewChangesFlow:
		return gangway.Ask{Date: f.Ask.Date}
	}
	return gangway.Ask{}
}

// feed returns the feed that was typed. Its settings are left out.
func (f feedForm) feed() (gangway.Feed, error) {
	made := gangway.Feed{Name: f.Name, Flow: f.Flow, Mapping: f.Mapping, Off: f.Off, RemovalLimit: f.RemovalLimit,
		Transport: gangway.Transport{Kind: f.Kind}}
	var err error
	if made.Format, err = f.Format.format(); err != nil {
		return made, err
	}
	if f.Every != "" {
		if made.Every, err = time.ParseDuration(f.Every); err != nil || made.Every <= 0 {
			return made, gangway.Errorf(gangway.Invalid, `every must be a length of time such as "1h" or "90m"`)
		}
	}
	if f.Complete == "yes" || f.Complete == "no" {
		all := f.Complete == "yes"
		made.Complete = &all
	}
	return made, nil
}

// given returns the settings that were typed, those that may be shown of them, and, with what is kept, all of them.
func (room *Room) given(r *http.Request, p feedSetupPage, kept json.RawMessage) (whole, open json.RawMessage,
	err error) {
	kind, err := room.poller.Kind(p.Kind)
	if err != nil {
		return nil, nil, err
	}
	if whole, open, err = GivenSettings(r.PostForm, kind, kept); err != nil {
		return nil, open, err
	}
	if isLocal(kind, whole) {
		return nil, open, gangway.Errorf(gangway.Invalid, "transport: url names a file of the machine that Gangway "+
			"runs on: whoever operates Gangway sets such a feed, by command (gangway feed set)")
	}
	return whole, open, nil
}

// asTransport says that an error is about the settings of the transport, as poll does.
func asTransport(err error) error {
	if gangway.KindOf(err) == gangway.Invalid {
		return gangway.Errorf(gangway.Invalid, "transport: %v", err)
	}
	return err
}
