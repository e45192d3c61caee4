package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
)

// crewIn is a feed that reads the files in a folder.
func crewIn(folder string) string {
	return fmt.Sprintf(`{"name": "crew", "flow": "travellers", "transport": {"kind": "folder", "path": %q}}`, folder)
}

// TestServeFetchesFeeds holds that a running server fetches what is due, a feed that was just set at once, and asks
// nobody about those that are asked.
func TestServeFetchesFeeds(t *testing.T) {
	onEither(t, func(t *testing.T, database string) {
		v := newCustomerOf(t, database)
		p, _, _ := serve(t, database)
		folder := t.TempDir()
		dropFile(t, filepath.Join(folder, "crew.csv"), "id,last_name,first_name\n7,Reyes,Ana\n")
		v.setFeed(crewIn(folder))
		eventually(t, "the file is put away", func() bool {
			_, err := os.Stat(filepath.Join(folder, "done", "crew.csv"))
			return err == nil
		})
		found := answer[[]map[string]any](t, v.of(nil, "traveller", "find", "reyes")...)
		if len(found) != 1 || found[0]["source"] != "feed:crew" || found[0]["first_name"] != "Ana" {
			t.Errorf("travellers: %v; want whom the file has", found)
		}
		p.stop()
	})
}

// TestFeedRunWaits holds that a feed that somebody else fetches is waited for: a server begins as soon as it is set.
func TestFeedRunWaits(t *testing.T) {
	onEither(t, func(t *testing.T, database string) {
		v, in := newFiler(t, database)
		v.setFeed(crewIn(t.TempDir()))
		l := sure(in.TakeFeed(t.Context(), "crew", time.Now(), time.Now().Add(time.Hour)))(t)
		p, _ := start(t, "is being fetched; waiting", v.of(nil, "feed", "run", "crew")...)
		must(t, in.HoldFeed(t.Context(), l, time.Time{}))
		<-p.gone
		if code := p.cmd.ProcessState.ExitCode(); code != 0 || !strings.Contains(p.said.String(), "brought 0 records") {
			t.Errorf("feed run ended with %d: %s; want it done", code, p.said)
		}
	})
}

// TestFeedHelp holds that "gangway help feed" lists every kind of transport, each with all its settings and an example
// that it takes.
func TestFeedHelp(t *testing.T) {
	out := sure(gangwayCommand(t, "help", "feed").Output())(t)
	help := string(out)
	for _, k := range kinds.All {
		_, about, ok := strings.Cut(help, `transport.kind "`+k.Name+`": `)
		if !ok {
			t.Errorf("help feed says nothing of %s", k.Name)
			continue
		}
		about, _, _ = strings.Cut(about, "\ntransport.kind ")
		for _, s := range k.Settings {
			if !strings.Contains(about, "\n    "+s.Name+" (") {
				t.Errorf("help feed says nothing of %s of %s", s.Name, k.Name)
			}
		}
		if _, err := k.Open(json.RawMessage(k.Example), transport.Options{}); err != nil {
			t.Errorf("the example of %s: %v", k.Name, err)
		}
	}
}
