package outlets

import (
	"testing"

	"gangway/internal/gangway"
)

// Admins see first what they must act on, and find the others by a part of their names, or of where they lead.
func TestOutletsInOrder(t *testing.T) {
	list := []gangway.Outlet{{Name: "b"}, {Name: "parked", ID: "out_p"}, {Name: "paused", ID: "out_s"}, {Name: "a",
		Transport: gangway.Transport{Settings: []byte(`{"url": "https://Crew.example/sync"}`)}},
		{Name: "off", ID: "out_o"}, {Name: "failing", ID: "out_f"}}
	orderOutlets(list, map[string]gangway.ConditionState{"out_p": gangway.IsParked, "out_s": gangway.IsPaused,
		"out_o": gangway.IsOff, "out_f": gangway.IsPausedFailing})
	names := ""
	for _, o := range list {
		names += o.Name + " "
	}
	if names != "off failing parked paused a b " {
		t.Errorf("the order is %s", names)
	}
	if a := list[4]; !outletFound(a, "A") || !outletFound(a, "crew.EXAMPLE") || outletFound(a, "erp") {
		t.Error("an outlet is found by its name and by its address, and by nothing else")
	}
}

// TestMoments: the fields for a span of time are read with and without seconds.
func TestMoments(t *testing.T) {
	for text, want := range map[string]bool{"2036-12-01T08:30": true, "2036-12-01T08:30:05": true,
		"soon": false, "": false} {
		if _, err := readMoment("from", text); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, _, err := readSpan("2036-12-01T08:30", "2036-12-01T08:30"); gangway.KindOf(err) != gangway.Invalid {
		t.Errorf("a span without length: %v; want it refused", err)
	}
}
