package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"gangway/internal/accept/mapping"
	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/wire"

	"github.com/go-json-experiment/json/jsontext"
)

type feedTest struct {
	Name string `arg:"" optional:"" help:"A feed that is set. Without it, --file."`
	feedFlags
	askFlags
	File   string `placeholder:"FEED.json" help:"The feed to test, as feed set takes it; - reads it from standard input. Secrets that it leaves out are those of the feed of its name."`
	Sample string `placeholder:"FILE" help:"A document to read instead of fetching one; - reads it from standard input."`

	Propose bool `help:"Also propose a mapping from the first document, and try that one in place of the feed's."`
}

func (c *feedTest) check() error {
	switch {
	case (c.Name == "") == (c.File == ""):
		return wrongUsage("name a feed that is set, or give one by --file")
	case c.File == "-" && c.Sample == "-":
		return wrongUsage("only one of --file and --sample can be standard input")
	}
	return c.askFlags.check()
}

// A trialAnswer is the answer of feed test.
type trialAnswer struct {
	Received  int                  `json:"received"`
	Records   []jsontext.Value     `json:"records"` // the first of them
	Refused   []gangway.FeedRemark `json:"refused"`
	Warnings  []gangway.FeedRemark `json:"warnings"`
	Truncated bool                 `json:"truncated,omitzero"`
	Members   int                  `json:"refused_members,omitzero"`
	Passed    int                  `json:"passed_over,omitzero"` // not among what was asked for; not received either
	Documents []trialDocument      `json:"documents"`
	Unfilled  []string             `json:"unfilled"` // fields of ours that no record had
	Unread    []string             `json:"unread"`   // names of theirs that are no field of ours; the first 100

	*proposed // nil: none was asked for
}

// proposed is a mapping that was proposed.
type proposed struct {
	Mapping string   `json:"mapping"` // empty: none is needed
	Unsure  []unsure `json:"unsure"`
}

type unsure struct {
	Field       string `json:"field,omitzero"`
	SourceField string `json:"source_field,omitzero"`
	Message     string `json:"message"`
}

func proposedOf(p *mapping.Proposal) *proposed {
	if p == nil {
		return nil
	}
	made := &proposed{p.Program, []unsure{}}
	for _, u := range p.Unsure {
		made.Unsure = append(made.Unsure, unsure{u.Field, u.Source, u.Why})
	}
	return made
}

// A trialDocument is a document that was read, and its format as it was found.
type trialDocument struct {
	Name   string         `json:"name,omitzero"`
	Format jsontext.Value `json:"format"`
}

// Run says what the feed would bring.
func (c *feedTest) Run(t *terminal) error {
	var given gangway.Feed
	if c.File != "" {
		var err error
		if given, err = readFeed(c.File, t.in); err != nil {
			return err
		}
	}
	var sample *poll.Sample
	if c.Sample != "" {
		opened, done, err := openSample(c.Sample, t.in)
		if err != nil {
			return err
		}
		defer done()
		sample = opened
	}
	poller, in, _, err := c.poller(t)
	if err != nil {
		return err
	}
	f, err := c.feed(t, poller, in, given)
	if err != nil {
		return err
	}
	ask, err := c.of(f.Flow)
	if err != nil {
		return err
	}
	trial, err := poller.TryWith(t.ctx, in, poll.Trying{Feed: f, Sample: sample, Ask: ask, Propose: c.Propose})
	if err != nil {
		return err
	}
	if trial.Error != "" {
		return gangway.Errorf(gangway.Unavailable, "feed %s: %s", f.Name, trial.Error)
	}
	return c.answer(t, f.Name, trial)
}

// feed returns the feed to test: the one given, or the one that is set.
func (c *feedTest) feed(t *terminal, poller *poll.Poller, in store.Scoped, given gangway.Feed) (gangway.Feed, error) {
	if c.File != "" {
		return poller.Completed(t.ctx, in, given)
	}
	stored, err := in.Feed(t.ctx, c.Name)
	return stored.Feed, err
}

func (c *feedTest) answer(t *terminal, name string, trial poll.Trial) error {
	report := trial.Report
	if c.JSON {
		answer := trialAnswer{Received: report.Received, Records: listOf(trial.Records),
			Refused: listOf(report.Problems.List), Warnings: listOf(report.Warnings.List),
			Truncated: report.Problems.Truncated || report.Warnings.Truncated, Members: report.Members,
			Passed: report.Passed, Documents: []trialDocument{}, Unfilled: listOf(trial.Unfilled),
			Unread: listOf(trial.Unread), proposed: proposedOf(trial.Proposal)}
		for _, d := range trial.Documents {
			answer.Documents = append(answer.Documents, trialDocument{d.Name, wire.DocumentFormat(d.Format)})
		}
		return printJSON(t.out, answer)
	}
	fmt.Fprintf(t.out, "Feed %s would bring %s Nothing was stored.\n", name,
		wouldBring(report.Received, report.Refused, report.Members, report.Passed))
	for _, d := range trial.Documents {
		fmt.Fprintf(t.out, "Read %s as %s\n", cmp.Or(printable(d.Name), "a document"), wire.DocumentFormat(d.Format))
	}
	c.printProposal(t, trial.Proposal)
	for _, record := range trial.Records {
		fmt.Fprintf(t.out, "%s\n", record)
	}
	printRemarks(t.out, "Refused", report.Problems.List)
	printRemarks(t.out, "Stored without", report.Warnings.List)
	printNames(t.out, "No record had", trial.Unfilled)
	printNames(t.out, "Read as no field", trial.Unread)
	return nil
}

// printNames prints names in one line, where there are any.
func printNames(w io.Writer, what string, names []string) {
	if len(names) > 0 {
		fmt.Fprintf(w, "%s: %s\n", what, printable(strings.Join(names, ", ")))
	}
}

// printProposal prints a mapping and what should be looked at in it.
func (c *feedTest) printProposal(t *terminal, p *mapping.Proposal) {
	switch {
	case p == nil:
		return
	case p.Program == "":
		fmt.Fprintln(t.out, "No mapping is needed: the names are understood as they are.")
	default:
		fmt.Fprintf(t.out, "Proposed mapping:\n%s\n", p.Program)
	}
	for _, u := range p.Unsure {
		about := u.Field
		if u.Source != "" {
			about = strings.TrimPrefix(about+", of "+u.Source, ", ")
		}
		fmt.Fprintf(t.out, "Unsure: %s\n", printable(strings.TrimPrefix(about+": "+u.Why, ": ")))
	}
}
