package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestFeedRunSaysWhatFailed holds that feed run names each file of which nothing was stored, and says how a list that
// is much shorter than the last one is accepted.
func TestFeedRunSaysWhatFailed(t *testing.T) {
	onEither(t, func(t *testing.T, database string) {
		v := newCustomerOf(t, database)
		folder := t.TempDir()
		leave := func(name, text string) { dropFile(t, filepath.Join(folder, name), text) }
		v.setFeed(strings.Replace(crewIn(folder), "{", `{"complete": true, `, 1))
		runs := func() string {
			out, _ := gangwayCommand(t, v.of(nil, "feed", "run", "crew")...).CombinedOutput()
			return string(out)
		}
		people := "id,last_name,first_name\n"
		for i := range 12 {
			people += fmt.Sprintf("%d,Reyes,Ana\n", i)
		}
		leave("a.csv", people)
		leave("b.json", "[{")
		if said := runs(); !strings.Contains(said, "12 created") ||
			!strings.Contains(said, "Failed: b.json: after record 12: it ends too early") {
			t.Errorf("feed run said %s; want the file that failed, and why", said)
		}
		leave("c.json", "[{")
		leave("d.csv", people)
		told := answer[feedAnswer](t, v.of(nil, "feed", "run", "crew")...)
		if len(told.Failed) != 1 || told.Failed[0].Document != "c.json" || told.Failed[0].Message == "" ||
			told.Truncated {
			t.Errorf("feed run --json: %+v; want the file that failed", told)
		}
		leave("e.csv", people)
		runs() // all of it is right, so that it is what the next one is compared with
		leave("f.csv", "id,last_name,first_name\n1,Reyes,Ana\n")
		const want = "brought 1 of the 12 records that it had: nothing was changed. If that is right, " +
			"run it once with --accept-shrink"
		if said := runs(); !strings.Contains(said, want) {
			t.Errorf("feed run said %s; want how the list is accepted", said)
		}
		last := answer[struct {
			State struct {
				LastRun pastRun `json:"last_run"`
			} `json:"state"`
		}](t, v.of(nil, "feed", "show", "crew")...).State.LastRun
		if !strings.HasSuffix(last.Error, "--accept-shrink") {
			t.Errorf("feed show: %+v; want the same", last)
		}
	})
}
