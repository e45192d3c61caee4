package flights_test

import (
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/flights"
)

// TestCrewNews holds what is said of what last changed a crew change.
func TestCrewNews(t *testing.T) {
	at := time.Date(2026, 11, 28, 2, 13, 0, 0, time.UTC)
	was := gangway.PortCall{Airport: "AMS", Date: "2026-12-02"}
	came := make([]gangway.NewMember, 5)
	change := func(n *gangway.UploadNews, m *gangway.ShipMove) gangway.CrewChange {
		return gangway.CrewChange{ChangeAirport: "BRU", ChangeDate: "2026-12-05", News: n, Moved: m}
	}
	hand := &gangway.ShipMove{Date: "2026-12-06", Sent: gangway.PortCall{Airport: "BRU", Date: "2026-12-05"},
		By: "mara", At: at.Add(time.Hour)}
	for _, tt := range []struct {
		c    gangway.CrewChange
		now  time.Time
		want string
	}{
		{change(nil, nil), at, ""},
		{change(&gangway.UploadNews{At: at, Source: gangway.Uploaded, From: was, Removed: 10, Came: came}, nil), at,
			"moved AMS 2 Dec → BRU 5 Dec by your crewing system, 02:13 UTC · 10 removed, 5 new"},
		{change(&gangway.UploadNews{At: at, Source: "feed:ships", Removed: 1}, nil), at.Add(24 * time.Hour),
			"1 removed by the feed “ships”, 28 Nov 02:13 UTC"},
		{change(&gangway.UploadNews{At: at, Source: gangway.Uploaded, From: was}, hand), at,
			"moved BRU 5 Dec → BRU 6 Dec by Mara Lindqvist, 03:13 UTC"},
		{change(&gangway.UploadNews{At: at.Add(2 * time.Hour), Source: gangway.Uploaded, Came: came}, hand), at,
			"5 new by your crewing system, 04:13 UTC"},
		{gangway.CrewChange{ChangeDate: "2026-12-05", Moved: &gangway.ShipMove{Place: "NLRTM", Sent: gangway.PortCall{
			Date: "2026-12-05"}, Date: "2026-12-07", By: "mara", At: at}}, at,
			"moved 5 Dec → Rotterdam 7 Dec by Mara Lindqvist, 02:13 UTC"},
	} {
		got := flights.CrewNews(tt.c, tt.now, func(by string) string {
			return map[string]string{"mara": "Mara Lindqvist"}[by]
		})
		if got != tt.want {
			t.Errorf("CrewNews = %q; want %q", got, tt.want)
		}
	}
}
