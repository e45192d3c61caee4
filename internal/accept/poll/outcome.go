package poll

import (
	"cmp"
	"fmt"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// arrivals are what has become of each document that is to be put away. Those with one
// key, as the attachments of a mail have, are put away together: as failed only if nothing
// of them was stored.
func (r *feedRun) arrivals(run gangway.FeedRun) (list []store.FeedArrival) {
	if !settles(r.puller) {
		return nil
	}
	for begin := 0; begin < len(r.documents); {
		end := begin + 1
		for end < len(r.documents) && r.documents[end].key == r.documents[begin].key {
			end++
		}
		together := r.documents[begin:end]
		a := store.FeedArrival{Key: together[0].key, Failed: true}
		for _, d := range together {
			a.Failed = a.Failed && d.wrong != nil
			report := ""
			if d.wrong != nil {
				report = d.wrong.Error() + "\n"
			} else {
				report = reportOf(d.refusals.of(run.Refusals), "") +
					reportOf(d.warnings.of(run.Warnings), " It was left out; the rest of the record was stored.")
			}
			if report != "" && len(together) > 1 {
				report = d.name + ":\n" + report
			}
			a.Report += report
		}
		a.Answer = answerTo(together[0].from, a.Failed, run, a.Report)
		list = append(list, a)
		begin = end
	}
	return list
}

// failuresKept is how many documents of which nothing was stored a run names.
const failuresKept = 100

// tellFailures writes into the run of which documents nothing is stored.
func (r *feedRun) tellFailures(run *gangway.FeedRun) {
	for place, d := range r.documents {
		if d.wrong == nil {
			continue
		}
		if run.FailedDocuments++; len(run.Failures) < failuresKept {
			run.Failures = append(run.Failures, gangway.DocumentFailure{Document: d.called(place),
				Message: d.wrong.Error()})
		}
	}
}

// called is what the document is called for people, which is the one at a place among the run's.
func (d *document) called(place int) string {
	switch {
	case d.name != "":
		return d.name
	case d.from != "":
		return "mail from " + d.from
	}
	return fmt.Sprint("document ", place+1)
}

// reportOf tells whoever sent a document what was wrong in it, and what became of that in a record, a line each.
func reportOf(wrong []gangway.FeedRemark, became string) string {
	var b strings.Builder
	for _, r := range wrong {
		place := cmp.Or(r.At, fmt.Sprint("record ", r.Record))
		field := r.Field
		if r.SourceField != "" && r.SourceField != r.Field {
			field = r.SourceField + " (" + r.Field + ")"
		}
		if field != "" {
			place += ": " + field
		}
		fmt.Fprintf(&b, "%s: %s", place, r.Message)
		if r.Value != "" {
			fmt.Fprintf(&b, " It is %q.", r.Value)
		}
		if !r.Whole {
			b.WriteString(became)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// answerTo is what the sender of a mail is told.
func answerTo(from string, failed bool, run gangway.FeedRun, report string) string {
	if from == "" {
		return ""
	}
	var b strings.Builder
	switch {
	case failed:
		fmt.Fprintf(&b, "Nothing of your mail was stored: %s\n", report)
	default:
		stored := run.Received - run.Refused
		fmt.Fprintf(&b, "Your mail was read: %d of %d records were stored.\n", stored, run.Received)
		if report != "" {
			fmt.Fprintf(&b, "\nThis was wrong in it:\n\n%s", report)
		}
	}
	return b.String()
}
