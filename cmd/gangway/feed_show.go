package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport/kinds"
	"gangway/internal/wire"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

type feedList struct {
	feedFlags
}

// A feedState says how a feed is doing. It stands beside what the feed is, and feed set passes it over.
type feedState struct {
	Version int64     `json:"version"`
	Due     time.Time `json:"due,omitzero"`
	Records int       `json:"records,omitzero"` // that its last good run brought, where a run brings all there is
	GoodAt  time.Time `json:"last_good,omitzero"`
	Failing time.Time `json:"failing_since,omitzero"`
	LastRun *pastRun  `json:"last_run,omitzero"`
	Now     *runNow   `json:"run_under_way,omitzero"`
}

// A pastRun is what a feed's history tells of a run, without its remarks.
type pastRun struct {
	At          time.Time `json:"at"`
	Received    int       `json:"received"`
	Created     int       `json:"created"`
	Updated     int       `json:"updated"`
	Unchanged   int       `json:"unchanged"`
	Removed     int       `json:"removed"`
	Refused     int       `json:"refused"`
	Warned      int       `json:"warned"`
	Failed      int       `json:"documents_failed,omitzero"` // nothing of them was stored
	NotModified bool      `json:"not_modified,omitzero"`
	GivenBy     string    `json:"given_by,omitzero"` // by hand; left out: it was fetched
	Error       string    `json:"error,omitzero"`
	Took        int64     `json:"took_ms"`
}

func stateOf(t *terminal, in store.Scoped, f store.StoredFeed) (feedState, error) {
	state := feedState{Version: f.Version, Due: f.Due, Records: f.Size, GoodAt: f.GoodAt, Failing: f.Failing}
	runs, err := in.FeedRuns(t.ctx, f.Name, 0, 1)
	if err != nil {
		return state, err
	}
	if len(runs) > 0 {
		last := pastRunOf(runs[0])
		state.LastRun = &last
	}
	state.Now, err = runNowOf(t, in, f)
	return state, err
}

func pastRunOf(r gangway.FeedRun) pastRun {
	return pastRun{At: r.At, Received: r.Received, Created: r.Created, Updated: r.Updated, Unchanged: r.Unchanged,
		Removed: r.Removed, Refused: r.Refused, Warned: r.Warned, NotModified: r.NotModified, Error: errorWords(r),
		Failed: r.FailedDocuments, GivenBy: givenWords(r), Took: r.Took.Milliseconds()}
}

// givenWords says who gave the document of a run by hand.
func givenWords(r gangway.FeedRun) string {
	if !r.ByHand() {
		return ""
	}
	return r.GivenBy.Who()
}

// Run lists the account's feeds, without their secrets.
func (c *feedList) Run(t *terminal) error {
	in, _, err := c.scoped(t)
	if err != nil {
		return err
	}
	feeds, err := in.Feeds(t.ctx)
	if err != nil {
		return err
	}
	list, rows := []jsontext.Value{}, [][]any{{"FEED", "FLOW", "TRANSPORT", "FETCHED", "LAST GOOD RUN", "STATE"}}
	for _, f := range feeds {
		state, err := stateOf(t, in, f)
		if err != nil {
			return err
		}
		list = append(list, wire.Feed(f.Feed, state))
		rows = append(rows, []any{f.Name, f.Flow, f.Transport.Kind, whenWords(f.Feed), agoWords(f.GoodAt),
			stateWords(f, state)})
	}
	if c.JSON {
		return printJSON(t.out, list)
	}
	return printTableCut(t, rows, terminalWidth(t.out))
}

// stateWords says in a line how a feed is doing.
func stateWords(f store.StoredFeed, state feedState) string {
	kind, err := kinds.Find(f.Transport.Kind)
	known := gangway.FeedFacts{Failing: f.Failing, Good: f.GoodAt, Asked: err == nil && f.Asked(kind.Live)}
	if state.LastRun != nil {
		known.Last.Error = state.LastRun.Error
	}
	words := conditionWords(gangway.ConditionOfFeed(f.Feed, known))
	if state.Now != nil {
		words = state.Now.words() + "; " + words
	}
	return words
}

type feedShow struct {
	Name string `arg:"" help:"The feed's name."`
	feedFlags
}

// shownRuns is how many of its runs a feed is shown with.
const shownRuns = 10

// Run shows the feed as feed set takes it, without its secrets, and how it is doing.
func (c *feedShow) Run(t *terminal) error {
	in, _, err := c.scoped(t)
	if err != nil {
		return err
	}
	f, err := in.FeedToChange(t.ctx, c.Name) // its secrets are not shown
	if err != nil {
		return err
	}
	state, err := stateOf(t, in, f)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(t.out, wire.Feed(f.Feed, state))
	}
	runs, err := in.FeedRuns(t.ctx, c.Name, 0, shownRuns)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	describeFeed(&text, f, state)
	if len(runs) > 0 {
		fmt.Fprintln(&text)
	}
	rows := [][]any{{"RUN", "TOOK", "RECEIVED", "CREATED", "UPDATED", "REMOVED", "REFUSED", "WARNED", "OUTCOME"}}
	for _, r := range runs {
		rows = append(rows, []any{r.At.UTC().Format("2006-01-02 15:04:05 UTC"), r.Took.Round(time.Millisecond),
			r.Received, r.Created, r.Updated, r.Removed, r.Refused, r.Warned, outcomeWords(r)})
	}
	if _, err := t.out.Write(text.Bytes()); err != nil || len(runs) == 0 {
		return err
	}
	return printTableCut(t, rows, 0)
}

// outcomeWords says how a run ended.
func outcomeWords(r gangway.FeedRun) string {
	switch {
	case r.Failed():
		return "failed: " + printable(r.Error)
	case r.NotModified:
		return "not modified"
	case r.FailedDocuments > 0:
		return "done, " + countOf(r.FailedDocuments, "document") + " failed"
	case r.ByHand():
		return "done, given by " + printable(r.GivenBy.Who())
	}
	return "done"
}

// describeFeed writes a feed for reading.
func describeFeed(w io.Writer, f store.StoredFeed, state feedState) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer table.Flush()
	line := func(what string, value any) { fmt.Fprintf(table, "%s\t%v\n", what, value) }
	line("feed", f.Name)
	line("flow", f.Flow)
	line("fetched", whenWords(f.Feed))
	line("transport", f.Transport.Kind)
	for _, s := range shownSettings(f.Transport) {
		line("  "+s[0], s[1])
	}
	line("format", string(wire.DocumentFormat(f.Format)))
	line("mapping", cmp.Or(strings.ReplaceAll(strings.TrimSpace(f.Mapping), "\n", "\n\t"),
		"our own shapes and common spellings"))
	if f.Complete != nil {
		line("complete", *f.Complete)
	}
	line("version", f.Version)
	if !f.Due.IsZero() {
		line("next run", agoWords(f.Due))
	}
	line("last good run", agoWords(f.GoodAt))
	if !f.Failing.IsZero() {
		line("failing since", agoWords(f.Failing))
	}
	if state.Now != nil {
		line("now", state.Now.words())
	}
}

// shownSettings returns the settings of a transport for reading: what is kept but not shown says so.
func shownSettings(t gangway.Transport) (list [][2]string) {
	var settings map[string]any
	if err := json.Unmarshal(t.Settings, &settings); err != nil {
		return nil
	}
	sayKept(settings)
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		value, err := json.Marshal(settings[name], json.Deterministic(true))
		if err != nil {
			continue
		}
		list = append(list, [2]string{name, string(value)})
	}
	return list
}

// sayKept puts words in the place of what is kept but not shown.
func sayKept(settings map[string]any) {
	for name, value := range settings {
		switch value := value.(type) {
		case nil:
			settings[name] = "(kept, not shown)"
		case map[string]any:
			sayKept(value)
		}
	}
}
