package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"gangway/internal/accept"
	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

type feedRun struct {
	Name string `arg:"" help:"The feed's name."`
	feedFlags
	askFlags
	Document     string `placeholder:"FILE" help:"Give the feed this document instead of fetching one; - reads it from standard input. A feed of kind upload gets all its documents so."`
	AcceptShrink bool   `help:"Believe a list that lacks many records of the last one, this once."`
}

func (c *feedRun) check() error {
	if c.Document != "" && c.askFlags != (askFlags{}) {
		return wrongUsage("a document that is given is not asked for anything: leave out --surname, --from, --to and " +
			"--date")
	}
	return c.askFlags.check()
}

// A feedAnswer is the answer of feed run.
type feedAnswer struct {
	Received    int                       `json:"received"`
	Created     int                       `json:"created"`
	Updated     int                       `json:"updated"`
	Unchanged   int                       `json:"unchanged"`
	Removed     int                       `json:"removed"`
	Refused     []gangway.FeedRemark      `json:"refused"`
	Warnings    []gangway.FeedRemark      `json:"warnings"`
	Failed      []gangway.DocumentFailure `json:"documents_failed,omitempty"` // nothing of them was stored
	Truncated   bool                      `json:"truncated,omitzero"`         // there was more to say than is listed
	NotModified bool                      `json:"not_modified,omitzero"`      // the customer's system has said so
	Members     int                       `json:"refused_members,omitzero"`
	PassedOver  int                       `json:"passed_over,omitzero"` // not among what was asked for; not received either
	Error       string                    `json:"error,omitzero"`       // why it was given up
	Took        int64                     `json:"took_ms"`
}

// Run fetches the feed and says what became of what it brought.
func (c *feedRun) Run(t *terminal) error {
	poller, in, _, err := c.poller(t)
	if err != nil {
		return err
	}
	f, err := in.Feed(t.ctx, c.Name)
	if err != nil {
		return err
	}
	ask, err := c.of(f.Flow)
	if err != nil {
		return err
	}
	about := map[string]any{"feed": c.Name}
	if c.AcceptShrink {
		about["accept_shrink"] = true
	}
	if err := in.Record(t.ctx, t.actor(), gangway.FeedFetched, about, t.now()); err != nil {
		return err
	}
	var run gangway.FeedRun
	if c.Document != "" {
		run, err = c.give(t, poller, in)
	} else {
		err = whenFree(t, c.Name, func() (err error) {
			run, err = poller.Fetch(t.ctx, in, c.Name, poll.Ask{Ask: ask, Shrunk: c.AcceptShrink})
			return err
		})
	}
	if err != nil {
		return interrupted(t.ctx, err)
	}
	if !run.Failed() || len(run.Refusals)+len(run.Warnings) > 0 {
		if err := c.print(t, asked(f.Feed), run); err != nil {
			return err
		}
	}
	if run.Failed() {
		return gangway.Errorf(gangway.Unavailable, "feed %s: %s", c.Name, errorWords(run))
	}
	return nil
}

// print says how a run went; of one that was given up, what was wrong with records.
func (c *feedRun) print(t *terminal, asked bool, run gangway.FeedRun) error {
	if c.JSON {
		return printJSON(t.out, feedAnswer{
			Received: run.Received, Created: run.Created, Updated: run.Updated, Unchanged: run.Unchanged,
			Removed: run.Removed, Refused: listOf(run.Refusals), Warnings: listOf(run.Warnings),
			Failed:      run.Failures,
			Truncated:   isCut(run.Refusals) || isCut(run.Warnings) || len(run.Failures) < run.FailedDocuments,
			NotModified: run.NotModified, Members: run.RefusedMembers, PassedOver: run.Passed, Error: run.Error,
			Took: run.Took.Milliseconds(),
		})
	}
	left := "Stored without"
	switch {
	case run.Failed():
		left = "Left out"
	case run.NotModified:
		fmt.Fprintf(t.out, "Feed %s: nothing has changed since the last run.\n", c.Name)
		return nil
	case asked:
		fmt.Fprintf(t.out, "Feed %s answered with %s Nothing was stored.\n", c.Name,
			wouldBring(run.Received, run.Refused, run.RefusedMembers, run.Passed))
	default:
		fmt.Fprintf(t.out, "Feed %s brought %s: %d created, %d updated, %d unchanged, %d refused; %d removed.%s\n",
			c.Name, countOf(run.Received, "record"), run.Created, run.Updated, run.Unchanged, run.Refused, run.Removed,
			besides(run.RefusedMembers, run.Passed))
	}
	printFailures(t.out, run)
	printRemarks(t.out, "Refused", run.Refusals)
	printRemarks(t.out, left, run.Warnings)
	return nil
}

// wouldBring says what a feed has of which nothing is stored.
func wouldBring(received, refused, members, passed int) string {
	return fmt.Sprintf("%s, of which %d would be refused.%s", countOf(received, "record"), refused,
		besides(members, passed))
}

// besides says what counts of records leave out.
func besides(members, passed int) (words string) {
	if members > 0 {
		words = fmt.Sprintf(" Besides, %s refused.", isOrAre(members, "crew member"))
	}
	if passed > 0 {
		words += fmt.Sprintf(" %s passed over: not what was asked for.", isOrAre(passed, "more record"))
	}
	return words
}

// isOrAre counts things of which something is said.
func isOrAre(n int, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return countOf(n, what) + " are"
}

// give gives the feed the document, and returns its run, which a server that runs may make.
func (c *feedRun) give(t *terminal, poller *poll.Poller, in store.Scoped) (gangway.FeedRun, error) {
	d, done, err := openDocument("--document", c.Document, t.in)
	if err != nil {
		return gangway.FeedRun{}, err
	}
	defer done()
	d.By, d.Shrunk = t.actor(), c.AcceptShrink
	id, err := poller.Give(t.ctx, in, c.Name, d)
	if err != nil {
		return gangway.FeedRun{}, err
	}
	return poller.Finish(t.ctx, in, c.Name, id)
}

// listOf is a list that is written as [] where it is empty.
func listOf[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// isCut reports whether a list of remarks is as long as one may be.
func isCut(list []gangway.FeedRemark) bool { return len(list) >= accept.MaxRemarks }

// remarksPrinted is how many remarks are printed for reading; programs get all that are kept.
const remarksPrinted = 20

func printRemarks(w io.Writer, what string, list []gangway.FeedRemark) {
	for i, r := range list {
		if i == remarksPrinted {
			fmt.Fprintf(w, "%s: … and more: --json lists them\n", what)
			return
		}
		about := what
		if isDoubt(r) {
			about = "Look at"
		}
		fmt.Fprintf(w, "%s: %s\n", about, remarkWords(r))
	}
}

// isDoubt reports whether a remark is about how the document was read, and nothing is left out for it.
func isDoubt(r gangway.FeedRemark) bool { return r.Whole && r.SourceField == "" }

// printFailures prints of which documents nothing was stored.
func printFailures(w io.Writer, run gangway.FeedRun) {
	for i, f := range run.Failures {
		if i == remarksPrinted {
			break
		}
		fmt.Fprintf(w, "Failed: %s\n", printable(f.Document+": "+f.Message))
	}
	if n := run.FailedDocuments - min(len(run.Failures), remarksPrinted); n > 0 {
		fmt.Fprintf(w, "Failed: … and %s more\n", countOf(n, "document"))
	}
}

// errorWords says why a run was given up, and how a list that was not believed is accepted all the same.
func errorWords(run gangway.FeedRun) string {
	switch {
	case run.Shrank() && run.ByHand():
		return run.Error + ". If that is right, give it again and say that it may lack many records (--accept-shrink)"
	case run.Shrank():
		return run.Error + ". If that is right, run it once with --accept-shrink"
	}
	return run.Error
}

// remarkWords is a remark as a line: where it is, in their words and in ours, what is there, and what is wrong.
func remarkWords(r gangway.FeedRemark) string {
	parts := []string{fmt.Sprint("record ", r.Record)}
	switch {
	case isDoubt(r):
		parts[0] = cmp.Or(r.At, "the whole document")
	case r.At != "":
		parts[0] += ", " + r.At
	}
	switch {
	case r.SourceField != "" && r.SourceField != r.Field:
		parts = append(parts, fmt.Sprintf("%s (%s)", r.SourceField, r.Field))
	case r.Field != "":
		parts = append(parts, r.Field)
	}
	if r.Value != "" {
		parts = append(parts, fmt.Sprintf("%q", r.Value))
	}
	return printable(strings.Join(append(parts, r.Message), ": "))
}
