package main

import (
	"fmt"
	"strings"
	"time"

	"gangway/internal/store"
)

// A runNow is the run of a feed that has not ended.
type runNow struct {
	Since   time.Time `json:"since"`
	Waits   bool      `json:"waiting,omitzero"`    // nobody works on it: it begins, or goes on, with the feed's next turn
	By      string    `json:"by,omitzero"`         // which process works on it
	GivenBy string    `json:"given_by,omitzero"`   // by hand; left out: it is fetched
	Read    int64     `json:"read_bytes,omitzero"` // of its documents
	Size    int64     `json:"size_bytes,omitzero"` // of all that was fetched so far; of a document that was given, all
	Records int       `json:"records,omitzero"`    // that were read
	Storing bool      `json:"storing,omitzero"`    // all was read
	Stored  int       `json:"stored,omitzero"`     // records
}

// runNowOf returns the run of a feed that is under way; nil if there is none.
func runNowOf(t *terminal, in store.Scoped, f store.StoredFeed) (*runNow, error) {
	run, err := in.FeedRunUnderWay(t.ctx, f.Name)
	if err != nil || run.ID == 0 {
		return nil, err
	}
	of := run.Progress
	now := &runNow{Since: run.At, Waits: !f.Busy(t.now()), GivenBy: givenWords(run.FeedRun), Read: of.Read,
		Size: of.Size, Records: of.Records, Storing: of.Storing, Stored: of.Stored}
	if !now.Waits {
		now.By = f.Holder
	}
	return now, nil
}

// words say what is done now, since when, where, and how far that is.
func (n *runNow) words() string {
	what := "being fetched"
	if n.GivenBy != "" {
		what = "reading what " + n.GivenBy + " gave"
	}
	since := n.Since.UTC().Format("2006-01-02 15:04:05 UTC")
	if n.Waits {
		return printable(what + ": waiting since " + since)
	}
	what += " since " + since
	if n.By != "" {
		what += " by " + n.By
	}
	return printable(what + n.far())
}

// far says how far the run is; empty: nothing was fetched yet, or it has just begun.
func (n *runNow) far() string {
	switch {
	case n.Storing:
		return fmt.Sprintf(": %d of %s stored", n.Stored, countOf(n.Records, "record"))
	case n.Size > 0:
		return fmt.Sprintf(": %s read, %d of %d bytes", countOf(n.Records, "record"), n.Read, n.Size)
	}
	return ""
}

// printTableCut prints rows in columns, with lines of so many letters at most; 0: of any length.
func printTableCut(t *terminal, rows [][]any, width int) error {
	var text strings.Builder
	whole := *t
	whole.out = &text
	if err := printTable(&whole, rows); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		line = strings.TrimRight(line, " \n")
		if letters := []rune(line); width > 0 && len(letters) > width {
			line = string(letters[:width-1]) + "…"
		}
		if _, err := fmt.Fprintln(t.out, line); err != nil {
			return err
		}
	}
	return nil
}
