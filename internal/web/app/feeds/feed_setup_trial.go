package feeds

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"gangway/internal/accept/mapping"
	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/shell"
)

// A trialView is what a trial of the feed brought.
type trialView struct {
	Documents  []receivedDocument
	More       int // documents that are not shown
	Error      string
	Counts     string
	Good       bool   // nothing is refused, or stored without something
	Stores     bool   // something would be stored
	None       bool   // of what came, nothing would
	OffersHand bool   // it was a file, so the feed may be one for files that are given by hand
	Some       string // which records the table has, if it has not all
	Table      trialTable
	Problems   []problemRow
	MoreWrong  int
	Proposed   bool // the mapping was written from what was received
	Unsure     []mapping.Unsure
	Left       []namesLeft
	Columns    *columnsView
	Fetched    bool // else it was a file
	Stale      bool // the mapping is wrong: there are no records
	Long       bool // it is too long to be kept on the page
	gone, had  int  // of the feed's records: that a run like this removes, and all
	received   int  // and not refused
}

// How long whoever sets a feed up waits, and how many try at a time: of an account, and in all.
//
// Decided: docs/choices.md, "Setting feeds up on pages".
const tryPatience = 20 * time.Second

var triesLimit = web.Concurrency{
	Each: 2, All: 8, After: 3 * time.Second,
	OfClient: "as many feeds of this account are being tried as can be at once; try again in a moment",
	OfAll:    "as many feeds are being tried as can be at once; try again in a moment",
}

// tryFeed shows what would come of what was typed. It stores nothing.
func (room *Room) tryFeed(w http.ResponseWriter, r *http.Request, in store.Scoped, p feedSetupPage,
	kept json.RawMessage) error {
	f, err := p.feed()
	if err != nil {
		return room.setupRefused(w, r, in, p, nil, room.typed(r, p), err)
	}
	if f.Name == "" {
		f.Name = "trial"
	}
	with := poll.Trying{Feed: f, Within: tryPatience, Keep: carriedBytes, Most: SampleBytes}
	fresh := true
	proposes := p.Editing == "" && p.Mapping == p.Proposed // nobody has changed it
	if file := shell.FileOf(r.Context()); file != nil {
		with.Sample = &poll.Sample{Name: file.Name, ContentType: file.ContentType,
			Body: io.NewSectionReader(file, 0, file.Size)}
		p.Carried.Fetched = false
	} else if r.PostFormValue("do") != "fetch" {
		with.Sample, fresh = p.Carried.sample(), false
	}
	whole, open, err := room.given(r, p, kept)
	with.Hide = room.hides(r, p, whole)
	if with.Sample == nil {
		for _, name := range askedDays[p.Flow] {
			if p.Wrong[name] != "" && err == nil {
				err = gangway.Errorf(gangway.Invalid, "%s", p.Wrong[name])
			}
		}
		if err == nil {
			err = room.mayAsk(f, whole)
		}
		if err != nil {
			return room.setupRefused(w, r, in, p, whole, open, err)
		}
		fresh, p.Carried.Fetched = true, true
		with.Feed.Transport.Settings = whole
	}
	if p.Carried.Fetched {
		with.Ask = p.asked()
	}
	do := r.PostFormValue("do")
	p.tabled(&with)
	with.Propose = do == "propose" || proposes && p.choices == nil && (fresh || do == "flow")
	trial, err := room.poller.TryWith(r.Context(), in, with)
	if err != nil {
		return room.setupRefused(w, r, in, p, whole, open, err)
	}
	p.tell(trial, fresh)
	p.seal(r.Context(), whole)
	return room.showSetup(w, r, in, p, open, 0)
}

// tabled has a trial make a table of the mapping, or the mapping of the table that was sent.
func (p *feedSetupPage) tabled(with *poll.Trying) {
	with.Table, with.Choices, with.Over, with.Rest = true, p.choices, p.over, p.Editing != ""
}

// showAgain shows, on a page that is refused, what was received before, and what comes of it if that can be said.
func (room *Room) showAgain(ctx context.Context, in store.Scoped, p *feedSetupPage, hide []string) error {
	sample, typed := p.Carried.sample(), p.feedForm
	typed.Every = "" // how often it is fetched changes no record
	f, err := typed.feed()
	if sample == nil || err != nil {
		return nil // what is wrong is said already
	}
	if f.Name == "" {
		f.Name = "trial"
	}
	if p.Wrong["mapping"] != "" {
		f.Mapping, p.choices = "", nil
	}
	again := poll.Trying{Feed: f, Sample: sample, Within: tryPatience, Hide: hide}
	p.tabled(&again)
	trial, err := room.poller.TryWith(ctx, in, again)
	if gangway.KindOf(err) == gangway.Invalid {
		return nil
	}
	if err != nil {
		return err
	}
	p.tell(trial, false)
	if p.Wrong["mapping"] != "" {
		p.Trial = &trialView{Documents: p.Trial.Documents, Fetched: p.Trial.Fetched, Stale: true}
	}
	return nil
}

// hides are the secrets, given and kept, that a document may repeat: they are not shown.
func (room *Room) hides(r *http.Request, p feedSetupPage, whole json.RawMessage) []string {
	kind, err := room.poller.Kind(p.Kind)
	if err != nil {
		return nil
	}
	kept := shell.Unsealed(r.Context(), sealedFor(p.Kind), r.PostFormValue("sealed"))
	texts := append(kind.Texts(whole), kind.Texts(json.RawMessage(kept))...)
	for name, held := range othersOf(r) {
		if other, err := room.poller.Kind(name); err == nil {
			texts = append(texts, other.Texts(held.Kept)...)
		}
	}
	return texts
}

// typed are the settings that were typed, as far as they may be shown.
func (room *Room) typed(r *http.Request, p feedSetupPage) json.RawMessage {
	_, open, _ := room.given(r, p, nil) // what is wrong with them is said when they are used
	return open
}

// mayAsk refuses a flow that the kind of transport is not for, and settings that cannot be. It connects to nothing.
func (room *Room) mayAsk(f gangway.Feed, settings json.RawMessage) error {
	kind, err := room.poller.Kind(f.Transport.Kind)
	if err != nil {
		return err
	}
	if err := f.Check(kind.Live); err != nil {
		return err
	}
	_, err = kind.Open(settings, room.poller.Options())
	return asTransport(err)
}

// together names all fields of ours that there is the same to say about, and nothing of theirs, at once.
func together(list []mapping.Unsure) (short []mapping.Unsure) {
	for _, u := range list {
		i := slices.IndexFunc(short, func(s mapping.Unsure) bool {
			return s.Why == u.Why && s.Source == "" && u.Source == "" && s.Field != ""
		})
		if i >= 0 && u.Field != "" {
			short[i].Field += ", " + u.Field
			continue
		}
		short = append(short, u)
	}
	return short
}

// trialWords are what a trial says by the names of settings, in the words of the form.
var trialWords = strings.NewReplacer("the system refused the credentials: see auth",
	"the system did not let Gangway in: see “How Gangway signs in” above")

// Sign is the colour of how the records would fare.
func (v trialView) Sign() string {
	switch {
	case v.Good:
		return "good"
	case v.Stores:
		return "watch"
	}
	return "act"
}

// tell writes what a trial brought onto the page.
func (p *feedSetupPage) tell(t poll.Trial, fresh bool) {
	put := inWords(t.Table)
	for i := range t.Unfilled {
		put(&t.Unfilled[i])
	}
	v := &trialView{Error: shell.AsSentence(trialWords.Replace(t.Error)), Fetched: p.Carried.Fetched,
		Good:   t.Report.Refused+t.Report.Warned == 0 && t.Report.Received > 0,
		Counts: countWords(t.Report), Table: tableOf(t.Examples, t.Report.Problems.List, t.Report.Warnings.List)}
	v.OffersHand = !v.Fetched && p.Editing == "" && p.Kind != gangway.UploadTransport
	v.Stores, v.Left = t.Report.Received > t.Report.Refused, namesLeftOut(t)
	v.None = t.StoresNothing()
	if shown := len(v.Table.Rows); shown < t.Report.Received && shown > 0 {
		v.Some = "The first records are shown, and others with something to say about them: " + shell.Number(shown) +
			" of " + shell.Number(t.Report.Received) + "."
	}
	v.Problems, v.MoreWrong = problemsOf(t.Report.Problems.List, t.Report.Warnings.List)
	for i := range v.Table.Columns {
		put(&v.Table.Columns[i])
	}
	for i := range v.Problems {
		put(&v.Problems[i].Field)
	}
	for _, d := range t.Documents {
		v.Documents = append(v.Documents, receivedOf(d))
	}
	const shown = 3
	if len(v.Documents) > shown {
		v.More, v.Documents = len(v.Documents)-shown, v.Documents[:shown]
	}
	v.Columns, v.gone, v.had, v.received = columnsOf(t.Table), t.Gone, t.Had, t.Report.Received-t.Report.Refused
	if t.Table != nil && p.choices != nil {
		p.Mapping = t.Table.Program
	}
	if t.Proposal != nil {
		for i := range t.Proposal.Unsure {
			put(&t.Proposal.Unsure[i].Field)
		}
		v.Proposed, v.Unsure = true, together(t.Proposal.Unsure)
		p.Mapping, p.Proposed = t.Proposal.Program, t.Proposal.Program
	}
	if fresh {
		about := poll.TriedDocument{}
		if len(t.Documents) > 0 {
			about = t.Documents[0]
		}
		doc := t.First
		if len(t.Documents) > 1 { // one speaks for none of the others
			doc = nil
		}
		p.Carried, p.Part = carry(doc, about, p.Carried.Fetched), false
		v.Long = p.Carried.Packed == "" && len(t.Documents) > 0
	}
	p.Trial = v
}
