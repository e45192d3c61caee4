package gangway

import (
	"slices"
	"testing"
	"time"
)

// TestNewsAfter holds what an upload is said to have changed, and what stays of earlier news.
func TestNewsAfter(t *testing.T) {
	noon := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	change := func(date Date, at Airport, ids ...string) (c CrewChange) {
		c.ChangeDate, c.ChangeAirport = date, at
		for _, id := range ids {
			c.OnSigners = append(c.OnSigners, CrewMember{Traveller: Traveller{ID: id, LastName: "Reyes"}})
		}
		return c
	}
	next := func(old, c CrewChange, run int64) CrewChange {
		c.Moved = old.Moved
		c.News = c.NewsAfter(old, Origin{Uploaded, run, noon.Add(time.Duration(run) * time.Hour)})
		return c
	}
	first := change("2026-12-02", "AMS", "1", "2")
	if again := next(first, first, 1); again.News != nil {
		t.Errorf("the same again is news: %+v", again.News)
	}
	moved := next(first, change("2026-12-05", "BRU", "2", "3", "4"), 2)
	n := moved.News
	if n.From != (PortCall{"AMS", "2026-12-02"}) || n.Removed != 1 || len(n.Came) != 2 ||
		!moved.Came(Traveller{ID: "3"}, OnSigner) || moved.Came(Traveller{ID: "2"}, OnSigner) ||
		moved.Came(Traveller{ID: "3"}, OffSigner) {
		t.Errorf("a move is %+v", n)
	}
	if same := next(moved, change("2026-12-05", "BRU", "2", "3", "4"), 3); same.News != n {
		t.Errorf("an upload that changes nothing brings %+v", same.News)
	}
	after := next(moved, change("2026-12-05", "BRU", "2", "3"), 4)
	if n := after.News; n.From != (PortCall{}) || n.Removed != 1 || n.Came != nil || len(n.Was) != 1 {
		t.Errorf("one who is removed later is %+v", n)
	}
	if got := after.FormerDates(); !slices.Equal(got, []Date{"2026-12-02"}) {
		t.Errorf("it had the dates %v", got)
	}
	back := next(after, change("2026-12-02", "AMS", "2", "3"), 5)
	if got := back.FormerDates(); !slices.Equal(got, []Date{"2026-12-05"}) {
		t.Errorf("back where it was, it had the dates %v", got)
	}
	back.Moved = &ShipMove{Date: "2026-12-09", Sent: back.Sent(), At: noon.Add(6 * time.Hour)}
	if got := back.FormerDates(); !back.MovedByHand() || !slices.Equal(got[1:], []Date{"2026-12-05", "2026-12-02"}) {
		t.Errorf("moved by hand, it had the dates %v", got)
	}
	if same := next(back, change("2026-12-09", "AMS", "2", "3"), 7); same.News != back.News || same.MovedByHand() {
		t.Errorf("what a person knew before is news: %+v", same.News)
	}
}

// TestUpsetBy holds whose hotels may be wrong.
func TestUpsetBy(t *testing.T) {
	c := CrewChange{Vessel: "Nordlys", ChangeDate: "2026-12-05", ChangeAirport: "BRU",
		OnSigners: []CrewMember{{Traveller: Traveller{ID: "1"}}},
		Dropped:   []DroppedMember{{CrewMember: CrewMember{Traveller: Traveller{ID: "2"}}, Side: OnSigner}},
		News:      &UploadNews{Was: []FormerCall{{PortCall{"AMS", "2026-12-02"}, 7}}}}
	other := CrewChange{ChangeDate: "2026-12-06", OffSigners: []CrewMember{{Traveller: Traveller{ID: "2"}}}}
	for _, tt := range []struct {
		name    string
		who     string
		checkIn Date
		run     int64 // of the request
		in      []CrewChange
		want    string
	}{
		{"asked for before the move", "1", "2026-12-01", 6, []CrewChange{c}, "moved from AMS"},
		{"asked for since", "1", "2026-12-04", 8, []CrewChange{c}, ""},
		{"without a date yet", "1", "", 6, []CrewChange{c}, "moved from AMS"},
		{"another month", "1", "2027-01-20", 6, []CrewChange{c}, ""},
		{"removed", "2", "2026-12-01", 8, []CrewChange{c}, "removed"},
		{"removed, and in another crew change", "2", "2026-12-01", 8, []CrewChange{c, other}, ""},
		{"somebody else", "3", "2026-12-01", 6, []CrewChange{c, other}, ""},
	} {
		r := TravelRequest{Traveller: Traveller{ID: tt.who}, Hotel: &HotelNeed{CheckIn: tt.checkIn,
			CheckOut: tt.checkIn}}
		got := ""
		switch by, was, is := r.UpsetBy(tt.in, Origin{Generation: tt.run}); {
		case is && was == (PortCall{}) && by.Vessel == "Nordlys":
			got = "removed"
		case is:
			got = "moved from " + string(was.Airport)
		}
		if got != tt.want {
			t.Errorf("%s: %q; want %q", tt.name, got, tt.want)
		}
	}
}

// TestNamingAPlaceIsNoMove holds that a crew change whose place or date nobody had named has not moved once somebody
// does.
func TestNamingAPlaceIsNoMove(t *testing.T) {
	nowhere, at := CrewChange{ChangeDate: "2026-12-02"}, CrewChange{ChangeDate: "2026-12-02", ChangeAirport: "AMS"}
	if n := at.NewsAfter(nowhere, Origin{}); n != nil {
		t.Errorf("a place that is named is news: %+v", n)
	}
	if n := nowhere.NewsAfter(at, Origin{}); n != nil {
		t.Errorf("a place that is named no longer is news: %+v", n)
	}
	nowhere.Moved = &ShipMove{Place: "AMS", Sent: nowhere.Sent()}
	if nowhere.MovedByHand() {
		t.Error("a person who names the place has moved the ship")
	}
}
