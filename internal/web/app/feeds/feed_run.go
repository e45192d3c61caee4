package feeds

import (
	"cmp"
	"fmt"
	"net/http"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A feedRunPage is one run of a feed: what it brought, what was wrong with that, and what it read.
type feedRunPage struct {
	runRemarks
	Feed      string
	Run       feedRunRow
	Shorter   *shorterList // that the run brought and that can be accepted
	Failed    *failureList // documents; nil: none
	Documents []feedDocumentRow
	More      int    // documents that are not shown
	NoneKept  string // why there are no documents

	kept gangway.Kept // how long documents are
}

// A feedDocumentRow is a document that a run has read.
type feedDocumentRow struct {
	Place      int
	Name, Size string
	Type       string
}

// documentsShown is how many documents the page of a run has at first.
const documentsShown = 20

// FeedRun shows one run.
func (room *Room) FeedRun(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	name := r.PathValue("name")
	id, err := numberIn(r, "id", "run")
	if err != nil {
		return err
	}
	run, err := in.FeedRun(r.Context(), name, id)
	if err != nil {
		return err
	}
	documents, err := in.FeedDocuments(r.Context(), name, id)
	if err != nil {
		return err
	}
	shorter, err := room.shorter(r.Context(), in, run)
	if err != nil {
		return err
	}
	p := newFeedRunPage(run, documents, r.FormValue("show") == "all", room.db.Keeps().FeedDocuments)
	p.Shorter = shorter
	return room.Show(w, r, shell.Page{Template: "feed_run", Section: "settings",
		Title: "Settings › Feeds › " + name + ": run", Answer: p.answer(), Data: p})
}

func (p feedRunPage) answer() string {
	answer := p.Run.At.UTC().Format("Mon 2 Jan 2006 15:04:05 UTC") + " · " + p.Run.State
	if p.Run.Counts {
		answer += " · " + shell.Plural(p.Run.Received, "record", "records") + " received"
	}
	return answer
}

// newFeedRunPage shows a run with its documents; not all: the first of what is long.
func newFeedRunPage(run gangway.FeedRun, documents []store.FeedDocument, all bool,
	kept gangway.Kept) feedRunPage {
	p := feedRunPage{runRemarks: remarksOf(run, all), Feed: run.Feed, Run: newFeedRunRow(run), Failed: failuresOf(run),
		kept: kept}
	switch {
	case len(documents) > 0:
	case run.Documents > 0:
		p.NoneKept = shell.Plural(run.Documents, "document is", "documents are") + " gone: they are kept for " +
			kept.Words() + ", and deleted before where a person was erased or a feed has too many."
	default:
		p.NoneKept = "This run has kept no document: there was none, or it was longer than 32 MiB."
	}
	if !all && len(documents) > documentsShown {
		p.More, p.Cut = len(documents)-documentsShown, true
		documents = documents[:documentsShown]
	}
	for _, d := range documents {
		p.Documents = append(p.Documents, feedDocumentRow{Place: d.Place, Type: d.ContentType,
			Name: cmp.Or(d.Name, fmt.Sprint("Document ", d.Place+1)), Size: shell.SizeWords(d.Size)})
	}
	return p
}

// A failureList are documents of which nothing was stored.
type failureList struct {
	Title string
	Rows  []gangway.DocumentFailure
	Note  string // what is not listed, and why
}

// failuresOf lists the documents of which nothing was stored.
func failuresOf(run gangway.FeedRun) *failureList {
	if run.FailedDocuments == 0 {
		return nil
	}
	list := failureList{Title: failedWords(run) + ": nothing of what is in them was stored", Rows: run.Failures}
	if run.FailedDocuments == 1 {
		list.Title = failedWords(run) + ": nothing of it was stored"
	}
	switch {
	case len(run.Failures) == 0:
		list.Note = "What was wrong is not kept any more: that is kept for 7 days, and deleted before where a person " +
			"was erased."
	case len(run.Failures) < run.FailedDocuments:
		list.Note = shell.Number(run.FailedDocuments-len(run.Failures)) + " more are not named here."
	}
	return &list
}

// failedWords says of how many documents nothing was stored.
func failedWords(run gangway.FeedRun) string {
	return shell.Plural(run.FailedDocuments, "document failed", "documents failed")
}

// Until is how long documents are kept.
func (p feedRunPage) Until() time.Time { return p.Run.At.AddDate(0, p.kept.Months, p.kept.Days) }
