package outlets

import (
	"testing"
	"time"

	"gangway/internal/gangway"
)

// Whoever looks at outlets sees first what an admin must act on, and finds the others by a part of their names, or
// of where they lead.
func TestOutletsInOrder(t *testing.T) {
	list := []gangway.Outlet{{Name: "b"}, {Name: "parked", ID: "out_p"}, {Name: "paused", Paused: true}, {Name: "a",
		Transport: gangway.Transport{Settings: []byte(`{"url": "https://Crew.example/sync"}`)}}, {Name: "off", Off: true},
		{Name: "failing", FailingSince: time.Unix(1, 0), Paused: true}}
	orderOutlets(list, map[string]bool{"out_p": true})
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
