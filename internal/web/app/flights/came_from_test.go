package flights

import (
	"testing"
	"time"

	"gangway/internal/gangway"
)

func TestCameFrom(t *testing.T) {
	at := time.Date(2026, 11, 22, 23, 30, 0, 0, time.UTC)
	for want, from := range map[string]gangway.Origin{
		"Uploaded by your crew planning system":                          {Source: gangway.Uploaded},
		"Uploaded by your crew planning system, last on Sun 22 Nov 2026": {Source: gangway.Uploaded, SeenAt: at},
		"From the feed “crew”, last on Sun 22 Nov 2026": {
			Source: gangway.FeedSource("crew"), SeenAt: at},
	} {
		if got := CameFrom(from); got != want {
			t.Errorf("CameFrom(%+v) = %q; want %q", from, got, want)
		}
	}
}
