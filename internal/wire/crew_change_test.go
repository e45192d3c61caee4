package wire_test

import (
	"strings"
	"testing"
	"time"

	"gangway"
	"gangway/internal/wire"

	"github.com/go-json-experiment/json/jsontext"
)

// All members of all crew changes of an upload would take several times the document.
func TestCrewChangesAreHandedOverOneByOne(t *testing.T) {
	one := `{"vessel":"NORDLYS","change_date":"2036-12-01","travel_request_id":"A","onsigners":[{"last_name":"Reyes","first_name":"Ana"}]}`
	dec := jsontext.NewDecoder(strings.NewReader("[" + strings.Repeat(one+",", 9) + one + "]"))
	seen := 0
	list, err := wire.ReadCrewChanges(dec, 10, gangway.TodayAt(time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)), func(c gangway.CrewChange, _ bool) (gangway.CrewChange, error) {
		seen++
		if most := int64(seen * (len(one) + 1)); len(c.OnSigners) != 1 || dec.InputOffset() > most {
			t.Errorf("crew change %d of %d members is handed over at byte %d; want it by %d", seen, len(c.OnSigners), dec.InputOffset(), most)
		}
		c.OnSigners = nil
		return c, nil
	})
	if seen != 10 {
		t.Errorf("%d were handed over, %v; want 10", seen, err)
	}
	for _, c := range list {
		if c.OnSigners != nil {
			t.Error("a crew change is kept whole")
		}
	}
}
