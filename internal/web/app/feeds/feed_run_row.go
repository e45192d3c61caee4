package feeds

import (
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// A feedRunRow is a run in a feed's history.
type feedRunRow struct {
	gangway.FeedRun
	Asked       string // what it was asked for; empty: for everything
	Sign, State string // the badge
	Why         string // the sentence of a run that failed, or of which admins were told
	Counts      bool   // it brought something to count
}

func newFeedRunRow(run gangway.FeedRun) feedRunRow {
	row := feedRunRow{FeedRun: run, Asked: askedWords(run.Ask), Sign: "good", State: "stored", Counts: !run.NotModified}
	switch {
	case run.Failed():
		row.Sign, row.State, row.Why = "act", "failed", run.Error
		row.Counts = run.Received > 0
		row.Unchanged = 0
	case run.NotModified:
		row.Sign, row.State = "info", "nothing had changed"
	case run.FailedDocuments > 0 && run.Received == 0:
		row.Sign, row.State = "act", failedWords(run)
	case run.FailedDocuments > 0 && run.Refused > 0:
		row.Sign, row.State = "watch", "stored, some refused, "+failedWords(run)
	case run.FailedDocuments > 0:
		row.Sign, row.State = "watch", "stored, "+failedWords(run)
	case run.AllRefused():
		row.Sign, row.State = "act", "nothing stored, all refused"
	case run.Refused > 0:
		row.Sign, row.State = "watch", "stored, some refused"
	}
	if n := run.Notice; !run.Failed() && n.Text != "" && !n.At.Before(run.At) { // it was told because of this run
		row.Sign, row.Why = "watch", shell.Capital(n.Text)+"."
	}
	return row
}

// askedWords says what a run asked for.
func askedWords(ask gangway.Ask) string {
	switch {
	case ask.Surname != "":
		return "surnames that begin with " + ask.Surname
	case ask.Date != "":
		return shell.DateInWords(ask.Date)
	case ask.From != "" && ask.From == ask.To:
		return shell.DateInWords(ask.From)
	case ask.From != "":
		return shell.DateInWords(ask.From) + " to " + shell.DateInWords(ask.To)
	}
	return ""
}
