package feeds

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A feedRunPage is one run of a feed: what it brought, what was wrong with that, and what it read.
type feedRunPage struct {
	Feed      string
	Run       feedRunRow
	Shorter   *shorterList // that the run brought and that can be accepted
	Failed    *failureList // documents; nil: none
	Whole     remarkList   // about a document
	Refused   remarkList
	Warned    remarkList
	Documents []feedDocumentRow
	More      int    // documents that are not shown
	NoneKept  string // why there are no documents
	All       bool   // everything that is kept is shown
	Cut       bool   // something that is kept is not shown
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
	id, err := runID(r)
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
	p := feedRunPage{Feed: name, Run: newFeedRunRow(run), All: r.FormValue("show") == "all"}
	if p.Shorter, err = room.shorter(r.Context(), in, run); err != nil {
		return err
	}
	p.Failed = p.failures(run)
	whole, warnings := aboutDocument(run.Warnings)
	cut := false
	p.Whole = whole
	p.Refused, p.Cut = refusals(run, p.All)
	p.Warned, cut = leftOut(run, warnings, p.All)
	p.Cut = p.Cut || cut
	p.list(documents, run)
	return room.Show(w, r, shell.Page{Template: "feed_run", Section: "settings",
		Title: "Settings › Feeds › " + name + ": run", Answer: p.answer(), Data: p})
}

// runID reads the identifier of the run that an address names.
func runID(r *http.Request) (int64, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return 0, gangway.Errorf(gangway.NotFound, "there is no such run")
	}
	return id, nil
}

func (p feedRunPage) answer() string {
	answer := p.Run.At.UTC().Format("Mon 2 Jan 2006 15:04:05 UTC") + " · " + p.Run.State
	if p.Run.Counts {
		answer += " · " + shell.Plural(p.Run.Received, "record", "records") + " received"
	}
	return answer
}

// A failureList are documents of which nothing was stored.
type failureList struct {
	Title string
	Rows  []gangway.DocumentFailure
	Note  string // what is not listed, and why
}

// failures lists the documents of which nothing was stored.
func (p *feedRunPage) failures(run gangway.FeedRun) *failureList {
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

// list lists the documents that are kept.
func (p *feedRunPage) list(documents []store.FeedDocument, run gangway.FeedRun) {
	if len(documents) == 0 {
		p.NoneKept = "This run has kept no document: there was none, or it was longer than 32 MiB."
		if run.Documents > 0 {
			p.NoneKept = shell.Plural(run.Documents, "document is", "documents are") + " gone: they are kept for 7 " +
				"days, and deleted before where a person was erased or a feed has too many."
		}
	}
	for _, d := range documents {
		if !p.All && len(p.Documents) == documentsShown {
			p.More, p.Cut = len(documents)-documentsShown, true
			break
		}
		row := feedDocumentRow{Place: d.Place, Name: d.Name, Size: shell.SizeWords(d.Size), Type: d.ContentType}
		if row.Name == "" {
			row.Name = fmt.Sprint("Document ", d.Place+1)
		}
		p.Documents = append(p.Documents, row)
	}
}

// Gone reports how long documents are kept, for the hint beside them.
func (p feedRunPage) Until() time.Time { return p.Run.At.Add(7 * 24 * time.Hour) }
