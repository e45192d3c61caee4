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
