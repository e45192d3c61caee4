package app

import (
	"testing"
	"time"

	"gangway"
)

func TestTimeline(t *testing.T) {
	row := crewRow{Name: "Santos, Maria", flights: viaDubai(t).Segments, Slack: slackUntil(at(t, "2026-12-02 06:10", 1), at(t, "2026-12-02 18:10", 1))}
	nobody := crewRow{Name: "Tan, Li"}

	t.Run("nobody flies yet", func(t *testing.T) {
		if got := newTimeline("AMS", []crewSide{{Rows: []crewRow{nobody}}}); got != nil {
			t.Fatalf("timeline = %+v; want none", got)
		}
	})
	t.Run("a lane for each who flies, in order of time, with nights, midnight and when she is wanted", func(t *testing.T) {
		got := newTimeline("AMS", []crewSide{{Rows: []crewRow{row, nobody}}})
		if len(got.Lanes) != 1 || len(got.Lanes[0].Flights) != 2 || len(got.Lanes[0].Waits) != 1 {
			t.Fatalf("lanes = %+v; want one with two flights and the wait between", got.Lanes)
		}
		first, second, wait := got.Lanes[0].Flights[0], got.Lanes[0].Flights[1], got.Lanes[0].Waits[0]
		for name, ok := range map[string]bool{
			"after the names":            first.X >= got.Left,
			"one flight after the other": first.X+first.Width <= second.X+1 && wait.X >= first.X && wait.X < second.X,
			"within the picture":         second.X+second.Width <= got.Width && got.Wanted > second.X && got.Wanted < got.Width,
			"one midnight":               len(got.Days) == 1 && got.Days[0].Label == "Wed 2 Dec",
			"two nights":                 len(got.Nights) == 2,
		} {
			if !ok {
				t.Errorf("%s: not so in %+v", name, got)
			}
		}
		if want := "EK 333 MNL–DXB, Tue 11:10 to Tue 20:45 port time"; first.Title != want {
			t.Errorf("title = %q; want %q", first.Title, want)
		}
	})
	t.Run("an airport that we do not know is in UTC", func(t *testing.T) {
		if got := newTimeline("XQX", []crewSide{{Rows: []crewRow{row}}}); got.Lanes[0].Flights[0].Title != "EK 333 MNL–DXB, Tue 10:10 to Tue 19:45 port time" {
			t.Errorf("title = %q", got.Lanes[0].Flights[0].Title)
		}
	})
}

func TestHuntKey(t *testing.T) {
	s := gangway.Search{ID: "s1", Members: []gangway.SearchMember{{Legs: []gangway.Leg{{Origin: "MNL", Destination: "AMS", Date: "2026-12-01"}}}}}
	moved := s
	moved.Members = []gangway.SearchMember{{Legs: []gangway.Leg{{Origin: "MNL", Destination: "ANR", Date: "2026-12-01"}}}}
	chosen := s
	chosen.Members = []gangway.SearchMember{{Legs: s.Members[0].Legs, Chosen: "x"}}
	if huntKey("a", s) == huntKey("a", moved) || huntKey("a", s) == huntKey("b", s) {
		t.Error("another airport, or another account, is the same hunt")
	}
	if huntKey("a", s) != huntKey("a", chosen) {
		t.Error("choosing a flight begins another hunt")
	}
}

func TestHuntsAreLetGo(t *testing.T) {
	hs, now := newHunts(), time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	for i := range huntsKept + 20 {
		hs.kept[huntKey("a", gangway.Search{ID: string(rune('a' + i))})] = &hunt{used: now.Add(time.Duration(i-huntsKept-20) * time.Second)}
	}
	hs.trim(now)
	if len(hs.kept) != huntsKept {
		t.Errorf("%d are kept; want %d", len(hs.kept), huntsKept)
	}
	hs.trim(now.Add(huntLife + time.Hour))
	if len(hs.kept) != 0 {
		t.Errorf("%d old ones are kept; want none", len(hs.kept))
	}
}
