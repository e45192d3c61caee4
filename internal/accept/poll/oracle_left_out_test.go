//go:build !oracle

package poll_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// TestFeedOfAnotherBuild checks that a feed which needs Oracle's driver says so in the log when the server starts, in
// its runs, and to everybody who asks it, if the program was built without the driver.
func TestFeedOfAnotherBuild(t *testing.T) {
	const wants = "url names an Oracle database, which this program cannot read: ask your Gangway operator for a " +
		"program built with \"make build-oracle\""
	d := newDesk(t, storetest.New(t))
	var log bytes.Buffer
	d.poller = d.logged(&log)
	for _, flow := range []gangway.Flow{gangway.TravellersFlow, gangway.TravellerLookupFlow} {
		d.set(flow, "", func(f *gangway.Feed) {
			f.Transport = gangway.Transport{Kind: "database",
				Settings: []byte(`{"url": "oracle://u@crew.example/crew", "query": "SELECT 1 AS id FROM dual"}`)}
		})
		d.later(time.Hour)
		must(t, d.poller.SayLacks(t.Context()))
		if text := log.String(); !strings.Contains(text, "make build-oracle") {
			t.Errorf("%s: the log says %q; want the program that is needed", flow, text)
		}
		if got := d.said(&log); len(got) != 1 || got[0] != "a feed cannot be fetched" {
			t.Errorf("%s: the log says %q; want that the feed cannot be fetched", flow, got)
		}
		if said := d.says(flow); said != wants {
			t.Errorf("%s: it says %q; want %q", flow, said, wants)
		}
		log.Reset()
	}
}
